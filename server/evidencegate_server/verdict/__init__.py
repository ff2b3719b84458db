"""Derives score, verdict and route from labels, in code outside every engine."""
