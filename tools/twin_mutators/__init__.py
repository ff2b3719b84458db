"""Turns true claims into false ones that nearly all words have in common with."""
