"""Task definitions and a benchmark definition for BenchExec.

    DIR/petricheck.xml      the benchmark definition: a run definition for each configuration
    DIR/unreachable.prp     the property, which holds where the target is unreachable
    DIR/COLLECTION.set      the tasks of a collection
    DIR/tasks/NAME.yml      a task definition, one for each question
    DIR/files/HASH-…        copies of the nets, the files of properties and the questions' texts

The folder is complete in itself and can be moved. BenchExec expands wildcards, `~` and variables of
the environment in the names of files and in arguments; so names are percent-encoded, and a question
is the text of a file, which also may be longer than an argument. Each name begins with a hash of
what the file holds, by which the runs are known again.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

from petricheck.batch.cells import Limits
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import Question
from petricheck.errors import InputError, QueryError
from petricheck.plugins import as_option
from petricheck.questions import kind_of

TOOL = "petricheck.batch.benchexec"
BENCHMARK = "petricheck.xml"
PROPERTY = "unreachable.prp"
COLUMNS = ("engine", "iterations", "states", "audits")

HASH = 16
"""Digits of the hash that names of files begin with."""

_LONGEST = 180


def write_tasks(
    questions: Sequence[Question],
    configurations: Sequence[Configuration],
    limits: Limits,
    folder: Path,
    cores: int | None = None,
) -> Path:
    """Write the definitions into a folder, which is made; the benchmark definition's file.

    Args:
        questions: with unique collections and names.
        configurations: with unique names.
        limits: of each run; BenchExec counts from the start of the process.
        folder: new, or empty, which it stays where this fails.
        cores: how many a run has to itself; None where BenchExec assigns none.

    Raises:
        InputError: a file cannot be read or written, or the folder holds something.
        QueryError: BenchExec cannot be told a question.
    """
    collections: dict[str, list[Question]] = {}
    for question in questions:
        collections.setdefault(question.collection, []).append(question)
    benchmark = _benchmark([*collections], configurations, limits, cores)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError("is not empty; name a new folder", path=str(folder))
        try:
            _write(folder, collections, benchmark)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            raise
    except OSError as error:
        path = str(error.filename or folder)
        raise InputError(f"cannot be copied or written: {error.strerror}", path=path) from None
    return folder / BENCHMARK


def task_name(question: Question) -> str:
    """The name of the question's task, without a suffix."""
    # No encoded part holds a +, so no two questions share a name.
    return encoded(question.collection, question.name)


def hash_of_text(question: Question) -> str:
    """How the name of the file with the question's words begins; empty where it has none."""
    if question.properties is not None or not kind_of(question.kind).example:
        return ""
    return f"{hashlib.sha256(_text(question)).hexdigest()[:HASH]}-{question.kind}"


def encoded(*parts: str) -> str:
    """A name of a file that no shell, pattern or file system takes for something else.

    Long ones are cut and end in a hash of the whole.
    """
    name = "+".join(map(_escaped, parts))
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:HASH]}"


def _write(folder: Path, collections: Mapping[str, Sequence[Question]], benchmark: str) -> None:
    for part in ("tasks", "files"):
        (folder / part).mkdir()
    (folder / PROPERTY).write_text("No reachable marking satisfies the target of the task.\n")
    for collection, questions in collections.items():
        lines = [_write_task(folder, question) for question in questions]
        (folder / _set(collection)).write_text("\n".join([*lines, ""]))
    (folder / BENCHMARK).write_text(benchmark, encoding="utf-8")


def _benchmark(
    collections: Sequence[str],
    configurations: Sequence[Configuration],
    limits: Limits,
    cores: int | None,
) -> str:
    """The benchmark definition."""
    attributes = {
        "tool": TOOL,
        "displayName": "petricheck",
        "walltimelimit": f"{math.ceil(limits.seconds)} s",
    }
    if limits.cpu_seconds is not None:
        attributes["timelimit"] = f"{math.ceil(limits.cpu_seconds)} s"
    if limits.memory is not None:
        attributes["memlimit"] = f"{limits.memory << 20} B"
    if cores is not None:
        attributes["cpuCores"] = str(cores)
    root = ElementTree.Element("benchmark", attributes)
    for configuration in configurations:
        _add_configuration(root, configuration)
    for collection in collections:
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
    if not question.has_target:
        raise QueryError(
            f"question {question.name!r} asks {as_option(question.kind)}, and BenchExec knows no "
            "answers but true and false; name the other questions, or let 'petricheck batch' ask "
            "this one"
        )
    name = task_name(question)
    files = [_copy(folder, question.net)]
    options = {"question": question.kind}
    if question.properties is not None:
        files.append(_copy(folder, question.properties))
        options = {"question": "property", "property": _checked(question.text)}
    elif beginning := hash_of_text(question):
        files.append(f"files/{beginning}-{name}.txt")
        (folder / files[-1]).write_bytes(_text(question))
    known = {} if question.expected is None else {"expected_verdict": not question.expected}
    definition = {
        "format_version": "2.0",
        "input_files": [f"../{file}" for file in files],
        "properties": [{"property_file": f"../{PROPERTY}"} | known],
        "options": options,
    }
    path = f"tasks/{name}.yml"
    text = json.dumps(definition, indent=2, ensure_ascii=False)  # which is YAML
    (folder / path).write_text(f"{text}\n", encoding="utf-8")
    return path


def _copy(folder: Path, file: Path) -> str:
    """Copy a file; the path of the copy, whose name ends like the file's, to tell its format."""
    with file.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()[:HASH]
    path = f"files/{digest}-{_escaped(file.name)[-_LONGEST:]}"
    if not (folder / path).exists():
        shutil.copyfile(file, folder / path)
    return path


def _checked(name: str) -> str:
    """The id of a property, which becomes an argument.

    Raises:
        QueryError: BenchExec would take a part of it for a variable.
    """
    if "$" in name:
        raise QueryError(
            f"the property {name!r} has a $ in its id, which BenchExec would expand; rename it"
        )
    return name


def _text(question: Question) -> bytes:
    return question.text.encode("utf-8", "surrogatepass")


def _set(collection: str) -> str:
    return f"{encoded(collection)}.set"


def _escaped(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
