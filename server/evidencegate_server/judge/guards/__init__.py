"""Guards over claims that would be accepted: each only takes an acceptance back, and none gives one."""
