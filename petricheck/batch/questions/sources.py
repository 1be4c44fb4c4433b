"""Sources of questions: paths of indexes, of nets, and of folders that hold them.

A path is one of

- a JSON file of an index (see `index`): its question, or those of its list;
- a net: the words that are asked of it, or the properties of a file; where neither is given, the
  index's entry beside it (NAME.json), or else the properties beside it (NAME.xml, NAME.formula), or
  in it (NAME.spec);
- the net of a folder of the Model Checking Contest (model.pnml): the properties of all XML files
  beside it, each of which is named by its id;
- a folder: all of that in it and in the folders below, where nets that are asked nothing are passed
  over. Links to folders, hidden folders and those that hold a batch are left out.

What is known of the answers to properties is read from the contest's result files beside them
(*.out), lines `FORMULA ID TRUE …` or `FORMULA ID FALSE …`; of a maximum `FORMULA ID 7 …` or
`FORMULA ID +inf …`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

from petricheck.batch import DATABASE
from petricheck.batch.questions.index import BatchQuestion, read_questions
from petricheck.formats.language.quantifier import Quantifier
from petricheck.formats.nets import known_extensions
from petricheck.formats.properties import (
    Maximum,
    Meaning,
    RefusedProperty,
    read_properties,
    readers,
)
from petricheck.formats.properties.results import read_results
from petricheck.questions import Value, kind_names, kind_of
from petricheck.support import plugins
from petricheck.support.errors import InputError, NoProperties, QueryError
from petricheck.support.files import GZIP, suffix

Request: TypeAlias = tuple[str, str] | Path | None
"""What is asked of nets: a kind of question and its words, the properties of a file, or what
stands beside them."""

MODEL = "model"
"""Name of the net's file in a folder of the Model Checking Contest, without its extension."""


class Skipped(NamedTuple):
    """A file in a path that has no question, and why, in a few words."""

    path: Path
    reason: str


class Sources(NamedTuple):
    """The questions of paths, no two of the same collection and name, and what asks nothing."""

    questions: tuple[BatchQuestion, ...]
    skipped: tuple[Skipped, ...]


def read_sources(paths: Sequence[str | Path], request: Request = None) -> Sources:
    """Return the questions that paths ask of nets, each once, and what in them asks nothing.

    The collection of a question is its folder's name; folders of the same name are told apart by as
    many of the folders above as it takes. No net is read. InputError where a file was refused, or a
    path holds no question; QueryError where two questions have the same name, or what is asked fits
    a path not.
    """
    questions: dict[object, BatchQuestion] = {}
    skipped: dict[object, Skipped] = {}
    for path in map(Path, paths):
        silent = True
        for source in _read(path, request):
            match source:
                case Skipped(file, reason):
                    skipped.setdefault((os.path.realpath(file), reason), source)
                case question:
                    about = os.path.realpath(question.properties or question.net)
                    key = (question.collection, question.name, about)
                    questions.setdefault(key, question)
                    silent = False
        if silent:
            raise InputError(_nothing(path), path=str(path))
    return Sources(_with_names(questions.values()), tuple(skipped.values()))


def is_net(path: Path) -> bool:
    """Return whether the file name is that of a net, compressed or not."""
    return suffix(path) in known_extensions()


def _read(path: Path, request: Request) -> Iterator[BatchQuestion | Skipped]:
    """Yield the questions of a path; each has the path of its folder for a collection."""
    if path.is_dir():
        return _folder(path, request)
    if not path.exists():
        raise InputError("there is no such file or folder", path=str(path))
    if path.suffix.lower() == ".json":
        if request is not None:
            raise QueryError(f"{path} is an index and asks its own question; name nets instead")
        return _entries(path)
    if suffix(path) in readers.known_extensions() and not is_net(path):
        reason = "is no net; name the net, and the properties with --properties FILE"
        raise InputError(reason, path=str(path))
    return _net(path, request)


def _folder(top: Path, request: Request) -> Iterator[BatchQuestion | Skipped]:
    for name, folders, files in os.walk(top, onerror=_refuse):
        if DATABASE in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = map(Path(name).joinpath, files)
        for path in sorted(paths, key=lambda path: (path.stem, path.name)):
            if request is None and path.suffix.lower() == ".json":
                yield from _entries(path)
            elif is_net(path):
                yield from _net(path, request)


def _refuse(error: OSError) -> NoReturn:
    raise InputError(f"cannot be read: {error.strerror}", path=str(error.filename))


def _entries(path: Path) -> Iterator[BatchQuestion | Skipped]:
    _require_regular(path)
    questions = read_questions(path)
    if not questions:
        yield Skipped(path, "it asks nothing")
    for question in questions:
        yield replace(question, collection=_collection(path))


