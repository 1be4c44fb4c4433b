"""Checks what petricheck proves about a Petri net: python3 -I -S check.py NET EVIDENCE [COLOURED]

It shares no line with petricheck, needs Python's standard library only, and computes with integers.
NET is a PNML file, EVIDENCE the JSON file that `petricheck --evidence` wrote about one target; of a
coloured net COLOURED is its file, whose hash EVIDENCE has, and NET what `petricheck convert` wrote.

A marking m gives every place a number of tokens, m ≥ 0. A transition t takes u and puts v: where
m ≥ u it may fire, and leads to m + δ with δ = v − u. *Reachable* is proved by a trace, firings that
lead from the initial marking into the target; *unreachable* by an invariant, a formula that
(1) holds initially, that (2) no firing leaves, and that (3) excludes the target: by induction no
reachable marking is in the target. (1) is evaluated; `check_cases` and `check_clauses` show (2) and
(3) for two shapes of formulas, led by hints of which nothing is believed. The rest is undecided.
Exit status: 0 accepted, 1 undecided, 2 wrong usage, 3 the net is refused, 4 the evidence rejected.
"""

import hashlib
import json
import re
import sys
import zlib
from collections import defaultdict, namedtuple
from collections.abc import Iterable, Iterator
from itertools import chain, product, repeat
from math import prod
from pathlib import Path
from typing import Any, TypeAlias
from xml.parsers import expat

MANY = 200_000  # more cases are not gone through
Weights: TypeAlias = dict[str, int]  # by place
Net: TypeAlias = dict[str, tuple[Weights, Weights]]  # u and v, by transition
Sum: TypeAlias = tuple[tuple[str, int], ...]  # c of c·m: (place, coefficient), sorted, none 0
Formula: TypeAlias = Any  # one of these two:
Atom = namedtuple("Atom", "sum modulus bound")  # c·m ≤ b for None, = b for 0, ≡ b (mod q) for q,
Joined = namedtuple("Joined", "all parts")  # ≢ b (mod q) for −q; all parts hold, or some part

# Elements of PNML that are known, with their parts and @attributes. Others might mean anything.
PNML, PTNET = (f"http://www.pnml.org/version-2009/grammar/{word}" for word in ("pnml", "ptnet"))
WORDS = """document: pnml; pnml: net; net: @id @type name page place transition arc toolspecific
finalmarkings; page: @id name page place transition arc toolspecific graphics; place: @id name
initialMarking graphics; transition: @id name graphics; arc: @id @source @target name inscription
graphics; name initialMarking inscription: text graphics; graphics: position dimension offset line
fill font; position dimension offset: @x @y; line: @color @shape @style @width; fill: @color @image
@gradient-color @gradient-rotation; font: @align @decoration @family @rotation @size @style @weight;
toolspecific: @tool @version size structure; size: @places @transitions @arcs; structure: @units
@root @safe unit; unit: @id places subunits; finalmarkings _: _ @idref"""
KNOWN = {pair for row in WORDS.split(";") for pair in product(*map(str.split, row.split(":")))}

# Shapes of evidence: a type, a value, [item], (first, second) for a list of two, or an object with
# these keys; for integers, texts in hexadecimal may stand. What has no such shape is rejected.
SEPARATOR = {"cube": int, "direction": Sum, "modulus": int, "multipliers": [int], "scale": int}
CASES, CLAUSES = {"successors": [[int]], "separators": [SEPARATOR]}, {"sums": [[(int, int)]]}
HEAD = {"format": "petricheck evidence", "version": 2, "petricheck": str, "net": str}
HEAD |= {"sha256": object, "question": {"kind": str, "text": str, "target": dict}}
HEAD |= {"answer": bool, "details": object, "claims": [dict]}
TRACE = {"trace": [(str, int)], "stops": [(int, "target")]}
INVARIANT = {"excluded": "target", "invariant": object, "hints": object}
ORIGINS = INVARIANT | {"origins": [{"direction": Sum, "suggested by": [str]}]}
TABLE, EQUATION = ({"excluded": "target", key: object} for key in ("markings", "state equation"))
SHAPES = {frozenset(shape): shape for shape in (TRACE, TABLE, EQUATION, INVARIANT, ORIGINS)}


