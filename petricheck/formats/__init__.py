"""Net file formats. One file each."""
