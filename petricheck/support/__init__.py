"""What knows no nets: errors, words, limits, files, families of parts, processes."""
