"""Answers, claims, certificates and their files; the audit checks them from the net alone."""
