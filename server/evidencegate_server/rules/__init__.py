"""Holds the Gatekeeper's rules: one small class a rule, and the chain that runs them."""
