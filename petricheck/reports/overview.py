"""What everybody asks of a net first, on one screen: class, size, and the properties with a name.

An overview asks the questions of `PROPERTIES`, each within its share of the time, and says of each
in a line what follows from proved claims and why. `petricheck.reports.survey` describes a net more
fully, and proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, TypeAlias

from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.answer import Unknown, step_text
from petricheck.evidence.claims import Claim, Pumped, Reached
from petricheck.evidence.explanation import FiringList, Stated
from petricheck.model.drawing.forms import sizes
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.questions import Finding, Question, Schedule, Setting, read_question
from petricheck.questions.question import plain
from petricheck.questions.schedule import Answered
from petricheck.reports.explanation.claims import explain
from petricheck.reports.report import counted_claims
from petricheck.reports.survey import Survey, surveys
from petricheck.reports.survey.forms import head_lines
from petricheck.reports.survey.guarded import guarded_lines
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import BudgetExhausted, Ending, InternalError, QueryError
from petricheck.support.markup import Shown
from petricheck.support.plugins import as_option
from petricheck.support.words import counted, printable

if TYPE_CHECKING:
    from petricheck.formats.libraries.libraries import AnyNet
    from petricheck.formats.nets import NetFile

SECONDS = 10.0
"""For all properties together, where no limit is set."""

PROPERTIES = {
    "bounded": ("bounded", "yes", "no"),
    "safe": ("safe", "yes", "no"),
    "quasi_live": ("dead transitions", "none", "some"),
    "deadlock": ("deadlock", "reachable", "none"),
    "live": ("live", "yes", "no"),
    "reversible": ("reversible", "yes", "no"),
    "sound": ("sound", "yes", "no"),
}
"""By kind of question: the property, and the words for the answers true and false. The questions
that take less time come first."""

_WIDTH, _LINES, _SHORT, _LETTERS = 79, 2, 75, 35
"""Letters of a line; lines of a property; letters of evidence that is shown whole; letters of the
property and its answer."""

IN_FULL = frozenset({"quasi_live"})
"""Of these, the verdict alone says too little: which transitions are dead?"""

Result: TypeAlias = Finding | Unknown
"""What is known of a property; or why it is not asked of this net."""


def head(file: NetFile) -> Iterator[str]:
    """Yield the net with its size and class; a coloured one, and its unfolding if it is made."""
    if file.coloured is not None:
        yield _wrapped(f"coloured net {shown_name(file.source.name)}: {sizes(file.source)}")
    if isinstance(file.source, GuardedNet):
        yield from map(_wrapped, guarded_lines(file.source, file.net))
    if file.colours != "none":
        yield from map(_wrapped, head_lines(structure(file.net)))


def properties(net: Net) -> Iterator[tuple[str, Question | Unknown]]:
    """Yield each kind with its question, or why it is not asked; only workflow nets are sound."""
    for kind in PROPERTIES:
        try:
            yield kind, read_question(net, kind, "")
        except QueryError as error:
            if kind != "sound":
                yield kind, Unknown(error.message, ending=Ending.NOT_APPLICABLE)


def property_line(kind: str, result: Result, *, brief: bool = False) -> tuple[str, str, str]:
    """Return a property with its answer and the reason in few words; brief without the reason.

    It is cut into the title with its colon, the answer, and the rest, which may have a second line.
    """
    title, yes, no = PROPERTIES[kind]
    value, rest = result_value(result), ""
    if value is None:
        told = _open(result).removeprefix(f"not asked: {as_option(kind)} is ")
        word = told[: len("not decided")].strip(": ")
        rest = told[len(word) :]
    else:
        word = yes if value else no
        reason = "" if brief else reason_text(result)
        rest = f" — {reason}" if reason else ""
    start = f"{title}: {word}"
    return f"{title}: ", word, _wrapped(f"{start}{rest}").removeprefix(start)


def _wrapped(line: str) -> str:
    lines = wrap(line, _WIDTH, subsequent_indent="  ", max_lines=_LINES, placeholder=" …")
    return "\n".join(lines)


def tone_of(kind: str, result: Result, kinds: Collection[str]) -> str:
    """Return the tone of a property beside those of other kinds, of which some may be hoped for.

    A workflow net is to end: that it is not live, or not reversible, is no fault.
    """
    if isinstance(result, Unknown):
        return "open"
    ends = "sound" in kinds and kind in ("live", "reversible")
    return "neutral" if ends and result.value is not None else result.tone


def result_value(result: Result) -> bool | None:
    """Return the answer; None where there is none."""
    value = None if isinstance(result, Unknown) else result.value
    return None if value is None else bool(value)


def _open(result: Result) -> str:
    unknown = result if isinstance(result, Unknown) else result.unknown
    if unknown is None:
        return "not decided"
    reason = printable(unknown.reason.partition("\n")[0])
    if unknown.ending is Ending.NOT_APPLICABLE:
        return f"not asked: {reason}"
    if unknown.ending is Ending.TIME:
        seconds = 0.0 if isinstance(result, Unknown) else result.seconds
        return f"not decided in {max(seconds, 0.1):.1f} s" if seconds else "not decided in time"
    return f"not decided: {reason}"


def reason_text(result: Result) -> str:
    """Return why the answer holds, in few words: what fails or limits it, and the evidence."""
    if isinstance(result, Unknown):
        return ""
    evidence, (*details, _) = _evidence(result), (*result.conclusion.details[:1], "")
    if not details or result.question.target is not None:
        return evidence
    room = _WIDTH * _LINES - len(evidence) - _LETTERS
    # A brief search ends with the first place or transition that decides the question.
    others = result.question.kind != "sound" and result.conclusion.facts.get("open")
    more = ", maybe others" if others else ""
    detail = shorten(_begun(printable(details[0])), room - len(more), placeholder=" …") + more
    return f"{detail} ({evidence})" if evidence else detail


def _evidence(finding: Finding) -> str:
    """Return the only claim's evidence if it is short, else the number of claims by their nouns."""
    if len(finding.claims) == 1 and (proof := _proof(finding.question.net, finding.claims[0])):
        return proof
    return " and ".join(counted_claims(finding.claims))


