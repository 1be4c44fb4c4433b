"""Inhibitor, read and reset arcs and capacities in files: as their tools mean them, or refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from guarded_oracle import Drafted, Rule
from guarded_random import random_bounded, random_net
from pnml_documents import document

from petricheck.formats.losses import losses
from petricheck.formats.nets import AnySource, read_net, write_net
from petricheck.formats.nets.greatspn import Greatspn
from petricheck.formats.nets.greatspn_project import GreatspnProject
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.nets.tapaal import Tapaal
from petricheck.formats.nets.tina import Tina
from petricheck.model.guarded.net import Guard, GuardedNet, as_guarded, guarded
from petricheck.model.net import Net, make_net
from petricheck.support.errors import InputError

NODES = '<place id="p"/><place id="q"/><transition id="t"/><arc id="o" source="t" target="q"/>'
MARKINGS = [*product(range(4), repeat=2)]


def read(text: str) -> AnySource:
    return Pnml().read((text.encode(),), "n.pnml")[0]


def pnml(inside: str, attributes: str = "", ends: str = 'source="p" target="t"') -> AnySource:
    """A net with an arc that has these labels and attributes, and one from t to q."""
    return read(document(f'{NODES}\n<arc id="a" {ends} {attributes}>{inside}</arc>'))


def weight(number: int) -> str:
    return f"<inscription><text>{number}</text></inscription>"


def guard(net: AnySource) -> Guard:
    assert isinstance(net, GuardedNet)
    (only,) = net.guards
    return only


def enabled(net: AnySource, marking: tuple[int, ...]) -> bool:
    if isinstance(net, GuardedNet):
        return net.enabled(0, marking)
    assert isinstance(net, Net)
    return net.transitions[0].enabled(marking)


def fire(net: AnySource, marking: tuple[int, ...]) -> tuple[int, ...]:
    if isinstance(net, GuardedNet):
        return net.fire(0, marking)
    assert isinstance(net, Net)
    return net.transitions[0].fire(marking)


def spellings(kind: str) -> list[tuple[str, str]]:
    """The labels and attributes with which tools write a kind of arc of weight 1."""
    return [
        (f'<type value="{kind}"/>', ""),
        (f"<type><text>{kind}</text></type>", ""),
        (f"<arctype><text> {kind} </text></arctype>", ""),
        (f"<type><value>{kind}</value></type>{weight(1)}", ""),
        ("", f'type="{kind}"'),
        (f'<name><text>{kind}</text></name><type value="{kind}"/>', f'type="{kind}"'),
        (f"<inscription><value></value></inscription><type value='{kind}'/>", ""),
    ]


@pytest.mark.parametrize(("inside", "attributes"), spellings("inhibitor"))
def test_an_inhibitor_arc_asks_for_an_empty_place(inside: str, attributes: str) -> None:
    net = pnml(inside, attributes)
    assert guard(net) == Guard(((0, 1),))
    assert net.transitions[0].pre == ()


@pytest.mark.parametrize(("inside", "attributes"), [*spellings("read"), *spellings("test")])
def test_a_read_arc_needs_a_token_and_takes_none(inside: str, attributes: str) -> None:
    net = pnml(inside, attributes)
    assert isinstance(net, Net)
    assert [enabled(net, marking) for marking in MARKINGS] == [p >= 1 for p, _ in MARKINGS]
    assert fire(net, (2, 0)) == (2, 1)


@pytest.mark.parametrize(("inside", "attributes"), spellings("reset"))
def test_a_reset_arc_empties_its_place_and_needs_no_token(inside: str, attributes: str) -> None:
    net = pnml(inside, attributes)
    assert guard(net) == Guard((), (0,))
    assert all(enabled(net, marking) for marking in MARKINGS)
    assert fire(net, (3, 1)) == (0, 2)


@pytest.mark.parametrize(
    ("inside", "attributes"),
    [("<type value='{}'/>" + weight(3), ""), (weight(3), 'type="{}"'),
     ("<arctype value='{}'/>" + weight(3), "")],
)  # fmt: skip
def test_weights_count_where_tools_read_them(inside: str, attributes: str) -> None:
    net = pnml(inside.format("inhibitor"), attributes.format("inhibitor"))
    assert guard(net) == Guard(((0, 3),))
    net = pnml(inside.format("test"), attributes.format("test"))
    assert [enabled(net, (p, 0)) for p in range(5)] == [p >= 3 for p in range(5)]


def test_what_was_emptied_by_a_reset_was_also_taken_and_read() -> None:
    more = '<arc id="b" source="p" target="t"/><arc id="c" source="t" target="p"/>'
    net = read(document(NODES + more + '<arc source="p" target="t"><type value="reset"/></arc>'))
    assert [enabled(net, (p, 0)) for p in range(3)] == [False, True, True]
    assert fire(net, (5, 0)) == (1, 1)


def arcs(*kinds: str) -> str:
    return (
        NODES
        + "\n"
        + "".join(
            f'<arc id="a{n}" source="p" target="t">{kind}</arc>' for n, kind in enumerate(kinds)
        )
    )


READ, RESET, INHIBITOR = (f'<type value="{kind}"/>' for kind in ("read", "reset", "inhibitor"))
REFUSED = {
    "is of several types": (
        arcs(f"<arctype><text>normal</text></arctype>{INHIBITOR}"),
        f'{NODES}\n<arc id="a" source="p" target="t" type="normal">{INHIBITOR}</arc>',
    ),
    "is of type 'Inhibitor', but only normal, inhibitor, read and reset arcs": (
        arcs('<type value="Inhibitor"/>'),
    ),
    "is of type 'reset', but only": (
        arcs(f"<name><text>reset</text></name>{INHIBITOR}"),
        arcs("<name><text>reset</text></name>"),
    ),
    "and leads to a place": (
        f'{NODES}\n<arc id="a" source="t" target="p">{INHIBITOR}</arc>',
        f'{NODES}\n<arc id="a" source="t" target="p">{RESET}</arc>',
        f'{NODES}\n<arc id="a" source="t" target="p">{READ}</arc>',
    ),
    "a weight has no meaning": (arcs(RESET + weight(2)),),
    "which some tools ignore": (
        arcs(f"<type><text>inhibitor</text></type>{weight(2)}"),
        arcs(f"<arctype><text>read</text></arctype>{weight(2)}"),
    ),
    "there are two inhibitor arcs": (arcs(INHIBITOR, INHIBITOR + weight(2)),),
    "there are two read arcs": (arcs(READ, READ),),
    "reads what another arc takes": (arcs(READ, ""),),
    "moves tagged tokens": (arcs(f"<tagged><value>true</value></tagged>{INHIBITOR}"),),
    "write a whole number, at least 1": (arcs(INHIBITOR + weight(0)),),
    "has 2 tokens and the capacity 1": (
        '\n<place id="p"><initialMarking><text>2</text></initialMarking>'
        "<capacity><value>1</value></capacity></place>",
    ),
    "in <capacity>; write a whole number": (
        '\n<place id="p"><capacity><value>x</value></capacity></place>',
        '\n<place id="p"><capacity><value>-1</value></capacity></place>',
    ),
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED)
def test_what_may_mean_several_things_is_refused(words: str) -> None:
    for text in REFUSED[words]:
        with pytest.raises(InputError, match=re.escape(words)) as caught:
            read(document(text))
        assert caught.value.line in (4, 5)


TINA_TYPE = "http://www.laas.fr/tina/tpn"


def test_programs_differ_about_resets_in_nets_of_tina() -> None:
    ptnet = "http://www.pnml.org/version-2009/grammar/ptnet"
    text = document(arcs(RESET))
    assert guard(read(text)).resets == (0,)
    with pytest.raises(InputError, match="Tina does not know"):
        read(text.replace(ptnet, TINA_TYPE))
    assert guard(read(document(arcs(INHIBITOR)).replace(ptnet, TINA_TYPE))).upper == ((0, 1),)


@pytest.mark.parametrize("name", ["inhibitorptnet", "resetptnet", "resetinhibitorptnet"])
def test_the_net_types_of_special_arcs_are_known(name: str) -> None:
    text = document(NODES).replace("grammar/ptnet", f"extensions/{name}")
    assert isinstance(read(text), Net)


def with_capacity(tag: str, number: int, arcs: str = "") -> str:
    place = f'<place id="q"><capacity><{tag}>{number}</{tag}></capacity></place>'
    return document("\n" + NODES.replace('<place id="q"/>', place) + arcs)


@pytest.mark.parametrize("tag", ["value", "text"])
def test_a_capacity_bounds_the_tokens_after_a_firing(tag: str) -> None:
    net = read(with_capacity(tag, 2))
    assert [enabled(net, (0, q)) for q in range(3)] == [True, True, False]
    assert isinstance(read(with_capacity(tag, 0)), Net)


def test_pipe_takes_before_it_puts_and_others_do_not_say() -> None:
    loop = '<arc id="b" source="q" target="t"/>'
    net = read(with_capacity("value", 2, loop))
    assert isinstance(net, Net)  # the loop never fills its place
    with pytest.raises(InputError, match="in which order is not said") as caught:
        read(with_capacity("text", 2, loop))
    assert caught.value.line == 4
    reset = f'<arc id="b" source="q" target="t">{RESET}</arc>'
    assert guard(read(with_capacity("value", 2, reset))) == Guard((), (1,))
    with pytest.raises(InputError, match="in which order is not said"):
        read(with_capacity("text", 2, reset))


# The same net as tools write it: t moves a token from p to q where q has fewer than 1 or 2.

PTNET_2009 = (
    '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">'
    '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">'
)
DIALECTS = {
    "ProM, pm4py": (1, f"""{PTNET_2009}
