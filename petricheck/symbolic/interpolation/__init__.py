"""Interpolants of paths of nets, in closed form."""
