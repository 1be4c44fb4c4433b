"""Property-directed reachability: frames of clauses, strengthened until two of them agree.

Bradley, SAT-based model checking without unrolling (VMCAI 2011); for nets: Amat, Dal Zilio, Hujsa,
Property directed reachability for generalized Petri nets (TACAS 2022). A clause states that a
marking is outside a polyhedron of half-spaces: bounds of places where the target is upward-closed,
the linear atoms of its cubes otherwise. An obligation is a polyhedron too: all markings from which
a transition leads into the obligation before it. The transition fires any number of times where
these markings are a polyhedron, and once where they are not. So every marking of an obligation
leads into the target; if the initial marking is one, there is a trace.

These are the paper's three ways to generalise a witness, a marking of a solver's model from which a
transition leads into an obligation (`witness`): all markings from which some number of firings of
it does; from which one firing does; or those at or above the witness, which is exact where the
obligation is upward-closed, and the witness alone elsewhere.

Deviation: facts that hold in all reachable markings are in all frames: place
invariants, half-spaces and congruences of the state equation that refute an obligation, and facts
of other engines, as far as they are inductive.

Limits: targets with congruences are declined, and clauses have none. The search need not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import Congruence, Formula, atoms
from petricheck.evidence.answer import Answer, Reachable, Trace, Unknown, Unreachable, measure
from petricheck.laboratory.pdr.certify import certificate
from petricheck.laboratory.pdr.frames import Frames
from petricheck.laboratory.pdr.search import WITNESSES, PdrSearch
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import Ending, noting
from petricheck.support.plugins import option
from petricheck.symbolic.facts.basis import place_invariants
from petricheck.symbolic.facts.inductive import confirm_facts
from petricheck.symbolic.facts.proved import Facts

CONGRUENT = "the target has congruences"


@dataclass(frozen=True)
class Pdr:
    """Strengthen frames by clauses that exclude obligations, until two frames agree."""

    unit = "obligation"
    patience = 8.0
    paper = "Bradley 2011; Amat, Dal Zilio, Hujsa 2022"

    witness: str = option(
        "saturated",
        "what generalises a witness: saturated or transition, all markings before some or one of"
        " its firings; state, those above it",
        WITNESSES,
    )
    invariants: bool = option(True, "use place invariants")
    equation: bool = option(True, "refute obligations by the state equation")

    def unfit(self, problem: Problem) -> str:
        """Return the reason why the engine does not suit a target with congruences; else ""."""
        return CONGRUENT if any(isinstance(a, Congruence) for a in atoms(problem.target)) else ""

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Deepen until two frames agree, or obligations lead to the initial marking."""
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Decide as `solve` does, with those facts in all frames that are inductive."""
        statistics = measure("pdr")
        if reason := self.unfit(problem):
            hint = "another engine may decide it"
            return Unknown(reason, hint, ending=Ending.NOT_APPLICABLE)
        net = problem.net
        equation = Facts(net) if self.equation else None
        candidates = (
            *(() if equation is None else equation.formulas()),
            *(place_invariants(net) if self.invariants else ()),
        )
        with Frames(
            net, (*candidates, *confirm_facts(net, facts, candidates, budget)), budget
        ) as frames:
            search = PdrSearch(problem, frames, self.witness, equation, budget)
            with noting(lambda: f"after {search.obligations} obligations in {frames.last} frames"):
                answer = search.run()
        cost = statistics(search.obligations)
        if isinstance(answer, Trace):
            return Reachable(answer, cost)
        return Unreachable(certificate(problem, answer, budget), cost)
