"""Facts about all reachable markings: place invariants, siphons, traps, half-spaces, residues."""
