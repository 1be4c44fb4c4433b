"""Nets of other tools: what is a place/transition net is read exactly, and nothing else is."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from invoked import run

from petricheck.formats.nets import read_net, write_net
from petricheck.formats.nets.apt import Apt
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.nets.tapaal import Tapaal
from petricheck.model.net import Net, Transition, make_net
from petricheck.support.errors import InputError

NET = Net("n", ("p", "q"), (Transition("t", ((0, 2),), ((1, 3),)),), (4, 0), ("p", "q"))

TAPN = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
<constant name="K" value="3"/>
<net active="true" id="n" type="P/T net">
<labels border="true" height="5" positionX="1" positionY="2" width="9">a note</labels>
<place displayName="true" id="p" initialMarking="4" invariant="&lt; inf" name="p" positionX="1"/>
<place id="q" initialMarking="0" invariant="&lt;= inf" name="q" nameOffsetX="-5" nameOffsetY="3"/>
<transition angle="0" id="t" infiniteServer="false" player="0" priority="0" urgent="false"/>
<arc id="a" inscription="[0,inf)" source="p" target="t" type="timed" weight="2"><arcpath/></arc>
<arc id="b" inscription="1" source="t" target="q" type="normal" weight="3"></arc>
</net>
<query name="one"><formula><deadlock/></formula></query>
<k-bound bound="3"/>
<feature isGame="false" isTimed="false" isColored="false"/>
</pnml>
"""


def tapaal(text: str, net_id: str | None = None) -> Net:
    return Tapaal().read((text.encode(),), "n.tapn", net_id)[0]


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def refused(text: str, line: int | None) -> str:
    with pytest.raises(InputError) as caught:
        tapaal(text)
    assert (caught.value.path, caught.value.line) == ("n.tapn", line)
    return str(caught.value)


# TAPAAL


def test_an_untimed_net_of_tapaal_is_read_as_it_is() -> None:
    assert tapaal(TAPN) == NET


DOTS = "<hlinitialMarking><text>(4'dot)</text><structure><add/></structure></hlinitialMarking>"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('isTimed="false"', 'isTimed="true"'),
        ('name="p" positionX="1"/>', f"><type><text>dot</text></type>{DOTS}</place>"),
        ("</arc>\n</net>", "<hlinscription><text>3'dot.all</text></hlinscription></arc></net>"),
        ("<k-bound", '<declaration><structure/></declaration><k-bound'),
        ('inscription="[0,inf)"', 'inscription=" [0, inf) "'),
        ('inscription="1"', 'inscription="3"'),
        ('id="b"', 'id="a"'),
    ],
)  # fmt: skip
def test_what_says_nothing_of_time_or_colours_is_read(old: str, new: str) -> None:
    net = tapaal(changed(TAPN, old, new))
    assert (net.places, net.transitions, net.initial) == (NET.places, NET.transitions, NET.initial)


INTERVALS = ("[1,inf)", "(0,inf)", "[0,5]", "[0,5)", "[2,5]", "[0,0]", "[K,inf)", "[0,K]", "")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        *(('inscription="[0,inf)"', f'inscription="{interval}"', 9) for interval in INTERVALS),
        *(('"&lt; inf"', f'"{limit}"', 6) for limit in ("&lt; 5", "&lt;= 5", "&lt;= K", "")),
        ('type="timed"', 'type="transport"', 9),
        ('type="timed"', 'type="tapnReset"', 9),
        ('type="timed"', "", 9),
        ('type="normal"', 'type="inhibitor"', 10),
        ('weight="2"', 'weight="K"', 9),
        ('weight="2"', 'weight="0"', 9),
        ('weight="3"', "", None),
        ('inscription="1"', 'inscription="2"', 10),
        ('urgent="false"', 'urgent="true"', 8),
        ('priority="0"', 'priority="1"', 8),
        ('player="0"', 'player="1"', 8),
        ('angle="0"', 'distribution="exponential"', 8),
        ('initialMarking="4"', 'initialMarking="-1"', 6),
        ('isColored="false"', 'isColored="true"', 14),
        ('isGame="false"', 'isStochastic="true"', 14),
        ("<constant ", '<shared-place name="p" initialMarking="4"/><constant ', 3),
        ("<constant ", '<shared-transition name="t"/><constant ', 3),
        ('name="p" positionX="1"/>', "><type><text>Philo</text></type></place>", 6),
        ('name="p" positionX="1"/>', f">{DOTS.replace('4', '3')}</place>", 6),
        ('name="p" positionX="1"/>', "><text>1</text></place>", 6),
        ('name="p" positionX="1"/>', "><structure/></place>", 6),
        ('name="p" positionX="1"/>', f">{DOTS.replace('dot', 'red')}</place>", 6),
        ('name="p" positionX="1"/>', "><hlinitialMarking/></place>", 6),
        ('name="p" positionX="1"/>', "><colorinvariant/></place>", 6),
        ('name="p" positionX="1"/>', ">text</place>", 6),
        ("</arc>\n</net>", "<hlinscription><text>2'dot</text></hlinscription></arc></net>", 10),
        ("</arc>\n</net>", "<hlinscription><text>1'x</text></hlinscription></arc></net>", 10),
        ('id="q"', 'id="p"', 7),
        ('source="t"', 'source="p"', 10),
        ('source="p"', 'source="r"', 9),
        ("</net>", '<arc id="a" inscription="1" source="p" target="t" type="normal"/></net>', 11),
    ],
)
def test_what_changes_the_meaning_in_tapaal_is_refused(
    old: str, new: str, line: int | None
) -> None:
    if line is None:
        assert tapaal(changed(TAPN, old, new)) != NET
    else:
        assert len(refused(changed(TAPN, old, new), line)) < 350