def _net(net: Path, request: Request) -> Iterator[BatchQuestion | Skipped]:
    """Yield the questions about a net: by request, by the files beside it, or its own."""
    stem = _stem(net)
    entry = net.with_name(f"{stem}.json")
    match request:
        case (kind, text):
            yield BatchQuestion(stem, net, kind, text, collection=_collection(net))
        case Path():
            yield from _properties(net, request, {})
        case None if entry.is_file():
            yield from _entries(entry)
        case None:
            files = _property_files(net)
            answers = sorted(path for path in net.parent.glob("*.out") if path.is_file())
            results = read_results(answers) if files else {}
            for file in files:
                yield from _properties(net, file, results)


def _property_files(net: Path) -> list[Path]:
    if _stem(net) == MODEL:
        files = sorted(net.parent.glob("*.xml"))
    else:
        files = [net.with_name(_stem(net) + extension) for extension in readers.known_extensions()]
    # A file that holds a net besides its properties speaks of that net only.
    return [file for file in files if file == net or (file.is_file() and not is_net(file))]


def _properties(
    net: Path, file: Path, results: Mapping[str, str]
) -> Iterator[BatchQuestion | Skipped]:
    _require_regular(file)
    try:
        named = read_properties(file)
    except NoProperties:
        yield Skipped(file, "it holds no properties")
        return
    refused = [p.meaning.reason for p in named if isinstance(p.meaning, RefusedProperty)]
    stem = _stem(net)
    if len(refused) == len(named) and stem == MODEL:
        # The contest's folders hold files of all its examinations.
        yield Skipped(file, f"it asks for no marking that can be reached: {refused[0]}")
        return
    for prop in named:
        # The contest's ids name the model already; a file that is the net has one property.
        name = stem if file == net else prop.id if stem == MODEL else f"{stem}/{prop.id}"
        yield BatchQuestion(
            name,
            net,
            prop.meaning.kind,
            prop.id,
            file,
            _expected(prop.meaning, results.get(prop.id)),
            quantifier=prop.meaning.quantifier,
            collection=_collection(net),
        )


def _expected(meaning: Meaning, result: str | None) -> Value | None:
    """Return the answer in a result file; results of another kind of question are ignored."""
    match meaning.quantifier, result:
        case Quantifier() as quantifier, "TRUE" | "FALSE":
            return quantifier.answer(result == "TRUE")
        case None, str(bound) if isinstance(meaning, Maximum) and bound not in ("TRUE", "FALSE"):
            return kind_of("bound").answers("").read(bound)
    return None


def _stem(net: Path) -> str:
    """Return the name of a net's file without the extension of its format."""
    return (net.with_suffix("") if net.suffix.lower() == GZIP else net).stem


def _collection(file: Path) -> str:
    # Not by Path.resolve, which fails where links lead round in a circle.
    return os.path.realpath(file.parent)


def _require_regular(path: Path) -> None:
    if path.exists() and not path.is_file():  # of a pipe reading might never end
        raise InputError("is no regular file", path=str(path))


def _nothing(path: Path) -> str:
    if path.is_dir():
        return (
            "the folder holds no question: neither an index (NAME.json beside NAME.pnml) nor "
            "model.pnml with files of properties; --deadlock and the like ask every net in it"
        )
    if path.suffix.lower() == ".json":
        return "the entry asks nothing; it needs a target or another question"
    options = ", ".join(map(plugins.as_option, kind_names()))
    return (
        f"nothing is asked of the net; ask with {options} or --properties, or put "
        f"{_stem(path)}.json or {_stem(path)}.xml beside it"
    )


def _with_names(questions: Iterable[BatchQuestion]) -> tuple[BatchQuestion, ...]:
    """Return them with short collections; QueryError where one folder has two of a name."""
    named: dict[tuple[str, str], BatchQuestion] = {}
    for question in questions:
        other = named.setdefault((question.collection, question.name), question)
        if other is not question:
            raise QueryError(
                f"two questions of {question.collection} are named {question.name!r}, about "
                f"{other.net.name} and {question.net.name}; rename a file, or ask them apart"
            )
    labels = _labels({folder for folder, _ in named})
    return tuple(replace(q, collection=labels[q.collection]) for q in named.values())


def _labels(folders: Iterable[str]) -> Mapping[str, str]:
    """Name each folder, with as many parent folders as make the names distinct."""
    paths = {folder: Path(folder).parts for folder in folders}
    ends = {
        folder: ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]
        for folder, parts in paths.items()
    }
    common = Counter(end for of_folder in ends.values() for end in of_folder)
    return {folder: next(e for e in of if common[e] == 1) for folder, of in ends.items()}
