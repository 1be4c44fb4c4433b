"""Engines: each decides a problem within a budget. One file each."""
