"""Rows of `false_certificates` about disjunctions of conjunctions, with hints."""

from __future__ import annotations

from collections.abc import Iterable

from false_rows import BORDERS, Row, both, either, listed, net, once, p, q, r, wall

from petricheck.answer import Certificate, Hints, Separator
from petricheck.presburger.formulas import (
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

# Disjunctions: where transitions lead


def kept(name: str, system: Net, goal: Formula, *part: Formula, walls: Iterable[Separator]) -> Row:
    """One disjunct that is said to be kept by the net's only transition."""
    return Row(name, system, goal, listed(part, after=((0,),), walls=walls))


def dead(name: str, system: Net, goal: Formula, *part: Formula, walls: Iterable[Separator]) -> Row:
    """One disjunct that is said to disable the net's only transition."""
    return Row(name, system, goal, listed(part, after=((-1,),), walls=walls))


FALSE_SUCCESSORS = (
    kept(
        "what is put counts",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        at_most(p, 0),
        walls=[wall(p, 1)],
    ),
    kept(
        "what is put counts as often as the direction has it",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        at_most(2 * p, 1),
        walls=[wall(2 * p, 2)],
    ),
    kept(
        "what is taken and what is put are not the same",
        net({"p": 2}, t="2 p -> 3 p"),
        at_least(p, 3),
        at_most(p, 2),
        walls=[wall(p, 1)],
    ),
    kept(
        "what is taken from a lower bound counts",
        net({"p": 1}, t="p ->"),
        at_most(p, 0),
        at_least(p, 1),
        walls=[wall(-p, 1)],
    ),
    kept(
        "what a guard only reads does not lower a bound",
        net({"p": 1, "q": 1}, t="p -> p + q"),
        at_least(p + q, 3),
        at_most(p + q, 2),
        walls=[wall(p + q, 1)],
    ),
    kept(
        "a source is at least the direction on every place",
        net({"p": 0, "q": 1}, t="-> q"),
        at_least(q, 2),
        at_most(p, 0),
        at_most(p + q, 1),
        walls=[wall(p + q, 1)],
    ),
    kept(
        "nothing is no source of a positive direction",
        net({"p": 1}, t="-> p"),
        at_least(p, 2),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    kept(
        "a source is at least the direction where it is negative",
        net({"p": 1, "q": 1}, t="-> p + q"),
        at_least(p, 2),
        at_most(p - q, 0),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    kept(
        "a source is at least the direction where it is negative, on its first place as well",
        net({"p": 1, "q": 1}, t="-> p + q"),
        at_least(q, 2),
        at_most(q - p, 0),
        at_most(q, 1),
        walls=[wall(q, 1)],
    ),
    once(
        "a source is at least the direction in every coefficient",
        {"p": 1},
        "-> p",
        [at_most(p, 1)],
        [at_most(2 * p, 3)],
        at_least(p, 2),
        wall(2 * p, 2, 0),
    ),
    once(
        "a source is not more negative than the direction",
        {"p": 1, "q": 0},
        "->",
        [at_most(-2 * p, -2)],
        [at_most(-p, -2)],
        at_most(p, 1),
        wall(-p, 1, 0),
    ),
    once(
        "a source is in the disjunct before",
        {"p": 1},
        "->",
        [],
        [at_most(p, 0)],
        at_least(p, 1),
        wall(p, 1, 0),
    ),
    once(
        "a source does not ask less than the disjunct after",
        {"p": 1},
        "->",
        [at_most(p, 1)],
        [at_most(p, 0)],
        at_least(p, 1),
        wall(p, 1, 0),
    ),
    once(
        "of two bounds of a direction the lower one is kept, if it comes first",
        {"p": 3},
        "->",
        [at_most(p, 5)],
        [at_most(p, 0), at_most(p, 5)],
        at_least(p, 1),
        wall(p, 1, 0),
    ),
    once(
        "of two bounds of a direction the lower one is kept, if it comes last",
        {"p": 3},
        "->",
        [at_most(p, 5)],
        [at_most(p, 5), at_most(p, 0)],
        at_least(p, 1),
        wall(p, 1, 0),
    ),
    once(
        "a bound below nothing is kept",
        {"p": 1},
        "->",
        [],
        [Inequality(constant(1))],
        at_least(p, 1),
    ),
    once("an equality is kept", {"p": 1}, "->", [], [equal(p, 0)], at_least(p, 1)),
    once("a negation is kept", {"p": 1}, "->", [], [Negation(at_least(p, 1))], at_least(p, 1)),
    once("a nested clause is kept", {"p": 1}, "->", [], [either(at_most(p, 0))], at_least(p, 1)),
    Row(
        "what is no conjunction is kept",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        Certificate(either(at_most(p, 0)), Hints(((0,),), (wall(p, 1),))),
    ),
    Row(
        "every disjunct is kept, the last as well",
        net({"p": 0, "q": 1}, t="q -> p + q"),
        at_least(p, 1),
        listed(
            [at_most(p, 0), at_most(q, 0)],
            [at_most(p, 0), at_most(q, 1)],
            after=((-1,), (1,)),
            walls=[wall(p, 1)],
        ),
    ),
    Row(
        "every disjunct is kept, the first as well",
        net({"p": 0, "q": 1}, t="q -> p + q"),
        at_least(p, 1),
        listed(
            [at_most(p, 0), at_most(q, 1)],
            [at_most(p, 0), at_most(q, 0)],
            after=((0,), (-1,)),
            walls=[wall(p, 1)],
        ),
    ),
    Row(
        "every transition keeps it, the last as well",
        net({"p": 0}, t="->", u="-> p"),
        at_least(p, 1),
        listed([at_most(p, 0)], after=((0, 0),), walls=[wall(p, 1)]),
    ),
    Row(
        "every transition keeps it, the first as well",
        net({"p": 0}, t="-> p", u="->"),
        at_least(p, 1),
        listed([at_most(p, 0)], after=((0, 0),), walls=[wall(p, 1)]),
    ),
    *(
        Row(
            f"the hint {hint} is no disjunct that keeps it",
            net({"p": 0}, t="-> p"),
            at_least(p, 1),
            listed([at_most(p, 0)], after=after, walls=[wall(p, 1)]),
        )
        for hint, after in {"1": ((1,),), "-2": ((-2,),), "of no transition": ((),)}.items()
    ),
    Row(
        "a wrong disjunct is not led into",
        net({"p": 0}, t="-> p"),
        at_least(p, 2),
        listed([at_most(p, 0)], [at_most(p, 1)], after=((1,), (0,)), walls=[wall(p, 1)]),
    ),
    dead(
        "a bound that the guard just meets disables nothing",
        net({"p": 1}, t="p -> 2 p"),
        at_least(p, 2),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    dead(
        "a bound of a direction with a negative coefficient disables nothing",
        net({"p": 1, "q": 1, "r": 0}, t="p -> p + r"),
        at_least(r, 1),
        at_most(p - q, 0),
        at_most(r, 0),
        walls=[wall(r, 1)],
    ),
    dead(
        "a bound of a direction whose first coefficient is negative disables nothing",
        net({"p": 1, "q": 1, "r": 0}, t="q -> q + r"),
        at_least(r, 1),
        at_most(q - p, 0),
        at_most(r, 0),
        walls=[wall(r, 1)],
    ),
    dead(
        "what a transition puts does not disable it",
        net({"p": 0}, t="-> 2 p"),
        at_least(p, 2),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    dead(
        "nothing at most 0 disables nothing",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        at_most(p, 0),
        walls=[wall(p, 1)],
    ),
    *(
        kept(
            f"a bound is exact at {n}",
            net({"p": n}, t="-> p"),
            at_least(p, n + 1),
            at_most(p, n),
            walls=[wall(p, 1)],
        )
        for n in BORDERS
    ),
    *(
        dead(
            f"a guard is exact at {n}",
            net({"p": n, "q": 0}, t=f"{n} p -> {n} p + q"),
            at_least(q, 1),
            at_most(p, n),
            at_most(q, 0),
            walls=[wall(q, 1)],
        )
        for n in BORDERS
    ),
    *(
        kept(
            f"products are exact at {n}",
            net({"p": 0, "q": 0}, t=f"-> {n} p"),
            at_least(p, 1),
            at_most(n * p + q, n * n - 1),
            walls=[wall(n * p + q, n)],
        )
        for n in BORDERS
    ),
)

TRUE_SUCCESSORS = (
    kept(
        "what is taken makes room for what is put",
        net({"p": 2}, t="2 p -> 2 p"),
        at_least(p, 3),
        at_most(p, 2),
        walls=[wall(p, 1)],
    ),
    kept(
        "a source may be another direction",
        net({"p": 0, "q": 1}, t="q -> p"),
        at_least(p, 2),
        at_most(p + q, 1),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    kept(
        "nothing is a source of a negative direction",
        net({"p": 1}, t="p -> p"),
        at_most(p, 0),
        at_least(p, 1),
        walls=[wall(-p, 1)],
    ),
    once(
        "a trivial source serves what is put",
        {"p": 0},
        "-> 2 p",
        [],
        [at_least(p, 2)],
        at_most(p, 1),
        wall(-p, 1, 0),
    ),
    once(
        "a source may be less negative",
        {"p": 1},
        "->",
        [at_most(-2 * p, -2)],
        [at_most(-3 * p, -2)],
        at_most(p, 0),
        wall(-3 * p, 3, 0),
    ),
    dead(
        "a guard above the bound disables",
        net({"p": 1}, t="2 p -> 3 p"),
        at_least(p, 2),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    Row(
        "a disjunct that holds nowhere is settled",
        net({"p": 0}, t="p ->"),
        at_least(p, 1),
        listed([at_most(p, 0)], [Inequality(constant(1))], after=((-1,), (1,)), walls=[wall(p, 1)]),
    ),
    *(
        dead(
            f"a guard above the bound disables at {n}",
            net({"p": n}, t=f"{n + 1} p -> {n + 2} p"),
            at_least(p, n + 1),
            at_most(p, n),
            walls=[wall(p, 1)],
        )
        for n in BORDERS
    ),
)

# Disjunctions: residues


def residue(n: int, modulus: int, direction: Term = p) -> Formula:
    return congruent(direction, n, modulus)


def modular(direction: Term, multiplier: int, modulus: int, scale: int = 1) -> Separator:
    """For the goal of `once`."""
    return wall(direction, multiplier, 0, modulus=modulus, scale=scale)


FALSE_RESIDUES = (
    kept(
        "what is put moves a residue",
        net({"p": 0}, t="-> p"),
        equal(p, 1),
        residue(0, 3),
        walls=[wall(p, 1, modulus=3)],
    ),
    kept(
        "what is taken moves a residue",
        net({"p": 3}, t="p ->"),
        equal(p, 2),
        residue(0, 3),
        walls=[wall(p, 1, modulus=3)],
    ),
    once(
        "what is put moves a residue up",
        {"p": 0},
        "-> p",
        [residue(0, 3)],
        [residue(2, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "what is taken moves a residue down",
        {"p": 5},
        "p ->",
        [residue(0, 5)],
        [residue(1, 5)],
        equal(p, 4),
        modular(p, 1, 5),
    ),
    once(
        "a residue moves by the effect, not by what is put",
        {"p": 3},
        "p -> 2 p",
        [residue(0, 3)],
        [residue(2, 3)],
        equal(p, 4),
        modular(p, 1, 3),
    ),
    once(
        "a residue moves by as much as the coefficient says",
        {"p": 0},
        "-> p",
        [residue(0, 5, 2 * p)],
        [residue(1, 5, 2 * p)],
        equal(p, 1),
        modular(2 * p, 2, 5),
    ),
    once(
        "a residue is what it was",
        {"p": 1},
        "->",
        [residue(1, 3)],
        [residue(2, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "a residue is not its negation",
        {"p": 1},
        "->",
        [residue(1, 3)],
        [residue(-1, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "the modulus of a source is divided by that of the residue",
        {"p": 2},
        "->",
        [residue(0, 2)],
        [residue(0, 4)],
        equal(p, 2),
        modular(p, 1, 4),
    ),
    once(
        "a source of another modulus says nothing",
        {"p": 3},
        "->",
        [residue(0, 3)],
        [residue(0, 4)],
        equal(p, 3),
        modular(p, 1, 4),
    ),
    once(
        "a source of a finer modulus is compared in the coarser",
        {"p": 2},
        "->",
        [residue(2, 6)],
        [residue(1, 3)],
        equal(p, 2),
        modular(p, 1, 3),
    ),
    once(
        "a source has the same coefficients",
        {"p": 1, "q": 0},
        "->",
        [residue(0, 3, q)],
        [residue(0, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "a source has not more coefficients",
        {"p": 1, "q": 2},
        "->",
        [residue(0, 3, p + q)],
        [residue(0, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "a source has not fewer coefficients",
        {"p": 0, "q": 1},
        "->",
        [residue(0, 3)],
        [residue(0, 3, p + q)],
        equal(p + q, 1),
        modular(p + q, 1, 3),
    ),
    once(
        "a multiple of a residue says less",
        {"p": 2},
        "->",
        [residue(0, 4, 2 * p)],
        [residue(0, 4)],
        equal(p, 2),
        modular(p, 1, 4),
    ),
    once(
        "a bound is no source of a residue",
        {"p": 1},
        "->",
        [at_most(p, 1), at_least(p, 1)],
        [residue(0, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "a source of a residue is in the disjunct before",
        {"p": 1},
        "->",
        [],
        [residue(0, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "nothing has the residue 0 only",
        {"p": 1},
        "->",
        [],
        [residue(1, 3, 3 * p)],
        at_least(p, 1),
        modular(3 * p, 0, 3),
    ),
    once(
        "of two residues both are kept, the first as well",
        {"p": 0},
        "->",
        [residue(0, 3)],
        [residue(1, 3), residue(0, 3)],
        equal(p, 0),
        modular(p, 1, 3),
    ),
    once(
        "of two residues both are kept, the last as well",
        {"p": 0},
        "->",
        [residue(0, 3)],
        [residue(0, 3), residue(1, 3)],
        equal(p, 0),
        modular(p, 1, 3),
    ),
    once(
        "residues are kept beside bounds",
        {"p": 1},
        "->",
        [at_most(p, 1)],
        [at_most(p, 1), residue(0, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "bounds are kept beside residues",
        {"p": 3},
        "->",
        [residue(0, 3)],
        [residue(0, 3), at_most(p, 0)],
        equal(p, 3),
        wall(p, -1, 0),
    ),
    *(
        once(
            f"a residue modulo {n} is exact",
            {"p": n},
            "-> p",
            [residue(0, n)],
            [residue(0, n)],
            equal(p, n + 1),
            modular(p, 1, n),
        )
        for n in BORDERS
    ),
)

TRUE_RESIDUES = (
    once(
        "a residue moves up",
        {"p": 0},
        "-> p",
        [residue(0, 3)],
        [residue(1, 3)],
        equal(p, 2),
        modular(p, 1, 3),
    ),
    once(
        "a residue moves down",
        {"p": 5},
        "p ->",
        [residue(0, 5)],
        [residue(4, 5)],
        equal(p, 1),
        modular(p, 1, 5),
    ),
    once(
        "a finer source serves",
        {"p": 8},
        "->",
        [residue(2, 6)],
        [residue(2, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    Row(
        "a finer source of another disjunct is passed over",
        net({"p": 8, "go": 1}, t="go ->"),
        both(equal(p, 1), at_most(variable("go"), 0)),
        listed(
            [residue(8, 9), at_least(variable("go"), 1), at_most(variable("go"), 1)],
            [residue(2, 3), at_most(variable("go"), 0)],
            [residue(2, 6)],
            after=((1,), (-1,), (2,)),
            walls=[modular(p, 1, 3), Separator(0, (("go", -1),), 0, (0, 1), 1)],
        ),
    ),
    once(
        "a source with other coefficients of the same residue serves",
        {"p": 2, "q": 0},
        "->",
        [residue(2, 3, 4 * p + 3 * q)],
        [residue(2, 3)],
        equal(p, 1),
        modular(p, 1, 3),
    ),
    once(
        "nothing has the residue 0",
        {"p": 0},
        "p ->",
        [at_most(p, 0)],
        [residue(3, 3, 3 * p), at_most(p, 0)],
        at_least(p, 1),
        wall(p, 1, 0),
    ),
)

# Disjunctions: the target


def apart(
    name: str, tokens: dict[str, int], goal: Formula, *part: Formula, walls: Iterable[Separator]
) -> Row:
    """One disjunct beside a target, in a net where nothing moves."""
    return Row(name, net(tokens), goal, listed(part, walls=walls))


FALSE_WALLS = (
    *(
        Row(
            f"a disjunct is a conjunction, whatever stands beside it ({len(parts)}, {number})",
            net({"p": 1, "q": 0}),
            at_least(p, 1),
            Certificate(either(*parts), Hints(((),) * len(parts), (wall(p, 1),))),
        )
        for number, parts in enumerate(
            (
                (either(at_most(p, 0), at_most(q, 0)),),
                (both(at_most(p, 0)), either(at_most(p, 0), at_most(q, 0))),
                (either(at_most(p, 0), at_most(q, 0)), both(at_most(p, 0))),
            )
        )
    ),
    *(
        Row(
            f"a negated conjunction asks for one of its opposites, {place} alone",
            net({"p": 0, "q": 0} | {place: 1}),
            Negation(both(at_most(p, 0), at_most(q, 0))),
            listed(
                [at_most(rest, 0)],
                walls=[
                    *(wall(rest, 1, cube=number) for number in range(2)),
                    *(wall(rest, *ones, cube=0) for ones in ((1, 0), (0, 1))),
                ],
            ),
        )
        for place, rest in (("p", q), ("q", p))
    ),
    *(
        Row(
            f"every residue that the target allows is missed, {rest} as well",
            net({"p": rest}),
            Negation(congruent(p, 0, 4)),
            listed(
                [congruent(p, rest, 4)],
                walls=[wall(p, 1, modulus=4, cube=number) for number in range(3)],
            ),
        )
        for rest in (1, 2, 3)
    ),
    Row(
        "nothing at most 0 bounds no place beside it",
        net({"p": 1}),
        at_least(p, 1),
        listed([Inequality(constant(0)), at_most(p, 5)], walls=[wall(p, 1)]),
    ),
    apart(
        "without a separator nothing is excluded",
        {"p": 1},
        at_least(p, 1),
        at_most(p, 1),
        walls=[],
    ),
    apart(
        "a bound of a separator is exceeded, not met",
        {"p": 1},
        at_least(p, 1),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    apart(
        "a bound of a scaled separator is exceeded, not met",
        {"p": 2},
        at_least(2 * p, 4),
        at_most(p, 2),
        walls=[wall(p, 1, scale=2)],
    ),
    apart(
        "a bound of a scaled separator is rounded down",
        {"p": 2},
        at_least(2 * p, 3),
        at_most(p, 2),
        walls=[wall(p, 1, scale=2)],
    ),
    apart(
        "a bound of a negative separator is rounded down",
        {"p": 2},
        at_most(2 * p, 5),
        at_least(p, 2),
        walls=[wall(-p, 1, scale=2)],
    ),
    apart(
        "an inequality has no negative multiplier",
        {"p": 2},
        at_least(p, 1),
        at_least(p, 2),
        walls=[wall(-p, -1)],
    ),
    apart(
        "an inequality has no negative multiplier behind others",
        {"p": 2, "q": 0},
        both(at_most(q, 0), at_least(p, 1)),
        at_least(p, 2),
        walls=[wall(-p, 0, -1)],
    ),
    apart(
        "a congruence has no multiplier beside inequalities",
        {"p": 2},
        congruent(p, 0, 2),
        at_least(p, 2),
        walls=[wall(-p, 1)],
    ),
    apart(
        "a congruence has no negative multiplier beside inequalities",
        {"p": 0},
        congruent(p, 3, 3),
        at_most(p, 2),
        walls=[wall(p, -1)],
    ),
    apart(
        "an inequality has no multiplier in a modulus",
        {"p": 5},
        at_least(p, 3),
        congruent(2 * p, 1, 3),
        walls=[wall(2 * p, 1, modulus=3)],
    ),
    apart(
        "a congruence of the target is as fine as the separator",
        {"p": 3},
        congruent(p, 1, 2),
        congruent(p, 3, 4),
        walls=[wall(p, 1, modulus=4)],
    ),
    apart(
        "a congruence of the invariant is as fine as the separator",
        {"p": 3},
        equal(p, 3),
        congruent(p, 1, 2),
        walls=[wall(p, 1, modulus=4)],
    ),
    apart(
        "the scale multiplies the residue",
        {"p": 3},
        equal(p, 3),
        congruent(p, 1, 2),
        walls=[wall(p, 2, modulus=4, scale=2)],
    ),
    apart(
        "the scale multiplies the coefficients in a modulus",
        {"p": 3},
        equal(p, 3),
        congruent(p, 1, 2),
        walls=[wall(p, 1, modulus=4, scale=2)],
    ),
    apart(
        "the scale multiplies the direction",
        {"p": 1},
        at_least(p, 1),
        at_most(p, 1),
        walls=[wall(p, 2)],
    ),
    apart(
        "a modular separator is about the atom's places",
        {"p": 1, "q": 0},
        equal(p, 1),
        congruent(q, 0, 3),
        walls=[wall(q, 1, modulus=3)],
    ),
    apart(
        "a modular separator is about all of the atom's places",
        {"p": 1, "q": 2},
        equal(p, 1),
        congruent(p + q, 0, 3),
        walls=[wall(p + q, 1, modulus=3)],
    ),
    apart(
        "a congruence of the invariant is as fine as the separator, whatever its residue",
        {"p": 1},
        equal(p, 1),
        congruent(p, 1, 2),
        walls=[wall(p, 1, modulus=4)],
    ),
    apart(
        "a congruence of the invariant is as fine as the scaled separator",
        {"p": 4},
        equal(p, 4),
        congruent(p, 1, 3),
        walls=[wall(p, 2, modulus=9, scale=2), wall(p, 1, modulus=9)],
    ),
    apart(
        "a modular separator is not taken for one of another modulus, whatever the residue",
        {"p": 1},
        equal(p, 1),
        congruent(p, 1, 2),
        walls=[wall(p, 1, modulus=2), wall(p, 1, modulus=4)],
    ),
    apart(
        "a modular separator is not taken for one of another modulus",
        {"p": 3},
        equal(p, 3),
        congruent(p, 1, 2),
        walls=[wall(p, 1, modulus=2), wall(p, 1, modulus=4)],
    ),
    apart(
        "equal residues do not clash",
        {"p": 3},
        equal(p, 3),
        congruent(p, 0, 3),
        walls=[wall(p, 1, modulus=3)],
    ),
    apart(
        "equal residues do not clash, whatever their sign",
        {"p": 1},
        equal(p, 1),
        congruent(p, 1, 3),
        walls=[wall(p, 1, modulus=3)],
    ),
    apart(
        "equal residues of a multiple do not clash",
        {"p": 2},
        equal(p, 2),
        congruent(p, 2, 5),
        walls=[wall(p, 3, modulus=5, scale=3)],
    ),
    apart(
        "the modulus 1 tells nothing apart",
        {"p": 1},
        equal(p, 1),
        congruent(p, 0, 1),
        walls=[wall(p, 1, modulus=1)],
    ),
    apart(
        "what is left of direction and cube has no negative coefficient",
        {"p": 1, "q": 0},
        at_least(p, 1),
        at_most(q, 0),
        walls=[wall(q, 1)],
    ),
    apart(
        "what is left has no negative coefficient behind others",
        {"p": 0, "q": 1},
        at_least(q, 1),
        at_most(p, 0),
        walls=[wall(p, 1)],
    ),
    apart(
        "a negative scale is none",
        {"p": 1},
        equal(p, 1),
        at_most(p, 2),
        walls=[wall(p, 1, scale=-1)],
    ),
    apart(
        "the scale 0 is none",
        {"p": 1},
        equal(p, 1),
        at_most(p, 2),
        walls=[wall(p, -1, scale=0), wall(p, 1, scale=0)],
    ),
    apart(
        "multipliers multiply the constants",
        {"p": 3},
        equal(p, 3),
        at_least(p, 3),
        walls=[wall(-p, 2, scale=2)],
    ),
    apart(
        "multipliers multiply the coefficients",
        {"p": 1},
        at_least(p, 1),
        at_most(p, 1),
        walls=[wall(p, 2, scale=1)],
    ),
    apart(
        "the literals of a cube are added up",
        {"p": 1, "q": 1},
        both(at_least(p, 1), at_least(q, 1)),
        at_most(p + q, 2),
        walls=[wall(p + q, 1, 1)],
    ),
    apart(
        "the coefficients of all literals are added up, the first as well",
        {"p": 1, "q": 1},
        both(at_least(p, 1), at_least(q, 1)),
        at_most(q, 1),
        walls=[wall(q, 1, 1)],
    ),
    apart(
        "the coefficients of all literals are added up, the last as well",
        {"p": 1, "q": 1},
        both(at_least(p, 1), at_least(q, 1)),
        at_most(p, 1),
        walls=[wall(p, 1, 1)],
    ),
    apart(
        "a literal that is left out counts nothing",
        {"p": 1, "q": 1},
        both(at_least(p, 1), at_least(q, 1)),
        at_most(p + q, 1 + 1),
        walls=[wall(p + q, 1, 0), wall(p + q, 2, 0)],
    ),
    apart(
        "too few multipliers exclude nothing",
        {"p": 1, "q": 0},
        both(at_least(p, 1), at_most(q, 0)),
        at_most(p, 1),
        walls=[wall(p, 1)],
    ),
    apart(
        "too many multipliers exclude nothing",
        {"p": 1},
        at_least(p, 1),
        at_most(p, 1),
        walls=[wall(p, 1, 1)],
    ),
    apart(
        "a direction that no disjunct has excludes nothing",
        {"p": 1, "q": 0},
        at_least(p, 1),
        at_most(q, 0),
        walls=[wall(p, 1), wall(p + q, 1)],
    ),
    apart(
        "every cube is missed, the last as well",
        {"p": 2},
        either(equal(p, 1), equal(p, 2)),
        at_least(p, 2),
        walls=[wall(-p, 1, cube=0), wall(-p, 1, cube=1)],
    ),
    apart(
        "every cube is missed, the first as well",
        {"p": 2},
        either(equal(p, 2), equal(p, 1)),
        at_least(p, 2),
        walls=[wall(-p, 1, cube=0), wall(-p, 1, cube=1)],
    ),
    apart(
        "a cube of an odd residue is missed as well",
        {"p": 1},
        Negation(congruent(p, 0, 3)),
        congruent(p, 1, 3),
        walls=[wall(p, 1, modulus=3, cube=0), wall(p, 1, modulus=3, cube=1)],
    ),
    apart(
        "cubes beyond the limit are missed as well",
        {"p": 0},
        either(*(equal(p, 70 - n) for n in range(71))),
        at_most(p, 0),
        walls=[wall(p, -1, cube=n) for n in range(71)],
    ),
    Row(
        "every disjunct misses the target, the last as well",
        net({"p": 2}),
        at_least(p, 1),
        listed([at_most(p, 0)], [at_most(p, 2)], after=((), ()), walls=[wall(p, 1)]),
    ),
    Row(
        "every disjunct misses the target, the first as well",
        net({"p": 2}),
        at_least(p, 1),
        listed([at_most(p, 2)], [at_most(p, 0)], after=((), ()), walls=[wall(p, 1)]),
    ),
    Row(
        "a disjunct without atoms misses nothing",
        net({"p": 1}),
        at_least(p, 1),
        listed([], walls=[wall(p, 1)]),
    ),
    *(
        apart(
            f"a separator is exact at {n}",
            {"p": n},
            at_least(p, n),
            at_most(p, n),
            walls=[wall(p, 1), wall(p, n, scale=n)],
        )
        for n in BORDERS
    ),
    *(
        apart(
            f"a modular separator tells {n} from the next number",
            {"p": 1},
            equal(n * p, n),
            congruent((n + 1) * p, n + 1, 3),
            walls=[wall((n + 1) * p, 1, modulus=3)],
        )
        for n in BORDERS
    ),
    *(
        apart(
            f"a clash modulo {n} is exact",
            {"p": n + 1},
            equal(p, n + 1),
            congruent(p, 1, n),
            walls=[wall(p, 1, modulus=n)],
        )
        for n in BORDERS
    ),
)

TRUE_WALLS = (
    Row(
        "a negated disjunction asks for all of its opposites",
        net({"p": 1, "q": 0}),
        Negation(either(at_most(p, 0), at_most(q, 0))),
        listed([at_most(q, 0)], walls=[wall(q, 0, 1)]),
    ),
    apart("a bound is exceeded", {"p": 1}, at_least(p, 2), at_most(p, 1), walls=[wall(p, 1)]),
    apart(
        "a scaled bound is exceeded",
        {"p": 1},
        at_least(2 * p, 3),
        at_most(p, 1),
        walls=[wall(p, 1, scale=2)],
    ),
    apart(
        "a negative bound is exceeded",
        {"p": 3},
        at_most(2 * p, 5),
        at_least(p, 3),
        walls=[wall(-p, 1, scale=2)],
    ),
    apart(
        "an equality has a negative multiplier",
        {"p": 1},
        equal(p, 2),
        at_most(p, 1),
        walls=[wall(p, -1)],
    ),
    apart(
        "places that are left over help",
        {"p": 1, "q": 0},
        both(at_least(p, 1), at_least(q, 1)),
        at_most(p + q, 1),
        walls=[wall(p + q, 1, 1)],
    ),
    apart(
        "a congruence clashes with a coarser one",
        {"p": 4},
        congruent(p, 1, 2),
        congruent(p, 0, 4),
        walls=[wall(p, 2, modulus=4, scale=2)],
    ),
    apart(
        "a modulus is scaled up",
        {"p": 2},
        equal(p, 3),
        congruent(p, 0, 2),
        walls=[wall(p, 2, modulus=4, scale=2)],
    ),
    apart(
        "the best of two separators counts, whichever comes first",
        {"p": 1},
        both(at_least(p, 2), at_least(p, 1)),
        at_most(p, 1),
        walls=[wall(p, 1, 0), wall(p, 0, 1)],
    ),
    apart(
        "the best of two separators counts, whichever comes last",
        {"p": 1},
        both(at_least(p, 2), at_least(p, 1)),
        at_most(p, 1),
        walls=[wall(p, 0, 1), wall(p, 1, 0)],
    ),
    apart(
        "as many cubes as the limit allows",
        {"p": 0},
        either(*(equal(p, 64 - n) for n in range(64))),
        at_most(p, 0),
        walls=[wall(p, -1, cube=n) for n in range(64)],
    ),
    apart(
        "separators that make no sense are passed over",
        {"p": 1},
        at_least(p, 2),
        at_most(p, 1),
        walls=[wall(p, 1, 1), wall(p, -1), wall(q, 1), wall(p, 1, modulus=3), wall(p, 1)],
    ),
    apart(
        "a residue clashes in one of three disjuncts' moduli",
        {"p": 1},
        Negation(congruent(p, 1, 3)),
        congruent(p, 1, 3),
        walls=[wall(p, 1, modulus=3, cube=0), wall(p, 1, modulus=3, cube=1)],
    ),
    *(
        apart(
            f"a bound is exceeded at {n}",
            {"p": n},
            at_least(p, n + 1),
            at_most(p, n),
            walls=[wall(p, 1)],
        )
        for n in BORDERS
    ),
)
