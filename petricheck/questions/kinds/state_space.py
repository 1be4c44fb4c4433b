"""The question after the numbers of reachable markings and firings, and the most tokens.

The markings are explored breadth first. An unbounded net has infinitely many; so after the first
ones the search checks whether the net is `bounded`, and then explores the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Claim, Pumped, ReachabilitySet
from petricheck.formats.language.elements import number
from petricheck.model.net import Net
from petricheck.questions.deciding import marking_text
from petricheck.questions.kind import UNBOUNDED, Answers, Conclusion, Kind, kind_of
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, Ending, noting
from petricheck.support.words import counted, number_text

if TYPE_CHECKING:
    from petricheck.explicit.kernel.explore import Exploration

FIRST = 100_000
"""Markings that are explored before that check."""

SECONDS, PART = 30.0, 4
"""The most seconds of that check, and the part of the remaining time (1 / `PART`)."""


_FIRST = re.compile(r"\s*first\s+([0-9]+)\s*:")

LISTED = 20
"""So many markings are listed, where no number is given."""


@dataclass(frozen=True, slots=True)
class MarkingSelection:
    """The reachable markings that satisfy a formula.

    Attributes:
        formula: over places of the net.
        most: how many of them are listed.
    """

    formula: Formula
    most: int


class StateSpace(Kind):
    """The size of the state space: reachable markings, firings between them, and most tokens.

    With words, as of --formula, the reachable markings that satisfy the formula are counted and
    listed: 'deadlock', or 'first 100: p1 = 0', 20 where no number is given.
    """

    rank = 110
    meaning = "How large is the state space: markings, firings, tokens?"
    outcomes = Answers(
        {UNBOUNDED: ("unbounded", "infinite", "not bounded", "+inf")}, unit="marking"
    )
    colours = "all"
    drawn = True

    def read(self, net: Net, text: str) -> MarkingSelection | None:
        """Return the markings that are listed; None for no words."""
        if not text.strip():
            return None
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        most = LISTED
        if first := _FIRST.match(text):
            most = number(first[1], text, first.start(1))
            text = f"{' ' * first.end()}{text[first.end() :]}"
        return MarkingSelection(formula_of(net, text), most)

    def search(self, study: Study, contents: Sequence[MarkingSelection | None]) -> None:
        """Explore all markings, unless a loop shows that there are infinitely many."""
        # It brings numpy.
        from petricheck.explicit.kernel.explore import Exploration

        exploration = Exploration(study.net, (), study.budget.memory_left)
        with noting(lambda: f"with {counted(exploration.size, 'marking')} known by then"):
            _explore(exploration, FIRST, study.budget)
            if not exploration.exhausted:
                _prove_unbounded(study)
            if not study.claims:
                _explore(exploration, inf, study.budget)
                study.prove(_claim(exploration, frozenset(study.net.known)))

    def conclude(
        self, net: Net, content: MarkingSelection | None, claims: Sequence[Claim]
    ) -> Conclusion:
        """Return the number of markings, or that there are infinitely many.

        Of those that satisfy a formula the number is open where there are infinitely many in all.
        """
        conclusion = self._conclude(net, claims)
        return conclusion if content is None else _selected(net, content, conclusion, claims)

    def _conclude(self, net: Net, claims: Sequence[Claim]) -> Conclusion:
        infinite = any(isinstance(claim, Pumped) for claim in claims)
        space = next((claim for claim in claims if isinstance(claim, ReachabilitySet)), None)
        if space is None or infinite:
            none = dict.fromkeys(("markings", "firings", "tokens_in_place", "tokens_in_marking"))
            facts = {"unbounded": infinite, **none}
            return Conclusion(self.outcomes, UNBOUNDED if infinite else None, (), facts)
        colour = " of a colour" if net.is_unfolded else ""
        details = (
            f"They enable {counted(space.firings, 'firing')} in all.",
            f"No place ever holds more than {counted(space.in_place, 'token')}{colour}, "
            f"and all places together no more than {number_text(space.in_marking)}.",
        )
        facts = {
            "unbounded": False,
            "markings": space.markings,
            "firings": space.firings,
            "tokens_in_place": space.in_place,
            "tokens_in_marking": space.in_marking,
        }
        return Conclusion(self.outcomes, space.markings, details, facts)


def _selected(
    net: Net, selection: MarkingSelection, whole: Conclusion, claims: Sequence[Claim]
) -> Conclusion:
    """Return how many markings satisfy the formula, and list the first."""
    facts = {**whole.facts, "satisfying": None, "listed": None}
    space = next((claim for claim in claims if isinstance(claim, ReachabilitySet)), None)
    if space is None or whole.value == UNBOUNDED:
        infinite = ("The net is unbounded: infinitely many markings are reachable.",)
        return Conclusion(whole.answers, None, infinite if whole.value else (), facts)
    from petricheck.evidence.audit.tables.rows import satisfying  # numpy is slow to import.

    assert isinstance(space.certificate, RankedTable)
    table = space.certificate.table
    count, rows = satisfying(table, selection.formula, selection.most, Budget())
    known = [net.places[number] for number in net.known]
    marked = [{place: row[place] for place in known if row[place]} for row in rows]
    verb = "satisfies" if count == 1 else "satisfy"
    colon = ":" if rows else "."
    heading = (
        f"Of {counted(space.markings, 'reachable marking')}, {count} {verb} the formula{colon}"
    )
    more = [f"  … and {count - len(rows)} more"] if rows and count > len(rows) else []
    details = (heading, *(f"  {marking_text(net, tokens)}" for tokens in marked), *more)
    return Conclusion(
        whole.answers, count, details, facts | {"satisfying": count, "listed": marked}
    )


def _explore(exploration: Exploration, markings: float, budget: Budget) -> None:
    """Explore until the exploration has so many markings, or ends."""
    while not exploration.ended and exploration.size < markings:
        budget.check()
        budget.report(f"{counted(exploration.size, 'marking')}, {exploration.closed} expanded")
        exploration.run(min(exploration.pace, FIRST))


def _prove_unbounded(study: Study) -> None:
    """Try to prove that a place is unbounded, within the limits."""
    inner = Study(study.net, study.setting, study.budget.part(PART, SECONDS), brief=True)
    with study.budget.tolerate_overruns():
        kind_of("bounded").search(inner, (None,))
    study.proved += [pair for pair in inner.proved if isinstance(pair[0], Pumped)][:1]


def _claim(exploration: Exploration, places: Set[int]) -> ReachabilitySet:
    """Return the claim that these markings are all, if they are, and fit a file."""
    from petricheck.explicit.kernel.packing import largest

    if exploration.full:
        raise BudgetExhausted("markings fill the memory that they may take", Ending.MEMORY)
    if exploration.overflowed:
        raise BudgetExhausted("some place holds more than 2^40 tokens")
    if (table := exploration.ranked) is None:
        raise BudgetExhausted("all markings are known, but no table of them fits a file")
    most = largest(exploration.bits, exploration.words, places)
    return ReachabilitySet(exploration.size, exploration.firings, *most, table)
