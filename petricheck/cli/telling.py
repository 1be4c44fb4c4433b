"""How what was found of a property is told: in words, as JSON, or as the contest asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from petricheck.answer import Unknown
from petricheck.cli.findings import Findings
from petricheck.cli.record import property_record
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.presburger.text import printable
from petricheck.properties import Invariant, Property, holds


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell of one property.

    Attributes:
        asked: the property.
        found: what was found; or, where the property was not even asked, why.
    """

    asked: Property
    found: Findings | Unknown

    @property
    def holds(self) -> bool | None:
        """Whether the property is true; None where that is open."""
        match self.found:
            case Findings(result=result):
                return holds(self.asked.meaning, result.answer)
            case Unknown():
                return None

    @property
    def unknown(self) -> Unknown | None:
        """Why there is no verdict; None where there is one."""
        answer = self.found.result.answer if isinstance(self.found, Findings) else self.found
        return answer if isinstance(answer, Unknown) else None


def tell_briefly(told: Told) -> None:
    """The property's id and the word."""
    say_verdict(word(told.holds), before=f"{printable(told.asked.id)}: ")


def tell_json(told: Told) -> None:
    """One line, an object."""
    say(property_record(told.asked.id, told.holds, told.found))


def tell_contest(told: Told) -> None:
    """The line that the Model Checking Contest asks for; reasons go to the standard error."""
    name = printable(told.asked.id)
    if told.unknown is not None:
        say(f"FORMULA {name} CANNOT_COMPUTE")
        complain(f"{name}: {printable(told.unknown.reason)}")
        return
    assert isinstance(told.found, Findings)
    result = told.found.result
    engine = result.answer.statistics.engine or result.engine
    say(f"FORMULA {name} {word(told.holds).upper()} TECHNIQUES {engine.upper()} AUDITED")


def tell_fully(told: Told, report: Callable[[Findings], str]) -> None:
    """A paragraph: whether the property is true and why, then the report but for its headline."""
    before = f"{printable(told.asked.id)}: "
    match told.found:
        case Unknown(reason):
            say_verdict("unknown", f": {printable(reason)}\n", before=before)
        case Findings() as found:
            headline, _, rest = report(found).partition("\n")
            reason = _reason(told) or headline.removeprefix("unknown")
            say_verdict(word(told.holds), f"{reason}\n{rest}\n", before=before)


def summary(words: Counter[str]) -> str:
    """How many properties there are of each word."""
    parts = [
        f"{words[each]} {each}" for each in ("true", "false", "answered", "unknown") if words[each]
    ]
    return f"{words.total()} properties: {', '.join(parts)}."


def word(truth: bool | None) -> str:
    """How a truth value is told."""
    return {True: "true", False: "false", None: "unknown"}[truth]


def _reason(told: Told) -> str:
    """What the word means for the reachable markings; empty where it is unknown."""
    if told.holds is None:
        return ""
    invariant = isinstance(told.asked.meaning, Invariant)
    reached = told.holds != invariant
    what = "violates" if invariant else "satisfies"
    found = f"a marking that {what} it is" if reached else f"no marking that {what} it is"
    return f", {found} reachable"
