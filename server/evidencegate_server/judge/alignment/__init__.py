"""Holds the atoms of a claim against the records of its evidence."""
