"""Decides whether an excerpt is a quotation of its evidence."""
