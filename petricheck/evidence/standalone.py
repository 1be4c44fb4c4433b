"""Checks what petricheck proves about a Petri net: python3 -I -S check.py NET EVIDENCE [ORIGINAL]

It shares no line with petricheck, needs Python's standard library only, and computes with integers.
NET is a PNML file, EVIDENCE what `petricheck --evidence` wrote, whose proved claims are printed. A
coloured net is unfolded (`unfold`), unless it is too large, or has terms that are not known. Of
such a net, or one in another format, ORIGINAL is its file, of which the evidence has the hash, and
NET what `petricheck convert ORIGINAL NET` wrote: that this is so is trusted.

A marking m gives every place a number of tokens, m ≥ 0. A transition t takes u and puts v: where
m ≥ u it may fire, and leads to m + δ with δ = v − u. *Reachable* is proved by a trace, firings that
lead from the initial marking into the target; *unreachable* by an invariant, a formula or a table,
that (1) holds initially, that (2) no firing leaves, and that (3) excludes the target: by induction
no reachable marking is in the target. (1) is evaluated; `check_cases` and `check_clauses` show (2)
and (3) for two shapes of formulas, led by hints of which nothing is believed. In place of (2),
`check_stubborn` shows that firings which leave a table are of no use. A *home space* is a
formula that can always be reached again: `HOMES` has the rules that prove it. `check_ends` proves
that runs end. `conclude` says what live, reversible, sound and that a net terminates mean, and when
the claims prove it. An inhibitor arc of weight w lets t fire only where m(p) < w, and a reset arc
empties p before t puts; `ordinary` has the net without them. Where several initial markings are
asked about, their formula takes the place of the initial marking: (1) follows from it (`refuted`),
and traces begin in a marking that satisfies it.
Exit status: 0 accepted, 1 undecided, 2 wrong usage, 3 the net is refused, 4 the evidence rejected.
"""

import hashlib
import json
import re
import sys
import zlib
from base64 import b64decode
from collections import defaultdict, namedtuple
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from functools import partial, reduce
from itertools import chain, pairwise, product, repeat
from math import prod
from operator import and_, eq, ge, gt, le, lt, ne, or_
from pathlib import Path
from typing import Any, TypeAlias
from xml.parsers import expat

MANY = 200_000  # more cases are not gone through
Weights: TypeAlias = dict[str, int]  # by place
Net: TypeAlias = dict[str, tuple[Weights, Weights]]  # u and v, by transition
Sum: TypeAlias = tuple[tuple[str, int], ...]  # c of c·m: (place, coefficient), sorted, none 0
Formula: TypeAlias = Any  # one of these two:
Goals: TypeAlias = list[Any]  # formulas
Guards: TypeAlias = dict[str, tuple[Weights, set[str]]]  # w by place, and what is emptied
Bindings: TypeAlias = dict[str, list[str]]  # transitions of the net, by that of a coloured one
Finals: TypeAlias = list[Weights] | None  # final markings; a coloured net has none
File: TypeAlias = tuple[Weights, Net, Finals, Bindings]  # as read, guards aside
Atom = namedtuple("Atom", "sum modulus bound")  # c·m ≤ b for None, = b for 0, ≡ b (mod q) for q,
Joined = namedtuple("Joined", "all parts")  # ≢ b (mod q) for −q; all parts hold, or some part
Tree = namedtuple("Tree", "word at parts text")  # an element of PNML, and its @attributes
Colour = namedtuple("Colour", "number text sort")  # of a sort; of a product it is a tuple of these
# What is proved of formulas, with markings in them; or of transitions.
Fact = namedtuple("Fact", "words formulas ends names", defaults=((), (), ()))

# Elements of PNML that are known, with their parts and @attributes. Others might mean anything.
GRAMMAR = "http://www.pnml.org/version-2009/grammar/"
PNML, PTNET, SYMMETRIC = (GRAMMAR + word for word in ("pnml", "ptnet", "symmetricnet"))
WORDS = """document: pnml; pnml: net; net: @id @type name page place transition arc toolspecific;
page: @id name page place transition arc toolspecific graphics; place: @id name graphics;
transition: @id name graphics; arc: @id @source @target name graphics; name: text graphics;
graphics: position dimension offset line fill font; position dimension offset: @x @y; line: @color
@shape @style @width; fill: @color @image @gradient-color @gradient-rotation; font: @align
@decoration @family @rotation @size @style @weight; toolspecific: @tool @version size structure;
size: @places @transitions @arcs; structure: @units @root @safe unit; unit: @id places subunits;"""
PLAIN = """net: finalmarkings; finalmarkings: marking; marking: final; final: @idref text; place:
initialMarking; arc: inscription type; type: @value; initialMarking inscription: text graphics"""
COMPARED = {"equality": eq, "inequality": ne, "lessthan": lt, "lessthanorequal": le}
COMPARED |= {"greaterthan": gt, "greaterthanorequal": ge}
JOINS = f"tuple successor predecessor add subtract numberof and or not {' '.join(COMPARED)}"
SORTS = "usersort dot productsort cyclicenumeration finiteenumeration"
TERMS = f"{JOINS} variable useroperator dotconstant numberconstant all"
COLOURED = f"""net page: declaration; place: type hlinitialMarking; transition: condition; arc:
hlinscription; declaration type hlinitialMarking condition hlinscription: text structure graphics;
structure: declarations {SORTS} {TERMS}; declarations: namedsort variabledecl; namedsort
variabledecl: @id @name {SORTS}; productsort all: {SORTS}; usersort useroperator: @declaration;
cyclicenumeration finiteenumeration: feconstant; feconstant: @id @name; subterm: {TERMS};
{JOINS}: subterm; variable: @refvariable; numberconstant: @value positive natural"""
KNOWN = {
    kind: {pair for row in rows.split(";") for pair in product(*map(str.split, row.split(":")))}
    for kind, rows in ((PTNET, WORDS + PLAIN), (SYMMETRIC, WORDS + COLOURED))
}

# Names that need no quotes: of a place or transition with colours behind it, a variable, a colour.
NAME, COLOUR = r"[^\W\d][\w.]*", r"(?!_$|.*\.\.)[\w.:+*-]+"
NATURAL = r"\s*[0-9]{1,4000}\s*"
NODE = rf"(?!(?i:and|or|not|mod|true|false|enabled|fireable)(?![\w.])){NAME}"

# Shapes of evidence: a type, a value, [item], (first, second) for a list of two, or an object with
# these keys; for integers, texts in hexadecimal may stand. What has no such shape is rejected.
SEPARATOR = {"cube": int, "direction": Sum, "modulus": int, "multipliers": [int], "scale": int}
CASES, CLAUSES = {"successors": [[int]], "separators": [SEPARATOR]}, {"sums": [[(int, int)]]}
HEAD = {"format": "petricheck evidence", "version": 2, "petricheck": str, "net": str}
HEAD |= {"sha256": object, "question": {"kind": str, "text": str, "target": object}}
HEAD |= {"answer": object, "details": object, "claims": [dict]}
TRACE, ORIGINS = [(str, int)], {"origins": [{"direction": Sum, "suggested by": [str]}]}
RANKED = {"markings": dict, "ranks": str, "transitions": str, "names": [str]}
COUNTS = dict.fromkeys(("markings", "firings", "tokens in a place", "tokens in a marking"), int)
SHAPED, LEFT = "so shaped an invariant needs a solver", "is left to petricheck verify"
UNFOLDED = "of another file: `petricheck convert ORIGINAL NET`, check.py NET EVIDENCE ORIGINAL"
TOO_LARGE = f"the net has too many colours, or bindings; {UNFOLDED}"
MERGED = "its colours may be merged, or counted together: ask `petricheck verify ORIGINAL EVIDENCE`"


REACHED, NEVER = "a reachable marking satisfies", "no marking is reachable that satisfies"
LOST = "a marking is reachable from which none is reachable that satisfies"
HOME = "from every reachable marking one is reachable that satisfies"
ENDLESS = "a run goes on for ever, in the end with no other transitions than"
ENDS = "every run ends, unless it fires infinitely often one of these transitions:"


class ForeignName(ValueError):
    """A name that no place, or no transition, of the net has."""


def require(condition: object, why: str, error: type[Exception] = ValueError) -> None:
    """Go on only where the condition holds."""
    if not condition:
        raise error(why)


decide = partial(require, error=NotImplementedError)  # what may be true is left undecided


def require_names(names: Iterable[str], known: Weights | Net, what: str) -> None:
    """Go on only where all names are known."""
    for name in names:
        require(name in known, f"{name!a} is no {what} of the net", ForeignName)


