"""Files and projects of GreatSPN: what is a place/transition net is read, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from petricheck.formats.nets import read_net
from petricheck.formats.nets.greatspn import Greatspn
from petricheck.formats.nets.greatspn_project import GreatspnProject
from petricheck.model.net import Net, make_net
from petricheck.support.errors import InputError

FILE = """|0|
a note
|
f 1 2 1 2 2 0 0
N 3 1.0 1.0 0
p -1 1.0 1.0 1.2 1.0 0
q 0 2.0 1.0 2.2 1.0 1 2 0
lam 2.5 1.0 1.0 0
G1 0.0 0.0 1
G2 0.0 0.0 2
t -1.0 0 0 1 0 1.5 1.0 1.6 1.0 1.7 1.0 0
   -2 1 1 0
3.0 4.0
   1
   1 2 0 0
   0
u 1.000000e+00 3 0 1 0 1.5 1.0 1.6 1.0 1.7 1.0 0
   1 2 0 0
   1
   1 1 0 0
   0
"""
TIMED = ("all transitions are timed, with delays of any length; read as the untimed net",)


def net(name: str) -> Net:
    moves = {"t": ({"p": 2}, {"q": 1}), "u": ({"q": 1}, {"p": 1})}
    return make_net(name, {"p": 3, "q": 0}, moves)


def read(text: str) -> tuple[Net, tuple[str, ...]]:
    return Greatspn().read((text.encode(),), "n.net")


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.path == "n.net"
    return str(caught.value)


def test_a_file_is_read_as_its_untimed_net() -> None:
    assert read(FILE) == (net(""), TIMED)
    tagged = FILE.replace("\np ", "\np|a ").replace("\nu ", "\nu|b|c ")
    assert read(tagged) == (net(""), (*TIMED, "tags for composing nets are ignored"))
    immediate = FILE.replace("0 0 1 0 1.5", "1 1 1 0 1.5").replace("3 0 1 0", "1 1 1 0")
    assert read(immediate) == (net(""), ())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("-1.0 0 0 1", "-1.0 1 1 1", "line 17: transition 'u' is timed and 't' is immediate with"),
        ("3 0 1 0", "1 2 1 0", "'u' is immediate with priority 2 and 't' is timed"),
        ("-1.0 0 0 1", "-1.0 0 127 1", "line 11: the transition has a deterministic or general"),
        ("t -1.0", "t *", "line 11: the transition has a deterministic or general delay"),
        ("-1.0 0 0 1", "-5.100000e+02 0 0 1", "line 11: '-5.100000e+02' stands for a rate"),
        ("-1.0 0 0 1", "-2.0 0 0 1", "'-2.0' stands for a rate"),
        ("-1.0 0 0 1", "-1e999 0 0 1", "'-1e999' stands for a rate"),
        ("-1.0 0 0 1", "0.0 0 0 1", "'0.0' stands for a rate"),
        ("lam 2.5", "lam -7134.0", "'-1.0' stands for a rate"),
        ("-1.0 0 0 1", "-1.0 -1 0 1", "line 11: the rate depends on the marking"),
        ("-1.0 0 0 1", "-1.0 1 3 1", "line 11: the file has no group 3"),
        ("N 3", "N -7134", "line 6: a marking is a parameter without a value"),
        ("p -1", "p -2", "line 6: the file has no parameter number 2"),
        ("p -1", "p -10001", "line 6: this net is coloured; write it as PNML"),
        ("1.2 1.0 0\n", "1.2 1.0 0 1.0 1.0 C\n", "line 6: this net is coloured"),
        ("-2 1 1 0", "-2 1 1 0 0.0 0.0 <x>", "line 12: this net is coloured"),
        ("1.7 1.0 0\n   -2", "1.7 1.0 0 1 1 [x=y]\n   -2", "line 11: this net is coloured"),
        ("2 0 0\nN", "2 1 0\nN", "line 4: this net is coloured"),
        ("-2 1", "0 1", "line 12: an arc of weight 0 is none"),
        ("-2 1", "20000 1", "line 12: a weight is a parameter, or too large"),
        ("-2 1", "-2 3", "line 12: the file has no place number 3"),
        ("   1\n   1 2 0 0\n   0\nu", "   2\n   1 2 0 0\n   1 2 0 0\n   0\nu", "is given twice"),
        ("\nq ", "\np ", "line 7: 'p' is no new name of a place"),
        ("\nu ", "\nt ", "line 17: 't' is no new name of a transition"),
        ("f 1 2", "f 1 1", "stands where"),
        ("f 1", f"f {'9' * 5000}", "a number of 5000 digits is refused"),
        ("f 1", f"f {'9' * 4000}", "stands where"),
        ("|0|", "|1|", "'|1|' stands where a file of GreatSPN, which begins with |0|, was"),
    ],
)  # fmt: skip
def test_what_is_no_place_transition_net_in_a_file_is_refused(
    old: str, new: str, said: str
) -> None:
    assert FILE.count(old) == 1
    assert said in refused(FILE.replace(old, new))


def test_every_beginning_of_a_file_is_refused_with_one_sentence() -> None:
    whole = FILE.rstrip()
    for length in range(len(whole)):
        assert "\n" not in refused(whole[:length])
    assert "'rest' stands where the end of the file was expected" in refused(FILE + "rest")


PROJECT = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- saved by the editor --><project name="D" version="121">
<gspn name="A" view-rates="false"><nodes>
<place marking="N" name="p" x="21.0" y="4.0"/>
<place name="q" x="1" label-x="3"/>
<transition delay="lambda" delay-x="-0.5" name="t" rotation="0.7" type="EXP" x="26.55" y="9.0"/>
<transition name="u" nservers="1" type="EXP"/>
<constant consttype="REAL" name="lambda" value="1.5" x="1" y="2"/>
<constant consttype="INTEGER" name="N" value="3" x="1" y="2"/>
<text-box>words <b/></text-box><color-class definition="c{1..2}" name="C"/>
</nodes><edges>
<arc head="t" kind="INPUT" mult="2" mult-k="0.5" tail="p"><point x="1" y="2"/></arc>
<arc head="q" kind="OUTPUT" tail="t" tail-magnet="4"/>
<arc head="u" kind="INPUT" tail="q"/>
<arc head="p" kind="OUTPUT" tail="u"/>
</edges></gspn>
<measures gspn-name="A" name="m"><formulas><formula language="ALL"/></formulas></measures>
</project>
"""


