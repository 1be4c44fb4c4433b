"""How a property speaks of all paths, and which words say that it holds or not."""

from __future__ import annotations

from enum import StrEnum

HOLDS, VIOLATED = "holds", "violated"


class Quantifier(StrEnum):
    """How a property speaks of all paths, which says what the answer to its question decides.

    The question of EF φ is whether φ is reachable, that of AG φ whether what violates it is, and
    that of AG EF φ whether φ is a home space.
    """

    POSSIBLE = "EF"
    ALWAYS = "AG"
    ALWAYS_POSSIBLE = "AG EF"

    def holds(self, answer: object) -> bool | None:
        """Return whether the property holds; None where its question has no answer."""
        return answer is not (self is Quantifier.ALWAYS) if isinstance(answer, bool) else None

    def answer(self, holds: bool) -> bool:
        """Return the answer by which the property holds, or is violated."""
        return holds is not (self is Quantifier.ALWAYS)

    def word(self, answer: object) -> str | None:
        """Return that the property holds, or is violated; None where that is open."""
        return {True: HOLDS, False: VIOLATED, None: None}[self.holds(answer)]
