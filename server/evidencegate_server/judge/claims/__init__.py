"""Reads claims into atoms: the facts that a sentence states, each with its words."""
