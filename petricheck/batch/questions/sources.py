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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, TypeAlias

from petricheck import plugins
from petricheck.batch import DATABASE
from petricheck.batch.questions.index import Question, read_question
from petricheck.errors import InputError, QueryError
from petricheck.formats import known_extensions
from petricheck.problem import make_net
from petricheck.properties import read_properties
from petricheck.properties.outline import Outline, read_outlines
from petricheck.properties.results import read_results
from petricheck.questions import Value, kind_names, kind_of

Request: TypeAlias = tuple[str, str] | Path | None
"""What is asked of nets: a kind of question and its words, the properties of a file, or what
stands beside them."""

MODEL = "model"
"""Name of the net's file in a folder of the Model Checking Contest, without its extension."""

_NO_NET = make_net("", {}, {})


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
        questions: by path, folder and name; no two have the same collection and name.
        skipped: what asks nothing.
    """

    questions: tuple[Question, ...]
    skipped: tuple[Skipped, ...]


_Source: TypeAlias = tuple[Path, Question] | Skipped
"""A question with the folder that it stands in, or what asks nothing."""


def read_sources(paths: Sequence[str | Path], request: Request = None) -> Sources:
    """The questions that paths ask, each once, and what in them asks nothing.

    The collection of a question is its folder's name; folders of the same name are told apart by
    as many of the folders above as it takes. No net is read.

    Args:
        paths: files and folders, as the module's text explains.
        request: what is asked of nets.

    Raises:
        InputError: a file cannot be read or was refused, or a path holds no question.
        QueryError: two questions have the same name, or what is asked fits a path not.
    """
    sources: dict[object, _Source] = {}
    for path in map(Path, paths):
        of_path = list(_read(path, request))
        if all(isinstance(source, Skipped) for source in of_path):
            raise InputError(_nothing(path), path=str(path))
        for source in of_path:
            sources.setdefault(_identity(source), source)
    return Sources(
        _named([source for source in sources.values() if isinstance(source, tuple)]),
        tuple(source for source in sources.values() if isinstance(source, Skipped)),
    )


def is_net(path: Path) -> bool:
    """Whether the file's name says that it holds a net, compressed or not."""
    return net_stem(path) != path.name


def net_stem(path: Path) -> str:
    """The name without the extension of a net's format and `.gz`; whole where it is no net's."""
    name = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    for extension in known_extensions():
        if name.lower().endswith(extension):
            return name[: -len(extension)]
    return path.name


def _read(path: Path, request: Request) -> Iterator[_Source]:
    if path.is_dir():
        return _folder(path, request)
    if not path.exists():
        raise InputError("there is no such file or folder", path=str(path))
    match path.suffix.lower():
        case ".json" if request is not None:
            raise QueryError(f"{path} is an index and asks its own question; name nets instead")
        case ".json":
            return iter([_entry(path)])
        case extension if extension in _property_extensions() and not is_net(path):
            raise InputError(
                "is no net; name the net, and the properties with --properties FILE", path=str(path)
            )
        case _:
            return _net(path, request)


def _folder(top: Path, request: Request) -> Iterator[_Source]:
    for name, folders, files in os.walk(top, onerror=_refuse):
        folder = Path(name)
        if DATABASE in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in sorted(map(folder.joinpath, files), key=lambda path: (path.stem, path.name)):
            if request is None and path.suffix.lower() == ".json":
                yield _entry(path)
            elif is_net(path):
                yield from _beside(path) if request is None else _net(path, request)


def _refuse(error: OSError) -> NoReturn:
    raise InputError(f"cannot be read: {error.strerror}", path=str(error.filename))


def _entry(path: Path) -> _Source:
    _require_regular(path)
    question = read_question(path)
    return Skipped(path, "it asks nothing") if question is None else (path.parent, question)


