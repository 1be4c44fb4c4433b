"""Nets, problems, and what they are made of: coloured nets, guarded nets, origins, pictures."""
