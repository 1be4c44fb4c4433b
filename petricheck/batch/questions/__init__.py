"""Sources of the questions of a batch."""
