"""Result files of the Model Checking Contest: the results of tools, or of the contest.

Lines `FORMULA ID TRUE …`, `FORMULA ID FALSE …` and, of a maximum, `FORMULA ID NUMBER …` or
`FORMULA ID +inf …`; all others are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from petricheck.support.errors import InputError

_RESULT = re.compile(r"FORMULA (.+) (TRUE|FALSE|\+inf|[0-9]{1,1000})(?: TECHNIQUES\b.*)?")


def read_results(paths: Iterable[Path]) -> Mapping[str, str]:
    """Return the results of properties by id: TRUE, FALSE, a number or +inf.

    InputError where a file cannot be read, or contradicts itself or another.
    """
    results: dict[str, str] = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from None
        for number, line in enumerate(text.split("\n"), start=1):
            result = _RESULT.fullmatch(line.strip())
            if result and (previous := results.setdefault(result[1], result[2])) != result[2]:
                raise InputError(
                    f"says {result[2]} of {result[1]!r}, and a line before or another file "
                    f"{previous}; keep the result that is right",
                    path=str(path),
                    line=number,
                )
    return results
