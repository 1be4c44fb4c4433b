"""Search among exact markings: firing, keeping, and judging them by their distance to a target."""
