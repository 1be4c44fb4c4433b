"""What one block of transitions can lead to, over-approximated by interpolants."""
