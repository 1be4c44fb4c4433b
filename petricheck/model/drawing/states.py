"""Graphs of markings: their drawn parts, and the same for Graphviz."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from petricheck.model.drawing.forms import quoted
from petricheck.support.words import printable


class Role(Enum):
    """The role of a marking that is drawn in a special way.

    Attributes:
        meaning: the words of the legend.
        look: attributes of its box in SVG.
        plain: attributes of other boxes in SVG.
        dot: style of its box for Graphviz.
    """

    INITIAL = "initial marking", 'stroke-width="2.8"', 'stroke-width="1.2"', "bold"
    DEAD = "enables nothing", 'stroke-dasharray="4 3"', "", "dashed"
    TARGET = "in the target", 'fill-opacity="0.18"', 'fill-opacity="0"', "filled"

    def __init__(self, meaning: str, look: str, plain: str, dot: str) -> None:
        self.meaning, self.look, self.plain, self.dot = meaning, look, plain, dot


@dataclass(frozen=True, slots=True)
class State:
    """A marking: its marked places as a text, and its roles."""

    label: str
    roles: frozenset[Role] = frozenset()


@dataclass(frozen=True, slots=True)
class Arc:
    """Firings from one marking to another, with the names of the transitions."""

    source: int
    target: int
    names: tuple[str, ...]

    @property
    def label(self) -> str:
        """The names, separated by commas."""
        return ", ".join(map(printable, self.names))


@dataclass(frozen=True, slots=True)
class StateGraph:
    """A graph of markings, all of which can be reached from the first, the initial one.

    Attributes:
        states: the markings.
        arcs: at most one for each ordered pair of markings.
        note: a remark for the reader; may be empty.
    """

    states: tuple[State, ...]
    arcs: tuple[Arc, ...]
    note: str = ""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles of its markings."""
        return tuple(role for role in Role if any(role in state.roles for state in self.states))


def to_dot(graph: StateGraph) -> str:
    """Return the graph for Graphviz, which lays it out."""
    legend = (f"{role.dot}: {role.meaning}" for role in graph.roles)
    lines = [f"  label={quoted(*legend, graph.note)};", "  node [shape=box];"]
    for number, state in enumerate(graph.states):
        style = ",".join(("rounded", *(role.dot for role in Role if role in state.roles)))
        lines.append(f"  m{number} [label={quoted(state.label)}, style={quoted(style)}];")
    for arc in graph.arcs:
        lines.append(f"  m{arc.source} -> m{arc.target} [label={quoted(arc.label)}];")
    return "\n".join(("digraph markings {", *lines, "}", ""))
