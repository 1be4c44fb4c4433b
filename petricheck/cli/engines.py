"""`petricheck engines`: every family of interchangeable parts, read off the parts themselves."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import click

from petricheck import plugins
from petricheck.cli.options import json_option
from petricheck.cli.terminal import say

FAMILIES = (
    "engines",
    "guides",
    "heuristics",
    "questions.kinds",
    "formats",
    "evidence",
)


HOW = """\
How options are set:
  -o FIELD=VALUE sets one of the engine. A name may have some behind it, wherever it is written:
  --engine cegar:guide=lattice,control=1
  --guide lattice:cheap=2,costly=50
  --heuristics parikh:weight=8,place_invariants
  Brackets hold together the options of a part within another:
  --engine 'cegar:guide=[lattice:cheap=2,costly=50],control=1'
Short for -o guide=NAME and so on, of cegar where no engine is named:
  --guide NAME, --heuristics A,B, --predicates FILE, --graph FILE, --log FILE
Short for -o reductions=false, and for -o seed=N where the engine has a seed:
  --no-reductions, --seed N"""


@click.command()
@json_option
def command(as_json: bool) -> None:
    """List engines, guides and heuristics, and their options.

    Each comes with its options, and in the end stands how they are set.
    """
    families = {family: _members(family) for family in FAMILIES}
    say(json.dumps(families, indent=2) if as_json else "\n".join((*_lines(families), HOW)))


def _members(family: str) -> dict[str, Any]:
    members = {name: plugins.member(family, name) for name in plugins.members(family)}
    return {
        name: {
            "help": (inspect.getdoc(cls) or "").partition("\n")[0],
            "paper": getattr(cls, "paper", ""),
            "options": [
                {"name": option.name, "default": _text(option.default), "help": option.help}
                for option in plugins.options(cls)
            ],
        }
        for name, cls in members.items()
    }


def _text(default: Any) -> str:
    """The default as it would be typed."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if isinstance(default, bool) else str(default)


def _lines(families: dict[str, dict[str, Any]]) -> Iterator[str]:
    for family, members in families.items():
        yield f"{family}:"
        for name, member in members.items():
            paper = f" ({member['paper']})" if member["paper"] else ""
            yield f"  {name}: {member['help']}{paper}"
            for option in member["options"]:
                yield f"    {option['name']}={option['default']}: {option['help']}"
