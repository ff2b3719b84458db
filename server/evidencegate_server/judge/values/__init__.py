"""Reads typed values: amounts with their units, instants with their zones, and how two of them stand to each other."""
