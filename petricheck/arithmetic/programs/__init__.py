"""Linear and integer programs, exact linear algebra, residues."""
