"""Upward-closed sets of markings: their minimal elements, and backward coverability over them."""