def test_one_of_several_components_of_tapaal_is_named() -> None:
    two = changed(TAPN, "<query", '<net id="m"><place id="r" initialMarking="1"/></net><query')
    assert "2 nets ('n', 'm'); say which one by its id: --net ID in" in refused(two, 16)
    assert tapaal(two, "n") == NET
    assert tapaal(two, "m").places == ("r",)
    with pytest.raises(InputError, match="no nets with id 'x', but: 'n', 'm'"):
        tapaal(two, "x")
    with pytest.raises(InputError, match="holds no <net>"):
        tapaal("<pnml/>")


# PIPE


def pipe(*timed: str | None, inside: str = "") -> str:
    transitions = "\n".join(
        f'<transition id="t{number}">'
        + (f"<timed><value>{value}</value></timed>" if value is not None else "")
        + f"{inside}</transition>"
        for number, value in enumerate(timed)
    )
    return f'<pnml>\n<net id="n" type="P/T net">\n{transitions}\n</net></pnml>'


def pnml(text: str) -> tuple[Net, tuple[str, ...]]:
    return Pnml().read((text.encode(),), "n.xml")


@pytest.mark.parametrize("value", ["true", "false"])
def test_a_net_whose_transitions_are_all_timed_or_all_immediate_is_its_untimed_net(
    value: str,
) -> None:
    net, warnings = pnml(pipe(value, value))
    assert net == make_net("n", {}, {"t0": ({}, {}), "t1": ({}, {})})
    assert any("timed" in warning for warning in warnings) == (value == "true")


@pytest.mark.parametrize(
    ("values", "line"),
    [(("true", "false"), 4), (("false", "true"), 4), ((None, "true"), 4), (("true", None), 4),
     (("maybe", "maybe"), 3), (("1",), 3), (("",), 3)],
)  # fmt: skip
def test_immediate_transitions_beside_timed_ones_are_refused(
    values: tuple[str | None, ...], line: int
) -> None:
    with pytest.raises(InputError, match="<timed>") as caught:
        pnml(pipe(*values))
    assert caught.value.line == line


@pytest.mark.parametrize("rate", ["1", "0.25", "3.5E-4", "2e5", "0", "0.0", "-1", "#(p0)", "0E5",
                                  "lambda", "inf", "nan"])  # fmt: skip
def test_a_rate_that_is_positive_says_nothing_and_any_other_is_refused(rate: str) -> None:
    text = pipe("true", inside=f"<rate><value>{rate}</value></rate>")
    if rate in ("1", "0.25", "3.5E-4", "2e5"):
        assert len(pnml(text)[0].transitions) == 1
        return
    with pytest.raises(InputError, match="rate") as caught:
        pnml(text)
    assert caught.value.line == 3


# Arcs that share an id, as in WoPeD


PARTS = '<place id="p"/><place id="q"/><transition id="t"/>'


def test_arcs_with_other_ends_may_share_an_id() -> None:
    arcs = "".join(
        f'<arc id="a" source="{source}" target="{target}"/>'
        for source, target in (("p", "t"), ("t", "p"), ("q", "t"))
    )
    net, _ = pnml(f'<pnml><net id="n">{PARTS}{arcs}</net></pnml>')
    assert net == make_net("n", {"p": 0, "q": 0}, {"t": ({"p": 1, "q": 1}, {"p": 1})})


@pytest.mark.parametrize("ends", ["pt pt", "pt tp pt", "pt tp tp", "pt tp qt tp"])
def test_an_arc_that_may_be_written_twice_is_refused(ends: str) -> None:
    arcs = "\n".join(f'<arc id="a" source="{s}" target="{t}"/>' for s, t in ends.split())
    with pytest.raises(InputError, match="taken already") as caught:
        pnml(f'<pnml><net id="n">{PARTS}\n{arcs}</net></pnml>')
    assert caught.value.line == len(ends.split()) + 1


