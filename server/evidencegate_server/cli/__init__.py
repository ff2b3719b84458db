"""Holds the command line."""
