"""Engines of the papers besides the default one."""
