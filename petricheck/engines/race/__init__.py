"""The race of several engines for one question or many."""
