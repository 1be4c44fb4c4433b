"""Nets of classes that behave otherwise, each refused by one rule of the audit alone.

That they do is shown by brute force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import pytest
from coloured_nets import all_of, has_same_behaviour, one, same

from petricheck.evidence.audit.colours.merging import check_merging
from petricheck.model.coloured.classes import Classes, Merging, net_of_classes
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import (
    Enumeration,
    Partition,
    Product,
    Quotient,
    Range,
    Sort,
)
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Some,
    Summand,
    Tuple,
    Variable,
)
from petricheck.support.errors import EvidenceError

S = Enumeration("S", ("a", "b", "c"), cyclic=True)
TWO = Enumeration("Two", ("a", "b"))
PAIR = Product("Pair", (S, S))
ODD = Partition("Odd", S, ("odd", "even"), (0, 1, 0))
A, B, C = (Constant(S, colour) for colour in range(3))
X, Y = Variable("x", S), Variable("y", S)
Z = Variable("z", PAIR)

WHOLE, TURNED = (0, 0, 0), (1, 0, 2)
"""All colours in one class; each in its own, by another number."""
CLASS, LIKE = Quotient(S, WHOLE), Quotient(S, TURNED)
ANY = Constant(CLASS, 0)
XT, YT = Variable("x", LIKE), Variable("y", LIKE)

Row: TypeAlias = tuple[Merging, ColouredNet]


def net(
    initial: Multiset,
    pre: Multiset = (),
    post: Multiset = (),
    guard: Guard = TRUE,
    *,
    sorts: tuple[Sort, Sort] = (S, S),
    second: Multiset = (),
) -> ColouredNet:
    """From p to q; with tokens on q as well, from both."""
    places = (Place("p", sorts[0], initial), Place("q", sorts[1], second))
    arcs = ((0, pre), (1, post)) if second else ((0, pre),)
    puts = () if second else ((1, post),)
    return ColouredNet("n", places, (Transition("t", arcs, puts, guard),))


def merged(
    original: ColouredNet,
    p: tuple[Classes, ...],
    q: tuple[Classes, ...] = (None,),
    image: ColouredNet | None = None,
    **variables: Classes,
) -> Row:
    """By default the net of these classes; they behave otherwise."""
    merging = Merging(original, (p, q), (variables,))
    return merging, image or net_of_classes(merging)


def differing(original: ColouredNet, image: ColouredNet, q: Classes = None) -> Row:
    """No colours of p are merged, and the other net differs."""
    return merged(original, (None,), (q,), image, x=None, y=None)


def renumbered(original: ColouredNet, image: ColouredNet, *, p: bool, q: bool) -> Row:
    """Classes of y, and of the places, have other numbers than their colours."""
    classes = tuple((TURNED if turned else None,) for turned in (p, q))
    return merged(original, *classes, image, x=TURNED if p else None, y=TURNED)


def guarded(guard: Guard) -> ColouredNet:
    """Two tokens can be taken, for which it holds."""
    return net(one(A, B), one(X, Y), (), guard)


HALF = (0, 1, 1)
CYCLE = (1, 2, 0)


def cycled(guard: Guard, image: Guard) -> Row:
    """The classes of a, b and c are numbers 1, 2 and 0; there is an a."""
    sort = Quotient(S, CYCLE)
    other = net(one(Constant(sort, 1)), one(Variable("x", sort)), (), image, sorts=(sort, S))
    return merged(net(one(A), one(X), (), guard), (CYCLE,), image=other, x=CYCLE)


XC = Variable("x", Quotient(S, CYCLE))

FALSE: Mapping[str, Row] = {
    # One token is as good as any other of its class.
    "taken twice by an arc": merged(net(one(A, B), one(X, X)), (WHOLE,), x=WHOLE),
    "the first of two variables is taken twice": merged(
        net(one(A, B, C), one(X, X, Y)), (WHOLE,), x=WHOLE, y=WHOLE
    ),
    "the last of two variables is taken twice": merged(
        net(one(A, B, C), one(X, X, Y)), (WHOLE,), y=WHOLE, x=WHOLE
    ),
    "taken by two arcs": merged(
        net(one(A), one(X), one(X), second=one(B)), (WHOLE,), (WHOLE,), x=WHOLE
    ),
    "two tokens of one colour": merged(net(one(A, B), (Summand(2, X),)), (WHOLE,), x=WHOLE),
    "as many tokens of one colour as others are": merged(
        net(one(A, B, C), (Summand(1, X, (Y,)),)), (WHOLE,), x=WHOLE
    ),
    "a token of each colour": merged(net((Summand(3, A),), all_of(S)), (WHOLE,)),
    "two tokens whose first component is merged": merged(
        net(one(Tuple((A, A)), Tuple((B, A))), (Summand(2, Tuple((X, Y))),), sorts=(PAIR, S)),
        (WHOLE, None), x=WHOLE, y=None,
    ),
    "a colour whose first component is merged": merged(
        net(one(Tuple((B, A))), one(Tuple((A, Y))), sorts=(PAIR, S)), (WHOLE, None), y=None
    ),
    "a colour whose last component is merged": merged(
        net(one(Tuple((A, B))), one(Tuple((X, A))), sorts=(PAIR, S)), (None, WHOLE), x=None
    ),
    "the first of two colours": merged(
        net(one(Constant(TWO, 1)), one(Constant(TWO, 0)), sorts=(TWO, S)), ((0, 0),)
    ),
    "the last of two colours": merged(
        net(one(Constant(TWO, 0)), one(Constant(TWO, 1)), sorts=(TWO, S)), ((0, 0),)
    ),
    "a colour of a guard": merged(net(one(B), one(X), (), same(X, A)), (WHOLE,), x=None),
    "a part of a class": merged(net(one(A), one(X), (), same(X, C)), (WHOLE,), x=(0, 0, 1)),
    "a class of which another one is taken whole": merged(
        net(one(B), one(X), (), same(X, A)),
        ((0, 0, 1),),
        image=net(
            one(Constant(Quotient(S, (0, 0, 1)), 0)),
            one(ElementOf(Quotient(S, (0, 0, 1)), X)),
            (),
            same(X, A),
            sorts=(Quotient(S, (0, 0, 1)), S),
        ),
        x=None,
    ),
    "only the first class is not taken whole": merged(
        net(one(Constant(ODD, 1)), one(ElementOf(ODD, X)), (), same(X, A), sorts=(ODD, S)),
        ((0, 0),), x=HALF,
    ),
    "only the last class is not taken whole": merged(
        net(one(Constant(ODD, 1)), one(ElementOf(ODD, X)), (), same(X, C), sorts=(ODD, S)),
        ((0, 0),), x=(0, 0, 1),
    ),
    # The other net has the same arcs.
    "tokens on the last place": differing(net(one(A)), net(one(A), second=one(B))),
    "fewer tokens": differing(
        net(one(A), one(X), (Summand(3, A),)), net(one(A), one(X), (Summand(2, A),))
    ),
    "a token for all": differing(
        net(one(A), one(X), all_of(S)),
        net(one(A), one(X), one(ANY), sorts=(S, CLASS)),
        WHOLE,
    ),
    "all for a token": differing(
        net(one(A), one(X), one(A)),
        net(one(A), one(X), (Summand(1, ANY, (Y,)),), sorts=(S, CLASS)),
        WHOLE,
    ),
    "another colour": differing(net(one(A), one(X), one(A)), net(one(A), one(X), one(B))),
    "another class": differing(
        net(one(A), one(X), one(A)), net(one(A), one(X), one(A), sorts=(S, LIKE)), TURNED
    ),
    "another first component": merged(
        net(one(A), one(X), one(Tuple((A, A))), sorts=(S, PAIR)),
        (None,), (None, None), x=None,
        image=net(one(A), one(X), one(Tuple((B, A))), sorts=(S, PAIR)),
    ),
    "another last component": merged(
        net(one(A), one(X), one(Tuple((A, A))), sorts=(S, PAIR)),
        (None,), (None, None), x=None,
        image=net(one(A), one(X), one(Tuple((A, B))), sorts=(S, PAIR)),
    ),
    "a component of a larger sort": merged(
        net(one(A), one(X), one(Tuple((B, A))), sorts=(S, PAIR)),
        (None,), (None, None), x=None,
        image=net(
            one(A), one(X), one(Tuple((B, Constant(Range("R", 0, 3), 0)))), sorts=(S, PAIR)
        ),
    ),
    "another pair": merged(
        net(one(Constant(PAIR, 3)), one(Z), one(Z), sorts=(PAIR, PAIR)),
        (None, None), (None, None), z=None,
        image=net(
            one(Constant(PAIR, 3)), one(Z), one(Constant(PAIR, 0)), sorts=(PAIR, PAIR)
        ),
    ),
    "pairs that are merged in part": merged(
        net(one(Tuple((B, A))), one(Z), (), same(Z, Constant(PAIR, 3)), sorts=(PAIR, S)),
        (None, WHOLE), z=None,
        image=net(
            one(Tuple((B, ANY))), one(Z), (), same(Z, Constant(PAIR, 3)),
            sorts=(Product("", (S, CLASS)), S),
        ),
    ),
    "to another place": differing(
        net(one(A), one(X), one(A)),
        replace(
            net(one(A)), transitions=(Transition("t", ((0, one(X)),), ((0, one(A)),)),)
        ),
    ),
    "a variable that ranges, called as one that is merged": merged(
        net(one(A), one(X), (Summand(1, Variable("x", TWO), (Variable("x", TWO),)),),
            sorts=(S, TWO)),
        (WHOLE,), ((0, 0),), x=WHOLE,
        image=net(
            one(ANY), one(ANY),
            (Summand(1, Variable("x", Quotient(TWO, (0, 0))), (Variable("x", TWO),)),),
            sorts=(CLASS, Quotient(TWO, (0, 0))),
        ),
    ),
    # The other net has the same bindings.
    "a larger variable": differing(
        guarded(Not(same(Variable("z", TWO), Variable("z", TWO)))),
        guarded(Not(Some((
            same(Variable("z", S), Constant(S, 0)), same(Variable("z", S), Constant(S, 1))
        )))),
    ),
    "another first condition": differing(
        guarded(All((same(X, C), same(Y, B)))), guarded(All((same(X, A), same(Y, B))))
    ),
    "another last condition": differing(
        guarded(All((same(X, A), same(Y, C)))), guarded(All((same(X, A), same(Y, B))))
    ),
    "another of several": differing(
        guarded(Some((same(X, C), same(Y, C)))), guarded(Some((same(X, C), same(Y, B))))
    ),
    "another condition that must not hold": differing(
        guarded(All((same(Y, B), Not(same(X, A))))), guarded(All((same(Y, B), Not(same(X, B)))))
    ),
    "a condition of other numbers": renumbered(
        net(one(A), one(X), (), same(X, A)),
        net(one(Constant(LIKE, 1)), one(XT), (), same(X, A), sorts=(LIKE, S)),
        p=True, q=False,
    ),
    "a term of other numbers": renumbered(
        net(one(A), one(X), one(X), same(X, A)),
        net(
            one(Constant(LIKE, 1)), one(XT), one(X), same(XT, Constant(LIKE, 1)),
            sorts=(LIKE, S),
        ),
        p=True, q=False,
    ),
    "a condition the wrong way round": cycled(
        All((same(X, A),)), All((same(XC, Constant(XC.sort, 2)),))
    ),
    "a condition that must not hold, the wrong way round": cycled(
        Not(same(X, C)), Not(same(XC, Constant(XC.sort, 1)))
    ),
    "a comparison with other numbers": renumbered(
        net(one(A), one(X), one(Y), All((same(X, Y), same(Y, A))), second=one(A)),
        net(
            one(A), one(X), one(YT), All((same(X, Y), same(YT, Constant(LIKE, 1)))),
            second=one(Constant(LIKE, 1)), sorts=(S, LIKE),
        ),
        p=False, q=True,
    ),
    "a comparison of other numbers": renumbered(
        net(one(A), one(X), one(Y), All((same(Y, X), same(Y, A))), second=one(A)),
        net(
            one(A), one(X), one(YT), All((same(Y, X), same(YT, Constant(LIKE, 1)))),
            second=one(Constant(LIKE, 1)), sorts=(S, LIKE),
        ),
        p=False, q=True,
    ),
    "a class without colours, of a guard": merged(
        net(one(A), one(X), (), Comparison("!=", Y, Y)), (None,), x=None, y=(0, 0, 2),
        image=net(
            one(A), one(X), (),
            same(Variable("y", Quotient(S, (0, 0, 2))), Constant(Quotient(S, (0, 0, 2)), 1)),
        ),
    ),
    "a class without colours": merged(
        net(one(A), one(X), one(Y)), (None,), ((0, 0, 2),), x=None, y=(0, 0, 2)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_classes_that_behave_otherwise_are_refused(name: str) -> None:
    merging, image = FALSE[name]
    assert not has_same_behaviour(merging.original, image, merging)
    with pytest.raises(EvidenceError, match="do not behave alike"):
        check_merging(image, merging)


OTHERS = Enumeration("S", ("b", "a", "c"), cyclic=True)
MIXED = Product("Mixed", (S, TWO))
PLAIN = net(one(A), one(X), one(A))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (differing(PLAIN, replace(PLAIN, places=(PLAIN.places[0], Place("o", S)))), "place q"),
        (differing(PLAIN, replace(PLAIN, places=(PLAIN.places[0], Place("r", S)))), "place q"),
        (differing(PLAIN, net(one(A), one(X), one(A), sorts=(S, OTHERS))), "place q"),
        (differing(PLAIN, net(one(A), one(X), one(A), sorts=(OTHERS, S))), "place p"),
        (differing(PLAIN, net(one(A), one(Variable("x", OTHERS)), one(A))), "variable x"),
        (
            merged(
                net(one(A), sorts=(S, MIXED)),
                *((None,), (None, None)),
                net(one(A), sorts=(S, Product("", (TWO, S)))),
            ),
            "place q",
        ),
        (
            merged(
                net(one(A), sorts=(S, MIXED)),
                *((None,), (None, None)),
                net(one(A), sorts=(S, Product("", (S, Product("", (TWO,)))))),
            ),
            "place q",
        ),
        (
            merged(PLAIN, (WHOLE,), image=net(one(Constant(CLASS, 0)), one(ANY), one(A)), x=WHOLE),
            "place p",
        ),
    ],
)
def test_other_names_are_refused(row: Row, why: str) -> None:
    merging, image = row
    with pytest.raises(EvidenceError, match=f"do not behave alike: another {why}"):
        check_merging(image, merging)


@pytest.mark.parametrize("q", [(WHOLE, WHOLE), (WHOLE, None), (None, WHOLE)])
def test_subtractions_of_merged_colours_are_refused(q: tuple[Classes, Classes]) -> None:
    """What is less than nothing of one colour may be something of its class."""
    puts = (Summand(2, Tuple((A, A))), Summand(-1, Tuple((B, B))))
    for original in (
        net((), sorts=(S, PAIR), second=puts),
        net(one(A), one(X), puts, sorts=(S, PAIR)),
    ):
        merging, image = merged(original, (None,), q, x=None)
        with pytest.raises(EvidenceError, match="a subtraction of merged colours"):
            check_merging(image, merging)