def _net(path: Path, request: Request) -> Iterator[_Source]:
    """What is asked of a net, which is something, or else InputError."""
    stem = net_stem(path)
    match request:
        case (kind, text):
            yield path.parent, Question(stem, path, kind, text)
        case Path():
            yield from _properties(path, request, {})
        case None:
            beside = list(_beside(path))
            if not beside:
                options = map(plugins.as_option, kind_names())
                asking = f"{', '.join(options)} or --properties"
                raise InputError(
                    f"nothing is asked of the net; ask with {asking}, or put {stem}.json or "
                    f"{stem}.xml beside it",
                    path=str(path),
                )
            yield from beside


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
        expected = _expected(outline, known.get(outline.id))
        name = _property_name(net, file, outline.id)
        yield net.parent, Question(name, net, kind, outline.id, file, expected)


def _property_name(net: Path, file: Path, id: str) -> str:
    """What a property is called.

    The contest's ids name the model already; a file that is the net has one property.
    """
    stem = net_stem(net)
    return stem if file == net else id if stem == MODEL else f"{stem}/{id}"


def _require_regular(path: Path) -> None:
    if path.exists() and not path.is_file():  # of a pipe reading might never end
        raise InputError("is no regular file", path=str(path))


def _outlines(file: Path) -> tuple[Outline, ...]:
    """The properties of a file, without the net; only the contest's can be seen to ask nothing."""
    if file.suffix.lower() == ".xml":
        return read_outlines(file)
    return tuple(Outline(named.id, None) for named in read_properties(file, _NO_NET))


def _expected(outline: Outline, said: str | None) -> Value | None:
    """The answer that a result file gives; what answers another kind of question is passed over."""
    match outline.true_where, said:
        case ("reachable" | "unreachable") as where, "TRUE" | "FALSE":
            return (where == "reachable") is (said == "TRUE")
        case "maximum", str(bound) if bound not in ("TRUE", "FALSE"):
            return kind_of("bound").answers("").read(bound)
    return None


def _nothing(path: Path) -> str:
    if not path.is_dir():
        return "asks nothing; an entry of an index asks a question, and a property EF or AG"
    return (
        "the folder holds no question: neither an index (NAME.json beside NAME.pnml) nor "
        "model.pnml with files of properties; --deadlock and the like ask every net in it"
    )


def _identity(source: _Source) -> object:
    """What two sources have in common that are the same under other names of the path."""
    match source:
        case Skipped(path, reason):
            return os.path.realpath(path), reason
        case folder, question:
            # Not by Path.resolve, which fails where links lead round in a circle.
            file = os.path.realpath(question.properties or question.net)
            return os.path.realpath(folder), question.name, file


def _named(placed: Sequence[tuple[Path, Question]]) -> tuple[Question, ...]:
    """The questions under unique names.

    Raises:
        QueryError: two of one folder have the same name.
    """
    folders = {folder: folder.resolve() for folder, _ in placed}
    labels = {folder: _label(folder, {*folders.values()}) for folder in folders.values()}
    named: dict[tuple[str, str], Question] = {}
    for folder, nameless in placed:
        question = replace(nameless, collection=labels[folders[folder]])
        other = named.setdefault((question.collection, question.name), question)
        if other is not question:
            raise QueryError(
                f"two questions of {folder} are named {question.name!r}, about "
                f"{other.net.name} and {question.net.name}; rename a file, or ask them apart"
            )
    return tuple(named.values())


def _label(folder: Path, folders: Collection[Path]) -> str:
    """Its name, led by as many of the folders above as tell it from all others."""
    alike = [other.parts for other in folders if other.name == folder.name]
    lengths = range(1, len(folder.parts) + 1)
    last = (folder.parts[-length:] for length in lengths)
    return "/".join(next(p for p in last if sum(o[-len(p) :] == p for o in alike) == 1))


def _property_extensions() -> tuple[str, ...]:
    """What the names of files of properties end in."""
    family = "properties.readers"
    names = plugins.members(family)
    return tuple(end for name in names for end in plugins.member(family, name).extensions)
