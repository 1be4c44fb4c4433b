"""The check that a table with ranks has the reachable markings as rows, and no others.

(1) The initial marking is a row, and every firing in a row leads to a row (`rows`). By induction
every reachable marking is a row. (2) Only the initial marking has rank 0, and to every other row a
transition leads from a row of a lower rank (`ranks`). By induction on the rank every row is
reachable. The numbers of markings, firings and tokens in the claim are counted in the rows.
"""

from __future__ import annotations

import numpy as np

from petricheck.evidence.audit.shapes.finite_set import check_layout
from petricheck.evidence.audit.tables.packed import Words, capacity, strings, tokens
from petricheck.evidence.audit.tables.ranks import check_backwards, numbers
from petricheck.evidence.audit.tables.rows import BLOCK, check_closed, firings_of, initial_row
from petricheck.evidence.certificates.finite_set import WORD, MarkingTable
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import ReachabilitySet
from petricheck.model.net import Net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


def check(net: Net, claim: ReachabilitySet, budget: Budget) -> str:
    """Check that the rows are the reachable markings, and that the claim counts them correctly."""
    ranked = claim.certificate
    if not isinstance(ranked, RankedTable):
        raise EvidenceError("a reachability set is shown by a table of markings with ranks alone")
    table = ranked.table
    check_layout(net, table)
    check_backwards(net, ranked, budget)
    if np.flatnonzero(numbers(ranked.ranks) == 0).tolist() != [initial_row(net, table)]:
        raise EvidenceError("another row than that of the initial marking has rank 0")
    changing = check_closed(net, table, budget)
    standing, in_place, in_marking = _counted(net, table, budget)
    counted = (table.count, changing + standing, in_place, in_marking)
    if counted != (claim.markings, claim.firings, claim.in_place, claim.in_marking):
        raise EvidenceError("markings, firings or tokens are counted wrongly")
    return "checked marking by marking"


def _counted(net: Net, table: MarkingTable, budget: Budget) -> tuple[int, int, int]:
    """Return the number of firings without effect, and the most tokens in a place and in a row."""
    rows, fields = strings(table), table.fields
    known = [fields[place] for place in net.known]
    if sum(map(capacity, fields)) >> WORD:
        raise EvidenceError("the tokens of a row may be more than 64 bits hold")
    standing = [
        firing for firing in firings_of(net, table, net.transitions) if not firing.changes_rows
    ]
    firings = in_place = in_marking = 0
    for start in watched(range(0, table.count, BLOCK), budget, 1):
        words = rows.block(start, start + BLOCK)
        firings += sum(len(firing.enabled(words)) for firing in watched(standing, budget))
        total: Words = np.zeros(words.shape[1], dtype=np.uint64)
        for field in watched(known, budget):
            column = tokens(words, field)
            in_place = max(in_place, int(column.max()))
            total += column
        in_marking = max(in_marking, int(total.max()))
    return firings, in_place, in_marking
