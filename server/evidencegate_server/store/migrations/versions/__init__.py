"""Holds one module for each migration. They are never changed once they are released."""
