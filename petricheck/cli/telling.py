"""How what was found of a property is told: in words, as JSON, or as the contest asks for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from petricheck.answer import Unknown
from petricheck.cli.findings import Findings
from petricheck.cli.ids import shown_id
from petricheck.cli.record import property_record
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.properties import Invariant, Property, holds
from petricheck.words import printable


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


def one_line(reason: str) -> str:
    """A reason, which may have a line for each engine, on one line."""
    return "; ".join(map(printable, reason.split("\n")))


def tell_briefly(told: Told) -> None:
    """The property's id and the word."""
    say_verdict(word(told.holds), before=f"{shown_id(told.asked.id)}: ")


def tell_json(told: Told) -> None:
    """One line, an object."""
    say(property_record(told.asked.id, told.holds, told.found))


def tell_contest(told: Told) -> None:
    """The line that the Model Checking Contest asks for; reasons go to the standard error."""
    name = shown_id(told.asked.id)
    if told.unknown is not None:
        say(f"FORMULA {name} CANNOT_COMPUTE")
        complain(f"{name}: {one_line(told.unknown.reason)}")
        return
    assert isinstance(told.found, Findings)
    technique = told.found.result.decider.upper()
    say(f"FORMULA {name} {word(told.holds).upper()} TECHNIQUES {technique} AUDITED")


def tell_fully(told: Told, report: Callable[[Findings], str]) -> None:
    """A paragraph: whether the property is true and why, then the report but for its headline."""
    before = f"{shown_id(told.asked.id)}: "
    match told.found:
        case Unknown(reason):
            say_verdict("unknown", f": {one_line(reason)}\n", before=before)
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
