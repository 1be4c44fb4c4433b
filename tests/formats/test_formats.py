"""Formats of nets: what each means, what each refuses and where, and that names survive."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import nets

from petricheck.arithmetic.formulas.formulas import at_most, equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.nets import format_of, mist, read_net, write_net
from petricheck.formats.nets.lola import Lola
from petricheck.formats.nets.mist import Mist
from petricheck.formats.nets.pnml import Pnml
from petricheck.formats.nets.tina import Tina
from petricheck.model.net import Net, Transition, make_net
from petricheck.model.parametric import with_initial
from petricheck.questions.kinds.deadlock import Deadlock
from petricheck.support import plugins
from petricheck.support.errors import InputError

SMALL = make_net("small", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 2})})
AWKWARD = ("p", "tr", "net", "in", "true", "PLACE", "EF", "oo", "5", "-1", "a b", "a,b", "a:b",
           "{x}", "x}", "\\", "a\\{", "/*", "#", "p'", "é", "x1", "p1", "t1", "init", "<p&q>",
           '"quoted"', "p*2", "p-1", "(a)", "p1;", "//", "a->b")  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=4),
)
ANY_NAMES = st.one_of(NAMES, st.text(max_size=4))


def spec(net: Net) -> bytes:
    return mist.text(net, [dict.fromkeys(net.places[:1], 1)])


WRITERS = {"tina": (Tina(), Tina().write), "lola": (Lola(), Lola().write), "mist": (Mist(), spec)}
every_text_format = pytest.mark.parametrize("name", WRITERS)


@st.composite
def named_nets(draw: st.DrawFn, names: st.SearchStrategy[str] = ANY_NAMES) -> Net:
    """A random net whose places, transitions and name may be called anything."""
    net = draw(nets())
    places, transitions = len(net.places), len(net.transitions)
    every = draw(
        st.lists(names, min_size=places + transitions, max_size=places + transitions, unique=True)
    )
    called = zip(every[places:], net.transitions, strict=True)
    return Net(
        draw(st.one_of(st.just(""), names)),
        tuple(every[:places]),
        tuple(Transition(name, t.pre, t.post) for name, t in called),
        net.initial,
    )


def refusal(format_: Tina | Lola | Mist, text: str) -> str:
    with pytest.raises(InputError) as caught:
        format_.read((text.encode(),), "file")
    return str(caught.value)


@every_text_format
@given(named_nets())
@settings(max_examples=20)
def test_a_net_with_any_names_is_read_back_as_it_was_written(name: str, net: Net) -> None:
    format_, write = WRITERS[name]
    data = write(net)
    data.decode("utf-8")
    assert format_.read((data,), "file") == (net, ())


@given(named_nets(NAMES))
@settings(max_examples=20)
def test_a_net_goes_through_all_formats_unchanged(net: Net) -> None:
    now = net
    for format_, write in (*WRITERS.values(), (Pnml(), Pnml().write)):
        now, _ = format_.read((write(now),), "file")
    assert now == net


@pytest.mark.parametrize("name", [*WRITERS, "pnml"])
@given(data=st.data())
@settings(max_examples=22)
def test_damaged_files_are_read_or_refused_and_nothing_else(name: str, data: st.DataObject) -> None:
    format_, write = WRITERS.get(name, (Pnml(), Pnml().write))
    content = bytearray(write(data.draw(named_nets(NAMES))))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        new = data.draw(st.one_of(st.binary(max_size=3), st.sampled_from([
            b" ", b"\n", b"{", b"}", b"[0,w[", b"*", b"?", b"'", b":", b"99", b"->", b"tr", b";",
            b"/*", b"#", b"in", b"SAFE", b"=", b"-",
        ])))  # fmt: skip
        content[at : at + data.draw(st.integers(0, 3))] = new
    try:
        net, warnings = format_.read((bytes(content),), "file")
    except InputError as error:
        assert error.path == "file"
    else:
        assert len(set(net.places)) == len(net.places) == len(net.initial)
        assert all(isinstance(warning, str) for warning in warnings)


def test_a_transition_of_mist_that_is_added_has_a_name_of_its_own() -> None:
    text = b'# petricheck: transition t1 is "init_a"\nvars a rules a >= 1 -> a\' = a; '
    net, _ = Mist().read((text + b"init a >= 2 target a >= 1",), "file")
    assert [t.name for t in net.transitions] == ["init_a", "init_a_"]
    assert net.added == {"init_a_"}


@every_text_format
def test_a_net_by_another_name_is_not_read(name: str) -> None:
    format_, write = WRITERS[name]
    assert format_.read((write(SMALL),), "file", "small")[0] == SMALL
    with pytest.raises(InputError, match="holds the net 'small', and none called 'large'"):
        format_.read((write(SMALL),), "file", "large")


def test_formats_that_share_an_extension_are_told_by_their_beginnings() -> None:
    members = [plugins.member("formats", name) for name in plugins.members("formats")]
    known = [extension for member in members for extension in member.extensions]
    assert set(known) == {".apt", ".g", ".lola", ".net", ".pnml", ".pnpro", ".spec", ".tapn"}
    for extension in known:
        sharing = [member for member in members if extension in member.extensions]
        assert sum(member.begins is None for member in sharing) <= 1 or len(sharing) == 1
    for extension in known:
        assert extension in format_of(f"Net{extension.upper()}.gz").extensions


# Tina


def test_a_tina_file_is_the_superposition_of_its_declarations() -> None:
    text = """
