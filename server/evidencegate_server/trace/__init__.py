"""Summarizes what the tools returned, bounded."""
