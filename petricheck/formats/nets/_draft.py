"""A net in the making, from one of the text formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from petricheck.formats.scanning.text import Token, TokenScanner
from petricheck.model.net import Net, Transition, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


@dataclass(slots=True)
class Draft:
    """A net in the making: places and transitions in the order of the file.

    `tokens` has all places; `pre` and `post` have all transitions, with their weights by place.
    """

    scanner: TokenScanner
    tokens: dict[str, int] = field(default_factory=dict)
    pre: dict[str, dict[str, int]] = field(default_factory=dict)
    post: dict[str, dict[str, int]] = field(default_factory=dict)

    def place(self, name: str) -> None:
        self.tokens.setdefault(name, 0)

    def transition(self, name: str) -> None:
        self.pre.setdefault(name, {})
        self.post.setdefault(name, {})

    def add_arc(self, weights: dict[str, int], place: str, weight: int, token: Token) -> None:
        """Add to the weight of an arc; InputError where it is 0."""
        if not weight:
            raise self.scanner.error("an arc of weight 0 is none; remove it", token)
        weights[place] = weights.get(place, 0) + weight

    def require_place(self, token: Token) -> str:
        """Return the place that a token names; InputError where there is none."""
        if token.text not in self.tokens:
            raise self.scanner.error(f"there is no place {quoted(token.text)}", token)
        return token.text

    def net(
        self,
        name: str,
        expected_id: str | None,
        renamed: Mapping[tuple[str, str], str] = MappingProxyType({}),
        labels: Mapping[tuple[str, str], str] = MappingProxyType({}),
    ) -> Net:
        """Return the net; InputError where its id is not the expected one, or a name repeated.

        `renamed` has names by (kind, name in the file), `labels` human names likewise.
        """
        if expected_id not in (None, name):
            present = f"the net {quoted(name)}" if name else "a net without a name"
            raise InputError(
                f"the file holds {present}, and none called {quoted(expected_id or '')}",
                path=self.scanner.path,
            )
        numbers = {place: number for number, place in enumerate(self.tokens)}

        def weights(arcs: dict[str, int]) -> Weights:
            return tuple(sorted((numbers[place], weight) for place, weight in arcs.items()))

        places = self._names("place", self.tokens, renamed)
        transitions = self._names("transition", self.pre, renamed)
        place_labels = tuple(labels.get(("place", place), "") for place in self.tokens)
        return Net(
            name,
            places,
            tuple(
                Transition(
                    new,
                    weights(self.pre[old]),
                    weights(self.post[old]),
                    labels.get(("transition", old), ""),
                )
                for new, old in zip(transitions, self.pre, strict=True)
            ),
            tuple(self.tokens.values()),
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
                path=self.scanner.path,
            )
        return names
