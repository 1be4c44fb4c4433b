"""Guides that choose interpolants by lattices of templates."""
