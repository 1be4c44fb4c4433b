"""The file that a batch's folder is known by."""

from __future__ import annotations

DATABASE = "batch.sqlite"
"""Name of the database in the folder of a batch."""