def _proof(net: Net, claim: Claim) -> str:
    """Return the evidence of a claim; empty if it is long."""
    if isinstance(claim, Reached) and not claim.trace.steps:
        return "initially"
    fired, proved = list[str](), ""
    for node in explain(net, claim, target=True, reasons=False).evidence:
        match node:
            case FiringList(steps, label):
                length = sum(times for _, times in steps)
                text = _short(" ".join(map(step_text, steps))) or counted(length, "firing")
                fired.append(f"{label or 'after'} {text}")
            case Stated():
                described = node.describe("text")
                stated = described.headline if described.formula is None else described.body
                proved = _short(_begun(stated.strip()))
                proved = proved if described.formula is None else proved and f"always {proved}"
    if fired and not isinstance(claim, Reached | Pumped):
        return f"{fired[0]} {proved or 'never again'}"
    return printable(", ".join(fired) or proved)


def _short(text: str) -> str:
    """Return the text if it is short and one line; otherwise nothing."""
    return text if len(text) <= _SHORT and "\n" not in text else ""


def _begun(sentence: str) -> str:
    """Return one of the program's sentences as it stands within another."""
    return sentence[:1].lower() + sentence[1:].rstrip(".:")


@dataclass(frozen=True, slots=True, repr=False)
class Overview(Shown):
    """What is known of a net before it is asked anything in particular.

    Attributes:
        net: the net.
        survey: its class, invariants, siphons and traps.
        findings: by kind of question, the findings; open ones have the value None.
        refused: by kind of question, why it is not asked of this net.
    """

    net: Net
    survey: Survey
    findings: Mapping[str, Finding]
    refused: Mapping[str, str]

    @property
    def incidence(self) -> tuple[tuple[int, ...], ...]:
        """The incidence matrix: a row for each place, with the effect of each transition."""
        effects = [dict(transition.effect) for transition in self.net.transitions]
        return tuple(
            tuple(effect.get(place, 0) for effect in effects)
            for place in range(len(self.net.places))
        )

    @property
    def place_invariants(self) -> tuple[Mapping[str, int], ...] | None:
        """The minimal place invariants without negative weights, each with its weights by place."""
        if self.survey.invariants is None:
            return None
        return tuple(
            {self.net.places[place]: weight for place, weight in y.direction}
            for y in self.survey.invariants
            if all(weight > 0 for _, weight in y.direction)
        )

    @property
    def transition_invariants(self) -> tuple[Mapping[str, int], ...] | None:
        """The minimal ones without negative numbers, each with its firings by transition."""
        return self.survey.transition_invariants

    @property
    def siphons(self) -> tuple[tuple[str, ...], ...] | None:
        """The places of each minimal siphon."""
        return self.survey.siphons

    @property
    def traps(self) -> tuple[tuple[str, ...], ...] | None:
        """The places of each minimal trap."""
        return self.survey.traps

    def __str__(self) -> str:
        results: dict[str, Result] = {
            kind: Unknown(reason, ending=Ending.NOT_APPLICABLE)
            for kind, reason in self.refused.items()
        }
        results |= self.findings
        lines = ("".join(property_line(k, results[k])) for k in PROPERTIES if k in results)
        return "\n".join((*map(_wrapped, head_lines(self.survey)), *lines))

    def __repr__(self) -> str:
        return f"<Overview of {printable(self.net.name)}>"

    def _repr_html_(self) -> str:
        return Shown._repr_html_(self) + self.net._repr_html_()


def overview(net: AnyNet, budget: Budget | None = None) -> Overview:
    """Return what is known of a net; see `petricheck.overview`."""
    read, limits = plain(net), budget or Budget(SECONDS)
    survey = surveyed(read, limits.part(4))
    asked = dict(properties(read))
    times = Shares(None, len(asked), None if limits.seconds is None else limits.remaining)
    schedule = Schedule([*asked.values()], Setting(), times, limits, True, IN_FULL)
    kinds, findings = [*asked], dict[str, Finding]()
    for event in schedule.events():
        if isinstance(event, Answered):
            if isinstance(event.outcome, InternalError):
                raise event.outcome
            if isinstance(event.outcome, Finding):
                findings[kinds[event.number]] = event.outcome
    refused = {kind: q.reason for kind, q in asked.items() if isinstance(q, Unknown)}
    return Overview(read, survey, findings, refused)


def surveyed(net: Net, budget: Budget) -> Survey:
    """Return the survey, as far as it comes."""
    survey = Survey(net)
    with suppress(BudgetExhausted):
        for more in surveys(net, budget):
            survey = more
    return survey


def structure(net: Net) -> Survey:
    """Return the survey with its first part: what is known of a net at once."""
    *_, survey = islice(surveys(net, Budget()), 2)
    return survey