def require(condition: object, why: str = "so shaped an invariant needs a solver") -> None:
    """Go on only where the condition holds."""
    if not condition:
        raise ValueError(why)


def read_net(data: bytes) -> tuple[Weights, Net]:
    """The initial marking of all places, and the transitions; parallel arcs are summed."""
    if data.startswith(b"\x1f\x8b"):  # gzip
        data = zlib.decompressobj(31).decompress(data, 1 << 29)
    # Nodes are attributes with the element's name as ""; "number" has each <text>, after a "|".
    opened, nodes = ["", "document"], list[dict[str, str]]()
    parser = expat.ParserCreate(namespace_separator=" ")

    def know(condition: bool, what: str) -> None:
        require(condition, f"line {parser.CurrentLineNumber}: {what} might mean anything")

    def start(name: str, attributes: dict[str, str]) -> None:
        space, _, word = name.rpartition(" ")
        word = "_" if "finalmarkings" in opened else word  # no part of the behaviour
        know(space == PNML and (opened[-1], word) in KNOWN, f"<{name!a}>")
        know(all((word, f"@{key}") in KNOWN for key in attributes), f"an attribute of <{word}>")
        know(word != "toolspecific" or attributes.get("tool") == "nupn", "this tool's part")
        if word in ("net", "place", "transition", "arc"):
            nodes.append({"": word, **attributes})
        elif word in ("initialMarking", "inscription"):
            nodes[-1].setdefault("number", "")
        elif word == "text" and opened[-1] != "name":
            nodes[-1]["number"] += "|"
        opened.append(word)

    def text(characters: str) -> None:
        know(opened[-1] in ("_", "text", "places", "subunits") or characters.isspace(), "this text")
        if opened[-1] == "text" and opened[-2] != "name":
            nodes[-1]["number"] += characters

    def number(node: dict[str, str], least: int) -> int:
        text = node.get("number", f"|{least}")
        fits = re.fullmatch(r"\|\s*[0-9]{1,4000}\s*", text) and int(text[1:]) >= least
        require(fits, f"{node['id']!a} has no number from {least} on")
        return int(text[1:])

    parser.StartElementHandler, parser.CharacterDataHandler = start, text
    parser.EndElementHandler = lambda _: opened.pop()
    parser.StartDoctypeDeclHandler = lambda *_: know(False, "a DOCTYPE and what it defines")
    parser.Parse(data, True)
    types = [node.get("type") for node in nodes if node[""] == "net"]
    require(types == [PTNET], f"there must be just one net, of type {PTNET}")
    ids = [node.get("id") for node in nodes if node[""] != "net"]
    require(all(ids) and len(set(ids)) == len(ids), "an id is missing, or taken already")
    initial = {node["id"]: number(node, 0) for node in nodes if node[""] == "place"}
    net: Net = {node["id"]: ({}, {}) for node in nodes if node[""] == "transition"}
    for arc in (node for node in nodes if node[""] == "arc"):
        ends = arc.get("source", ""), arc.get("target", "")
        place, name = ends if ends[0] in initial else reversed(ends)
        require(place in initial and name in net, f"arc {arc['id']!a} joins no such nodes")
        weights = net[name][ends[0] != place]
        weights[place] = weights.get(place, 0) + number(arc, 1)
    return initial, net


def dot(terms: Sum, marking: Weights) -> int:
    """c·m."""
    return sum(c * marking.get(place, 0) for place, c in terms)


def total(*scaled: tuple[Sum, int]) -> Sum:
    """Σ w·c of pairs (c, w)."""
    found: Weights = defaultdict(int)
    for place, c in ((place, c * factor) for terms, factor in scaled for place, c in terms):
        found[place] += c
    return tuple(sorted((place, c) for place, c in found.items() if c))


def side(terms: Sum, sign: int) -> Sum:
    """The positive coefficients, or the negative ones without their sign."""
    return tuple((place, sign * c) for place, c in terms if sign * c > 0)


def vanish(modulus: int | None, *values: int) -> bool:
    """Whether all values are ≥ 0 for None, = 0 for the modulus 0, ≡ 0 (mod q) for q."""
    rests = [value % modulus if modulus else value for value in values]
    return min(rests, default=0) >= 0 if modulus is None else not any(rests)


