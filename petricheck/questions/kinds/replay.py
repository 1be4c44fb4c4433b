"""The question whether a firing sequence can fire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from petricheck.arithmetic.formulas.formulas import TRUE
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.evidence.answer import Trace, step_text
from petricheck.evidence.claims import Claim, Reached, reached
from petricheck.model.net import Net
from petricheck.questions.deciding import alike, tokens_known
from petricheck.questions.kind import Conclusion, Kind, yes_or_no
from petricheck.questions.kinds._transitions import names
from petricheck.questions.study import Study
from petricheck.support.errors import QueryError
from petricheck.support.words import counted, listed, number_text

_FEW = 5
"""Places that lack tokens and are listed."""


class Replay(Kind):
    """Whether a firing sequence can fire, and otherwise how far: 't1 t2^3 t4'.

    Names are ids or unique human names, those of coloured nets with a binding: 't(x=a)'. It may
    also be a trace in JSON, as answers and evidence have it, or one of TAPAAL or Tina.
    """

    rank = 55
    meaning = "Can this sequence fire?"
    outcomes = yes_or_no(("fires",), ("does not fire",))
    example = "'t1 t2^3 t4'"

    def read(self, net: Net, text: str) -> Trace:
        """Return the sequence; QueryError also where it has a firing that the net does not have."""
        from petricheck.formats.traces import read_trace
        from petricheck.questions.replaying import require_firings  # It brings numpy.

        if net.origin is not None and net.origin.merging is not None:
            raise QueryError("a sequence names single colours, and here they are merged")
        trace = read_trace(net, text)
        require_firings(net, trace)
        return trace

    def names(self, net: Net) -> tuple[str, ...]:
        """Return the transitions of the file, those of the model first."""
        return names(net)

    def search(self, study: Study, contents: Sequence[Trace]) -> None:
        """Fire the sequences as far as they can."""
        from petricheck.questions.replaying import disabled, longest_beginning

        for given in contents:
            trace = longest_beginning(study.net, given, study.budget)
            end = _end(given, trace)
            says = TRUE if end is None else disabled(study.net, given.steps[end][0])
            study.prove(reached(says, trace), lifting=False)

    def conclude(self, net: Net, content: Trace, claims: Sequence[Claim]) -> Conclusion:
        """Return that it fires, with the last marking; or how far, and what is missing then."""
        value, facts = None, dict.fromkeys(("marking", "step", "transition", "times", "missing"))
        for claim in claims:
            match claim:
                case Reached(trace, stops) if trace == content:
                    value = True
                    facts |= {"marking": tokens_known(net, net.after(trace.steps))}
                case Reached(trace, stops) if (end := _end(content, trace)) is not None:
                    from petricheck.questions.replaying import disabled

                    name, _ = content.steps[end]
                    says, last = disabled(net, name), len(trace.steps)
                    if any(after == last and alike(formula, says) for after, formula in stops):
                        value, facts = False, facts | _failure(net, trace, end, name)
        details = tuple(_details(net, content, facts)) if value is False else ()
        return Conclusion(self.outcomes, value, details, facts)


def _end(given: Trace, trace: Trace) -> int | None:
    """Return the number, from 0, of the step that a beginning of a sequence has not fired in full.

    None where it has fired all steps, or is no beginning.
    """
    number = len(trace.steps)
    if trace.steps == given.steps[:number]:
        return number if number < len(given.steps) else None
    *whole, (name, times) = trace.steps
    if tuple(whole) != given.steps[: number - 1] or number > len(given.steps):
        return None
    meant, most = given.steps[number - 1]
    return number - 1 if name == meant and times < most else None


def _failure(net: Net, trace: Trace, end: int, name: str) -> dict[str, Any]:
    from petricheck.questions.replaying import shortages

    return {
        "marking": tokens_known(net, net.after(trace.steps)),
        "step": end + 1,
        "transition": name,
        "times": trace.steps[end][1] if end < len(trace.steps) else 0,
        "missing": [asdict(shortage) for shortage in shortages(net, trace, name)],
    }


def _details(net: Net, content: Trace, facts: Mapping[str, Any]) -> Iterator[str]:
    step, fired = facts["step"], facts["times"]
    (shown,) = net.shown.steps(content.steps[step - 1 : step])
    ends = f"fires {counted(fired, 'time')}; then" if fired else "is not enabled:"
    lacks = [
        f"{shown_name(net.shown.place(lack['place']))} has {number_text(lack['has'])} "
        + (
            f"of {counted(lack['needs'], 'token')}"
            if lack["most"] is None
            else f"and may have at most {counted(lack['most'], 'token')}"
        )
        for lack in facts["missing"]
    ]
    number = f"Step {step} of {len(content.steps)}"
    yield f"{number}, {step_text(shown)}, {ends} {listed(lacks, _FEW, str)}."
