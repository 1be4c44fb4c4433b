"""Colours that behave alike: what is merged, that nothing is lost, and what the audit refuses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import coloured_nets
import pytest
from coloured_nets import all_of, has_same_behaviour, one, same
from hypothesis import given, settings
from invoked import run, settled
from property_files import at_least, ef, write_properties

from petricheck.evidence import standalone
from petricheck.evidence.audit.colours.merging import check_merging
from petricheck.evidence.audit.colours.unfolding import check_unfolding
from petricheck.formats.nets import NetFile
from petricheck.model.coloured import merging, possible
from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.merging import merge, unfold_merged
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
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Shifted,
    Summand,
    Tuple,
    Variable,
)
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


@given(coloured_nets.coloured_nets())
def test_merged_colours_reach_and_enable_the_same(net: ColouredNet) -> None:
    if result := merge(net):
        check_merging(*result)
        assert has_same_behaviour(net, *result)


SLIPS = (AssertionError, KeyError, ValueError)
"""What `merge` ends in where it is broken, if it ends in nothing worse."""


@pytest.mark.parametrize("careless", ["keep_apart", "cut", "turn"])
@settings(max_examples=15)
@given(coloured_nets.coloured_nets())
def test_what_is_merged_by_mistake_is_refused(careless: str, net: ColouredNet) -> None:
    result = None
    with pytest.MonkeyPatch.context() as patch, suppress(*SLIPS):
        patch.setattr(merging._Groups, careless, lambda *_: None)
        result = merge(net)
    if result is not None:
        with suppress(EvidenceError):
            check_merging(*result)
            assert has_same_behaviour(net, *result)


RING = Enumeration("Ring", tuple("abcdef"), cyclic=True)
SPEED = Range("Speed", 1, 9)
X, Y = (Variable(name, RING) for name in "xy")
V, W = (Variable(name, SPEED) for name in "vw")


def pipe(sort: Sort, pre: Multiset, post: Multiset, guard: Guard = TRUE) -> ColouredNet:
    """From p to q, where p is full at first."""
    places = (Place("p", sort, all_of(sort)), Place("q", sort))
    return ColouredNet("n", places, (Transition("t", ((0, pre),), ((1, post),), guard),))


FAST = Comparison(">", V, Constant(SPEED, 5))
SOME_FAST = (0,) * 6 + (1,) * 3
ODD = Partition("Parity", SPEED, ("odd", "even"), (0, 1) * 4 + (0,))
IS_ODD = Comparison("=", ElementOf(ODD, V), Constant(ODD, 0))


@pytest.mark.parametrize(
    ("net", "classes"),
    [
        (pipe(RING, one(X), one(X)), (0,) * 6),
        (pipe(RING, one(X, Y), one(X, X)), (0,) * 6),
        (pipe(RING, one(X), (Summand(3, Shifted(X, 1)),)), (0,) * 6),
        (pipe(RING, one(X), one(Y)), (0,) * 6),
        (pipe(RING, one(X), all_of(RING)), (0,) * 6),
        (pipe(RING, one(X, X), one(X)), None),
        (pipe(RING, (Summand(2, X),), one(X)), None),
        (pipe(RING, all_of(RING), one(X)), None),
        (pipe(RING, one(X, Y), one(X), Comparison("!=", X, Y)), None),
        (pipe(RING, one(Constant(RING, 2)), one(X)), (0, 0, 1, 0, 0, 0)),
        (pipe(RING, one(X), one(X), Comparison("=", X, Constant(RING, 1))), (0, 1, 0, 0, 0, 0)),
        (pipe(RING, one(X), one(Shifted(X, 1)), Comparison("=", X, Constant(RING, 1))), None),
        (pipe(SPEED, one(V), one(V), FAST), SOME_FAST),
        (pipe(SPEED, one(V), one(V), IS_ODD), (0, 1) * 4 + (0,)),
    ],
)
def test_colours_are_merged_that_nothing_tells_apart(
    net: ColouredNet, classes: tuple[int, ...] | None
) -> None:
    result = merge(net)
    if result is None:
        assert classes is None
        return
    check_merging(*result)
    assert result[1].places[0] == (classes,)
    assert has_same_behaviour(net, *result)


def test_classes_are_named_by_their_colours() -> None:
    flat = unfold_merged(pipe(SPEED, one(V), one(V), FAST), Budget())
    assert flat is not None
    assert flat.places == ("p({1..6})", "p({7..9})", "q({7..9})")
    assert flat.initial == (6, 3, 0)
    assert [transition.name for transition in flat.transitions] == ["t(v={7..9})"]
    check_unfolding(flat)


def test_a_class_lists_all_of_its_colours_and_no_others() -> None:
    odd = unfold_merged(pipe(SPEED, one(V), one(V), IS_ODD), Budget())
    assert odd is not None
    assert odd.places == ("p({1, 3, 5, 7, 9})", "p({2, 4, 6, 8})", "q({1, 3, 5, 7, 9})")


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ((0, 0, 1, 0, 1), "{3, 4, 6}"),
        ((0, 1, 0, 0, 0), "{3, 5..7}"),
        ((0, 0, 0, 1, 0), "{3..5, 7}"),
        ((0, 0, 1, 1, 1), "{3, 4}"),
        ((0, 1, 1, 1, 1), "3"),
        ((0, 0, 0, 0, 0), "_"),
    ],
)
def test_a_class_has_the_text_of_its_colours(part: tuple[int, ...], text: str) -> None:
    assert Quotient(Range("", 3, 7), part).text(0) == text


def test_different_classes_have_different_texts_however_long() -> None:
    many = Range("Many", 1, 300)
    classes = Quotient(many, tuple(colour % 3 % 2 for colour in range(300)))
    first, second = map(classes.text, range(2))
    assert first != second and max(len(first), len(second)) < 200
    assert first.endswith(", … 161 more}") and second.endswith(", … 80 more}")
    shorter = Quotient(Range("", 1, 40), (0, 1) * 20)
    assert shorter.text(1) == f"{{{', '.join(str(number) for number in range(2, 41, 2))}}}"


@pytest.mark.parametrize("fourth", ["d", "a..c", "{a..c}", "dot", "_"])
def test_what_colours_are_called_does_not_matter(fourth: str) -> None:
    sort = Enumeration("E", ("a", "b", "c", fourth, "f"))
    x = Variable("x", sort)
    result = merge(pipe(sort, one(x), one(x), Comparison(">", x, Constant(sort, 2))))
    assert result is not None and result[1].places[0] == ((0, 0, 0, 1, 1),)


def test_one_class_is_a_place_of_plain_tokens() -> None:
    resource = Product("Owned", (SPEED, RING))
    places = (Place("free", RING, all_of(RING)), Place("owner", SPEED, all_of(SPEED)))
    taken = Place("taken", resource)
    take = Transition("take", ((0, one(X)), (1, one(V))), ((2, one(Tuple((V, X)))),))
    give = Transition("give", ((1, one(W)), (2, one(Tuple((V, X))))), ((0, one(X)),), same(V, W))
    net = ColouredNet("n", (*places, taken), (take, give))
    flat = unfold_merged(net, Budget())
    assert flat is not None
    assert flat.places[0] == "free" and flat.initial[0] == RING.size
    assert flat.places[-1] == "taken(9, _)"
    assert len(flat.transitions) == 2 * SPEED.size
    check_unfolding(flat)


@pytest.mark.parametrize(
    "slip",
    [
        lambda how: replace(how, places=(((0,) * 5 + (1,) * 4,), how.places[1])),
        lambda how: replace(how, places=(((0,) * 6 + (1,) * 2,), how.places[1])),
        lambda how: replace(how, places=(how.places[0],)),
        lambda how: replace(how, variables=({"v": (0,) * 9},)),
        lambda how: replace(how, variables=({"v": None},)),
        lambda how: replace(how, variables=({"v": (1, *SOME_FAST[1:])},)),
        lambda how: replace(how, original=pipe(SPEED, one(V), one(V))),
        lambda how: replace(how, original=pipe(SPEED, one(V, V), one(V), FAST)),
        lambda how: replace(how, original=pipe(SPEED, (Summand(2, V),), one(V), FAST)),
    ],
)
def test_the_audit_refuses_other_classes(slip: Callable[[Merging], Merging]) -> None:
    result = merge(pipe(SPEED, one(V), one(V), FAST))
    assert result is not None
    check_merging(*result)
    with pytest.raises(EvidenceError, match="do not behave alike"):
        check_merging(result[0], slip(result[1]))


@pytest.mark.parametrize(
    "slip",
    [
        lambda t: replace(t, guard=TRUE),
        lambda t: replace(t, post=()),
        lambda t: replace(t, pre=((1, t.pre[0][1]),)),
        lambda t: replace(t, post=((1, t.post[0][1] * 2),)),
        lambda t: replace(t, post=((1, (replace(t.post[0][1][0], count=2),)),)),
        lambda t: replace(t, name="other"),
    ],
)
def test_the_audit_refuses_another_net_of_classes(
    slip: Callable[[Transition], Transition],
) -> None:
    result = merge(pipe(SPEED, one(V), one(V), FAST))
    assert result is not None
    net, how = result
    with pytest.raises(EvidenceError, match="do not behave alike"):
        check_merging(replace(net, transitions=(slip(net.transitions[0]),)), how)
    more = replace(net.places[0], initial=net.places[0].initial * 2)
    with pytest.raises(EvidenceError, match="do not behave alike"):
        check_merging(replace(net, places=(more, net.places[1])), how)


def test_what_is_too_large_is_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so it is by the command of the contest, which asks of whole places and transitions."""
    source = pipe(RING, one(X, Y), one(X))
    file = NetFile(source, "", (), "n.pnml")
    assert file.net.places == tuple(f"{place}({colour})" for place in "pq" for colour in "abcdef")
    assert file.merged.places == ("p", "q")
    monkeypatch.setattr(possible, "MOST", 30)
    assert NetFile(source, "", (), "n.pnml").net.places == ("p", "q")


