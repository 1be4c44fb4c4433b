"""Cells in processes of their own, with limits that hold for all that they start."""
