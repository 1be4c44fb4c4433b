"""Random questions about paths, and interpolant sequences by their definition."""

from __future__ import annotations

from functools import cache

from forms import row
from hypothesis import strategies as st
from strategies import BOOLEANS, any_of, nets

from petricheck.arithmetic.formulas.formulas import Conjunction, at_least, at_most, equal
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.laboratory.paths import accelerated_step, step
from petricheck.model.net import Net, Transition
from petricheck.symbolic.encoding.stamps import at, initial
from petricheck.symbolic.interpolation.path import Block, PathQuestion
from petricheck.symbolic.linear import Constraint, HalfSpace, Hyperplane


@cache
def goals(places: int) -> st.SearchStrategy[list[Constraint]]:
    """One to three rows: guards of some place, or any small linear constraints."""
    vectors = st.dictionaries(any_of(places), st.integers(-3, 3).filter(bool), min_size=1)
    guards = st.builds(row, any_of(places).map(lambda p: ((p, 1),)), st.integers(1, 5), BOOLEANS)
    sorted_vectors = vectors.map(lambda weights: tuple(sorted(weights.items())))
    constraints = st.builds(row, sorted_vectors, st.integers(-6, 6), BOOLEANS)
    return st.lists(st.one_of(guards, constraints), min_size=1, max_size=3)


@st.composite
def questions(draw, counts=(1, None, 2, 3), most_blocks: int = 4) -> tuple[Net, PathQuestion]:
    """A small net, a path of it in blocks, and a goal of up to three rows."""
    net = draw(nets(max_places=3, max_transitions=3))
    picked = st.tuples(st.sampled_from(net.transitions), st.sampled_from(counts))
    blocks = draw(st.lists(picked, max_size=most_blocks))
    goal = draw(goals(len(net.places)))
    made = tuple(Block(transition, count) for transition, count in blocks)
    return net, PathQuestion(net, made, tuple(goal))


@st.composite
def fired_questions(draw, counts=(1, None, 2, 3)) -> tuple[Net, PathQuestion]:
    """Blocks that mostly fire, and a goal that mostly contains the marking they lead to."""
    net = draw(nets(max_places=3, max_transitions=3))
    marking, blocks = net.initial, []
    for transition in draw(st.lists(st.sampled_from(net.transitions), max_size=6)):
        count = draw(st.sampled_from(counts))
        times = draw(st.integers(1, 3)) if count is None else count
        if transition.fires(marking, times) or draw(st.integers(0, 9)) == 0:
            marking = transition.fire(marking, times)
            blocks.append(Block(transition, count))
    goal = []
    for wanted in draw(goals(len(net.places))):
        excess = draw(st.sampled_from((0, 0, 0, 1, 2, -1)))
        bound = along(wanted.direction, enumerate(marking))
        if isinstance(wanted, HalfSpace):
            goal.append(HalfSpace(wanted.direction, bound + excess))
        else:
            goal.append(Hyperplane(wanted.direction, bound))
    return net, PathQuestion(net, tuple(blocks), tuple(goal))


def at_time(net: Net, half_space: HalfSpace, k: int):
    """direction·m ≤ bound about the marking at time k."""
    pairs = ((at(net.places[place], k), weight) for place, weight in half_space.direction)
    return at_most(linear(pairs), half_space.bound)


def goal_at(net: Net, goal: tuple[Constraint, ...], name) -> Conjunction:
    terms = [linear((name(net.places[p]), w) for p, w in row.direction) for row in goal]
    return Conjunction(
        tuple(
            (equal if isinstance(row, Hyperplane) else at_most)(term, row.bound)
            for row, term in zip(goal, terms, strict=True)
        )
    )


def along(direction, weights) -> int:
    return sum(dict(direction).get(place, 0) * weight for place, weight in weights)


def cut_bounds(question: PathQuestion, multipliers, cuts, inner) -> list[int]:
    """B_0 … B_k, by the recurrence that the specification states."""
    bounds = [-sum(w * row.bound for w, row in zip(multipliers, question.goal, strict=True))]
    for number in range(len(question.blocks) - 1, -1, -1):
        block, after, inside = question.blocks[number], cuts[number + 1], inner[number]
        t, times = block.transition, 1 if block.count is None else block.count
        bounds.append(
            bounds[-1]
            + along(inside, t.post) - along(after, t.post)
            + along(cuts[number], t.pre) - along(inside, t.pre)
            - times * along(inside, t.effect)
        )  # fmt: skip
    return bounds[::-1]


def is_interpolant_sequence(net: Net, question: PathQuestion, sequence) -> bool:
    """Definition 10 for the blocks, with markings over ℕ: every I_{i-1} ∧ A_i ⊨ I_i.

    A block t^n of fixed n counts as n steps with the interpolants in between that the sequence
    claims; one of any number n ≥ 1 is a single accelerated step with its count quantified.
    """
    bounds = cut_bounds(question, sequence.multipliers, sequence.cuts, sequence.inner)
    spaces = [HalfSpace(c, b - 1) for c, b in zip(sequence.cuts, bounds, strict=True)]
    time = 0
    if not implies(initial(net), at_time(net, spaces[0], 0)):
        return False
    for number, block in enumerate(question.blocks):
        t, before, after = block.transition, spaces[number], spaces[number + 1]
        if block.count is None:
            parts = [(accelerated_step(net, t, time), after)]
        else:
            inside = inner_spaces(block, sequence.inner[number], after)[1:]
            parts = [(step(net, t, time + q), s) for q, s in enumerate((*inside[::-1], after))]
        for action, reached in parts:
            if not implies(Conjunction((at_time(net, before, time), action)),
                           at_time(net, reached, time + 1)):  # fmt: skip
                return False
            before, time = reached, time + 1
    last = goal_at(net, question.goal, lambda place: at(place, time))
    natural = tuple(at_least(linear([(at(p, time), 1)]), 0) for p in net.places)
    return find_model(Conjunction((at_time(net, spaces[-1], time), last, *natural))) is None


def inner_spaces(block: Block, inside, after: HalfSpace) -> list[HalfSpace]:
    """d·m ≤ B_i + e_i·v_i − q·d·δ − 1 for q = 0 … n − 1, with q = 0 alone where n is free."""
    t = block.transition
    bound = after.bound + along(inside, t.post) - along(after.direction, t.post)
    growth = along(inside, t.effect)
    return [HalfSpace(inside, bound - q * growth) for q in range(block.count or 1)]


def transition(pre: dict[int, int], post: dict[int, int]) -> Transition:
    return Transition("t", tuple(sorted(pre.items())), tuple(sorted(post.items())))
