"""Petri nets of the coverability checker mist (.spec): vars, rules, init, target, invariants.

Rules have no names; they get the names t1, t2, … An initial value `x >= c` makes
several initial markings (`model.parametric`). A variable without initial value has any value
≥ 0, as in mist. Zero tests, upper bounds, transfers, resets, and rules that take more than their
guard asks for are refused. The target is a question; `properties` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from petricheck.arithmetic.formulas.formulas import at_least, conjunction
from petricheck.arithmetic.formulas.terms import variable
from petricheck.formats.nets import Format
from petricheck.formats.nets._draft import DraftReader
from petricheck.formats.scanning import mist as words
from petricheck.formats.scanning.aliases import remarks, renamed, spell
from petricheck.formats.scanning.mist import Document, Rule
from petricheck.formats.scanning.text import decoded, digits
from petricheck.model.net import Net, Transition
from petricheck.model.parametric import with_initial
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


class Mist(Format):
    """Petri nets of the coverability checker mist."""

    extensions = (".spec",)

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net, tuple[str, ...]]:
        """Return the net, and warnings about initial values that are not fixed."""
        document = words.document(decoded(pieces, path), path)
        return _net(document, net_id, renamed(document.scanner, words.comment))

    def write(self, net: Net) -> bytes:
        """Raise InputError: `text` writes a net together with a question."""
        raise InputError("a .spec file holds a question as well; give one, such as --cover")


def text(net: Net, target: Sequence[Mapping[str, int]]) -> bytes:
    """Return a .spec file of the net and a target: at least one of these lower bounds by place.

    InputError where the net has no places, a number is too large for mist, or an added transition
    does more than put a token in one place.
    """
    if not net.places:
        raise InputError("mist has no nets without places")
    return "".join(f"{line}\n" for line in _lines(net, target)).encode()


def _net(
    document: Document, net_id: str | None, aliases: dict[tuple[str, str], str]
) -> tuple[Net, tuple[str, ...]]:
    scanner = document.scanner
    draft = DraftReader(scanner.path, scanner.tokens, scanner.comments)
    for place in document.places:
        draft.place(place)
    for number, rule in enumerate(document.rules, start=1):
        _add_rule(draft, f"t{number}", rule)
    free, unnamed = _initial(draft, document)
    fixed = draft.net(net_id, aliases)
    numbers = {place: number for number, place in enumerate(document.places)}
    values = (at_least(variable(place), fixed.initial[numbers[place]]) for place in free)
    net = with_initial(fixed, conjunction(values), asked=False) if free else fixed
    return net, tuple(_warnings(len(free), unnamed))


def _warnings(free: int, unnamed: int) -> Iterator[str]:
    if free:
        yield f"initial values that are not fixed (x >= c), each now c and a transition: {free}"
    if unnamed:
        yield f"places that init leaves out, which hence start with any number: {unnamed}"


def _add_rule(draft: DraftReader, name: str, rule: Rule) -> None:
    draft.transition(name)
    pre, post = draft.pre[name], draft.post[name]
    for place, bound in rule.guard.items():
        if bound.most is not None:
            raise draft.error(
                f"the guard on {quoted(place)} is a zero test or an upper bound, which no Petri "
                "net has",
                bound.token,
            )
        if bound.least:
            pre[place] = post[place] = bound.least
    for place, change in rule.changes.items():
        after = pre.get(place, 0) + change.by
        if after < 0:
            raise draft.error(
                f"the rule takes more from {quoted(place)} than its guard asks for; ask for "
                f"{quoted(place)} >= {-change.by}",
                change.token,
            )
        post[place] = after
        if not after:
            del post[place]


def _initial(draft: DraftReader, document: Document) -> tuple[list[str], int]:
    """Mark the places; return those without fixed value, and how many have no initial value."""
    free = []
    for place in document.places:
        bound = document.initial.get(place)
        if bound is None:
            free.append(place)
            continue
        draft.initial[place] = bound.least
        if bound.most is None:
            free.append(place)
        elif bound.most != bound.least:
            raise draft.error(
                f"{quoted(place)} starts with {bound.least} to {bound.most} tokens; ask about "
                "each value in a file of its own",
                bound.token,
            )
    return free, len(document.places) - len(document.initial)


def _lines(net: Net, target: Sequence[Mapping[str, int]]) -> Iterator[str]:
    places = spell(net.places, words.fits, "x")
    rules = [t for t in net.transitions if t.name not in net.added]
    numbered = {t.name: f"t{n}" for n, t in enumerate(rules, start=1)}
    yield from (f"# {line}" for line in remarks(net.name, places, numbered))
    yield from ("vars", f"    {' '.join(places.values())}", "", "rules")
    for rule in rules:
        yield from _rule(net, places, rule)
    free = _free_places(net)
    yield from ("", "init")
    yield "    " + ", ".join(
        f"{places[p]} {'>=' if number in free else '='} {_number(n)}"
        for number, (p, n) in enumerate(zip(net.places, net.initial, strict=True))
    )
    yield from ("", "target")
    for bounds in target:
        least = bounds or {net.places[0]: 0}
        yield "    " + ", ".join(f"{places[p]} >= {_number(n)}" for p, n in least.items())


def _rule(net: Net, places: dict[str, str], rule: Transition) -> Iterator[str]:
    guard = (f"{places[net.places[p]]} >= {_number(weight)}" for p, weight in rule.pre)
    yield f"    {', '.join(guard) or 'true'} ->"
    # Older versions of mist want a statement in every rule.
    changes = rule.effect or ((0, 0),)
    yield (
        "        " + ",\n        ".join(_change(places[net.places[p]], n) for p, n in changes) + ";"
    )


def _change(place: str, by: int) -> str:
    return f"{place}' = {place}{'-' if by < 0 else '+'}{_number(abs(by))}"


def _free_places(net: Net) -> set[int]:
    """Return the places whose initial value is not fixed."""
    free = set()
    if net.initials is not None and not net.initials.is_linear:
        raise InputError("mist has no initial values with several alternatives")
    for transition in net.transitions:
        if transition.name in net.added:
            match transition:
                case Transition(_, (), ((place, 1),)) if place not in free:
                    free.add(place)
                case _:
                    raise InputError(
                        f"transition {quoted(transition.name)} was added to the net and is no "
                        "initial value that mist could hold"
                    )
    return free


def _number(value: int) -> str:
    return digits(value, words.TOO_LARGE)
