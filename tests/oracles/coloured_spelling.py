"""How a coloured net is written: as PNML, in questions, and in the names that the library prints.

All words of a net may be spelled otherwise (`Spelling`), while the net stays the same value. The
names of a claim are read back into cells and firings by `Names`, the only place that knows how
colours, classes of colours and bindings look in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from xml.sax.saxutils import quoteattr

from coloured_oracle import (
    All,
    Arcs,
    Bag,
    Colour,
    Const,
    Guard,
    Net,
    Next,
    Part,
    Sort,
    Term,
    Tup,
    Var,
)

PLAIN = re.compile(r"[^\W\d][\w.]*")
KEYWORDS = frozenset({"and", "or", "not", "mod", "true", "false", "fireable"})
PLAIN_COLOUR = re.compile(r"-?[0-9]+|(?!_\Z)\w+")


@dataclass(frozen=True)
class Spelling:
    """Other words: by name of a place, transition, variable or sort; by sort and colour."""

    places: Mapping[str, str] = field(default_factory=dict)
    transitions: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    sorts: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[tuple[str, Colour], str] = field(default_factory=dict)

    def place(self, name: str) -> str:
        return self.places.get(name, name)

    def transition(self, name: str) -> str:
        return self.transitions.get(name, name)

    def variable(self, name: str) -> str:
        return self.variables.get(name, name)

    def colour(self, sort: Sort, colour: Colour) -> str:
        """The word for a colour that is no tuple."""
        assert isinstance(colour, str)
        return self.colours.get((sort.name, colour), colour)


SAME = Spelling()

# ---------------------------------------------------------------- in questions

Pattern = None | Colour | tuple
"""All colours, or one; of a product a pattern for each component."""


def quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def in_question(name: str) -> str:
    """A name as questions take it: in quotes unless it is a plain one."""
    return name if PLAIN.fullmatch(name) and name.lower() not in KEYWORDS else quoted(name)


def place_text(net: Net, spelling: Spelling, place: str, pattern: Pattern) -> str:
    """The tokens of these colours in a question: `p`, `p(a)`, `p(a, _)`."""
    sort = next(p.sort for p in net.places if p.name == place)
    name = in_question(spelling.place(place))
    if pattern is None or sort.kind == "dot":
        return name
    text = colour_text(spelling, sort, pattern)
    return name + (text if sort.kind == "product" else f"({text})")


def firing_text(net: Net, spelling: Spelling, transition: str, binding: Mapping) -> str:
    """A transition under some colours of some of its variables in a question."""
    sorts = next(t.variables for t in net.transitions if t.name == transition)
    pairs = (
        f"{_word(spelling.variable(name))}={colour_text(spelling, sorts[name], colour)}"
        for name, colour in binding.items()
    )
    name = in_question(spelling.transition(transition))
    return name + (f"({', '.join(pairs)})" if binding else "")


def colour_text(spelling: Spelling, sort: Sort, pattern: Pattern) -> str:
    if pattern is None:
        return "_"
    if sort.kind == "product":
        pairs = zip(sort.factors, pattern, strict=True)
        return f"({', '.join(colour_text(spelling, *pair) for pair in pairs)})"
    return _word(spelling.colour(sort, pattern))


def _word(word: str) -> str:
    return word if PLAIN_COLOUR.fullmatch(word) else quoted(word)


# ---------------------------------------------------------------- in what the library prints

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\.\.|[(){},=]|(?:(?!\.\.)[^\s"(){},=])+)\s*', re.DOTALL)
_ENABLED = re.compile(r"fireable\((.*)\)", re.DOTALL)


class NameError_(AssertionError):
    """A name that means nothing in the net."""


@dataclass
class Names:
    """What names mean in a net: numbers of cells, or of firings."""

    net: Net
    spelling: Spelling = SAME
    _known: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict)

    def cells(self, name: str) -> frozenset[int]:
        """The cells whose tokens are counted together."""
        return self._read("places", name, self._cells)

    def firings(self, name: str) -> frozenset[int]:
        """The firings that a step of a trace may be."""
        return self._read("transitions", name, self._firings)

    def enabling(self, name: str) -> frozenset[int] | None:
        """The firings one of which is enabled, as the name says; None where it counts tokens."""
        enabled = _ENABLED.fullmatch(name)
        return self.firings(enabled[1]) if enabled else None

    def listed_cells(self, name: str) -> frozenset[int]:
        """The cells of an entry of a list: of a place by its id, without quotes."""
        return self.cells(_as_text(name, map(self.spelling.place, self._ids("places"))))

    def listed_firings(self, name: str) -> frozenset[int]:
        """The firings of an entry of a list: of a transition by its id, or with a binding."""
        return self.firings(_as_text(name, map(self.spelling.transition, self._ids("transitions"))))

    def _ids(self, what: str) -> list[str]:
        return [node.name for node in getattr(self.net, what)]

    def _read(self, what: str, name: str, meaning) -> frozenset[int]:
        if (what, name) not in self._known:
            spell = self.spelling.place if what == "places" else self.spelling.transition
            read = []
            for node in getattr(self.net, what):
                word = spell(node.name)
                if name == _as_text(word, [word]):
                    read.append(meaning(node, ""))
                elif name.startswith(in_question(word) + "("):
                    read.append(meaning(node, name[len(in_question(word)) :]))
            if len(read) != 1:
                raise NameError_(f"{name!r} has {len(read)} meanings among the {what}")
            self._known[what, name] = read[0]
        return self._known[what, name]

    def _cells(self, place, text: str) -> frozenset[int]:
        if not text:
            colours = place.sort.colours
        else:
            reader = _Reader(self, text)
            if place.sort.kind != "product":
                reader.take("(")
            colours = reader.colours(place.sort)
            if place.sort.kind != "product":
                reader.take(")")
            reader.finish()
        return frozenset(self.net.cells[place.name, colour] for colour in colours)

    def _firings(self, transition, text: str) -> frozenset[int]:
        allowed: dict[str, frozenset[Colour]] = {}
        if text:
            reader = _Reader(self, text)
            reader.take("(")
            while True:
                name = reader.variable(transition.variables)
                if name in allowed:
                    raise NameError_(f"{name} is given twice")
                allowed[name] = reader.colours(transition.variables[name])
                if not reader.took(","):
                    break
            reader.take(")")
            reader.finish()
        return frozenset(
            number
            for number, firing in enumerate(self.net.firings)
            if firing.transition == transition.name
            and all(firing.binding[name] in colours for name, colours in allowed.items())
        )


def _as_text(name: str, ids) -> str:
    """An id as text: in quotes where it looks like a name with something behind it."""
    is_odd = name in ids and ("(" in name or name.startswith('"'))
    return quoted(name) if is_odd else name


class _Reader:
    """The text behind a name, from its left to its right."""

    def __init__(self, names: Names, text: str) -> None:
        self._names, self._text, self._at = names, text, 0

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self._at)
        return match[1] if match else ""

    def _next(self) -> str:
        if not (match := _TOKEN.match(self._text, self._at)):
            raise NameError_(f"{self._text!r} at {self._at}")
        self._at = match.end()
        return match[1]

    def took(self, sign: str) -> bool:
        if self._peek() == sign:
            self._next()
            return True
        return False

    def take(self, sign: str) -> None:
        if not self.took(sign):
            raise NameError_(f"no {sign} in {self._text!r} at {self._at}")

    def finish(self) -> None:
        if self._at < len(self._text):
            raise NameError_(f"{self._text!r} goes on at {self._at}")

    def variable(self, sorts: Mapping[str, Sort]) -> str:
        """A variable with the sign behind it: as it is spelled, or in quotes."""
        spell = self._names.spelling.variable
        for name in sorted(sorts, key=lambda name: -len(spell(name))):
            for text in (quoted(spell(name)), spell(name)):
                if self._text.startswith(f"{text}=", self._at):
                    self._at += len(text) + 1
                    return name
        raise NameError_(f"no variable in {self._text!r} at {self._at}")

    def colours(self, sort: Sort) -> frozenset[Colour]:
        """One colour, `_` for all, `{a, c..e}` for some; of tuples what each component may be."""
        if sort.kind == "product":
            return self._tuples(sort)
        if self.took("{"):
            members = self._run(sort)
            while self.took(","):
                members |= self._run(sort)
            self.take("}")
        elif self._peek() == "_":
            self._next()
            members = frozenset(sort.colours)
        else:
            members = frozenset({self._colour(sort)})
        return members

    def _tuples(self, sort: Sort) -> frozenset[Colour]:
        if self.took("_"):
            return frozenset(sort.colours)
        self.take("(")
        parts = []
        for number, factor in enumerate(sort.factors):
            if number:
                self.take(",")
            parts.append(self.colours(factor))
        self.take(")")
        return frozenset(product(*parts))

    def _run(self, sort: Sort) -> frozenset[Colour]:
        """Colours from one to another."""
        first = last = sort.colours.index(self._colour(sort))
        if self.took(".."):
            last = sort.colours.index(self._colour(sort))
            if last <= first:
                raise NameError_(f"{self._text!r} has a run of no colours")
        return frozenset(sort.colours[first : last + 1])

    def _colour(self, sort: Sort) -> Colour:
        word = self._next()
        if word.startswith('"'):
            word = re.sub(r"\\(.)", r"\1", word[1:-1], flags=re.DOTALL)
        elif word == "_":
            raise NameError_(f"{self._text!r} has a wildcard where a colour is")
        for colour in sort.colours:
            if self._names.spelling.colour(sort, colour) == word:
                return colour
        raise NameError_(f"{word!r} is no colour of {sort.name}")


# ---------------------------------------------------------------- as PNML

TYPE = "http://www.pnml.org/version-2009/grammar/symmetricnet"
TAGS = {"=": "equality", "!=": "inequality", "<": "lessthan", "<=": "lessthanorequal"}
TAGS |= {">": "greaterthan", ">=": "greaterthanorequal"}


def document(net: Net, spelling: Spelling = SAME) -> str:
    """The net as PNML. Places and transitions have their names as ids."""
    return _Writer(net, spelling).document()


class _Writer:
    def __init__(self, net: Net, spelling: Spelling) -> None:
        self._net, self._spelling = net, spelling
        variables = (v for t in net.transitions for v in t.variables.items())
        self._variables = dict(variables)
        self._sorts: dict[str, Sort] = {}
        for sort in (*(p.sort for p in net.places), *self._variables.values()):
            self._add(sort)
        for part in (*net.places, *net.transitions):
            self._add_of_terms(part)

    def _add(self, sort: Sort) -> None:
        for factor in sort.factors:
            self._add(factor)
        if sort.kind != "dot":
            self._sorts[sort.name] = sort

    def _add_of_terms(self, part: object) -> None:
        """Sorts that only terms name."""
        if isinstance(part, tuple):
            for inner in part:
                self._add_of_terms(inner)
        elif hasattr(part, "__dataclass_fields__"):
            if isinstance(part, Sort):
                self._add(part)
            else:
                self._add_of_terms(tuple(vars(part).values()))

    def document(self) -> str:
        spell = self._spelling
        declared = "".join(map(self._sort, self._sorts.values()))
        declared += "".join(
            f"<variabledecl id={_attribute(f'v.{name}')} name={_attribute(spell.variable(name))}>"
            f"{_use(sort)}</variabledecl>"
            for name, sort in self._variables.items()
        )
        nodes = [_label("declaration", f"<declarations>{declared}</declarations>")]
        for place in self._net.places:
            id_, inside = _attribute(spell.place(place.name)), _label("type", _use(place.sort))
            if place.initial:
                inside += _label("hlinitialMarking", self._bag(place.initial))
            nodes.append(f"<place id={id_}>{inside}</place>")
        for number, transition in enumerate(self._net.transitions):
            own = _attribute(spell.transition(transition.name))
            guard = transition.guard
            condition = "" if guard == ("and",) else _label("condition", self._guard(guard))
            nodes.append(f"<transition id={own}>{condition}</transition>")
            nodes += self._arcs(transition.pre, number, own, is_input=True)
            nodes += self._arcs(transition.post, number, own, is_input=False)
        body = "\n".join(nodes)
        return f'<pnml><net id="n" type="{TYPE}"><page id="page">\n{body}\n</page></net></pnml>'

    def _arcs(self, arcs: Arcs, number: int, own: str, *, is_input: bool) -> list[str]:
        texts = []
        for place, bag in arcs:
            other = _attribute(self._spelling.place(place))
            source, target = (other, own) if is_input else (own, other)
            id_ = _attribute(f"arc.{number}.{place}.{is_input}")
            inside = _label("hlinscription", self._bag(bag))
            texts.append(f"<arc id={id_} source={source} target={target}>{inside}</arc>")
        return texts

    def _sort(self, sort: Sort) -> str:
        head = f"id={_attribute(sort.name)} name={_attribute(self._sort_name(sort))}"
        match sort.kind:
            case "finite" | "cyclic":
                constants = "".join(
                    f"<feconstant id={_attribute(f'{sort.name}.{colour}')} "
                    f"name={_attribute(self._spelling.colour(sort, colour))}/>"
                    for colour in sort.colours
                )
                inside = f"<{sort.kind}enumeration>{constants}</{sort.kind}enumeration>"
            case "range":
                inside = _range(sort)
            case "product":
                inside = f"<productsort>{''.join(map(_use, sort.factors))}</productsort>"
            case "partition":
                return f"<partition {head}>{self._elements(sort)}</partition>"
        return f"<namedsort {head}>{inside}</namedsort>"

    def _sort_name(self, sort: Sort) -> str:
        return self._spelling.sorts.get(sort.name, sort.name)

    def _elements(self, sort: Sort) -> str:
        (whole,) = sort.factors
        texts = [_use(whole)]
        for element in sort.colours:
            members = "".join(
                self._term(Const(whole, colour))
                for colour, part in zip(whole.colours, sort.parts, strict=True)
                if part == element
            )
            id_ = _attribute(f"{sort.name}.{element}")
            name = _attribute(self._spelling.colour(sort, element))
            texts.append(f"<partitionelement id={id_} name={name}>{members}</partitionelement>")
        return "".join(texts)

    def _bag(self, bag: Bag) -> str:
        texts = [(count < 0, _times(abs(count), self._term(term))) for count, term in bag]
        added = [text for negative, text in texts if not negative]
        taken = [text for negative, text in texts if negative]
        whole = added[0] if len(added) == 1 else _tag("add", *added)
        return _tag("subtract", whole, *taken) if taken else whole

    def _term(self, term: Term) -> str:
        match term:
            case Var(name):
                return f"<variable refvariable={_attribute(f'v.{name}')}/>"
            case All(sort):
                return f"<all>{_use(sort)}</all>"
            case Next(inner, steps):
                return _tag("successor" if steps > 0 else "predecessor", self._term(inner))
            case Part(sort, inner):
                reference = f"refpartition={_attribute(sort.name)}"
                return _tag("partitionelementof", self._term(inner), attributes=reference)
            case Tup(_, terms):
                return _tag("tuple", *map(self._term, terms))
            case Const(Sort(kind="dot"), _):
                return "<dotconstant/>"
            case Const(Sort(kind="range") as sort, colour):
                value = _attribute(str(colour))
                inside = _range(sort)
                return f"<finiteintrangeconstant value={value}>{inside}</finiteintrangeconstant>"
            case Const(Sort(kind="product") as sort, colour):
                pairs = zip(sort.factors, colour, strict=True)
                return _tag("tuple", *(self._term(Const(*pair)) for pair in pairs))
            case Const(sort, colour):
                return f"<useroperator declaration={_attribute(f'{sort.name}.{colour}')}/>"
        raise AssertionError(term)

    def _guard(self, guard: Guard) -> str:
        word, *parts = guard
        if word in ("and", "or"):
            if not parts:
                return f'<booleanconstant value="{"true" if word == "and" else "false"}"/>'
            return (
                self._guard(parts[0]) if len(parts) == 1 else _tag(word, *map(self._guard, parts))
            )
        if word == "not":
            return _tag(word, self._guard(parts[0]))
        return _tag(TAGS[word], *map(self._term, parts))


def _attribute(word: str) -> str:
    return quoteattr(word)


def _label(name: str, inside: str) -> str:
    return f"<{name}><structure>{inside}</structure></{name}>"


def _tag(name: str, *parts: str, attributes: str = "") -> str:
    inside = "".join(f"<subterm>{part}</subterm>" for part in parts)
    return f"<{name} {attributes}>{inside}</{name}>" if attributes else f"<{name}>{inside}</{name}>"


def _times(count: int, term: str) -> str:
    number = f'<numberconstant value="{count}"><positive/></numberconstant>'
    return _tag("numberof", number, term)


def _range(sort: Sort) -> str:
    return f'<finiteintrange start="{sort.colours[0]}" end="{sort.colours[-1]}"/>'


def _use(sort: Sort) -> str:
    return "<dot/>" if sort.kind == "dot" else f"<usersort declaration={_attribute(sort.name)}/>"