def holds(formula: Formula, marking: Weights) -> bool:
    """Whether the marking satisfies the formula."""
    if isinstance(formula, Joined):
        return (all if formula.all else any)(holds(part, marking) for part in formula.parts)
    vanishes = vanish(formula.modulus, formula.bound - dot(formula.sum, marking))
    return vanishes == (formula.modulus is None or formula.modulus >= 0)


def cubes(formula: Formula) -> list[tuple[Atom, ...]]:
    """The conjunctions of a disjunctive normal form, left before right; ≢ b is ≡ b + 1, b + 2, …"""
    if isinstance(formula, Joined):
        choices = [cubes(part) for part in dict.fromkeys(formula.parts)]
        require(not formula.all or prod(map(len, choices)) <= MANY, "so many cases need a solver")
        chosen = product(*choices) if formula.all else zip(chain(*choices), strict=True)
        return [tuple(dict.fromkeys(chain(*parts))) for parts in chosen]
    c, q, b = formula
    if not c:
        return [()] * holds(formula, {})
    require((q or 0) > -MANY, "so large a modulus needs a solver")
    return [(Atom(c, -q, b + r),) for r in range(1, -q)] if (q or 0) < 0 else [(formula,)]


def read(value: Any, shape: Any) -> Any:
    """The value in this shape, integers and sums decoded."""
    match value:
        case dict() if shape is Sum:
            return total((tuple(read(value, dict.fromkeys(value, int)).items()), 1))
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
    """The formula, or where it is not wanted its negation."""
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
    c, b, q = atom["sum"], atom[relation[keys]], atom.get("modulus", 0)
    require(all(place in places for place, _ in c), "a formula names what is no place of the net")
    less, more = Atom(c, None, b - 1), Atom(total((c, -1)), None, -b - 1)
    if "at most" in atom:
        return Atom(c, None, b) if wanted else more
    return Atom(c, q if wanted else -q, b) if wanted or q else Joined(False, (less, more))


def shown(formula: Formula) -> str:
    """The formula for people."""
    if isinstance(formula, Joined):
        word, nothing = (" and ", "true") if formula.all else (" or ", "false")
        return f"({word.join(map(shown, formula.parts)) or nothing})"
    c, q, b = formula
    number = str if max(abs(n) for n in (b, q or 0, *dict(c).values())) < 10**4000 else hex
    text = " + ".join(f"{number(n)}*{json.dumps(place)}" for place, n in c) or "0"
    left = f"({text}) mod {number(abs(q))}" if q else text
    return f"{left} {'<=' if q is None else '!=' if q < 0 else '='} {number(b)}"


def check_trace(initial: Weights, net: Net, target: Formula, steps: list[Any]) -> None:
    """Fire n times: m ≥ u before the first and m + (n − 1)·δ ≥ u before the last: so always."""
    marking = dict(initial)
    for name, times in steps:
        require(name in net and times >= 1, f"{name!a} is no transition, or does not fire")
        u, v = net[name]
        for place in u | v:
            tokens, change = marking[place], v.get(place, 0) - u.get(place, 0)
            fewest = tokens + min(0, (times - 1) * change)
            require(fewest >= u.get(place, 0), f"the trace fires {name!a} where it is disabled")
            marking[place] = tokens + times * change
    require(holds(target, marking), "the trace ends outside the target")


class Case:
    """A conjunction of atoms, always with 0·m ≤ 0 and 0·m = 0."""

    def __init__(self, parts: Iterable[Formula]) -> None:
        self.atoms = [Atom((), None, 0), Atom((), 0, 0), *parts]
        self.alike: dict[Sum, list[Atom]] = defaultdict(list)
        for atom in self.atoms:
            require(isinstance(atom, Atom) and (atom.modulus or 0) >= 0)
            self.alike[atom.sum].append(atom)

    def above(self, c: Sum, q: int | None, scale: int, s: Sum) -> Iterator[tuple[Sum, int]]:
        """Atoms c'·m ≤ b' with σ·c' + s ≥ 0, or c'·m ≡ b' (mod q') with ≡ 0 (mod q), q | σ·q'."""
        for c1, q1, b1 in chain(self.alike[c], self.atoms):
            alike = q1 is None if q is None else q1 is not None and vanish(q, scale * q1)
            if alike and vanish(q, *(n for _, n in total((c1, scale), (s, 1)))):
                yield c1, b1

    def leads_to(self, goal: Atom, u: Weights, v: Weights) -> bool:
        """Whether the goal c·m ≤ b holds after t; or all of this with ≡ (mod q) for ≤ and ≥."""
        # If c' ≥ c: c·(m + δ) = c·(m − u) + c·v ≤ c'·(m − u) + c·v ≤ b' − c'·u + c·v, which is ≤ b.
        room, above = goal.bound - dot(goal.sum, v), self.above(*goal[:2], 1, total((goal.sum, -1)))
        return any(vanish(goal.modulus, room + dot(c1, u) - b1) for c1, b1 in above)


