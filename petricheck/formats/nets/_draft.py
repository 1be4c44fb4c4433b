"""Text formats of nets: a reader takes the tokens of a file, and makes a net of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from petricheck.formats.nets import Format
from petricheck.formats.scanning.text import Token, TokenScanner, decoded, scan
from petricheck.model.guarded.net import Arc, GuardedNet, guarded
from petricheck.model.net import Net, Transition, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


@dataclass(slots=True)
class DraftReader(TokenScanner):
    """A reader of a file, and its net in the making, in the order of the file.

    `initial` has all places; `pre` and `post` have all transitions, with their weights by place.
    `inhibitors` and `reads` have those that have such arcs.
    """

    pattern: ClassVar[re.Pattern[str]]
    """The tokens of the format, as `scan` takes them."""

    name: str = ""
    initial: dict[str, int] = field(default_factory=dict)
    pre: dict[str, dict[str, int]] = field(default_factory=dict)
    post: dict[str, dict[str, int]] = field(default_factory=dict)
    inhibitors: dict[str, dict[str, int]] = field(default_factory=dict)
    reads: dict[str, dict[str, int]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def file(self) -> None:
        """Read the whole file; InputError where it breaks the grammar, or means something else."""
        raise NotImplementedError

    def result(self, net_id: str | None) -> Net | GuardedNet:
        """Return the net of the file that was read; InputError as `net`."""
        return self.guarded(self.net(net_id))

    def guarded(self, net: Net) -> Net | GuardedNet:
        """Return the net, which `net` returned, with its inhibitor and read arcs."""
        places = {place: number for number, place in enumerate(self.initial)}
        transitions = {name: number for number, name in enumerate(self.pre)}

        def arcs(sides: Mapping[str, Mapping[str, int]]) -> list[Arc]:
            return [
                (transitions[name], places[place], weight)
                for name, weights in sides.items()
                for place, weight in weights.items()
            ]

        return guarded(net, inhibitors=arcs(self.inhibitors), reads=arcs(self.reads))

    def place(self, name: str) -> None:
        self.initial.setdefault(name, 0)

    def transition(self, name: str) -> None:
        self.pre.setdefault(name, {})
        self.post.setdefault(name, {})

    def add_arc(self, weights: dict[str, int], place: str, weight: int, token: Token) -> None:
        """Add to the weight of an arc; InputError where it is 0."""
        if not weight:
            raise self.error("an arc of weight 0 is none; remove it", token)
        weights[place] = weights.get(place, 0) + weight

    def require_place(self, token: Token) -> str:
        """Return the place that a token names; InputError where there is none."""
        if token.text not in self.initial:
            raise self.error(f"there is no place {quoted(token.text)}", token)
        return token.text

    def net(
        self,
        net_id: str | None,
        renamed: Mapping[tuple[str, str], str] = MappingProxyType({}),
        labels: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> Net:
        """Return the net; InputError where its id is not the expected one, or a name repeated.

        `renamed` has names by (kind, name in the file), `labels` human names likewise.
        """
        name = renamed.get(("net", ""), self.name)
        if net_id not in (None, name):
            present = f"the net {quoted(name)}" if name else "a net without a name"
            raise InputError(
                f"the file holds {present}, and none called {quoted(net_id or '')}", path=self.path
            )
        numbers = {place: number for number, place in enumerate(self.initial)}

        def weights(arcs: dict[str, int]) -> Weights:
            return tuple(sorted((numbers[place], weight) for place, weight in arcs.items()))

        places = self._names("place", self.initial, renamed)
        transitions = self._names("transition", self.pre, renamed)
        place_labels = tuple(labels.get(("place", place), "") for place in self.initial)
        return Net(
            name,
            places,
            tuple(
                Transition(new, weights(pre), weights(post), labels.get(("transition", old), ""))
                for new, (old, pre), post in zip(
                    transitions, self.pre.items(), self.post.values(), strict=True
                )
            ),
            tuple(self.initial.values()),
            place_labels if any(place_labels) else (),
        )

    def _names(
        self, kind: str, texts: Iterable[str], renamed: Mapping[tuple[str, str], str]
    ) -> tuple[str, ...]:
        names = tuple(renamed.get((kind, name), name) for name in texts)
        if len(set(names)) < len(names):
            repeated = Counter(names).most_common(1)[0][0]
            raise InputError(
                f"two {kind}s are called {quoted(repeated)}; correct the comments that rename them",
                path=self.path,
            )
        return names


class TextFormat(Format):
    """A format that its reader reads from a text."""

    reader: ClassVar[type[DraftReader]]

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net | GuardedNet, tuple[str, ...]]:
        """Return the net, and warnings about what says nothing of its behaviour."""
        reader = scan(decoded(pieces, path), path, self.reader.pattern, self.reader)
        reader.file()
        return reader.result(net_id), tuple(reader.warnings)
