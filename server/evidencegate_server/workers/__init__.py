"""Serves with several processes on one port: a parent that keeps them, and what each of them does for it."""
