"""Loads the rule catalog strictly, as one whole or not at all."""
