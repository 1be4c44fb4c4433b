"""Task definitions and a benchmark definition for BenchExec.

    DIR/petricheck.xml      the benchmark definition: a run definition for each configuration
    DIR/unreachable.prp     the property, which holds where the target is unreachable
    DIR/COLLECTION.set      the tasks of a collection
    DIR/tasks/NAME.yml      a task definition, one for each question
    DIR/files/HASH-…        copies of the nets, the files of properties and the questions' texts

The folder is complete in itself and can be moved. BenchExec expands wildcards, `~` and variables of
the environment in the names of files and in arguments; so names are percent-encoded, and a question
is the text of a file, which also may be longer than an argument.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from petricheck.analyses import Value
from petricheck.batch.cells import Limits
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import OfFile, Question, Words
from petricheck.batch.task_names import encoded, name_of_copy, name_of_text, task_name, text_of
from petricheck.errors import InputError, QueryError
from petricheck.plugins import as_option

TOOL = "petricheck.batch.benchexec"
BENCHMARK = "petricheck.xml"
PROPERTY = "unreachable.prp"
COLUMNS = ("engine", "iterations", "states", "audit")


@dataclass(frozen=True, slots=True)
class Resources:
    """What each run may use.

    Attributes:
        limits: on time and memory; BenchExec counts from the start of the process.
        cores: how many a run has to itself; None where BenchExec assigns none.
    """

    limits: Limits
    cores: int | None = None


def write_tasks(
    questions: Sequence[Question],
    configurations: Sequence[Configuration],
    resources: Resources,
    folder: Path,
) -> Path:
    """Write the definitions into a folder, which is made; the benchmark definition's file.

    Args:
        questions: with unique collections and names.
        configurations: with unique names.
        resources: of each run.
        folder: new, or empty, which it stays where this fails.

    Raises:
        InputError: a file cannot be read or written, or the folder holds something.
        QueryError: BenchExec cannot be told a question.
    """
    benchmark = _benchmark(questions, configurations, resources)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError("is not empty; name a new folder", path=str(folder))
        try:
            _write(folder, questions, benchmark)
        except BaseException:
            _empty(folder)
            raise
    except OSError as error:
        path = str(error.filename or folder)
        raise InputError(f"cannot be copied or written: {error.strerror}", path=path) from None
    return folder / BENCHMARK


def _write(folder: Path, questions: Sequence[Question], benchmark: str) -> None:
    for part in ("tasks", "files"):
        (folder / part).mkdir()
    (folder / PROPERTY).write_text("No reachable marking satisfies the target of the task.\n")
    for collection, tasks in _collections(questions).items():
        lines = [_write_task(folder, question) for question in tasks]
        (folder / _set(collection)).write_text("\n".join([*lines, ""]))
    (folder / BENCHMARK).write_text(benchmark, encoding="utf-8")


def _empty(folder: Path) -> None:
    """Leave nothing half done."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _collections(questions: Sequence[Question]) -> Mapping[str, Sequence[Question]]:
    collections: dict[str, list[Question]] = {}
    for question in questions:
        collections.setdefault(question.collection, []).append(question)
    return collections


def _benchmark(
    questions: Sequence[Question], configurations: Sequence[Configuration], resources: Resources
) -> str:
    """The benchmark definition."""
    limits = resources.limits
    attributes = {
        "tool": TOOL,
        "displayName": "petricheck",
        "walltimelimit": f"{math.ceil(limits.seconds)} s",
    }
    if limits.cpu_seconds is not None:
        attributes["timelimit"] = f"{math.ceil(limits.cpu_seconds)} s"
    if limits.memory is not None:
        attributes["memlimit"] = f"{limits.memory << 20} B"
    if resources.cores is not None:
        attributes["cpuCores"] = str(resources.cores)
    root = ElementTree.Element("benchmark", attributes)
    for configuration in configurations:
        _add_configuration(root, configuration)
    for collection in _collections(questions):
        tasks = ElementTree.SubElement(root, "tasks", name=encoded(collection))
        ElementTree.SubElement(tasks, "includesfile").text = _set(collection)
    ElementTree.SubElement(root, "propertyfile").text = PROPERTY
    columns = ElementTree.SubElement(root, "columns")
    for name in COLUMNS:
        ElementTree.SubElement(columns, "column", title=name).text = name
    ElementTree.SubElement(root, "resultfiles")  # none: the evidence is in the output
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _add_configuration(root: ElementTree.Element, configuration: Configuration) -> None:
    definition = ElementTree.SubElement(root, "rundefinition", name=encoded(configuration.name))
    options = [("--engine", configuration.engine)]
    options += [("-o", f"{field}={value}") for field, value in configuration.options]
    for name, value in options:
        ElementTree.SubElement(definition, "option", name=name).text = value


def _write_task(folder: Path, question: Question) -> str:
    """Write a task definition and its files; its path, relative to the folder.

    Raises:
        QueryError: BenchExec cannot be told the question.
    """
    if question.analysed:
        option = as_option(question.kind)
        raise QueryError(
            f"question {question.name!r} asks {option}, and BenchExec knows no answers but true "
            "and false; name the other questions, or let 'petricheck batch' ask this one"
        )
    name = task_name(question)
    files = [_copy(folder, question.net)]
    match question.target:
        case OfFile(file, property_id):
            files.append(_copy(folder, file))
            options = {"question": "property", "property": _plain(property_id)}
        case Words(kind, _):
            options = {"question": kind}
        case _:
            options = {"question": "formula"}
    if text := text_of(question):
        path = f"files/{name_of_text(question)}"
        (folder / path).write_bytes(text)
        files.append(path)
    path = f"tasks/{name}.yml"
    (folder / path).write_text(_definition(files, options, question.expected))
    return path


def _definition(files: Sequence[str], options: Mapping[str, str], reachable: Value | None) -> str:
    """A task definition in YAML, in ASCII; the property holds where the target is unreachable."""
    holds = str(not reachable).lower()
    return "\n".join(
        [
            'format_version: "2.0"',
            "input_files:",
            *(f"  - {_scalar(f'../{file}')}" for file in files),
            "properties:",
            f"  - property_file: {_scalar(f'../{PROPERTY}')}",
            *([] if reachable is None else [f"    expected_verdict: {holds}"]),
            "options:",
            *(f"  {key}: {_scalar(value)}" for key, value in options.items()),
            "",
        ]
    )


def _copy(folder: Path, file: Path) -> str:
    """Copy a file; the path of the copy."""
    path = f"files/{name_of_copy(file)}"
    if not (folder / path).exists():
        shutil.copyfile(file, folder / path)
    return path


def _plain(name: str) -> str:
    """The id of a property, which becomes an argument.

    Raises:
        QueryError: BenchExec would take a part of it for a variable.
    """
    if "$" in name:
        raise QueryError(
            f"the property {name!r} has a $ in its id, which BenchExec would expand; rename it"
        )
    return name


def _set(collection: str) -> str:
    return f"{encoded(collection)}.set"


def _scalar(text: str) -> str:
    """A double-quoted scalar of YAML."""
    return '"' + "".join(c if _is_plain(c) else f"\\U{ord(c):08x}" for c in text) + '"'


def _is_plain(character: str) -> bool:
    return " " <= character <= "~" and character not in '"\\'
