"""Tables of markings, compared with the net."""
