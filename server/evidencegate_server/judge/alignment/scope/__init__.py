"""Checks what a clause says beyond one record: all, only, the highest, since, steadily, from one value to another."""