def read_tree(data: bytes) -> tuple[str, Tree]:
    """Return the type of the file's only net, and all its elements; pictures are left out."""
    if data.startswith(b"\x1f\x8b"):  # gzip
        stream = zlib.decompressobj(31)
        data = stream.decompress(data, 1 << 29)
        require(stream.eof and not stream.unused_data, "the file of the net is cut off, or goes on")
    require(b"<" in data[:64], f"the file is no PNML ({UNFOLDED})")
    opened, kind = [Tree("document", {}, [], [])], PTNET
    parser = expat.ParserCreate(namespace_separator=" ")

    def know(condition: bool, what: str) -> None:
        advice = "" if kind == PTNET else f"; {UNFOLDED}"
        require(condition, f"line {parser.CurrentLineNumber}: {what} might mean anything{advice}")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal kind
        space, _, word = name.rpartition(" ")
        within = opened[-1].word
        word = "final" if (within, word) == ("marking", "place") else word
        kind = attributes.get("type", "") if word == "net" else kind
        require(kind in KNOWN, f"the net is no place/transition net; {UNFOLDED}")
        fits = {(within, word), *((word, f"@{key}") for key in attributes)} <= KNOWN[kind]
        know(space == PNML and fits, f"<{name!a}>, or an attribute of it,")
        know(word != "toolspecific" or attributes.get("tool") == "nupn", "this tool's part")
        ordinary = (within, word) != ("arc", "type")
        know(ordinary or attributes.get("value") in ("inhibitor", "reset"), "this type of an arc")
        opened.append(Tree(word, attributes, [], []))
        if word not in ("toolspecific", "graphics"):
            opened[-2].parts.append(opened[-1])

    def text(characters: str) -> None:
        word = opened[-1].word
        know(word in ("text", "places", "subunits") or characters.isspace(), "this text")
        if word == "text":
            opened[-1].text.append(characters)

    parser.StartElementHandler, parser.CharacterDataHandler = start, text
    parser.EndElementHandler = lambda _: opened.pop()
    parser.StartDoctypeDeclHandler = lambda *_: know(False, "a DOCTYPE and what it defines")
    parser.Parse(data, True)
    nets = [*walk(opened[0], "net")]
    require(len(nets) == 1, "the file has several nets, or none")
    return kind, nets[0]


def walk(tree: Tree, *words: str) -> Iterator[Tree]:
    """Return the elements of these words in the order of the file, but for those in others."""
    for part in tree.parts:
        if part.word in words:
            yield part
        else:
            yield from walk(part, *words)


def only(parts: Iterable[Any], where: str) -> Any:
    """Return the only part."""
    parts = [*parts]
    require(len(parts) == 1, f"{where} has {len(parts)} parts, and should have one")
    return parts[0]


def number(node: Tree, label: str, least: int) -> int:
    """Return the number that the label of a node has; without one, the least."""
    labels = [node] if node.word == label else [*walk(node, label)]
    texts = ["".join(text.text) for part in labels for text in walk(part, "text")]
    if not labels:
        return least
    fits = len(labels) == len(texts) == 1 and re.fullmatch(NATURAL, texts[0])
    name = node.at.get("id", node.at.get("idref"))
    require(fits and int(texts[0]) >= least, f"{name!a} has no number from {least} on")
    return int(texts[0])


def read_net(data: bytes) -> tuple[Weights, Net, Finals, Bindings, Guards]:
    """Return the initial marking of all places, transitions, final markings, bindings, and guards.

    Parallel arcs are summed; u and v have the order of the places.
    """
    kind, tree = read_tree(data)
    places, transitions, arcs = ([*walk(tree, w)] for w in ("place", "transition", "arc"))
    ids = [node.at.get("id") for node in (*places, *transitions, *arcs)]
    require(all(ids) and len(set(ids)) == len(ids), "an id is missing, or taken already")
    initial = {node.at["id"]: number(node, "initialMarking", 0) for node in places}
    net: Net = {node.at["id"]: ({}, {}) for node in transitions}
    for arc in arcs:
        ends = arc.at.get("source"), arc.at.get("target")
        fits = any(p in initial and t in net for p, t in (ends, ends[::-1]))
        require(fits, f"arc {arc.at['id']!a} joins no such nodes")
    if kind == SYMMETRIC:
        return *unfold(tree), {}
    guards: Guards = {}
    for arc in arcs:
        source, target = arc.at["source"], arc.at["target"]
        place, name = (source, target) if source in initial else (target, source)
        weights = net[name][source != place]
        if kinds := {part.at["value"] for part in walk(arc, "type")}:
            reset = kinds == {"reset"}
            fits = (
                source == place and len(kinds) == 1 and not (reset and [*walk(arc, "inscription")])
            )
            require(fits, f"arc {arc.at['id']!a} is of no type that it can be")
            upper, emptied = guards.setdefault(name, ({}, set()))
            if reset:
                emptied.add(place)
            else:
                weight = number(arc, "inscription", 1)
                upper[place] = min(weight, upper.get(place, weight))
        else:
            weights[place] = weights.get(place, 0) + number(arc, "inscription", 1)
    finals = list[Weights]()
    for marking in walk(tree, "marking"):
        finals.append(dict.fromkeys(initial, 0))
        for final in walk(marking, "final"):
            place = final.at.get("idref", "")
            require(not finals[-1].get(place, 1), "a final marking names a place wrongly")
            finals[-1][place] = number(final, "final", 0)
    return initial, in_order(initial, net), finals, {name: [name] for name in net}, guards


def names_of(declared: list[Tree]) -> list[str]:
    """Return their names for people; ids where two names are equal."""
    names = [tree.at.get("name") or tree.at["id"] for tree in declared]
    return names if len({*names}) == len(names) else [tree.at["id"] for tree in declared]


def label(node: Tree, word: str) -> Any:
    """Return the term or sort in a label; None without the label."""
    labels = [*walk(node, word)]
    return only(only(walk(only(labels, word), "structure"), word).parts, word) if labels else None


