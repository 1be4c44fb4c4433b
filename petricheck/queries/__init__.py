"""Ways to ask a question. One file each."""
