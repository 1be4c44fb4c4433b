"""Exact sets of markings as numpy matrices: exploration, tests of targets, certificates."""
