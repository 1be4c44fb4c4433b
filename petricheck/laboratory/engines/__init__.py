"""Engines of the papers beside the one that decides by default."""