def spelled(name: str, bare: str) -> str:
    """Return the name, in quotes where it is not bare."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return name if re.fullmatch(bare, name) else f'"{quoted}"'


def node_name(name: str, inside: str) -> str:
    """Return the name of a place or transition with what is in parentheses behind it."""
    return f"{spelled(name, NODE)}({inside})" if inside else spelled(name, r'[^("][^(]*')


def text_of(colour: Any) -> str:
    """Return the colour as petricheck writes it in names."""
    is_basic = isinstance(colour, Colour)
    return colour.text if is_basic else f"({', '.join(map(text_of, colour))})"


def sort_of(colour: Any) -> Any:
    """Return what tells colours of different sorts apart."""
    return colour.sort if isinstance(colour, Colour) else tuple(map(sort_of, colour))


def one(tokens: dict[Any, int]) -> Any:
    """Return the colour of the only token."""
    colour, n = only(tokens.items(), "a term of one colour")
    require(n == 1, "several tokens stand for a colour")
    return colour


DOT = Colour(0, "dot", None)  # of a sort that no id names


class Colours:
    """What the sorts and terms of a coloured net mean: lists of colours, and how many of each."""

    def __init__(self, net: Tree) -> None:
        named, declared = [*walk(net, "namedsort")], [*walk(net, "variabledecl")]
        self.sorts = {s: [DOT] for s in {"dot"}.difference(tree.at["id"] for tree in named)}
        self.constants, self.later, self.sooner = (dict[Any, Any]() for _ in range(3))
        for tree in named:  # which only names sorts before it
            self.sorts[tree.at["id"]] = self.sort(only(tree.parts, "a sort"))
        ids, names = [tree.at["id"] for tree in declared], names_of(declared)
        sorts = [self.sort(only(tree.parts, "a variable")) for tree in declared]
        self.variables = dict(zip(ids, zip(names, sorts, strict=True), strict=True))
        ids += [tree.at["id"] for tree in named] + [*self.constants]
        require(len({*ids}) == len(ids), "a declared id is taken already")

    def sort(self, tree: Tree) -> list[Any]:
        """Return all colours of the sort in their order."""
        match tree.word:
            case "usersort":
                return self.sorts[tree.at["declaration"]]
            case "dot":
                return [DOT]
            case "productsort":
                factors = [*map(self.sort, tree.parts)]
                decide(prod(map(len, factors)) <= MANY, TOO_LARGE)
                return [*product(*factors)] if len(factors) > 1 else factors[0]
        ids = [part.at["id"] for part in tree.parts]
        texts = [spelled(name, COLOUR) for name in names_of(tree.parts)]
        colours = [Colour(n, text, ids[0]) for n, text in enumerate(texts)]
        require(len({*ids, *self.constants}) == len(ids) + len(self.constants), "an id is repeated")
        self.constants |= zip(ids, colours, strict=True)
        if tree.word == "cyclicenumeration":
            self.later |= zip(colours, colours[1:] + colours[:1], strict=True)
            self.sooner |= zip(colours[1:] + colours[:1], colours, strict=True)
        return colours

    def tokens(self, tree: Tree, binding: dict[str, Any]) -> dict[Any, int]:
        """Return the colours that the term stands for, each with how often."""
        subterms = [only(part.parts, tree.word) for part in tree.parts if part.word == "subterm"]
        match tree.word, [self.tokens(part, binding) for part in subterms]:
            case "variable", []:
                return {binding[tree.at["refvariable"]]: 1}
            case "useroperator", []:
                return {self.constants[tree.at["declaration"]]: 1}
            case "dotconstant", []:
                return {DOT: 1}
            case "numberconstant", [] if re.fullmatch(NATURAL, tree.at["value"]):
                return {int(tree.at["value"]): 1}
            case "all", []:
                return dict.fromkeys(self.sort(only(tree.parts, "all")), 1)
            case "successor" | "predecessor" as word, [term]:
                return {(self.later if word == "successor" else self.sooner)[one(term)]: 1}
            case "numberof", [count, term]:
                require(one(count) >= 0, "a number of tokens is negative")
                return {colour: n * one(count) for colour, n in term.items()}
            case "tuple", [_, _, *_] as terms:
                decide(prod(map(len, terms)) <= MANY, TOO_LARGE)
                rows = (zip(*pairs, strict=True) for pairs in product(*(t.items() for t in terms)))
                return {colours: prod(counts) for colours, counts in rows}
            case "add" | "subtract" as word, [first, *others]:
                sums = defaultdict[Any, int](int, first)
                for colour, n in chain.from_iterable(other.items() for other in others):
                    sums[colour] += n if word == "add" else -n
                require(min(sums.values(), default=0) >= 0, "a term subtracts more than there is")
                return sums
        raise ValueError(f"<{tree.word}> stands where it is no term")

    def satisfied(self, tree: Tree, binding: dict[str, Any]) -> bool:
        """Return whether the condition holds."""
        match tree.word, [only(part.parts, tree.word) for part in tree.parts]:
            case "and" | "or" as word, [_, *_] as parts:
                return (all if word == "and" else any)(self.satisfied(p, binding) for p in parts)
            case "not", [part]:
                return not self.satisfied(part, binding)
            case word, [_, _] as parts if word in COMPARED:
                left, right = (one(self.tokens(part, binding)) for part in parts)
                fits = word.endswith("equality") or isinstance(left, Colour)
                require(fits and sort_of(left) == sort_of(right), f"<{word}> compares other sorts")
                return bool(COMPARED[word](left, right))
        raise ValueError(f"<{tree.word}> stands where it is no condition")


def unfold(tree: Tree) -> File:
    """Return the net of a coloured one: a place for each colour, a transition for each binding.

    A binding is a choice of colours for the variables at the transition, under which its condition
    holds. Places that are never marked (`unmarked`) are left out, with what takes from them.
    """
    colours, sides = Colours(tree), defaultdict[str, list[Any]](list)
    initial, names, net, bindings, effort = Weights(), dict[Any, str](), Net(), Bindings(), 0
    places = {place.at["id"]: n for n, place in enumerate(walk(tree, "place"))}
    for node in walk(tree, "place"):
        place, sort, term = node.at["id"], label(node, "type"), label(node, "hlinitialMarking")
        own, tokens = colours.sort(sort), colours.tokens(term, {}) if term else {}
        require(tokens.keys() <= {*own}, f"{place!a} has tokens of another sort")
        for colour in own:
            text = text_of(colour) if isinstance(colour, Colour) else text_of(colour)[1:-1]
            name = names[place, colour] = node_name(place, "" if colour == DOT else text)
            initial[name] = tokens.get(colour, 0)
        decide(len(initial) <= MANY, TOO_LARGE)
    require(len(initial) == len(names), "two places of the unfolding have the same name")
    for arc in walk(tree, "arc"):
        ends, term = (arc.at["source"], arc.at["target"]), label(arc, "hlinscription")
        require(term, f"arc {arc.at['id']!a} does not say which tokens")
        place, name = ends if ends[0] in places else ends[::-1]
        sides[name].append((ends[0] == name, places[place], place, term))
    for node in walk(tree, "transition"):
        arcs = sorted(sides[node.at["id"]], key=lambda arc: arc[:2])
        condition, name = label(node, "condition"), node.at["id"]
        terms = [term for *_, term in arcs] + [condition] * bool(condition)
        used = dict.fromkeys(v.at["refvariable"] for v in walk(Tree("", {}, terms, []), "variable"))
        bindings[name] = []
        choices = [colours.variables[variable][1] for variable in used]
        decide(prod(map(len, choices)) + len(net) <= MANY, TOO_LARGE)
        for chosen in product(*choices):
            decide(effort <= 10 * MANY, TOO_LARGE)
            effort += 1  # and the colours of its tokens
            binding = dict(zip(used, chosen, strict=True))
            if condition and not colours.satisfied(condition, binding):
                continue
            pairs = [(colours.variables[v][0], text_of(c)) for v, c in binding.items()]
            firing = node_name(name, ", ".join(f"{spelled(v, NAME)}={text}" for v, text in pairs))
            require(firing not in net, "two transitions of the unfolding have the same name")
            net[firing] = {}, {}
            bindings[name].append(firing)
            for puts, _, place, term in arcs:
                tokens = colours.tokens(term, binding)
                effort += len(tokens)
                for colour, n in tokens.items():
                    require((place, colour) in names, f"{place!a} has other colours")
                    weights, at = net[firing][puts], names[place, colour]
                    weights[at] = weights.get(at, 0) + n
    net = in_order(initial, net)
    never = unmarked(initial, [*net.values()])
    net = {name: sides for name, sides in net.items() if never.isdisjoint(sides[0])}
    bindings = {name: [t for t in own if t in net] for name, own in bindings.items()}
    return {p: n for p, n in initial.items() if p not in never}, net, None, bindings


def in_order(initial: Weights, net: Net) -> Net:
    """Return the net with all u and v in the order of the places, without zeros."""
    numbers = {place: n for n, place in enumerate(initial)}

    def ordered(side: Weights) -> Weights:
        return {p: side[p] for p in sorted(side, key=numbers.__getitem__) if side[p]}

    return {name: (ordered(u), ordered(v)) for name, (u, v) in net.items()}


def unused(name: str, *taken: Collection[str]) -> str:
    """Return the name, with as many primes as make it differ from all of these."""
    while any(name in names for names in taken):
        name += "'"
    return name


def check_bound(bound: Formula, initial: Weights, net: Net, guards: Guards) -> None:
    """Check that y·m ≤ B always, for y > 0: initially, and after each firing where it holds before.

    It does after t if t adds nothing to the sum, resets aside, which only lower it; or t never
    fires; or t watches or empties each place of the sum: then the sum is small after it.
    """
    y, most = (bound.sum, bound.bound) if isinstance(bound, Atom) else ((), 0)
    fits = y and bound.modulus is None and min(dict(y).values()) > 0
    require(fits and dot(y, initial) <= most, "a bound is none of a sum of places")
    for name, (u, v) in net.items():
        upper, emptied = guards.get(name, ({}, set()))
        effect = dict(change((u, v)))
        after = [
            n * (v.get(p, 0) if p in emptied else upper[p] - 1 + effect.get(p, 0))
            for p, n in y
            if p in emptied or p in upper
        ]
        small = len(after) == len(y) and sum(after) <= most
        never = any(u.get(p, 0) >= w for p, w in upper.items())
        require(dot(y, effect) <= 0 or small or never, f"{name!a} may exceed a bound")


def ordinary(initial: Weights, net: Net, guards: Guards, bounds: Goals) -> tuple[Weights, Net]:
    """Return the net without guards that fires alike, with a complement place for each of theirs.

    With a bound K of p, the complement place q holds K − m(p). So m(p) < w is m(q) ≥ K − w + 1, and
    a t that empties p becomes one for each k = m(p), which needs k tokens of p, and K − k of q.
    """
    for bound in bounds:
        check_bound(bound, initial, net, guards)
    watched = {p for upper, emptied in guards.values() for p in (*upper, *emptied)}
    rooms, made = dict[str, tuple[str, int]](), Net()
    for p in initial:
        if p in watched:
            limits = [b.bound // n for b in bounds for place, n in b.sum if place == p]
            decide(limits, f"what {p!a} without a bound allows {LEFT}")
            name = unused(f"{p}_complement", initial, [q for q, _ in rooms.values()])
            rooms[p] = (name, min(limits))
    start = initial | {q: most - initial[p] for p, (q, most) in rooms.items()}
    for name, (u, v) in net.items():
        upper, emptied = guards.get(name, ({}, set()))
        own = [p for p in rooms if p in emptied]
        ranges = list[range]()
        for p in own:
            most = rooms[p][1]
            fits = v.get(p, 0) <= most
            ranges.append(range(u.get(p, 0), fits * min(most + 1, upper.get(p, most + 1))))
        decide(prod(max(0, r.stop - r.start) for r in ranges) <= MANY, "so many resets are left")
        for tokens in product(*ranges):
            held = dict(zip(own, tokens, strict=True))
            text = ", ".join(f"{p}={k}" for p, k in held.items())
            label = unused(f"{name}({text})", net, made) if own else name
            takes, puts = dict(u), dict(v)
            for p, (q, most) in rooms.items():
                gain = v.get(p, 0) - u.get(p, 0)
                takes[q] = max(0, gain, most + 1 - upper.get(p, most + 1))
                puts[q] = takes[q] - gain
                if p in held:
                    takes |= {p: held[p], q: most - held[p]}
                    puts[q] = most - v.get(p, 0)
            made[label] = takes, puts
    return start, in_order(start, made)


def change(sides: tuple[Weights, Weights]) -> Sum:
    """Return δ = v − u."""
    u, v = sides
    return total((tuple(v.items()), 1), (tuple(u.items()), -1))


def dot(terms: Sum, marking: Weights) -> int:
    """Return c·m."""
    return sum(c * marking.get(place, 0) for place, c in terms)


def total(*scaled: tuple[Sum, int]) -> Sum:
    """Return Σ w·c of pairs (c, w)."""
    found: Weights = defaultdict(int)
    for place, c in ((place, c * factor) for terms, factor in scaled for place, c in terms):
        found[place] += c
    return tuple(sorted((place, c) for place, c in found.items() if c))


def side(terms: Sum, sign: int) -> Sum:
    """Return the positive coefficients, or the negative ones without their sign."""
    return tuple((place, sign * c) for place, c in terms if sign * c > 0)


def vanish(modulus: int | None, *values: int) -> bool:
    """Return whether all values are ≥ 0 for None, = 0 for the modulus 0, ≡ 0 (mod q) for q."""
    rests = [value % modulus if modulus else value for value in values]
    return min(rests, default=0) >= 0 if modulus is None else not any(rests)


def holds(formula: Formula, marking: Weights) -> bool:
    """Return whether the marking satisfies the formula."""
    if isinstance(formula, Joined):
        return (all if formula.all else any)(holds(part, marking) for part in formula.parts)
    vanishes = vanish(formula.modulus, formula.bound - dot(formula.sum, marking))
    return vanishes == (formula.modulus is None or formula.modulus >= 0)


def cubes(formula: Formula) -> list[tuple[Atom, ...]]:
    """Return the cubes of a disjunctive normal form, left before right; ≢ b is ≡ b+1, ≡ b+2, …"""
    if isinstance(formula, Joined):
        choices = [cubes(part) for part in dict.fromkeys(formula.parts)]
        decide(not formula.all or prod(map(len, choices)) <= MANY, "so many cases need a solver")
        chosen = product(*choices) if formula.all else zip(chain(*choices), strict=True)
        return [tuple(dict.fromkeys(chain(*parts))) for parts in chosen]
    c, q, b = formula
    if not c:
        return [()] * holds(formula, {})
    decide((q or 0) > -MANY, "so large a modulus needs a solver")
    return [(Atom(c, -q, b + r),) for r in range(1, -q)] if (q or 0) < 0 else [(formula,)]


def implied(formula: Formula, goal: Formula) -> bool:
    """Return whether it is seen that the goal holds where the formula does.

    It is where each cube of the formula has all atoms of some cube of the goal.
    """
    goals = [{*cube} for cube in cubes(goal)]
    return all(any(atoms <= {*cube} for atoms in goals) for cube in cubes(formula))


def read(value: Any, shape: Any) -> Any:
    """Return the value in this shape, integers and sums decoded."""
    match value:
        case dict() if shape is Sum:
            weights = read(value, dict.fromkeys(value, int))
            require(all(weights.values()), "a sum has a weight that is 0")
            return tuple(sorted(weights.items()))
        case dict() if isinstance(shape, dict) and value.keys() == shape.keys():
            return {key: read(value[key], shape[key]) for key in shape}
        case list() if isinstance(shape, list | tuple):
            shapes = shape * len(value) if isinstance(shape, list) else shape
            return [read(item, one) for item, one in zip(value, shapes, strict=True)]
        case str() if shape is int and re.fullmatch("-?0x[0-9a-f]+", value):
            return int(value, 16)
    same = type(value) is type(shape) and value == shape
    require(same or shape in (object, type(value)), f"{str(value)[:60]!a} is misplaced")
    return value


def read_formula(value: Any, places: Weights, wanted: bool = True, depth: int = 256) -> Formula:
    """Return the formula, or its negation."""
    require(depth, "a formula is nested too deeply")
    keys = " ".join(sorted(read(value, dict)))
    if keys in ("and", "or"):
        parts = [read_formula(part, places, wanted, depth - 1) for part in read(value[keys], list)]
        return Joined((keys == "and") == wanted, tuple(parts))
    if keys == "not":
        return read_formula(value["not"], places, not wanted, depth - 1)
    atom = read(value, {"sum": Sum} | {key: int for key in value if key != "sum"})
    relation = {"at most sum": "at most", "equals sum": "equals", "modulus residue sum": "residue"}
    require(keys in relation and atom.get("modulus", 1) > 0, f"{keys[:60]!a} make no formula")
    require_names((place for place, _ in atom["sum"]), places, "place")
    modulus = None if "at most" in atom else atom.get("modulus", 0)
    literal = Atom(atom["sum"], modulus, atom[relation[keys]])
    return literal if wanted else opposite(literal)


def join(every: bool, parts: Iterable[Formula]) -> Formula:
    """Return that every part holds, or some part; parts that are joined alike are taken apart."""
    apart = ((p.parts if isinstance(p, Joined) and p.all == every else (p,)) for p in parts)
    flat = (*dict.fromkeys(chain.from_iterable(apart)),)
    return flat[0] if len(flat) == 1 else Joined(every, flat)


def opposite(formula: Formula) -> Formula:
    """Return the negation."""
    if isinstance(formula, Joined):
        return join(not formula.all, map(opposite, formula.parts))
    c, q, b = formula
    less, more = Atom(c, None, b - 1), Atom(total((c, -1)), None, -b - 1)
    return more if q is None else Atom(c, -q, b) if q else Joined(False, (less, more))


def at_least(tokens: Weights) -> Formula:
    """Return that a marking has at least these tokens."""
    return Joined(True, tuple(Atom(((p, -1),), None, -n) for p, n in tokens.items() if n))


def exactly(tokens: Weights) -> Formula:
    """Return that a marking has these tokens, which all places name."""
    return Joined(True, tuple(Atom(((p, 1),), 0, n) for p, n in tokens.items()))


def exceeding(final: Weights) -> Formula:
    """Return m ≥ f and m ≠ f: one token more."""
    more = Atom(tuple(sorted((place, -1) for place in final)), None, -sum(final.values()) - 1)
    return join(True, [at_least(final), more])


def shown(formula: Formula) -> str:
    """Return the formula for people."""
    if isinstance(formula, Joined):
        word, nothing = (" and ", "true") if formula.all else (" or ", "false")
        return f"({word.join(map(shown, formula.parts)) or nothing})"
    c, q, b = formula
    number = str if max(abs(n) for n in (b, q or 0, *dict(c).values())) < 10**4000 else hex
    text = " + ".join(f"{number(n)}*{json.dumps(place)}" for place, n in c) or "0"
    left = f"({text}) mod {number(abs(q))}" if q else text
    return f"{left} {'<=' if q is None else '!=' if q < 0 else '='} {number(b)}"


def after(start: Weights, net: Net, steps: list[Any]) -> Weights:
    """Fire n times: m ≥ u before the first and m + (n − 1)·δ ≥ u before the last: so always."""
    marking = dict(start)
    for name, times in steps:
        require_names([name], net, "transition")
        require(times >= 1, f"the trace fires {name!a} less than once")
        u, v = net[name]
        for place in u | v:
            tokens, change = marking[place], v.get(place, 0) - u.get(place, 0)
            fewest = tokens + min(0, (times - 1) * change)
            require(fewest >= u.get(place, 0), f"the trace fires {name!a} where it is disabled")
            marking[place] = tokens + times * change
    return marking


class Case:
    """A conjunction of atoms, always with 0·m ≤ 0 and 0·m = 0."""

    def __init__(self, parts: Iterable[Formula]) -> None:
        self.atoms = [Atom((), None, 0), Atom((), 0, 0), *parts]
        self.alike: dict[Sum, list[Atom]] = defaultdict(list)
        for atom in self.atoms:
            decide(isinstance(atom, Atom) and (atom.modulus or 0) >= 0, SHAPED)
            self.alike[atom.sum].append(atom)

    def above(self, c: Sum, q: int | None, scale: int, s: Sum) -> Iterator[tuple[Sum, int]]:
        """Return atoms c'·m ≤ b' with σ·c' + s ≥ 0; or ≡ b' (mod q') with ≡ 0 (mod q), q | σ·q'."""
        for c1, q1, b1 in chain(self.alike[c], self.atoms):
            alike = q1 is None if q is None else q1 is not None and vanish(q, scale * q1)
            if alike and vanish(q, *(n for _, n in total((c1, scale), (s, 1)))):
                yield c1, b1

    def leads_to(self, goal: Atom, u: Weights, v: Weights) -> bool:
        """Return whether c·m ≤ b holds after t; or all of this with ≡ (mod q) for ≤ and ≥."""
        # If c' ≥ c: c·(m + δ) = c·(m − u) + c·v ≤ c'·(m − u) + c·v ≤ b' − c'·u + c·v, which is ≤ b.
        gap, above = goal.bound - dot(goal.sum, v), self.above(*goal[:2], 1, total((goal.sum, -1)))
        return any(vanish(goal.modulus, gap + dot(c1, u) - b1) for c1, b1 in above)


def barrier(cube: tuple[Atom, ...], hint: dict[str, Any]) -> tuple[Any, ...] | None:
    """Return S = s·m + s0 = Σ w·(c·m − b): on the cube S ≤ 0, or −S ≡ 0 (mod q), if w allows."""
    # That is, w ≥ 0 for c·m ≤ b, and w = 0 for c·m ≡ b; or modulo q, w = 0 for ≤, q | w·q' for ≡.
    q, scale, multipliers = hint["modulus"] or None, hint["scale"], hint["multipliers"]
    fits = len(cube) == len(multipliers) and scale >= 1 and (q or 1) >= 1
    pairs = [(atom, -w if q else w) for atom, w in zip(cube, multipliers, strict=False)]
    bounds = vanish(q and 0, *(w for atom, w in pairs if atom.modulus is None))
    others = vanish(q or 0, *(w * atom.modulus for atom, w in pairs if atom.modulus is not None))
    s, s0 = total(*((atom.sum, w) for atom, w in pairs)), -sum(w * atom.bound for atom, w in pairs)
    return (hint["direction"], q, scale, s, s0) if fits and bounds and others else None


def check_cases(net: Net, target: Formula, invariant: Formula, hints: Any) -> None:
    """Check (2) and (3) for a disjunction of cases, each a conjunction of atoms.

    (2) t leads to the case that `successors` tell of it, or of others; or to 0·m ≤ −1: never. (3)
    In each cube of the target some S ≤ 0 contradicts a c·m ≤ b of the case: σ·c + s ≥ 0, but then
    0 ≤ σ·c·m + s·m ≤ σ·b − s0 is negative; or all of this with ≡ 0 (mod q).
    """
    rows, parts = hints["successors"], invariant.parts if isinstance(invariant, Joined) else ()
    fits = all(isinstance(part, Joined) and part.all for part in parts) and len(rows) == len(parts)
    decide(parts and fits and not invariant.all, SHAPED)
    cases, never = [Case(part.parts) for part in parts], Case([Atom((), None, -1)])
    goals = dict(enumerate(cases))
    for case, row, others in zip(cases, rows, map(set, rows), strict=True):  # in any order
        for (name, t), k in zip(net.items(), chain(row, repeat(-1)), strict=False):
            ways = (goals.get(j, never).atoms for j in chain((k,), others))
            kept = any(all(case.leads_to(goal, *t) for goal in way) for way in ways)
            decide(kept, f"transition {name!a} needs a solver")
    for number, cube in enumerate(cubes(target)):
        found = [barrier(cube, hint) for hint in hints["separators"] if hint["cube"] == number]
        walls = [((), None, 1, (), 0), *filter(None, found)]
        for case in cases:
            bars = ((q, n * b - s0) for c, q, n, s, s0 in walls for _, b in case.above(c, q, n, s))
            decide(not all(vanish(*bar) for bar in bars), f"case {number} needs a solver")


def least(row: Weights, demands: Iterable[tuple[Sum, int]]) -> list[Weights]:
    """Return rows r ≥ row: m ≥ row satisfies all demands w·m ≥ k iff m ≥ r for one of them."""
    rows = [row]
    for weights, k in demands:
        found, pending = {}, [(low, weights, k - dot(weights, low)) for low in rows]
        for low, places, missing in pending:  # which grows
            if missing <= 0:
                found[frozenset(low.items())] = low
            for n, (place, w) in enumerate(places if missing > 0 else (), 1):
                enough, later = -(-missing // w), places[n:]
                for tokens in range(1 if later else enough, enough + 1):
                    more = low | {place: low.get(place, 0) + tokens}
                    pending.append((more, later, missing - tokens * w))
                    decide(len(pending) <= MANY, "so many cases need a solver")
        rows = list(found.values())
    return rows


def check_clauses(net: Net, target: Formula, invariant: Formula, hints: Any) -> None:
    """Check (2), (3) for clauses, c·m ≤ b or … with c ≥ 0, and half-spaces Y·m ≤ K together.

    A clause forbids m ≥ b for finitely many rows b. A row r is *excluded*, no m ≥ r satisfies the
    invariant, if r ≥ b for such a b, or if S·r > S0 for a half-space S·m ≤ S0 with S ≥ 0, or a sum
    that `sums` name. (2) Clauses are kept if u + max(0, b − v), the least m ≥ u with m + δ ≥ b, is
    excluded for each b, half-spaces if they lead to themselves, and all if u is excluded. (3) The
    least rows r of a cube are excluded, at least with what Y·m ≤ K asks of all m ≥ r: −Y·m, summed
    where Y < 0, is ≥ Y·r − K, summed where Y > 0.
    """
    parts = invariant.parts if isinstance(invariant, Joined) and invariant.all else (invariant,)
    under, halves, sums = defaultdict(list), list[Atom](), list[Atom]()
    for part in parts:
        atoms = part.parts if isinstance(part, Joined) and not part.all else (part,)
        decide(all(isinstance(atom, Atom) and atom.modulus is None for atom in atoms), SHAPED)
        positive = all(atom.sum == side(atom.sum, 1) for atom in atoms)
        if isinstance(part, Atom) and not (positive and (len(part.sum) == 1 or part.bound == 0)):
            halves.append(part)
        else:
            decide(positive, SHAPED)
            for b in least({}, [(atom.sum, atom.bound + 1) for atom in atoms]):
                under[min(b)].append(b)
    for terms in hints["sums"]:
        if all(0 <= n < len(parts) and isinstance(parts[n], Atom) and w > 0 for n, w in terms):
            bound = sum(parts[n].bound * w for n, w in terms)
            sums.append(Atom(total(*((parts[n].sum, w) for n, w in terms)), None, bound))
    ceilings = [atom for atom in (*halves, *sums) if atom.sum == side(atom.sum, 1)]
    case, basis = Case(halves), [*chain(*under.values())]

    def excluded(row: Weights) -> bool:
        near = chain.from_iterable(under[place] for place in row if place in under)
        below = any(all(row.get(p, 0) >= n for p, n in b.items()) for b in near)
        return below or any(dot(c, row) > most for c, _, most in ceilings)

    def missed(row: Weights) -> bool:
        demands = [(side(y, -1), dot(side(y, 1), row) - most) for y, _, most in halves]
        return excluded(row) or all(map(excluded, least(row, demands)))

    for name, (u, v) in net.items():
        grown = (b for b in basis if any(v.get(p, 0) > u.get(p, 0) for p in b))
        rows = ({p: u.get(p, 0) + max(0, b.get(p, 0) - v.get(p, 0)) for p in u | b} for b in grown)
        kept = all(map(excluded, rows)) and all(case.leads_to(half, u, v) for half in halves)
        decide(kept or excluded(u), f"transition {name!a} needs a solver")
    for number, cube in enumerate(cubes(target)):
        demands = [(side(c, -1), -b) for c, q, b in cube if not q]
        demands += [(side(c, 1), b) for c, q, b in cube if q == 0]
        decide(all(map(missed, least({}, demands))), f"case {number} needs a solver")


def read_rows(text: str, count: int, width: int) -> list[int]:
    """Return numbers of `width` bytes: the first bytes of all, then the second ones, and so on."""
    require(0 < count * width <= 1 << 29, "a table has no rows, or too many")
    stream = zlib.decompressobj()
    data = stream.decompress(b64decode(text, validate=True), count * width + 1)
    whole = stream.eof and not stream.unused_data and len(data) == count * width
    require(whole, "a table has not as many bytes as it should")
    columns = (data[n : n + count] for n in range(0, len(data), count))
    return [int.from_bytes(row, "big") for row in zip(*columns, strict=True)]


class PackedRows:
    """Rows, which are markings as numbers: no firing leaves them, and the initial one is a row."""

    def __init__(self, value: Any, initial: Weights, net: Net) -> None:
        decide("counted" not in value, f"a table of sums {LEFT}")
        shape = {"layout": [(str, int)], "count": int, "rows": str}
        (layout, count, text), used, begin = read(value, shape).values(), 0, Weights()
        decide({place for place, _ in layout} == initial.keys(), f"a table of other places {LEFT}")
        fits = len(layout) == len(initial) and all(0 <= bits <= 63 for _, bits in layout)
        require(fits, "a place has two fields, or one of not from 0 to 63 bits")
        for place, bits in layout:  # words of 64 bits, filled from the lowest on; none is divided
            used += -used % 64 if used % 64 + bits > 64 else 0
            begin[place], used = used, used + bits
        top = max(0, used - 1) // 64 * 64  # where the first word begins, the highest one
        lows = (max(0, top - n // 64 * 64 + n % 64) for n in begin.values())
        self.fields = {p: (low, (1 << n) - 1) for (p, n), low in zip(layout, lows, strict=True)}
        self.ranks = dict.fromkeys(read_rows(text, count, top // 8 + 8), 0)
        spare = ~sum(mask << low for low, mask in self.fields.values())
        ascend = all(a < b and not b & spare for a, b in pairwise((-1, *self.ranks)))
        require(ascend and len(self.ranks) == count, "rows do not ascend, or have other bits")
        require(initial in self.markings(), "the initial marking is not in the table")
        self.firings = 0
        for sides in net.values():
            after = self.fire(self.ranks, *sides).values()
            require(-1 not in after, "a firing leaves the table")
            self.firings += len(after)

    def markings(self, places: Collection[str] = ()) -> Iterator[Weights]:
        """Return those of rank 0, on all places or these."""
        rows = (row for row, n in self.ranks.items() if not n)
        fields = [(p, *self.fields[p]) for p in places or self.fields]
        return ({p: row >> low & mask for p, low, mask in fields} for row in rows)

    def fire(self, rows: Iterable[int], u: Weights, v: Weights) -> dict[int, int]:
        """Return for those rows with m ≥ u their successors, or −1 for what is no row."""
        delta = change((u, v))
        step = sum(n << self.fields[p][0] for p, n in delta)
        for (low, mask), n in ((self.fields[p], n) for p, n in u.items()):
            rows = [row for row in rows if row >> low & mask >= n]
        after = dict.fromkeys(rows, -1)
        for (low, mask), n in ((self.fields[p], n) for p, n in delta if n > 0):
            rows = [row for row in rows if row >> low & mask <= mask - n]
        return after | {row: row + step for row in rows if row + step in self.ranks}

    def falls(self, value: Any, net: Net, names: list[str]) -> None:
        """Take ranks, which every firing of these transitions lowers."""
        ranks, _ = (read_rows(value[key], len(self.ranks), 4) for key in ("ranks", "transitions"))
        self.ranks = dict(zip(self.ranks, ranks, strict=True))
        for (row, rank), name in product(self.ranks.items(), names):
            lower = all(self.ranks[n] < rank for n in self.fire([row], *net[name]).values())
            require(lower, f"{name!a} lowers no rank")

    def rank(self, value: Any, net: Net) -> None:
        """Take ranks; each row but those of rank 0 has a transition that leads to a lower one."""
        _, *texts, names = value.values()
        ranks, numbers = (read_rows(text, len(self.ranks), 4) for text in texts)
        require_names(names, net, "transition")
        self.ranks, sides = dict(zip(self.ranks, ranks, strict=True)), [net[name] for name in names]
        for (row, rank), number in zip(self.ranks.items(), numbers, strict=True):
            after = self.fire([row], *sides[number]).get(row, -1) if rank else -1
            require(not rank or self.ranks.get(after, rank) < rank, "a rank does not fall")


def check_stubborn(initial: Weights, net: Net, target: Formula, value: Any) -> None:
    """Check that each row m has a set S of transitions that lead to rows, and without which (3).

    For t in S: (a) if m disables t, m(p) < u(p) for some p for which S has all that fill it, with
    δ(p) > 0; (b) if not, m + δ is a row, and S has all that need a p with δ(p) < 0. (c) The target
    does not hold, and others than S alone never make it hold. So no row leads into it: else take
    the shortest way w. By (c) it has some of S, first t: w = x t y. By (a) m ≥ u. By (b) x needs no
    p that t lowers, so from the row m + δ, x y leads where w leads, and is shorter. The greatest S
    is found, for all rows at once, with a bit for each: those of omitted[t] have no t in their S.
    """
    table = PackedRows(value, initial, {})
    changes = {t: dict(change(sides)) for t, sides in net.items() if change(sides)}
    takers = {p: [t for t in changes if p in net[t][0]] for p in initial}
    fillers = {p: [t for t in changes if changes[t].get(p, 0) > 0] for p in initial}

    def rows(flags: Iterable[bool]) -> int:
        return int("".join("01"[flag] for flag in flags), 2)

    every, omitted = rows(True for _ in table.ranks), dict[str, int]()
    arcs = {arc for t in changes for arc in net[t][0].items()}
    marked = {(p, n): rows(m[p] >= n for m in table.markings([p])) for p, n in arcs}
    for t in changes:
        after = table.fire(table.ranks, *net[t])
        omitted[t] = rows(after.get(row, 0) < 0 for row in table.ranks)
    before = None
    while before != omitted:
        before = dict(omitted)
        taken, filled = (
            {p: reduce(or_, (omitted[t] for t in names), 0) for p, names in some.items()}
            for some in (takers, fillers)
        )
        for t, delta in changes.items():
            u = net[t][0].items()
            able = reduce(and_, (marked[arc] for arc in u), every)
            stuck = reduce(and_, (marked[p, n] | filled[p] for p, n in u), every)
            lost = reduce(or_, (taken[p] for p, n in delta.items() if n < 0), 0)
            omitted[t] |= stuck & (every ^ able | lost)

    def never(formula: Formula) -> int:
        """Return the rows where it does not hold, nor after transitions outside of S alone."""
        if isinstance(formula, Joined):
            parts = map(never, formula.parts)
            return reduce(or_, parts, 0) if formula.all else reduce(and_, parts, every)
        c, q, b = formula
        if q == 0:
            return never(Atom(c, None, b)) | never(Atom(total((c, -1)), None, -b))
        left = rows(not holds(formula, m) for m in table.markings([p for p, _ in c]))
        for t, step in ((t, dot(c, delta)) for t, delta in changes.items()):
            left &= ~omitted[t] if (step % q if q else step < 0) else every
        return left

    require(never(target) == every, "a row has no stubborn set for the target")


def refuted(cube: Iterable[Atom]) -> bool:
    """Return whether it is seen that no marking satisfies the atoms.

    A place with a factor ±1 in an equation is eliminated by it. Of others each upper bound is
    joined with each lower one (Fourier and Motzkin), and congruences are left out.
    """
    places = {place for atom in cube for place, _ in atom.sum}
    atoms = {*cube, *(Atom(((place, -1),), None, 0) for place in places)}
    while left := {place for atom in atoms for place, _ in atom.sum}:
        units = ((p, a) for a in atoms if a.modulus == 0 for p, n in a.sum if abs(n) == 1)
        place, unit = next(units, (min(left), None))
        rows = [(dict(atom.sum).get(place, 0), atom) for atom in atoms]
        atoms = {atom for n, atom in rows if not n}
        if unit is None:
            bounds = [(n, a) for n, a in rows if a.modulus is None]
            bounds += [
                (n * s, Atom(total((a.sum, s)), None, a.bound * s))
                for n, a in rows
                if a.modulus == 0
                for s in (1, -1)
            ]
            highs, lows = ([(n, a) for n, a in bounds if n * s > 0] for s in (1, -1))
            pairs = [(a, -m, b, n) for (n, a), (m, b) in product(highs, lows)]
        else:
            pairs = [(a, 1, unit, -n * dict(unit.sum)[place]) for n, a in rows if n]
        for a, w, b, x in pairs:
            joint = total((a.sum, w), (b.sum, x))
            atoms.add(Atom(joint, a.modulus, a.bound * w + b.bound * x))
        decide(len(atoms) <= MANY, "so many inequalities need a solver")
    return not all(holds(atom, {}) for atom in atoms)


def exclude(
    initial: Weights, net: Net, target: Formula, certificate: Any, start: Any = None
) -> None:
    """Show that no marking in the target is reachable from the initial one, or those of `start`."""
    match certificate:
        case {"markings": _} | {"stubborn": _} if start is not None:
            decide(False, f"a table for several initial markings {LEFT}")
        case {"markings": value} if len(certificate) == 1:
            inside = any(holds(target, m) for m in PackedRows(value, initial, net).markings())
            require(not inside, "a row of the table is in the target")
        case {"stubborn": value} if len(certificate) == 1:
            check_stubborn(initial, net, target, read(value, {"markings": dict})["markings"])
        case {"invariant": value, "hints": hints, **origins}:
            read(origins, ORIGINS if origins else {})
            invariant = read_formula(value, initial)
            if start is None:
                require(holds(invariant, initial), "the invariant does not hold initially")
            else:
                failing = join(True, [start, opposite(invariant)])
                decide(all(map(refuted, cubes(failing))), "the initial markings need a solver")
            decide(hints is not None, f"what has no hints {LEFT}")
            check, shape = (check_clauses, CLAUSES) if "sums" in hints else (check_cases, CASES)
            check(net, target, invariant, read(hints, shape))
        case _:
            require([*certificate] in (["state equation"], ["classes"]), "there is no certificate")
            decide(False, f"such a certificate {LEFT}")


def word_of(initial: Weights, net: Net, steps: list[Any]) -> tuple[Weights, Sum]:
    """Return the *hurdle* of a word, the least marking that can fire its steps, and its effect."""
    hurdle, effect = Weights(), Sum()
    for name, times in reversed(steps):
        require_names([name], net, "transition")
        require(times >= 1, f"a word fires {name!a} less than once")
        u, delta = net[name][0], dict(change(net[name]))
        effect = total((effect, 1), (change(net[name]), times))
        for place in (p for p in initial if p in delta):  # for the steps after this one
            hurdle[place] = max(0, hurdle.get(place, 0) - times * delta[place])
        for place, n in u.items():  # for the first firing, and for the last one
            later = n - (times - 1) * delta.get(place, 0)
            hurdle[place] = max(hurdle.get(place, 0), n, later)
    return {place: n for place, n in hurdle.items() if n}, effect


def lead_on(initial: Weights, net: Net, goals: Goals, value: Any) -> tuple[list[Weights], Any]:
    """Return the markings from each of which traces lead into the formulas, and another proof."""
    shape = {"markings": [Sum], "proof": dict, "traces": [[TRACE]]}
    markings, proof, traces = read(value, shape).values()
    starts = [dict.fromkeys(initial, 0) | dict(tokens) for tokens in markings]
    for start, words in zip(starts, traces, strict=True):
        require_names(start, initial, "place")
        require(min(start.values(), default=0) >= 0, "a marking has less than no tokens")
        ends = [after(start, net, steps) for steps in words]
        fits = len(ends) == len(goals) and all(map(holds, goals, ends))
        require(fits, "the traces do not lead into each formula")
    return starts, proof


def check_onward(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check traces that lead into the formulas from each of several home markings.

    From every reachable marking one of them can be reached, by a proof of its own.
    """
    starts, proof = lead_on(initial, net, goals, value)
    check_home(initial, net, [join(False, map(exactly, starts))], proof, "onward")


def check_renewal(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check such traces where m ≥ h can always be reached, with h any of these markings.

    A trace that leads from h to h' leads from m ≥ h to h' + (m − h), since more tokens disable
    nothing. Where h' is in the formula, so is that, if no sum in it grows with the tokens.
    """
    starts, proof = lead_on(initial, net, goals, value)
    parts = [*goals]
    for part in parts:  # which grows
        parts += part.parts if isinstance(part, Joined) else ()
        upward = isinstance(part, Joined) or (part.modulus is None and not side(part.sum, 1))
        require(upward, "more tokens may lead out of a home space")
    above = join(False, map(at_least, starts))
    check_home(initial, net, [above], proof, "onward", "renewal", "restarted")


def check_descent(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check words that lower a rank r·m with r ≥ 0, one of which can fire outside of the goals.

    The certificate excludes the markings outside that enable no word. So from every reachable one
    words lead on until one inside is reached: a rank is a natural number, and cannot fall for ever.
    """
    shape = {"rank": Sum, "words": [TRACE], "certificate": dict}
    rank, words, certificate = read(value, shape).values()
    require_names(dict(rank), initial, "place")
    require(rank == side(rank, 1), "a rank has a negative weight")
    pairs = [word_of(initial, net, steps) for steps in words]
    require(all(dot(rank, dict(effect)) < 0 for _, effect in pairs), "a word lowers no rank")
    disabled = (opposite(at_least(hurdle)) for hurdle, _ in pairs)
    exclude(initial, net, join(True, [opposite(join(True, goals)), *disabled]), certificate)


def check_reversal(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check words that undo each transition t, whose effects are −δ, one of which can fire after t.

    After t there are at least the tokens v. The certificate excludes the markings m ≥ v that enable
    no word for t. So each firing of a trace can be undone, from the last to the first one: the
    initial marking, which is in the goals, can be reached again.
    """
    listed, certificate = read(value, {"words": [(str, [TRACE])], "certificate": dict}).values()
    require(all(holds(f, initial) for f in goals), "a home space has no initial marking")
    require_names((name for name, _ in listed), net, "transition")
    stuck, words = [], defaultdict[str, list[Any]](list)
    for name, some in listed:
        words[name] += some
    for name, (u, v) in net.items():
        pairs = [word_of(initial, net, steps) for steps in words[name]]
        undone = change((v, u))
        require(all(effect == undone for _, effect in pairs), f"a word does not undo {name!a}")
        if not any(all(v.get(p, 0) >= n for p, n in hurdle.items()) for hurdle, _ in pairs):
            disabled = (opposite(at_least(hurdle)) for hurdle, _ in pairs)
            stuck.append(join(True, [at_least(v), *disabled]))
    exclude(initial, net, join(False, stuck), certificate)


def check_restarted(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check that f, the only marking of the formula, is always reached in a net that it restarts.

    This net N* has one more transition, from f to the initial marking. In N* some m ≥ f can always
    be reached, and no reachable marking exceeds f. So m = f; and the shortest way to it does not
    fire the new transition, which only m ≥ f enables: it is a way in the net itself.
    """
    proof, certificate = read(value, {"proof": dict, "certificate": dict}).values()
    (formula,) = goals
    parts = formula.parts if isinstance(formula, Joined) and formula.all else (formula,)
    final = {place: atom.bound for atom in parts for place, _ in atom.sum}
    only = final.keys() == initial.keys() and sorted(parts) == sorted(exactly(final).parts)
    require(only and min(final.values()) >= 0, "the home space is not a single marking")
    name = "restart"
    while name in net:
        name += "'"
    u, v = ({p: n for p, n in marking.items() if n} for marking in (final, initial))
    circuit = net | {name: (u, v)}
    check_home(initial, circuit, [at_least(final)], proof, "onward", "restarted")
    exclude(initial, circuit, exceeding(final), certificate)


def check_free_choice(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check theorems of Desel and Esparza's book Free Choice Petri Nets (1995), which are trusted.

    All weights are 1, and transitions that share an input place have the same ones. With positive
    invariants, connected, and of a rank that is the number of different inputs less 1, the net is
    well-formed (chapter 6). Then it is live if no siphon is empty initially (chapters 4, 5); if no
    trap is either, the initial marking can always be reached again (chapter 8).
    """
    tokens, firings = map(dict, read(value, {"places": Sum, "transitions": Sum}).values())
    sides, effects = [*net.values()], {name: change(sides) for name, sides in net.items()}
    inputs = {place: u.keys() for u, _ in sides for place in u}
    alike = all(inputs[place] == u.keys() for u, _ in sides for place in u)
    ones = all(n == 1 for u, v in sides for n in (*u.values(), *v.values()))
    require(alike and ones, "the net is not free-choice")
    named = tokens.keys() == initial.keys() and firings.keys() == net.keys()
    positive = min((*tokens.values(), *firings.values()), default=0) > 0
    kept = not any(dot(row, tokens) for row in effects.values())
    zero = named and not total(*((effects[name], n) for name, n in firings.items()))
    require(positive and kept and zero, "there are no positive invariants")
    joined = grown({*[*initial][:1]}, [(u | v, u | v) for u, v in sides]) == initial.keys()
    require(joined and all(u or v for u, v in sides), "the net is not connected")
    clusters = {frozenset(u) for u, _ in sides}
    require(rank_of(effects.values()) == len(clusters) - 1, "the rank of the net is another one")
    require(not unmarked(initial, sides), "a siphon is empty initially")
    again = not unmarked(initial, [(v, u) for u, v in sides])
    for formula in goals:
        live = any(implied(at_least(u), formula) for u, _ in sides)
        require(live or (again and holds(formula, initial)), "it is another home space")


def grown(places: set[str], sides: list[tuple[Weights, Weights]]) -> set[str]:
    """Return these places, and those to which paths lead from them, from inputs to outputs."""
    while more := {p for u, v in sides if places & u.keys() for p in v} - places:
        places |= more
    return places


def unmarked(initial: Weights, sides: list[tuple[Weights, Weights]]) -> set[str]:
    """Return the greatest siphon without tokens: what puts on it also takes from it."""
    siphon = {place for place, tokens in initial.items() if not tokens}
    waiting, able = defaultdict[str, list[Any]](list), [*sides]
    for u, v in able:  # which grows
        if lacking := siphon & u.keys():
            waiting[min(lacking)].append((u, v))
        for place in () if lacking else siphon & v.keys():
            siphon.remove(place)
            able += waiting[place]
    return siphon


def rank_of(rows: Iterable[Sum]) -> int:
    """Return how many rows are linearly independent: each is reduced by those before it."""
    pivots = dict[str, Any]()
    for row in rows:
        while row and row[0][0] in pivots:
            row = total((row, 1), (pivots[row[0][0]], -row[0][1]))
        if row:
            pivots[row[0][0]] = tuple((place, Fraction(n) / row[0][1]) for place, n in row)
    return len(pivots)


def check_ranked(initial: Weights, net: Net, goals: Goals, value: Any) -> None:
    """Check rows from each of which firings lead to lower ranks, down to 0, in the goals."""
    value = read(value, RANKED)
    table = PackedRows(value["markings"], initial, net)
    table.rank(value, net)
    inside = all(holds(f, m) for m in table.markings() for f in goals)
    require(inside, "a row of rank 0 is not in the home space")


HOMES = {"onward": check_onward, "renewal": check_renewal, "descent": check_descent}
HOMES |= {"reversal": check_reversal, "restarted": check_restarted}
HOMES |= {"free choice": check_free_choice, "ranked": check_ranked}


def check_home(initial: Weights, net: Net, goals: Goals, proof: Any, *around: str) -> None:
    """Check that from every reachable marking one in each formula can be reached."""
    ((kind, value),) = proof.items()
    require(kind not in around, f"a proof by {kind!a} stands within another one")
    decide(kind in HOMES, f"another proof of a home space {LEFT}")
    HOMES[kind](initial, net, goals, value)


def check_ends(initial: Weights, net: Net, names: list[str], value: Any) -> None:
    """Check y ≥ 0 with y·δ ≤ 0 for all other transitions, and a table of ranks where that is 0.

    Each firing of another transition lowers y·m; or it leaves it as it is, and leads to a lower
    rank. Both are natural numbers, so there are no infinitely many such firings in a row.
    """
    y, table = read(value, {"sum": Sum, "table": object}).values()
    require_names(names, net, "transition")
    require_names(dict(y), initial, "place")
    require(y == side(y, 1), "a rank has a negative weight")
    changes = {name: dot(change(t), dict(y)) for name, t in net.items() if name not in names}
    require(max(changes.values(), default=0) <= 0, "a transition raises the sum")
    level = [name for name, raised in changes.items() if raised == 0]
    require(table is not None or not level, "a transition does not lower the sum")
    if table is not None:
        ranked = read(table, {"ranked": RANKED})["ranked"]
        PackedRows(ranked["markings"], initial, net).falls(ranked, net, level)


def names_in(formula: Formula) -> set[str]:
    """Return the places that the formula names."""
    if isinstance(formula, Joined):
        return set().union(*map(names_in, formula.parts))
    return {place for place, _ in formula.sum}


def starting(value: Any, initial: Weights) -> tuple[Formula, Weights, Net]:
    """Return the initial markings that are asked about, and where traces of them begin.

    That is a marking, and transitions that add tokens. A place p that the formula names has its
    initial tokens on one more place, p₀, which only these transitions fill.
    """
    raw, least, added = read(value, {"formula": dict, "least": Sum, "added": dict}).values()
    formula = read_formula(raw, initial)
    named = names_in(formula)
    copies = {place: unused(f"{place}\u2080", initial) for place in named}

    def copied(tokens: Sum) -> Weights:
        require_names((place for place, _ in tokens), initial, "place")
        require(all(n > 0 for _, n in tokens), "what is added is not positive")
        return dict(tokens) | {copies[p]: n for p, n in tokens if p in named}

    same = [Atom(total((((p, 1),), 1), (((copy, 1),), -1)), 0, 0) for p, copy in copies.items()]
    fixed = [Atom(((p, 1),), 0, n) for p, n in initial.items() if p not in named]
    puts: Net = {name: ({}, copied(read(tokens, Sum))) for name, tokens in added.items()}
    begin = dict.fromkeys((*initial, *copies.values()), 0) | copied(least)
    return join(True, [formula, *same, *fixed]), begin, puts


def prove(
    claim: Any, initial: Weights, net: Net, target: Any, known: Weights, start: Any = None
) -> Fact:
    """Return what the claim proves, after checking it; only tokens of `known` places count.

    From all initial markings that satisfy a formula, `start`, if any; the initial one, with added
    transitions, is where its traces begin. These need nothing: so they may as well fire first.
    """
    start, added = start or (None, {})
    match claim:
        case {"trace": _}:
            steps, stops = read(claim, {"trace": TRACE, "stops": [(int, object)]}).values()
            require(net.keys().isdisjoint(added), "an added transition is one of the net")
            net = net | added
            require(stops == sorted(stops, key=lambda stop: stop[0]), "the stops do not ascend")
            raws = (target if value == "target" else value for _, value in stops)
            formulas = [read_formula(raw, initial) for raw in raws]
            require(stops and after(initial, net, steps) is not None, "the trace stops nowhere")
            require(all(0 <= n <= len(steps) for n, _ in stops), "the trace is not so long")
            ends = [after(initial, net, steps[:n]) for n, _ in stops]
            for n in (n for n, _ in stops if start is not None):
                begin = after(initial, net, [step for step in steps[:n] if step[0] in added])
                require(holds(start, begin), "the trace begins in no initial marking")
            there = all(map(holds, formulas, ends))
            require(there, "a formula does not hold where the trace stops")
            return Fact(REACHED, formulas, ends)
        case {"excluded": value, **certificate} if "with" not in claim:
            goal = read_formula(target if value == "target" else value, initial)
            decide(start is None or "after" not in claim, f"such a claim {LEFT}")
            begin = after(initial, net, read(certificate.pop("after", []), TRACE))
            exclude(begin, net, goal, certificate, start)
            return Fact(LOST if "after" in claim else NEVER, [goal], [])
        case {"home": spaces, **proof} if start is None:
            formulas = [read_formula(space, initial) for space in read(spaces, list)]
            require(formulas, "no home space is named")
            check_home(initial, net, formulas, proof)
            return Fact(HOME, formulas, [])
        case {"infinite run": _} if start is None:
            shape = {"infinite run": {"stem": TRACE, "loop": TRACE}}
            stem, loop = read(claim, shape)["infinite run"].values()
            once = after(initial, net, stem)
            twice = after(once, net, loop)
            require(loop and all(twice[p] >= n for p, n in once.items()), "a loop takes tokens")
            return Fact(ENDLESS, names=[*dict.fromkeys(name for name, _ in loop)])
        case {"ends without": _, "ranking": _} if start is None:
            names, value = read(claim, {"ends without": [str], "ranking": dict}).values()
            check_ends(initial, net, names, value)
            return Fact(ENDS, names=names)
        case {"reachability set": _, "ranked": _} if start is None:
            counts, value = read(claim, {"reachability set": COUNTS, "ranked": RANKED}).values()
            table = PackedRows(value["markings"], initial, net)
            held = ([n for p, n in m.items() if p in known] for m in table.markings())
            sizes = ((max(m, default=0), sum(m)) for m in held)
            counted = [len(table.ranks), table.firings, *map(max, zip(*sizes, strict=True))]
            require([*counts.values()] == counted, "something is counted wrongly")
            table.rank(value, {name: (v, u) for name, (u, v) in net.items()})
            require([*table.markings()] == [initial], "another row than the initial one has rank 0")
            return Fact(f"of the reachable markings, {json.dumps(counts)}")
    raise NotImplementedError(f"such a claim {LEFT}")


def conclude(
    kind: str, text: str, facts: list[Fact], initial: Weights, net: Net, file: File
) -> bool | None:
    """Return the answer that the facts prove to a question of these kinds; None if they leave it.

    A net is *live* if from every reachable marking one can be reached that enables t, for each t
    (or each that the text names); *reversible* if the initial marking can always be reached.
    A workflow net, all of whose nodes are between one source and one sink (or several, all of which
    each final marking marks), is *weakly sound* if a final marking can always be reached, and no
    reachable marking exceeds one; *sound* if also each transition can fire; *easy* sound if a final
    marking can be reached. A net *terminates* if every run ends (or each infinite one fires
    infinitely often some transition that the text names). Where F implies G: if F is a home space,
    so is G; if no marking of G is reached, none of F is. The file has no complement places.
    """
    known, own, finals, bindings = file
    spoken = [(fact.words, formula) for fact in facts for formula in fact.formulas]
    home, never, lost = ([f for word, f in spoken if word == w] for w in (HOME, NEVER, LOST))
    enabled = {
        name: join(False, [at_least(net[binding][0]) for binding in own])
        for name, own in bindings.items()
    }

    def regained(goal: Formula) -> bool | None:
        gone = any(implied(goal, formula) for formula in (*never, *lost))
        return True if any(implied(formula, goal) for formula in home) else False if gone else None

    def occurs(goal: Formula) -> bool | None:
        if any(holds(goal, marking) for fact in facts for marking in fact.ends):
            return True
        return False if any(implied(goal, formula) for formula in never) else None

    def endless(fact: Fact) -> bool | None:
        others = [name for name in fact.names if name not in names]
        if fact.words == ENDS and all(occurs(at_least(net[name][0])) is False for name in others):
            return False
        return True if fact.words == ENDLESS and len(others) == len(fact.names) else None

    names = [name.strip() for name in text.split(",")] if text else []
    if kind in ("live", "terminates"):
        decide(bindings.keys() >= {*names}, f"which transitions are meant {LEFT}")
    match kind:
        case "live":
            answers = [regained(enabled[name]) for name in names or bindings]
        case "reversible":
            answers = [regained(exactly(initial))]
        case "terminates":
            names = [binding for name in names for binding in bindings[name]]
            going = [*map(endless, facts)]
            answers = [False if True in going else True if False in going else None]
        case _:
            grade = text.rstrip(": ") or "classical"
            grades = () if finals is None else ("classical", "weak", "easy")
            decide(grade in grades, f"such soundness {LEFT}")
            sides = [*own.values()]
            begins, ends = ({*known}.difference(*(s[n] for s in sides)) for n in (1, 0))
            forth, back = grown({*begins}, sides), grown({*ends}, [(v, u) for u, v in sides])
            paths = forth == back == {*known} and all(map(all, sides)) and any(known.values())
            marked = len(ends) == 1 or (finals and all(f[p] for f in finals for p in ends))
            decide(paths and len(begins) == 1 and marked, "the net is no workflow net")
            finals = finals or [{p: int(p in ends) for p in known}]
            final = join(False, map(exactly, finals))
            strays = [occurs(join(True, [exceeding(f), opposite(final)])) for f in finals]
            proper = [None if stray is None else not stray for stray in strays]
            answers = [occurs(final)] if grade == "easy" else [regained(final), *proper]
            answers += map(occurs, enabled.values()) if grade == "classical" else []
    return False if False in answers else None if None in answers else True


def main(arguments: list[str]) -> int:
    """Check, say what is proved or why nothing is, and return the exit status."""
    word = "usage"
    try:
        require(len(arguments) in (2, 3), "python3 -I -S check.py NET EVIDENCE [ORIGINAL]")
        word = "refused"
        data, raw, *coloured = (Path(path).read_bytes() for path in arguments)
        known, own, finals, bindings, guards = read_net(data)
        initial, net = known, own
        word = "rejected"
        # An object that repeats a key becomes a list of pairs, without shape.
        value = json.loads(raw, object_pairs_hook=lambda p: p if len(dict(p)) < len(p) else dict(p))
        decide(value["version"] != 1, f"version 1 {LEFT}")
        given, several = value.pop("bounds", None), value["question"].pop("initial", None)
        *_, digest, question, answer, _, claims = read(value, HEAD).values()
        same = digest in (None, hashlib.sha256([*coloured, data][0]).hexdigest())
        require(same, f"the evidence is about another file ({UNFOLDED})")
        decide(claims, "nothing is claimed")
        require((given is not None) == bool(guards), "bounds are missing, or are of no guards")
        if guards:
            bounds = [read_formula(bound, known) for bound in read(given, list)]
            initial, net = ordinary(known, net, guards, bounds)
        start = None
        if several is not None:
            require(not guards, "several initial markings are asked of a net with guards")
            formula, initial, added = starting(several, known)
            start = formula, added
        target, verdict = question["target"], "what is claimed"
        if target is not None:
            reached = read(answer, bool) is not (question["kind"] in ("always", "never"))
            verdict = "reachable" if reached else "unreachable"
            last = [len(claims[0].get("trace", [])), "target"]
            goal = {"stops": [last]} if reached else {"excluded": "target", "after": None}
            require([claims[0].get(key) for key in goal] == [*goal.values()], "it proves no answer")
        try:
            facts = [prove(claim, initial, net, target, known, start) for claim in claims]
        except ForeignName as error:
            decide(not coloured and finals is not None, f"{error}; {MERGED}")
            raise
        kind, text = question["kind"], question["text"].strip()
        plain = not coloured and not any(emptied for _, emptied in guards.values())
        concluding = kind in ("live", "reversible", "sound", "terminates") and plain
        if concluding and start is None and answer is not None:
            file = known, own, finals, bindings
            concluded = conclude(kind, text, facts, initial, net, file)
            decide(concluded is not None, f"the claims hold, but what follows from them {LEFT}")
            require(concluded is answer, "its claims prove another answer")
            verdict = ("" if answer else "not ") + kind + (text and f": {ascii(text)[1:-1]}")
        print(f"accepted: {verdict}")
        if several is not None:
            print(f"Initially: {shown(read_formula(several['formula'], known))}")
        for words, formulas, _, named in facts:
            print(f"Proved: {words}", *map(shown, formulas), *map(ascii, named), sep="\n  ")
        print("Trusted: that petricheck convert made NET of ORIGINAL\n" if coloured else "", end="")
        return 0
    except Exception as error:
        word = "undecided" if isinstance(error, NotImplementedError | MemoryError) else word
        said = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        print(f"{word}: {ascii(said or type(error).__name__)[1:-1]}")
        return {"undecided": 1, "usage": 2, "refused": 3, "rejected": 4}[word]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
