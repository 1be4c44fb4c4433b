"""Nets as pictures: where everything goes, and the picture as numbers, as SVG, and for Graphviz."""
