"""Asks models behind OpenAI-compatible endpoints. Outside the engine: this is where network and clock are."""
