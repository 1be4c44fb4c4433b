"""Guide `lattice`: cheapest feasible template sets (Leroux et al. 2016, sections 7.3, 9.3)."""

from __future__ import annotations

import pytest
from forms import entries
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from questions import problem as ask
from strategies import nets

from petricheck.arithmetic.programs.algebra import dot, rank
from petricheck.arithmetic.programs.linear_programs import LinearProgram
from petricheck.engines.guides import Choice
from petricheck.engines.guides.optimal import Optimal
from petricheck.engines.heuristics import Displacement
from petricheck.engines.heuristics.parikh import Parikh
from petricheck.engines.heuristics.place_invariants import PlaceInvariants
from petricheck.evidence.answer import Unreachable
from petricheck.laboratory.guides.lattice import Lattice, TemplateProgram
from petricheck.laboratory.lattices.hitting import bits
from petricheck.laboratory.lattices.problems import Cuts
from petricheck.laboratory.lattices.search import Search
from petricheck.model.net import Net, Weights, make_net
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.plugins import build
from petricheck.symbolic.interpolation.path import Block, PathQuestion
from petricheck.symbolic.linear import Hyperplane, sparse

HEURISTICS = (PlaceInvariants(), Parikh())


def exact_marking_question(net: Net, path: list[int], goal: list[int]) -> PathQuestion:
    blocks = tuple(Block(net.transitions[t], 1) for t in path)
    rows = tuple(Hyperplane(((place, 1),), tokens) for place, tokens in enumerate(goal))
    return PathQuestion(net, blocks, rows)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Net, list[int], PathQuestion]:
    net = draw(nets())
    transitions = range(len(net.transitions))
    path = draw(st.lists(st.sampled_from(transitions), max_size=3)) if net.transitions else []
    goal = [draw(st.integers(0, 3)) for _ in net.places]
    return net, path, exact_marking_question(net, path, goal)


def interpolate(
    net: Net, path: list[int], question: PathQuestion, cuts: Cuts = Cuts.SAME
) -> Choice | None:
    guide = Lattice(cuts=cuts)
    return guide.interpolate(question, guide.displacements(HEURISTICS, net, path), Budget())


def in_cone(vector: tuple[int, ...], generators: tuple[tuple[int, ...], ...]) -> bool:
    program = LinearProgram()
    columns = [program.column() for _ in generators]
    for place, entry in enumerate(vector):
        entries = {c: float(g[place]) for c, g in zip(columns, generators, strict=True)}
        program.row(entries, float(entry), float(entry))
    return program.solve() is not None


SPACE = make_net("space", dict.fromkeys("abcde", 0), {})
NOWHERE = PathQuestion(SPACE, (), ())


def templates_of(*rows: tuple[int, ...], **options: str) -> dict[Weights, int]:
    """With their costs, for these displacements in the net of five places."""
    displacements = [Displacement(sparse(enumerate(row)), 4, False, "parikh") for row in rows]
    return dict(build("guides", "lattice", options).templates(NOWHERE, displacements))


@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 5), max_size=3))
def test_invariant_templates_are_cheap_and_completed_to_a_basis(rows):
    """Section 9.3: a basis of the orthogonal space, small costs; the rest of a basis, large."""
    priced = templates_of(*rows)
    vectors = {entries(template, 5): cost for template, cost in priced.items()}
    assert rank(list(vectors)) == 5 and len(vectors) == 10
    assert {tuple(-entry for entry in vector) for vector in vectors} == vectors.keys()
    for vector, cost in vectors.items():
        assert (cost == 1) == all(dot(vector, row) == 0 for row in rows)


def test_the_increasing_vector_of_example_9_is_the_one_costly_template():
    """ABS(3): a basis of the space orthogonal to the vector, and the vector."""
    priced = templates_of((0, 1, 0, 0, 0))
    assert {t for t, cost in priced.items() if cost == 100} == {((1, 1),), ((1, -1),)}


