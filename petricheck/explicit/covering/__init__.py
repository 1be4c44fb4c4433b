"""Upward-closed sets of markings: covering them backward by minimal elements, and forward."""
