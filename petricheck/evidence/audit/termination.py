"""The check that runs end, unless they fire some named transitions again and again.

Let y ≥ 0, and let each other transition t have y·δ_t ≤ 0. (1) Without a table, y·δ_t ≤ −1. (2) With
a table, the initial marking is in a row, and every firing in a row, also of a named transition,
leads to a row (`rows`). So by induction each reachable marking m is in a row, of a rank r(m). Every
firing of a transition with y·δ_t = 0 in a row leads to a row of a lower rank (`ranks`).

In an infinite run that fires named transitions finitely often only, consider what comes after the
last of them. All its markings are reachable, and each firing lowers the pair (y·m, r(m)), where the
first number counts before the second; (1) lowers it in the first number alone. The numbers are
natural, so no such pair can be lowered for ever. Hence there is no such run.

A row stands for all markings that agree with it on the places of the table, or that are counted in
it (`shapes.finite_set`): so more firings are checked than the net has, and never fewer.

The sum does not depend on the initial marking, so without a table several may be given.

A skeleton, or a net without bounds, fires whatever the net fires that it stands for: where its runs
end, so do those of that net.
"""

from __future__ import annotations

from petricheck.evidence.audit.limits import natural_weights
from petricheck.evidence.audit.shapes.finite_set import check_layout
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.ranking import RankingFunction
from petricheck.evidence.claims import Terminating
from petricheck.model.net import Net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError

_TABLE = RankedTable, type(None)


def check(net: Net, claim: Terminating, budget: Budget) -> str:
    """Check that the ranking is lowered by each transition that the claim does not name."""
    named, ranking = set(claim.transitions), claim.proof
    if not isinstance(ranking, RankingFunction) or not isinstance(ranking.table, _TABLE):
        raise EvidenceError("that runs end is shown by a ranking alone")
    if not named <= set(net.actions):
        raise EvidenceError("a transition that may fire again and again is none of the net")
    if ranking.table is not None and net.initials is not None:
        raise EvidenceError("a table with ranks is about one initial marking")
    natural_weights(net, ranking.weights)
    level = []
    for transition, change in watched(
        zip(net.transitions, ranking.changes(net), strict=True), budget
    ):
        if transition.name in named or change < 0:
            continue
        if change > 0 or ranking.table is None:
            raise EvidenceError(f"transition {transition.name!r} does not lower the sum")
        level.append(transition)
    if ranking.table is None:
        return "checked in exact integer arithmetic"
    # numpy is slow to import.
    from petricheck.evidence.audit.tables.ranks import check_lowering
    from petricheck.evidence.audit.tables.rows import check_closed

    check_layout(net, ranking.table.table)
    check_closed(net, ranking.table.table, budget)
    check_lowering(net, ranking.table, level, budget)
    return "checked marking by marking"
