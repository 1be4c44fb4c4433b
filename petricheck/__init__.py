"""petricheck decides reachability in Petri nets, and proves its answer.

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

What `__all__` lists is the public interface, and what those of its modules list in theirs; all
other modules and names are internal, and may change. Nets, questions, answers and findings print as
text, and notebooks show them with their formulas, markings and pictures.
"""

import os as _os
import signal as _signal
import sys as _sys
from collections.abc import Mapping as _Mapping
from collections.abc import Sequence as _Sequence
from json import dumps as _dumps
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import cast as _cast

# The command, and nobody else, ends without a traceback where it is interrupted before there is a
# supervisor. While `python -m petricheck` imports this package, "-m" is the program's name; so it
# is while `python -m` imports the package of somebody's program.
_module = " ".join(_sys.orig_argv).partition(" -m ")[2].split(" ")[0]
_program = _os.path.basename(_sys.argv[0]) if _sys.argv else ""
_may_end = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
if (_module if _program == "-m" else _program) == "petricheck" and _may_end:
    _signal.signal(_signal.SIGINT, lambda *_: _os._exit(130))

from petricheck.arithmetic.formulas.formulas import (
    Negation,
    at_least,
    at_most,
    congruent,
    conjunction,
    different,
    disjunction,
    equal,
    negate,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.evidence.answer import Reachable, Trace, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.ranking import RankingFunction
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import (
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    InfiniteRun,
    Pumped,
    ReachabilitySet,
    Reached,
    Stage,
    Terminating,
)
from petricheck.formats.nets import given_net as _given_net
from petricheck.formats.nets import read_net as _read_net
from petricheck.model.net import Net, Transition
from petricheck.model.net import make_net as _make_net
from petricheck.model.problem import Problem
from petricheck.model.problem import make_problem as _make_problem
from petricheck.questions import Finding, Question, ask, check, check_all
from petricheck.questions.question import plain as _plain
from petricheck.support.arguments import require_type as _require_type
from petricheck.support.budget import Budget
from petricheck.support.budget import require_budget as _require_budget
from petricheck.support.errors import InputError as _InputError
from petricheck.support.errors import PetricheckError
from petricheck.support.version import __version__

if _TYPE_CHECKING:
    from collections.abc import Sequence as _Sequence
    from typing import IO as _IO

    from petricheck import coloured, interop, prover
    from petricheck.arithmetic.formulas.formulas import Formula
    from petricheck.formats.libraries.libraries import AnyNet, Pm4pyMarking
    from petricheck.model.coloured.net import ColouredNet
    from petricheck.model.guarded.naming import NamedArcs
    from petricheck.reports.overview import Overview

_MODULES = ("coloured", "interop", "prover")
"""Public modules that are imported on first use, since their import is slow."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'petricheck' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"petricheck.{name}")


def load(
    source: "str | _os.PathLike[str] | bytes | _IO[bytes] | _IO[str] | AnyNet",
    initial: "Pm4pyMarking | None" = None,
    final: "Pm4pyMarking | None" = None,
    *,
    net: str | None = None,
    format: str | None = None,
) -> Net:
    """Return the net in a file, or the net of another library.

    A coloured net is unfolded; `net.origin.coloured` is the coloured net.

    Args:
        source: a path; or bytes, or an open file of bytes or text; or a net of SNAKES; or one of
            pm4py, whose markings follow or stand with it in a tuple, as its discovery returns them;
            or a coloured net.
        initial: the initial marking of a net of pm4py.
        final: its final marking, if it has one.
        net: the id of one of several nets in a file.
        format: the name of its format, such as "tina"; without, its ending and its content say
            which it is.

    Raises:
        InputError: it is refused; the message says where and why.
        QueryError: there is no such format.
        BudgetExhausted: the unfolding is too large.
    """
    _require_type(net, str | None, "net= is the id of a net")
    _require_type(format, str | None, "format= is the name of a format")
    if isinstance(source, str | _os.PathLike):
        loaded = _read_net(_os.fspath(source), net, format).net
    elif isinstance(source, bytes | bytearray | memoryview) or hasattr(source, "read"):
        loaded = _given_net(_cast("_IO[bytes]", source), net, format).net
    elif net is not None or format is not None:
        raise _InputError("net= and format= are about files, and this is none; leave them out")
    else:
        from petricheck.formats.libraries.libraries import net_of  # numpy takes its time

        return net_of(source, initial, final)
    if initial is not None or final is not None:
        raise _InputError("markings are given with a net of pm4py alone; a file has its own")
    return loaded


def make_net(
    name: str,
    initial: _Mapping[str, int],
    transitions: _Mapping[str, tuple[_Mapping[str, int], _Mapping[str, int]]],
    finals: _Sequence[_Mapping[str, int]] = (),
    *,
    inhibitors: "NamedArcs | None" = None,
    reads: "NamedArcs | None" = None,
    resets: _Mapping[str, _Sequence[str]] | None = None,
    capacities: _Mapping[str, int] | None = None,
) -> Net:
    """Return a net from plain dictionaries.

        make_net("lock", {"free": 1, "held": 0}, {"take": ({"free": 1}, {"held": 1})})

    With inhibitor arcs, resets or capacities it has complement places, which questions need not
    name; `net.origin.guarded` is the net without these.

    Args:
        name: the net's id.
        initial: tokens by place; its keys are the places, in order.
        transitions: by transition the weights by place of what it takes, and of what it puts.
        finals: final markings, tokens by place; places that one does not name are empty there.
        inhibitors: by transition the weights by place; it fires where each has fewer tokens.
        reads: by transition the weights by place; it fires where each has as many tokens.
        resets: by transition the places that it empties, before it puts.
        capacities: by place the most tokens that a firing may leave there.

    Raises:
        InputError: an unknown place is named, a number is no whole number or out of range, or
            something is of another shape.
    """
    net = _make_net(name, initial, transitions, finals)
    if all(guards is None for guards in (inhibitors, reads, resets, capacities)):
        return net
    from petricheck.model.guarded.naming import with_guards

    return _plain(with_guards(net, inhibitors or {}, reads or {}, resets or {}, capacities or {}))


def make_problem(net: "AnyNet", target: "Formula") -> Problem:
    """Return the question whether a marking that satisfies the formula can be reached.

    Args:
        net: the net, of any type that `ask` accepts.
        target: a formula over its place ids.

    Raises:
        InputError: the target names something that is not a place, or `net` is not a net.
    """
    return _make_problem(_plain(net), target)


def unfold(net: "ColouredNet", budget: Budget | None = None) -> Net:
    """Return the place/transition net of a coloured net; questions are about that one.

    Args:
        net: a `petricheck.model.coloured.net.ColouredNet`.
        budget: limits; the default has none.

    Raises:
        InputError: something in the net is of a wrong sort, or an arc subtracts more than there is.
        BudgetExhausted: it is too large.
    """
    from petricheck.model.coloured.net import ColouredNet
    from petricheck.model.coloured.unfolding import unfold  # numpy takes its time
    from petricheck.model.coloured.well_sorted import check_sorts

    _require_type(net, ColouredNet, "what is unfolded is a ColouredNet")
    _require_budget(budget)
    check_sorts(net)
    return unfold(net, budget or Budget())


def replay(
    net: "AnyNet",
    sequence: "str | Trace | _Sequence[str | tuple[str, int]]",
    budget: Budget | None = None,
) -> Finding:
    """Return whether a firing sequence can fire, with the marking after it or what is missing.

    Args:
        net: the net, as `ask` takes it.
        sequence: words as on the command line; or a trace; or ids of transitions, each maybe in a
            pair with how often it fires in a row.
        budget: limits; none by default.

    Raises:
        QueryError: it is no sequence of firings of the net.
        InputError: the net is none, or an argument is of a wrong type.
    """
    if not isinstance(sequence, str):
        _require_type(sequence, Trace | list | tuple, "a sequence is a text, a trace or a list")
        steps = sequence.steps if isinstance(sequence, Trace) else sequence
        try:
            sequence = _dumps([*steps])
        except (TypeError, ValueError) as error:
            raise _InputError(f"a sequence is made of ids and numbers: {error}") from None
    return check(ask(net, replay=sequence), budget=budget)


def overview(net: "AnyNet", budget: Budget | None = None) -> "Overview":
    """Return what is known of a net: its properties, invariants, siphons, traps, matrix.

    Args:
        net: the net, as `ask` takes it.
        budget: limits on all together; by default ten seconds. What is not known by then is None.

    Raises:
        InternalError: evidence failed the audit.
    """
    from petricheck.reports.overview import overview  # numpy takes its time

    _require_budget(budget)
    return overview(net, budget)


__all__ = [
    "Budget",
    "Certificate",
    "Excluded",
    "ExcludedAfter",
    "ExcludedWith",
    "Finding",
    "Home",
    "InfiniteRun",
    "MarkingTable",
    "Negation",
    "Net",
    "PetricheckError",
    "Problem",
    "Pumped",
    "Question",
    "RankedTable",
    "RankingFunction",
    "ReachabilitySet",
    "Reachable",
    "Reached",
    "Stage",
    "StateEquationCertificate",
    "Term",
    "Terminating",
    "Trace",
    "Transition",
    "Unknown",
    "Unreachable",
    "__version__",
    "ask",
    "at_least",
    "at_most",
    "audit",
    "check",
    "check_all",
    "coloured",
    "congruent",
    "conjunction",
    "constant",
    "different",
    "disjunction",
    "equal",
    "interop",
    "load",
    "make_net",
    "make_problem",
    "negate",
    "overview",
    "prover",
    "replay",
    "to_text",
    "unfold",
    "variable",
]
