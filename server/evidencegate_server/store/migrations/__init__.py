"""Holds the migrations of the product's own tables."""
