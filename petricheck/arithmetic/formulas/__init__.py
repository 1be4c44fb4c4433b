"""Presburger formulas: terms, normal forms, texts, JSON."""
