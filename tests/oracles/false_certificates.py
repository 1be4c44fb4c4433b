"""The smallest false proofs: each aims at the rule that its name states.

Of every certificate in `FALSE` the verdict itself is false, so whoever accepts one is unsound; no
trace in it fires, as it stands, into its target. `TRUE` has their neighbours, right by a hair; a
checker ought to accept them without a solver, and `TRUE_BY_SOLVER` with one. Rows are plain values,
good for any checker. Those of `FALSE_IN_MEMORY` cannot be written as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from false_clauses import FALSE_CLAUSES, FALSE_COVERS, FALSE_HALF_SPACES, TRUE_CLAUSES
from false_disjunctions import (
    FALSE_RESIDUES,
    FALSE_SUCCESSORS,
    FALSE_WALLS,
    TRUE_RESIDUES,
    TRUE_SUCCESSORS,
    TRUE_WALLS,
)
from false_rows import (
    Row,
    clauses,
    listed,
    net,
    p,
    q,
    rows,
    wall,
)

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Inequality,
    at_least,
    at_most,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate

# Traces

FALSE_TRACES = rows("""
# traced
needs its first step enabled
    p=0 q=0, p -> q; all(); t
needs every step enabled where it stands
    p=1 q=0 r=0, p -> q, u: q -> r; r >= 1; u t
needs all tokens
    p=1, 2 p -> 2 p; all(); t
needs tokens on every place
    p=1 q=0 r=0, p + q -> r; all(); t
needs tokens on the last place as well
    p=0 q=1 r=0, q + p -> r; all(); t
takes what it needs
    p=1, p ->; p >= 1; t
puts what it makes
    p=0, -> 2 p; p == 1; t
counts repeats
    p=0, -> p; p == 1; t^2
may not repeat nothing
    p=0, -> p; all(); t^0
may not repeat nothing where it could
    p=1, p -> p; all(); t^0
may not run backwards
    p=2, -> p; p == 1; t^-1
may not overdraw by repeating
    p=1 q=0, p -> q; all(); t^2
needs the tokens that a repeat returns
    p=3, 3 p -> 2 p; all(); t^2
needs the tokens before every repeat
    p=4 q=0, 3 p -> p + q; all(); t^2
needs its guard before a gain
    p=1, 2 p -> 5 p; all(); t^3
needs its guard before a gain on every place
    p=1 q=1, p + 2 q -> p + 5 q; all(); t^3
needs its guard before a gain on every place, the first as well
    p=1 q=1, 2 p + q -> 5 p + q; all(); t^3
ends in the target
    p=0, -> p; p == 2; t
is judged by its last marking
    p=0, -> p; p == 1; t t
ends where the target wants another residue
    p=0, -> 2 p; not (p % 2 == 0); t
without steps ends where it starts
    p=0; p == 1;
knows the net's transitions only
    p=0, -> p; all(); u
ends in the target where no residue is another one
    p=0, -> p; not (p % 1 == 0); t
adds up exactly at {n}
    p={n}, -> p; p == {n}; t
repeats exactly {n} times
    p={n}, p ->; all(); t^{n}+1
""")

TRUE_TRACES = rows("""
# traced
fires its tokens
    p=3, 3 p -> 2 p; p == 2; t
repeats to the end
    p=5 q=0, 3 p -> p + q; p == 1; t^2
may come to the target
    p=2, 2 p -> 5 p; p == 11; t^3
may end with another residue
    p=0, -> p; not (p % 2 == 0); t
needs no steps
    p=0; p == 0;
repeats {n} times
    p={n}, p ->; p == 0; t^{n}
""")

# Initiation

FALSE_STARTS = rows("""
# disjunctive
a disjunction holds initially
    p=1; p >= 1; to: p <= 0; wall p: 1
all atoms of a disjunct hold initially
    p=1 q=0; p >= 1; to: q <= 0, p <= 0; wall p: 1
a residue holds initially
    p=1; p == 1; to: p % 3 == 0; wall p % 3: 1
no disjunct does not hold initially
    p=1; all()
# covering
a clause holds initially
    p=1; p >= 1; any(p <= 0)
every clause holds initially
    p=1 q=0; p >= 1; q <= 0; p <= 0
# plain
an invariant holds initially
    p=1; p >= 1; p <= 0
""")

# Formulas without hints, for a solver

FALSE_PLAIN = rows("""
# plain
a guard asks for tokens at least, not at most
    p=2 q=0, p -> p + q; p >= 2 and q >= 1; p <= 1 or q <= 0
what is put counts
    p=0, -> p; p >= 1; p <= 0
what is taken counts
    p=1, p ->; p <= 0; p >= 1
a guard asks no more than what is taken
    p=1 q=0, p -> q; q >= 1; q <= 0 and p <= 1
every transition counts, the last as well
    p=0, ->, u: -> p; p >= 1; p <= 0
every transition counts, the first as well
    p=0, -> p, u: ->; p >= 1; p <= 0
the target is missed
    p=1; p >= 1; p <= 1
the target is missed by a residue
    p=4; p == 4; p % 3 == 1
false holds nowhere
    p=1; all(); any()
a residue is kept
    p=0, -> p; p == 2; not (p % 3 == 2)
a bound is exact at {n}
    p={n}, -> p; p >= {n} + 1; p <= {n}
""")

# The state equation

FALSE_EQUATIONS = (
    Row(
        "a place may have the name of a counter",
        net({"t#0": 0}, t="-> t#0"),
        at_least(variable("t#0"), 1),
        StateEquationCertificate((), ()),
    ),
    *rows("""
# equation
the start counts
    p=1; p == 1
what is put counts
    p=0, -> p; p == 1
what is taken counts
    p=1, p ->; p == 0
