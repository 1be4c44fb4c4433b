"""Words that reverse every transition, by counterexamples.

After a transition has fired, a word must lead back to the marking before. For a marking where no
word so far does, the search looks for another one (`covering`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.homes.reversal import irreversible
from petricheck.evidence.audit.sequences import FiringWord, word_of
from petricheck.evidence.certificates.reversal import ReversingWords
from petricheck.evidence.claims import Home
from petricheck.model.net import Marking, Net
from petricheck.questions.homes import home_marking
from petricheck.questions.homes.covering import cover, leading
from petricheck.questions.homes.onward import lead_on
from petricheck.support.budget import Budget

_SECONDS = 2.0
"""Limit on the search for a word."""


def home_claims(net: Net, formulas: Sequence[Formula], budget: Budget) -> Iterator[Home]:
    """Yield claims of home spaces, from the proof that the initial marking is a home marking."""
    search = _WordSearch(net, budget)
    certificate = cover(net, search.irreversible, search.extend, budget)
    if certificate is not None:
        proof = ReversingWords(tuple(search.traces()), certificate)
        yield from lead_on(net, formulas, proof, budget)


class _WordSearch:
    """Words that reverse each transition."""

    def __init__(self, net: Net, budget: Budget) -> None:
        self._net, self._budget = net, budget
        self._words: dict[str, list[tuple[Trace, FiringWord]]] = {
            t.name: [] for t in net.transitions
        }
        for transition in net.transitions:
            undone = tuple((place, -change) for place, change in transition.effect)
            if not undone:
                self._add(transition.name, Trace(()))
            for other in net.transitions:
                if undone and other.effect == undone:
                    self._add(transition.name, Trace(((other.name, 1),)))

    def traces(self) -> Iterator[tuple[str, tuple[Trace, ...]]]:
        """Yield the words by transition."""
        return ((name, tuple(t for t, _ in words)) for name, words in self._words.items())

    def irreversible(self) -> Formula:
        """Return the formula of markings after some transition where none of its words fires."""
        return irreversible(self._net, {name: self._of(name) for name in self._words})

    def extend(self, marking: Marking) -> bool:
        """Find a word for each transition that may have led here and that no word reverses."""
        extended = False
        for transition in self._net.transitions:
            is_covered = all(marking[place] >= weight for place, weight in transition.post)
            if not is_covered or any(word.fires(marking) for word in self._of(transition.name)):
                continue
            before = home_marking(self._net, transition.fire(marking, -1))
            trace = leading(self._net, marking, before, self._budget.within(_SECONDS))
            self._budget.check()
            if trace is None:
                return False
            self._add(transition.name, trace)
            extended = True
        return extended

    def _of(self, name: str) -> list[FiringWord]:
        return [word for _, word in self._words[name]]

    def _add(self, name: str, trace: Trace) -> None:
        self._words[name].append((trace, word_of(self._net, trace, self._budget)))
