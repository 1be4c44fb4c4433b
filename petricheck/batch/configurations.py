"""Configurations of a batch: an engine with options, or a tool whose results were imported.

Written as NAME=ENGINE[:FIELD=VALUE,...]. Of engines that are compared the definition is the name as
well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from petricheck.questions.checking import DEFAULT_ENGINE
from petricheck.support import plugins
from petricheck.support.errors import QueryError
from petricheck.support.plugins import NamedPart, read_part


@dataclass(frozen=True, slots=True)
class Configuration:
    """An engine with options, or a tool that ran elsewhere, under a name.

    Attributes:
        name: heads its column.
        engine: name of the engine; empty with a tool.
        options: the engine's options as text; what is not named keeps its default.
        column: the column of the paper's Table 2 that it is compared with, or "".
        tool: what ran elsewhere, with its version and options, where results were imported.
    """

    name: str
    engine: str = DEFAULT_ENGINE
    options: tuple[tuple[str, str], ...] = ()
    column: str = ""
    tool: str = ""

    @property
    def definition(self) -> str:
        """The definition behind the name, as users type it."""
        if self.tool:
            return self.tool
        return str(NamedPart(self.engine, self.options))


def _defined(name: str, definition: str, column: str = "") -> Configuration:
    part = read_part(definition)
    return Configuration(name, part.name, part.options, column)


DEFAULT = Configuration("default")

_ALL = "[accelerated_actions,parikh,place_invariants]"
_PAPER = {
    "none": "cegar:guide=none,heuristics=",
    "abs1": "cegar:guide=lattice,heuristics=place_invariants",
    "abs2": "cegar:guide=lattice,heuristics=accelerated_actions",
    "abs3": "cegar:guide=lattice,heuristics=parikh",
    "all": f"cegar:guide=lattice,heuristics={_ALL}",
}

_LETTER = (
    "predicate_abstraction:guide=[lattice:cuts=each,part=whole],"
    "heuristics=[accelerated_actions,parikh:lattices=each,place_invariants]"
)

CONFIGURATIONS = (
    *(_defined(name, definition, name) for name, definition in _PAPER.items()),
    _defined("letter", _LETTER),
    _defined("abstract", f"cegar:guide=abstract,heuristics={_ALL}"),
    _defined("optimal", f"cegar:guide=optimal,heuristics={_ALL}"),
    DEFAULT,
)
"""The built-in configurations: the paper's columns; the last one without the deviations that can be
switched off, and with a solver; then ours."""


def parse_configurations(
    texts: Iterable[str], default: Iterable[Configuration] = (DEFAULT,), engines: Iterable[str] = ()
) -> tuple[Configuration, ...]:
    """Return the configurations as users type them, each once, or the default.

    A text is a built-in NAME, or NAME=DEFINITION. Engines are definitions that are their own names;
    these come first. QueryError as by `parse_configuration`, or where two have the same name.
    """
    configurations = [_checked(engine, engine) for engine in engines] + [
        *map(parse_configuration, texts)
    ]
    retained = {configuration.name: configuration for configuration in configurations}
    for configuration in configurations:
        if configuration != retained[configuration.name]:
            raise QueryError(f"two configurations are named {configuration.name!r}")
    return tuple(retained.values()) or tuple(default)


def parse_configuration(text: str) -> Configuration:
    """Return a configuration as users type it: a built-in NAME, or NAME=DEFINITION.

    QueryError where there is no such configuration, engine, field or value, or no name is given.
    """
    name, defined, definition = text.partition("=")
    if not defined:
        for configuration in CONFIGURATIONS:
            if configuration.name == name:
                return configuration
        names = ", ".join(configuration.name for configuration in CONFIGURATIONS)
        raise QueryError(
            f"unknown configuration {name!r}; known: {names};"
            " or define one as NAME=ENGINE:FIELD=VALUE,..."
        )
    if not name:
        raise QueryError(f"configuration {text!r} has no name before the first '='")
    return _checked(name, definition)


def _checked(name: str, definition: str) -> Configuration:
    plugins.build("engines", definition)
    return _defined(name, definition)