weights count
    p=0, -> 3 p; p == 3
transitions fire more than once
    p=0, -> p; p == 2
several transitions fire
    p=0, -> 3 p, u: -> 5 p; p == 8
several transitions fire, each as often as it likes
    p=0, -> 3 p, u: -> 5 p; p == 11
the last transition fires
    p=0, ->, u: -> p; p == 1
a trap is marked initially
    a=1 b=0; b == 0; trap b
every trap is marked initially
    a=1 b=0; b == 0; trap a; trap b
a trap has places
    a=1; all(); trap
a trap is not emptied
    a=1, a ->; a == 0; trap a
a trap is not emptied onto other places
    a=1 b=0, a -> b; a == 0; trap a
a trap is not emptied by the last transition
    a=1 b=0, a -> a, u: b + a -> 2 b, v: a -> b; a == 0; trap a
a trap is not emptied by the first transition
    a=1 b=0, a -> b, u: a -> a; a == 0; trap a
the last trap is not emptied
    a=1 b=1, b -> a; b == 0; trap a; trap b
a trap has one token and no more
    a=1; a == 1; trap a
a trap has a token on one of its places
    a=1 b=0; b == 0; trap a b
a trap may have more tokens than one
    a=2; a == 2; trap a
a trap is not emptied by what takes from elsewhere as well
    a=1 b=1, a + b -> b; a == 0; trap a
a trap is not emptied by what takes from elsewhere first
    a=1 b=1, a + b -> a; b == 0; trap b
a trap counts a place once
    a=1; a == 1; trap a a
a siphon is empty initially
    s=1 p=0, s -> p; p == 1; siphon s
a siphon is empty initially on all places
    s=0 x=1 p=0, x -> p; p == 1; siphon s x
a siphon is not filled
    s=0 p=0, s -> p, u: -> s; p == 1; siphon s
a siphon is not filled from other places
    s=0 x=1 p=0, s -> p, u: x -> s; p == 1; siphon s
a siphon is not filled on its last place
    s=0 x=0 p=0, x -> p, u: -> x; p == 1; siphon s x
a siphon is not filled by the first transition
    s=0 p=0, -> s, u: s -> p; p == 1; siphon s
a transition that takes nothing from the siphon fires
    s=0 p=1 q=0, s -> q, u: p -> q; q == 1; siphon s
a transition empties a trap though another one is blocked
    s=0 a=1, s + a -> s, u: a ->; a == 0; trap a; siphon s
sums are exact at {n}
    p={n}, -> p; p == {n} + 1
"""),
)

TRUE_EQUATIONS = (
    *rows("""
# equation
nothing but the start is there
    p=1; p == 2
only whole transitions fire
    p=0, -> 2 p; p == 3
no transition fires backwards
    p=1, -> p; p == 0
no place has less than nothing
    p=0 q=0, q -> p; p == 1
a marked trap stays marked
    a=1 b=0 x=0, a -> a + x, u: a + x -> b, v: b -> a; a == 0 and b == 0; trap a b
a blocked transition empties no trap
    s=0 a=1 x=1, s + a -> s, u: x ->; a == 0; trap a; siphon s
a blocked transition does not fire
    s=0 p=0, s -> p; p == 1; siphon s
an empty siphon stays empty
    s=0 x=0 p=0, s -> x, u: x -> s + p, v: ->; p == 1; siphon s x
"""),
    Row(
        "hints for a formula of another shape are passed over",
        net({"p": 1}),
        at_least(p, 2),
        Certificate(at_most(p, 1), Hints(((),), (wall(p, 1),))),
    ),
)

# Rows that no file holds

TWICE = Term((("p", 2), ("p", -1)), -1)
"""2p − p − 1, a term with a place twice."""

TWICE_BEFORE = Term((("p", 2), ("p", -1), ("q", 1)), -1)
"""2p − p + q − 1, with another place behind it."""

LONG = 2**53 + 1

FALSE_IN_MEMORY = (
    *rows("""
# traced
repeats a whole number of times
    p=0, -> 2 p; p == 1; t^0.5
does not repeat yes
    p=0, -> p; p == 2; t^True
does not repeat a float
    p=0, -> p; p == 2**53; t^9007199254740992.0
# disjunctive
a float is no multiplier
    p=2**53+1; p == 2**53+1; to: p >= 2**53+1; wall -p: 1.0
a float is no scale
    p=2**53+1; p == 2**53+1; to: p <= 2**53+1; wall p: -1 / 1.0
a float is no scale where it is rounded up
    p=2**53+4; p == 2**53+4; to: p <= 2**53+4; wall p: -1 / 1.0
a float is no modulus
    p=2**53+1; p == 2**53+1; to: p % 3 == 0; wall p % 3.0: 1
infinity is no multiplier
    p=1; p >= 1; to: p <= 1; wall p: 1e999
# guarded
a float multiplies no sum
    p=1 q=1, p + q -> p + q; 3*p + 2*q <= 5; sum 1: 6358181059672242.0
a float numbers no conjunct
    p=1, p -> p; sum 0.0: 1
"""),
    *(
        Row(
            f"a place that stands twice in {where} is added up",
            net({"p": 1, "q": 0}, t="-> p"),
            at_least(p, 2),
            evidence,
        )
        for where, evidence in (
            ("a direction", listed([Inequality(TWICE)], after=((0,),), walls=[wall(p, 1)])),
            ("a half-space", clauses(Inequality(TWICE))),
            ("a half-space before another", clauses(Inequality(TWICE_BEFORE))),
            ("the first of two half-spaces", clauses(Inequality(TWICE), at_most(q, 5))),
            ("the last of two half-spaces", clauses(at_most(q, 5), Inequality(TWICE))),
        )
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
