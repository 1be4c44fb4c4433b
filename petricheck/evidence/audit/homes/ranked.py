"""Home spaces by a table of markings with ranks.

(1) The initial marking is a row, and every firing in a row leads to a row. By induction all
reachable markings are rows. (2) From each row of a rank above 0 its transition leads to a row of a
lower rank. (3) The rows of rank 0 satisfy the formula. By (2) and induction on the rank a firing
sequence leads from every row to one of rank 0. All three are checked by look-ups, without a solver.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import FALSE, Formula
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.shapes.finite_set import check_layout
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


class Ranked:
    """Rows that are closed under firing, from each of which one in the formulas can be reached."""

    of = RankedTable

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: RankedTable,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check (1) to (3) for all rows."""
        # numpy is slow to import.
        from petricheck.evidence.audit.tables.ranks import check_forwards, check_lowest
        from petricheck.evidence.audit.tables.rows import check_rows

        check_layout(net, proof.table)
        check_forwards(net, proof, budget)
        for formula in formulas:
            check_lowest(proof, checked("a home space", net, formula, budget), budget)
        check_rows(Problem(net, FALSE), proof.table, budget)
        return "checked marking by marking"
