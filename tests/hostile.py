"""Nets and questions that are large in one way each, for tests of limits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HEAD = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
"""
END = "</page></net></pnml>\n"
PROPERTIES = '<property-set xmlns="http://mcc.lip6.fr/">{}</property-set>'
ATOMS = 100_000


@dataclass(frozen=True)
class Hostile:
    """A net with a place, a transition and a formula to ask about.

    Attributes:
        text: the net as PNML.
        place: one of its places.
        transition: one of its transitions.
        formula: over the place.
        property: the same as the contest writes it.
    """

    text: str
    place: str
    transition: str
    formula: str
    property: str


def write(net: Hostile, folder: Path) -> None:
    """Write the net, its formula and files of properties, named as in the contest."""
    (folder / "model.pnml").write_text(net.text)
    (folder / "formula").write_text(net.formula)
    queries = "".join(_property(f"q-{number}", net.property) for number in range(16))
    (folder / "ReachabilityCardinality.xml").write_text(PROPERTIES.format(queries))
    bound = f"<place-bound><place>{net.place}</place></place-bound>"
    bounds = "".join(
        f"<property><id>u-{number}</id><formula>{bound}</formula></property>"
        for number in range(16)
    )
    (folder / "UpperBounds.xml").write_text(PROPERTIES.format(bounds))


def star() -> Hostile:
    """100,000 transitions on one place."""
    lines = [_place("p", 1)]
    for number in range(100_000):
        lines.append(_transition(f"t{number}", {"p": 1 + number % 7}, {"p": 1 + number % 5}))
    return _hostile(lines, "p", "t99999")


def chain() -> Hostile:
    """50,000 places one behind the other."""
    length = 50_000
    lines = [_place(f"p{number}", int(number == 0)) for number in range(length + 1)]
    for number in range(length):
        lines.append(_transition(f"t{number}", {f"p{number}": 1}, {f"p{number + 1}": 1}))
    return _hostile(lines, f"p{length}", f"t{length - 1}")


def wide() -> Hostile:
    """20 MB of arcs at random."""
    draw = random.Random(1)
    places = [f"place_number_{number}" for number in range(20_000)]
    lines = [_place(place, draw.randrange(3)) for place in places]
    size, number = sum(map(len, lines)), 0
    while size < 20_000_000:
        pre, post = (
            {draw.choice(places): draw.randrange(1, 4) for _ in range(3)} for _ in range(2)
        )
        lines.append(_transition(f"transition_number_{number}", pre, post))
        size, number = size + len(lines[-1]), number + 1
    return _hostile(lines, places[7], "transition_number_3")


def heavy() -> Hostile:
    """Weights of 10^300."""
    huge, count = 10**300, 40
    lines = [_place(f"p{number}", huge + number) for number in range(count)]
    for number in range(count):
        post = {f"p{(number + 1) % count}": huge + 3 * number}
        post[f"p{(7 * number + 3) % count}"] = 7**number
        lines.append(_transition(f"t{number}", {f"p{number}": huge - number}, post))
    return _hostile(lines, "p3", "t3")


def wordy() -> Hostile:
    """A formula of 100,000 atoms about a small net."""
    lines = [_place("p0", 1), _place("p1", 0)]
    lines += [_transition("t0", {"p0": 1}, {"p1": 2}), _transition("t1", {"p1": 1}, {"p0": 1})]
    pairs = range(ATOMS // 2)
    formula = " and ".join(f"(p0 >= {number} or p1 >= {number + 1})" for number in pairs)
    clauses = (
        f"<disjunction>{_atom('p0', number)}{_atom('p1', number + 1)}</disjunction>"
        for number in pairs
    )
    query = f"<conjunction>{''.join(clauses)}</conjunction>"
    return Hostile(HEAD + "".join(lines) + END, "p1", "t1", formula, query)


NETS: dict[str, Callable[[], Hostile]] = {
    made.__name__: made for made in (star, chain, wide, heavy, wordy)
}


def script() -> str:
    """100,000 atoms for `petricheck interpolate`."""
    clauses = " ".join(f"(or (>= a {number}) (>= b {number + 1}))" for number in range(ATOMS // 2))
    return (
        "(set-logic QF_LIA)(declare-const a Int)(declare-const b Int)"
        f"(assert (! (and {clauses}) :named A))(assert (! (< (+ a b) 3) :named B))"
        "(check-sat)(get-interpolants A B)"
    )


def _hostile(lines: list[str], place: str, transition: str) -> Hostile:
    formula = f"{place} >= 3 and {place} != 17"
    return Hostile(HEAD + "".join(lines) + END, place, transition, formula, _atom(place, 3))


def _place(name: str, tokens: int) -> str:
    marking = f"<initialMarking><text>{tokens}</text></initialMarking>"
    return f'<place id="{name}">{marking}</place>\n'


def _transition(name: str, pre: dict[str, int], post: dict[str, int]) -> str:
    return f'<transition id="{name}"/>\n' + "".join(_arcs(name, pre, post))


def _arcs(name: str, pre: dict[str, int], post: dict[str, int]) -> Iterator[str]:
    ends = [(place, name, weight) for place, weight in pre.items()]
    ends += [(name, place, weight) for place, weight in post.items()]
    for number, (source, target, weight) in enumerate(ends):
        inscription = f"<inscription><text>{weight}</text></inscription>"
        where = f'source="{source}" target="{target}"'
        yield f'<arc id="{name}_{number}" {where}>{inscription}</arc>\n'


def _atom(place: str, tokens: int) -> str:
    count = f"<tokens-count><place>{place}</place></tokens-count>"
    return f"<integer-le><integer-constant>{tokens}</integer-constant>{count}</integer-le>"


def _property(name: str, body: str) -> str:
    formula = f"<exists-path><finally>{body}</finally></exists-path>"
    return f"<property><id>{name}</id><formula>{formula}</formula></property>"
