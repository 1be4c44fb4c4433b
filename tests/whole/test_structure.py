"""The packages of the program, as docs/structure.md lists them, beside the contract of imports."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter

import grimp
from folders import ROOT

PACKAGE = ROOT / "petricheck"

IMPORT = re.compile(r"^ *from (petricheck\.\S+) import (\([^)]*\)|[^#\n]*)", re.MULTILINE)


def private_owners(source: str) -> set[str]:
    """The packages whose underscore modules or names are imported."""
    imported = {
        f"{module}.{name.split()[0]}"
        for module, names in IMPORT.findall(source)
        for name in names.strip("()").split(",")
        if name.strip()
    }
    return {path.split("._")[0] for path in imported if re.search(r"\._(?!_)", path)}


def test_no_package_imports_what_another_marks_as_private():
    across = [
        (str(path.relative_to(ROOT)), owner)
        for path in PACKAGE.rglob("*.py")
        for owner in private_owners(path.read_text("utf-8"))
        if not path.is_relative_to(ROOT / owner.replace(".", "/"))
    ]
    assert not across


def test_the_list_of_packages_is_complete():
    plan = (ROOT / "docs" / "structure.md").read_text("utf-8").split("```")[1]
    packages = {path.stem for path in PACKAGE.glob("[a-z]*") if path.suffix in ("", ".py")}
    assert packages - set(re.findall(r"\w+", plan)) == set()


def test_no_modules_import_each_other_in_a_circle():
    graph = grimp.build_graph("petricheck", exclude_type_checking_imports=True, cache_dir=None)
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    TopologicalSorter(imported).prepare()
