"""The state equation m = m0 + D·x, what it excludes, and the siphons and traps that sharpen it."""