def test_a_subprocess_of_woped_is_refused_by_its_name() -> None:
    with pytest.raises(InputError, match="subprocess of WoPeD"):
        pnml(f'<pnml><net id="n">{PARTS}<page id="t"><net/></page></net></pnml>')


# APT


APT = """// a comment
.name "n"
.type LPN
.description "two
lines"
.places
p[capacity_note="x", shown]
q 2x /* another
comment */ 3
.transitions
t[label="a"] 7
.flows
t: {p, 2*p, 2*3} -> {q, x}
7: {} -> {2} [note=1]
.initial_marking {p, p, 4*q}
.final_markings {p, p} {}
"""


def apt(text: str, net_id: str | None = None) -> Net:
    return Apt().read((text.encode(),), "n.apt", net_id)[0]


def test_a_net_of_apt_is_read_as_it_is() -> None:
    assert apt(APT, "n") == make_net(
        "n",
        {"p": 2, "q": 4, "2": 0, "x": 0, "3": 0},
        {"t": ({"p": 3, "3": 2}, {"q": 1, "x": 1}), "7": ({}, {"2": 1})},
        [{"p": 2}, {}],
    )
    with pytest.raises(InputError, match="holds the net 'n', and none called 'm'"):
        apt(APT, "m")


def test_sections_of_apt_stand_in_any_order() -> None:
    net = apt(".initial_marking {p}\n.flows t: {p} -> {}\n.transitions t\n.places p\n.type PN")
    assert net == make_net("", {"p": 1}, {"t": ({"p": 1}, {})})
    assert apt(".type PN .initial_marking .places p").initial == (0,)
    twice = apt(".type PN .places p .transitions t .flows t: {p} -> {} .places q .transitions u")
    assert twice == make_net("", {"p": 0, "q": 0}, {"t": ({"p": 1}, {}), "u": ({}, {})})


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        (".type LPN", ".type LTS", "type 'LTS'", 3),
        (".type LPN", "", "no .type", None),
        (".type LPN", ".type LPN .type PN", "given twice", 3),
        (".name", '.name "m" .name', "given twice", 2),
        (".final_markings", ".initial_marking", "given twice", 16),
        (".final_markings {p, p}", ".final_markings {t}", "no place 't'", 16),
        (".final_markings {p, p} {}", ".states s0", "no section of a Petri net", 16),
        ("q 2x", "q p", "declared twice", 8),
        ("[label", " p [label", "declared twice", 11),
        ("7: {}", "t: {}", "two flows", 14),
        ("7: {}", "8: {}", "no transition '8'", 14),
        ("{q, x}", "{q, y}", "no place 'y'", 13),
        ("{q, x}", "{q, t}", "no place 't'", 13),
        ("{q, x}", "{q x}", "','", 13),
        ("{q, x}", "{q, x", "expected", 14),
        ("2*3}", "0*3}", "weight 0", 13),
        ("2*3}", "q*3}", "','", 13),
        ("-> {q", "{q", "'->'", 13),
        ("{p, p,", "{p, r,", "no place 'r'", 15),
        ("[label=", "[inhibitor=", "may change the meaning", 11),
        ("[capacity_note=", "[capacity=", "may change the meaning", 7),
        ("[note=1]", "[note={1}]", "']'", 14),
    ],
)
def test_what_is_no_net_of_apt_is_refused(old: str, new: str, words: str, line: int | None) -> None:
    with pytest.raises(InputError) as caught:
        apt(changed(APT, old, new))
    assert words in str(caught.value)
    assert (caught.value.path, caught.value.line) == ("n.apt", line)


# By their endings


def test_files_of_tapaal_and_apt_are_told_by_their_endings(tmp_path: Path) -> None:
    for name, text in (("n.tapn", TAPN), ("n.apt", APT)):
        (tmp_path / name).write_text(text)
        assert read_net(tmp_path / name).net.name == "n"
    with pytest.raises(InputError, match="not written"):
        write_net(NET, tmp_path / "n.apt")


def test_a_folder_an_archive_and_two_nets_are_refused_with_what_to_do(tmp_path: Path) -> None:
    archive, two = tmp_path / "n.zip", tmp_path / "two.pnml"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("n.pnml", "<pnml/>")
    two.write_text('<pnml><net id="a"/><net id="b"/></pnml>')
    for path, words in (
        (tmp_path, "is a folder; name one net, or decide all"),
        (archive, "is a zip archive; unpack it, and name what is in it"),
        (two, "2 nets ('a', 'b'); say which one by its id: --net ID in"),
    ):
        for command in ([], ["info"]):
            question = [] if command else ["--deadlock"]
            arguments = [*command, str(path), *question]
            shown = run(*arguments)
            assert (shown.exit_code, words in shown.stderr) == (3, True), shown.stderr
    chosen = run("info", two, "--net", "b")
    assert chosen.exit_code == 0
