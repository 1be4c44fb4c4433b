"""Names of classes: each has one meaning, as docs/glossary.md says."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SECTION = "### One name, two roles\n"


def modules_of_classes() -> dict[str, list[str]]:
    """The modules that define a class of this name, by name; private ones count too."""
    modules = defaultdict(list)
    for path in sorted((ROOT / "petricheck").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(ROOT)))
    return modules


def listed() -> set[str]:
    """The names before the colon of each entry of the section."""
    section = (ROOT / "docs" / "glossary.md").read_text("utf-8").split(SECTION)[1].split("\n#")[0]
    entries = re.findall(r"^- ([^:]*):", section, re.MULTILINE)
    return {name for entry in entries for name in re.findall(r"`(\w+)`", entry)}


def test_two_classes_have_one_name_only_where_the_glossary_says_why() -> None:
    shared = {name: where for name, where in modules_of_classes().items() if len(where) > 1}
    wrong = [
        f"{name} is a class of {', '.join(where)}: let the name say the role, or say in "
        "docs/glossary.md why it has several"
        for name, where in shared.items()
        if name not in listed()
    ]
    wrong += [
        f"docs/glossary.md lists {name}, which names no two classes"
        for name in sorted(listed() - shared.keys())
    ]
    assert not wrong, "\n".join(wrong)
