"""The checker of one file unfolds coloured nets as petricheck does, and refuses other terms."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from coloured_documents import (
    SORTS,
    SQUARE,
    VARIABLES,
    arc,
    const,
    document,
    every,
    integer,
    label,
    named,
    number,
    place,
    sort,
    tag,
    times,
    tuple_of,
    var,
)
from coloured_random import random_net
from coloured_renamed import WORDS, renamed
from coloured_spelling import SAME
from coloured_spelling import document as random_document
from folders import NETS, SHARED

import petricheck
from petricheck.evidence import standalone
from petricheck.evidence.files.json import Json
from petricheck.formats.nets import read_net
from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.unfolding import unfold
from petricheck.questions.verification import evidence_of
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError

PLAIN_SORTS = re.sub(
    r"<namedsort id=\"c?r\".*?</namedsort>|<partition.*</partition>", "", SORTS, flags=re.S
)
"""Those that the checker knows: no ranges, no partitions."""
PAIRS = '<namedsort id="cf" name="CF"><productsort><usersort declaration="c"/>'
PAIRS += '<usersort declaration="f"/></productsort></namedsort>'
DECLARED = PLAIN_SORTS + re.sub(r"<variabledecl id=\"v[ij]\".*?</variabledecl>", "", VARIABLES)


def written(inside: str, declared: str = DECLARED + PAIRS) -> bytes:
    """A coloured net as a file, of which the checker knows the namespace."""
    return strict(document(inside, declared))


def strict(text: str) -> bytes:
    return text.replace("<pnml>", f'<pnml xmlns="{standalone.PNML}">', 1).encode()


def same(path: Path) -> bool:
    """Whether both make the same net of the coloured one in the file, with the same names."""
    net = unfold(read_net(path).source, Budget(20))
    weights = {
        t.name: tuple({net.places[p]: n for p, n in side} for side in (t.pre, t.post))
        for t in net.transitions
    }
    own = standalone.read_net(path.read_bytes())
    return own[0] == net.values(net.initial) and own[1] == weights and own[2] is None


def test_random_nets_with_odd_names_are_unfolded_alike(tmp_path: Path) -> None:
    random, path, seen = Random(7), tmp_path / "net.pnml", Counter[str]()
    while seen["alike"] < 40:
        graph = random_net(random, 50)
        spelling = random.choice((SAME, renamed(random, graph.net, WORDS)))
        text = random_document(graph.net, spelling)
        if "<finiteintrange" not in text and "<partition" not in text:
            path.write_bytes(strict(text))
            assert same(path)
            seen["alike"] += 1
            seen["renamed"] += spelling != SAME
    assert seen["renamed"] >= 10


def test_contest_models_are_unfolded_alike() -> None:
    if not SHARED.is_dir():
        pytest.skip("the shared nets are not here")
    for name in ("LamportFastMutEx-COL-2", "DatabaseWithMutex-COL-02", "Peterson-COL-2"):
        assert same(SHARED / "mcc" / "coloured" / name / "model.pnml.gz")


X, Y, G, A = var("x"), var("y"), var("g"), const("c0")
CONDITIONS = (
    tag("lessthan", X, const("c2")),
    tag("not", tag("greaterthanorequal", X, Y)),
    tag("or", tag("equality", X, Y), tag("inequality", tuple_of(X, G), tuple_of(Y, const("f0")))),
    tag("and", tag("lessthanorequal", X, const("c1")), tag("greaterthan", Y, tag("successor", X))),
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_and_terms_mean_what_they_mean_to_petricheck(
    condition: str, tmp_path: Path
) -> None:
    inside = place("p", "c", every("c")) + place("q", "cf", tuple_of(every("c"), every("f")))
    inside += place("d", "dot", times(2, "<dotconstant/>"))
    inside += f'<transition id="t">{label("condition", condition)}</transition>'
    inside += arc("p", "t", tag("subtract", every("c"), X)) + arc("q", "t", tuple_of(X, G))
    inside += arc("t", "p", tag("add", tag("predecessor", Y), times(2, A)))
    inside += arc("d", "t", "<dotconstant/>")
    path = tmp_path / "net.pnml"
    path.write_bytes(written(inside))
    assert same(path)
    assert standalone.read_net(path.read_bytes())[1]


P = place("p", "c", A) + '<transition id="t"/>'
CHOICE = '<transition id="t"><condition>{}</condition></transition>'
OTHER = (
    place("p", "c", const("f0")),
    place("p", "r"),
    place("p", "c", integer(1)),
    place("p", "c", X),
    place("p", "cf", tuple_of(A, A)),
    place("p", "c", tag("subtract", A, times(2, A))),
    place("p", "c", number(3)),
    place("p", "c", tuple_of(A)).replace("c0", "c7"),
    *(place("p", "c", times(count, A)) for count in (-1, "1_0", "\u0663", 2.0)),
    place("p", "c", times(2, A)).replace(number(2), A),
    place("p", "c", tag("successor", every("c"))),
    place("p", "f", tag("successor", const("f0"))),
    place("p", "c").replace("<type>", "<type><toolspecific/>"),
    '<place id="p"/>',
    P + arc("p", "t"),
    P + arc("p", "t", "<dotconstant/>"),
    P + arc("p", "t", A).replace("<structure>", "<structure/><structure>"),
    P + arc("p", "t", A).replace("</arc>", '<type value="inhibitor"/></arc>'),
    P + '<arc id="a" source="p" target="t"><inscription><text>2</text></inscription></arc>',
    place("p", "c", A).replace(
        "</place>", "<initialMarking><text>1</text></initialMarking></place>"
    ),
    P.replace('id="t"', 'id="p"'),
    place("p", "c") + CHOICE.format("<text>x = y</text>"),
    place("p", "c") + CHOICE.format(f"<structure>{tag('equality', X, G)}</structure>"),
    place("p", "c")
    + CHOICE.format(f"<structure>{tag('lessthan', tuple_of(X, G), tuple_of(Y, G))}</structure>"),
    place("p", "c") + CHOICE.format(f"<structure>{X}</structure>"),
)


@pytest.mark.parametrize("inside", OTHER)
def test_what_is_no_known_term_of_the_right_sort_is_refused(inside: str) -> None:
    with pytest.raises(Exception) as error:
        standalone.read_net(written(inside))
    assert not isinstance(error.value, NotImplementedError)


@pytest.mark.parametrize(
    "more",
    [
        '<namedsort id="c" name="D"><dot/></namedsort>',
        '<variabledecl id="c0" name="z"><dot/></variabledecl>',
        '<namedsort id="e" name="E"><finiteenumeration><feconstant id="c0" name="z"/>'
        "</finiteenumeration></namedsort>",
        '<namedsort id="e" name="E"><finiteenumeration><feconstant id="e0" name="y"/>'
        '<feconstant id="e0" name="z"/></finiteenumeration></namedsort>',
        '<namedsort id="e" name="E"><usersort declaration="e"/></namedsort>',
    ],
)
def test_declarations_that_repeat_an_id_are_refused(more: str) -> None:
    standalone.read_net(written(P))
    with pytest.raises((ValueError, KeyError)):
        standalone.read_net(written(P, DECLARED + more))
    with pytest.raises(InputError):
        Pnml().read((written(P, DECLARED + more),), "net.pnml")


def own_sort(sort_id: str, constant_id: str) -> str:
    """Declares an enumeration of a colour that is called dot, and another one."""
    constants = f'<feconstant id="{constant_id}" name="dot"/><feconstant id="c9" name="j"/>'
    return named(sort_id, f"<finiteenumeration>{constants}</finiteenumeration>")


ALIAS = named("e", sort("dot"))


@pytest.mark.parametrize(
    ("declared", "of"),
    [
        (own_sort("e", "dot"), "e"),
        (own_sort("dot", "d"), "dot"),
        (own_sort("dot", "d") + ALIAS, "e"),
    ],
)
def test_what_is_called_dot_is_not_a_plain_token(declared: str, of: str, tmp_path: Path) -> None:
    path = tmp_path / "net.pnml"
    path.write_bytes(written(place("p", of, every(of)) + '<transition id="t"/>', declared))
    assert same(path)
    assert len(standalone.read_net(path.read_bytes())[0]) == 2


def test_a_sort_is_not_the_plain_one_before_it_is_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, inside = tmp_path / "net.pnml", place("p", "e", every("e")) + '<transition id="t"/>'
    path.write_bytes(written(inside, ALIAS + own_sort("dot", "d")))
    assert standalone.main([str(path), str(path)]) == 3
    assert capsys.readouterr().out == "refused: there is no 'dot'\n"


@pytest.mark.parametrize(
    "inside",
    [
        place("p", "cc", tuple_of(*[every("c")] * 9)) + '<transition id="t"/>',
        place("p", "cc")
        + '<transition id="t"/>'
        + arc("p", "t", tag("add", tuple_of(X, Y), *[every("cc")] * 2))
        + arc("t", "p", tag("add", tuple_of(X, Y), every("cc"))),
        place("p", "c")
        + "".join(
            CHOICE.format(f"<structure>{tag('lessthan', X, X)}</structure>").replace(
                '"t"', f'"t{n}"'
            )
            for n in range(40)
        ),
    ],
    ids=["tuples", "tokens", "bindings"],
)
def test_too_much_work_is_left_to_petricheck(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standalone, "MANY", 10)
    with pytest.raises(NotImplementedError, match="too many"):
        standalone.read_net(written(inside, DECLARED + SQUARE))


def answered(net: Path, folder: Path, **question: object) -> tuple[int, Path]:
    """The checker's status for the evidence about the coloured net, and the file of evidence."""
    file, evidence = read_net(net), folder / "e.json"
    finding = petricheck.check(petricheck.ask(file.net, **question), budget=Budget(30))
    evidence.write_bytes(Json().write(file.net, evidence_of(finding, file.sha256)))
    return standalone.main([str(net), str(evidence)]), evidence


