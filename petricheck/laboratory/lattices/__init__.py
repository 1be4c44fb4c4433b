"""Sets of templates, searched for the cheapest feasible ones."""
