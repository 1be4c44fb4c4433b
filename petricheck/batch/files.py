"""The file that a batch's folder is known by."""

from __future__ import annotations

from petricheck.files import write_file

__all__ = ["DATABASE", "write_file"]

DATABASE = "batch.sqlite"
"""Name of the database in the folder of a batch."""
