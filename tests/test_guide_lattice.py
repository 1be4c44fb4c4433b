"""Guide `lattice`: cheapest feasible template sets (Leroux et al. 2016, sections 7.3, 9.3)."""

from __future__ import annotations

from itertools import chain, combinations

from forms import entries
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from questions import problem as ask
from strategies import nets

from petricheck.answer import Unreachable
from petricheck.budget import Budget
from petricheck.guides import Choice
from petricheck.guides.optimal import Optimal
from petricheck.heuristics import Displacement
from petricheck.heuristics.parikh import Parikh
from petricheck.heuristics.place_invariants import PlaceInvariants
from petricheck.interpolation.chain import template_chain
from petricheck.interpolation.path import Block, PathQuestion
from petricheck.laboratory.guides._templates import template_lattices
from petricheck.laboratory.guides.lattice import Lattice
from petricheck.linear import Hyperplane, sparse
from petricheck.presburger.algebra import dot, rank
from petricheck.presburger.linear_programs import LinearProgram
from petricheck.problem import Net
from petricheck.questions import check

HEURISTICS = (PlaceInvariants(), Parikh())


def exact_marking_question(net: Net, path: list[int], goal: list[int]) -> PathQuestion:
    blocks = tuple(Block(net.transitions[t], 1) for t in path)
    rows = tuple(Hyperplane(((place, 1),), tokens) for place, tokens in enumerate(goal))
    return PathQuestion(net.initial, blocks, rows)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Net, list[int], PathQuestion]:
    net = draw(nets())
    transitions = range(len(net.transitions))
    path = draw(st.lists(st.sampled_from(transitions), max_size=3)) if net.transitions else []
    goal = [draw(st.integers(0, 3)) for _ in net.places]
    return net, path, exact_marking_question(net, path, goal)


def interpolate(net: Net, path: list[int], question: PathQuestion) -> Choice | None:
    guide = Lattice()
    return guide.interpolate(question, guide.displacements(HEURISTICS, net, path), Budget())


def in_cone(vector: tuple[int, ...], generators: tuple[tuple[int, ...], ...]) -> bool:
    program = LinearProgram()
    columns = [program.column() for _ in generators]
    for place, entry in enumerate(vector):
        entries = {c: float(g[place]) for c, g in zip(columns, generators, strict=True)}
        program.row(entries, float(entry), float(entry))
    return program.solve() is not None


vectors = st.lists(st.tuples(*[st.integers(-2, 2)] * 4), max_size=3)


@given(vectors)
def test_what_displacements_do_not_change_is_cheap_and_completed_to_a_basis(rows):
    """Section 9.3: a basis of the orthogonal space, small costs; the rest of a basis, large."""
    displacements = [Displacement(sparse(enumerate(row)), 4, False, "parikh") for row in rows]
    (lattice,) = template_lattices(displacements, range(4), 1, 100)
    templates = [entries(template, 4) for template in lattice.templates]
    assert rank(templates) == 4
    assert len(templates) == 8
    assert {tuple(-entry for entry in t) for t in templates} == set(templates)
    for template, cost in zip(templates, lattice.costs, strict=True):
        invariant = all(dot(template, row) == 0 for row in rows)
        assert (cost == 1) == invariant


def test_the_increasing_vector_of_example_9_is_the_one_costly_template():
    """ABS(3): a basis of the space orthogonal to the vector, and the vector."""
    v = Displacement(((1, 1),), 4, False, "parikh")
    (lattice,) = template_lattices([v], range(5), 1, 100)
    pairs = zip(lattice.templates, lattice.costs, strict=True)
    assert {template for template, cost in pairs if cost == 100} == {((1, 1),), ((1, -1),)}


@settings(max_examples=60)
@given(questions())
def test_interpolants_speak_in_the_chosen_templates_only(case):
    choice = interpolate(*case)
    if choice is not None:
        assert choice.proof is not None
        for cut in choice.proof.cuts:
            size = len(case[0].places)
            templates = tuple(entries(template, size) for template in choice.templates)
            assert in_cone(tuple(-entry for entry in entries(cut, size)), templates)


@settings(max_examples=60)
@given(questions())
def test_the_lattice_has_an_answer_exactly_where_one_exists(case):
    net, path, question = case
    free = Optimal()
    unrestricted = free.interpolate(question, free.displacements((), net, path), Budget())
    assert (interpolate(*case) is None) == (unrestricted is None)


@settings(max_examples=25)
@given(questions())
def test_no_cheaper_set_of_templates_is_feasible(case):
    net, path, question = case
    if len(net.places) > 3:
        return
    guide = Lattice()
    displacements = guide.displacements((PlaceInvariants(),), net, path)
    choice = guide.interpolate(question, displacements, Budget())
    if choice is None or not displacements:
        return
    (factor,) = template_lattices(displacements, range(len(net.places)), 1, 100)
    everything = range(len(factor.templates))
    subsets = chain.from_iterable(combinations(everything, n) for n in range(len(everything)))
    for subset in subsets:
        if factor.cost(frozenset(subset)) < choice.cost:
            templates = [factor.templates[index] for index in subset]
            program, _ = template_chain(question, templates, [1] * len(templates))
            assert not program.feasible(10.0)


def test_a_path_without_displacements_is_still_interpolated():
    net = net_of("p=1, loop: p -> p")
    result = check(ask(net, target="p=2"), engine="cegar", options={"guide": "lattice"})
    assert isinstance(result.answer, Unreachable)
