"""Files that list the terms that interpolants may contain, in the syntax of a script.

`(term T)`: of the value of a term; `(bound T)`: of lower bounds of it; `(predicate F)`: of a
formula, not its opposite; `(schema ((x S) …) T)`: of the values of a term for any x, …;
`(keep s …)`: of these symbols as they like. A template may end with its cost, `(term T :cost 3)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petricheck.arithmetic.solvers.s_expressions import (
    Leaf,
    List,
    Node,
    ScriptRefused,
    integer,
    refusal,
    shown,
    source_text,
)
from petricheck.arithmetic.solvers.smtlib import bare
from petricheck.arithmetic.solvers.symbols import declared_name
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    TermTemplate,
)
from petricheck.laboratory.prover.language import read_formula, read_term
from petricheck.laboratory.prover.named_templates import SchematicTerm, Template
from petricheck.laboratory.prover.scripts import placed, read_commands
from petricheck.laboratory.prover.signature import Signature
from petricheck.laboratory.prover.terms import Symbol
from petricheck.support.errors import InputError

COST = 1
"""The cost of a template without one."""
DIGITS = 18
"""Digits that a cost may have."""


@dataclass(frozen=True, slots=True)
class ListedTemplate:
    """A template, its cost, and what the file says."""

    template: Template
    cost: int
    text: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """The terms that interpolants may contain.

    Attributes:
        listed: these.
        kept: symbols that they may use as they like.
    """

    listed: tuple[ListedTemplate, ...]
    kept: tuple[Symbol, ...]

    @property
    def templates(self) -> tuple[Template, ...]:
        """The templates, in the order of the file."""
        return tuple(one.template for one in self.listed)


def read_allowed(text: str, path: str, signature: Signature) -> Allowed:
    """Return the content of the file.

    Raises:
        InputError: something in it is not understood, or there is no template.
    """
    templates: list[ListedTemplate] = []
    common: list[Symbol] = []
    try:
        for command in read_commands(text, path):
            match command.items:
                case [Leaf("keep"), *names]:
                    common += [_symbol(name, signature) for name in names]
                case _:
                    templates.append(_listed(command, signature))
    except ScriptRefused as error:
        raise placed(error, text, path) from None
    if not templates:
        raise InputError("has no template, such as (term (+ x y))", path=path)
    return Allowed(tuple(templates), tuple(common))


def _listed(command: List, signature: Signature) -> ListedTemplate:
    bare_command, cost = command, COST
    match command.items:
        case [*items, Leaf(":cost"), Leaf() as number]:
            if len(number.text) > DIGITS:
                raise refusal(f"a cost of more than {DIGITS} digits", number)
            bare_command, cost = List(items, command.position), integer(number)
    return ListedTemplate(_template(bare_command, signature), cost, source_text(bare_command))


def _template(command: List, signature: Signature) -> Template:
    match command.items:
        case [Leaf("term"), body]:
            return TermTemplate(read_term(body, signature).ratio.term)
        case [Leaf("bound"), body]:
            return InequalityTemplate(read_term(body, signature).ratio.term)
        case [Leaf("predicate"), body]:
            return PredicateTemplate(read_formula(body, signature))
        case [Leaf("schema"), List(declared), body] if declared:
            parameters = dict(_parameter(node) for node in declared)
            inner = {name: (sort,) for name, sort in parameters.items()}
            scope = replace(signature, sorts={**signature.sorts, **inner})
            term = read_term(body, scope).ratio.term
            return SchematicTerm(term, tuple(parameters), tuple(parameters.values()))
        case _:
            what = "what is no (term T), (bound T), (predicate F), (schema ((x S)) T) or (keep x)"
            raise refusal(what, command)


def _parameter(node: Node) -> tuple[str, str]:
    match node:
        case List([Leaf() as symbol, Leaf(sort)]):
            return declared_name(symbol), bare(sort)
        case _:
            raise refusal("a parameter without a sort", node)


def _symbol(node: Node, signature: Signature) -> Symbol:
    name = bare(node.text) if isinstance(node, Leaf) else ""
    if name not in signature.sorts:
        raise refusal(f"{shown(node)}, which the script does not declare,", node)
    arity = len(signature.sorts[name]) - 1
    return (name, arity) if arity else name