@pytest.mark.parametrize(
    ("name", "question", "verdict"),
    [
        ("philosophers", {"formula": "eating = 3"}, "unreachable"),
        ("philosophers", {"deadlock": True}, "reachable"),
        ("philosophers", {"live": "take_left"}, "not live: take_left"),
        ("careful_philosophers", {"home": "eating >= 1"}, "what is claimed"),
        ("ring", {"live": "on"}, "live: on"),
        ("ring", {"live": True}, "not live"),
        ("careful_philosophers", {"reversible": True}, "reversible"),
        ("careful_philosophers", {"terminates": "put_down"}, "terminates: put_down"),
        ("careful_philosophers", {"terminates": "take_left"}, "not terminates: take_left"),
        ("careful_philosophers", {"state_space": True}, "what is claimed"),
    ],
)
def test_evidence_about_a_coloured_net_is_read_with_the_net_alone(
    name: str,
    question: dict[str, object],
    verdict: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ring = place("p", "c", A) + place("q", "c", every("c")) + arc("q", "on", X) + arc("on", "q", X)
    ring += '<transition id="on"/><transition id="t"/>'
    ring += arc("p", "on", X) + arc("on", "p", tag("successor", X)) + arc("p", "t", times(2, X))
    (tmp_path / "ring.pnml").write_bytes(written(ring))
    folder = tmp_path if name == "ring" else NETS
    status, _ = answered(folder / f"{name}.pnml", tmp_path, **question)
    told = capsys.readouterr().out
    assert (status, told.partition("\n")[0]) == (0, f"accepted: {verdict}")
    assert "Trusted" not in told


def test_evidence_about_a_coloured_net_is_not_about_another_or_its_unfolding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, evidence = answered(NETS / "philosophers.pnml", tmp_path, deadlock=True)
    flat = tmp_path / "flat.pnml"
    flat.write_bytes(Pnml().write(read_net(NETS / "philosophers.pnml").net))
    for net in (flat, NETS / "careful_philosophers.pnml"):
        assert standalone.main([str(net), str(evidence)]) == 4
        assert ADVICE in capsys.readouterr().out


ADVICE = "`petricheck convert ORIGINAL NET`, check.py NET EVIDENCE ORIGINAL"


def test_it_is_said_how_evidence_of_other_coloured_nets_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    large = place("p", "cf") + '<transition id="t"/>'
    pairs = "".join(
        f'<namedsort id="c{n + 1}f" name="C{n}"><productsort><usersort declaration="c{n}f"/>'
        f'<usersort declaration="c{n}f"/></productsort></namedsort>'
        for n in range(4)
    )
    chain = DECLARED + PAIRS.replace('"cf"', '"c0f"') + pairs
    path = tmp_path / "net.pnml"
    for data, status in (
        (written(place("p", "half"), SORTS), 3),
        (written(large.replace('"cf"', '"c4f"'), chain), 1),
    ):
        path.write_bytes(data)
        assert standalone.main([str(path), str(path)]) == status
        assert ADVICE in capsys.readouterr().out
