"""Answers and claims about coloured nets, judged by the graph of all coloured markings.

Claims are read from evidence files as JSON, so that what is judged is what a reader of the file
gets. `Judge.claim` raises `AssertionError` where a claim is false; where the graph is not complete,
what it has not is not held against a claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from coloured_oracle import OMEGA, RELATIONS, Graph, Marking, cover, explore
from coloured_random import Question
from coloured_spelling import Names, firing_text, in_question, place_text

MOST_STEPS = 5_000
"""Longer traces of several bindings are not followed."""

MOST_NODES = 300
"""Coverability trees with more nodes are not made."""

Cells = frozenset[int]


class TooMuchError(Exception):
    """More than can be followed."""


@dataclass
class Judge:
    """What is true of a net.

    `places` and `actions` are the names of the places and transitions that claims are about: those
    of an unfolding, of classes of colours, or of the coloured net itself.
    """

    graph: Graph
    names: Names
    places: Sequence[str]
    actions: Sequence[str]
    _steps: int = field(default=0, init=False)

    # ------------------------------------------------------------ claims

    def claim(self, claim: Mapping[str, Any], target: Any = None) -> None:
        """Raise where the claim is false; `target` is the formula that "target" stands for.

        Raises:
            AssertionError: it is false.
            TooMuchError: it cannot be judged.
        """
        self._steps = 0
        formula = lambda value: target if value == "target" else value  # noqa: E731
        match claim:
            case {"trace": steps, "stops": stops}:
                assert self._run(steps, [(k, formula(f)) for k, f in stops]), "no such firings"
            case {"unbounded": sums, "stages": _}:
                for weights in sums:
                    self._grows(weights, claim["stages"])
            case {"after": steps, "excluded": value}:
                ends = self._run(steps)
                assert ends, "no such firings"
                for end in ends:
                    later = explore(self.graph.net, len(self.graph.markings), end)
                    self._excluded(value, later.markings)
            case {"with": transitions, "excluded": value}:
                self._excluded(value, self._with(transitions))
            case {"excluded": value}:
                self._excluded(formula(value), self.graph.markings)
            case {"home": formulas}:
                if self.graph.complete:
                    for value in formulas:
                        goal = self.satisfying(lambda m, f=value: self.holds(f, m))
                        assert len(self.graph.returning(goal)) == len(self.graph.markings)
            case {"reachability set": counts}:
                self._counts(counts)
            case _:
                raise AssertionError(f"no claim: {claim}")

    def satisfying(self, condition) -> set[int]:
        """The numbers of the markings that satisfy a condition."""
        return {n for n, marking in enumerate(self.graph.markings) if condition(marking)}

    def holds(self, formula: Mapping[str, Any], marking: Marking) -> bool:
        """Whether a marking satisfies a formula of an evidence file."""
        match formula:
            case {"and": parts}:
                return all(self.holds(part, marking) for part in parts)
            case {"or": parts}:
                return any(self.holds(part, marking) for part in parts)
            case {"not": part}:
                return not self.holds(part, marking)
            case {"sum": weights, "at most": bound}:
                return self.sum(weights, marking) <= whole(bound)
            case {"sum": weights, "equals": number}:
                return self.sum(weights, marking) == whole(number)
            case {"sum": weights, "residue": residue, "modulus": modulus}:
                return (self.sum(weights, marking) - whole(residue)) % whole(modulus) == 0
        raise AssertionError(f"no formula: {formula}")

    def sum(self, weights: Mapping[str, Any], marking: Marking) -> int:
        return sum(
            whole(weight) * self._counted(name, marking)
            for name, weight in weights.items()
            if whole(weight)
        )

    def _counted(self, name: str, marking: Marking) -> int:
        """The tokens that a name counts; 1 or 0 where it says whether a transition is enabled."""
        if (firings := self.names.enabling(name)) is None:
            return sum(marking[cell] for cell in self.names.cells(name))
        known = self.graph.net.firings
        return int(any(known[number].after(marking) is not None for number in firings))

    def _excluded(self, formula: Any, markings: Iterable[Marking]) -> None:
        for marking in markings:
            assert not self.holds(formula, marking), f"reachable: {self.shown(marking)}"

    def _run(self, steps: Sequence, stops: Sequence[tuple[int, Any]] = ()) -> set[Marking]:
        """What the firings may lead to if the formulas hold after so many steps."""
        markings = {self.graph.net.initial}
        wanted: dict[int, list[Any]] = {}
        for position, formula in stops:
            assert 0 <= position <= len(steps), "a stop behind the end"
            wanted.setdefault(position, []).append(formula)
        for position in range(len(steps) + 1):
            if position:
                name, times = steps[position - 1]
                assert whole(times) >= 1, "no firing"
                markings = self._step(markings, name, whole(times))
            conditions = wanted.get(position, [])
            markings = {m for m in markings if all(self.holds(f, m) for f in conditions)}
        return markings

    def _step(self, markings: set[Marking], name: str, times: int) -> set[Marking]:
        firings = [self.graph.net.firings[number] for number in self.names.firings(name)]
        for _ in range(times):
            self._steps += len(markings)
            if self._steps > MOST_STEPS or len(markings) > 1000:
                raise TooMuchError
            following = (firing.after(marking) for marking in markings for firing in firings)
            markings = {marking for marking in following if marking is not None}
        return markings

    def _with(self, transitions: Sequence[str]) -> set[Marking]:
        """The markings that are reachable by firings with one of the transitions."""
        taking = set[int]().union(*(self.names.firings(name) for name in transitions))
        known, queue = {(0, False)}, [(0, False)]
        for number, fired in queue:
            for firing, after in self.graph.arcs[number]:
                state = (after, fired or firing in taking)
                if after >= 0 and state not in known:
                    known.add(state)
                    queue.append(state)
        return {self.graph.markings[number] for number, fired in known if fired}

    def _grows(self, weights: Mapping[str, Any], stages: Sequence) -> None:
        assert not self.graph.complete, "nothing grows in a bounded net"
        raising = (name for name, weight in weights.items() if whole(weight) > 0)
        raised = frozenset[int]().union(*map(self.names.cells, raising))
        if self._omegas is not None:
            assert raised & self._omegas, f"bounded: {weights}"
        if any(whole(weight) < 0 for weight in weights.values()):
            # With each repetition of the last loop the sum must be able to grow.
            steps = [step for stage in stages for part in ("stem", "loop") for step in stage[part]]
            most = []
            for _ in range(4):
                ends = self._run(steps)
                most.append(max((self.sum(weights, end) for end in ends), default=-1))
                steps = [*steps, *stages[-1]["loop"]]
            assert len(stages) > 1 or most == sorted(set(most)), f"does not grow: {weights}"

    @cached_property
    def _omegas(self) -> set[int] | None:
        """The cells without a bound."""
        nodes = cover(self.graph.net, MOST_NODES)
        if nodes is None:
            return None
        return {cell for node in nodes for cell, held in enumerate(node) if held == OMEGA}

    @cached_property
    def most_by_cell(self) -> list[float] | None:
        """The most tokens of each cell."""
        nodes = self._nodes
        return None if nodes is None else [max(column) for column in zip(*nodes, strict=True)]

    @cached_property
    def _nodes(self) -> set[tuple[float, ...]] | None:
        return {*self.graph.markings} if self.graph.complete else cover(self.graph.net, MOST_NODES)

    def _counts(self, counts: Mapping[str, Any]) -> None:
        """The numbers of markings, and of their firings, of the net that has these names."""
        markings, firings, in_place, in_marking = self.size
        told = [whole(counts[key]) for key in ("markings", "firings")]
        most = [whole(counts[f"tokens in a {key}"]) for key in ("place", "marking")]
        pairs = zip((*told, *most), (markings, firings, in_place, in_marking), strict=True)
        for said, true in pairs:
            assert said == true if self.graph.complete else said >= true, counts

    @cached_property
    def size(self) -> tuple[int, int, int, int]:
        """Markings, firings, most tokens in a place and in a marking."""
        cells = [self.names.cells(name) for name in self.places]
        owners = [self.names.firings(name) for name in self.actions]
        images: dict[tuple[int, ...], set[int]] = {}
        for marking, arcs in zip(self.graph.markings, self.graph.arcs, strict=True):
            image = tuple(sum(marking[cell] for cell in own) for own in cells)
            fired = {firing for firing, _ in arcs}
            enabled = {number for number, own in enumerate(owners) if not own.isdisjoint(fired)}
            images.setdefault(image, set()).update(enabled)
        most = max((tokens for image in images for tokens in image), default=0)
        return len(images), sum(map(len, images.values())), most, max(map(sum, images))

    def shown(self, marking: Marking) -> str:
        held = ((n, k) for n, k in zip(self.graph.net.cells, marking, strict=True) if k)
        return " ".join(f"{place}{colour}={count}" for (place, colour), count in held)

    # ------------------------------------------------------------ questions

    def text(self, question: Question) -> str:
        """The words of a question."""
        match question:
            case Question("formula" | "home", formula):
                return self._formula_text(formula)
            case Question("target" | "cover", tokens):
                return ", ".join(f"{self._reference(r)}={count}" for r, count in tokens)
            case Question("bound", (sign, terms, constant)):
                return ("min: " if sign < 0 else "") + self._sum_text(terms) + f" + {constant}"
            case Question("fireable" | "live", calls) if calls:
                return ", ".join(map(self._call_text, calls))
        return ""

    def _reference(self, reference) -> str:
        place, pattern = reference
        if place is None:
            name = self.places[pattern]
            return name if "(" in name or name.startswith('"') else in_question(name)
        return place_text(self.graph.net, self.names.spelling, place, pattern)

    def _sum_text(self, terms) -> str:
        texts = (f"{factor}*{self._reference(r)}" for factor, r in terms)
        return " + ".join(texts).replace("+ -", "- ")

    def _call_text(self, call) -> str:
        transition, binding = call
        return firing_text(self.graph.net, self.names.spelling, transition, dict(binding))

    def _formula_text(self, formula) -> str:
        match formula:
            case ("and" | "or" as word, *parts):
                return f" {word} ".join(f"({self._formula_text(part)})" for part in parts)
            case ("not", part):
                return f"not ({self._formula_text(part)})"
            case ("fireable", *calls):
                return f"fireable({', '.join(map(self._call_text, calls))})"
            case ("mod", terms, modulus, residue):
                return f"({self._sum_text(terms)}) mod {modulus} = {residue}"
            case (relation, terms, number):
                return f"{self._sum_text(terms)} {relation} {number}"
        raise AssertionError(formula)

    def cells(self, reference) -> Cells:
        place, pattern = reference
        if place is None:
            return self.names.cells(self.places[pattern])
        return frozenset(
            cell
            for (name, colour), cell in self.graph.net.cells.items()
            if name == place and _matches(pattern, colour)
        )

    def _firings_of(self, calls) -> set[int]:
        return {
            number
            for number, firing in enumerate(self.graph.net.firings)
            for transition, binding in calls
            if firing.transition == transition and dict(binding).items() <= firing.binding.items()
        }

    def _value(self, terms, marking: Marking) -> int:
        return sum(k * sum(marking[cell] for cell in self.cells(r)) for k, r in terms)

    def satisfies(self, formula, marking: Marking) -> bool:
        match formula:
            case ("and", *parts):
                return all(self.satisfies(part, marking) for part in parts)
            case ("or", *parts):
                return any(self.satisfies(part, marking) for part in parts)
            case ("not", part):
                return not self.satisfies(part, marking)
            case ("fireable", *calls):
                firings = self.graph.net.firings
                return any(firings[n].after(marking) is not None for n in self._firings_of(calls))
            case ("mod", terms, modulus, residue):
                return self._value(terms, marking) % modulus == residue
            case (relation, terms, number):
                return bool(RELATIONS[relation](self._value(terms, marking), number))
        raise AssertionError(formula)

    def target(self, question: Question):
        """The condition that a question after a target asks for; None for other kinds."""
        match question:
            case Question("formula" | "home", formula):
                return lambda marking: self.satisfies(formula, marking)
            case Question("target", tokens):
                named = frozenset[int]().union(*(self.cells(r) for r, _ in tokens))
                return lambda marking: (
                    all(
                        sum(marking[cell] for cell in self.cells(r)) == count for r, count in tokens
                    )
                    and not any(k for cell, k in enumerate(marking) if cell not in named)
                )
            case Question("cover", tokens):
                return lambda marking: all(
                    sum(marking[cell] for cell in self.cells(r)) >= count for r, count in tokens
                )
            case Question("fireable", calls):
                return lambda marking: self.satisfies(("fireable", *calls), marking)
            case Question("deadlock"):
                firings = self.graph.net.firings
                return lambda marking: all(firing.after(marking) is None for firing in firings)
        return None

    def answer(self, question: Question, value: Any, facts: Mapping[str, Any]) -> None:
        """Raise where an answer or its facts are wrong; `value` is None where it is open.

        Raises:
            AssertionError: something is wrong.
        """
        true = self.true(question)
        if true is not None and value is not None:
            assert (value, type(value)) == (true, type(true))
        if value is True and self.target(question) is not None and facts.get("marking") is not None:
            self._reached(facts["marking"], question)
        if question.kind in LISTS:
            self._lists(question, facts)
        if question.kind == "bounded" and self.most_by_cell is not None:
            for place, limit in facts["limits"].items():
                assert self._most(self.names.listed_cells(place)) <= whole(limit), (place, limit)
            for place in facts["unbounded"]:
                assert self._most(self.names.listed_cells(place)) == OMEGA, place

    def true(self, question: Question) -> Any:
        """The right answer; None where the graph does not tell."""
        graph = self.graph
        if question.kind == "home":
            goal = self.satisfying(self.target(question))
            return self._returns(goal)
        if (target := self.target(question)) is not None:
            return True if any(map(target, graph.markings)) else (False if graph.complete else None)
        match question:
            case Question("bound", (sign, terms, constant)):
                if not graph.complete:
                    return None
                values = [sign * (self._value(terms, m) + constant) for m in graph.markings]
                return sign * max(values)
            case Question("bounded"):
                if self.most_by_cell is None:
                    return None
                return max(self.most_by_cell) < OMEGA
            case Question("reversible"):
                return self._returns({0})
            case Question("state_space"):
                if graph.complete:
                    return self.size[0]
                most = self.most_by_cell
                return "unbounded" if most is not None and max(most) == OMEGA else None
            case Question("live" | "safe" | "quasi_live" | "stable" as kind):
                lists = self._true_lists(question)
                return None if lists is None else any(lists.values()) is (kind == "stable")
        raise AssertionError(question)

    def _returns(self, goal: set[int]) -> bool | None:
        if not self.graph.complete:
            return None
        return len(self.graph.returning(goal)) == len(self.graph.markings)

    def _most(self, cells: Cells) -> float:
        assert self._nodes is not None
        return max(sum(node[cell] for cell in cells) for node in self._nodes)

    def _lists(self, question: Question, facts: Mapping[str, Any]) -> None:
        """Whether the names that facts list are those."""
        if (true := self._true_lists(question)) is None:
            return
        listed, undecided = facts[LISTS[question.kind]], facts["open"]
        assert set(listed) | set(undecided) <= true.keys(), (facts, true)
        for name, belongs in true.items():
            if name not in undecided:
                assert (name in listed) is belongs, (name, facts, true)

    def _true_lists(self, question: Question) -> dict[str, bool] | None:
        """By name of a place or transition whether it is unsafe, stable, dead, not live."""
        net, graph, spelling = self.graph.net, self.graph, self.names.spelling
        if not graph.complete:
            return None
        if question.kind in ("safe", "stable"):
            counts = {
                spelling.place(place.name): {
                    sum(marking[cell] for cell in self.cells((place.name, None)))
                    for marking in graph.markings
                }
                for place in net.places
            }
            if question.kind == "safe":
                return {name: max(held) > 1 for name, held in counts.items()}
            return {name: len(held) == 1 for name, held in counts.items()}
        calls = question.content or tuple((t.name, ()) for t in net.transitions)
        result = {}
        for transition, binding in calls:
            name = spelling.transition(transition)
            if binding:
                name = firing_text(net, spelling, transition, dict(binding))
            enabled = graph.enabled(self._firings_of([(transition, binding)]))
            if question.kind == "quasi_live":
                result[name] = not enabled
            else:
                result[name] = len(graph.returning(enabled)) < len(graph.markings)
        return result

    def _reached(self, held: Mapping[str, Any], question: Question) -> None:
        """Whether some reachable marking in the target has these tokens, and no others."""
        if not self.graph.complete:
            return
        target = self.target(question)
        own = [(self.names.cells(name), whole(held.get(name, 0))) for name in self.places]
        assert set(held) <= set(self.places), held
        assert any(
            target(marking) and all(sum(marking[c] for c in cells) == k for cells, k in own)
            for marking in self.graph.markings
        ), held


LISTS = {"safe": "unsafe", "stable": "stable", "quasi_live": "dead", "live": "not live"}
"""The fact that lists names, by kind of question."""


def whole(number: Any) -> int:
    """The integer that a file has as a number or in hexadecimal."""
    return int(number, 16) if isinstance(number, str) else number


def _matches(pattern, colour) -> bool:
    if isinstance(pattern, tuple):
        return all(_matches(*pair) for pair in zip(pattern, colour, strict=True))
    return pattern is None or pattern == colour
