"""Net file formats. One file each.

A member reads the pieces of a file into a net, and writes a net as bytes. `read_net` and
`write_net` choose it by the file's extension. Members get decompressed pieces of compressed files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar, Literal, Protocol, TypeVar

from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, InputError, NetTypeError
from petricheck.support.files import expanded, paused, pieces, pieces_of, suffix, with_suffix
from petricheck.support.outputs import store

if TYPE_CHECKING:
    from petricheck.model.coloured.net import ColouredNet

_Unfolded = TypeVar("_Unfolded", "Net", "Net | None")

MAX_BYTES = 512 << 20
"""The most bytes of a net file, compressed or not."""

_FALLBACK = "pnml"

_BLANK = b"\xef\xbb\xbf \t\r\n"
"""The bytes that may precede a document: a byte order mark, and blanks."""

_FOREIGN = {
    ".ndr": (
        "a drawing of Tina's editor nd",
        "save the net as .net, there or with ndrio, which comes with Tina",
    ),
    ".tpn": ("a script of Tina", "write its net as .net with ndrio, which comes with Tina"),
    ".gal": (
        "a program in ITS-Tools' guarded action language, and no net",
        "read the net that it was made of, as .pnml",
    ),
    ".cpn": (
        "a coloured net of CPN Tools",
        "unfold it to a place/transition net and write that as .pnml",
    ),
}
"""By extension: a description, and advice. Tina's .net keeps all features of a drawing, so that
those of no place/transition net are refused; other conversions may drop them."""


class Format(Protocol):
    """Interface of every member of the family; `written` says whether it ever writes.

    Some members need more than a net to write.
    """

    extensions: ClassVar[tuple[str, ...]]
    written: ClassVar[bool]

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net | ColouredNet, tuple[str, ...]]:
        """Return the net and warnings about the file; InputError, with `path`, where refused."""

    def write(self, net: Net) -> bytes:
        """Return a file that `read` reads back as the same net, labels aside where it has none.

        InputError where the format cannot store the net.
        """


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
        huge: arcs (upper bound) from which on tokens are counted without colours first.
    """

    source: Net | ColouredNet
    sha256: str
    warnings: tuple[str, ...]
    path: str
    colours: Literal["all", "merged", "none"] = "all"
    large: int = 50_000
    huge: int = 1_000_000

    @cached_property
    def net(self) -> Net:
        """The net, unfolded if it is coloured; with merged colours if it is too large without.

        Raises:
            BudgetExhausted: the unfolding is too large.
            InputError: an arc subtracts more than there is, or two names would be the same.
        """
        if isinstance(self.source, Net):
            return self.source
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

    @property
    def counted(self) -> NetFile | None:
        """The file without colours, if its unfolding may be huge; None where an arc subtracts."""
        if isinstance(self.source, Net) or self.source.most_arcs <= self.huge:
            return None
        from petricheck.model.coloured.merging import merge
        from petricheck.model.coloured.skeleton import is_counted

        merged, _ = merge(self.source) or (self.source, None)
        huge = merged.most_arcs > self.huge and is_counted(self.source)
        return replace(self, colours="none") if huge else None

    @property
    def merged(self) -> Net:
        """The net for questions without names of colours: those alike are merged; as `net`."""
        return self._merged or self.net

    @cached_property
    def _merged(self) -> Net | None:
        """The net with merged colours; None where all colours differ."""
        if isinstance(self.source, Net):
            return None
        from petricheck.model.coloured.merging import unfold_merged

        return self._unfolded(unfold_merged)

    def _unfolded(self, unfold: Callable[[ColouredNet, Budget], _Unfolded]) -> _Unfolded:
        assert not isinstance(self.source, Net)
        try:
            with paused():
                return unfold(self.source, Budget())
        except InputError as error:
            raise InputError(str(error), path=self.path) from None


