"""Rows of `false_certificates` about clauses and half-spaces."""

from __future__ import annotations

from false_rows import Row, net, p, rows

from petricheck.arithmetic.formulas.formulas import at_least, at_most
from petricheck.evidence.certificates.invariant import Certificate, CoverHints

FALSE_CLAUSES = (
    *rows("""
# covering
what is put on places of half-spaces alone was not there before
    p=0 q=1 r=1 s=0 x=0, r -> p + x; p >= 1 and q >= 1; p <= 0 or q <= 0; r <= 0 or s <= 0;
        p + q + r*2 + x <= 3
a demand may be met by shares of several places
    p=1 q=1; p*2 + q >= 3; p <= 1; p <= 0 or q <= 1; q <= 2
a place is bounded
    p=0, -> p; p >= 1; p <= 0
a place is bounded though another place shrinks
    p=1 q=0, p -> q; q >= 1; q <= 0
a place has its bound at most
    p=2, -> p; p >= 3; p <= 2
what was there before is less, not more
    p=1, -> p; p >= 2; p <= 1
a guard is what is taken
    p=1, p -> 2 p; p >= 2; p <= 1
a guard is what is taken, in clauses
    p=1 q=1, p + q -> 2 p + q; p >= 2 and q >= 1; p <= 1 or q <= 0
a clause forbids its places together
    p=1 q=1, -> p; p >= 2 and q >= 1; p <= 1 or q <= 0
a clause is kept where its last place grows
    p=1 q=0, -> q; p >= 1 and q >= 1; p <= 0 or q <= 0
a clause is kept where all of its places grow
    p=0 q=0, -> p + q; p >= 1 and q >= 1; p <= 0 or q <= 0
a clause is kept where another place grows as well
    p=1 q=0 r=0 s=0, -> q + r; p >= 1 and q >= 1; p <= 0 or q <= 0; r <= 9 or s <= 9
a clause is kept where another place shrinks
    p=1 q=0 r=1 s=0, r -> q; p >= 1 and q >= 1; p <= 0 or q <= 0; r <= 9 or s <= 9
a clause is not kept by an element that it is not above
    p=1 q=0 r=0 s=0, -> q; p >= 1 and q >= 1; p <= 0 or q <= 0; p <= 0 or s <= 0; r <= 0 or s <= 0
an element is below a row on all of its places
    p=1 q=0 r=1, r -> q + r; p >= 1 and q >= 1; p <= 0 or q <= 0; p <= 0 or r <= 1
an element is below a row with its tokens
    p=1 q=0 r=1, r -> q + r; p >= 1 and q >= 1; p <= 0 or q <= 0; p <= 1 or r <= 0
the first of several clauses is kept
    p=0 q=0 r=0, -> p; p >= 1; p <= 0; q <= 0; q <= 0 or r <= 0
the last of several clauses is kept
    p=0 q=0 r=0, -> p; p >= 1; q <= 0 or r <= 0; q <= 0; p <= 0
a clause between others is kept
    p=1 q=0 r=0 s=0, -> q; p >= 1 and q >= 1; r <= 0 or s <= 0; r <= 0; p <= 0 or q <= 0;
        p <= 0 or s <= 0; s <= 0
every minimal element of a sum is kept away
    p=1 q=0, -> q; p >= 1 and q >= 1; any(p + q <= 1)
every minimal element of a weighted sum is kept away
    p=1 q=0, -> q; p >= 1 and q >= 1; any(2*p + 3*q <= 4)
too many minimal elements are not passed over
    p=10**6 q=0 r=0, -> q; p + q + r >= 10 ** 6 + 1; any(p + q + r <= 10 ** 6)
an equality is kept
    p=0, -> p; p >= 1; p == 0
a residue is kept
    p=0, -> p; p == 1; p % 3 == 0
a negation is kept
    p=0, -> p; p >= 1; not (p >= 1)
a nested conjunction is kept
    p=0, -> p; p >= 1; all(p <= 0)
a clause with an equality is kept
    p=0, -> p; p >= 1; any(p == 0)
a clause with a negative coefficient is kept
    p=0 q=0, -> p; p >= 1 and q <= 0; any(p - q <= 0)
a clause with a negative coefficient behind others is kept
    p=0 q=0, -> q; q >= 1 and p <= 0; q - p <= 0 or q <= 0
every transition keeps it, the last as well
    p=0, ->, u: -> p; p >= 1; p <= 0
every transition keeps it, the first as well
    p=0, -> p, u: ->; p >= 1; p <= 0
a bound is exact at {n}
    p={n}, -> p; p >= {n} + 1; p <= {n}
a clause is exact at {n}
    p={n} q=1, -> p; p >= {n} + 1 and q >= 1; p <= {n} or q <= 0
a clause is exact where {n} are put
    p=0 q=1, -> {n} p; p >= {n} and q >= 1; p <= {n} - 1 or q <= 0
a clause is exact where {n} are taken
    p={n} q=0, {n} p -> q; q >= 1; p <= 0 or q <= 0; q <= 0
# guarded
a guard without reason is not excluded
    p=1, p -> p
nothing is not excluded
    , ->
a bound that is met does not exclude
    p=1, p -> p; p <= 1
a bound on another place does not exclude
    p=1 q=0, p -> p; q <= 0
a clause that is met does not exclude
    p=1 q=1, p + q -> p + q; p <= 0 or q <= 1
a clause does not exclude one of its places
    p=1 q=0, p -> p; p <= 0 or q <= 0
a clause does not exclude other places, as many as its own
    p=1 q=0 r=1, p + r -> p + r; p <= 0 or q <= 0; q <= 5 or r <= 5
a clause of a sum does not exclude some of its places
    p=0 q=1 r=1, q + r -> q + r; any(p + q + r <= 2)
what is put does not exclude
    p=1, p -> 2 p; p <= 1
a clause that always holds does not exclude
    p=1, p -> p; p <= 0 or 0 <= 0
a clause of nothing does not exclude
    p=1, p -> p; 0 <= 0
a bound of nothing does not exclude
    p=1, p -> p; -1 <= 0
"""),
    Row(
        "what is no conjunction is kept",
        net({"p": 0}, t="-> p"),
        at_least(p, 1),
        Certificate(at_most(p, 0), CoverHints(())),
    ),
)