def project(text: str, net_id: str | None = None) -> tuple[Net, tuple[str, ...]]:
    return GreatspnProject().read((text.encode(),), "n.pnpro", net_id)


def test_a_project_is_read_as_its_untimed_net() -> None:
    assert project(PROJECT) == (net("A"), TIMED)
    tagged = PROJECT.replace('name="q"', 'name="q" superposition-tags="a|b"')
    assert project(tagged)[1] == (*TIMED, "tags for composing nets are ignored")
    immediate = PROJECT.replace("EXP", "IMM")
    assert project(immediate) == (net("A"), ())


def test_one_of_several_nets_of_a_project_is_named() -> None:
    two = PROJECT.replace("</project>", '<gspn name="B"><nodes/><edges/></gspn></project>')
    assert project(two, "A")[0] == net("A")
    assert project(two, "B")[0] == make_net("B", {}, {})
    with pytest.raises(InputError, match=r"holds 2 nets \('A', 'B'\)"):
        project(two)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('version="121"', 'version="110"', "line 3: the project is of version '110'"),
        (' name="D" version="121"', "", "line 3: the project is of version ''"),
        ('name="u" nservers="1" type="EXP"', 'name="u" type="IMM"', "transition 'u' is immediate"),
        ('nservers="1" type="EXP"', 'type="GEN"', "line 7: transition 'u' has type='GEN'"),
        ('nservers="1" type="EXP"', "", "line 7: transition 'u' has type=''"),
        ('nservers="1"', 'nservers="0"', "line 7: transition 'u' has nservers='0'"),
        ('nservers="1"', 'guard="x == y"', "transition 'u' has guard='x == y'; write"),
        ('nservers="1"', 'delay="#p"', "line 7: transition 'u' has delay='#p', which may be 0"),
        ('nservers="1"', 'delay="0"', "line 7: transition 'u' has delay='0', which may be 0"),
        ('nservers="1"', 'policy="x"', "line 7: transition 'u' has policy='x', which may change"),
        ('value="1.5"', 'value="0.0"', "line 6: transition 't' has delay='lambda', which may be 0"),
        ('value="3"', 'value="-3"', "line 4: place 'p' has marking='N'; write a whole number"),
        ('name="N"', 'name="M"', "line 4: place 'p' has marking='N'"),
        ('name="N"', 'domain="C" name="N"', "line 4: place 'p' has marking='N'"),
        ('name="q"', 'domain="C" name="q"', "line 5: place 'q' has domain='C'; write the net as"),
        ('name="q"', 'name="q" type="CONTINUOUS"', "line 5: place 'q' has type='CONTINUOUS'"),
        ('mult="2"', 'mult="0"', "line 12: <arc> has mult='0'"),
        ('mult="2"', f'mult="{"9" * 5000}"', "line 12: <arc> has mult="),
        ('kind="INPUT" tail="q"', 'kind="RESET" tail="q"', "line 14: <arc> is of the kind 'RESET'"),
        ('kind="INPUT" tail="q"', 'tail="q"', "line 14: <arc> is of the kind ''"),
        ('tail="q"', 'tail="r"', "line 14: arc '' is attached to 'r'"),
        ('tail="q"', 'tail="t"', "line 14: arc '' joins two transitions"),
        ('head="u" kind="INPUT" tail="q"', 'head="t" kind="INPUT" tail="p"', "is given twice"),
        ('name="u"', 'name="q"', "line 7: transition 'q' has an id that is taken already"),
        ('name="u"', "", "line 7: <transition> has no id"),
        ("<text-box>", "<rule/><text-box>", "line 10: <rule> in <nodes> is not"),
        ('view-rates="false"', 'semantics="x"', "line 3: the net has the attribute 'semantics'"),
        ("gspn name", "dta name", "not well-formed"),
        ("<nodes>", "<nodes>" + "<b>" * 300, "line 3"),
    ],
)  # fmt: skip
def test_what_is_no_place_transition_net_in_a_project_is_refused(
    old: str, new: str, said: str
) -> None:
    with pytest.raises(InputError) as caught:
        project(PROJECT.replace(old, new, 1))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_priorities_of_immediate_transitions_must_agree() -> None:
    immediate = PROJECT.replace("EXP", "IMM")
    assert project(immediate.replace('name="u"', 'name="u" priority="1"'))[0] == net("A")
    with pytest.raises(InputError, match="'u' is immediate with priority 2 and 't' is immediate"):
        project(immediate.replace('name="u"', 'name="u" priority="2"'))


def test_every_beginning_of_a_project_is_refused() -> None:
    whole = PROJECT.rstrip()
    for length in range(0, len(whole), 7):
        with pytest.raises(InputError):
            project(whole[:length])


def test_files_of_tina_and_of_greatspn_share_an_ending(tmp_path: Path) -> None:
    path = tmp_path / "n.net"
    for text, name in ((FILE, ""), ("net a\ntr t p -> q", "a")):
        path.write_text(text)
        assert read_net(path).net.name == name
    (tmp_path / "n.PNPRO").write_text(PROJECT)
    assert read_net(tmp_path / "n.PNPRO").net == net("A")
    (tmp_path / "n.xml").write_text(PROJECT)
    assert read_net(tmp_path / "n.xml").net == net("A")
    for format_, text in ((Greatspn(), FILE), (GreatspnProject(), PROJECT)):
        with pytest.raises(InputError, match="not written; write"):
            format_.write(format_.read((text.encode(),), "n")[0])
