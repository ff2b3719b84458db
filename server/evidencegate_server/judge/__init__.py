"""Labels claims: one interface, several engines."""