<place id="p"><name><text>p</text></name><initialMarking><text>2</text></initialMarking></place>
<place id="q"/>
<transition id="t"><toolspecific tool="ProM" version="6.4" activity="t"/></transition>
<arc id="a" source="p" target="t"><name><text>1</text></name>
<arctype><text>normal</text></arctype></arc>
<arc id="b" source="t" target="q"/><arc id="c" source="q" target="t"><name><text>1</text></name>
<inscription><text>1</text></inscription><arctype><text>inhibitor</text></arctype></arc>
</page><finalmarkings><marking/></finalmarkings></net></pnml>"""),
    "GreatSPN": (2, f"""<?xml version="1.0"?>{PTNET_2009}<!-- Written by GreatSPN Editor. -->
<place id="p"><initialMarking><text>2</text></initialMarking></place>
<place id="q"><initialMarking><text>0</text></initialMarking></place><transition id="t"/>
<arc id="id1" source="p" target="t"/><arc id="id2" source="t" target="q"/>
<arc id="id3" source="q" target="t"><inscription><text>2</text></inscription>
<type value="inhibitor"/></arc></page></net></pnml>"""),
    "TAPAAL's engine": (2, f"""{PTNET_2009}
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="0" source="p" target="t" type="normal"></arc>
<arc id="1" source="q" target="t" type="inhibitor"><inscription><text>2</text></inscription></arc>
<arc id="2" source="t" target="q"></arc></page></net></pnml>"""),
    "Tina": (2, f"""{PTNET_2009.replace(PTNET_2009.split('"')[5], TINA_TYPE)}
