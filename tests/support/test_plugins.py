"""Families: every file is a member, builds with its defaults, and explains its options."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from invoked import run

import petricheck
from petricheck.support import plugins
from petricheck.support.errors import QueryError
from petricheck.support.plugins import (
    NamedPart,
    Option,
    all_members,
    build,
    member,
    members,
    options,
    read_part,
    split_parts,
)

ROOT = Path(petricheck.__file__).parent
FAMILIES = (
    "engines",
    "evidence.files",
    "exports",
    "formats",
    "guides",
    "heuristics",
    "questions.kinds",
)
MEMBERS = [(family, name) for family in FAMILIES for name in all_members(family)]
METHODS = {
    "engines": ("solve",),
    "evidence.files": ("read", "write"),
    "exports": ("write",),
    "formats": ("read", "write"),
    "guides": ("displacements", "interpolate"),
    "heuristics": ("displacements",),
    "questions.kinds": ("answers", "read", "search", "conclude"),
}

every_member = pytest.mark.parametrize(("family", "name"), MEMBERS)


@dataclass(frozen=True)
class Sample:
    """A member with an option of every type."""

    count: int = plugins.option(3, "a number")
    factor: float = plugins.option(0.5, "a fraction")
    loud: bool = plugins.option(False, "a choice")
    word: str = plugins.option("", "a text")
    names: tuple[str, ...] = plugins.option(("a", "b"), "a list")
    colour: str = plugins.option("red", "a colour", ("red", "blue"))


@pytest.fixture
def sample(monkeypatch):
    """The family `things` with the one member `sample`."""
    monkeypatch.setattr(plugins, "members", lambda _: ("sample",))
    monkeypatch.setattr(plugins, "member", lambda family, name: Sample)
    return lambda **values: build("things", "sample", values)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_members_of_a_family_are_its_files_in_order(family):
    folder = ROOT.parent / plugins.FAMILIES[family].replace(".", "/")
    files = sorted(file.stem for file in folder.glob("[!_]*.py"))
    assert list(members(family)) == files != []


def test_listing_members_imports_none_of_them():
    code = """if True:
        import sys
        from petricheck.support.plugins import members
        before = set(sys.modules)
        names = [n for f in sys.argv[1:] for n in members(f)]
        loaded = {m.rsplit(".", 1)[-1] for m in set(sys.modules) - before}
        assert names and not loaded & set(names), loaded & set(names)
    """
    subprocess.run([sys.executable, "-c", code, *FAMILIES], check=True)


@every_member
def test_every_member_is_a_class_with_the_methods_of_its_family(family, name):
    cls = member(family, name)
    assert cls.__module__ in (
        f"{plugins.FAMILIES[family]}.{name}",
        f"petricheck.laboratory.{family}.{name}",
    )
    # A dataclass without a docstring gets its signature for one.
    assert cls.__doc__ and not cls.__doc__.startswith(f"{cls.__name__}(")
    if options(cls):
        assert cls.__dataclass_params__.frozen
        assert build(family, name) == build(family, name, {}) == cls()
    assert all(callable(getattr(cls(), method, None)) for method in METHODS[family])


@every_member
def test_every_option_has_help_and_a_default_that_survives_being_written_and_read(family, name):
    for option in options(member(family, name)):
        default = option.default
        assert option.help.strip(), option.name
        assert isinstance(default, bool | int | float | str | tuple), option.name
        text = ",".join(default) if isinstance(default, tuple) else str(default)
        assert getattr(build(family, name, {option.name: text}), option.name) == default


@every_member
def test_options_and_values_that_are_none_are_refused_by_name(family, name):
    known = options(member(family, name))
    with pytest.raises(QueryError) as caught:
        build(family, name, {"nonsense": "1"})
    said = str(caught.value)
    assert "'nonsense'" in said and name in said and all(option.name in said for option in known)
    for option in known:
        if isinstance(option.default, bool | int | float) or option.choices:
            with pytest.raises(QueryError, match=rf"{option.name}.*'often'"):
                build(family, name, {option.name: "often"})


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["nonsense", "", "_draft", "None_", "../errors", "json.x", "é"])
def test_an_unknown_name_is_refused_with_the_known_ones(family, name):
    with pytest.raises(QueryError) as caught:
        build(family, name)
    assert repr(name) in str(caught.value) and plugins.words(family) in str(caught.value)
    assert all(known in str(caught.value) for known in members(family))


def test_options_are_read_as_the_type_of_their_defaults(sample):
    made = sample(count="-12", factor="2.5", loud="True", word="a,b", names="x,y,,z")
    assert made == Sample(-12, 2.5, True, "a,b", ("x", "y", "z"))
    assert options(Sample)[0] == Option("count", 3, "a number")
    assert sample(names="") == Sample(names=())
    assert sample(count=str(10**30)).count == 10**30
    assert sample(loud="false").loud is False


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("colour", "green"),
        ("count", "1.5"),
        ("count", ""),
        ("count", "true"),
        ("count", "9" * 10_000),
        ("factor", "half"),
        ("factor", ""),
        ("loud", "1"),
        ("loud", "yes"),
        ("loud", ""),
    ],
)
def test_text_of_another_type_is_refused_with_option_and_value(sample, option, text):
    with pytest.raises(QueryError) as caught:
        sample(**{option: text})
    assert f"option {option}" in str(caught.value)


def test_members_of_a_family_do_not_import_each_other():
    """An engine that runs others finds them by name, through the families."""
    for family, name in MEMBERS:
        source = inspect.getsourcefile(member(family, name))
        text = Path(source or "").read_text(encoding="utf-8")
        for other in all_members(family):
            if other != name:
                assert f"{family}.{other} " not in text.replace("\n", " ")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("bmc", NamedPart("bmc")),
        ("bmc:", NamedPart("bmc")),
        ("bmc:length=3", NamedPart("bmc", (("length", "3"),))),
        ("cegar:heuristics=", NamedPart("cegar", (("heuristics", ""),))),
        (
            "cegar:heuristics=parikh:weight=3,actions,control=1",
            NamedPart("cegar", (("heuristics", "parikh:weight=3,actions"), ("control", "1"))),
        ),
        (
            "cegar:guide=lattice:cheap=2,control=1",
            NamedPart("cegar", (("guide", "lattice:cheap=2"), ("control", "1"))),
        ),
        (
            "cegar:guide=[lattice:cheap=2,costly=9],control=1",
            NamedPart("cegar", (("guide", "lattice:cheap=2,costly=9"), ("control", "1"))),
        ),
        (
            "portfolio:members=[cegar:guide=[lattice:cheap=2,costly=9],control=1]",
            NamedPart(
                "portfolio", (("members", "cegar:guide=[lattice:cheap=2,costly=9],control=1"),)
            ),
        ),
        ("[bmc:length=3]", NamedPart("bmc", (("length", "3"),))),
        ("portfolio:members=[a],[b]", NamedPart("portfolio", (("members", "[a],[b]"),))),
    ],
)
def test_a_member_is_named_with_its_options(text, part):
    assert read_part(text) == part
    assert read_part(str(part)) == part


@pytest.mark.parametrize("text", ["bmc:3", "bmc:length=1,length=2"])
def test_a_member_named_with_what_are_no_options_is_refused(text):
    with pytest.raises(QueryError, match="bmc"):
        read_part(text)


def test_a_list_of_members_is_split_where_one_begins():
    assert split_parts("a:x=1,y=2,b,c:z=[d:v=1,w=2],[e:f=g,h]") == (
        "a:x=1,y=2", "b", "c:z=[d:v=1,w=2]", "e:f=g,h",
    )  # fmt: skip


def test_members_within_a_member_have_options():
    text = "cegar:guide=[lattice:cheap=2,costly=9],heuristics=parikh:weight=3,accelerated_actions"
    cegar = build("engines", text)
    assert cegar.heuristics == ("parikh:weight=3", "accelerated_actions")
    guide = build("guides", cegar.guide)
    assert (guide.cheap, guide.costly) == (2, 9)
    assert build("heuristics", cegar.heuristics[0]).weight == 3


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "cegar:guide=lattice:cheep=2",
            "lattice has no option 'cheep'; its options: cheap, costly",
        ),
        ("cegar:heuristics=parikh:weight=much", "option weight: 'much'"),
        (
            "cegar:guide=lattice:cheap=2,costly=9",
            r"cegar has no option 'costly'.*write guide=\[lattice:cheap=2,costly=9\]",
        ),
        ("portfolio:sweep=cegar:guide=nonesuch:0.5", "'nonesuch'"),
        ("portfolio:members=bmc:lengths=3", "bmc has no option 'lengths'"),
        ("shortest:prover=bmc:lengths=3", "bmc has no option 'lengths'"),
    ],
)
def test_options_of_a_member_within_are_refused_before_the_search(text, complaint):
    with pytest.raises(QueryError, match=complaint):
        build("engines", text)


def test_an_option_given_in_the_name_and_beside_it_is_refused():
    with pytest.raises(QueryError, match="'length' of bmc is given twice"):
        build("engines", "bmc:length=3", {"length": "4"})


def test_an_engine_named_with_options_answers_under_its_name():
    net = petricheck.make_net("n", {"p": 0}, {"t": ({}, {"p": 1})})
    problem = petricheck.ask(net, cover="p=1")
    result = petricheck.check(problem, engine="portfolio:sweep=bmc:length=3:1")
    assert (result.engine, result.decider) == ("portfolio", "bmc")


def test_the_command_lists_every_member_for_programs():
    listed = json.loads(run("engines", "--json").stdout)
    for family in listed:
        assert set(listed[family]) == set(all_members(family))
    assert {"engines", "guides", "heuristics", "questions.kinds", "formats"} <= set(listed)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "from petricheck.support.plugins import option\n"
            "class Mine:\n    depth: int = option(3, '')",
            "Mine has options, but is no dataclass; put @dataclass(frozen=True) before the class",
        ),
        ("Mine = 3", "Mine is no class"),
        (
            "from dataclasses import dataclass\n@dataclass\nclass Mine:\n    depth: int = 3",
            "the field 'depth' of Mine is no option; declare it by petricheck.support.plugins.opt",
        ),
    ],
)
def test_a_module_whose_class_is_no_member_is_refused(text, complaint, tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "entries", lambda family: {"mine": "mine"})
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    with pytest.raises(QueryError) as caught:
        build("engines", "mine")
    assert complaint in str(caught.value)
    del sys.modules["mine"]
