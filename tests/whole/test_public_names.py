"""The public list: what `petricheck` exports is importable, documented, and all there is."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from enum import Enum

import numpy as np
import pytest
from folders import ROOT

import petricheck
from petricheck.support import errors

NAMES = [name for name in petricheck.__all__ if not name.startswith("__")]


def test_the_public_list_is_sorted_without_repetitions():
    assert list(petricheck.__all__) == sorted(set(petricheck.__all__))


def test_a_star_import_brings_the_public_list_and_nothing_else():
    brought: dict[str, object] = {}
    exec("from petricheck import *", brought)
    assert set(brought) - {"__builtins__"} == set(petricheck.__all__)


def test_every_class_that_can_be_imported_from_the_package_is_listed():
    classes = {
        name
        for name, value in vars(petricheck).items()
        if not name.startswith("_") and inspect.isclass(value)
    }
    assert classes <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_documented(name):
    value = getattr(petricheck, name)
    assert callable(value) or inspect.ismodule(value)
    assert value.__doc__ and not value.__doc__.startswith(f"{name}(")


@pytest.mark.parametrize("name", NAMES)
def test_every_public_function_and_method_is_documented_and_fully_typed(name):
    value = getattr(petricheck, name)
    functions = [value]
    if inspect.ismodule(value):
        listed = [getattr(value, one) for one in value.__all__]
        functions = [one for one in listed if inspect.isfunction(one)]
    if inspect.isclass(value):
        own = [(n, f) for n, f in vars(value).items() if not n.startswith("_")]
        functions = [f for _, f in own if inspect.isfunction(f)]
    for function in functions:
        assert function.__doc__, function.__qualname__
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty
        for parameter in list(signature.parameters.values())[inspect.isclass(value) :]:
            assert parameter.annotation is not inspect.Parameter.empty


def test_a_name_that_is_not_public_is_told_as_by_any_module():
    with pytest.raises(AttributeError, match="module 'petricheck' has no attribute 'absent'"):
        _ = petricheck.absent


def test_examples_for_users_import_what_is_public_alone():
    """Those for who extends petricheck show other modules as well."""
    modules = {name for name in NAMES if inspect.ismodule(getattr(petricheck, name))}
    public = {"petricheck", *(f"petricheck.{name}" for name in modules)}
    extending = {"algorithm.md", "contributing.md"}
    imported = re.compile(r"^(?:>>> )?(?:from|import) (petricheck[\w.]*)(?: import (.*))?$", re.M)
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    seen = 0
    for page in (page for page in pages if page.name not in extending):
        for module, names in imported.findall(page.read_text("utf-8")):
            assert module in public, (page.name, module)
            listed = importlib.import_module(module).__all__
            assert not names or {*names.split(", ")} <= {*listed}, (page.name, names)
            seen += 1
    assert seen > 5


def test_the_version_is_that_of_the_project():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^version = "(.+)"$', text, re.MULTILINE)
    assert found and found.group(1) == petricheck.__version__


def test_the_submodule_that_shares_a_public_name_does_not_hide_it():
    import petricheck.evidence.audit

    assert inspect.isfunction(petricheck.audit)


def test_the_example_of_the_package_runs_and_its_cases_are_the_answers():
    """The example is taken from the docstring; its net is one of ours with places p4 and p5."""
    lines = (petricheck.__doc__ or "").splitlines()
    example = "\n".join(line[4:] for line in lines if line.startswith("    "))
    example = example.replace('"net.pnml"', repr(str(ROOT / "nets" / "exponential_U.pnml")))
    taken = []
    for word in ("Reachable(trace)", "Unreachable(certificate)", "Unknown(reason)"):
        assert f"case {word}: ..." in example
        name = word.split("(")[0]
        example = example.replace(f"case {word}: ...", f"case {word}: taken.append({name!r})")
    tree = ast.parse(example)
    names: dict[str, object] = {"petricheck": petricheck, "taken": taken}
    names |= {name: getattr(petricheck, name) for name in NAMES}
    exec(compile(tree, "example", "exec"), names)
    assert taken == ["Reachable"]


def test_a_user_can_ask_and_read_an_answer_with_public_names_alone():
    net = petricheck.make_net("n", {"p": 0, "q": 1}, {"t": ({"q": 1}, {"q": 1, "p": 2})})
    result = petricheck.check(petricheck.ask(net, target="p=4, q=1"))
    assert isinstance(result, petricheck.Finding)
    match result.answer:
        case petricheck.Reachable(trace):
            assert isinstance(trace, petricheck.Trace)
            assert trace.length == 2
        case other:
            raise AssertionError(other)
    odd = petricheck.check(petricheck.ask(net, target="p=3, q=1")).answer
    match odd:
        case petricheck.Unreachable(certificate):
            assert isinstance(certificate, petricheck.Certificate)
            assert petricheck.audit(petricheck.ask(net, target="p=3, q=1").problem, odd)
        case other:
            raise AssertionError(other)


def test_a_path_may_be_a_text_or_a_path():
    path = ROOT / "nets" / "fig8_U.pnml"
    assert petricheck.load(path) == petricheck.load(str(path))


def test_a_net_of_dictionaries_has_its_places_in_order_and_any_integers():
    net = petricheck.make_net(
        "n", {"q": np.int8(120), "p": 0}, {"t": ({"p": 2, "q": 1}, {"p": np.int8(100)})}, [{"p": 7}]
    )
    assert (net.places, net.initial, net.finals) == (("q", "p"), (120, 0), ((0, 7),))
    assert net.transitions == (petricheck.Transition("t", ((0, 1), (1, 2)), ((1, 100),)),)
    assert net.transitions[0].fire(net.initial, 3) == (117, 294)


@pytest.mark.parametrize(
    ("initial", "pre", "post", "final", "words"),
    [
        ({"p": -1}, {}, {}, {}, "the initial marking: 'p' is -1; give a whole number, at least 0"),
        ({"p": 0.5}, {}, {}, {}, "the initial marking: 'p' is 0.5"),
        ({"p": "1"}, {}, {}, {}, "the initial marking: 'p' is '1'"),
        ({"p": 1}, {"p": 0}, {}, {}, "transition 't': 'p' is 0; give a whole number, at least 1"),
        ({"p": 1}, {}, {"p": 2.0}, {}, "transition 't': 'p' is 2.0"),
        ({"p": 1}, {"q": 1}, {}, {}, "transition 't' names 'q', which is no place of the net"),
        ({"p": 1}, {}, {"q": 1}, {}, "transition 't' names 'q', which is no place of the net"),
        ({"p": 1}, {}, {}, {"q": 1}, "a final marking names 'q', which is no place of the net"),
        ({"p": 1}, {}, {}, {"p": -1}, "a final marking: 'p' is -1"),
    ],
)
def test_what_dictionaries_no_net_has_is_refused(initial, pre, post, final, words):
    with pytest.raises(petricheck.PetricheckError) as caught:
        petricheck.make_net("n", initial, {"t": (pre, post)}, [final])
    assert str(caught.value).startswith(words)


def all_errors() -> list[type[petricheck.PetricheckError]]:
    found, pending = [], [petricheck.PetricheckError]
    while pending:
        found.append(pending.pop())
        pending += found[-1].__subclasses__()
    return [cls for cls in found if cls.__module__.startswith("petricheck.")]


def test_every_error_has_the_one_root_and_stands_in_the_tree_at_the_top():
    tree = errors.__doc__ or ""
    for cls in all_errors():
        assert cls.__module__ == "petricheck.support.errors"
        assert re.search(rf"^\W*{cls.__name__}\b", tree, re.MULTILINE)
    defined = {
        n
        for n, c in vars(errors).items()
        if inspect.isclass(c) and c.__module__ == errors.__name__ and not issubclass(c, Enum)
    }
    assert defined == {cls.__name__ for cls in all_errors()}


def test_importing_the_package_loads_no_heavy_library():
    heavy = {
        "z3",
        "highspy",
        "sympy",
        "flint",
        "cvc5",
        "snakes",
        "lark",
        "numpy",
        "numba",
        "matplotlib",
        "jinja2",
    }
    code = f"import sys, petricheck; sys.exit(', '.join({heavy} & set(sys.modules)) or None)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_below_the_command_line_prints_or_exits():
    """Read from the source, so that rarely taken branches count too."""
    for file in sorted((ROOT / "petricheck").rglob("*.py")):
        if "commands" in file.relative_to(ROOT).parts or file.stem in ("__main__", "standalone"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="print" | "exit" | "quit")):
                    raise AssertionError(f"{file}:{node.lineno}")
                case ast.Attribute(value=ast.Name(id="sys"), attr="exit"):
                    raise AssertionError(f"{file}:{node.lineno}")
                case ast.Global():
                    raise AssertionError(f"{file}:{node.lineno}")
                case _:
                    pass


def test_whoever_cites_the_project_names_its_version_and_licence():
    cited = dict(
        re.findall(r"^(version|license): (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
    )
    declared = (ROOT / "pyproject.toml").read_text()
    for name, value in cited.items():
        assert f'\n{name} = "{value}"\n' in declared
    assert cited["version"] == petricheck.__version__
