"""Indexes what the tools really returned."""
