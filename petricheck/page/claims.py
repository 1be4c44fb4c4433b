"""Claims on a page, each explained in HTML; many are folded, and too many only counted."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from petricheck.answer import Certificate, StateEquationCertificate
from petricheck.claims import Claim, Excluded, Pumped, Reached
from petricheck.explanation.claims import explain
from petricheck.explanation.html import claim_html, nodes_html, words_html
from petricheck.explanation.refutation import refuted
from petricheck.explanation.traces import ENDS
from petricheck.explanation.tree import Explained, Firings, Line, Node, Stated
from petricheck.presburger.formulas import variables
from petricheck.problem import Net
from petricheck.words import counted, printable

CLAIMS, CHARACTERS = 200, 10 << 20
"""Claims of one page, and characters of them; more are counted only."""

OPEN = 3
"""Of more claims each is folded."""


def claims_html(
    net: Net, claims: Sequence[Claim], *, target: bool = False, ends: int = ENDS
) -> Markup:
    """The claims that the audit has accepted, as far as there is room.

    Args:
        net: the net.
        claims: about it.
        target: whether they are about the target of the question.
        ends: steps that are told from either end of a longer trace.

    Raises:
        QueryError: nothing tells certificates of some type.
    """
    shown: list[str] = []
    room = CHARACTERS
    for claim in claims[:CLAIMS]:
        why = _stranger(net, claim) or refuted(net, claim)
        if why is None:
            explained = explain(net, claim, target=target, ends=ends)
            inside = _folded(explained) if len(claims) > OPEN else claim_html(explained)
        else:
            inside = missing(why)
        room -= len(inside)
        if room < 0:
            break
        shown.append(inside)
    left = len(claims) - len(shown)
    more = f'<p class="note">{counted(left, "more claim")} not shown here.</p>' if left else ""
    return Markup("".join(shown) + more)


def _folded(explained: Explained) -> str:
    inside = nodes_html((*explained.evidence, *explained.reasons))
    head = f"<summary>{words_html(explained.says)}</summary>"
    return f'<details>{head}<div class="claim">{inside}</div></details>'


def missing(why: str) -> Markup:
    """Said instead of evidence that is not shown."""
    return Markup("<p>The evidence is not shown: {}.</p>").format(printable(why))


def without_net(claim: Claim, complaint: str) -> Markup:
    """What can be said where the net is not known."""
    told: Node
    match claim:
        case Excluded(_, Certificate() as certificate):
            told, why = Stated(certificate, {}), f"Not explained, since {complaint}."
        case Reached(trace) if trace.steps:
            told, why = Firings(trace.steps), f"Without markings, since {complaint}."
        case _:
            return missing(f"the net is not known: {complaint}")
    return Markup(nodes_html((told, Line((printable(why),), quiet=True))))


def _stranger(net: Net, claim: Claim) -> str | None:
    """That it names something which the net does not have."""
    fired: list[str] = []
    places: list[str] = []
    match claim:
        case Reached(trace, stops):
            fired = [name for name, _ in trace.steps]
            places = [place for _, formula in stops for place in variables(formula)]
        case Excluded(formula, Certificate(invariant)):
            places = [*variables(formula), *variables(invariant)]
        case Excluded(formula, StateEquationCertificate(traps, siphon)):
            sets = (*siphon, *(place for trap in traps for place in trap))
            places = [*variables(formula), *sets]
        case Excluded(formula):  # of such certificates only their notation knows what they name
            places = list(variables(formula))
        case Pumped():  # in files that the audit has accepted only
            pass
    strangers = [name for name in fired if name not in net.transition_numbers]
    strangers += [name for name in places if name not in net.place_numbers]
    return f"it names {strangers[0]!r}, which the net does not have" if strangers else None
