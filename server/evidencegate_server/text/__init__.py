"""Folds text for comparison and maps positions back to the original."""
