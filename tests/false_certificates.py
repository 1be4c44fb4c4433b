"""The smallest false proofs: each aims at the rule that its name states.

Of every certificate in `FALSE` the verdict itself is false, so whoever accepts one is unsound; no
trace in it fires, as it stands, into its target. `TRUE` has their neighbours, right by a hair; a
checker ought to accept them without a solver, and `TRUE_BY_SOLVER` with one. Rows are plain values,
good for any checker. Those of `FALSE_IN_MEMORY` cannot be written as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from false_disjunctions import (
    FALSE_RESIDUES,
    FALSE_SUCCESSORS,
    FALSE_WALLS,
    TRUE_RESIDUES,
    TRUE_SUCCESSORS,
    TRUE_WALLS,
)
from false_rows import BORDERS, Row, both, clauses, either, listed, net, p, q, r, wall

from petricheck.answer import Certificate, CoverHints, Hints, StateEquationCertificate, Trace
from petricheck.presburger.formulas import (
    TRUE as ANYTHING,
)
from petricheck.presburger.formulas import (
    Congruence,
    Formula,
    Inequality,
    Negation,
    at_least,
    at_most,
    congruent,
    equal,
)
from petricheck.presburger.terms import Term, constant, variable
from petricheck.problem import Net

Sums = Sequence[Sequence[tuple[int, int]]]

# Traces


def trace(name: str, system: Net, target: Formula, *steps: tuple[str, int]) -> Row:
    return Row(name, system, target, Trace(steps))


FALSE_TRACES = (
    trace("needs its first step enabled", net({"p": 0, "q": 0}, t="p -> q"), ANYTHING, ("t", 1)),
    trace(
        "needs every step enabled where it stands",
        net({"p": 1, "q": 0, "r": 0}, t="p -> q", u="q -> r"),
        at_least(r, 1),
        ("u", 1),
        ("t", 1),
    ),
    trace("needs all tokens", net({"p": 1}, t="2 p -> 2 p"), ANYTHING, ("t", 1)),
    trace(
        "needs tokens on every place",
        net({"p": 1, "q": 0, "r": 0}, t="p + q -> r"),
        ANYTHING,
        ("t", 1),
    ),
    trace(
        "needs tokens on the last place as well",
        net({"p": 0, "q": 1, "r": 0}, t="q + p -> r"),
        ANYTHING,
        ("t", 1),
    ),
    trace("takes what it needs", net({"p": 1}, t="p ->"), at_least(p, 1), ("t", 1)),
    trace("puts what it makes", net({"p": 0}, t="-> 2 p"), equal(p, 1), ("t", 1)),
    trace("counts repeats", net({"p": 0}, t="-> p"), equal(p, 1), ("t", 2)),
    trace("may not repeat nothing", net({"p": 0}, t="-> p"), ANYTHING, ("t", 0)),
    trace("may not repeat nothing where it could", net({"p": 1}, t="p -> p"), ANYTHING, ("t", 0)),
    trace("may not run backwards", net({"p": 2}, t="-> p"), equal(p, 1), ("t", -1)),
    trace("may not overdraw by repeating", net({"p": 1, "q": 0}, t="p -> q"), ANYTHING, ("t", 2)),
    trace(
        "needs the tokens that a repeat returns", net({"p": 3}, t="3 p -> 2 p"), ANYTHING, ("t", 2)
    ),
    trace(
        "needs the tokens before every repeat",
        net({"p": 4, "q": 0}, t="3 p -> p + q"),
        ANYTHING,
        ("t", 2),
    ),
    trace("needs its guard before a gain", net({"p": 1}, t="2 p -> 5 p"), ANYTHING, ("t", 3)),
    trace(
        "needs its guard before a gain on every place",
        net({"p": 1, "q": 1}, t="p + 2 q -> p + 5 q"),
        ANYTHING,
        ("t", 3),
    ),
    trace(
        "needs its guard before a gain on every place, the first as well",
        net({"p": 1, "q": 1}, t="2 p + q -> 5 p + q"),
        ANYTHING,
        ("t", 3),
    ),
    trace("ends in the target", net({"p": 0}, t="-> p"), equal(p, 2), ("t", 1)),
    trace(
        "is judged by its last marking", net({"p": 0}, t="-> p"), equal(p, 1), ("t", 1), ("t", 1)
    ),
    trace(
        "ends where the target wants another residue",
        net({"p": 0}, t="-> 2 p"),
        Negation(congruent(p, 0, 2)),
        ("t", 1),
    ),
    trace(
        "ends in the target where no residue is another one",
        net({"p": 0}, t="-> p"),
        Negation(Congruence(p, 1)),
        ("t", 1),
    ),
    trace("without steps ends where it starts", net({"p": 0}), equal(p, 1)),
    trace("knows the net's transitions only", net({"p": 0}, t="-> p"), ANYTHING, ("u", 1)),
    *(
        trace(f"adds up exactly at {n}", net({"p": n}, t="-> p"), equal(p, n), ("t", 1))
        for n in BORDERS
    ),
    *(
        trace(f"repeats exactly {n} times", net({"p": n}, t="p ->"), ANYTHING, ("t", n + 1))
        for n in BORDERS
    ),
)

TRUE_TRACES = (
    trace("fires its tokens", net({"p": 3}, t="3 p -> 2 p"), equal(p, 2), ("t", 1)),
    trace("repeats to the end", net({"p": 5, "q": 0}, t="3 p -> p + q"), equal(p, 1), ("t", 2)),
    trace("may come to the target", net({"p": 2}, t="2 p -> 5 p"), equal(p, 11), ("t", 3)),
    trace(
        "may end with another residue",
        net({"p": 0}, t="-> p"),
        Negation(congruent(p, 0, 2)),
        ("t", 1),
    ),
    trace("needs no steps", net({"p": 0}), equal(p, 0)),
    *(trace(f"repeats {n} times", net({"p": n}, t="p ->"), equal(p, 0), ("t", n)) for n in BORDERS),
)

# Initiation

START = net({"p": 1})

FALSE_STARTS = (
    Row(
        "a disjunction holds initially",
        START,
        at_least(p, 1),
        listed([at_most(p, 0)], walls=[wall(p, 1)]),
    ),
    Row(
        "all atoms of a disjunct hold initially",
        net({"p": 1, "q": 0}),
        at_least(p, 1),
        listed([at_most(q, 0), at_most(p, 0)], walls=[wall(p, 1)]),
    ),
    Row(
        "a residue holds initially",
        START,
        equal(p, 1),
        listed([congruent(p, 0, 3)], walls=[wall(p, 1, modulus=3)]),
    ),
    Row("no disjunct does not hold initially", START, ANYTHING, listed(after=())),
    Row("a clause holds initially", START, at_least(p, 1), clauses(either(at_most(p, 0)))),
    Row(
        "every clause holds initially",
        net({"p": 1, "q": 0}),
        at_least(p, 1),
        clauses(at_most(q, 0), at_most(p, 0)),
    ),
    Row("an invariant holds initially", START, at_least(p, 1), Certificate(at_most(p, 0))),
)

# Clauses and half-spaces

s, x, y = (variable(name) for name in "sxy")


def guarded(name: str, tokens: dict[str, int], move: str, *parts: Formula, sums: Sums = ()) -> Row:
    """A move that puts a token on `bad`, which only the parts could keep from firing."""
    bad = variable("bad")
    taken, put = move.split("->")
    left = " + ".join(filter(str.strip, (put, "bad")))
    system = net({**tokens, "bad": 0}, t=f"{taken} -> {left}")
    return Row(name, system, at_least(bad, 1), clauses(at_most(bad, 0), *parts, sums=sums))


def kept(name: str, tokens: dict[str, int], move: str, goal: Formula, *parts: Formula) -> Row:
    """Parts that the move is said to keep."""
    return Row(name, net(tokens, t=move), goal, clauses(*parts))


def apart(
    name: str, tokens: dict[str, int], goal: Formula, *parts: Formula, sums: Sums = ()
) -> Row:
    """Parts that are said to miss the target, in a net where nothing moves."""
    return Row(name, net(tokens), goal, clauses(*parts, sums=sums))


FALSE_CLAUSES = (
    kept(
        "what is put on places of half-spaces alone was not there before",
        {"p": 0, "q": 1, "r": 1, "s": 0, "x": 0},
        "r -> p + x",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(p + q + r * 2 + x, 3),
    ),
    apart(
        "a demand may be met by shares of several places",
        {"p": 1, "q": 1},
        at_least(p * 2 + q, 3),
        at_most(p, 1),
        either(at_most(p, 0), at_most(q, 1)),
        at_most(q, 2),
    ),
    kept("a place is bounded", {"p": 0}, "-> p", at_least(p, 1), at_most(p, 0)),
    kept(
        "a place is bounded though another place shrinks",
        {"p": 1, "q": 0},
        "p -> q",
        at_least(q, 1),
        at_most(q, 0),
    ),
    kept("a place has its bound at most", {"p": 2}, "-> p", at_least(p, 3), at_most(p, 2)),
    kept(
        "what was there before is less, not more", {"p": 1}, "-> p", at_least(p, 2), at_most(p, 1)
    ),
    kept("a guard is what is taken", {"p": 1}, "p -> 2 p", at_least(p, 2), at_most(p, 1)),
    kept(
        "a guard is what is taken, in clauses",
        {"p": 1, "q": 1},
        "p + q -> 2 p + q",
        both(at_least(p, 2), at_least(q, 1)),
        either(at_most(p, 1), at_most(q, 0)),
    ),
    kept(
        "a clause forbids its places together",
        {"p": 1, "q": 1},
        "-> p",
        both(at_least(p, 2), at_least(q, 1)),
        either(at_most(p, 1), at_most(q, 0)),
    ),
    kept(
        "a clause is kept where its last place grows",
        {"p": 1, "q": 0},
        "-> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
    ),
    kept(
        "a clause is kept where all of its places grow",
        {"p": 0, "q": 0},
        "-> p + q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
    ),
    kept(
        "a clause is kept where another place grows as well",
        {"p": 1, "q": 0, "r": 0, "s": 0},
        "-> q + r",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(r, 9), at_most(s, 9)),
    ),
    kept(
        "a clause is kept where another place shrinks",
        {"p": 1, "q": 0, "r": 1, "s": 0},
        "r -> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(r, 9), at_most(s, 9)),
    ),
    kept(
        "a clause is not kept by an element that it is not above",
        {"p": 1, "q": 0, "r": 0, "s": 0},
        "-> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(p, 0), at_most(s, 0)),
        either(at_most(r, 0), at_most(s, 0)),
    ),
    kept(
        "an element is below a row on all of its places",
        {"p": 1, "q": 0, "r": 1},
        "r -> q + r",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(p, 0), at_most(r, 1)),
    ),
    kept(
        "an element is below a row with its tokens",
        {"p": 1, "q": 0, "r": 1},
        "r -> q + r",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(p, 1), at_most(r, 0)),
    ),
    kept(
        "the first of several clauses is kept",
        {"p": 0, "q": 0, "r": 0},
        "-> p",
        at_least(p, 1),
        at_most(p, 0),
        at_most(q, 0),
        either(at_most(q, 0), at_most(r, 0)),
    ),
    kept(
        "the last of several clauses is kept",
        {"p": 0, "q": 0, "r": 0},
        "-> p",
        at_least(p, 1),
        either(at_most(q, 0), at_most(r, 0)),
        at_most(q, 0),
        at_most(p, 0),
    ),
    kept(
        "a clause between others is kept",
        {"p": 1, "q": 0, "r": 0, "s": 0},
        "-> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r, 0),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(p, 0), at_most(s, 0)),
        at_most(s, 0),
    ),
    kept(
        "every minimal element of a sum is kept away",
        {"p": 1, "q": 0},
        "-> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p + q, 1)),
    ),
    kept(
        "every minimal element of a weighted sum is kept away",
        {"p": 1, "q": 0},
        "-> q",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(2 * p + 3 * q, 4)),
    ),
    kept(
        "too many minimal elements are not passed over",
        {"p": 10**6, "q": 0, "r": 0},
        "-> q",
        at_least(p + q + r, 10**6 + 1),
        either(at_most(p + q + r, 10**6)),
    ),
    kept("an equality is kept", {"p": 0}, "-> p", at_least(p, 1), equal(p, 0)),
    kept("a residue is kept", {"p": 0}, "-> p", equal(p, 1), congruent(p, 0, 3)),
    kept("a negation is kept", {"p": 0}, "-> p", at_least(p, 1), Negation(at_least(p, 1))),
    kept("a nested conjunction is kept", {"p": 0}, "-> p", at_least(p, 1), both(at_most(p, 0))),
    kept(
        "a clause with an equality is kept",
        {"p": 0},
        "-> p",
        at_least(p, 1),
        either(equal(p, 0)),
    ),
    kept(
        "a clause with a negative coefficient is kept",
        {"p": 0, "q": 0},
        "-> p",
        both(at_least(p, 1), at_most(q, 0)),
        either(at_most(p - q, 0)),
    ),
    kept(
        "a clause with a negative coefficient behind others is kept",
        {"p": 0, "q": 0},
        "-> q",
        both(at_least(q, 1), at_most(p, 0)),
        either(at_most(q - p, 0), at_most(q, 0)),
    ),
    Row(
        "every transition keeps it, the last as well",
        net({"p": 0}, t="->", u="-> p"),
        at_least(p, 1),
        clauses(at_most(p, 0)),
    ),
    Row(
        "every transition keeps it, the first as well",
        net({"p": 0}, t="-> p", u="->"),
        at_least(p, 1),
        clauses(at_most(p, 0)),
    ),
    Row(
        "what is no conjunction is kept",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        Certificate(at_most(p, 0), CoverHints(())),
    ),
    guarded("a guard without reason is not excluded", {"p": 1}, "p -> p"),
    guarded("nothing is not excluded", {}, "->"),
    guarded("a bound that is met does not exclude", {"p": 1}, "p -> p", at_most(p, 1)),
    guarded("a bound on another place does not exclude", {"p": 1, "q": 0}, "p -> p", at_most(q, 0)),
    guarded(
        "a clause that is met does not exclude",
        {"p": 1, "q": 1},
        "p + q -> p + q",
        either(at_most(p, 0), at_most(q, 1)),
    ),
    guarded(
        "a clause does not exclude one of its places",
        {"p": 1, "q": 0},
        "p -> p",
        either(at_most(p, 0), at_most(q, 0)),
    ),
    guarded(
        "a clause does not exclude other places, as many as its own",
        {"p": 1, "q": 0, "r": 1},
        "p + r -> p + r",
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(q, 5), at_most(r, 5)),
    ),
    guarded(
        "a clause of a sum does not exclude some of its places",
        {"p": 0, "q": 1, "r": 1},
        "q + r -> q + r",
        either(at_most(p + q + r, 2)),
    ),
    guarded("what is put does not exclude", {"p": 1}, "p -> 2 p", at_most(p, 1)),
    guarded(
        "a clause that always holds does not exclude",
        {"p": 1},
        "p -> p",
        either(at_most(p, 0), Inequality(constant(0))),
    ),
    guarded("a clause of nothing does not exclude", {"p": 1}, "p -> p", Inequality(constant(0))),
    guarded("a bound of nothing does not exclude", {"p": 1}, "p -> p", Inequality(constant(-1))),
    *(
        kept(f"a bound is exact at {n}", {"p": n}, "-> p", at_least(p, n + 1), at_most(p, n))
        for n in BORDERS
    ),
    *(
        kept(
            f"a clause is exact at {n}",
            {"p": n, "q": 1},
            "-> p",
            both(at_least(p, n + 1), at_least(q, 1)),
            either(at_most(p, n), at_most(q, 0)),
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"a clause is exact where {n} are put",
            {"p": 0, "q": 1},
            f"-> {n} p",
            both(at_least(p, n), at_least(q, 1)),
            either(at_most(p, n - 1), at_most(q, 0)),
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"a clause is exact where {n} are taken",
            {"p": n, "q": 0},
            f"{n} p -> q",
            at_least(q, 1),
            either(at_most(p, 0), at_most(q, 0)),
            at_most(q, 0),
        )
        for n in BORDERS
    ),
)

FALSE_HALF_SPACES = (
    kept(
        "what other places lose does not count",
        {"p": 1, "q": 0, "x": 1},
        "x -> p",
        at_least(p + q, 2),
        at_most(p + q, 1),
    ),
    kept(
        "what is put on other places does not count",
        {"p": 2, "q": 0, "x": 0},
        "2 p -> x",
        at_most(p + q, 1),
        at_least(p + q, 2),
    ),
    kept("what is put counts", {"p": 1, "q": 0}, "-> p", at_least(p + q, 2), at_most(p + q, 1)),
    kept(
        "what is put counts with its weight",
        {"p": 2, "q": 0},
        "p -> q",
        at_least(p + 2 * q, 3),
        at_most(p + 2 * q, 2),
    ),
    kept(
        "what a place with a negative weight loses counts",
        {"p": 1, "q": 1},
        "q ->",
        at_least(p - q, 1),
        at_most(p - q, 0),
    ),
    kept(
        "a bound with a positive weight is not kept by what is put",
        {"p": 1, "q": 0},
        "-> p",
        at_least(p - q, 2),
        at_most(p - q, 1),
    ),
    kept(
        "a bound with a positive weight behind others is not kept by what is put",
        {"p": 0, "q": 1},
        "-> q",
        at_least(q - p, 2),
        at_most(q - p, 1),
    ),
    kept(
        "a trap is marked by what is put",
        {"p": 1, "q": 0},
        "p ->",
        at_most(p + q, 0),
        at_least(p + q, 1),
    ),
    kept(
        "a trap is marked enough by what is put",
        {"p": 2, "q": 0},
        "2 p -> q",
        at_most(p + q, 1),
        at_least(p + q, 2),
    ),
    kept(
        "a trap is marked by what is put with its weight",
        {"p": 2, "q": 0},
        "2 p -> q",
        at_most(2 * p + q, 1),
        at_least(2 * p + q, 2),
    ),
    kept(
        "the last half-space is kept",
        {"p": 1, "q": 0, "r": 1},
        "-> p",
        at_least(p + q, 2),
        at_most(q + r, 1),
        at_most(q - r, 0),
        at_most(p + q, 1),
    ),
    kept(
        "the first half-space is kept",
        {"p": 1, "q": 0, "r": 1},
        "-> p",
        at_least(p + q, 2),
        at_most(p + q, 1),
        at_most(q - r, 0),
        at_most(q + r, 1),
    ),
    kept(
        "a half-space is kept where its last place grows",
        {"p": 1, "q": 0},
        "-> q",
        at_least(p + q, 2),
        at_most(p + q, 1),
    ),
    guarded(
        "a half-space that is met does not exclude", {"p": 1, "q": 0}, "p -> p", at_most(p + q, 1)
    ),
    guarded(
        "a half-space that is met by weights does not exclude",
        {"p": 1, "q": 1},
        "p + q -> p + q",
        at_most(2 * p + q, 3),
    ),
    guarded(
        "a half-space with a negative weight does not exclude",
        {"p": 1, "q": 1},
        "p -> p",
        at_most(p - q, 0),
    ),
    guarded(
        "a half-space with a negative weight in front does not exclude",
        {"p": 1, "q": 1},
        "q -> q",
        at_most(q - p, 0),
    ),
    guarded("a marked trap does not exclude", {"p": 1, "q": 0}, "p -> p", at_least(p + q, 1)),
    guarded(
        "a sum has no negative multiplier",
        {"p": 2, "q": 0},
        "2 p -> 2 p",
        at_least(p + q, 1),
        sums=[[(1, -1)]],
    ),
    guarded(
        "a sum has no negative multiplier behind others",
        {"p": 2, "q": 0},
        "2 p -> 2 p",
        at_most(p + q, 4),
        at_least(p + q, 1),
        sums=[[(1, 1), (2, -2)]],
    ),
    guarded(
        "a sum that is met does not exclude",
        {"p": 1, "q": 0},
        "p -> p",
        at_most(p + q, 1),
        sums=[[(1, 2)], [(1, 1), (1, 1)]],
    ),
    guarded(
        "a sum that cancels out does not exclude",
        {"p": 1, "q": 1},
        "p -> p",
        at_most(p - q, 0),
        at_most(q - p, 0),
        sums=[[(1, 1), (2, 1)]],
    ),
    guarded(
        "a sum counts all of its parts",
        {"p": 2, "q": 1, "r": 0},
        "2 p + q -> 2 p + q",
        at_most(p - q, 1),
        at_most(2 * q + r, 2),
        sums=[[(1, 1), (2, 1)]],
    ),
    guarded(
        "a sum counts multipliers of its parts",
        {"p": 2, "q": 1, "r": 0},
        "2 p -> 2 p",
        at_most(p - q, 1),
        at_most(q + r, 1),
        sums=[[(1, 1), (2, 3)], [(2, 3), (1, 1)]],
    ),
    guarded(
        "a sum names conjuncts only",
        {"p": 1},
        "p -> p",
        sums=[[(9, 1)], [(1, 1)], [(-9, 1)], [(0, 0)]],
    ),
    guarded(
        "a sum names inequalities only",
        {"p": 1, "q": 0},
        "p -> p",
        either(at_most(p, 1), at_most(q, 0)),
        sums=[[(1, 1)]],
    ),
    kept(
        "a half-space that is met keeps no clause",
        {"r": 1, "s": 0, "x": 1},
        "x -> x + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + x, 2),
    ),
    kept(
        "a half-space within the clauses that is met keeps no clause",
        {"r": 1, "s": 0, "x": 1},
        "x -> x + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        either(at_most(r, 8), at_most(x, 8)),
        at_most(r + x, 2),
    ),
    kept(
        "a bound that is met keeps no clause",
        {"p": 1, "q": 1, "r": 0},
        "-> p",
        both(at_least(p, 2), at_least(q, 1)),
        either(at_most(p, 1), at_most(q, 0)),
        at_most(q, 1),
    ),
    kept(
        "a bound that keeps one clause keeps no other",
        {"p": 1, "q": 0, "r": 1},
        "-> q",
        both(at_least(q, 1), at_least(r, 1)),
        either(at_most(p, 1), at_most(q, 0)),
        either(at_most(r, 0), at_most(q, 0)),
        at_most(p, 1),
    ),
    kept(
        "a half-space that keeps one clause keeps no other",
        {"p": 1, "q": 0, "r": 1, "s": 0},
        "-> q",
        both(at_least(q, 1), at_least(r, 1)),
        either(at_most(p, 0), at_most(s, 0), at_most(q, 0)),
        either(at_most(r, 0), at_most(q, 0)),
        at_most(p + s, 1),
    ),
    kept(
        "a half-space does not count what is taken from other places",
        {"r": 1, "s": 0, "x": 1, "y": 1},
        "x + y -> x + y + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + x, 2),
    ),
    kept(
        "tokens outside the clauses are those that are taken",
        {"r": 1, "s": 0, "x": 1, "y": 0},
        "x -> y + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + x + y, 2),
    ),
    *(
        kept(
            f"a half-space is exact at {n}",
            {"p": n, "q": 0},
            "-> p",
            at_least(p + q, n + 1),
            at_most(p + q, n),
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"a marked trap is exact at {n}",
            {"p": n, "q": 0},
            "p ->",
            at_most(p + q, n - 1),
            at_least(p + q, n),
        )
        for n in BORDERS
    ),
    *(
        guarded(
            f"a half-space excludes exactly at {n}",
            {"p": n, "q": 1},
            f"{n} p + q -> {n} p + q",
            at_most(n * p + q, n * n + 1),
            sums=[[(1, n)]],
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"a half-space with {n} keeps no clause",
            {"r": 1, "s": 0, "x": 1},
            "x -> x + s",
            both(at_least(r, 1), at_least(s, 1)),
            either(at_most(r, 0), at_most(s, 0)),
            at_most(n * r + n * x, 2 * n),
        )
        for n in BORDERS
    ),
)

FALSE_COVERS = (
    apart("a bound that is met misses nothing", {"p": 1}, at_least(p, 1), at_most(p, 1)),
    apart(
        "a bound on another place misses nothing", {"p": 1, "q": 0}, at_least(p, 1), at_most(q, 0)
    ),
    apart("no conjuncts miss nothing", {"p": 1}, at_least(p, 1)),
    apart("weights are divided exactly", {"p": 2}, at_least(2 * p, 3), at_most(p, 2)),
    apart(
        "weights are divided exactly where nothing is left",
        {"p": 2},
        at_least(2 * p, 4),
        at_most(p, 2),
    ),
    apart(
        "every minimal marking of a sum is missed",
        {"p": 1, "q": 1},
        at_least(p + q, 2),
        at_most(p, 1),
        at_most(q, 1),
    ),
    apart(
        "every minimal marking of a sum is missed, the last as well",
        {"p": 0, "q": 1},
        at_least(p + q, 1),
        at_most(p, 0),
        at_most(q, 1),
    ),
    apart(
        "every minimal marking of a sum is missed, the first as well",
        {"p": 1, "q": 0},
        at_least(p + q, 1),
        at_most(p, 1),
        at_most(q, 0),
    ),
    apart(
        "every minimal marking of a weighted sum is missed",
        {"p": 1, "q": 1},
        at_least(2 * p + 3 * q, 5),
        at_most(p, 2),
        at_most(q, 1),
    ),
    apart(
        "too many minimal markings are not missed",
        {"p": 10**9, "q": 0},
        at_least(p + q, 10**9),
        at_most(p, 10**9),
    ),
    apart(
        "too many cases are not missed",
        {"p": 2000, "q": 2000, "r": 0},
        at_least(p, 2000),
        at_most(p - q - r, 0),
    ),
    apart(
        "every cube is missed, the last as well",
        {"p": 1},
        either(at_least(p, 5), equal(p, 1)),
        at_most(p, 4),
    ),
    apart(
        "every cube is missed, the first as well",
        {"p": 1},
        either(equal(p, 1), at_least(p, 5)),
        at_most(p, 4),
    ),
    apart("an upper bound of the target demands nothing", {"p": 1}, at_most(p, 5), at_most(p, 3)),
    apart(
        "what is subtracted in the target demands nothing",
        {"p": 1, "q": 0},
        at_least(p, q + 1),
        at_most(p, 1),
        at_most(q, 0),
    ),
    apart("an equality demands its number", {"p": 2}, equal(p, 2), at_most(p, 2)),
    apart(
        "an equality of places demands no more than what is true of some",
        {"p": 2, "q": 2},
        equal(p, q),
        at_most(p, 2),
        at_most(q, 2),
    ),
    apart("a residue of the target demands nothing", {"p": 2}, congruent(p, 2, 3), at_most(p, 2)),
    apart(
        "the negation of a residue demands nothing",
        {"p": 1},
        Negation(congruent(p, 0, 3)),
        at_most(p, 1),
    ),
    apart(
        "a half-space that is met demands nothing",
        {"p": 1, "r": 0},
        at_least(p, 1),
        at_most(p - 2 * r, 1),
        at_most(r, 0),
    ),
    apart(
        "a half-space does not count places that are not demanded",
        {"p": 1, "x": 0, "r": 0},
        at_least(p, 1),
        at_most(p + x - r, 1),
        at_most(r, 0),
    ),
    apart(
        "a half-space demands no more than what is missing",
        {"p": 2, "r": 1},
        at_least(p, 2),
        at_most(p - 2 * r, 0),
        at_most(r, 1),
    ),
    apart(
        "a half-space demands no more than what is missing above its bound",
        {"p": 2, "r": 1},
        at_least(p, 2),
        at_most(p - r, 1),
        at_most(r, 1),
    ),
    apart(
        "a half-space demands it of any of its places, the first as well",
        {"p": 1, "q": 1, "r": 0},
        at_least(p, 1),
        at_most(p - q - r, 0),
        at_most(r, 0),
    ),
    apart(
        "a half-space demands it of any of its places, the last as well",
        {"p": 1, "q": 0, "r": 1},
        at_least(p, 1),
        at_most(p - q - r, 0),
        at_most(q, 0),
    ),
    apart(
        "a half-space counts what is there already",
        {"p": 2, "r": 1},
        both(at_least(p, 2), at_least(r, 1)),
        at_most(p - r, 1),
        at_most(r, 1),
    ),
    apart(
        "a half-space without negative weights demands nothing",
        {"p": 1, "q": 0},
        at_least(p, 1),
        at_most(p + q, 1),
    ),
    apart(
        "a marked trap demands a token on one of its places",
        {"p": 1, "q": 0},
        at_most(q, 0),
        at_least(p + q, 1),
        at_most(q, 0),
    ),
    apart(
        "a marked trap demands a token and no more",
        {"p": 1, "q": 0},
        at_least(p, 1),
        at_least(p + q, 1),
        at_most(q, 0),
        at_most(p, 1),
    ),
    apart("the invariant holds somewhere", {"p": 1}, ANYTHING, at_most(p, 1)),
    *(apart(f"a demand is exact at {n}", {"p": n}, at_least(p, n), at_most(p, n)) for n in BORDERS),
    *(
        apart(
            f"a demand is exact at {n}, in clauses",
            {"p": n, "q": n},
            both(at_least(p, n), at_least(q, n)),
            either(at_most(p, n - 1), at_most(q, n)),
        )
        for n in BORDERS
    ),
    *(
        apart(
            f"a half-space demands exactly at {n}",
            {"p": n, "r": 1},
            at_least(p, n),
            at_most(p - n * r, 0),
            at_most(r, 1),
        )
        for n in BORDERS
    ),
)

TRUE_CLAUSES = (
    guarded("a bound excludes", {"p": 1}, "2 p -> 2 p", at_most(p, 1)),
    guarded("a half-space excludes", {"p": 1, "q": 0}, "p + q -> p + q", at_most(p + q, 1)),
    guarded(
        "a clause excludes",
        {"p": 1, "q": 0},
        "p + q -> p + q",
        either(at_most(p, 0), at_most(q, 0)),
    ),
    guarded(
        "a sum excludes",
        {"p": 1, "q": 1, "r": 0},
        "2 p -> 2 p",
        at_most(p - q, 0),
        at_most(q + r, 1),
        sums=[[(1, 1), (2, 1)]],
    ),
    guarded(
        "a sum with multipliers excludes",
        {"p": 2, "q": 1, "r": 0},
        "3 p -> 3 p",
        at_most(p - 2 * q, 0),
        at_most(q + r, 1),
        sums=[[(1, 1), (2, 2)]],
    ),
    guarded(
        "a sum excludes by its first half-space",
        {"p": 1, "q": 1, "r": 0},
        "2 p -> 2 p",
        at_most(q + r, 1),
        at_most(p - q, 0),
        sums=[[(2, 1), (1, 1)]],
    ),
    Row(
        "the first conjunct may be part of a sum",
        net({"p": 1, "q": 1, "r": 0, "s": 0}, t="2 p -> 2 p + s"),
        at_least(s, 1),
        clauses(at_most(q + r, 1), at_most(p - q, 0), at_most(s, 0), sums=[[(0, 1), (1, 1)]]),
    ),
    guarded("false excludes all", {"p": 0}, "2 p -> 2 p", at_most(p, 1), at_most(p, 0)),
    kept(
        "a clause is kept by another clause",
        {"p": 1, "q": 0, "r": 0},
        "r -> q + r",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        either(at_most(p, 0), at_most(r, 0)),
    ),
    kept(
        "a clause is kept by a bound",
        {"p": 1, "q": 0, "r": 0},
        "p + r -> p + q + r",
        both(at_least(p, 1), at_least(q, 1)),
        either(at_most(p, 0), at_most(q, 0)),
        at_most(r, 0),
    ),
    kept(
        "a clause is kept by a half-space",
        {"r": 1, "s": 0, "x": 0},
        "x -> x + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + x, 1),
    ),
    kept(
        "a clause is kept by a bound on one of its places",
        {"p": 1, "q": 0},
        "-> q",
        both(at_least(p, 2), at_least(q, 1)),
        either(at_most(p, 1), at_most(q, 0)),
        at_most(p, 1),
    ),
    kept(
        "a clause is kept by the first of two half-spaces",
        {"r": 1, "s": 0, "x": 0, "y": 0},
        "x + y -> x + y + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + x, 1),
        at_most(r + 2 * x, 9),
    ),
    kept(
        "a clause is kept by the last of two half-spaces",
        {"r": 1, "s": 0, "x": 0, "y": 0},
        "x + y -> x + y + s",
        both(at_least(r, 1), at_least(s, 1)),
        either(at_most(r, 0), at_most(s, 0)),
        at_most(r + 2 * x, 9),
        at_most(r + x, 1),
    ),
    kept(
        "a trap is kept marked",
        {"p": 1, "q": 0},
        "p -> q",
        at_least(p + q, 5),
        at_least(p + q, 1),
        at_most(p + q, 1),
    ),
    kept(
        "a trap is kept marked by what is put alone",
        {"p": 2, "q": 0, "r": 1},
        "2 p -> q",
        at_least(r, 2),
        at_least(p + q, 1),
        at_most(r, 1),
    ),
    kept(
        "a trap is kept marked by what is put alone, with its weight",
        {"p": 3, "q": 0, "r": 1, "x": 0},
        "3 p -> 2 q + x",
        at_least(r, 2),
        at_least(p + q, 2),
        at_most(r, 1),
    ),
    kept(
        "a half-space is kept by a transition that is excluded",
        {"p": 1, "q": 0, "r": 0},
        "r -> p",
        at_least(p + q, 2),
        at_most(p + q, 1),
        at_most(r, 0),
    ),
    apart(
        "minimal markings are missed",
        {"p": 1, "q": 0},
        at_least(2 * p + 3 * q, 5),
        at_most(p + q, 1),
    ),
    apart(
        "half-spaces demand what is missed",
        {"p": 1, "r": 0},
        at_least(p, 2),
        at_most(p - 2 * r, 1),
        at_most(r, 0),
    ),
    apart(
        "half-spaces demand what is missed, exactly",
        {"p": 2, "r": 1},
        at_least(p, 3),
        at_most(p - 2 * r, 0),
        at_most(r, 1),
    ),
    apart(
        "half-spaces demand what is missed, beside what is there",
        {"p": 0, "r": 0},
        at_least(p, 1),
        at_most(p - r, 0),
        either(at_most(p, 0), at_most(r, 0)),
    ),
    apart("an equality demands its number", {"p": 1}, equal(p, 2), at_most(p, 1)),
    apart("an equality demands both ways", {"p": 1}, equal(-p, -2), at_most(p, 1)),
    *(
        kept(
            f"a clause is kept at {n}",
            {"p": n, "q": 0},
            "p -> p",
            both(at_least(p, n), at_least(q, 1)),
            either(at_most(p, n - 1), at_most(q, 0)),
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"a half-space keeps a clause at {n}",
            {"r": 1, "s": 0, "x": 0},
            "x -> x + s",
            both(at_least(r, 1), at_least(s, 1)),
            either(at_most(r, 0), at_most(s, 0)),
            at_most(n * r + n * x, 2 * n - 1),
        )
        for n in BORDERS
    ),
)

# Formulas without hints, for a solver


def plain(name: str, system: Net, goal: Formula, invariant: Formula) -> Row:
    return Row(name, system, goal, Certificate(invariant))


FALSE_PLAIN = (
    Row(
        "a guard asks for tokens at least, not at most",
        net({"p": 2, "q": 0}, t="p -> p + q"),
        both(at_least(p, 2), at_least(q, 1)),
        Certificate(either(at_most(p, 1), at_most(q, 0))),
    ),
    plain("what is put counts", net({"p": 0}, t="-> p"), at_least(p, 1), at_most(p, 0)),
    plain("what is taken counts", net({"p": 1}, t="p ->"), at_most(p, 0), at_least(p, 1)),
    plain(
        "a guard asks no more than what is taken",
        net({"p": 1, "q": 0}, t="p -> q"),
        at_least(q, 1),
        both(at_most(q, 0), at_most(p, 1)),
    ),
    plain(
        "every transition counts, the last as well",
        net({"p": 0}, t="->", u="-> p"),
        at_least(p, 1),
        at_most(p, 0),
    ),
    plain(
        "every transition counts, the first as well",
        net({"p": 0}, t="-> p", u="->"),
        at_least(p, 1),
        at_most(p, 0),
    ),
    plain("the target is missed", net({"p": 1}), at_least(p, 1), at_most(p, 1)),
    plain("the target is missed by a residue", net({"p": 4}), equal(p, 4), congruent(p, 1, 3)),
    plain("false holds nowhere", net({"p": 1}), ANYTHING, either()),
    plain("a residue is kept", net({"p": 0}, t="-> p"), equal(p, 2), Negation(congruent(p, 2, 3))),
    *(
        plain(
            f"a bound is exact at {n}", net({"p": n}, t="-> p"), at_least(p, n + 1), at_most(p, n)
        )
        for n in BORDERS
    ),
)

# The state equation


def equation(
    name: str,
    system: Net,
    goal: Formula,
    traps: Sequence[Sequence[str]] = (),
    siphon: Sequence[str] = (),
) -> Row:
    certificate = StateEquationCertificate(tuple(map(tuple, traps)), tuple(siphon))
    return Row(name, system, goal, certificate)


a, b = variable("a"), variable("b")

FALSE_EQUATIONS = (
    equation("the start counts", net({"p": 1}), equal(p, 1)),
    equation("what is put counts", net({"p": 0}, t="-> p"), equal(p, 1)),
    equation("what is taken counts", net({"p": 1}, t="p ->"), equal(p, 0)),
    equation("weights count", net({"p": 0}, t="-> 3 p"), equal(p, 3)),
    equation("transitions fire more than once", net({"p": 0}, t="-> p"), equal(p, 2)),
    equation("several transitions fire", net({"p": 0}, t="-> 3 p", u="-> 5 p"), equal(p, 8)),
    equation(
        "several transitions fire, each as often as it likes",
        net({"p": 0}, t="-> 3 p", u="-> 5 p"),
        equal(p, 11),
    ),
    equation("the last transition fires", net({"p": 0}, t="->", u="-> p"), equal(p, 1)),
    equation(
        "a place may have the name of a counter",
        net({"t#0": 0}, t="-> t#0"),
        at_least(variable("t#0"), 1),
    ),
    equation("a trap is marked initially", net({"a": 1, "b": 0}), equal(b, 0), traps=["b"]),
    equation(
        "every trap is marked initially",
        net({"a": 1, "b": 0}),
        equal(b, 0),
        traps=["a", "b"],
    ),
    equation("a trap has places", net({"a": 1}), ANYTHING, traps=[""]),
    equation("a trap is not emptied", net({"a": 1}, t="a ->"), equal(a, 0), traps=["a"]),
    equation(
        "a trap is not emptied onto other places",
        net({"a": 1, "b": 0}, t="a -> b"),
        equal(a, 0),
        traps=["a"],
    ),
    equation(
        "a trap is not emptied by the last transition",
        net({"a": 1, "b": 0}, t="a -> a", u="b + a -> 2 b", v="a -> b"),
        equal(a, 0),
        traps=["a"],
    ),
    equation(
        "a trap is not emptied by the first transition",
        net({"a": 1, "b": 0}, t="a -> b", u="a -> a"),
        equal(a, 0),
        traps=["a"],
    ),
    equation(
        "the last trap is not emptied",
        net({"a": 1, "b": 1}, t="b -> a"),
        equal(b, 0),
        traps=["a", "b"],
    ),
    equation("a trap has one token and no more", net({"a": 1}), equal(a, 1), traps=["a"]),
    equation(
        "a trap has a token on one of its places",
        net({"a": 1, "b": 0}),
        equal(b, 0),
        traps=["ab"],
    ),
    equation("a trap may have more tokens than one", net({"a": 2}), equal(a, 2), traps=["a"]),
    equation(
        "a trap is not emptied by what takes from elsewhere as well",
        net({"a": 1, "b": 1}, t="a + b -> b"),
        equal(a, 0),
        traps=["a"],
    ),
    equation(
        "a trap is not emptied by what takes from elsewhere first",
        net({"a": 1, "b": 1}, t="a + b -> a"),
        equal(b, 0),
        traps=["b"],
    ),
    equation("a trap counts a place once", net({"a": 1}), equal(a, 1), traps=["aa"]),
    equation(
        "a siphon is empty initially", net({"s": 1, "p": 0}, t="s -> p"), equal(p, 1), siphon="s"
    ),
    equation(
        "a siphon is empty initially on all places",
        net({"s": 0, "x": 1, "p": 0}, t="x -> p"),
        equal(p, 1),
        siphon="sx",
    ),
    equation(
        "a siphon is not filled",
        net({"s": 0, "p": 0}, t="s -> p", u="-> s"),
        equal(p, 1),
        siphon="s",
    ),
    equation(
        "a siphon is not filled from other places",
        net({"s": 0, "x": 1, "p": 0}, t="s -> p", u="x -> s"),
        equal(p, 1),
        siphon="s",
    ),
    equation(
        "a siphon is not filled on its last place",
        net({"s": 0, "x": 0, "p": 0}, t="x -> p", u="-> x"),
        equal(p, 1),
        siphon="sx",
    ),
    equation(
        "a siphon is not filled by the first transition",
        net({"s": 0, "p": 0}, t="-> s", u="s -> p"),
        equal(p, 1),
        siphon="s",
    ),
    equation(
        "a transition that takes nothing from the siphon fires",
        net({"s": 0, "p": 1, "q": 0}, t="s -> q", u="p -> q"),
        equal(q, 1),
        siphon="s",
    ),
    equation(
        "a transition empties a trap though another one is blocked",
        net({"s": 0, "a": 1}, t="s + a -> s", u="a ->"),
        equal(a, 0),
        traps=["a"],
        siphon="s",
    ),
    *(
        equation(f"sums are exact at {n}", net({"p": n}, t="-> p"), equal(p, n + 1))
        for n in BORDERS
    ),
)

TRUE_EQUATIONS = (
    Row(
        "hints for a formula of another shape are passed over",
        net({"p": 1}),
        at_least(p, 2),
        Certificate(at_most(p, 1), Hints(((),), (wall(p, 1),))),
    ),
    equation("nothing but the start is there", net({"p": 1}), equal(p, 2)),
    equation("only whole transitions fire", net({"p": 0}, t="-> 2 p"), equal(p, 3)),
    equation("no transition fires backwards", net({"p": 1}, t="-> p"), equal(p, 0)),
    equation("no place has less than nothing", net({"p": 0, "q": 0}, t="q -> p"), equal(p, 1)),
    equation(
        "a marked trap stays marked",
        net({"a": 1, "b": 0, "x": 0}, t="a -> a + x", u="a + x -> b", v="b -> a"),
        both(equal(a, 0), equal(b, 0)),
        traps=["ab"],
    ),
    equation(
        "a blocked transition empties no trap",
        net({"s": 0, "a": 1, "x": 1}, t="s + a -> s", u="x ->"),
        equal(a, 0),
        traps=["a"],
        siphon="s",
    ),
    equation(
        "a blocked transition does not fire",
        net({"s": 0, "p": 0}, t="s -> p"),
        equal(p, 1),
        siphon="s",
    ),
    equation(
        "an empty siphon stays empty",
        net({"s": 0, "x": 0, "p": 0}, t="s -> x", u="x -> s + p", v="->"),
        equal(p, 1),
        siphon="sx",
    ),
)

# Rows that no file holds

TWICE = Term((("p", 2), ("p", -1)), -1)
"""2p − p − 1, a term with a place twice."""

TWICE_BEFORE = Term((("p", 2), ("p", -1), ("q", 1)), -1)
"""2p − p + q − 1, with another place behind it."""

LONG = 2**53 + 1

FALSE_IN_MEMORY = (
    trace("repeats a whole number of times", net({"p": 0}, t="-> 2 p"), equal(p, 1), ("t", 0.5)),
    trace("does not repeat yes", net({"p": 0}, t="-> p"), equal(p, 2), ("t", True)),
    trace(
        "does not repeat a float", net({"p": 0}, t="-> p"), equal(p, LONG - 1), ("t", float(LONG))
    ),
    Row(
        "a place that stands twice in a direction is added up",
        net({"p": 1}, t="-> p"),
        at_least(p, 2),
        listed([Inequality(TWICE)], after=((0,),), walls=[wall(p, 1)]),
    ),
    Row(
        "a place that stands twice in a half-space is added up",
        net({"p": 1}, t="-> p"),
        at_least(p, 2),
        clauses(Inequality(TWICE)),
    ),
    Row(
        "a place that stands twice before another is added up",
        net({"p": 1, "q": 0}, t="-> p"),
        at_least(p, 2),
        clauses(Inequality(TWICE_BEFORE)),
    ),
    Row(
        "a place that stands twice in the first of two half-spaces is added up",
        net({"p": 1, "q": 0}, t="-> p"),
        at_least(p, 2),
        clauses(Inequality(TWICE), at_most(q, 5)),
    ),
    Row(
        "a place that stands twice in the last of two half-spaces is added up",
        net({"p": 1, "q": 0}, t="-> p"),
        at_least(p, 2),
        clauses(at_most(q, 5), Inequality(TWICE)),
    ),
    Row(
        "a place that stands twice in the target is added up",
        net({"p": 2}),
        Inequality(Term((("p", 1), ("p", -2)), 1)),
        clauses(at_most(p, 2)),
    ),
    Row(
        "a float is no bound",
        net({"p": LONG}),
        at_least(p, LONG),
        clauses(Inequality(Term((("p", 1.0),), -float(LONG - 1)))),
    ),
    Row(
        "a float is no coefficient",
        net({"p": LONG}),
        at_least(p, LONG),
        listed([Inequality(Term((("p", 1.0),), -LONG))], walls=[wall(p, 1)]),
    ),
    Row(
        "a float is no multiplier",
        net({"p": LONG}),
        equal(p, LONG),
        listed([at_least(p, LONG)], walls=[wall(-p, 1.0)]),
    ),
    Row(
        "a float is no scale",
        net({"p": LONG}),
        equal(p, LONG),
        listed([at_most(p, LONG)], walls=[wall(p, -1, scale=1.0)]),
    ),
    Row(
        "a float is no scale where it is rounded up",
        net({"p": LONG + 3}),
        equal(p, LONG + 3),
        listed([at_most(p, LONG + 3)], walls=[wall(p, -1, scale=1.0)]),
    ),
    Row(
        "a float is no modulus",
        net({"p": LONG}),
        equal(p, LONG),
        listed([congruent(p, 0, 3)], walls=[wall(p, 1, modulus=3.0)]),
    ),
    Row(
        "infinity is no multiplier",
        net({"p": 1}),
        at_least(p, 1),
        listed([at_most(p, 1)], walls=[wall(p, float("inf"))]),
    ),
    Row(
        "a modulus is not 0",
        net({"p": 3}),
        equal(p, 3),
        listed([Congruence(p - 3, 0)], walls=[wall(p, 1, modulus=3)]),
    ),
    Row(
        "a modulus is at least 1",
        net({"p": 3}),
        equal(p, 3),
        listed([Congruence(p, -3)], walls=[wall(p, 1, modulus=3)]),
    ),
    guarded(
        "a float multiplies no sum",
        {"p": 1, "q": 1},
        "p + q -> p + q",
        at_most(3 * p + 2 * q, 5),
        sums=[[(1, 6358181059672242.0)]],
    ),
    guarded("a float numbers no conjunct", {"p": 1}, "p -> p", sums=[[(0.0, 1)]]),
)


def named(**groups: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, with their group before their name."""
    return tuple(
        replace(row, name=f"{group.replace('_', ' ')}: {row.name}")
        for group, rows in groups.items()
        for row in rows
    )


FALSE = named(
    traces=FALSE_TRACES,
    start=FALSE_STARTS,
    successors=FALSE_SUCCESSORS,
    residues=FALSE_RESIDUES,
    separators=FALSE_WALLS,
    clauses=FALSE_CLAUSES,
    half_spaces=FALSE_HALF_SPACES,
    covers=FALSE_COVERS,
    no_hints=FALSE_PLAIN,
    state_equation=FALSE_EQUATIONS,
)

TRUE = named(
    traces=TRUE_TRACES,
    successors=TRUE_SUCCESSORS,
    residues=TRUE_RESIDUES,
    separators=TRUE_WALLS,
    clauses=TRUE_CLAUSES,
)

TRUE_BY_SOLVER = named(state_equation=TRUE_EQUATIONS)
