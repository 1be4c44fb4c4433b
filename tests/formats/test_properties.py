"""Property files: what each element means, what is refused, and what the command line prints."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from folders import NETS, SHARED, question_formula, read_question
from hypothesis import given, settings
from hypothesis import strategies as st
from invoked import run
from notation import net_of
from property_files import (
    ag,
    count,
    ef,
    file_of,
    fireable,
    number,
    possible,
    prop,
    tag,
    write_properties,
)
from strategies import markings, nets

from petricheck.arithmetic.formulas.formulas import Conjunction, Negation, at_least, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.formats.language.state_formulas import MAX_DEPTH
from petricheck.formats.nets import read_net, write_net
from petricheck.formats.properties import (
    InvariantProperty,
    Possible,
    RefusedProperty,
    read_properties,
)
from petricheck.formats.properties.meaning import AlwaysPossible, Maximum
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.model.net import make_net
from petricheck.questions.checking import Checker
from petricheck.questions.properties import property_question
from petricheck.support.errors import InputError, InternalError

NET = net_of("p=1 q=2 r=0, t: p + 2 q -> r, u: p -> q, free: -> r")
VALUES = st.fixed_dictionaries({place: st.integers(0, 5) for place in NET.places})


@pytest.fixture
def read(tmp_path):
    def read(text: str | bytes, net=NET):
        path = tmp_path / "properties.xml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_properties(path, net)

    return read


@pytest.fixture
def meaning(read):
    def meaning(formula: str, net=NET):
        (found,) = read(file_of(prop(formula)), net)
        return found.meaning

    return meaning


# What elements mean

P, Q, R = count("p"), count("q"), count("r")


def le(left: str, right: str) -> str:
    return tag("integer-le", left, right)


def total(*parts: str) -> str:
    return tag("integer-sum", *parts)


def product(*parts: str) -> str:
    return tag("integer-product", *parts)


STATES = {
    le(P, Q): "p <= q",
    tag("integer-lt", P, Q): "p < q",
    tag("integer-ge", P, Q): "p >= q",
    tag("integer-gt", P, Q): "p > q",
    tag("integer-eq", P, Q): "p == q",
    tag("integer-ne", P, Q): "p != q",
    le(number(3), count("p", "q", "r")): "p + q + r >= 3",
    le(total(P, Q, number(-1)), R): "p + q - 1 <= r",
    le(total(number(2), P, Q), R): "2 + p + q <= r",
    le(R, total(P, number(1), number(1))): "r <= p + 2",
    le(tag("integer-difference", P, Q), number(1)): "p - q <= 1",
    le(product(number(2), P, number(3)), R): "6 * p <= r",
    le(product(number(2), number(2)), R): "r >= 4",
    le(product(P, number(0), Q), R): "r >= 0",
    tag("negation", le(P, Q)): "p > q",
    tag("negation", tag("negation", le(P, Q))): "p <= q",
    tag("negation", "<true/>"): "False",
    tag("negation", "<false/>"): "True",
    tag("conjunction", le(P, Q), le(Q, R)): "p <= q <= r",
    tag("disjunction", le(P, Q), le(Q, R)): "p <= q or q <= r",
    tag("implication", le(P, Q), le(Q, R)): "p > q or q <= r",
    fireable("t"): "p >= 1 and q >= 2",
    fireable("t", "u"): "p >= 1",
    fireable("u", "u"): "p >= 1",
    fireable("t", "free"): "True",
    tag("negation", fireable("t", "u")): "p < 1",
    "<deadlock/>": "False",
    "<true/>": "True",
    "<false/>": "False",
}
"""What a state means, as Python says it."""


@pytest.mark.parametrize("state", STATES)
def test_a_formula_about_one_marking_means_what_it_says(state, tmp_path_factory):
    path = tmp_path_factory.mktemp("f") / "f.xml"
    path.write_text(file_of(prop(ef(state), "ef"), prop(ag(state), "ag")))
    possible, invariant = (each.meaning for each in read_properties(path, NET))
    assert isinstance(possible, Possible)
    assert isinstance(invariant, InvariantProperty)

    @settings(max_examples=16, deadline=None)
    @given(VALUES)
    def agree(values):
        holds = eval(STATES[state], dict(values))
        assert evaluate(possible.target, values) == holds
        assert evaluate(invariant.target, values) != holds

    agree()


@settings(max_examples=16, deadline=None)
@given(st.data())
def test_deadlock_and_fireable_speak_of_enabled_transitions(tmp_path_factory, data):
    net = data.draw(nets())
    marking = data.draw(markings(net))
    enabled = [t.name for t in net.transitions if t.enabled(marking)]
    some = data.draw(st.lists(st.sampled_from([t.name for t in net.transitions]), min_size=1))
    path = tmp_path_factory.getbasetemp() / "enabled.xml"
    path.write_text(file_of(prop(ef("<deadlock/>"), "d"), prop(ef(fireable(*some)), "f")))
    dead, fires = (each.meaning.target for each in read_properties(path, net))
    assert evaluate(dead, net.values(marking)) == (not enabled)
    assert evaluate(fires, net.values(marking)) == any(name in enabled for name in some)


def test_a_negated_quantifier_is_its_dual(meaning):
    state = tag("integer-le", P, Q)
    assert meaning(tag("negation", ef(state))) == InvariantProperty(meaning(ef(state)).target)
    assert meaning(tag("negation", ag(state))) == Possible(meaning(ag(state)).target)
    assert meaning(tag("negation", tag("negation", ag(state)))) == meaning(ag(state))


def test_unique_names_of_places_are_accepted(meaning):
    net = make_net("n", {"p1": 0, "p2": 0, "p3": 0}, {})
    net = type(net)(net.name, net.places, net.transitions, net.initial, ("one", "same", "same"))
    state = tag("integer-le", count("one"), number(0))
    assert meaning(ef(state), net) == meaning(ef(state.replace("one", "p1")), net)
    refused = meaning(ef(state.replace("one", "same")), net)
    assert "'same' is the name of several places" in refused.reason


def test_space_namespaces_tags_and_descriptions_do_not_matter(read):
    text = file_of(prop(ef(tag("integer-le", P, Q))))
    wide = text.replace("<p", "\n <p").replace("</", "\n</").replace("><", ">\n<")
    wide = wide.replace("<property-set", '<m:property-set xmlns:m="http://mcc.lip6.fr/"')
    wide = wide.replace("</property-set", "</m:property-set")
    wide = wide.replace("<formula>", "<tags><ctl>no</ctl></tags><formula>")
    assert read(wide) == read(text)


# What is refused, alone

LE = le(P, Q)
UNSUPPORTED = {
    "nested": (ag(ag(LE)), "<globally> must hold a formula about one marking"),
    "below a connective": (tag("conjunction", ef(LE), ef(LE)), "<conjunction> must hold"),
    "EG": (tag("exists-path", tag("globally", LE)), "<exists-path> must hold <finally>"),
    "AF": (tag("all-paths", tag("finally", LE)), "<all-paths> must hold <globally>"),
    "next": (tag("exists-path", tag("next", LE)), "<next> is not supported"),
    "until": (
        tag("all-paths", tag("until", tag("before", LE), tag("reach", LE))),
        "<until> is not supported",
    ),
    "a bound below a path": (
        ef(tag("place-bound", "<place>p</place>")),
        "must hold a formula about one marking, not <place-bound>",
    ),
    "no quantifier": (LE, "begins with a path quantifier, not a formula about one"),
    "no path": (tag("exists-path", LE), "<exists-path> must hold <finally>, not a formula"),
    "LTL": (tag("all-paths", tag("globally", tag("finally", LE))), "not <finally>"),
    "number": (ef(P), "must hold a formula about one marking, not a number"),
    "product": (ef(le(product(P, Q), R)), "two places are multiplied"),
    "large product": (
        ef(le(product(number(9 * 10**3000), number(10**3000)), R)),
        "more than 4000 digits",
    ),
    "large coefficient": (
        ef(le(product(number(10**3999), P, number(10)), R)),
        "more than 4000 digits",
    ),
    "large coefficient among others": (
        ef(le(product(number(10**3999), total(product(P, number(10)), Q)), R)),
        "more than 4000 digits",
    ),
    "large negative product": (
        ef(le(product(number(-(10**3999)), number(10)), R)),
        "more than 4000 digits",
    ),
    "large number": (
        ef(tag("integer-le", P, tag("integer-constant", "9" * 100_000))),
        "a number of 100000 digits is refused",
    ),
    "no number": (ef(tag("integer-le", P, tag("integer-constant", "1.5"))), "'1.5' is no integer"),
    "three sides": (ef(tag("integer-le", P, Q, R)), "must hold 2 elements, not 3"),
    "one side": (ef(tag("integer-le", P)), "must hold 2 elements, not 1"),
    "no side": (ef(tag("integer-le")), "<integer-le> is empty"),
    "empty and": (ef(tag("conjunction")), "<conjunction> is empty"),
    "no place": (ef(tag("integer-le", count("nowhere"), Q)), "there is no place 'nowhere'"),
    "twice": (ef(tag("integer-le", count("p", "p"), Q)), "names a place twice"),
    "no count": (ef(tag("integer-le", count(), Q)), "<tokens-count> is empty"),
    "no transition": (ef(fireable("nothing")), "no transition with the id 'nothing'"),
    "no fireable": (ef(fireable()), "<is-fireable> is empty"),
    "element in a leaf": (ef(tag("integer-le", count("<place>p</place>"), Q)), "text alone"),
    "text": (ef("or" + LE), "<finally> holds stray text: 'or'"),
    "a formula within": (tag("formula", ef(LE)), "<formula> is not supported"),
    "bare text": ("EF p = 1", "stray text"),
    "two formulas": (ef(LE) + ef(LE), "<formula> must hold 1 element, not 2"),
    "none": ("", "<formula> is empty"),
    "full deadlock": (ef(tag("deadlock", LE)), "<deadlock> must be empty"),
    "second formula": (ef(LE) + "</formula><formula>" + ef(LE), "1 <formula>, not 2"),
    "unknown child": (
        ef(LE) + "</formula><quota>7</quota><formula>",
        "<quota> is not known",
    ),
}


@pytest.mark.parametrize("case", UNSUPPORTED)
def test_what_is_not_supported_is_refused_alone_with_line_and_reason(case, read):
    formula, reason = UNSUPPORTED[case]
    fine = prop(ef(LE), "fine")
    before, refused, after = read(
        file_of(fine, "\n" + prop(formula, "bad") + "\n", fine.replace("fine", "good"))
    )
    assert isinstance(refused.meaning, RefusedProperty)
    assert refused.meaning.reason.startswith("line 3: ")
    assert reason in refused.meaning.reason
    assert len(refused.meaning.reason) < 300
    assert before.meaning == after.meaning == Possible(before.meaning.target)


@pytest.mark.parametrize("at", ["<formula", "<exists-path", "<finally", "<place", "<integer-le"])
def test_an_attribute_in_a_formula_refuses_that_property_alone(at, read):
    formula = ef(tag("integer-le", number(1), count("p")))
    text = file_of(prop(formula).replace(at, f'{at} bound="3"', 1), prop(formula, "b"))
    first, second = read(text)
    assert isinstance(first.meaning, RefusedProperty)
    assert "has the attribute bound, which is not known there" in first.meaning.reason
    assert isinstance(second.meaning, Possible)
    assert (first.warnings, second.warnings) == ((), ())


def test_attributes_around_formulas_are_told_once_each_with_line_and_count(read):
    formula = ef("<true/>")
    text = file_of(prop(formula), prop(formula, "b")).replace("<property>", "\n<property o='1'>")
    text = text.replace("<property-set", "<property-set version='2' xml:lang='en'")
    text = text.replace("<id>", "<id x='1'>", 1).replace("<formula>", "<tags y='1'/><formula>")
    first, second = read(text)
    assert first.warnings == (
        "ignored the attribute version of <property-set> (line 2)",
        "ignored the attribute o of <property> (line 3, 2 times)",
        "ignored the attribute x of <id> (line 3)",
    )
    assert second.warnings == ()
    assert isinstance(first.meaning, Possible)


def test_a_property_without_a_formula_is_refused_alone(read):
    first, second = read(file_of(tag("property", tag("id", "none")), prop(ef(LE))))
    assert "1 <formula>, not 0" in first.meaning.reason
    assert isinstance(second.meaning, Possible)


def nested(depth: int) -> str:
    """Alternating connectives, which do not merge."""
    formula = LE
    for level in range(depth):
        formula = tag(("conjunction", "disjunction")[level % 2], formula, le(Q, R))
    return formula


def test_connectives_nest_to_a_limit_but_one_within_its_like_is_no_nesting(meaning):
    assert isinstance(meaning(ef(nested(MAX_DEPTH))), Possible)
    assert "nest deeper than 100" in meaning(ef(nested(MAX_DEPTH + 2))).reason
    formula = LE
    for bound in range(800):
        formula = tag("conjunction", le(P, number(bound)), formula)
    assert len(meaning(ef(formula)).target.operands) == 801


# What is refused as a whole

BOMB = '<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
HOSTILE = {
    "empty": ("", "empty"),
    "blank": (" \n ", "empty"),
    "no XML": ("EF p = 1", "not well-formed"),
    "cut short": (file_of(prop(ef(LE)))[:-20], "not well-formed"),
    "entities": (BOMB + tag("property-set", prop("&b;")), "DOCTYPE"),
    "external": (
        '<!DOCTYPE b SYSTEM "file:///etc/passwd">' + tag("property-set", prop("")),
        "DOCTYPE",
    ),
    "entity": (tag("property-set", prop("&a;")), "not well-formed"),
    "nesting": ("<property-set><property><formula>" + "<negation>" * 200_000, "nest deeper"),
    "nesting aside": ("<property-set><property><tags>" + "<a>" * 200_000, "nest deeper"),
    "net": ("<pnml><net/></pnml>", "<pnml> stands where <property-set> was expected"),
    "stranger": (tag("property-set", "<net/>"), "<net> stands where <property> was expected"),
    "none": (tag("property-set"), "holds no <property>"),
    "no id": (tag("property-set", tag("property", tag("formula", ef(LE)))), "must have one <id>"),
    "two ids": (file_of(prop(ef(LE), "a</id><id>b")), "must have one <id>"),
    "blank id": (file_of(prop(ef(LE), " ")), "must have one <id>"),
    "id of two lines": (file_of(prop(ef(LE), "a TRUE\nFORMULA b")), "must have one <id>"),
    "id that steers": (file_of(prop(ef(LE), "a&#x9b;31m")), "must have one <id>"),
    "element in id": (file_of(prop(ef(LE), "<b>a</b>")), "<id> must hold text alone"),
    "same id": (file_of(prop(ef(LE)), prop(ag(LE))), "'a' is given twice"),
    "encoding": ('<?xml version="1.0" encoding="klingon"?><property-set/>', "encoding"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_or_broken_file_is_refused_as_a_whole(case, read):
    text, reason = HOSTILE[case]
    with pytest.raises(InputError) as caught:
        read(text)
    assert reason in caught.value.message
    assert caught.value.path.endswith("properties.xml")
    assert len(str(caught.value)) < 500


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.xml: cannot be read"):
        read_properties(tmp_path / "none.xml", NET)


def test_a_file_beyond_the_limit_is_refused(read, monkeypatch):
    monkeypatch.setattr("petricheck.formats.properties.readers.MAX_BYTES", 1 << 20)
    with pytest.raises(InputError, match="larger than 1 MiB"):
        read(file_of(prop(ef(LE))) + " " * (1 << 20))


@given(st.lists(st.sampled_from([LE, "<true/>", "<a>", "</a>", "x", "<place>p</place>", "</id>"])))
@settings(max_examples=22, deadline=None)
def test_any_content_is_read_or_refused(tmp_path_factory, parts):
    path = tmp_path_factory.getbasetemp() / "any.xml"
    path.write_text(file_of(prop("".join(parts))))
    try:
        (found,) = read_properties(path, NET)
    except InputError:
        return
    assert isinstance(found.meaning, RefusedProperty)


# Files with known answers

SIDECARS = [
    path
    for folder in ("mcc", "tapaal", "smpt_pdr")
    for path in sorted((SHARED / "nets" / folder).glob("*.json"))
    if "mcc" in json.loads(path.read_text())
]


def test_no_known_file_is_overlooked():
    if not SHARED.is_dir():
        pytest.skip("the shared nets are not here")
    assert len(SIDECARS) == 53


@pytest.mark.parametrize("sidecar", SIDECARS, ids=lambda path: path.stem)
def test_every_known_file_is_read_whole_and_asks_what_is_said_of_it(sidecar):
    entry = json.loads(sidecar.read_text())
    net = read_net(sidecar.parent / entry["net"]).net
    found = {each.id: each for each in read_properties(sidecar.parent / entry["mcc"]["xml"], net)}
    assert not [each for each in found.values() if isinstance(each.meaning, RefusedProperty)]
    meaning = found[entry["mcc"]["id"]].meaning
    expected = {"reachable": Possible, "unreachable": InvariantProperty}[entry["mcc"]["holds_iff"]]
    assert isinstance(meaning, expected)
    question = read_question(sidecar)
    if question is not None:
        target = question_formula(question, net)
        for left, right in ((target, meaning.target), (meaning.target, target)):
            difference = Conjunction((left, Negation(right)))
            assert find_model(difference, natural=True) is None


QUICK = [
    path
    for path in SIDECARS
    if path.parent.name == "smpt_pdr"
    or path.stem[-2:] in ("00", "02", "04", "06", "08", "11", "14", "18")
]


@pytest.mark.parametrize("sidecar", QUICK, ids=lambda path: path.stem)
def test_known_properties_have_the_known_verdict_in_the_line_of_the_contest(sidecar):
    entry = json.loads(sidecar.read_text())
    name = entry["mcc"]["id"]
    answer = run(
        str(sidecar.parent / entry["net"]),
        "--properties", str(sidecar.parent / entry["mcc"]["xml"]),
        "--property", name, "--mcc", "--timeout", "30",
    )  # fmt: skip
    truth = entry["expected"] == entry["mcc"]["holds_iff"]
    assert answer.exit_code == 0, answer.output
    assert answer.stdout.startswith(f"FORMULA {name} {str(truth).upper()} TECHNIQUES ")


# The command line


FOUR = file_of(
    prop(possible(1, "r"), "yes"),
    prop(tag("exists-path", tag("next", LE)), "odd"),
    prop(possible(3, "p"), "no"),
    prop(ag(le(P, number(1))), "always/ever"),
)


@pytest.fixture
def asked(tmp_path):
    """The arguments that ask the four properties of the net without its source."""
    net = make_net("n", {"p": 1, "q": 2, "r": 0}, {"t": ({"p": 1, "q": 2}, {"r": 1})})
    write_net(net, tmp_path / "net.pnml")
    (tmp_path / "four.xml").write_text(FOUR)
    net, four = str(tmp_path / "net.pnml"), str(tmp_path / "four.xml")
    return [net, "--properties", four, "--engine", "cegar"]


def test_properties_are_told_as_they_are_asked(asked, tmp_path):
    path = Path(asked[2])
    path.write_text(FOUR.replace("<property-set", '<property-set version="2"'))
    answer = run(*asked, "--property", "no")
    assert answer.stderr.count(f"{path}: warning: ignored the attribute version") == 1
    assert run(*asked, "--quiet").stderr == ""
    answer = run(*asked, "--property", "no", "--property", "yes", "--quiet")
    assert (answer.exit_code, answer.stdout) == (0, "yes: holds\nno: violated\n")
    path.write_text(file_of(prop(ag(le(R, number(0))), "empty")))
    answer = run(*asked)
    assert answer.exit_code == 0
    assert answer.stdout.startswith("empty: violated, what violates it is reachable\nA tr")


@pytest.fixture
def padded(tmp_path):
    """Five properties, one of deadlocks, of a net of which much can be left out."""
    places = {"p": 2, "q": 0, "one": 1, "two": 0, "none": 0, "sink": 0}
    net = make_net("n", places, {
        "t": ({"p": 1, "one": 1}, {"q": 1, "one": 1, "two": 2}), "u": ({"q": 1, "two": 2}, {}),
        "dead": ({"none": 1}, {"p": 1}), "v": ({"q": 1}, {"q": 1, "sink": 1}),
    })  # fmt: skip
    two, none = count("two"), count("none")
    write_net(net, tmp_path / "net.pnml")
    path = write_properties(
        tmp_path / "f.xml",
        a=ef(tag("integer-eq", two, number(4))),
        b=ag(le(two, total(count("q"), count("q")))),
        c=ef(tag("integer-lt", count("one"), total(none, number(1)))),
        d=ef("<deadlock/>"),
        e=ef(fireable("dead", "u")),
    )
    return [str(tmp_path / "net.pnml"), "--properties", path]


@pytest.mark.parametrize("names", ["abcde", "cd", "e"])
@pytest.mark.parametrize("option", [[], ["--no-reductions"]], ids=["shared", "not"])
def test_properties_have_their_verdicts_and_evidence_whatever_they_share(
    names, option, padded, tmp_path
):
    chosen = [word for name in names for word in ("--property", name)]
    proofs = str(tmp_path / "e-{id}.json")
    answer = run(*padded, *chosen, *option, "--quiet", "--evidence", proofs)
    truth = dict.fromkeys("abde", "holds") | {"c": "violated"}
    assert sorted(answer.stdout.splitlines()) == [f"{name}: {truth[name]}" for name in names]
    assert answer.exit_code == 0
    for name in names:
        assert run("verify", padded[0], proofs.format(id=name)).exit_code == 0


def test_evidence_of_several_has_a_file_each_below_the_folder_that_is_named(asked, tmp_path):
    answer = run(*asked, "--evidence", str(tmp_path / "e.json"))
    assert (answer.exit_code, answer.stdout) == (2, "")
    assert "e-{id}.json" in answer.stderr
    assert run(*asked, "--property", "no", "--evidence", str(tmp_path / "e.json")).exit_code == 0
    assert (tmp_path / "e.json").exists()
    write_properties(tmp_path / "four.xml", **{"../../up": ef(LE), "b": ef(LE)})
    assert run(*asked, "--evidence", str(tmp_path / "{id}.json")).exit_code == 0
    assert (tmp_path / "..%2F..%2Fup.json").exists()


@pytest.mark.parametrize(
    "words",
    [
        "--target p=1", "--deadlock", "--expect reachable", "--mcc --json", "--log log.txt",
        "--graph graph.dot",
    ],
)  # fmt: skip
def test_options_that_make_no_sense_with_several_properties_are_refused(words, asked):
    answer = run(*asked, *words.split())
    assert answer.exit_code == 2
    assert answer.stdout == "" or "error" in json.loads(answer.stdout)


@pytest.mark.parametrize("words", [["--mcc"], ["--property", "yes"]], ids=" ".join)
def test_options_of_properties_need_a_file_of_them(words, asked):
    assert run(asked[0], "--cover", "p=1", *words).exit_code == 2


DIVERGING = str(NETS / "fig8_U.pnml")


@pytest.fixture
def endless(tmp_path):
    """A quick property, one that the search never ends on, and another quick one."""
    never = tag(
        "conjunction", *(tag("integer-eq", count(p), number(n)) for p, n in (("p1", 1), ("p2", 0)))
    )
    often = le(number(1), count("p1"))
    path = write_properties(tmp_path / "f.xml", a=ef(often), b=ef(never), c=ef(often))
    return [DIVERGING, "--properties", path, "--engine", "cegar", "--guide", "none"]


def test_the_time_limit_is_for_each_property(endless):
    answer = run(*endless, "--mcc", "--timeout", "0.5")
    assert answer.exit_code == 1
    assert [line.split()[2] for line in answer.stdout.splitlines()] == [
        "TRUE", "CANNOT_COMPUTE", "TRUE",
    ]  # fmt: skip


def test_an_internal_error_stops_no_other_property_and_ends_with_its_status(endless, monkeypatch):
    real = Checker.check

    def broken(checker, problem, budget):
        if "p2" in str(problem.target):
            raise InternalError("the proof is wrong")
        return real(checker, problem, budget)

    monkeypatch.setattr(Checker, "check", broken)
    answer = run(*endless, "--quiet")
    assert answer.exit_code == 4
    assert sorted(answer.stdout.splitlines()) == ["a: holds", "b: unknown", "c: holds"]
    assert "the proof is wrong" in answer.stderr


def test_each_line_is_out_before_the_next_property_and_survives_an_interruption(endless):
    command = [sys.executable, "-m", "petricheck", *endless, "--mcc"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "FORMULA a TRUE TECHNIQUES CEGAR AUDITED\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert rest == "FORMULA b CANNOT_COMPUTE\n"


# Several at the same time

WALKS = ["--no-reductions", "-o", "sweep_together=", "-o", "together="]
WALKS += ["-o", "members=random_walk:0.05"]


def test_a_long_one_holds_up_no_other_and_an_interruption_takes_it_alone(endless):
    """The endless one is the first, and each is decided for itself."""
    path = Path(endless[2])
    before, never, after = re.findall("<property>.*?</property>", path.read_text())
    path.write_text(file_of(never, before, after))
    words = [*endless[:3], *WALKS, "--mcc", "--timeout", "30"]
    command = [sys.executable, "-m", "petricheck", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    family = psutil.Process(process.pid)
    try:
        for name in "ac":
            told = process.stdout.readline()
            assert told == f"FORMULA {name} TRUE TECHNIQUES RANDOM_WALK AUDITED\n"
        children = family.children(recursive=True)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, rest) == (130, "FORMULA b CANNOT_COMPUTE\n")
    assert children
    assert psutil.wait_procs(children, timeout=10)[1] == []


def test_in_a_file_an_id_is_no_name_of_another_node() -> None:
    swapped = replace(make_net("n", {"p": 1, "q": 0}, {}), labels=("q", "p"))
    assert Vocabulary(swapped).place("q").tokens == variable("q")
    asked = property_question(swapped, AlwaysPossible(at_least(variable("q"), 1)))
    assert asked.content == at_least(variable("q"), 1) and asked.text == '"p (q)" >= 1'
    most = property_question(swapped, Maximum(variable("q")))
    assert most.content.sum == (("q", 1),) and most.text == '"p (q)"'
