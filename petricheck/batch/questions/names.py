"""What questions and their collections are called, by the names of files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from petricheck.formats import known_extensions
from petricheck.properties.outline import Outline

MODEL = "model"
"""Name of the net's file in a folder of the Model Checking Contest, without its extension."""


def folder_labels(folders: Iterable[Path]) -> Mapping[Path, str]:
    """The folders' names, led by as many of the folders above as tell each from all others."""
    alike: dict[str, list[Path]] = {}
    for folder in folders:
        alike.setdefault(folder.name, []).append(folder)
    return {
        folder: "/".join(folder.parts[-length:])
        for group in alike.values()
        for folder in group
        for length in [_length(folder, group)]
    }


def _length(folder: Path, group: Sequence[Path]) -> int:
    """How many of its last parts tell the folder from the others of the group."""
    length = 1
    while sum(each.parts[-length:] == folder.parts[-length:] for each in group) > 1:
        length += 1
    return length


def property_name(net: Path, file: Path, outline: Outline) -> str:
    """What a property is called.

    The contest's ids name the model already; a file that is the net has one property.
    """
    if file == net:
        return net_stem(net)
    return outline.id if net_stem(net) == MODEL else f"{net_stem(net)}/{outline.id}"


def net_stem(path: Path) -> str:
    """The name without the extension of a net's format and `.gz`; whole where it is no net's."""
    name = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    for extension in known_extensions():
        if name.lower().endswith(extension):
            return name[: -len(extension)]
    return path.name
