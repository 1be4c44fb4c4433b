"""Net file formats. One file each.

A member reads the pieces of a file into a net, and writes a net as bytes. `read_net` and
`write_net` choose it by the file's extension, and reading by the content where that says more.
Members get decompressed pieces of compressed files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import (
    IO,
    TYPE_CHECKING,
    BinaryIO,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
)

from petricheck.formats.nets._foreign import LONGEST, foreign
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, InputError, QueryError
from petricheck.support.files import (
    UNREADABLE,
    expanded,
    paused,
    pieces,
    pieces_of,
    refusing,
    suffix,
    with_suffix,
)
from petricheck.support.outputs import store

if TYPE_CHECKING:
    from petricheck.arithmetic.formulas.formulas import Formula
    from petricheck.model.coloured.net import ColouredNet

AnySource: TypeAlias = "Net | GuardedNet | ColouredNet"
"""What a file holds."""

_Unfolded = TypeVar("_Unfolded", "Net", "Net | None")

MAX_BYTES = 512 << 20
"""The most bytes of a net file, compressed or not."""

_FALLBACK = "pnml"

_WHOLE = 20
"""Counting without colours has the longest time from so many times the least arcs on."""

_ENCODING = re.compile(r"^(\s*<\?xml\b[^>]*?)\sencoding\s*=\s*(?:\"[^\"]*\"|'[^']*')")

_BLANK = b"\xef\xbb\xbf \t\r\n"
"""The bytes that may precede a document: a byte order mark, and blanks."""


class Format(Protocol):
    """Interface of every member of the family.

    Attributes:
        extensions: the endings of its files; two members may share one.
        begins: matches the beginning of its files, up to 4096 bytes, and of no others; None
            where they have no such mark.
        instead: why it writes no net, and what to do; empty where it writes.
    """

    extensions: ClassVar[tuple[str, ...]]
    begins: ClassVar[re.Pattern[bytes] | None] = None
    instead: ClassVar[str] = ""

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[AnySource, tuple[str, ...]]:
        """Return the net and warnings about the file; InputError, with `path`, where refused."""

    def write(self, net: Net) -> bytes:
        """Return a file that `read` reads back as the same net, labels aside where it has none.

        InputError where the format cannot store the net.
        """
        raise InputError(self.instead)

    def write_guarded(self, net: GuardedNet) -> bytes:
        """Return a file of a net with guards, as `write`."""
        raise InputError(
            self.instead
            or "this format has no inhibitor arcs, capacities and resets; write .pnml, or an "
            "ordinary net (--ordinary)"
        )


@dataclass(frozen=True)
class NetFile:
    """A net and the file that it was read from.

    Attributes:
        source: the net as it was read.
        sha256: hexadecimal hash of the file's bytes as they are, compressed or not.
        warnings: about the file, one sentence each.
        path: as the user wrote it.
        colours: the colours of a coloured net: all; or those that behave alike merged, if
            the unfolding is large; or none: tokens are counted. (Merging is also the way out for
            "all" if the unfolding is too large.)
        large: arcs of an unfolding from which on questions about it take long.
        huge: arcs (upper bound) from which on tokens are counted without colours first; for a short
            time, and the longer, the more there are.
        limits: on the unfolding.
        bounds: formulas for sums of places, by which a guarded net becomes an ordinary one; those
            that are found where this is None.
        initial: the formula of the initial markings, where the question has one; of a net without
            colours alone.
    """

    source: AnySource
    sha256: str
    warnings: tuple[str, ...]
    path: str
    colours: Literal["all", "merged", "none"] = "all"
    large: int = 50_000
    huge: int = 50_000
    limits: Budget = field(default_factory=Budget, compare=False)
    bounds: tuple[Formula, ...] | None = None
    initial: Formula | None = None

    @cached_property
    def net(self) -> Net:
        """The net, unfolded if it is coloured; with merged colours if it is too large without.

        A guarded net becomes an ordinary one. BudgetExhausted where an unfolding is too large even
        so; InputError where an arc subtracts more than there is, two names would be the same, or
        no bound of a guarded place is known.
        """
        if isinstance(self.source, Net):
            if self.initial is None:
                return self.source
            from petricheck.model.parametric import with_initial  # Few nets have several.

            return with_initial(self.source, self.initial)
        if isinstance(self.source, GuardedNet):
            return self._translated(self.source)
        if self.colours == "none":
            from petricheck.model.coloured.skeleton import skeleton

            return skeleton(self.source)
        from petricheck.model.coloured.unfolding import MOST_ARCS, unfold  # numpy takes its time

        mergeable = self.colours == "merged" and self._merged is not None
        most = self.large if mergeable else MOST_ARCS
        try:
            return self._unfolded(lambda net, budget: unfold(net, budget, most=most))
        except BudgetExhausted:
            if self._merged is None:
                raise
            return self._merged

    def starting(self, words: str) -> NetFile:
        """Return the file with the initial markings that satisfy a formula; QueryError without."""
        from petricheck.formats.language.initial import read_initial  # lark takes its time
        from petricheck.model.parametric import ORDINARY

        if not isinstance(self.source, Net):
            raise QueryError(ORDINARY)
        file = replace(self, initial=read_initial(self.source, words))
        _ = file.net  # It may have none.
        return file

    def _translated(self, source: GuardedNet) -> Net:
        from petricheck.formats.guarded_bounds import ordinary  # few nets are guarded
        from petricheck.model.guarded.translation import complemented_by

        try:
            if self.bounds is not None:
                return complemented_by(source, self.bounds)
            return ordinary(source, self.limits)
        except InputError as error:
            raise InputError(str(error), path=self.path) from None

    @property
    def coloured(self) -> ColouredNet | None:
        """The net as it was read, if it is coloured."""
        return None if isinstance(self.source, Net | GuardedNet) else self.source

    @property
    def counted(self) -> NetFile | None:
        """The file without colours, if its unfolding may be huge and totals can be counted."""
        if self.coloured is None or self.most_arcs <= self.huge:
            return None
        from petricheck.evidence.audit.colours.skeleton import is_counted

        return replace(self, colours="none") if is_counted(self.coloured) else None

    @cached_property
    def most_arcs(self) -> int:
        """An upper bound on the arcs of the unfolding, with merged colours where this is less."""
        assert self.coloured is not None
        if self.coloured.most_arcs <= self.huge:
            return self.coloured.most_arcs
        from petricheck.model.coloured.merging import merge

        merged, _ = merge(self.coloured) or (self.coloured, None)
        return merged.most_arcs

    @property
    def counting_share(self) -> float:
        """The part of its longest time that counting without colours has."""
        return min(1.0, self.most_arcs / (_WHOLE * self.huge)) if self.huge else 1.0

    @property
    def merged(self) -> Net:
        """The net for questions without names of colours: those alike are merged; as `net`."""
        return self._merged or self.net

    @cached_property
    def _merged(self) -> Net | None:
        """The net with merged colours; None where all colours differ."""
        if self.coloured is None:
            return None
        from petricheck.model.coloured.merging import unfold_merged

        return self._unfolded(unfold_merged)

    def _unfolded(self, unfold: Callable[[ColouredNet, Budget], _Unfolded]) -> _Unfolded:
        assert self.coloured is not None
        try:
            with paused():
                return unfold(self.coloured, self.limits)
        except InputError as error:
            raise InputError(str(error), path=self.path) from None


@paused()
def read_net(path: str | Path, net_id: str | None = None, format: str | None = None) -> NetFile:
    """Return the net in a file, the one with this id where it holds several.

    Without the name of a format, the file's ending and content say which it is. InputError where it
    cannot be read, is too large, or was refused; QueryError where there is no such format.
    """
    return _net_file(pieces(path, MAX_BYTES), str(path), suffix(path), net_id, format)


@paused()
def recognized_net(
    file: BinaryIO, path: str, net_id: str | None = None, format: str | None = None
) -> NetFile:
    """Return the net in an open file, whose content says which format it is; as `read_net`.

    Messages call the file `path`.
    """
    return _net_file(pieces_of(file, path, MAX_BYTES), path, "", net_id, format)


def given_net(
    source: bytes | bytearray | memoryview | IO[bytes] | IO[str],
    net_id: str | None = None,
    format: str | None = None,
) -> NetFile:
    """Return the net in bytes, or in an open file of bytes or text; as `recognized_net`."""
    if isinstance(source, bytes | bytearray | memoryview):
        return recognized_net(BytesIO(source), "the given bytes", net_id, format)
    path = "the given file"
    with refusing(UNREADABLE, path):
        if isinstance(source.read(0), str):  # its encoding is not that which XML declares
            text = _ENCODING.sub(r"\1", cast("IO[str]", source).read(), count=1)
            return recognized_net(BytesIO(text.encode()), path, net_id, format)
    return recognized_net(cast("BinaryIO", source), path, net_id, format)


def _net_file(
    raw: Iterable[bytes], path: str, ending: str, net_id: str | None, format: str | None
) -> NetFile:
    digest = hashlib.sha256()
    content = expanded(_hashed(raw, digest), path, MAX_BYTES)
    start = b""
    try:
        while not start.strip(_BLANK) and (piece := next(content, b"")):
            start += piece
    except InputError as error:  # such as an archive
        raise (foreign(b"", ending, path) or error) from None
    mark = start.lstrip(_BLANK)[:LONGEST]
    member: Format | None
    if format is not None:
        member = plugins.build("formats", format)
    elif refusal := foreign(mark, ending, path):
        raise refusal
    else:
        member = _member(ending, mark)
    content = chain((start,), content)
    if member is None:
        net, warnings = _only_reading(b"".join(content), path, net_id)
    else:
        net, warnings = member.read(content, path, net_id)
    return NetFile(net, _finished(content, digest), warnings, path)


def _member(ending: str, mark: bytes) -> Format | None:
    """Return the member for files that end and begin so; None where neither says which."""
    fallback: Format = plugins.build("formats", _FALLBACK)
    if ending in fallback.extensions:  # the others need not be imported
        return fallback
    fitting = [cls for cls in _classes() if ending in cls.extensions]
    if len(fitting) == 1:
        return fitting[0]()
    for cls in fitting or _classes():
        if cls.begins is not None and cls.begins.match(mark):
            return cls()
    return next((cls() for cls in fitting if cls.begins is None), None)


def _classes() -> list[type[Format]]:
    """Return the members; the fallback, whose mark any XML has, comes last."""
    names = sorted(plugins.members("formats"), key=lambda name: (name == _FALLBACK, name))
    return [plugins.member("formats", name) for name in names]


def _hashed(content: Iterable[bytes], digest: hashlib._Hash) -> Iterator[bytes]:
    for piece in content:
        digest.update(piece)
        yield piece


def _finished(content: Iterable[bytes], digest: hashlib._Hash) -> str:
    """Return the hash of the whole content; read the remaining pieces first."""
    for _ in content:
        pass
    return digest.hexdigest()


def _only_reading(
    content: bytes, path: str, net_id: str | None
) -> tuple[AnySource, tuple[str, ...]]:
    """Read the content in the one format in which it is a net, of those without a mark."""
    if not content.strip():
        raise InputError("the file is empty", path=path)
    readings: dict[str, tuple[AnySource, tuple[str, ...]]] = {}
    refusals: dict[str, InputError] = {}
    for name in plugins.members("formats"):
        member: Format = plugins.build("formats", name)
        if member.begins is not None:
            continue
        try:
            readings[name] = member.read((content,), path, net_id)
        except InputError as error:
            refusals[name] = error
    match [*readings.values()]:
        case [reading]:
            return reading
        case []:
            reasons = "".join(
                f"\n  as {name}: {'' if error.line is None else f'line {error.line}: '}"
                f"{error.message}"
                for name, error in refusals.items()
            )
            raise InputError(f"this is no net in any format that is read:{reasons}", path=path)
        case _:
            several = " and ".join(readings)
            raise InputError(
                f"this is a net as {several}; save it in a file whose name says which", path=path
            )


def write_net(net: Net | GuardedNet, path: str | Path) -> None:
    """Write the net to a file, which is replaced as a whole or stays as it is, or InputError."""
    store(path, net_bytes(net, path))


def net_bytes(net: Net | GuardedNet, path: str | Path) -> bytes:
    """Return the content of a file of this path with the net; InputError as `write_net`."""
    member = format_of(path)
    if isinstance(net, GuardedNet):
        return member.write_guarded(net)
    from petricheck.model.guarded.translation import require_exact  # Few nets are guarded.

    require_exact(net)
    return member.write(net)


def map_path(net_path: str | Path) -> Path:
    """Return the path that `write_map` uses for a net written to `net_path`."""
    return with_suffix(net_path, ".map.json")


def write_map(file: NetFile, path: str | Path) -> None:
    """Write what the places and transitions of the unfolding of a coloured net represent."""
    from petricheck.formats.nets._unfolding_map import lines

    store(path, ("\n".join(lines(file.net, file.sha256)) + "\n").encode())


def known_extensions() -> tuple[str, ...]:
    """Return the extensions of net files, without a further `.gz`."""
    return tuple(dict.fromkeys(extension for cls in _classes() for extension in cls.extensions))


def written_extensions() -> tuple[str, ...]:
    """Return the extensions of formats that are written."""
    written = (cls.extensions for cls in _classes() if not cls.instead)
    return tuple(dict.fromkeys(chain.from_iterable(written)))


def format_of(path: str | Path) -> Format:
    """Return the member that writes files with the path's extension, `.gz` aside, or else PNML."""
    return _member(suffix(path), b"") or plugins.build("formats", _FALLBACK)
