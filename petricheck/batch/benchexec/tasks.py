"""Task definitions and a benchmark definition for BenchExec.

    DIR/petricheck.xml      the benchmark definition: a run definition for each configuration
    DIR/unreachable.prp     the property, which holds where the target is unreachable
    DIR/COLLECTION.set      the tasks of a collection
    DIR/tasks/NAME.yml      a task definition, one for each question
    DIR/files/              copies of the nets, the files of properties and the questions' texts

The folder is complete in itself and can be moved. BenchExec expands wildcards, `~` and variables of
the environment in the names of files and in arguments; so names are percent-encoded, and a question
is the text of a file, which also may be longer than an argument. The name of a task ends in a hash
of what is asked of what net, by which its runs are known again.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from petricheck.batch.cells import CellLimits
from petricheck.batch.configurations import Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.questions import kind_of
from petricheck.support.errors import InputError, QueryError

TOOL = "petricheck.batch.benchexec.tool"
BENCHMARK = "petricheck.xml"
PROPERTY = "unreachable.prp"
COLUMNS = ("engine", "iterations", "states", "audits")

_LONGEST = 160


def write_tasks(
    questions: Sequence[BatchQuestion],
    configurations: Sequence[Configuration],
    limits: CellLimits,
    folder: Path,
    cores: int | None = None,
) -> Path:
    """Write the definitions into a new folder; return the file of the benchmark definition.

    A verdict answers each of the questions. BenchExec counts the limits from the start of the
    process, and gives each run so many cores, if any number is told. InputError where a file cannot
    be read or written, or the folder holds something; then it stays empty. QueryError where
    BenchExec cannot be told a question.
    """
    collections = dict.fromkeys(question.collection for question in questions)
    benchmark = _benchmark(collections, configurations, limits, cores)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError("is not empty; name a new folder", path=str(folder))
        try:
            for name, content in _contents(questions):
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_bytes(content)
            (folder / BENCHMARK).write_bytes(benchmark)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            raise
    except OSError as error:
        path = str(error.filename or folder)
        raise InputError(f"cannot be copied or written: {error.strerror}", path=path) from None
    return folder / BENCHMARK


def task_name(question: BatchQuestion, digests: Iterable[str]) -> str:
    """Return the name of the question's task, without a suffix; its end is a hash of its content.

    Its files may be named otherwise: `digests` are their SHA-256 in hexadecimal.
    """
    words = "\0".join([*digests, question.kind, question.text])
    # No encoded part holds a +, so no two questions share a name.
    return f"{encoded(question.collection, question.name)}-{_hash(_bytes(words))}"


def encoded(*parts: str) -> str:
    """Return a name of a file that no shell, pattern or file system takes for something else.

    Long ones are cut and end in a hash of the whole.
    """
    name = "+".join(map(_escaped, parts))
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}-{_hash(name.encode())}"


def _benchmark(
    collections: Iterable[str],
    configurations: Sequence[Configuration],
    limits: CellLimits,
    cores: int | None,
) -> bytes:
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
    root = Element("benchmark", attributes)
    for configuration in configurations:
        definition = SubElement(root, "rundefinition", name=encoded(configuration.name))
        SubElement(definition, "option", name="--engine").text = configuration.engine
        for field, value in configuration.options:
            SubElement(definition, "option", name="-o").text = f"{field}={value}"
    for collection in collections:
        tasks = SubElement(root, "tasks", name=encoded(collection))
        SubElement(tasks, "includesfile").text = f"{encoded(collection)}.set"
    SubElement(root, "propertyfile").text = PROPERTY
    columns = SubElement(root, "columns")
    for name in COLUMNS:
        SubElement(columns, "column", title=name).text = name
    SubElement(root, "resultfiles")  # none: the evidence is in the output
    indent(root)
    text: bytes = tostring(root, "utf-8", xml_declaration=True)
    return text


def _contents(questions: Iterable[BatchQuestion]) -> Iterator[tuple[str, bytes]]:
    """Yield the other files, by their paths; QueryError where BenchExec cannot ask a question."""
    yield PROPERTY, b"No reachable marking satisfies the target of the task.\n"
    tasks = defaultdict(list)
    for question in questions:
        if question.initial:
            raise QueryError(f"{question.name}: BenchExec asks about one initial marking")
        paths = (question.net, question.properties)
        contents = {file: file.read_bytes() for file in paths if file is not None}
        name = task_name(question, (hashlib.sha256(c).hexdigest() for c in contents.values()))
        # Each name ends like the file's, to tell its format.
        files = [
            (f"files/{_hash(content)}-{_escaped(file.name)[-_LONGEST:]}", content)
            for file, content in contents.items()
        ]
        options = {"question": question.kind}
        if question.properties is not None:
            options = {"question": "property", "property": _checked(question.text)}
        elif kind_of(question.kind).example:
            files.append((f"files/{name}.txt", _bytes(question.text)))
        yield from files
        expected = {} if question.expected is None else {"expected_verdict": not question.expected}
        definition = {
            "format_version": "2.0",
            "input_files": [f"../{file}" for file, _ in files],
            "properties": [{"property_file": f"../{PROPERTY}"} | expected],
            "options": options,
        }
        text = json.dumps(definition, indent=2, ensure_ascii=False)  # which is YAML
        yield f"tasks/{name}.yml", f"{text}\n".encode()
        tasks[question.collection].append(f"tasks/{name}.yml\n")
    for collection, names in tasks.items():
        yield f"{encoded(collection)}.set", "".join(names).encode()


def _checked(name: str) -> str:
    """Return the property's id as an argument; QueryError where it would be a variable."""
    if "$" in name:
        raise QueryError(
            f"the property {name!r} has a $ in its id, which BenchExec would expand; rename it"
        )
    return name


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _escaped(name: str) -> str:
    return quote(name, safe="", errors="surrogatepass").replace("~", "%7E")
