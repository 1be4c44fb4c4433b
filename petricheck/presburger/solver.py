"""Satisfiability and quantifier elimination of Presburger formulas, through z3.

The only module that imports z3, and it does so inside its functions, so that importing this module
costs nothing. Every question gets a z3 context of its own (about a millisecond) with a fixed seed,
so that an answer depends on its question alone and runs repeat. Variables reach z3 under numbered
names; any string may name a variable.

`eliminate` returns what z3's quantifier elimination makes of the formula, read back into our
formulas. Integer division, remainders and conditionals are expanded into cases by residue, which is
exact, and refused above `CASES` cases.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from petricheck.errors import BudgetExhausted, InternalError
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    at_least,
    conjunction,
    disjunction,
    variables,
)
from petricheck.presburger.terms import Term, constant, variable

CASES = 4096
SEED = 0
_TACTICS = ("qe2", "qe")

Model = dict[str, int]


def find_model(
    formula: Formula, *, seconds: float | None = None, natural: bool = False
) -> Model | None:
    """A model over the formula's variables, or None where there is none.

    Args:
        formula: any formula; z3 sees it as one conjunct.
        seconds: limit for z3, or None.
        natural: whether every variable is also at least 0.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    with Solver(seconds=seconds) as solver:
        solver.add(formula)
        if natural:
            for name in variables(formula):
                solver.add(at_least(variable(name), 0))
        return solver.check()


