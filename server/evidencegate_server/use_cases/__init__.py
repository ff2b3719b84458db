"""Puts the engine's parts together: validate, judge, summarize."""
