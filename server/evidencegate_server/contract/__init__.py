"""Parses what an LLM wrote into its contract, strictly, with the place of everything."""
