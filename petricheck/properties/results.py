"""Result files of the Model Checking Contest: what tools, or the contest, say of properties.

Lines `FORMULA ID TRUE …` and `FORMULA ID FALSE …`; all others are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from petricheck.errors import InputError

_RESULT = re.compile(r"FORMULA (.+) (TRUE|FALSE)(?: TECHNIQUES\b.*)?")


def read_results(paths: Iterable[Path]) -> Mapping[str, bool]:
    """Whether properties are true, by id.

    Raises:
        InputError: a file cannot be read, or contradicts itself or another.
    """
    results: dict[str, bool] = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from None
        for number, line in enumerate(text.split("\n"), start=1):
            found = _RESULT.fullmatch(line.strip())
            if found and results.setdefault(found[1], found[2] == "TRUE") != (found[2] == "TRUE"):
                raise InputError(
                    f"says {found[2]} of {found[1]!r}, and a line before or another file the "
                    "opposite; keep the result that is right",
                    path=str(path),
                    line=number,
                )
    return results
