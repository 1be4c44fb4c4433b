"""Mutants: the edits of a module's source that `mutate` tries, one at a time.

A comparison, an operator or a truth value becomes another; a number becomes its neighbours; a
condition always or never holds, or loses one of its parts; a statement, a case, a filter, an
argument or an item unpacked is dropped; a loop leaves out its first item, its last, or all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.GtE),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
OPPOSITES = {"any": "all", "all": "any", "min": "max", "max": "min"}
ASIDE = ("isinstance", "watched")  # of the latter tests of their own count how often it looks
DROPPED = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
UNTOUCHED = (ast.JoinedStr, ast.Assert, ast.arguments, ast.Import, ast.ImportFrom, ast.expr_context)
ANNOTATIONS = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True, slots=True)
class Mutant:
    """An edit, with the tree that has it until the next mutant is drawn.

    Attributes:
        tree: the whole module.
        statement: the outermost function that is edited, or the definition of a constant.
        name: its qualified name.
        lines: of the edit, and the first of the statement that it is in.
        change: the text before and after.
    """

    tree: ast.Module
    statement: ast.stmt
    name: str
    lines: tuple[int, ...]
    change: str

    @property
    def is_constant(self) -> bool:
        """Whether no function is edited."""
        return isinstance(self.statement, ast.Assign)


def mutants(source: str) -> Iterator[Mutant]:
    """All mutants, in the order of their lines."""
    tree = ast.parse(source)
    for statement, name in _editable(tree.body, ""):
        for site in _inside(statement, statement):
            for other in _edits(site.node):
                change = f"{_shown(site.node)}  ->  {_shown(other)}"
                site.put(other)
                tree = ast.fix_missing_locations(tree)
                yield Mutant(tree, statement, name, site.lines, change)
                site.put(site.node)


@dataclass(frozen=True, slots=True)
class _Site:
    """A node, what holds it in which field, at which place there, and the statement around it."""

    node: ast.AST
    parent: ast.AST
    field: str
    position: int | None
    statement: ast.stmt

    def put(self, node: ast.AST) -> None:
        if self.position is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.position] = node

    @property
    def lines(self) -> tuple[int, ...]:
        first = getattr(self.node, "lineno", getattr(self.parent, "lineno", self.statement.lineno))
        last = first if isinstance(self.node, ast.stmt) else getattr(self.node, "end_lineno", first)
        return (*range(first, last + 1), self.statement.lineno)


def _shown(node: ast.AST) -> str:
    """The first line of its text."""
    return ast.unparse(node).strip().partition("\n")[0]


def _editable(body: list[ast.stmt], prefix: str) -> Iterator[tuple[ast.stmt, str]]:
    """Functions and methods, and constants of the module."""
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name):
                yield statement, prefix + name
            case ast.ClassDef(name=name, body=inside):
                yield from _editable(inside, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]) if not prefix:
                yield statement, name


def _inside(node: ast.AST, statement: ast.stmt) -> Iterator[_Site]:
    """Every node below this one."""
    for field, value in ast.iter_fields(node):
        children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for position, child in children if field not in ANNOTATIONS else ():
            if isinstance(child, ast.AST) and not _is_aside(child):
                inner = child if isinstance(child, ast.stmt) else statement
                yield _Site(child, node, field, position, inner)
                if not isinstance(child, ast.Raise):
                    yield from _inside(child, inner)


def _is_aside(node: ast.AST) -> bool:
    return isinstance(node, UNTOUCHED) or (isinstance(node, ast.keyword) and node.arg == "strict")


def _with(node: Any, **fields: Any) -> Any:
    """A copy with other fields."""
    other = copy(node)
    for field, value in fields.items():
        setattr(other, field, value)
    return other


def _less(items: list[Any], number: int) -> list[Any]:
    return items[:number] + items[number + 1 :]


def _edits(node: ast.AST) -> Iterator[ast.AST]:
    """What the node is exchanged for."""
    match node:
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Compare(ops=operators):
            for number, operator in enumerate(operators):
                for kind in COMPARISONS[type(operator)]:
                    yield _with(node, ops=[*operators[:number], kind(), *operators[number + 1 :]])
        case ast.BoolOp(op, values):
            yield _with(node, op=ast.And() if isinstance(op, ast.Or) else ast.Or())
            for number in range(len(values)):
                rest = _less(values, number)
                yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in OPERATORS:
            yield _with(node, op=OPERATORS[type(operator)]())
        case ast.Call():
            yield from _calls(node)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            starred = [number for number, item in enumerate(items) if isinstance(item, ast.Starred)]
            yield from (_with(node, elts=_less(items, number)) for number in starred)
        case ast.Slice():
            yield from (
                _with(node, **{end: None}) for end in ("lower", "upper") if getattr(node, end)
            )
        case ast.comprehension(ifs=filters):
            yield from (_with(node, ifs=_less(filters, number)) for number in range(len(filters)))
            yield from (_with(node, iter=part) for part in _parts(node.iter))
        case ast.IfExp(_, body, other):
            yield from (body, other)
        case ast.If() | ast.While():
            always = [ast.Constant(True)] if isinstance(node, ast.If) else []
            yield from (_with(node, test=test) for test in (*always, ast.Constant(False)))
        case ast.Match(cases=cases) if len(cases) > 1:
            yield from (_with(node, cases=_less(cases, number)) for number in range(len(cases)))
        case ast.match_case(guard=ast.expr()):
            yield _with(node, guard=None)
        case ast.For():
            yield from (_with(node, iter=part) for part in _parts(node.iter))
    match node:
        case ast.Expr(ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.For():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()
        case _ if isinstance(node, DROPPED):
            yield ast.Pass()


def _parts(items: ast.expr) -> Iterator[ast.expr]:
    """All items but the first, and all but the last."""
    listed = ast.Call(ast.Name("list", ast.Load()), [items], [])
    for ends in (ast.Slice(ast.Constant(1)), ast.Slice(None, ast.Constant(-1))):
        yield ast.Subscript(listed, ends, ast.Load())


def _calls(call: ast.Call) -> Iterator[ast.AST]:
    """Another function, arguments in another order, or one less."""
    arguments, named = call.args, call.keywords
    if isinstance(call.func, ast.Name) and call.func.id in ASIDE:
        return
    if isinstance(call.func, ast.Name) and call.func.id in OPPOSITES:
        yield _with(call, func=ast.Name(OPPOSITES[call.func.id], ast.Load()))
    symmetric = isinstance(call.func, ast.Name) and call.func.id in OPPOSITES
    for number, _ in enumerate(() if symmetric else pairwise(arguments)):
        first, second = arguments[number : number + 2]
        yield _with(call, args=[*arguments[:number], second, first, *arguments[number + 2 :]])
    if len(arguments) > 1:
        yield from (_with(call, args=arguments[:-1]),)
    optional = [number for number, keyword in enumerate(named) if keyword.arg != "strict"]
    yield from (_with(call, keywords=_less(named, number)) for number in optional)
