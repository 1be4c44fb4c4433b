"""What was noticed about a PNML file that is read: the warnings."""

from __future__ import annotations

from dataclasses import dataclass, field

from petricheck.scanning.xml import Ignored
from petricheck.words import quoted


@dataclass(slots=True)
class Notes:
    """What was noticed about the file, each kind told once."""

    tools: dict[str, None] = field(default_factory=dict)
    references: int = 0
    unnamed: bool = False
    untyped: bool = False
    safe: bool = False
    capacities: bool = False
    timed: bool = False
    final_markings: bool = False
    ignored: Ignored = field(default_factory=Ignored)

    def texts(self) -> tuple[str, ...]:
        """One sentence for each thing noticed."""
        named = ", ".join(quoted(tool) if tool else "an unnamed tool" for tool in self.tools)
        safe = ", also the claim that the net is safe" if self.safe else ""
        told = {
            "the net has no id": self.unnamed,
            "the net declares no type; it is read as a place/transition net": self.untyped,
            f"ignored what is specific to {named}{safe}": bool(self.tools),
            "capacity 0 is read as no limit": self.capacities,
            "all transitions are timed, with delays of any length; read as the untimed net": (
                self.timed
            ),
            "final markings are ignored": self.final_markings,
            f"resolved reference nodes: {self.references}": self.references > 0,
        }
        return (*(text for text, holds in told.items() if holds), *self.ignored.texts())
