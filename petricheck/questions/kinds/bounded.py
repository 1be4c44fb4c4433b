"""Whether the number of tokens of each place has a limit.

A place is bounded by a sum y·m with y ≥ 0 that no transition increases: a place invariant, or the
solution of a linear program. For places that no such sum covers, the maximum is searched, or a
proof that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import inf

from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.claims import Claim, Pumped
from petricheck.formats.language.model import places_of
from petricheck.model.net import Net
from petricheck.questions.kind import Conclusion, Kind, lines, yes_or_no
from petricheck.questions.maxima import Sum, SumRange, ranges, undecided
from petricheck.questions.study import IMPOSSIBLE, Study
from petricheck.support.words import counted


class Bounded(Kind):
    """Whether all places are bounded: which are not, and what limits the others."""

    rank = 70
    meaning = "Is the number of tokens of every place limited?"
    outcomes = yes_or_no(("bounded",), ("not bounded", "unbounded"))
    hoped = True
    starts = "linear"

    def search(self, study: Study, contents: Sequence[None]) -> None:
        """Try half-spaces for all places, then the search for maxima and for pumped places."""
        # Not at the top: other questions do not need numpy.
        from petricheck.questions.maxima.half_spaces import limited_places

        net, budget = study.net, study.budget
        if not all(tokens.coefficients for tokens in places_of(net).values()):
            study.prove(IMPOSSIBLE)
        every = (net.place_numbers[place] for ((place, _),) in _open_places(study))
        study.prove_all(limited_places(net, dict.fromkeys(every, inf), budget.part(2)))
        if not _open_places(study):
            return
        from petricheck.questions.maxima.pumping import pumped
        from petricheck.questions.maxima.search import maximise

        if study.brief:
            study.prove_all(islice(pumped(net, _open_places(study), budget.part(2)), 1))
        for _ in () if _decided(study) else maximise(study, _open_places(study)):
            if _decided(study):
                return

    def conclude(self, net: Net, content: None, claims: Sequence[Claim]) -> Conclusion:
        """Return whether all places are bounded, with the limits and the open places."""
        by_sum = ranges(claims)
        by_place = {place: _range(by_sum, tokens) for place, tokens in places_of(net).items()}
        if not claims:  # The audit has not checked the unfolding.
            by_place = dict.fromkeys(by_place, SumRange())
        unbounded = [place for place, of in by_place.items() if of.unbounded]
        undecided_places = [place for place, of in by_place.items() if of.finite is None]
        limits = {place: of.limit for place, of in by_place.items() if of.finite}
        bounded = False if unbounded else None if undecided_places else True
        return Conclusion(
            self.outcomes,
            bounded,
            tuple(_details(net, unbounded, undecided_places, limits)),
            {
                "bounded": bounded,
                "unbounded": unbounded,
                "open": undecided_places,
                "limits": limits,
            },
        )


def _range(by_sum: Mapping[Sum, SumRange], tokens: Term) -> SumRange:
    """Return the range of a place's tokens, from the ranges of its colours."""
    if len(tokens.coefficients) == 1:
        return by_sum[tokens.coefficients]
    colours = [by_sum[(pair,)] for pair in tokens.coefficients]
    limits = [colour.limit for colour in colours if colour.limit is not None]
    limit = sum(limits) if len(limits) == len(colours) else None
    return SumRange(limit=limit, unbounded=any(colour.unbounded for colour in colours))


def _details(
    net: Net,
    unbounded: Sequence[str],
    undecided_places: Sequence[str],
    limits: Mapping[str, int | None],
) -> Iterator[str]:
    yield from lines(net.shown.place, ("Unbounded", unbounded), ("Not decided", undecided_places))
    if limits:
        most = max(limit for limit in limits.values() if limit is not None)
        subject = "No other place" if unbounded or undecided_places else "No place"
        yield f"{subject} ever holds more than {counted(most, 'token')}."


def _decided(study: Study) -> bool:
    """Return whether the verdict suffices and some place is proved unbounded."""
    return study.brief and any(isinstance(claim, Pumped) for claim in study.claims)


def _open_places(study: Study) -> tuple[Sum, ...]:
    """Return the places about which nothing is proved yet."""
    names = (study.net.places[number] for number in study.net.known)
    return undecided((((name, 1),) for name in names), study.claims)
