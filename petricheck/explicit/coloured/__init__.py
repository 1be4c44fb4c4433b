"""Firings of coloured nets, one binding at a time, without any unfolding."""
