"""The rules of the audit with their proofs, as the docstrings of its modules say them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TITLE = """\
# Rules of the audit

What accepts [evidence](evidence.md), and why that is sound: the modules of
`petricheck.evidence.audit`.
"""


def page(package: Path) -> str:
    """Every module of the package, its docstring as text.

    Args:
        package: the folder `petricheck/audit`.
    """
    return "\n".join((TITLE, *_modules(package)))


def _modules(package: Path) -> Iterator[str]:
    for path in sorted(package.rglob("*.py"), key=lambda path: path.relative_to(package).parts):
        parts = path.relative_to(package.parent).with_suffix("").parts
        text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        name = ".".join(part for part in parts if part != "__init__")
        yield f"## {name}\n\n{_as_markdown(text)}\n"


def _as_markdown(text: str) -> str:
    """The text; names such as N* begin no emphasis, and a list follows a blank line."""
    named = re.sub(r"(?<![\w*])([A-Za-z])\*", r"\1\\*", text)
    return re.sub(r"(?<!\n)\n(?=- |\([1-9]\) )", "\n\n", named)
