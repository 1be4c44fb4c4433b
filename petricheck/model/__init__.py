"""Nets, problems, and what they are made of: coloured nets, origins, pictures."""
