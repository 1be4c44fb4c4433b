"""Configurations of a batch: an engine with options, or a tool whose results were imported.

Written as NAME=ENGINE[:FIELD=VALUE,...]. Of engines that are compared the definition is the name as
well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck import plugins
from petricheck.errors import QueryError
from petricheck.questions.checking import DEFAULT_ENGINE

_ALL = "accelerated_actions,parikh,place_invariants"


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
        """What stands behind the name, as users type it."""
        if self.tool:
            return self.tool
        return str(plugins.Part(self.engine, self.options))


def _guided(guide: str, heuristics: str) -> tuple[tuple[str, str], ...]:
    return (("guide", guide), ("heuristics", heuristics))


DEFAULT = Configuration("default")

CONFIGURATIONS = (
    Configuration("none", "cegar", _guided("none", ""), "none"),
    Configuration("abs1", "cegar", _guided("lattice", "place_invariants"), "abs1"),
    Configuration("abs2", "cegar", _guided("lattice", "accelerated_actions"), "abs2"),
    Configuration("abs3", "cegar", _guided("lattice", "parikh"), "abs3"),
    Configuration("all", "cegar", _guided("lattice", _ALL), "all"),
    Configuration("optimal", "cegar", _guided("optimal", _ALL)),
    DEFAULT,
)
"""The built-in configurations: the paper's columns, then ours."""


def parse_configuration(text: str) -> Configuration:
    """A configuration as users type it: a built-in NAME, or NAME=DEFINITION.

    Raises:
        QueryError: no such configuration, engine, field or value, or no name is given.
    """
    name, defined, definition = text.partition("=")
    if not defined:
        for configuration in CONFIGURATIONS:
            if configuration.name == name:
                return configuration
        known = ", ".join(configuration.name for configuration in CONFIGURATIONS)
        raise QueryError(
            f"unknown configuration {name!r}; known: {known};"
            " or define one as NAME=ENGINE:FIELD=VALUE,..."
        )
    if not name:
        raise QueryError(f"configuration {text!r} has no name before the first '='")
    return of_engine(name, definition)


def of_engine(name: str, definition: str) -> Configuration:
    """The configuration of this name, defined as ENGINE[:FIELD=VALUE,...].

    Raises:
        QueryError: no such engine, field or value.
    """
    engine = plugins.read_part(definition)
    plugins.build("engines", definition)
    return Configuration(name, engine.name, engine.options)


def parse_configurations(
    texts: Sequence[str], default: Sequence[Configuration]
) -> tuple[Configuration, ...]:
    """The configurations as users type them; the default ones where none is given.

    Raises:
        QueryError: as `parse_configuration` does, or two have the same name.
    """
    return distinct(parse_configuration(text) for text in texts) or tuple(default)


def distinct(configurations: Iterable[Configuration]) -> tuple[Configuration, ...]:
    """The configurations, each once.

    Raises:
        QueryError: two different ones have the same name.
    """
    kept = tuple(dict.fromkeys(configurations))
    names = [configuration.name for configuration in kept]
    for name in names:
        if names.count(name) > 1:
            raise QueryError(f"two configurations are named {name!r}")
    return kept
