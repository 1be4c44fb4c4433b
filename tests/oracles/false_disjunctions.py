"""Rows of `false_certificates` about disjunctions of conjunctions, with hints."""

from __future__ import annotations

from false_rows import (
    BORDERS,
    Row,
    both,
    disjunctive,
    either,
    net,
    p,
    q,
    rows,
    wall,
)

from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.evidence.certificates.invariant import Certificate, Hints

# Where transitions lead

FALSE_SUCCESSORS = (
    *rows("""
# disjunctive
what is put counts
    p=0, -> p; p >= 1; to 0: p <= 0; wall p: 1
what is put counts as often as the direction has it
    p=0, -> p; p >= 1; to 0: 2*p <= 1; wall 2*p: 2
what is taken and what is put are not the same
    p=2, 2 p -> 3 p; p >= 3; to 0: p <= 2; wall p: 1
what is taken from a lower bound counts
    p=1, p ->; p <= 0; to 0: p >= 1; wall -p: 1
what a guard only reads does not lower a bound
    p=1 q=1, p -> p + q; p + q >= 3; to 0: p + q <= 2; wall p + q: 1
a source is at least the direction on every place
    p=0 q=1, -> q; q >= 2; to 0: p <= 0, p + q <= 1; wall p + q: 1
nothing is no source of a positive direction
    p=1, -> p; p >= 2; to 0: p <= 1; wall p: 1
a source is at least the direction where it is negative
    p=1 q=1, -> p + q; p >= 2; to 0: p - q <= 0, p <= 1; wall p: 1
a source is at least the direction where it is negative, on its first place as well
    p=1 q=1, -> p + q; q >= 2; to 0: q - p <= 0, q <= 1; wall q: 1
every disjunct is kept, the last as well
    p=0 q=1, q -> p + q; p >= 1; to -1: p <= 0, q <= 0; to 1: p <= 0, q <= 1; wall p: 1
every disjunct is kept, the first as well
    p=0 q=1, q -> p + q; p >= 1; to 0: p <= 0, q <= 1; to -1: p <= 0, q <= 0; wall p: 1
every transition keeps it, the last as well
    p=0, ->, u: -> p; p >= 1; to 0 0: p <= 0; wall p: 1
every transition keeps it, the first as well
    p=0, -> p, u: ->; p >= 1; to 0 0: p <= 0; wall p: 1
a wrong disjunct is not led into
    p=0, -> p; p >= 2; to 1: p <= 0; to 0: p <= 1; wall p: 1
a bound that the guard just meets disables nothing
    p=1, p -> 2 p; p >= 2; to -1: p <= 1; wall p: 1
a bound of a direction with a negative coefficient disables nothing
    p=1 q=1 r=0, p -> p + r; r >= 1; to -1: p - q <= 0, r <= 0; wall r: 1
a bound of a direction whose first coefficient is negative disables nothing
    p=1 q=1 r=0, q -> q + r; r >= 1; to -1: q - p <= 0, r <= 0; wall r: 1
what a transition puts does not disable it
    p=0, -> 2 p; p >= 2; to -1: p <= 1; wall p: 1
nothing at most 0 disables nothing
    p=0, -> p; p >= 1; to -1: p <= 0; wall p: 1
a bound is exact at {n}
    p={n}, -> p; p >= {n} + 1; to 0: p <= {n}; wall p: 1
a guard is exact at {n}
    p={n} q=0, {n} p -> {n} p + q; q >= 1; to -1: p <= {n}, q <= 0; wall q: 1
products are exact at {n}
    p=0 q=0, -> {n} p; p >= 1; to 0: {n}*p + q <= {n}*{n} - 1; wall {n}*p + q: {n}
the hint 1 is no disjunct that keeps it
    p=0, -> p; p >= 1; to 1: p <= 0; wall p: 1
the hint -2 is no disjunct that keeps it
    p=0, -> p; p >= 1; to -2: p <= 0; wall p: 1
the hint of no transition is no disjunct that keeps it
    p=0, -> p; p >= 1; to: p <= 0; wall p: 1
# once
a source is at least the direction in every coefficient
    p=1, -> p; p >= 2; before p <= 1; after 2*p <= 3; wall 2*p: 2, 0
a source is not more negative than the direction
    p=1 q=0, ->; p <= 1; before -2*p <= -2; after -p <= -2; wall -p: 1, 0
a source is in the disjunct before
    p=1, ->; p >= 1; after p <= 0; wall p: 1, 0
a source does not ask less than the disjunct after
    p=1, ->; p >= 1; before p <= 1; after p <= 0; wall p: 1, 0
of two bounds of a direction the lower one is kept, if it comes first
    p=3, ->; p >= 1; before p <= 5; after p <= 0, p <= 5; wall p: 1, 0
of two bounds of a direction the lower one is kept, if it comes last
    p=3, ->; p >= 1; before p <= 5; after p <= 5, p <= 0; wall p: 1, 0
a bound below nothing is kept
    p=1, ->; p >= 1; after 1 <= 0
an equality is kept
    p=1, ->; p >= 1; after p == 0
a negation is kept
    p=1, ->; p >= 1; after not (p >= 1)
a nested clause is kept
    p=1, ->; p >= 1; after any(p <= 0)
"""),
    Row(
        "what is no conjunction is kept",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        Certificate(either(at_most(p, 0)), Hints(((0,),), (wall(p, 1),))),
    ),
)

