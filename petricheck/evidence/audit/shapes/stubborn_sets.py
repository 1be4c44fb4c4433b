"""Finite sets of markings that only firings leave which do not help to reach the target.

The initial marking is a row, and each row m has a set S(m) of transitions:

1. Each t in S(m) that m enables leads to a row.
2. *Disabled*: each t in S(m) that m does not enable lacks tokens on some place p, m(p) < u_t(p),
   such that all transitions that fill p, δ(p) > 0, are in S(m).
3. *Enabled*: for each t in S(m) that m enables, and each place p with δ_t(p) < 0, all transitions
   that need tokens on p, u(p) > 0, are in S(m).
4. *Target*: the target does not hold in m, and transitions outside of S(m) alone never make it
   hold. None of them lowers c·m where c·m ≤ k is false, or changes c·m modulo q where c·m ≡ r (mod
   q) is. Of a conjunction, one false operand is such; of a disjunction, all are.

Then no row reaches the target. Otherwise let w be the shortest firing sequence that leads from any
row into it, and m this row. By 4, w has a transition of S(m); let t be the first, w = x t y. The
transitions of x are outside of S(m). If m disabled t, by 2 x would not fill the place that lacks
tokens. So m enables t, and m' = m + δ_t is a row by 1. By 3, x needs no place where δ_t is
negative; elsewhere m' has at least as much as m. So m' enables x, and x y leads from m' to where w
leads from m. It is shorter: a contradiction. (Valmari 1991 shows this for deadlocks, Schmidt 1999
for formulas. Since the sequence becomes shorter, no transition is put off for ever.)

The conditions 2 and 3 hold of a union of sets if they hold of each; and 4 of a larger set if it
holds of a smaller one. So the greatest set with 1 to 3 is good if any is, and the audit computes
that (`evidence.audit.tables.stubborn`): it omits transitions that lead to no row, then those for
which 2 or 3 does not hold, until nothing is left to omit. Transitions without an effect do not
count: the shortest sequence has none.

All of this is shown of the net whose places are the columns of the table (`finite_set`). It fires
whatever the net does, and from no row into the target, which is weakened to what columns determine.
"""

from __future__ import annotations

from dataclasses import replace

from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.shapes.finite_set import about_rows, check_layout
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


class StubbornSets:
    """Rows with stubborn sets, none of which reaches the target."""

    of = StubbornTable

    def discharge(
        self, problem: Problem, certificate: StubbornTable, budget: Budget, second_solver: bool
    ) -> str:
        """Check every row."""
        # numpy takes time to import.
        from petricheck.evidence.audit.tables.rows import counting, require_initial_rows
        from petricheck.evidence.audit.tables.stubborn import check_stubborn_sets

        table, net = certificate.table, problem.net
        check_layout(net, table)
        target = checked("the target", net, problem.target, budget)
        require_initial_rows(net, table, budget)
        # What all rows share is not substituted: not all reachable markings are rows.
        columns = Problem(counting(net, table), about_rows(target, table, {}))
        check_stubborn_sets(columns, replace(table, counted=()), budget)
        return "checked marking by marking"