def implies(stronger: Formula, weaker: Formula, *, seconds: float | None = None) -> bool:
    """Whether every integer model of `stronger` is one of `weaker`.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    return find_model(Conjunction((stronger, Negation(weaker))), seconds=seconds) is None


def equivalent(left: Formula, right: Formula, *, seconds: float | None = None) -> bool:
    """Whether the formulas have the same integer models.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    return implies(left, right, seconds=seconds) and implies(right, left, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Assumption:
    """A formula that one `Solver` can assume or not from check to check."""

    index: int
    formula: Formula


class Solver:
    """An incremental solver; use it in a `with`.

    Args:
        seconds: limit for each `check`, or None.
        seed: z3's random seed.
    """

    def __init__(self, *, seconds: float | None = None, seed: int = SEED) -> None:
        import z3

        self.seconds = seconds
        self._encoder = _Encoder(z3.Context())
        # The plain core: on thousands of disjuncts z3's preprocessing takes 30 times its time.
        self._solver: Any = z3.SimpleSolver(ctx=self._encoder.context)
        self._solver.set("random_seed", seed)
        self._scopes: list[int] = []
        self._order: list[Formula] = []
        self._live: dict[Formula, tuple[Assumption, Any]] = {}
        self._core: tuple[Assumption, ...] = ()
        self._serial = 0

    def __enter__(self) -> Solver:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._solver.reset()

    def add(self, formula: Formula) -> None:
        """Assert the formula in the current scope."""
        self._solver.add(self._encoder.formula(formula))

    def push(self) -> None:
        """Open a scope."""
        self._solver.push()
        self._scopes.append(len(self._order))

    def pop(self) -> None:
        """Close the innermost scope; what was added or made assumable in it is gone."""
        self._solver.pop()
        kept = self._scopes.pop()
        for formula in self._order[kept:]:
            del self._live[formula]
        del self._order[kept:]

    def assume(self, formula: Formula) -> Assumption:
        """A handle by which `check` can assume the formula, valid in the current scope."""
        import z3

        if formula not in self._live:
            assumption = Assumption(self._serial, formula)
            self._serial += 1
            literal = z3.Bool(f"a{assumption.index}", self._encoder.context)
            self._solver.add(z3.Implies(literal, self._encoder.formula(formula)))
            self._order.append(formula)
            self._live[formula] = (assumption, literal)
        return self._live[formula][0]

    def check(self, assumptions: Sequence[Assumption | Formula] = ()) -> Model | None:
        """A model of what was added and is assumed, or None where there is none.

        The model gives a value to every variable that this solver has seen.

        Raises:
            BudgetExhausted: z3 gave up.
            ValueError: the scope of an assumption has been closed.
        """
        self._set_limit()
        handles = [a if isinstance(a, Assumption) else self.assume(a) for a in assumptions]
        literals = [self._literal(handle) for handle in handles]
        match self._solver.check(*literals).r:
            case 1:
                self._core = ()
                return self._encoder.model(self._solver.model())
            case -1:
                names = {str(literal) for literal in self._solver.unsat_core()}
                self._core = tuple(handle for handle in handles if f"a{handle.index}" in names)
                return None
            case _:
                raise _undecided(self._solver.reason_unknown(), self.seconds)

    @property
    def core(self) -> tuple[Assumption, ...]:
        """Assumptions of the last unsatisfiable check that suffice for it; not always minimal."""
        return self._core

    def _set_limit(self) -> None:
        if self.seconds is not None and not math.isinf(self.seconds):
            if self.seconds <= 0:
                raise _undecided("timeout", self.seconds)
            self._solver.set("timeout", max(1, int(self.seconds * 1000)))

    def _literal(self, assumption: Assumption) -> Any:
        known, literal = self._live.get(assumption.formula, (None, None))
        if known != assumption:
            raise ValueError(f"assumption {assumption.index} is not valid in this scope")
        return literal


def eliminate(names: Iterable[str], formula: Formula, *, seconds: float | None = None) -> Formula:
    """A formula without `names`, true where some integers for them make `formula` true.

    Args:
        names: variables to eliminate; those that do not occur are ignored.
        formula: any formula.
        seconds: limit for z3, or None.

    Raises:
        BudgetExhausted: z3 gave up.
        InternalError: z3's answer is outside quantifier-free Presburger arithmetic, or needs
            more than `CASES` cases for one atom.
    """
    import z3

    encoder = _Encoder(z3.Context())
    body = encoder.formula(formula)
    bound = [encoder.symbols[name] for name in sorted(set(names)) if name in encoder.symbols]
    if not bound:
        return formula
    # Not simplified first: that may remove the quantifier, and the tactics take the variables of
    # a quantifier-free goal for bound.
    query = z3.Exists(bound, body)
    problem: InternalError | None = None
    for tactic in _TACTICS:
        result = _apply(tactic, query, encoder.context, seconds)
        try:
            return _Decoder(encoder).formula(result)
        except InternalError as error:
            problem = error
    assert problem is not None
    raise problem


def _apply(name: str, query: Any, context: Any, seconds: float | None) -> Any:
    """What the tactic makes of the query, simplified."""
    import z3

    tactic = z3.Then(name, "simplify", ctx=context)
    if seconds is not None and not math.isinf(seconds):
        if seconds <= 0:
            raise _undecided("timeout", seconds)
        tactic = z3.TryFor(tactic, max(1, int(seconds * 1000)), ctx=context)
    goal = z3.Goal(ctx=context)
    goal.add(query)
    try:
        return tactic(goal).as_expr()
    except z3.Z3Exception as error:
        raise _undecided(str(error), seconds) from error


def _undecided(reason: str, seconds: float | None) -> BudgetExhausted | KeyboardInterrupt:
    if "interrupted" in reason:
        return KeyboardInterrupt()
    if seconds is not None and ("timeout" in reason or "cancel" in reason):
        return BudgetExhausted(f"z3 reached its limit of {seconds:g} s; allow more time")
    return BudgetExhausted(f"z3 could not decide a formula ({reason}); try another engine")


class _Encoder:
    """Formulas to z3 expressions of one context, each in one pass without recursion."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.symbols: dict[str, Any] = {}

    def model(self, found: Any) -> Model:
        """The values of every symbol."""
        values = {}
        for name, symbol in self.symbols.items():
            values[name] = found.eval(symbol, model_completion=True).as_long()
        return values

    def formula(self, formula: Formula) -> Any:
        """The z3 expression that means `formula`."""
        done: list[Any] = []
        pending: list[tuple[Formula, bool]] = [(formula, False)]
        while pending:
            node, ready = pending.pop()
            parts = _operands(node)
            if parts is None:
                done.append(self._atom(node))
            elif not ready:
                pending.append((node, True))
                pending.extend((part, False) for part in reversed(parts))
            else:
                first = len(done) - len(parts)
                combined = self._combine(node, done[first:])
                del done[first:]
                done.append(combined)
        return done[0]

    def _combine(self, node: Formula, parts: list[Any]) -> Any:
        import z3

        if isinstance(node, Negation):
            return z3.Not(parts[0])
        conjoin = isinstance(node, Conjunction)
        if not parts:
            return z3.BoolVal(conjoin, self.context)
        return z3.And(parts) if conjoin else z3.Or(parts)

    def _atom(self, atom: Formula) -> Any:
        match atom:
            case Inequality(term):
                return self._linear(term) <= -term.constant
            case Equality(term):
                return self._linear(term) == -term.constant
            case Congruence(term, modulus):
                return (self._linear(term) + term.constant) % modulus == 0
            case _:
                raise AssertionError("not an atom")

    def _linear(self, term: Term) -> Any:
        """The variable part of the term."""
        import z3

        products = [
            self._symbol(name) if value == 1 else value * self._symbol(name)
            for name, value in term.coefficients
        ]
        match products:
            case []:
                return z3.IntVal(0, self.context)
            case [single]:
                return single
            case _:
                return z3.Sum(products)

    def _symbol(self, name: str) -> Any:
        import z3

        if name not in self.symbols:
            self.symbols[name] = z3.Int(f"x{len(self.symbols)}", self.context)
        return self.symbols[name]


def _operands(formula: Formula) -> tuple[Formula, ...] | None:
    """The parts of a compound formula, or None for an atom."""
    match formula:
        case Negation(operand):
            return (operand,)
        case Conjunction(operands) | Disjunction(operands):
            return operands
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Case:
    """Where `guard` holds, the expression is term / scale, and the division is exact."""

    guard: Formula
    term: Term
    scale: int


class _Decoder:
    """z3 expressions over an encoder's symbols, back to formulas."""

    def __init__(self, encoder: _Encoder) -> None:
        import z3

        self._z3: Any = z3
        self._names = {str(symbol): name for name, symbol in encoder.symbols.items()}
        self._formulas: dict[int, Formula] = {}

    def formula(self, expression: Any) -> Formula:
        """The formula; shared parts are translated once and shared again."""
        pending = [expression]
        while pending:
            node = pending[-1]
            parts = [] if self._is_atom(node) else node.children()
            missing = [part for part in parts if part.get_id() not in self._formulas]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if node.get_id() not in self._formulas:
                known = [self._formulas[part.get_id()] for part in parts]
                self._formulas[node.get_id()] = self._node(node, known)
        return self._formulas[expression.get_id()]

    def _is_atom(self, node: Any) -> bool:
        children = node.children() if self._z3.is_app(node) else []
        return not all(self._z3.is_bool(child) for child in children)

    def _node(self, node: Any, parts: list[Formula]) -> Formula:
        z3 = self._z3
        if not z3.is_app(node):
            raise _foreign(node)
        kind = node.decl().kind()
        if kind == z3.Z3_OP_TRUE:
            return TRUE
        if kind == z3.Z3_OP_FALSE:
            return FALSE
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            return conjunction(parts) if kind == z3.Z3_OP_AND else disjunction(parts)
        if kind == z3.Z3_OP_NOT:
            return _opposite(parts[0])
        if kind == z3.Z3_OP_IMPLIES:
            return disjunction([_opposite(parts[0]), parts[1]])
        if kind in (z3.Z3_OP_EQ, z3.Z3_OP_IFF) and z3.is_bool(node.arg(0)):
            return _same(parts[0], parts[1])
        if kind == z3.Z3_OP_XOR or (kind == z3.Z3_OP_DISTINCT and z3.is_bool(node.arg(0))):
            if len(parts) != 2:
                raise _foreign(node)
            return _same(parts[0], _opposite(parts[1]))
        if kind == z3.Z3_OP_ITE:
            return _choose(parts[0], parts[1], parts[2])
        return self._atom(node, kind)

    def _atom(self, node: Any, kind: int) -> Formula:
        z3 = self._z3
        if kind == z3.Z3_OP_DISTINCT:
            terms = node.children()
            pairs = [(a, b) for i, a in enumerate(terms) for b in terms[i + 1 :]]
            return conjunction(_opposite(self._equality(a, b)) for a, b in pairs)
        if kind == z3.Z3_OP_EQ:
            return self._equality(node.arg(0), node.arg(1))
        shift = 1 if kind in (z3.Z3_OP_LT, z3.Z3_OP_GT) else 0
        if kind in (z3.Z3_OP_LE, z3.Z3_OP_LT):
            difference = self._sum([(1, node.arg(0)), (-1, node.arg(1))])
        elif kind in (z3.Z3_OP_GE, z3.Z3_OP_GT):
            difference = self._sum([(-1, node.arg(0)), (1, node.arg(1))])
        else:
            raise _foreign(node)
        return _over(difference, lambda term, scale: Inequality(term + shift * scale))

    def _equality(self, left: Any, right: Any) -> Formula:
        """Left = right; a remainder against a number is one congruence, not many cases."""
        z3 = self._z3
        for remainder, value in ((left, right), (right, left)):
            modulus = self._modulus(remainder)
            if modulus is not None and z3.is_int_value(value):
                residue = value.as_long()
                if not 0 <= residue < modulus:
                    return FALSE
                dividend = self._cases(remainder.arg(0))
                return _over(dividend, _congruence(residue, modulus))
        difference = self._sum([(1, left), (-1, right)])
        return _over(difference, lambda term, _: Equality(term))

    def _modulus(self, node: Any) -> int | None:
        """The modulus where the expression is a remainder by a positive number."""
        z3 = self._z3
        if z3.is_app_of(node, z3.Z3_OP_MOD) and z3.is_int_value(node.arg(1)):
            modulus: int = node.arg(1).as_long()
            return modulus if modulus > 0 else None
        return None

    def _cases(self, node: Any) -> list[_Case]:
        z3 = self._z3
        if z3.is_int_value(node):
            return [_Case(TRUE, constant(node.as_long()), 1)]
        kind = node.decl().kind() if z3.is_app(node) else None
        if kind == z3.Z3_OP_UNINTERPRETED and str(node) in self._names:
            return [_Case(TRUE, variable(self._names[str(node)]), 1)]
        if kind == z3.Z3_OP_ADD:
            return self._sum([(1, child) for child in node.children()])
        if kind == z3.Z3_OP_SUB:
            first, *others = node.children()
            return self._sum([(1, first), *((-1, child) for child in others)])
        if kind == z3.Z3_OP_UMINUS:
            return self._sum([(-1, node.arg(0))])
        if kind == z3.Z3_OP_MUL:
            return self._product(node)
        if kind == z3.Z3_OP_ITE:
            return self._conditional(node)
        if kind in (z3.Z3_OP_MOD, z3.Z3_OP_IDIV):
            return self._division(node, kind)
        raise _foreign(node)

    def _sum(self, summands: list[tuple[int, Any]]) -> list[_Case]:
        total = [_Case(TRUE, constant(0), 1)]
        for factor, node in summands:
            cases = self._cases(node)
            if len(total) * len(cases) > CASES:
                raise InternalError(f"quantifier elimination needs more than {CASES} cases")
            total = [_add(left, right, factor) for left in total for right in cases]
        return total

    def _product(self, node: Any) -> list[_Case]:
        factor = 1
        unknown = []
        for child in node.children():
            if self._z3.is_int_value(child):
                factor *= child.as_long()
            else:
                unknown.append(child)
        if len(unknown) > 1:
            raise _foreign(node)
        if not unknown:
            return [_Case(TRUE, constant(factor), 1)]
        return self._sum([(factor, unknown[0])])

    def _conditional(self, node: Any) -> list[_Case]:
        condition = self.formula(node.arg(0))
        chosen = [(condition, case) for case in self._cases(node.arg(1))]
        chosen += [(_opposite(condition), case) for case in self._cases(node.arg(2))]
        return [_Case(conjunction([g, c.guard]), c.term, c.scale) for g, c in chosen]

    def _division(self, node: Any, kind: int) -> list[_Case]:
        """Quotient or remainder of floor division, by residue of the dividend."""
        divisor = node.arg(1).as_long() if self._z3.is_int_value(node.arg(1)) else 0
        dividends = self._cases(node.arg(0))
        if divisor <= 0:
            raise _foreign(node)
        if divisor * len(dividends) > CASES:
            raise InternalError(f"quantifier elimination needs more than {CASES} cases")
        found = []
        for case in dividends:
            for residue in range(divisor):
                congruence = _congruence(residue, divisor)(case.term, case.scale)
                guard = conjunction([case.guard, congruence])
                if kind == self._z3.Z3_OP_MOD:
                    found.append(_Case(guard, constant(residue), 1))
                else:
                    rest = case.term - residue * case.scale
                    found.append(_Case(guard, rest, case.scale * divisor))
        return found


def _congruence(residue: int, modulus: int) -> Callable[[Term, int], Formula]:
    """The atom that term / scale ≡ residue (mod modulus)."""
    return lambda term, scale: Congruence(term - residue * scale, modulus * scale)


def _add(left: _Case, right: _Case, factor: int) -> _Case:
    scale = math.lcm(left.scale, right.scale)
    term = left.term * (scale // left.scale) + right.term * (factor * (scale // right.scale))
    return _Case(conjunction([left.guard, right.guard]), term, scale)


def _over(cases: list[_Case], atom: Callable[[Term, int], Formula]) -> Formula:
    """The atom of term and scale, in whichever case holds."""
    return disjunction(_under(case.guard, atom(case.term, case.scale)) for case in cases)


def _under(guard: Formula, atom: Formula) -> Formula:
    """Both, decided at once where the atom is constant."""
    match atom:
        case Inequality(term) if not term.coefficients:
            return guard if term.constant <= 0 else FALSE
        case Equality(term) if not term.coefficients:
            return guard if term.constant == 0 else FALSE
        case Congruence(term, modulus) if not term.coefficients:
            return guard if term.constant % modulus == 0 else FALSE
        case _:
            return conjunction([guard, atom])


def _opposite(formula: Formula) -> Formula:
    """The negation, without descending: what is shared stays shared."""
    match formula:
        case Inequality(term):
            return Inequality(1 - term)
        case Negation(operand):
            return operand
        case Conjunction(()):
            return FALSE
        case Disjunction(()):
            return TRUE
        case _:
            return Negation(formula)


def _same(left: Formula, right: Formula) -> Formula:
    return _choose(left, right, _opposite(right))


def _choose(condition: Formula, positive: Formula, negative: Formula) -> Formula:
    chosen = conjunction([condition, positive])
    return disjunction([chosen, conjunction([_opposite(condition), negative])])


def _foreign(node: Any) -> InternalError:
    shown = str(node)[:80]
    return InternalError(f"quantifier elimination left an expression outside the logic: {shown}")
