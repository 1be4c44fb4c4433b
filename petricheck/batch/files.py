"""Files that are written whole or not at all, and the one that a batch's folder is known by."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from petricheck.errors import InputError

DATABASE = "batch.sqlite"
"""Name of the database in the folder of a batch."""


def write_file(path: Path, content: str | bytes) -> None:
    """Replace the file's content at once, text in UTF-8; what is no regular file is written to.

    Raises:
        InputError: it cannot be written.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        try:
            part.write_bytes(data)
            os.replace(part, target)
        finally:
            with suppress(OSError):
                part.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written: {reason}", path=str(path)) from None
