"""Where questions come from: paths of indexes, of nets, and of folders that hold them.

A path is one of

- a JSON file of an index (see `index`): its question;
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeAlias

from petricheck import analyses, plugins
from petricheck.analyses import Answers, Value
from petricheck.batch.files import DATABASE
from petricheck.batch.questions.index import (
    OfFile,
    Question,
    Words,
    answers_to,
    read_question,
)
from petricheck.batch.questions.names import MODEL, folder_labels, net_stem, property_name
from petricheck.errors import InputError, QueryError
from petricheck.problem import make_net
from petricheck.properties import read_properties
from petricheck.properties.outline import Outline, read_outlines
from petricheck.properties.results import read_results
from petricheck.queries import kinds

Asked: TypeAlias = Words | Path | None
"""What is asked of nets: words, the properties of a file, or what stands beside them."""

_NO_NET = make_net("", {}, {})
_KINDS = {"target": "reach", "cover": "cover"}
"""What a question of a kind is called, where that is neither formula nor an analysis."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a path that asks nothing.

    Attributes:
        path: the file.
        reason: why, a few words.
    """

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What paths ask.

    Attributes:
        questions: in the order of the paths, within a path by folder and name; no two have the same
            collection and name.
        skipped: what asks nothing.
    """

    questions: tuple[Question, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A question, and the folder that it stands in."""

    folder: Path
    question: Question


_Source: TypeAlias = _Found | Skipped


def read_sources(paths: Sequence[str | Path], asked: Asked = None) -> Sources:
    """The questions that paths ask, each once, and what in them asks nothing.

    The collection of a question is its folder's name; folders of the same name are told apart by
    as many of the folders above as it takes. No net is read.

    Args:
        paths: files and folders, as the module's text explains.
        asked: what is asked of nets.

    Raises:
        InputError: a file cannot be read or was refused, or a path holds no question.
        QueryError: two questions have the same name, or what is asked fits a path not.
    """
    found: dict[object, _Source] = {}
    for path in map(Path, paths):
        of_path = list(_read(path, asked))
        if all(isinstance(each, Skipped) for each in of_path):
            raise InputError(_nothing(path), path=str(path))
        for each in of_path:
            found.setdefault(_identity(each), each)
    return Sources(
        _named([each for each in found.values() if isinstance(each, _Found)]),
        tuple(each for each in found.values() if isinstance(each, Skipped)),
    )


def is_net(path: Path) -> bool:
    """Whether the file's name says that it holds a net, compressed or not."""
    return net_stem(path) != path.name


def _read(path: Path, asked: Asked) -> Iterator[_Source]:
    if path.is_dir():
        return _folder(path, asked)
    if not path.exists():
        raise InputError("there is no such file or folder", path=str(path))
    match path.suffix.lower():
        case ".json" if asked is not None:
            raise QueryError(f"{path} is an index and asks its own question; name nets instead")
        case ".json":
            return iter([_entry(path)])
        case extension if extension in _property_extensions() and not is_net(path):
            raise InputError(
                "is no net; name the net, and the properties with --properties FILE", path=str(path)
            )
        case _:
            return _net(path, asked)


def _folder(top: Path, asked: Asked) -> Iterator[_Source]:
    for name, folders, files in os.walk(top, onerror=_refuse):
        folder = Path(name)
        if DATABASE in files:
            folders.clear()
            continue
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        paths = sorted((folder / each for each in files), key=lambda path: (path.stem, path.name))
        for path in paths:
            if asked is None and path.suffix.lower() == ".json":
                yield _entry(path)
            elif is_net(path):
                yield from _beside(path) if asked is None else _net(path, asked)


def _refuse(error: OSError) -> NoReturn:
    raise InputError(f"cannot be read: {error.strerror}", path=str(error.filename))


def _entry(path: Path) -> _Source:
    _require_regular(path)
    question = read_question(path)
    if question is None:
        return Skipped(path, "it asks nothing")
    return _Found(path.parent, question)


def _net(path: Path, asked: Asked) -> Iterator[_Source]:
    """What is asked of a net.

    Raises:
        InputError: nothing.
    """
    stem = net_stem(path)
    match asked:
        case Words(kind, _):
            yield _Found(path.parent, Question(stem, path, asked, _called(kind)))
        case Path():
            yield from _properties(path, asked, {})
        case None:
            found = list(_beside(path))
            if not found:
                options = map(plugins.as_option, (*kinds(), *analyses.kinds()))
                asking = f"{', '.join(options)} or --properties"
                raise InputError(
                    f"nothing is asked of the net; ask with {asking}, or put {stem}.json or "
                    f"{stem}.xml beside it",
                    path=str(path),
                )
            yield from found


def _called(kind: str) -> str:
    return kind if kind in plugins.members("analyses") else _KINDS.get(kind, "formula")


def _beside(net: Path) -> Iterator[_Source]:
    """What is asked of a net by the files beside it, or by itself."""
    stem, folder = net_stem(net), net.parent
    if (entry := net.with_name(f"{stem}.json")).is_file():
        yield _entry(entry)
        return
    if stem == MODEL:
        files = sorted(folder.glob("*.xml"))
    else:
        files = [net.with_name(f"{stem}{extension}") for extension in _property_extensions()]
    # A file that holds a net besides its properties speaks of that net only.
    files = [file for file in files if file == net or (file.is_file() and not is_net(file))]
    answers = sorted(path for path in folder.glob("*.out") if path.is_file())
    known = read_results(answers) if files else {}
    for file in files:
        yield from _properties(net, file, known)


def _properties(net: Path, file: Path, known: Mapping[str, str]) -> Iterator[_Source]:
    _require_regular(file)
    outlines = _outlines(file)
    if not outlines:
        yield Skipped(file, "it holds no properties")
    asking = [outline for outline in outlines if outline.true_where != "nowhere"]
    if refused := len(outlines) - len(asking):
        yield Skipped(file, f"{refused} of {len(outlines)} properties ask for no marking")
    for outline in asking:
        kind = "bound" if outline.true_where == "maximum" else "formula"
        target = OfFile(file, outline.id)
        expected = _expected(outline, known.get(outline.id), answers_to(kind, target))
        question = Question(property_name(net, file, outline), net, target, kind, expected)
        yield _Found(net.parent, question)


def _require_regular(path: Path) -> None:
    """Refuse a pipe or a device, of which reading might never end."""
    if path.exists() and not path.is_file():
        raise InputError("is no regular file", path=str(path))


def _outlines(file: Path) -> tuple[Outline, ...]:
    """The properties of a file, without the net; only the contest's can be seen to ask nothing."""
    if file.suffix.lower() == ".xml":
        return read_outlines(file)
    return tuple(Outline(each.id, None) for each in read_properties(file, _NO_NET))


def _expected(outline: Outline, said: str | None, answers: Answers) -> Value | None:
    """The answer that a result file gives; what answers another kind of question is passed over."""
    match outline.true_where, said:
        case ("reachable" | "unreachable") as where, "TRUE" | "FALSE":
            return (where == "reachable") is (said == "TRUE")
        case "maximum", str(bound) if bound not in ("TRUE", "FALSE"):
            return answers.read(bound)
    return None


def _nothing(path: Path) -> str:
    if path.is_dir():
        return (
            "the folder holds no question: neither an index (NAME.json beside NAME.pnml) nor "
            "model.pnml with files of properties; --deadlock and the like ask every net in it"
        )
    return (
        "asks nothing; an entry of an index has target, formula, bound or mcc, a property EF or AG"
    )


def _identity(source: _Source) -> object:
    """What two sources have in common that are the same under other names of the path."""
    match source:
        case Skipped(path, reason):
            return os.path.realpath(path), reason
        case _Found(folder, question):
            file = question.target.file if isinstance(question.target, OfFile) else question.net
            # Not by Path.resolve, which fails where links lead round in a circle.
            return os.path.realpath(folder), question.name, os.path.realpath(file)


def _named(found: Sequence[_Found]) -> tuple[Question, ...]:
    """The questions under unique names.

    Raises:
        QueryError: two of one folder have the same name.
    """
    labels = folder_labels({each.folder.resolve() for each in found})
    named: dict[tuple[str, str], Question] = {}
    for each in found:
        question = replace(each.question, collection=labels[each.folder.resolve()])
        other = named.setdefault((question.collection, question.name), question)
        if other is not question:
            raise QueryError(
                f"two questions of {each.folder} are named {question.name!r}, about "
                f"{other.net.name} and {question.net.name}; rename a file, or ask them apart"
            )
    return tuple(named.values())


def _property_extensions() -> tuple[str, ...]:
    """What the names of files of properties end in."""
    family = "properties.readers"
    classes = (plugins.member(family, name) for name in plugins.members(family))
    return tuple(extension for member in classes for extension in member.extensions)