TRUE_SUCCESSORS = (
    *rows("""
# disjunctive
what is taken makes room for what is put
    p=2, 2 p -> 2 p; p >= 3; to 0: p <= 2; wall p: 1
a source may be another direction
    p=0 q=1, q -> p; p >= 2; to 0: p + q <= 1, p <= 1; wall p: 1
nothing is a source of a negative direction
    p=1, p -> p; p <= 0; to 0: p >= 1; wall -p: 1
a guard above the bound disables
    p=1, 2 p -> 3 p; p >= 2; to -1: p <= 1; wall p: 1
a disjunct that holds nowhere is settled
    p=0, p ->; p >= 1; to -1: p <= 0; to 1: 1 <= 0; wall p: 1
# once
a trivial source serves what is put
    p=0, -> 2 p; p <= 1; after p >= 2; wall -p: 1, 0
a source may be less negative
    p=1, ->; p <= 0; before -2*p <= -2; after -3*p <= -2; wall -3*p: 3, 0
"""),
    *(
        disjunctive(
            f"a guard above the bound disables at {n}",
            f"p={n}, {n + 1} p -> {n + 2} p",
            f"p >= {n + 1}",
            f"to -1: p <= {n}",
            "wall p: 1",
        )
        for n in BORDERS
    ),
)

# Residues

