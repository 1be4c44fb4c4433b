"""How engines ended on a question, and the facts that they learnt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Unknown
from petricheck.support.budget import Event, Turn
from petricheck.support.errors import Ending, InternalError, Refused

_HINT = "allow more time or memory, or name an engine and set its options"


@dataclass(frozen=True, slots=True)
class End:
    """The end of an engine that has not decided the question.

    Attributes:
        reason: why it gave up, or failed.
        ending: the same for programs; None where that is not known.
        hint: what to try next; may be empty.
        failed: whether an error ended it that nobody raises on purpose.
        is_false: whether its evidence failed the audit.
    """

    reason: str
    ending: Ending | None = None
    hint: str = ""
    failed: bool = False
    is_false: bool = False


@dataclass(eq=False)
class Record:
    """How the engines ended so far on one question about one net.

    Attributes:
        ends: the ends of the engines that will not go on, by name.
        facts: the facts that engines had learnt.
        messages: the last message of each engine that has begun.
    """

    ends: dict[str, End] = field(default_factory=dict)
    facts: tuple[Formula, ...] = ()
    messages: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Record:
        """Return a record of the same ends and facts, which goes on by itself."""
        return Record(dict(self.ends), self.facts)

    def note(self, event: Event) -> None:
        """Store an engine's last message, or why it gave up or failed."""
        match event.turn:
            case Turn.GAVE_UP:
                self.ends.setdefault(event.engine, End(event.text, event.ending))
            case Turn.FAILED:
                reason = f"failed: {event.text}"
                self.ends[event.engine] = End(reason, Ending.FAILED, failed=True)
            case None:
                self.messages[event.engine] = event.text
            case _:
                self.messages.setdefault(event.engine, "")

    def unknown(self, engines: Iterable[str], headline: str, ending: Ending | None) -> Unknown:
        """Return the headline, and a line for each engine.

        Args:
            engines: names of those that took part.
            headline: why there is no answer.
            ending: the same for programs; None: that in which all engines ended.

        Raises:
            InternalError: no engine is to blame for less than a fault of the program: all failed,
                or the evidence of one failed the audit.
        """
        failed = {name for name, end in self.ends.items() if end.failed}
        names = tuple(dict.fromkeys((*engines, *sorted(failed))))
        reason = "\n".join([headline, *(f"{name}: {self._end_of(name)}" for name in names)])
        ends = self.ends.values()
        able = {n for n in names if n not in self.ends or not _is_unfit(self.ends[n])}
        if any(end.is_false for end in ends) or (failed and able <= failed):
            raise InternalError(reason)
        hints = dict.fromkeys(end.hint for end in ends if end.hint)
        hint = "; ".join(hints) if hints and len(ends) == len(names) else _HINT
        common = {end.ending for end in ends} - {None}
        if ending is None and len(common) == 1:
            (ending,) = common
        return Unknown(reason, hint, ending=ending or Ending.GAVE_UP)

    def _end_of(self, name: str) -> str:
        if name in self.ends:
            return self.ends[name].reason.replace("\n", " ")
        if name not in self.messages:
            return "had no turn"
        return ", ".join(filter(None, ("no result yet", self.messages[name])))


def _is_unfit(end: End) -> bool:
    return end.ending is Ending.NOT_APPLICABLE


def refused(refusal: Refused) -> End:
    """Return the end of an engine whose evidence is no answer."""
    return End(str(refusal), Ending.FAILED, is_false=refusal.is_false)
