"""Evidence file formats. One file each."""