FALSE_RESIDUES = rows("""
# disjunctive
what is put moves a residue
    p=0, -> p; p == 1; to 0: p % 3 == 0; wall p % 3: 1
what is taken moves a residue
    p=3, p ->; p == 2; to 0: p % 3 == 0; wall p % 3: 1
# once
what is put moves a residue up
    p=0, -> p; p == 1; before p % 3 == 0; after p % 3 == 2; wall p % 3: 1, 0
what is taken moves a residue down
    p=5, p ->; p == 4; before p % 5 == 0; after p % 5 == 1; wall p % 5: 1, 0
a residue moves by the effect, not by what is put
    p=3, p -> 2 p; p == 4; before p % 3 == 0; after p % 3 == 2; wall p % 3: 1, 0
a residue moves by as much as the coefficient says
    p=0, -> p; p == 1; before 2*p % 5 == 0; after 2*p % 5 == 1; wall 2*p % 5: 2, 0
a residue is what it was
    p=1, ->; p == 1; before p % 3 == 1; after p % 3 == 2; wall p % 3: 1, 0
a residue is not its negation
    p=1, ->; p == 1; before p % 3 == 1; after p % 3 == -1; wall p % 3: 1, 0
the modulus of a source is divided by that of the residue
    p=2, ->; p == 2; before p % 2 == 0; after p % 4 == 0; wall p % 4: 1, 0
a source of another modulus says nothing
    p=3, ->; p == 3; before p % 3 == 0; after p % 4 == 0; wall p % 4: 1, 0
a source of a finer modulus is compared in the coarser
    p=2, ->; p == 2; before p % 6 == 2; after p % 3 == 1; wall p % 3: 1, 0
a source has the same coefficients
    p=1 q=0, ->; p == 1; before q % 3 == 0; after p % 3 == 0; wall p % 3: 1, 0
a source has not more coefficients
    p=1 q=2, ->; p == 1; before (p + q) % 3 == 0; after p % 3 == 0; wall p % 3: 1, 0
a source has not fewer coefficients
    p=0 q=1, ->; p + q == 1; before p % 3 == 0; after (p + q) % 3 == 0; wall p + q % 3: 1, 0
a multiple of a residue says less
    p=2, ->; p == 2; before 2*p % 4 == 0; after p % 4 == 0; wall p % 4: 1, 0
a bound is no source of a residue
    p=1, ->; p == 1; before p <= 1, p >= 1; after p % 3 == 0; wall p % 3: 1, 0
a source of a residue is in the disjunct before
    p=1, ->; p == 1; after p % 3 == 0; wall p % 3: 1, 0
nothing has the residue 0 only
    p=1, ->; p >= 1; after 3*p % 3 == 1; wall 3*p % 3: 0, 0
of two residues both are kept, the first as well
    p=0, ->; p == 0; before p % 3 == 0; after p % 3 == 1, p % 3 == 0; wall p % 3: 1, 0
of two residues both are kept, the last as well
    p=0, ->; p == 0; before p % 3 == 0; after p % 3 == 0, p % 3 == 1; wall p % 3: 1, 0
residues are kept beside bounds
    p=1, ->; p == 1; before p <= 1; after p <= 1, p % 3 == 0; wall p % 3: 1, 0
bounds are kept beside residues
    p=3, ->; p == 3; before p % 3 == 0; after p % 3 == 0, p <= 0; wall p: -1, 0
a residue modulo {n} is exact
    p={n}, -> p; p == {n} + 1; before p % {n} == 0; after p % {n} == 0; wall p % {n}: 1, 0
""")

TRUE_RESIDUES = rows("""
# once
a residue moves up
    p=0, -> p; p == 2; before p % 3 == 0; after p % 3 == 1; wall p % 3: 1, 0
a residue moves down
    p=5, p ->; p == 1; before p % 5 == 0; after p % 5 == 4; wall p % 5: 1, 0
a finer source serves
    p=8, ->; p == 1; before p % 6 == 2; after p % 3 == 2; wall p % 3: 1, 0
a source with other coefficients of the same residue serves
    p=2 q=0, ->; p == 1; before (4*p + 3*q) % 3 == 2; after p % 3 == 2; wall p % 3: 1, 0
nothing has the residue 0
    p=0, p ->; p >= 1; before p <= 0; after 3*p % 3 == 3, p <= 0; wall p: 1, 0
# disjunctive
a finer source of another disjunct is passed over
    p=8 go=1, go ->; p == 1 and go <= 0; to 1: p % 9 == 8, go >= 1, go <= 1;
        to -1: p % 3 == 2, go <= 0; to 2: p % 6 == 2; wall p % 3: 1, 0; wall -go: 0, 1
""")

# The target


def _with_cubes(name: str, numbers: range) -> Row:
    goal = " or ".join(f"p == {number}" for number in numbers)
    walls = (f"wall p: -1 @ {cube}" for cube in range(len(numbers)))
    return disjunctive(name, "p=0", goal, "to: p <= 0", *walls)


