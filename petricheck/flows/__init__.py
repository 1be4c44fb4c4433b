"""Weighted sums of places that no transition changes: minimal semiflows, a basis of them all."""
