"""The question whether every run ends."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.questions.kind import Conclusion, Kind, lines, yes_or_no
from petricheck.questions.kinds._transitions import named_numbers, names
from petricheck.questions.study import Study
from petricheck.questions.termination import ending


class Terminates(Kind):
    """Whether every run ends; or where transitions are named, unless it fires these for ever.

    With names: whether each infinite run fires some of them infinitely often.
    """

    rank = 125
    meaning = "Does every run end, or fire one of these again and again?"
    outcomes = yes_or_no(("terminates",), ("does not terminate",))
    example = "'t1, t2'"
    optional = True
    starts = "linear"

    def read(self, net: Net, text: str) -> frozenset[int]:
        """Return the numbers of the transitions that may fire infinitely often."""
        added = map(net.transition_numbers.__getitem__, net.added)
        return named_numbers(net, text).union(added)

    def names(self, net: Net) -> tuple[str, ...]:
        """Return the transitions of the file, those of the model first."""
        return names(net)

    def search(self, study: Study, contents: Sequence[frozenset[int]]) -> None:
        """Decide one question after the other."""
        from petricheck.questions.termination.search import decide_termination  # It brings numpy.

        for number, exempt in enumerate(contents):
            inner = study.within(study.budget.part(len(contents) - number))
            with study.budget.tolerate_overruns():
                decide_termination(inner, exempt)

    def conclude(self, net: Net, content: frozenset[int], claims: Sequence[Claim]) -> Conclusion:
        """Return whether runs end, with the transitions of a loop, or the dead ones that matter."""
        result = ending(net, content, claims)
        details = tuple(lines(net.shown.transition, ("Never fire", result.dead)))
        facts = {"holds": result.value, "loop": [*result.loop], "dead": [*result.dead]}
        return Conclusion(self.outcomes, result.value, details, facts)
