"""Soundness of workflow nets: whether a process that has begun can always be completed well.

After van der Aalst, van Hee, ter Hofstede and others, *Soundness of workflow nets: classification,
decidability, and analysis* (2011); *relaxed* after Dehnert, Rittgen, *Relaxed soundness of business
processes* (2001). From the initial marking

- *easy*: a final marking can be reached;
- *relaxed*: and every transition fires on some way to a final marking;
- *weak*: from every reachable marking a final one can be reached (option to complete), and no
  reachable marking has more tokens than a final one (proper completion);
- *classical*: that, and every transition can fire.

A net in which some place has no limit is not even weakly sound: it reaches a marking, and from
there one with more tokens; if the first can be completed, the second can end with tokens left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.arithmetic.formulas.text import QUOTED
from petricheck.evidence.claims import Claim, Excluded, Reached
from petricheck.formats.language.model import needs, transitions_of
from petricheck.model.net import Marking, Net
from petricheck.questions.deciding import deciding, marking_text, tokens_known
from petricheck.questions.events import Events
from petricheck.questions.homes import home_spaces
from petricheck.questions.kind import Conclusion, Kind, lines, yes_or_no
from petricheck.questions.kinds._marking import Marks
from petricheck.questions.kinds._transitions import enabled_events
from petricheck.questions.study import Study
from petricheck.questions.workflows import participation
from petricheck.questions.workflows.workflow import (
    completed,
    final_markings,
    improper,
    plain_net,
)
from petricheck.support.errors import QueryError
from petricheck.support.words import listed, printable

_FINALS = re.compile(rf"(?:{QUOTED}|[^;\"])+")

_GRADES = "easy, relaxed, weak or classical"
_GRADE = re.compile(r"\s*(easy|relaxed|weak|classical)\s*(?::|\Z)")
_OTHER_GRADE = re.compile(r"\s*(\w+)\s*(?::|\Z)")

_FINAL = Marks(
    ("=",),
    "a final marking fixes places with '='",
    "no final marking is named; say how many tokens it has, as in '{place}=1'",
)

_FEW = 20
"""Conditions that are listed."""

ROUND, ROUNDS = 4.0, 24
"""Seconds for each condition in the first round; each further one has twice as many."""


@dataclass(frozen=True, slots=True)
class Soundness:
    """The conditions of soundness of a net.

    Attributes:
        grade: easy, relaxed, weak or classical.
        final: the formula of final markings.
        improper: the formula of markings with more tokens than a final one.
        firing: for classical soundness, that each transition is enabled; otherwise empty.
        remark: why the net is no workflow net; empty where it is one.
    """

    grade: str
    final: Formula
    improper: Formula
    firing: Events
    remark: str = ""


class Sound(Kind):
    """Whether a workflow net is sound: 'weak', 'end=1' or 'weak: end=1; cancelled=1'.

    The words name the grade, classical where there is none, and the final markings: by default
    those of the file, or one token on the sink. Where they are named, any net will do; and of the
    grades easy and relaxed, where the file has some.
    """

    rank = 130
    meaning = "Is the workflow net sound?"
    outcomes = yes_or_no(("sound",), ("not sound", "unsound"))
    hoped = True
    example = "'weak: end=1'"
    optional = True
    colours = "all"

    def read(self, net: Net, text: str) -> Soundness:
        """Return the conditions that have to hold; QueryError also where it is no workflow net."""
        match = _GRADE.match(text)
        grade, marking = (match[1], text[match.end() :]) if match else ("classical", text)
        if match is None and (word := _OTHER_GRADE.match(text)) is not None:
            raise QueryError(f"{word[1]!r} is no grade of soundness; name {_GRADES}")
        if net.is_unfolded:
            raise QueryError("soundness is asked of ordinary nets; this one is coloured")
        model = plain_net(net)
        if grade == "relaxed" and model.actions != net.actions:
            raise QueryError("relaxed soundness is not asked of a net with resets; ask for another")
        named, remark = tuple(_named_finals(model, marking, text)), ""
        given = named or model.finals
        try:
            finals = final_markings(model, given)
        except QueryError as error:
            if not (named or (given and grade in ("easy", "relaxed"))):
                raise
            finals, remark = given, error.message
        classical = transitions_of(net) if grade == "classical" else ()
        firing = enabled_events(net, {name: needs(net, name) for name in classical})
        final, more = completed(model, finals), improper(model, finals)
        return Soundness(grade, final, more, firing, remark)

    def search(self, study: Study, contents: Sequence[Soundness]) -> None:
        """Try the conditions in turn, in rounds of growing length, until all hold or one fails."""
        for soundness in contents:
            for number in range(ROUNDS):
                for step in (_begin, _exceed, _complete, _decide_transitions):
                    state = SoundnessState.of(study.net, soundness, study.claims)
                    if not (state.open or state.unsettled) or (study.brief and state.fails):
                        break
                    limits = study.budget.within(ROUND * 2**number)
                    with study.budget.tolerate_overruns():
                        step(study.within(limits), soundness, state)

    def conclude(self, net: Net, content: Soundness, claims: Sequence[Claim]) -> Conclusion:
        """Return sound if all conditions hold; otherwise which fails, and in which marking."""
        state = SoundnessState.of(net, content, claims)
        facts = {
            "holds": state.holds,
            "grade": content.grade,
            "completes": state.completes,
            "stuck": state.stuck,
            "proper": state.proper,
            "left": state.surplus,
            "dead": state.dead,
            "on no way": state.excluded,
            "open": state.open,
        }
        remark = f"Judged by its final markings alone, as {content.remark}."
        details = (*((remark,) if content.remark else ()), *_details(net, state))
        return Conclusion(self.outcomes, state.holds, details, facts)


def _named_finals(net: Net, marking: str, text: str) -> Iterator[Marking]:
    """Yield the final markings in the end of the words; errors point at their position there."""
    start = len(text) - len(marking)
    for part in _FINALS.finditer(marking):
        if part[0].strip():
            yield _marking(net, " " * (start + part.start()) + part[0])


def _marking(net: Net, text: str) -> Marking:
    """Return the final marking that a text spells; places that it does not name are empty."""
    tokens = dict.fromkeys(net.places, 0)
    for place, count in _FINAL.read(net, text).items():
        if len(place.tokens.variables) != 1 and count:
            raise QueryError(
                f"{printable(place.name)} has tokens of several colours; name one of them"
            )
        tokens |= dict.fromkeys(place.tokens.variables, count)
    return tuple(tokens.values())


@dataclass(frozen=True, slots=True)
class SoundnessState:
    """The state of the conditions, as far as it is proved.

    Attributes:
        completes: whether there is the option to complete; of easy and relaxed soundness, whether
            a final marking can be reached.
        stuck: tokens in a reachable marking from which no final one can be reached, if any.
        proper: whether completion is proper; true where that is no condition.
        surplus: tokens in a reachable marking with more of them than a final one, if any.
        dead: the transitions that never fire, of those that are a condition.
        excluded: those that fire on no way to a final marking, where that is a condition.
        unsettled: transitions of which either is open.
    """

    completes: bool | None
    stuck: Mapping[str, int] | None
    proper: bool | None
    surplus: Mapping[str, int] | None
    dead: list[str]
    excluded: list[str]
    unsettled: list[str]

    @classmethod
    def of(cls, net: Net, soundness: Soundness, claims: Sequence[Claim]) -> SoundnessState:
        """Return the state that the claims prove."""
        happens, never = soundness.firing.decided(claims)
        names = [event.name for event in soundness.firing.members]
        dead = [name for name in names if name in never]
        unsettled = [name for name in names if name not in happens and name not in never]
        if soundness.grade in ("easy", "relaxed"):
            answer, excluded = deciding(soundness.final, claims), list[str]()
            completes = None if answer is None else isinstance(answer, Reached)
            stuck = tokens_known(net, net.initial) if completes is False else None
            if soundness.grade == "relaxed":
                taking, never = participation.participants(net, soundness.final, claims)
                excluded = [name for name in net.actions if name in never]
                unsettled = [name for name in net.actions if name not in taking | never]
            return cls(completes, stuck, True, None, dead, excluded, unsettled)
        completion = home_spaces((soundness.final,), claims)
        excess = deciding(soundness.improper, claims)
        return cls(
            True if completion.homes else False if completion.lost else None,
            tokens_known(net, net.after(completion.lost[0].steps)) if completion.lost else None,
            None if excess is None else isinstance(excess, Excluded),
            tokens_known(net, net.after(excess.trace.steps))
            if isinstance(excess, Reached)
            else None,
            dead,
            [],
            unsettled,
        )

    @property
    def holds(self) -> bool | None:
        """Return whether all conditions hold."""
        return False if self.fails else None if self.open else True

    @property
    def fails(self) -> bool:
        """Return whether some condition does not hold."""
        return self.completes is False or self.proper is False or bool(self.dead or self.excluded)

    @property
    def open(self) -> list[str]:
        """The conditions that are open, and the open transitions if no condition fails."""
        conditions = {"option to complete": self.completes, "proper completion": self.proper}
        unproved = [name for name, value in conditions.items() if value is None]
        return unproved if self.fails else [*unproved, *self.unsettled]


def _details(net: Net, state: SoundnessState) -> Iterator[str]:
    if state.stuck is not None:
        yield f"No final marking can be reached from {marking_text(net, state.stuck)}."
    if state.surplus is not None:
        yield f"Tokens are left over when it is completed: {marking_text(net, state.surplus)}."
    dead, excluded = ("Never fire", state.dead), ("On no way to a final marking", state.excluded)
    yield from lines(net.shown.transition, dead, excluded)
    if state.open:
        transitions = net.transition_numbers
        names = [shown_name(net.shown.transition(n)) if n in transitions else n for n in state.open]
        yield f"Not decided: {listed(names, _FEW, str)}."


def _begin(study: Study, soundness: Soundness, state: SoundnessState) -> None:
    """Try quick proofs of the option to complete and of proper completion."""
    if state.completes is None and state.proper is None:
        from petricheck.questions.workflows import completion  # It brings numpy.

        completion.try_quickly(study, soundness.final, soundness.improper)


def _complete(study: Study, soundness: Soundness, state: SoundnessState) -> None:
    """Decide the option to complete, or whether a final marking can be reached."""
    if state.completes is not None:
        return
    if soundness.grade in ("easy", "relaxed"):
        study.decide(soundness.final, study.budget)
        return
    from petricheck.questions.homes.search import decide_homes  # It brings numpy.

    decide_homes(study, [soundness.final])


def _exceed(study: Study, soundness: Soundness, state: SoundnessState) -> None:
    """Decide proper completion."""
    if state.proper is None:
        study.decide(soundness.improper, study.budget)


def _decide_transitions(study: Study, soundness: Soundness, state: SoundnessState) -> None:
    """Decide whether transitions can fire; if relaxed, whether on a way to a final marking."""
    if not state.unsettled:
        return
    if soundness.grade == "relaxed":
        participation.decide_participation(study, soundness.final)
        return
    from petricheck.questions.events import search  # It brings numpy.
    from petricheck.questions.events.settling import Settling

    settling = Settling(study, soundness.firing, decisive=False)
    search.try_quickly(settling)
    search.decide_events(settling)
