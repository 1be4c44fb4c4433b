"""Search among exact markings: exploration, walks, and their distance to a target."""