<place id="p"><name><text>in</text></name><label><text>x</text></label>
<initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="e-1" source="p" target="t">
</arc><arc id="e-2" source="t" target="q"/><arc id="e-3" source="q" target="t">
 <type value="inhibitor"/><inscription><text>2</text></inscription></arc></page></net></pnml>"""),
    "Renew": (1, """<pnml xmlns="http://www.informatik.hu-berlin.de/top/pntd/ptNetb">
<net id="netId1" type="http://www.informatik.hu-berlin.de/top/pntd/ptNetb"><place id="p">
<initialMarking><graphics><offset x="0" y="0"/></graphics><text>2</text></initialMarking></place>
<place id="q"/><transition id="t"/><arc id="4" source="p" target="t">
<type><text>ordinary</text></type></arc><arc id="5" source="t" target="q"/>
<arc id="6" source="q" target="t"><type><text>inhibitor</text></type></arc></net></pnml>"""),
    "PNML's special arcs": (1, f"""{PTNET_2009.replace("mar/ptnet", "mar/inhibitorptnet")}
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="a" source="p" target="t"><arctype><text>normal</text></arctype></arc>
<arc id="b" source="t" target="q"><arctype><text>normal</text></arctype></arc>
<arc id="c" source="q" target="t"><arctype><text>inhibitor</text></arctype></arc>
</page></net></pnml>"""),
    "a reference to the place": (2, f"""{PTNET_2009}