@paused()
def read_net(path: str | Path, net_id: str | None = None) -> NetFile:
    """Return the net in a file; if the file contains several, `net_id` selects one.

    Raises:
        InputError: the file cannot be read, is too large, or was refused.
    """
    if foreign := _FOREIGN.get(ending := suffix(path)):
        description, remedy = foreign
        raise InputError(f"a file ending in {ending} is {description}; {remedy}", path=str(path))
    member, digest = format_of(path), hashlib.sha256()
    content = expanded(_hashed(pieces(path, MAX_BYTES), digest), path, MAX_BYTES)
    try:
        net, warnings = member.read(content, str(path), net_id)
    except InputError as error:
        extensions = known_extensions()
        if error.line is None or ending in extensions or isinstance(error, NetTypeError):
            raise
        assumed = f"it was read as PNML, since its name ends in none of {', '.join(extensions)}"
        raise InputError(f"{error.message}; {assumed}", path=str(path), line=error.line) from None
    return NetFile(net, _finished(content, digest), warnings, str(path))


@paused()
def recognized_net(file: BinaryIO, path: str, net_id: str | None = None) -> NetFile:
    """Return the net in an open file of unknown format: of the one format that fits.

    Raises:
        InputError: it cannot be read, is too large, no format fits, or several do; with `path`.
    """
    digest = hashlib.sha256()
    content = expanded(_hashed(pieces_of(file, path, MAX_BYTES), digest), path, MAX_BYTES)
    start = b""
    while not start.strip(_BLANK) and (piece := next(content, b"")):
        start += piece
    content = chain((start,), content)
    if start.lstrip(_BLANK).startswith(b"<"):
        net, warnings = plugins.build("formats", _FALLBACK).read(content, path, net_id)
    else:
        net, warnings = _only_reading(b"".join(content), path, net_id)
    return NetFile(net, _finished(content, digest), warnings, path)


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
) -> tuple[Net | ColouredNet, tuple[str, ...]]:
    """Read the content in the one format in which it is a net."""
    if not content.strip():
        raise InputError("the file is empty", path=path)
    readings: dict[str, tuple[Net | ColouredNet, tuple[str, ...]]] = {}
    refusals: dict[str, InputError] = {}
    for name in plugins.members("formats"):
        try:
            readings[name] = plugins.build("formats", name).read((content,), path, net_id)
        except InputError as error:
            refusals[name] = error
    match [*readings.values()]:
        case [reading]:
            return reading
        case []:
            reasons = "".join(f"\n  as {name}: {error}" for name, error in refusals.items())
            raise InputError(f"this is no net in any format that is read:{reasons}", path=path)
        case _:
            several = " and ".join(readings)
            raise InputError(
                f"this is a net as {several}; save it in a file whose name says which", path=path
            )


def write_net(net: Net, path: str | Path) -> None:
    """Write the net to a file, which is replaced as a whole or stays as it is.

    Raises:
        InputError: the format cannot store the net, or the file cannot be written.
    """
    store(path, format_of(path).write(net))


def map_path(net_path: str | Path) -> Path:
    """Return the path that `write_map` uses for a net written to `net_path`."""
    return with_suffix(net_path, ".map.json")


def write_map(file: NetFile, path: str | Path) -> None:
    """Write what the places and transitions of the unfolding of a coloured net represent."""
    from petricheck.formats.nets._unfolding_map import lines

    store(path, ("\n".join(lines(file.net, file.sha256)) + "\n").encode())


def known_extensions() -> tuple[str, ...]:
    """Return the extensions of net files, without a further `.gz`."""
    return tuple(plugins.by_extension("formats"))


def written_extensions() -> tuple[str, ...]:
    """Return the extensions of formats that are written."""
    return tuple(e for e, member in plugins.by_extension("formats").items() if member.written)


def format_of(path: str | Path) -> Format:
    """Return the member that declares the path's extension, `.gz` aside, or else PNML."""
    fallback: Format = plugins.build("formats", _FALLBACK)
    if suffix(path) in fallback.extensions:  # the others need not be imported
        return fallback
    member = plugins.by_extension("formats").get(suffix(path))
    return fallback if member is None else member()
