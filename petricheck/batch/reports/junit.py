"""A batch as a file of JUnit's XML, which servers of continuous integration show.

A suite is a folder of questions under a configuration, a case a cell. A verdict that is not the
expected one, or violates a property, is a failure; what was refused or failed is an error; what is
not decided is skipped, or an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias
from xml.etree import ElementTree

from petricheck.batch.cells import CellRecord
from petricheck.batch.reports.measures import disputes, grouped
from petricheck.batch.reports.tables import NO_SET, outcome_text
from petricheck.support.words import printable

Result: TypeAlias = Literal["failure", "error", "skipped"] | None
"""The element of a case; None where it passes."""


def as_junit(records: Sequence[CellRecord], *, all_decided: bool = False) -> str:
    """Return the file; where all cells have to be decided, one that is not is an error."""
    disputed = {record.cell.key for group in disputes(records) for record in group}

    def result(record: CellRecord) -> Result:
        if record.fails or record.cell.key in disputed:
            return "failure"
        if record.outcome.value is not None:
            return None
        return "error" if all_decided or record.outcome.status == "error" else "skipped"

    root = ElementTree.Element("testsuites", name="petricheck")
    suites = grouped(records, lambda r: (r.cell.question.collection, r.cell.configuration.name))
    for (collection, configuration), cells in suites.items():
        results = [result(record) for record in cells]
        name = printable(f"{collection or NO_SET} {configuration}")
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=name,
            tests=str(len(cells)),
            failures=str(results.count("failure")),
            errors=str(results.count("error")),
            skipped=str(results.count("skipped")),
        )
        for record, element in zip(cells, results, strict=True):
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=name,
                name=printable(record.cell.question.name),
                time=f"{record.outcome.seconds or 0:.3f}",
            )
            text = printable(outcome_text(record))
            if element is None:
                ElementTree.SubElement(case, "system-out").text = text
            else:
                ElementTree.SubElement(case, element, message=text)
    ElementTree.indent(root)
    return f"{ElementTree.tostring(root, 'unicode')}\n"