FALSE_WALLS = (
    *rows("""
# disjunctive
nothing at most 0 bounds no place beside it
    p=1; p >= 1; to: 0 <= 0, p <= 5; wall p: 1
without a separator nothing is excluded
    p=1; p >= 1; to: p <= 1
a bound of a separator is exceeded, not met
    p=1; p >= 1; to: p <= 1; wall p: 1
a bound of a scaled separator is exceeded, not met
    p=2; 2*p >= 4; to: p <= 2; wall p: 1 / 2
a bound of a scaled separator is rounded down
    p=2; 2*p >= 3; to: p <= 2; wall p: 1 / 2
a bound of a negative separator is rounded down
    p=2; 2*p <= 5; to: p >= 2; wall -p: 1 / 2
an inequality has no negative multiplier
    p=2; p >= 1; to: p >= 2; wall -p: -1
an inequality has no negative multiplier behind others
    p=2 q=0; q <= 0 and p >= 1; to: p >= 2; wall -p: 0, -1
a congruence has no multiplier beside inequalities
    p=2; p % 2 == 0; to: p >= 2; wall -p: 1
a congruence has no negative multiplier beside inequalities
    p=0; p % 3 == 3; to: p <= 2; wall p: -1
an inequality has no multiplier in a modulus
    p=5; p >= 3; to: 2*p % 3 == 1; wall 2*p % 3: 1
a congruence of the target is as fine as the separator
    p=3; p % 2 == 1; to: p % 4 == 3; wall p % 4: 1
a congruence of the invariant is as fine as the separator
    p=3; p == 3; to: p % 2 == 1; wall p % 4: 1
the scale multiplies the residue
    p=3; p == 3; to: p % 2 == 1; wall p % 4: 2 / 2
the scale multiplies the coefficients in a modulus
    p=3; p == 3; to: p % 2 == 1; wall p % 4: 1 / 2
the scale multiplies the direction
    p=1; p >= 1; to: p <= 1; wall p: 2
a modular separator is about the atom's places
    p=1 q=0; p == 1; to: q % 3 == 0; wall q % 3: 1
a modular separator is about all of the atom's places
    p=1 q=2; p == 1; to: (p + q) % 3 == 0; wall p + q % 3: 1
a congruence of the invariant is as fine as the separator, whatever its residue
    p=1; p == 1; to: p % 2 == 1; wall p % 4: 1
a congruence of the invariant is as fine as the scaled separator
    p=4; p == 4; to: p % 3 == 1; wall p % 9: 2 / 2; wall p % 9: 1
a modular separator is not taken for one of another modulus, whatever the residue
    p=1; p == 1; to: p % 2 == 1; wall p % 2: 1; wall p % 4: 1
a modular separator is not taken for one of another modulus
    p=3; p == 3; to: p % 2 == 1; wall p % 2: 1; wall p % 4: 1
equal residues do not clash
    p=3; p == 3; to: p % 3 == 0; wall p % 3: 1
equal residues do not clash, whatever their sign
    p=1; p == 1; to: p % 3 == 1; wall p % 3: 1
equal residues of a multiple do not clash
    p=2; p == 2; to: p % 5 == 2; wall p % 5: 3 / 3
the modulus 1 tells nothing apart
    p=1; p == 1; to: p % 1 == 0; wall p % 1: 1
what is left of direction and cube has no negative coefficient
    p=1 q=0; p >= 1; to: q <= 0; wall q: 1
what is left has no negative coefficient behind others
    p=0 q=1; q >= 1; to: p <= 0; wall p: 1
a negative scale is none
    p=1; p == 1; to: p <= 2; wall p: 1 / -1
the scale 0 is none
    p=1; p == 1; to: p <= 2; wall p: -1 / 0; wall p: 1 / 0
multipliers multiply the constants
    p=3; p == 3; to: p >= 3; wall -p: 2 / 2
multipliers multiply the coefficients
    p=1; p >= 1; to: p <= 1; wall p: 2 / 1
the literals of a cube are added up
    p=1 q=1; p >= 1 and q >= 1; to: p + q <= 2; wall p + q: 1, 1
the coefficients of all literals are added up, the first as well
    p=1 q=1; p >= 1 and q >= 1; to: q <= 1; wall q: 1, 1
the coefficients of all literals are added up, the last as well
    p=1 q=1; p >= 1 and q >= 1; to: p <= 1; wall p: 1, 1
a literal that is left out counts nothing
    p=1 q=1; p >= 1 and q >= 1; to: p + q <= 1 + 1; wall p + q: 1, 0; wall p + q: 2, 0
too few multipliers exclude nothing
    p=1 q=0; p >= 1 and q <= 0; to: p <= 1; wall p: 1
too many multipliers exclude nothing
    p=1; p >= 1; to: p <= 1; wall p: 1, 1
a direction that no disjunct has excludes nothing
    p=1 q=0; p >= 1; to: q <= 0; wall p: 1; wall p + q: 1
every cube is missed, the last as well
    p=2; p == 1 or p == 2; to: p >= 2; wall -p: 1 @ 0; wall -p: 1 @ 1
every cube is missed, the first as well
    p=2; p == 2 or p == 1; to: p >= 2; wall -p: 1 @ 0; wall -p: 1 @ 1
a cube of an odd residue is missed as well
    p=1; not (p % 3 == 0); to: p % 3 == 1; wall p % 3: 1 @ 0; wall p % 3: 1 @ 1
every disjunct misses the target, the last as well
    p=2; p >= 1; to: p <= 0; to: p <= 2; wall p: 1
every disjunct misses the target, the first as well
    p=2; p >= 1; to: p <= 2; to: p <= 0; wall p: 1
a disjunct without atoms misses nothing
    p=1; p >= 1; to:; wall p: 1
a separator is exact at {n}
    p={n}; p >= {n}; to: p <= {n}; wall p: 1; wall p: {n} / {n}
a modular separator tells {n} from the next number
    p=1; {n}*p == {n}; to: (({n} + 1)*p) % 3 == {n} + 1; wall ({n} + 1)*p % 3: 1
a clash modulo {n} is exact
    p={n}+1; p == {n} + 1; to: p % {n} == 1; wall p % {n}: 1
a negated conjunction asks for one of its opposites, p alone
    p=1 q=0; not all(p <= 0, q <= 0); to: q <= 0;
        wall q: 1 @ 0; wall q: 1 @ 1; wall q: 1, 0 @ 0; wall q: 0, 1 @ 0
a negated conjunction asks for one of its opposites, q alone
    p=0 q=1; not all(p <= 0, q <= 0); to: p <= 0;
        wall p: 1 @ 0; wall p: 1 @ 1; wall p: 1, 0 @ 0; wall p: 0, 1 @ 0
every residue that the target allows is missed, 1 as well
    p=1; not (p % 4 == 0); to: p % 4 == 1;
        wall p % 4: 1 @ 0; wall p % 4: 1 @ 1; wall p % 4: 1 @ 2
every residue that the target allows is missed, 2 as well
    p=2; not (p % 4 == 0); to: p % 4 == 2;
        wall p % 4: 1 @ 0; wall p % 4: 1 @ 1; wall p % 4: 1 @ 2
every residue that the target allows is missed, 3 as well
    p=3; not (p % 4 == 0); to: p % 4 == 3;
        wall p % 4: 1 @ 0; wall p % 4: 1 @ 1; wall p % 4: 1 @ 2
"""),
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
    _with_cubes("cubes beyond the limit are missed as well", range(70, -1, -1)),
)

