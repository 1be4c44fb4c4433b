"""Transitions that choose one of several places: the XOR operators of WoPeD and Yasper.

WoPeD writes a plain transition for each choice, and in each the operator that it belongs to. Yasper
writes one transition with all arcs, and its type.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from petricheck.formats.nets._net_parts import Element, Parts
from petricheck.support.words import quoted

_SIDES = {
    **dict.fromkeys(("103", "104", "108"), ("post",)),
    **dict.fromkeys(("105", "109"), ("pre",)),
    **dict.fromkeys(("106", "XOR"), ("pre", "post")),
}
"""The sides on which an operator of WoPeD, by its number, or a type of Yasper chooses."""


@dataclass(slots=True)
class Choices:
    """The choices of the transitions of a file.

    Attributes:
        transitions: transitions that choose, and the sides on which they do.
    """

    transitions: list[tuple[Element, tuple[str, ...]]] = field(default_factory=list)

    def note(self, transition: Element, operator: str) -> None:
        """Store the sides on which an operator of WoPeD chooses."""
        if sides := _SIDES.get(operator):
            self.transitions.append((transition, sides))

    def note_type(self, transition: Element) -> None:
        """Store the type of a transition by Yasper; InputError where it is unknown."""
        kind = transition.word("type", "AND").upper()
        if kind not in ("AND", "XOR"):
            raise transition.error(f"is of type {quoted(kind)}, which may change the meaning")
        self.note(transition, kind)

    def check(self, parts: Parts) -> None:
        """Refuse transitions with several arcs to choose from, once all arcs are connected.

        Raises:
            InputError: there is such a transition.
        """
        for transition, sides in self.transitions:
            number = ~parts.numbers[transition.id]
            arcs = {"pre": parts.pre[number], "post": parts.post[number]}
            if any(len(arcs[side]) > 1 for side in sides):
                raise transition.error(
                    "is an XOR operator, which chooses one of several arcs; write a transition "
                    "for each choice"
                )
