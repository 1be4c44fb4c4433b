"""A net in the making, from one of the text formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from petricheck.errors import InputError
from petricheck.problem import Net, Transition, Weights
from petricheck.scanning.text import Scanner
from petricheck.words import quoted


@dataclass(slots=True)
class Draft:
    """A net in the making: places and transitions in the order in which they turn up.

    Attributes:
        scanner: for errors.
        tokens: by place; the keys are the places.
        pre: weights by place, by transition; the keys are the transitions.
        post: the same for what is put.
    """

    scanner: Scanner
    tokens: dict[str, int] = field(default_factory=dict)
    pre: dict[str, dict[str, int]] = field(default_factory=dict)
    post: dict[str, dict[str, int]] = field(default_factory=dict)

    def place(self, name: str) -> None:
        """There is such a place."""
        self.tokens.setdefault(name, 0)

    def transition(self, name: str) -> None:
        """There is such a transition."""
        self.pre.setdefault(name, {})
        self.post.setdefault(name, {})

    def net(
        self,
        name: str,
        renamed: dict[tuple[str, str], str],
        labels: dict[str, str] | None = None,
    ) -> Net:
        """The net.

        Args:
            name: its id.
            renamed: names in place of those in the file, by kind and the latter.
            labels: human names of places.

        Raises:
            InputError: two places, or two transitions, have the same name.
        """
        numbers = {place: number for number, place in enumerate(self.tokens)}

        def weights(arcs: dict[str, int]) -> Weights:
            return tuple(sorted((numbers[place], weight) for place, weight in arcs.items()))

        places = self._names("place", self.tokens, renamed)
        transitions = self._names("transition", self.pre, renamed)
        shown = tuple((labels or {}).get(place, "") for place in self.tokens)
        return Net(
            name,
            places,
            tuple(
                Transition(new, weights(self.pre[old]), weights(self.post[old]))
                for new, old in zip(transitions, self.pre, strict=True)
            ),
            tuple(self.tokens.values()),
            shown if any(shown) else (),
        )

    def _names(
        self, kind: str, written: Iterable[str], renamed: dict[tuple[str, str], str]
    ) -> tuple[str, ...]:
        names = tuple(renamed.get((kind, name), name) for name in written)
        if len(set(names)) < len(names):
            twice = Counter(names).most_common(1)[0][0]
            raise InputError(
                f"two {kind}s are called {quoted(twice)}; correct the comments that rename them",
                path=self.scanner.path,
            )
        return names
