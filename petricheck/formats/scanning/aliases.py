"""Names that a format cannot spell, stored in comments of the file.

Where a name does not fit, another one is written instead, with a comment:

    petricheck: place p3 is "odd name"

Other tools skip the comment; the readers here restore the name. The quoted part is a JSON string in
ASCII, braces escaped, so that any comment can contain it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from petricheck.formats.scanning.text import TokenScanner
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_MARK = "petricheck: "
_FORM = re.compile(r'petricheck: (net|place|transition) (\S+ )?is (".*")')


def spell(names: Iterable[str], fits: Callable[[str], bool], stem: str) -> dict[str, str]:
    """Return a spelling of each name, all different: itself where it fits, else stem and number."""
    originals = tuple(names)
    used = set(originals)
    spelled: dict[str, str] = {}
    number = 0
    for name in originals:
        alias = name
        while not fits(alias) or (alias != name and alias in used):
            number += 1
            alias = f"{stem}{number}"
        spelled[name] = alias
    return spelled


def remarks(net: str, places: Mapping[str, str], transitions: Mapping[str, str]) -> Sequence[str]:
    """Return the comments, without the signs around them, for names that are written differently.

    The net's id is "" where it is written. Places and transitions have the spelling of each name.
    """
    lines = [f"{_MARK}net is {_literal(net)}"] if net else []
    for kind, spelled in (("place", places), ("transition", transitions)):
        for name, alias in spelled.items():
            if name != alias:
                lines.append(f"{_MARK}{kind} {alias} is {_literal(name)}")
    return lines


def renamed(scanner: TokenScanner, strip: Callable[[str], str]) -> dict[tuple[str, str], str]:
    """Return the names in such comments, without the signs that `strip` removes, by (kind, name).

    Kinds are "net", "place" and "transition"; the net's name in the file is "". InputError where a
    comment begins as one of these and makes no sense.
    """
    names: dict[tuple[str, str], str] = {}
    for comment in scanner.comments:
        text = strip(comment.text).strip()
        if not text.startswith(_MARK):
            continue
        form = _FORM.fullmatch(text)
        try:
            name = json.loads(form[3]) if form else None
        except ValueError:
            name = None
        if form is None or name is None or (form[1] == "net") != (form[2] is None):
            raise InputError(
                f'{quoted(text)} is not of the form `{_MARK}place p1 is "name"`; correct or '
                "remove the comment",
                path=scanner.path,
                line=comment.line,
            )
        names[form[1], (form[2] or "").strip()] = name
    return names


def _literal(name: str) -> str:
    return json.dumps(name).replace("{", "\\u007b").replace("}", "\\u007d")
