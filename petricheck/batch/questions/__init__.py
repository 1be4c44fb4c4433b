"""Where the questions of a batch come from."""