FALSE_HALF_SPACES = rows("""
# covering
what other places lose does not count
    p=1 q=0 x=1, x -> p; p + q >= 2; p + q <= 1
what is put on other places does not count
    p=2 q=0 x=0, 2 p -> x; p + q <= 1; p + q >= 2
what is put counts
    p=1 q=0, -> p; p + q >= 2; p + q <= 1
what is put counts with its weight
    p=2 q=0, p -> q; p + 2*q >= 3; p + 2*q <= 2
what a place with a negative weight loses counts
    p=1 q=1, q ->; p - q >= 1; p - q <= 0
a bound with a positive weight is not kept by what is put
    p=1 q=0, -> p; p - q >= 2; p - q <= 1
a bound with a positive weight behind others is not kept by what is put
    p=0 q=1, -> q; q - p >= 2; q - p <= 1
a trap is marked by what is put
    p=1 q=0, p ->; p + q <= 0; p + q >= 1
a trap is marked enough by what is put
    p=2 q=0, 2 p -> q; p + q <= 1; p + q >= 2
a trap is marked by what is put with its weight
    p=2 q=0, 2 p -> q; 2*p + q <= 1; 2*p + q >= 2
the last half-space is kept
    p=1 q=0 r=1, -> p; p + q >= 2; q + r <= 1; q - r <= 0; p + q <= 1
the first half-space is kept
    p=1 q=0 r=1, -> p; p + q >= 2; p + q <= 1; q - r <= 0; q + r <= 1
a half-space is kept where its last place grows
    p=1 q=0, -> q; p + q >= 2; p + q <= 1
a half-space that is met keeps no clause
    r=1 s=0 x=1, x -> x + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + x <= 2
a half-space within the clauses that is met keeps no clause
    r=1 s=0 x=1, x -> x + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r <= 8 or x <= 8; r + x <= 2
a bound that is met keeps no clause
    p=1 q=1 r=0, -> p; p >= 2 and q >= 1; p <= 1 or q <= 0; q <= 1
a bound that keeps one clause keeps no other
    p=1 q=0 r=1, -> q; q >= 1 and r >= 1; p <= 1 or q <= 0; r <= 0 or q <= 0; p <= 1
a half-space that keeps one clause keeps no other
    p=1 q=0 r=1 s=0, -> q; q >= 1 and r >= 1; p <= 0 or s <= 0 or q <= 0; r <= 0 or q <= 0;
        p + s <= 1
a half-space does not count what is taken from other places
    r=1 s=0 x=1 y=1, x + y -> x + y + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + x <= 2
tokens outside the clauses are those that are taken
    r=1 s=0 x=1 y=0, x -> y + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + x + y <= 2
a half-space is exact at {n}
    p={n} q=0, -> p; p + q >= {n} + 1; p + q <= {n}
a marked trap is exact at {n}
    p={n} q=0, p ->; p + q <= {n} - 1; p + q >= {n}
a half-space with {n} keeps no clause
    r=1 s=0 x=1, x -> x + s; r >= 1 and s >= 1; r <= 0 or s <= 0; {n}*r + {n}*x <= 2*{n}
# guarded
a half-space that is met does not exclude
    p=1 q=0, p -> p; p + q <= 1
a half-space that is met by weights does not exclude
    p=1 q=1, p + q -> p + q; 2*p + q <= 3
a half-space with a negative weight does not exclude
    p=1 q=1, p -> p; p - q <= 0
a half-space with a negative weight in front does not exclude
    p=1 q=1, q -> q; q - p <= 0
a marked trap does not exclude
    p=1 q=0, p -> p; p + q >= 1
a sum has no negative multiplier
    p=2 q=0, 2 p -> 2 p; p + q >= 1; sum 1: -1
a sum has no negative multiplier behind others
    p=2 q=0, 2 p -> 2 p; p + q <= 4; p + q >= 1; sum 1: 1, 2: -2
a sum that is met does not exclude
    p=1 q=0, p -> p; p + q <= 1; sum 1: 2; sum 1: 1, 1: 1
a sum that cancels out does not exclude
    p=1 q=1, p -> p; p - q <= 0; q - p <= 0; sum 1: 1, 2: 1
a sum counts all of its parts
    p=2 q=1 r=0, 2 p + q -> 2 p + q; p - q <= 1; 2*q + r <= 2; sum 1: 1, 2: 1
a sum counts multipliers of its parts
    p=2 q=1 r=0, 2 p -> 2 p; p - q <= 1; q + r <= 1; sum 1: 1, 2: 3; sum 2: 3, 1: 1
a sum names conjuncts only
    p=1, p -> p; sum 9: 1; sum 1: 1; sum -9: 1; sum 0: 0
a sum names inequalities only
    p=1 q=0, p -> p; p <= 1 or q <= 0; sum 1: 1
a half-space excludes exactly at {n}
    p={n} q=1, {n} p + q -> {n} p + q; {n}*p + q <= {n}*{n} + 1; sum 1: {n}
""")