def test_a_file_sets_costs_and_adds_templates(tmp_path):
    """Section 7.3."""
    file = tmp_path / "costs"
    file.write_text("# what matters\n\n7: b\n3: a - 2*c  # new\n", encoding="utf-8")
    plain, priced = templates_of((0, 1, 0, 0, 0)), templates_of((0, 1, 0, 0, 0), costs=str(file))
    new = {((0, 1), (2, -2)): 3, ((0, -1), (2, 2)): 3}
    assert priced == plain | new | {((1, 1),): 7, ((1, -1),): 7}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("b", "line 2: .b. is not COST: TERM"),
        ("-1: b", "not COST"),
        ("1: nope", "nope"),
        ("1: 3", "speaks of no place"),
    ],
)
def test_a_line_that_sets_no_cost_is_refused(tmp_path, line, complaint):
    file = tmp_path / "costs"
    file.write_text(f"1: a\n{line}\n", encoding="utf-8")
    with pytest.raises(QueryError, match=complaint):
        templates_of(costs=str(file))


def test_costs_are_natural_numbers_in_a_file_that_can_be_read(tmp_path):
    for options, complaint in (({"cheap": "-1"}, "negative"), ({"costs": str(tmp_path)}, "costs")):
        with pytest.raises(QueryError, match=complaint):
            templates_of(**options)


@settings(max_examples=20)
@given(questions(), st.sampled_from(list(Cuts)))
def test_interpolants_use_the_chosen_templates_only(case, cuts):
    choice = interpolate(*case, cuts)
    if choice is not None:
        assert choice.proof is not None
        for cut in choice.proof.cuts:
            size = len(case[0].places)
            templates = tuple(entries(template, size) for template in choice.templates)
            assert in_cone(tuple(-entry for entry in entries(cut, size)), templates)


@settings(max_examples=20)
@given(questions(), st.sampled_from(list(Cuts)))
def test_the_lattice_has_an_answer_exactly_where_one_exists(case, cuts):
    net, path, question = case
    free = Optimal()
    unrestricted = free.interpolate(question, free.displacements((), net, path), Budget())
    assert (interpolate(*case, cuts) is None) == (unrestricted is None)


@settings(max_examples=20)
@given(questions(), st.sampled_from(list(Cuts)), st.sampled_from(list(Search)))
def test_no_cheaper_set_of_templates_is_feasible(case, cuts, search):
    net, path, question = case
    guide = Lattice(cuts=cuts, search=search)
    displacements = guide.displacements((PlaceInvariants(),), net, path)
    choice = guide.interpolate(question, displacements, Budget())
    if choice is None or not displacements:
        return
    program = TemplateProgram(question, guide.templates(question, displacements), Budget(10), cuts)
    if len(program.costs) > 8:
        return
    for subset in range(1 << len(program.costs)):
        if sum(program.costs[index] for index in bits(subset)) < choice.cost:
            assert not program.explain(subset)[0]


def test_a_lattice_for_each_increasing_vector_has_a_basis_for_each():
    """ABS(3) of section 9.3: the vector costs much, the space orthogonal to it little."""
    vectors = ((1, 1, 0, 0, 0), (0, 0, 1, 0, 0))
    displacements = [
        Displacement(sparse(enumerate(vector)), 4, False, "parikh", number)
        for number, vector in enumerate(vectors)
    ]
    priced = Lattice().templates(NOWHERE, displacements)
    assert len(priced) == 2 * 2 * 5
    for lattice, vector in zip((priced[:10], priced[10:]), vectors, strict=True):
        assert {entries(template, 5) for template, cost in lattice if cost == 100} == {
            vector,
            tuple(-entry for entry in vector),
        }
        assert all(dot(entries(t, 5), vector) == 0 for t, cost in lattice if cost == 1)


def test_a_path_without_displacements_is_still_interpolated():
    net = net_of("p=1, loop: p -> p")
    result = check(ask(net, target="p=2"), engine="cegar", options={"guide": "lattice"})
    assert isinstance(result.answer, Unreachable)