<place id="p"><initialMarking><text>2</text></initialMarking></place><place id="q"/>
<referencePlace id="r" ref="q"/><transition id="t"/><arc id="a" source="p" target="t"/>
<arc id="b" source="t" target="q"/><arc id="c" source="r" target="t"><type value="inhibitor"/>
<inscription><text>2</text></inscription></arc></page></net></pnml>"""),
}  # fmt: skip


@pytest.mark.parametrize("tool", DIALECTS)
def test_inhibitor_arcs_are_read_as_the_tools_write_them(tool: str) -> None:
    most, text = DIALECTS[tool]
    net = read(text)
    assert guard(net) == Guard(((1, most),))
    assert (net.transitions[0].pre, net.transitions[0].post) == (((0, 1),), ((1, 1),))


@pytest.mark.parametrize("tool", DIALECTS)
def test_without_a_character_of_its_type_an_arc_is_refused_or_the_same(tool: str) -> None:
    most, text = DIALECTS[tool]
    start = text.rindex("<arc ", 0, text.rindex("inhibitor"))
    end = text.index("</arc>", start)
    for position in range(start, end):
        try:
            net = read(text[:position] + text[position + 1 :])
        except InputError:
            continue
        assert guard(net).upper in (((1, most),), ((1, 1),)), text[start:position]


# Words for kinds of arcs, and what may become of them.


@pytest.mark.parametrize("template", [
    '<type value="{}"/>', "<type><text>{}</text></type>", "<arctype><text>{}</text></arctype>",
    '<arctype text="{}"/>', '<toolspecific tool="x"><type value="{}"/></toolspecific>',
    "<name><text>{}</text></name>", "<{}/>", '<graphics kind="{}"/>',
])  # fmt: skip
def test_no_spelling_of_a_kind_makes_a_normal_arc_of_it(template: str) -> None:
    words = ["inhibitor", "read", "test", "reset"]
    changed = {
        *(change(word) for word in words for change in (str.upper, str.title, str.swapcase)),
        *(word + end for word in words for end in ("s", "Arc", "-arc", "_arc", ".", "ed", "ing")),
        *(word[:n] + "x" + word[n:] for word in words for n in range(len(word) + 1)),
        *(word[:n] + word[n + 1 :] for word in words for n in range(len(word))),
        *("transport", "flush", "transfer", "clear", "both", "zero", "catalyst", "xinhibitor"),
    }
    plain = pnml("")
    for word in (*words, *sorted(changed)):
        try:
            net = pnml(template.format(word))
        except InputError:
            continue
        known = word in words and template.startswith(("<type", "<arctype"))
        is_prose = not known and template.startswith(("<name", "<tool", "<graphics"))
        assert (net != plain) if known else is_prose, word
        assert not (is_prose and word.lower() in words)


# Other formats

TAPN = """<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
<net active="true" id="n" type="P/T net">
<place id="p" initialMarking="0" invariant="&lt; inf" name="p"/>
<place id="q" initialMarking="0" invariant="&lt; inf" name="q"/>
<transition id="t" name="t" priority="0" urgent="false"/>
<arc id="a" inscription="[0,inf)" source="p" target="t" type="tapnInhibitor" weight="2"/>
<arc id="b" inscription="1" source="t" target="q" type="normal" weight="1"/>
</net></pnml>
"""


def tapaal(old: str = "", new: str = "") -> AnySource:
    return Tapaal().read((TAPN.replace(old, new, 1).encode(),), "n.tapn")[0]


def test_inhibitor_arcs_of_tapaal_have_weights() -> None:
    assert guard(tapaal()) == Guard(((0, 2),))
    assert guard(tapaal("tapnInhibitor", "inhibitor")) == Guard(((0, 2),))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[0,inf)", "[1,inf)", "knows no time"),
        ("tapnInhibitor", "tapninhibitor", "only timed, normal, tapnInhibitor"),
        ("tapnInhibitor", "transport", "only timed, normal, tapnInhibitor"),
        ('weight="2"', 'weight="K"', "whole number"),
        ('"p" target="t"', '"t" target="p"', "leads to a place"),
    ],
)
def test_what_is_unclear_of_an_inhibitor_arc_of_tapaal_is_refused(
    old: str, new: str, words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        tapaal(old, new)
    assert caught.value.line == 6


def tina(text: str) -> AnySource:
    return Tina().read((text.encode(),), "n.net")[0]


@pytest.mark.parametrize("text", ["tr t p?-3 q?2 -> q", "pl p -> t?-3\npl q t -> t?2"])
def test_tests_and_inhibitors_of_tina_are_written_at_either_end(text: str) -> None:
    net = tina(f"pl p\npl q\n{text}")
    assert guard(net) == Guard(((0, 3),))
    for p, q in MARKINGS:
        assert enabled(net, (p, q)) is (p < 3 and q >= 2)
    assert fire(net, (0, 2)) == (0, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tr t p?-1 p?-2 ->", "is given twice"),
        ("tr t p?1 p?2 ->", "is given twice"),
        ("tr t p p?2 ->", "tests 'p' and takes from it"),
        ("tr t p?2 p ->", "tests 'p' and takes from it"),
        ("tr t -> p?2", "leads from a place to a transition"),
        ("pl p t?-2 ->", "leads from a place to a transition"),
        ("tr t p? ->", "a weight"),
        ("tr t p?-0 ->", "weight 0"),
        ("tr t p!2 ->", "stopwatch"),
        ("tr t p!-2 ->", "stopwatch"),
    ],
)
def test_what_is_unclear_in_tina_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        tina(text)
    assert caught.value.line == 1


GREATSPN = """|0|
|
f   0   2   0   1   0   0   0
p   0 1.0 1.0 1.0 1.0 0
q   0 2.0 1.0 2.0 1.0 0
t   1.0   0   0   1   0 1.5 1.0 1.5 1.0 1.5 1.0 0
   1   1   0   0
   1
   1   2   0   0
   1
   2   2   0   0
