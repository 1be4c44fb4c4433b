"""Nets with guards beyond ordinary arcs: inhibitor arcs, capacities, resets."""