FALSE_COVERS = rows("""
# covering
a bound that is met misses nothing
    p=1; p >= 1; p <= 1
a bound on another place misses nothing
    p=1 q=0; p >= 1; q <= 0
no conjuncts miss nothing
    p=1; p >= 1
weights are divided exactly
    p=2; 2*p >= 3; p <= 2
weights are divided exactly where nothing is left
    p=2; 2*p >= 4; p <= 2
every minimal marking of a sum is missed
    p=1 q=1; p + q >= 2; p <= 1; q <= 1
every minimal marking of a sum is missed, the last as well
    p=0 q=1; p + q >= 1; p <= 0; q <= 1
every minimal marking of a sum is missed, the first as well
    p=1 q=0; p + q >= 1; p <= 1; q <= 0
every minimal marking of a weighted sum is missed
    p=1 q=1; 2*p + 3*q >= 5; p <= 2; q <= 1
too many minimal markings are not missed
    p=10**9 q=0; p + q >= 10 ** 9; p <= 10 ** 9
too many cases are not missed
    p=2000 q=2000 r=0; p >= 2000; p - q - r <= 0
every cube is missed, the last as well
    p=1; p >= 5 or p == 1; p <= 4
every cube is missed, the first as well
    p=1; p == 1 or p >= 5; p <= 4
an upper bound of the target demands nothing
    p=1; p <= 5; p <= 3
what is subtracted in the target demands nothing
    p=1 q=0; p >= q + 1; p <= 1; q <= 0
an equality demands its number
    p=2; p == 2; p <= 2
an equality of places demands no more than what is true of some
    p=2 q=2; p == q; p <= 2; q <= 2
a residue of the target demands nothing
    p=2; p % 3 == 2; p <= 2
the negation of a residue demands nothing
    p=1; not (p % 3 == 0); p <= 1
a half-space that is met demands nothing
    p=1 r=0; p >= 1; p - 2*r <= 1; r <= 0
a half-space does not count places that are not demanded
    p=1 x=0 r=0; p >= 1; p + x - r <= 1; r <= 0
a half-space demands no more than what is missing
    p=2 r=1; p >= 2; p - 2*r <= 0; r <= 1
a half-space demands no more than what is missing above its bound
    p=2 r=1; p >= 2; p - r <= 1; r <= 1
a half-space demands it of any of its places, the first as well
    p=1 q=1 r=0; p >= 1; p - q - r <= 0; r <= 0
a half-space demands it of any of its places, the last as well
    p=1 q=0 r=1; p >= 1; p - q - r <= 0; q <= 0
a half-space counts what is there already
    p=2 r=1; p >= 2 and r >= 1; p - r <= 1; r <= 1
a half-space without negative weights demands nothing
    p=1 q=0; p >= 1; p + q <= 1
a marked trap demands a token on one of its places
    p=1 q=0; q <= 0; p + q >= 1; q <= 0
a marked trap demands a token and no more
    p=1 q=0; p >= 1; p + q >= 1; q <= 0; p <= 1
the invariant holds somewhere
    p=1; all(); p <= 1
a demand is exact at {n}
    p={n}; p >= {n}; p <= {n}
a demand is exact at {n}, in clauses
    p={n} q={n}; p >= {n} and q >= {n}; p <= {n} - 1 or q <= {n}
a half-space demands exactly at {n}
    p={n} r=1; p >= {n}; p - {n}*r <= 0; r <= 1
""")

