"""PNML of symmetric nets, for tests."""

from __future__ import annotations

from petricheck.formats.nets.pnml import Pnml
from petricheck.model.coloured.net import ColouredNet

TYPE = "http://www.pnml.org/version-2009/grammar/symmetricnet"
SORTS = """<namedsort id="c" name="C"><cyclicenumeration><feconstant id="c0" name="a"/>
  <feconstant id="c1" name="b"/><feconstant id="c2" name="c"/></cyclicenumeration></namedsort>
<namedsort id="f" name="F"><finiteenumeration><feconstant id="f0" name="u"/>
  <feconstant id="f1" name="v"/></finiteenumeration></namedsort>
<namedsort id="r" name="R"><finiteintrange start="-1" end="2"/></namedsort>
<namedsort id="cr" name="CR"><productsort><usersort declaration="c"/><usersort declaration="r"/>
  </productsort></namedsort>
<partition id="half" name="Half"><usersort declaration="c"/>
  <partitionelement id="low" name="low"><useroperator declaration="c0"/></partitionelement>
  <partitionelement id="high" name="high"><useroperator declaration="c1"/>
    <useroperator declaration="c2"/></partitionelement></partition>"""


def variable(name: str, of: str) -> str:
    """Declares it, with an id of its own."""
    return f'<variabledecl id="v{name}" name="{name}">{sort(of)}</variabledecl>'


def tag(name: str, *parts: str, **attributes: str | int) -> str:
    """An element whose parts stand in subterms."""
    words = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{words}>{''.join(f'<subterm>{part}</subterm>' for part in parts)}</{name}>"


def sort(name: str) -> str:
    return f'<usersort declaration="{name}"/>'


def var(name: str) -> str:
    return f'<variable refvariable="v{name}"/>'


def const(name: str) -> str:
    return f'<useroperator declaration="{name}"/>'


def integer(value: int, first: int = -1, last: int = 2) -> str:
    inside = f'<finiteintrange start="{first}" end="{last}"/>'
    return f'<finiteintrangeconstant value="{value}">{inside}</finiteintrangeconstant>'


def tuple_of(*parts: str) -> str:
    return tag("tuple", *parts)


def number(value: object) -> str:
    return f'<numberconstant value="{value}"><natural/></numberconstant>'


def times(count: object, term: str) -> str:
    return tag("numberof", number(count), term)


def every(name: str) -> str:
    return f"<all>{sort(name)}</all>"


def label(name: str, inside: str) -> str:
    return f"<{name}><text>said</text><structure>{inside}</structure></{name}>"


def place(id_: str, of: str, initial: str = "") -> str:
    marking = label("hlinitialMarking", initial) if initial else ""
    return f'<place id="{id_}">{label("type", sort(of))}{marking}</place>'


def arc(source: str, target: str, inside: str = "", id_: str = "") -> str:
    written = label("hlinscription", inside) if inside else ""
    return f'<arc id="{id_ or source + target}" source="{source}" target="{target}">{written}</arc>'


VARIABLES = "".join(
    variable(name, of)
    for name, of in (("x", "c"), ("y", "c"), ("i", "r"), ("j", "r"), ("g", "f"), ("d", "dot"))
)


def document(inside: str, declared: str = SORTS + VARIABLES, kind: str = TYPE) -> str:
    declarations = label("declaration", f"<declarations>{declared}</declarations>")
    return f'<pnml><net id="n" type="{kind}">{declarations}\n{inside}</net></pnml>'


def named(id_: str, inside: str) -> str:
    return f'<namedsort id="{id_}" name="{id_}">{inside}</namedsort>'


def span(first: object, last: object) -> str:
    return f'<finiteintrange start="{first}" end="{last}"/>'


EQUAL = tag("equality", var("x"), var("y"))


def parsed(text: str, net_id: str | None = None) -> tuple[ColouredNet, tuple[str, ...]]:
    net, warnings = Pnml().read((text.encode(),), "file.pnml", net_id)
    assert isinstance(net, ColouredNet)
    return net, warnings


def read(inside: str, declared: str = SORTS + VARIABLES) -> ColouredNet:
    return parsed(document(inside, declared))[0]


SQUARE = named("cc", f"<productsort>{sort('c') * 2}</productsort>")


def marked(of: str, initial: str) -> dict[str, int]:
    """The initial marking of a place, by texts of colours."""
    net = read(place("p", of, initial), SORTS + SQUARE + VARIABLES)
    return {net.places[0].sort.text(c): n for c, n in net.initial[0].items()}