"""


def test_the_third_list_of_a_transition_of_greatspn_has_its_inhibitor_arcs() -> None:
    net = Greatspn().read((GREATSPN.encode(),), "n.net")[0]
    assert guard(net) == Guard(((1, 2),))
    assert net.transitions[0].pre == ((0, 1),)


PROJECT = """<project name="x" version="121">
  <gspn name="n">
    <nodes><place name="p"/><place name="q"/><transition name="t" type="EXP"/></nodes>
    <edges><arc head="t" kind="INPUT" tail="p"/><arc head="q" kind="OUTPUT" tail="t"/>
    <arc head="t" kind="INHIBITOR" tail="p" mult="3"/></edges>
  </gspn>
</project>
"""


def test_a_project_of_greatspn_has_inhibitor_arcs() -> None:
    net = GreatspnProject().read((PROJECT.encode(),), "n.PNPRO")[0]
    assert guard(net) == Guard(((0, 3),))
    assert net.transitions[0].pre == ((0, 1),)
    for kind, words in (("RESET", "INHIBITOR are supported"), ("INPUT", "is given twice")):
        with pytest.raises(InputError, match=words):
            GreatspnProject().read((PROJECT.replace("INHIBITOR", kind).encode(),), "n.PNPRO")


# Writing


NETS = 25
"""Random nets a format."""

FORMATS = {".pnml": Pnml, ".net": Tina, ".tapn": Tapaal}
WITHOUT_RESETS = (".net", ".tapn")


def behaviour(net: AnySource) -> object:
    assert isinstance(net, Net | GuardedNet)
    plain = net if isinstance(net, Net) else net.plain
    guards = () if isinstance(net, Net) else net.guards
    return plain.name, plain.places, plain.transitions, plain.initial, guards


@pytest.mark.parametrize("ending", FORMATS)
def test_what_is_written_reads_as_the_same_net(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"n{ending}"
    for _, net in random_bounded(30):
        write_net(net.plain, path)
        assert behaviour(read_net(path).source) == behaviour(net.plain)
        if ending in WITHOUT_RESETS and any(guard.resets for guard in net.guards):
            with pytest.raises(InputError, match="has a reset arc"):
                write_net(net, path)
            continue
        write_net(net, path)
        assert behaviour(read_net(path).source) == behaviour(net)
        assert losses(net, path) == ""


@pytest.mark.parametrize("ending", [".lola", ".spec", ".g", ".apt", ".PNPRO"])
def test_formats_without_guards_write_no_guarded_net(ending: str, tmp_path: Path) -> None:
    net = guarded(make_net("n", {"p": 0}, {"t": ({}, {"p": 1})}), inhibitors=[(0, 0, 2)])
    with pytest.raises(InputError, match=r"write \.pnml"):
        write_net(net, tmp_path / f"n{ending}")


def test_tapaal_gets_names_that_it_takes(tmp_path: Path) -> None:
    arcs = {"go on": ({"p-1": 2}, {"n1": 1}), "arc": ({}, {"true": 3})}
    net = make_net("a net", {"p-1": 2, "n1": 0, "true": 1}, arcs)
    write_net(net, tmp_path / "n.tapn")
    text = (tmp_path / "n.tapn").read_text()
    names = re.findall(r' name="([^"]*)"', text)
    assert len(set(names)) == 5 and all(re.fullmatch("[A-Za-z]\\w*", name) for name in names)
    assert "true" not in names
    assert behaviour(read_net(tmp_path / "n.tapn").net) == behaviour(net)


def test_what_can_never_fire_under_a_capacity_stays_so(tmp_path: Path) -> None:
    net = guarded(make_net("n", {"p": 0}, {"t": ({}, {"p": 3})}), capacities={0: 2})
    for ending in FORMATS:
        write_net(net, tmp_path / f"n{ending}")
        written = read_net(tmp_path / f"n{ending}").source
        assert not any(enabled(written, (p,)) for p in range(4))


# Random nets, written here, against the rule of firing by definition.


def pnml_of(net: Drafted) -> str:
    def node(number: int) -> str:
        capacity = net.transitions[0].capacities.get(number, 0)
        return (
            f'<place id="p{number}"><initialMarking><value>{net.initial[number]}</value>'
            f"</initialMarking><capacity><value>{capacity}</value></capacity></place>"
        )

    def arcs(rule: Rule) -> Iterator[str]:
        sides = [("", rule.pre), ("test", rule.reads), ("inhibitor", rule.inhibitors)]
        sides.append(("reset", dict.fromkeys(rule.resets, 1)))
        for kind, weights in sides:
            for place, weight in weights.items():
                label = f'<type value="{kind}"/>' * bool(kind)
                number = f"<inscription><value>Default,{weight}</value></inscription>"
                yield f'<arc source="p{place}" target="{rule.name}">{number}{label}</arc>'
        for place, weight in rule.post.items():
            number = f"<inscription><text>{weight}</text></inscription>"
            yield f'<arc source="{rule.name}" target="p{place}">{number}</arc>'

    nodes = map(node, range(len(net.initial)))
    rules = (f'<transition id="{t.name}"/>{"".join(arcs(t))}' for t in net.transitions)
    return f"<pnml><net id='n'>{''.join((*nodes, *rules))}</net></pnml>"


def tina_of(net: Drafted) -> str:
    lines = [f"pl p{number} ({tokens})" for number, tokens in enumerate(net.initial)]
    for t in net.transitions:
        signs = (("*", t.pre), ("?", t.reads), ("?-", t.inhibitors))
        taken = " ".join(f"p{p}{sign}{n}" for sign, side in signs for p, n in side.items())
        put = " ".join(f"p{p}*{n}" for p, n in t.post.items())
        lines.append(f"tr {t.name} {taken} -> {put}")
    return "\n".join(lines)


@pytest.mark.parametrize(("reader", "write"), [(Pnml, pnml_of), (Tina, tina_of)])
def test_what_files_say_fires_by_definition(reader: type, write: Callable[[Drafted], str]) -> None:
    random, kinds = Random(7), set[type]()
    for _ in range(NETS):
        drafted = random_net(random)[0].net
        assert isinstance(drafted, Drafted)
        # Where a transition takes and reads, tools differ; Tina has no resets and capacities, and
        # a capacity of 0 is none.
        limits = {p: most for p, most in drafted.transitions[0].capacities.items() if most}
        more = {"capacities": limits}
        if reader is Tina:
            more = {"resets": frozenset(), "capacities": {}}
        rules = [
            replace(t, reads={p: n for p, n in t.reads.items() if p not in t.pre}, **more)
            for t in drafted.transitions
        ]
        drafted = replace(drafted, transitions=tuple(rules))
        net = reader().read((write(drafted).encode(),), "n")[0]
        kinds.add(type(net))
        most = [rules[0].capacities.get(place, 4) for place in range(len(drafted.initial))]
        for marking in product(*(range(n + 1) for n in most)):
            for number, rule in enumerate(rules):
                after = rule.after(marking)
                own = net if isinstance(net, GuardedNet) else as_guarded(net)
                assert own.enabled(number, marking) is (after is not None)
                assert after is None or own.fire(number, marking) == after
    assert GuardedNet in kinds
