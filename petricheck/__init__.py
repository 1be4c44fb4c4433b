"""petricheck decides reachability in place/transition Petri nets, and proves its answer.

Glossary. A *net* has places, transitions, weighted arcs and an initial *marking* m0 ∈ ℕ^P. A
*transition* t has pre u_t, post v_t and effect δ_t = v_t − u_t; as it occurs in a path it is an
*action*. A *target* is a Presburger formula over places. A *trace* is a firing sequence; a
*certificate* is an inductive invariant that excludes the target; both are *evidence*, and the
*audit* checks evidence from the net alone. A *path* of the abstract graph is feasible or
*spurious*; an *interpolant* refutes a spurious one, and its atoms become *predicates*. An
*interpolation abstraction* lets interpolants speak in *template* terms only.

    net = petricheck.load("net.pnml")
    question = petricheck.ask(net, cover={"p4": 1, "p5": 1})
    match petricheck.check(question).answer:
        case Reachable(trace): ...
        case Unreachable(certificate): ...
        case Unknown(reason): ...

Other questions have a value, which follows from several claims, each with its evidence:

    petricheck.check(petricheck.ask(net, bound="p4 + p5")).value

What `__all__` lists is the public interface; all other modules and names are internal, and may
change. Nets, questions, answers and findings print as text, and notebooks show them with their
formulas, markings and pictures.
"""

__version__ = "0.1.0"  # first, since modules imported below ask for it

import os as _os
import signal as _signal
import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING

# The command, unlike a program that imports this, ends without a traceback where it is interrupted
# before there is a supervisor. While `python -m` imports a package, "-m" is the program's name.
_program = _os.path.basename(_sys.argv[0]) if _sys.argv else ""
_may_end = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
if _program in ("petricheck", "-m") and _may_end:
    _signal.signal(_signal.SIGINT, lambda *_: _os._exit(130))

from petricheck.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.claims import Excluded, Pumped, Reached, Stage
from petricheck.errors import PetricheckError
from petricheck.evidence.finite_set import MarkingTable
from petricheck.evidence.invariant import Certificate
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.formats import read_net as _read_net
from petricheck.problem import Net, Problem, Transition, make_net, make_problem
from petricheck.questions import Finding, Question, ask, check, check_all

if _TYPE_CHECKING:
    from petricheck.coloured.net import ColouredNet


def load(path: str) -> Net:
    """The net in a file; InputError, which says where and why, if it is refused.

    A coloured net comes unfolded; `net.origin.coloured` is what it was.
    """
    return _read_net(path).net


def unfold(net: "ColouredNet", budget: Budget | None = None) -> Net:
    """The place/transition net of a coloured one, which questions are asked about.

    Args:
        net: a `petricheck.coloured.net.ColouredNet`.
        budget: limits; the default has none.

    Raises:
        InputError: something in the net is of a wrong sort, or an arc subtracts more than there is.
        BudgetExhausted: it is too large.
    """
    from petricheck.coloured.unfolding import unfold  # numpy takes its time
    from petricheck.coloured.well_sorted import check_sorts

    check_sorts(net)
    return unfold(net, budget or Budget())


__all__ = [
    "Budget",
    "Certificate",
    "Excluded",
    "Finding",
    "MarkingTable",
    "Net",
    "PetricheckError",
    "Problem",
    "Pumped",
    "Question",
    "Reachable",
    "Reached",
    "Stage",
    "StateEquationCertificate",
    "Trace",
    "Transition",
    "Unknown",
    "Unreachable",
    "__version__",
    "ask",
    "audit",
    "check",
    "check_all",
    "load",
    "make_net",
    "make_problem",
    "unfold",
]