TRUE_CLAUSES = rows("""
# guarded
a bound excludes
    p=1, 2 p -> 2 p; p <= 1
a half-space excludes
    p=1 q=0, p + q -> p + q; p + q <= 1
a clause excludes
    p=1 q=0, p + q -> p + q; p <= 0 or q <= 0
a sum excludes
    p=1 q=1 r=0, 2 p -> 2 p; p - q <= 0; q + r <= 1; sum 1: 1, 2: 1
a sum with multipliers excludes
    p=2 q=1 r=0, 3 p -> 3 p; p - 2*q <= 0; q + r <= 1; sum 1: 1, 2: 2
a sum excludes by its first half-space
    p=1 q=1 r=0, 2 p -> 2 p; q + r <= 1; p - q <= 0; sum 2: 1, 1: 1
false excludes all
    p=0, 2 p -> 2 p; p <= 1; p <= 0
# covering
the first conjunct may be part of a sum
    p=1 q=1 r=0 s=0, 2 p -> 2 p + s; s >= 1; q + r <= 1; p - q <= 0; s <= 0; sum 0: 1, 1: 1
a clause is kept by another clause
    p=1 q=0 r=0, r -> q + r; p >= 1 and q >= 1; p <= 0 or q <= 0; p <= 0 or r <= 0
a clause is kept by a bound
    p=1 q=0 r=0, p + r -> p + q + r; p >= 1 and q >= 1; p <= 0 or q <= 0; r <= 0
a clause is kept by a half-space
    r=1 s=0 x=0, x -> x + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + x <= 1
a clause is kept by a bound on one of its places
    p=1 q=0, -> q; p >= 2 and q >= 1; p <= 1 or q <= 0; p <= 1
a clause is kept by the first of two half-spaces
    r=1 s=0 x=0 y=0, x + y -> x + y + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + x <= 1;
        r + 2*x <= 9
a clause is kept by the last of two half-spaces
    r=1 s=0 x=0 y=0, x + y -> x + y + s; r >= 1 and s >= 1; r <= 0 or s <= 0; r + 2*x <= 9;
        r + x <= 1
a trap is kept marked
    p=1 q=0, p -> q; p + q >= 5; p + q >= 1; p + q <= 1
a trap is kept marked by what is put alone
    p=2 q=0 r=1, 2 p -> q; r >= 2; p + q >= 1; r <= 1
a trap is kept marked by what is put alone, with its weight
    p=3 q=0 r=1 x=0, 3 p -> 2 q + x; r >= 2; p + q >= 2; r <= 1
a half-space is kept by a transition that is excluded
    p=1 q=0 r=0, r -> p; p + q >= 2; p + q <= 1; r <= 0
minimal markings are missed
    p=1 q=0; 2*p + 3*q >= 5; p + q <= 1
half-spaces demand what is missed
    p=1 r=0; p >= 2; p - 2*r <= 1; r <= 0
half-spaces demand what is missed, exactly
    p=2 r=1; p >= 3; p - 2*r <= 0; r <= 1
half-spaces demand what is missed, beside what is there
    p=0 r=0; p >= 1; p - r <= 0; p <= 0 or r <= 0
an equality demands its number
    p=1; p == 2; p <= 1
an equality demands both ways
    p=1; -p == -2; p <= 1
a clause is kept at {n}
    p={n} q=0, p -> p; p >= {n} and q >= 1; p <= {n} - 1 or q <= 0
a half-space keeps a clause at {n}
    r=1 s=0 x=0, x -> x + s; r >= 1 and s >= 1; r <= 0 or s <= 0; {n}*r + {n}*x <= 2*{n} - 1
""")