def barrier(cube: tuple[Atom, ...], hint: dict[str, Any]) -> tuple[Any, ...] | None:
    """S = s·m + s0 = Σ w·(c·m − b) over the cube is ≤ 0, or −S ≡ 0 (mod q), if w allows it."""
    # That is, w ≥ 0 for c·m ≤ b, and w = 0 for c·m ≡ b; or modulo q, w = 0 for ≤, q | w·q' for ≡.
    q, scale, multipliers = hint["modulus"] or None, hint["scale"], hint["multipliers"]
    fits = len(cube) == len(multipliers) and scale >= 1 and (q or 1) >= 1
    pairs = [(atom, -w if q else w) for atom, w in zip(cube, multipliers, strict=False)]
    bounds = vanish(q and 0, *(w for atom, w in pairs if atom.modulus is None))
    others = vanish(q or 0, *(w * atom.modulus for atom, w in pairs if atom.modulus is not None))
    s, s0 = total(*((atom.sum, w) for atom, w in pairs)), -sum(w * atom.bound for atom, w in pairs)
    return (hint["direction"], q, scale, s, s0) if fits and bounds and others else None


def check_cases(net: Net, target: Formula, invariant: Formula, hints: Any) -> None:
    """(2) and (3) for a disjunction of cases, each a conjunction of atoms.

    (2) t leads to the case that `successors` tell, or if they tell none, to 0·m ≤ −1: never. (3) In
    each cube of the target some S ≤ 0 contradicts a c·m ≤ b of the case: σ·c + s ≥ 0, but then
    0 ≤ σ·c·m + s·m ≤ σ·b − s0 is negative; or all of this with ≡ 0 (mod q).
    """
    rows, parts = hints["successors"], invariant.parts if isinstance(invariant, Joined) else ()
    fits = all(isinstance(part, Joined) and part.all for part in parts) and len(rows) == len(parts)
    require(parts and fits and not invariant.all)
    cases = [Case(part.parts) for part in parts]
    for case, row in zip(cases, rows, strict=True):
        for (name, t), k in zip(net.items(), chain(row, repeat(-1)), strict=False):
            goals = cases[k].atoms if 0 <= k < len(cases) else [Atom((), None, -1)]
            require(all(case.leads_to(g, *t) for g in goals), f"transition {name!a} needs a solver")
    for number, cube in enumerate(cubes(target)):
        found = [barrier(cube, hint) for hint in hints["separators"] if hint["cube"] == number]
        walls = [((), None, 1, (), 0), *filter(None, found)]
        for case in cases:
            bars = ((q, n * b - s0) for c, q, n, s, s0 in walls for _, b in case.above(c, q, n, s))
            require(not all(vanish(*bar) for bar in bars), f"case {number} needs a solver")


def least(row: Weights, demands: Iterable[tuple[Sum, int]]) -> list[Weights]:
    """Rows r ≥ row: m ≥ row meets all demands w·m ≥ k just where m ≥ r for one of them."""
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
                    require(len(pending) <= MANY, "so many cases need a solver")
        rows = list(found.values())
    return rows


