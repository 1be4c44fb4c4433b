"""The options that choose and set the engine, and `petricheck engines`, which lists families."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from petricheck.commands.shell.completion import complete_members
from petricheck.commands.shell.options import jobs_option, json_option, together
from petricheck.commands.shell.terminal import say
from petricheck.questions import DEFAULT_ENGINE, Setting
from petricheck.support import plugins
from petricheck.support.errors import QueryError, suggestion
from petricheck.support.plugins import NamedPart, read_part

FILES = ("predicates", "graph", "log")
"""Options of engines whose values are files; each is an option of the command line, too."""

SHORTHANDS = ("guide", "heuristics", *FILES)
"""All engine options that are options of the command line; without --engine they are cegar's."""

SHORTEST = "shortest"
"""The engine whose traces have least length."""

NAMES = ("engine", "option", "shortest", *SHORTHANDS, "no_reductions", "seed", "jobs")
"""The parameters of `engine_options`."""


engine_options = together(
    click.option(
        "--engine",
        metavar="NAME",
        shell_complete=complete_members("engines"),
        help="The algorithm that searches; see 'petricheck engines'.",
    ),
    click.option(
        "-o",
        "option",
        metavar="FIELD=VALUE",
        multiple=True,
        help="Set an option of the engine; may be repeated.",
    ),
    click.option("--shortest", is_flag=True, help="Search for a shortest trace (engine shortest)."),
    click.option("--guide", shell_complete=complete_members("guides"), hidden=True),
    click.option(
        "--graph", metavar="FILE", help="Write the graph of --state-space (.svg, .json, …)."
    ),
    *(click.option(f"--{name}", hidden=True) for name in ("heuristics", "predicates", "log")),
    click.option("--no-reductions", is_flag=True, hidden=True),
    click.option("--seed", type=int, hidden=True),
    jobs_option(),
)
"""--engine, -o, --shortest and --jobs; the help omits the options that abbreviate -o."""


def engine_setting(words: Mapping[str, Any], second_solver: bool) -> Setting:
    """Return the engine with its checked options, from words for the `NAMES`.

    QueryError where there is no such engine, option or value, or one is given twice;
    click.UsageError where options do not go together.
    """
    shorthands = [(name, words[name]) for name in SHORTHANDS if words[name] is not None]
    engine = read_part(_engine(words, [name for name, _ in shorthands]))
    given = [_pair(written) for written in words["option"]]
    for name, value in given:
        if not _has_option("engines", engine.name, name) and (
            place := _place_of_option(name, value)
        ):
            raise QueryError(f"{engine.name} has no option {name!r}, but there is {place}")
    pairs = [*engine.options, *shorthands, *given]
    if words["no_reductions"]:
        pairs.append(("reductions", "false"))
    if words["jobs"] is not None:
        if engine.name != "portfolio":
            raise click.UsageError(f"--jobs goes with the engine portfolio, not {engine.name}")
        pairs.append(("jobs", str(words["jobs"])))
    if words["seed"] is not None and _has_option("engines", engine.name, "seed"):
        pairs += [("seed", str(words["seed"]))] if "seed" not in dict(pairs) else []
    plugins.build("engines", str(NamedPart(engine.name, tuple(pairs))))
    for name in FILES:
        if words[name] == "":
            raise QueryError(f"--{name} names no file; name one, or omit the option")
    return Setting(engine.name, dict(pairs), second_solver)


def _engine(words: Mapping[str, Any], shorthands: Sequence[str]) -> str:
    """Return the engine of this name, or the one that other options require."""
    named: str | None = words["engine"]
    if not words["shortest"]:
        return named or ("cegar" if shorthands else DEFAULT_ENGINE)
    if shorthands or (named or SHORTEST).partition(":")[0] != SHORTEST:
        other = f"--{shorthands[0]}" if shorthands else f"--engine {named}"
        raise click.UsageError(f"--shortest names an engine of its own, and {other} another one")
    return named or SHORTEST


def _has_option(family: str, member: str, name: str) -> bool:
    return any(option.name == name for option in plugins.options(plugins.member(family, member)))


def _place_of_option(name: str, value: str) -> str:
    """Return the place where an option of a member is written; empty where none has it."""
    for option, family in (("--guide", "guides"), ("--heuristics", "heuristics")):
        for member in plugins.members(family):
            if _has_option(family, member, name):
                return f"{option} {member}:{name}={value}"
    return ""


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise QueryError(f"-o {text!r} is not of the form FIELD=VALUE")
    return name.strip(), value


FAMILIES = ("engines", "guides", "heuristics", "questions.kinds", "formats", "evidence.files")


SYNTAX = """\
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
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def command(names: Sequence[str], as_json: bool) -> None:
    """List engines, guides and heuristics, or those of these names.

    Prints the options of each, and how to set them.
    """
    families = {family: members_of(family) for family in FAMILIES}
    known = {name for members in families.values() for name in members}
    if unknown := [name for name in names if name not in known]:
        raise QueryError(
            f"there is no engine, guide or heuristic {unknown[0]!r}{suggestion(unknown[0], known)}"
        )
    if names:
        families = {
            family: {name: member for name, member in members.items() if name in names}
            for family, members in families.items()
        }
    say(json.dumps(families, indent=2) if as_json else "\n".join((*_lines(families), SYNTAX)))


def members_of(family: str) -> dict[str, Any]:
    """Return the printed fields of each member of a family, by its name."""
    members = {name: plugins.member(family, name) for name in plugins.all_members(family)}
    return {
        name: {
            "help": (inspect.getdoc(cls) or "").partition("\n")[0],
            "package": _package(family, cls),
            "paper": getattr(cls, "paper", ""),
            "options": [
                {"name": option.name, "default": _text(option.default), "help": option.help}
                for option in plugins.options(cls)
            ],
        }
        for name, cls in members.items()
    }


def _text(default: Any) -> str:
    """Return the default as it is typed."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if isinstance(default, bool) else str(default)


def _package(family: str, cls: type[Any]) -> str:
    """Return the package of a member: petricheck, its laboratory, or another one."""
    if cls.__module__.startswith(f"{plugins.FAMILIES[family]}."):
        return "petricheck"
    return cls.__module__.partition(f".{family}.")[0]


def _lines(families: dict[str, dict[str, Any]]) -> Iterator[str]:
    for family, members in families.items():
        for package in dict.fromkeys(member["package"] for member in members.values()):
            yield f"{family}:" if package == "petricheck" else f"{family} of {package}:"
            for name, member in members.items():
                if member["package"] == package:
                    paper = f" ({member['paper']})" if member["paper"] else ""
                    yield f"  {name}: {member['help']}{paper}"
                    for option in member["options"]:
                        yield f"    {option['name']}={option['default']}: {option['help']}"