SPEEDS = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="Speed" name="Speed"><finiteintrange start="1" end="9"/></namedsort>
<variabledecl id="v" name="v"><usersort declaration="Speed"/></variabledecl>
</declarations></structure></declaration>
<page id="page">
<place id="p"><type><structure><usersort declaration="Speed"/></structure></type>
<hlinitialMarking><structure><all><usersort declaration="Speed"/></all></structure>
</hlinitialMarking></place>
<place id="q"><type><structure><usersort declaration="Speed"/></structure></type></place>
<transition id="t"/>
<arc id="a" source="p" target="t"><hlinscription><structure><numberof><subterm>
<numberconstant value="1"><positive/></numberconstant></subterm><subterm>
<variable refvariable="v"/></subterm></numberof></structure></hlinscription></arc>
<arc id="b" source="t" target="q"><hlinscription><structure><numberof><subterm>
<numberconstant value="1"><positive/></numberconstant></subterm><subterm>
<variable refvariable="v"/></subterm></numberof></structure></hlinscription></arc>
</page></net></pnml>"""
ALL = " ".join(f"t(v={speed})" for speed in range(1, 10))


@pytest.mark.parametrize(
    ("question", "trace"),
    [
        (("--formula", "q = 9"), ALL),
        (("--formula", "q(3) = 1 and p = 8"), "t(v=3)"),
        (("--bound", "q"), ALL),
        (("--bound", "q(3)"), "t(v=3)"),
        (("--deadlock",), ALL),
    ],
)
def test_of_large_nets_colours_are_merged_that_no_question_names(
    question: tuple[str, ...], trace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.formats.nets.NetFile", partial(NetFile, large=10))
    net, evidence = tmp_path / "net.pnml", tmp_path / "e.json"
    net.write_text(SPEEDS)
    told = settled(run(net, *question, "--evidence", evidence))
    assert f"\n  {trace}\n" in told.output
    assert "accepted" in settled(run("verify", net, evidence)).output
    assert "accepted" in settled(run("verify", net, evidence, *question)).output
    monkeypatch.undo()
    if trace != ALL:  # What names colours is told of the whole net in any case.
        settled(run("verify", net, evidence))


@pytest.mark.parametrize(
    ("formula", "result"),
    [
        ("q = 9", "undecided: 't(v=1)' is no transition of the net; its colours may be merged"),
        ("q(3) = 1", "undecided: 'q(3)' is no place of the net; its colours may be merged"),
        ("q >= 10", "accepted: unreachable"),
    ],
)
def test_the_standalone_checker_leaves_single_ones_of_merged_colours_to_verify(
    formula: str,
    result: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("petricheck.formats.nets.NetFile", partial(NetFile, large=10))
    net, flat, evidence = (tmp_path / name for name in ("net.pnml", "flat.pnml", "e.json"))
    net.write_text(SPEEDS)
    settled(run(net, "--formula", formula, "--evidence", evidence))
    settled(run("convert", net, flat))
    status = standalone.main([str(path) for path in (flat, evidence, net)])
    told = capsys.readouterr().out
    assert told.startswith(result)
    assert status == (0 if "accepted" in result else 1)
    assert ("verify ORIGINAL EVIDENCE" in told) == ("undecided" in result)


def test_files_of_properties_and_the_contest_may_name_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.formats.nets.NetFile", partial(NetFile, large=10))
    (tmp_path / "model.pnml").write_text(SPEEDS)
    for names in (("q", "p"), ("q", "q(3)")):
        asked = {f"x{number}": ef(at_least(1, name)) for number, name in enumerate(names)}
        properties = tmp_path / "ReachabilityCardinality.xml"
        write_properties(properties, **asked)
        for words in (
            (tmp_path / "model.pnml", "--properties", properties, "--mcc"),
            ("mcc", tmp_path, "--examination", "ReachabilityCardinality"),
        ):
            assert settled(run(*words)).stdout.count(" TRUE ") == 2
