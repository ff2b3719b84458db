"""Says what of an evaluation a user may read, and writes it."""
