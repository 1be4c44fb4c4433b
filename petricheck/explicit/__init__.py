"""Sets of states, one by one: compiled loops over arrays, exploration, upward-closed sets."""
