"""Makes a few hundred characters of a tool's output, one small class for each kind of output."""