# a comment

net {two words}
tr t1 : {a label} [0,w[ p1*3 p2 -> p2*2K
pl p1 : one (4)
tr t2 [] -> p3
pl p3 (1M) t1 -> t3*2
nt note 1 {anything}
lb p2 two
"""
    net, warnings = Tina().read((text.encode(),), "file")
    assert (net.name, net.places) == ("two words", ("p1", "p2", "p3"))
    assert net.initial == (4, 0, 1_000_000)
    assert net.labels == ("one", "two", "")
    assert net.transitions == (
        Transition("t1", ((0, 3), (1, 1)), ((1, 2000), (2, 1))),
        Transition("t2", (), ((2, 1),)),
        Transition("t3", ((2, 2),), ()),
    )
    assert warnings == ()


@pytest.mark.parametrize(("unit", "zeros"), [("", 0), *zip("KMGTPE", range(3, 19, 3), strict=True)])
def test_numbers_of_tina_have_units(unit: str, zeros: int) -> None:
    net, _ = Tina().read((f"pl p (3{unit})\ntr t p*2{unit} ->".encode(),), "file")
    assert (net.initial, net.transitions[0].pre) == ((3 * 10**zeros,), ((0, 2 * 10**zeros),))


def test_a_label_of_a_transition_of_tina_is_skipped() -> None:
    net, _ = Tina().read((b"net n\ntr t p -> q\nlb t go\nlb p {the place}",), "file")
    assert (net.name, net.labels) == ("n", ("the place", ""))


def test_a_declaration_of_tina_may_take_several_lines_and_names_may_be_in_braces() -> None:
    net, _ = Tina().read((b"tr {t\\}r} p\n   {net}*2\n  -> {\\\\}\r\npl {p}(3)",), "file")
    assert net == make_net(
        "", {"p": 3, "net": 0, "\\": 0}, {"t}r": ({"p": 1, "net": 2}, {"\\": 1})}
    )


TINA = (
    ("tr t [1,2] p -> q", 1, "no time"),
    ("tr u p -> q\ntr t\n ]0,w[ p -> q", 3, "no time"),
    ("tr t [0,5] p -> q", 1, "no time"),
    ("tr t p!2 -> q", 1, "stopwatch arcs"),
    ("tr t p!-2 -> q", 1, "stopwatch arcs"),
    ("tr t -> q\npr t > u", 2, "priorities"),
    ("tr t p -> p*0", 1, "weight 0"),
    ("tr t p p -> q", 1, "given twice"),
    ("tr t p -> q\npl p -> t", 2, "given twice"),
    ("pl p (1)\npl p (2)", 2, "marked twice"),
    ("pl p (x)", 1, "no number"),
    ("pl p (-1)", 1, "no number"),
    ("tr t p q", 1, "->"),
    ("tr t p -> q -> r", 1, "->"),
    ("tr t p -> net q", 1, "keyword"),
    ("tr t p -> q tr u", 1, "keyword"),
    ("tr t p*a -> q", 1, "no number"),
    ("\npl {p\n}", 2, "not closed"),
    ("pl {a\\b}", 1, "backslash"),
    ("what is this", 1, "beginning of a line"),
    ("# only a comment", None, "declares nothing"),
    ("tr t * x p -> q", 1, "stands where"),
    ("pl p < x", 1, "stands where"),
    ("lb p q", 1, "no node"),
    ("net a\nnet b", 2, "named twice"),
    ("tr t [0,w", 1, "interval"),
    ("pl p (" + "9" * 4001 + ")", 1, "4001 digits"),
    ('# petricheck: place p is "q"\npl p\npl q', None, "two places"),
    ("pl a\n# petricheck: place nonsense", 2, "is not of the form"),
)
"""Files that are no nets, the line that is refused, and words of the reason."""


def test_a_net_that_tina_reduced_is_read_with_a_warning() -> None:
    net, warnings = Tina().read(
        (b"# generated equations\n# R |- p = q\nnet {a-b}\npl q (1)",), "file"
    )
    assert (net.name, net.places) == ("a-b", ("q",))
    assert "reduced" in warnings[0]


# LoLA


def test_a_lola_file_has_places_a_marking_and_transitions() -> None:
    text = (
        """{ a comment } /* and
another * one */
PLACE SAFE 2: p, q.1; 5; SAFE: r;
MARKING p: 2, q.1, ;""".replace(", ;", ";")
        + """
TRANSITION t STRONG FAIR CONSUME p: 2, q.1; PRODUCE ;
TRANSITION a+b CONSUME ; PRODUCE r, 5: 3;"""
    )
    net, warnings = Lola().read((text.encode(),), "file")
    assert (net.places, net.initial) == (("p", "q.1", "5", "r"), (2, 1, 0, 0))
    assert net.transitions == (
        Transition("t", ((0, 2), (1, 1)), ()),
        Transition("a+b", (), ((2, 3), (3, 1))),
    )
    assert [warning.split()[0] for warning in warnings] == ["SAFE", "fairness"]


def test_what_lola_sums_is_summed_with_a_warning() -> None:
    text = b"PLACE p; MARKING p, p: 2; TRANSITION t CONSUME p, p: 3; PRODUCE ;"
    net, warnings = Lola().read((text,), "file")
    assert (net, len(warnings)) == (make_net("", {"p": 3}, {"t": ({"p": 4}, {})}), 2)


LOLA = (
    ("PLACE p;\nMARKING p;", 2, "TRANSITION"),
    ("PLACE p", 1, "the file ends"),
    ("PLACE p, p; MARKING ; ", 1, "two places"),
    ("PLACE p; MARKING q;", 1, "no place 'q'"),
    ("PLACE p; MARKING p: x;", 1, "a number"),
    ("PLACE p; MARKING ;\nTRANSITION t CONSUME p: 0; PRODUCE ;", 2, "weight 0"),
    ("PLACE p; MARKING ;\nTRANSITION t CONSUME\nq; PRODUCE ;", 3, "no place 'q'"),
    ("PLACE p; MARKING ; TRANSITION t PRODUCE ; CONSUME ;", 1, "CONSUME"),
    ("PLACE p; MARKING ; TRANSITION t CONSUME p PRODUCE ;", 1, "','"),
    ("PLACE p; MARKING ;\nTRANSITION t\nCONSUME ;", 3, "PRODUCE"),
    ("{ a } PLACE p; { b }", 1, "two on a line"),
    ("PLACE p; /* open", 1, "not closed"),
    ("SORT s = [0, 3]; PLACE p;", 1, "high-level"),
    ("PLACE SAFE 3 p; MARKING ;", 1, "':'"),
    ("PLACE p; MARKING p: " + "9" * 4001 + ";", 1, "4001 digits"),
    ("PLACE MARKING; MARKING ;", 1, "the name of a place"),
    ("PLACE p; MARKING ;" + 2 * "\nTRANSITION t CONSUME ; PRODUCE ;", 3, "two transitions 't'"),
)
"""The same."""


@pytest.mark.parametrize("format_", [Lola().write, spec])
def test_nets_without_places_and_large_numbers_are_not_written(format_: object) -> None:
    assert callable(format_)
    format_(make_net("n", {"p": 2**31 - 1}, {"t": ({}, {"p": 1})}))
    with pytest.raises(InputError, match="too large"):
        format_(make_net("n", {"p": 2**31}, {"t": ({}, {"p": 1})}))
    with pytest.raises(InputError, match="without"):
        format_(make_net("n", {}, {"t": ({}, {})}))


def test_names_of_lola_may_look_like_operators() -> None:
    text = b"PLACE a--->b+c,d;MARKING a--->b+c:1;TRANSITION t CONSUME a--->b+c:1;PRODUCE d:2;"
    net, _ = Lola().read((text,), "file")
    assert net == make_net("", {"a--->b+c": 1, "d": 0}, {"t": ({"a--->b+c": 1}, {"d": 2})})


# mist

SPEC = """# a comment
vars
    x y z
rules
    x >= 2, y >= 1 ->
        x' = x-1,
        z' = z + 3;
    true ->
        y' = y+0;
init
    x >= 2, y = 0, z in [4,4]
target
    x >= 1, z >= 2
    y >= 5
invariants
    x = 1, y = 1
"""


def test_a_mist_file_has_rules_and_initial_values() -> None:
    net, warnings = Mist().read((SPEC.encode(),), "file")
    assert (net.places, net.initial) == (("x", "y", "z"), (2, 0, 4))
    assert net.transitions == (
        Transition("t1", ((0, 2), (1, 1)), ((0, 1), (1, 1), (2, 3))),
        Transition("t2", (), ()),
        Transition("init_x", (), ((0, 1),)),
    )
    assert net.added == {"init_x"}
    assert len(warnings) == 1
    assert Mist().read((spec(net),), "file")[0] == net


def test_a_mist_file_may_be_laid_out_in_any_way_and_rules_may_change_nothing() -> None:
    rules = b"a>=1\n,b >= 2->a'=a-1\n,b' = b+1\n;\n a >= 0, b >= 2 -> a' = a+1, b' = b"
    text = b"vars a\tb rules\r\n" + rules + b"; true -> a' = a-0; init a = 1 ,b=0 target\nb>=1"
    net, _ = Mist().read((text + b" invariants a = 1",), "file")
    assert net == make_net("", {"a": 1, "b": 0}, {
        "t1": ({"a": 1, "b": 2}, {"b": 3}), "t2": ({"b": 2}, {"a": 1, "b": 2}), "t3": ({}, {}),
    })  # fmt: skip


def test_what_init_leaves_out_has_any_value_as_in_mist() -> None:
    net, warnings = Mist().read((b"vars a b rules init b = 1 target a >= 1",), "file")
    assert net.initial == (0, 1)
    assert net.added == {"init_a"}
    assert len(warnings) == 2


def test_an_added_transition_with_another_meaning_is_not_written() -> None:
    net = make_net("n", {"p": 0, "q": 0}, {})
    for start in (equal(variable("p") - variable("q"), 0), at_most(variable("p"), 1)):
        with pytest.raises(InputError, match="mist"):
            spec(with_initial(net, start))


def test_in_a_deadlock_of_a_net_whose_initial_value_is_not_fixed_no_rule_is_enabled() -> None:
    net, _ = Mist().read((b"vars a rules a >= 2 -> a' = a-2; init a >= 1 target a >= 1",), "file")
    assert Deadlock().read(net, "") == at_most(variable("a"), 1)


def test_a_spec_file_is_not_written_without_a_question(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="question"):
        write_net(SMALL, tmp_path / "net.spec")
    assert not any(tmp_path.iterdir())


MIST = (
    ("x >= 2, y >= 1 ->", "x = 0 ->", 5, "zero test"),
    ("x >= 2, y >= 1 ->", "x in [1,3] ->", 5, "zero test"),
    ("x' = x-1", "x' = x-3", 6, "takes more"),
    ("x' = x-1", "x' = 0", 6, "resets"),
    ("x' = x-1", "x' = y", 6, "transfers"),
    ("x' = x-1", "x' = x+y", 6, "transfers"),
    ("x' = x-1", "x' = y+x", 6, "transfers"),
    ("x' = x-1", "x = x-1", 6, "prime"),
    ("z' = z + 3", "x' = x + 3", 7, "twice"),
    ("x >= 2, y >= 1 ->", "x >= 2, x >= 1 ->", 5, "bounded twice"),
    ("x >= 2, y >= 1 ->", "w >= 2 ->", 5, "not declared"),
    ("x >= 2, y >= 1 ->", "x <= 2 ->", 5, "begins nothing"),
    ("x y z", "x y z x", 3, "declared twice"),
    ("z in [4,4]", "z in [4,5]", 11, "4 to 5 tokens"),
    ("z in [4,4]", "z in [5,4]", 11, "no value"),
    ("target", "goal", 12, "'target'"),
    ("z' = z + 3;", "z' = z + 3", 8, "';'"),
)
"""What is changed in the file, into what, the line that is refused, and words of the reason."""

NO_NETS = (
    *((Tina(), *row) for row in TINA),
    *((Lola(), *row) for row in LOLA),
    *((Mist(), SPEC.replace(old, new, 1), *reason) for old, new, *reason in MIST),
    *(
        (Mist(), SPEC[: SPEC.index(cut)], None, "the file ends")
        for cut in ("rules", "init", "target")
    ),
)


@pytest.mark.parametrize(("format_", "text", "line", "reason"), NO_NETS)
def test_files_that_are_no_nets_are_refused_at_the_line(
    format_: Tina | Lola | Mist, text: str, line: int | None, reason: str
) -> None:
    assert text != SPEC
    message = refusal(format_, text)
    assert reason in message
    assert message.startswith("file: " if line is None else f"file: line {line}: ")


def test_what_is_a_place_and_a_transition_is_written_where_the_two_are_kept_apart() -> None:
    net = make_net("n", {"a": 1}, {"a": ({"a": 1}, {})})
    for format_, write in WRITERS.values():
        assert format_.read((write(net),), "file")[0] == net
    with pytest.raises(InputError, match="both called 'a'"):
        Pnml().write(net)


# Compressed files


@pytest.mark.parametrize("extension", [".pnml", ".net", ".lola"])
def test_any_format_may_be_compressed(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"net{extension}.gz"
    write_net(SMALL, path)
    data = path.read_bytes()
    file = read_net(path)
    assert (file.net, file.sha256) == (SMALL, hashlib.sha256(data).hexdigest())
    assert gzip.decompress(data) == format_of(f"net{extension}").write(SMALL)
    write_net(SMALL, path)
    assert path.read_bytes() == data


@pytest.mark.slow
def test_gzip_files_of_very_many_members_are_read(tmp_path: Path) -> None:
    path = tmp_path / "members.net.gz"
    members = [b"", b"pl p (3)\n", b"", b"", b"# " + bytes(range(32, 127)) * 100]
    path.write_bytes(b"\0\0".join(map(gzip.compress, members)) + gzip.compress(b"") * 300_000)
    assert read_net(path).net.initial == (3,)


def test_bad_gzip_files_are_refused(tmp_path: Path) -> None:
    packed = gzip.compress(Pnml().write(SMALL))
    broken = bytearray(packed)
    broken[-6] ^= 1
    for name, data, reason in (
        ("plain.pnml.gz", Pnml().write(SMALL), "no gzip file"),
        ("cut.pnml.gz", packed[:-9], "cut off"),
        ("broken.pnml.gz", bytes(broken), "no sound gzip"),
        ("trailing.pnml.gz", packed + b"xxxxxxxxxxxxx", "no sound gzip"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=reason):
            read_net(tmp_path / name)


def test_a_file_that_expands_without_end_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.formats.nets.MAX_BYTES", 1 << 20)
    bomb = zlib.compressobj(wbits=31)
    packed = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(64)) + bomb.flush()
    assert len(packed) < 1 << 18
    (tmp_path / "bomb.net.gz").write_bytes(packed)
    with pytest.raises(InputError, match="expands to more than 1 MiB"):
        read_net(tmp_path / "bomb.net.gz")
