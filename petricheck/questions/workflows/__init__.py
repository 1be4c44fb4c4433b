"""Soundness of workflow nets."""
