"""Keeps evaluations in a database. Imported only where a store is used: SQLAlchemy takes a while to load."""