def check_clauses(net: Net, target: Formula, invariant: Formula, hints: Any) -> None:
    """(2) and (3) for a conjunction of clauses, c·m ≤ b or … with c ≥ 0, and half-spaces Y·m ≤ K.

    A clause forbids m ≥ b for finitely many rows b. A row r is *excluded*, no m ≥ r satisfies the
    invariant, if r ≥ b for such a b, or if S·r > S0 for a half-space S·m ≤ S0 with S ≥ 0, or a sum
    that `sums` name. (2) Clauses are kept if u + max(0, b − v), the least m ≥ u with m + δ ≥ b, is
    excluded for each b, half-spaces if they lead to themselves, and all if u is excluded. (3) The
    least rows r of a cube are excluded, at least with what Y·m ≤ K asks of all m ≥ r: −Y·m, summed
    where Y < 0, is ≥ Y·r − K, summed where Y > 0.
    """
    parts = invariant.parts if isinstance(invariant, Joined) and invariant.all else (invariant,)
    basis, halves, sums = list[Weights](), list[Atom](), list[Atom]()
    for part in parts:
        atoms = part.parts if isinstance(part, Joined) and not part.all else (part,)
        require(all(isinstance(atom, Atom) and atom.modulus is None for atom in atoms))
        positive = all(atom.sum == side(atom.sum, 1) for atom in atoms)
        if isinstance(part, Atom) and not (positive and (len(part.sum) == 1 or part.bound == 0)):
            halves.append(part)
        else:
            require(positive)
            basis += least({}, [(atom.sum, atom.bound + 1) for atom in atoms])
    for terms in hints["sums"]:
        if all(0 <= n < len(parts) and isinstance(parts[n], Atom) and w > 0 for n, w in terms):
            bound = sum(parts[n].bound * w for n, w in terms)
            sums.append(Atom(total(*((parts[n].sum, w) for n, w in terms)), None, bound))
    ceilings = [atom for atom in (*halves, *sums) if atom.sum == side(atom.sum, 1)]
    case, under = Case(halves), defaultdict(list)
    for b in basis:
        under[min(b)].append(b)

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
        require(kept or excluded(u), f"transition {name!a} needs a solver")
    for number, cube in enumerate(cubes(target)):
        demands = [(side(c, -1), -b) for c, q, b in cube if not q]
        demands += [(side(c, 1), b) for c, q, b in cube if q == 0]
        require(all(map(missed, least({}, demands))), f"case {number} needs a solver")


def main(arguments: list[str]) -> int:
    """Check, say what is proved or why nothing is, and return the exit status."""
    word = "usage"
    try:
        require(len(arguments) in (2, 3), "python3 -I -S check.py NET EVIDENCE [COLOURED]")
        word = "refused"
        data, text, *coloured = (Path(path).read_bytes() for path in arguments)
        initial, net = read_net(data)
        word = "rejected"
        value = json.loads(  # an object that repeats a key becomes a list of pairs, without shape
            text.decode(), object_pairs_hook=lambda p: dict(p) if len(dict(p)) == len(p) else p
        )
        known = value["version"] != 1 and value["question"]["target"] is not None
        word = "rejected" if known else "undecided"
        require(known, "version 1, and what is not about one target, is left to petricheck verify")
        evidence = read(value, HEAD)
        same = evidence["sha256"] in (None, hashlib.sha256([*coloured, data][0]).hexdigest())
        require(same, "it is about another file: the SHA-256 differs")
        (claim,) = (read(one, SHAPES.get(frozenset(one), HEAD)) for one in evidence["claims"])
        target = read_formula(evidence["question"]["target"], initial)
        if evidence["answer"]:
            require(claim["stops"] == [[len(claim["trace"]), "target"]], "the trace ends elsewhere")
            check_trace(initial, net, target, claim["trace"])
        else:
            invariant = read_formula(claim.get("invariant", {"and": []}), initial)
            hints = (raw := claim.get("hints")) and read(raw, CLAUSES if "sums" in raw else CASES)
            require(holds(invariant, initial), "the invariant does not hold initially")
            require("excluded" in claim, "there is no certificate")
            word = "undecided"
            require(hints, "what has no hints is left to petricheck verify")
            (check_clauses if "sums" in hints else check_cases)(net, target, invariant, hints)
        verdict = "reachable" if evidence["answer"] else "unreachable"
        print(f"accepted: {verdict}\nThe target that is proved {verdict}:\n  {shown(target)}")
        return 0
    except Exception as error:
        print(f"{word}: {ascii(str(error))[1:-1]}")
        return {"undecided": 1, "usage": 2, "refused": 3, "rejected": 4}[word]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
