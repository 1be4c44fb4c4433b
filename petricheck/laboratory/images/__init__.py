"""Over-approximated images of one block of transitions, by interpolants."""