TRUE_WALLS = (
    *rows("""
# disjunctive
a negated disjunction asks for all of its opposites
    p=1 q=0; not (p <= 0 or q <= 0); to: q <= 0; wall q: 0, 1
a bound is exceeded
    p=1; p >= 2; to: p <= 1; wall p: 1
a scaled bound is exceeded
    p=1; 2*p >= 3; to: p <= 1; wall p: 1 / 2
a negative bound is exceeded
    p=3; 2*p <= 5; to: p >= 3; wall -p: 1 / 2
an equality has a negative multiplier
    p=1; p == 2; to: p <= 1; wall p: -1
places that are left over help
    p=1 q=0; p >= 1 and q >= 1; to: p + q <= 1; wall p + q: 1, 1
a congruence clashes with a coarser one
    p=4; p % 2 == 1; to: p % 4 == 0; wall p % 4: 2 / 2
a modulus is scaled up
    p=2; p == 3; to: p % 2 == 0; wall p % 4: 2 / 2
the best of two separators counts, whichever comes first
    p=1; p >= 2 and p >= 1; to: p <= 1; wall p: 1, 0; wall p: 0, 1
the best of two separators counts, whichever comes last
    p=1; p >= 2 and p >= 1; to: p <= 1; wall p: 0, 1; wall p: 1, 0
separators that make no sense are passed over
    p=1; p >= 2; to: p <= 1; wall p: 1, 1; wall p: -1; wall q: 1; wall p % 3: 1; wall p: 1
a residue clashes in one of three disjuncts' moduli
    p=1; not (p % 3 == 1); to: p % 3 == 1; wall p % 3: 1 @ 0; wall p % 3: 1 @ 1
a bound is exceeded at {n}
    p={n}; p >= {n} + 1; to: p <= {n}; wall p: 1
"""),
    _with_cubes("as many cubes as the limit allows", range(64, 0, -1)),
)
