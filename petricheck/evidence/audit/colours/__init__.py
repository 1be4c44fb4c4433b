"""Nets that were made from a coloured one, compared with it."""
