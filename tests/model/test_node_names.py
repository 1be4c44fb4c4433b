"""The names by which people see places and transitions."""

from hypothesis import given
from hypothesis import strategies as st

from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.arithmetic.formulas.shown import shown_formula, shown_name
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import Net, Transition, make_net
from petricheck.model.node_names import LETTERS, NodeNames, node_names
from petricheck.questions import ask


def places(**labels: str) -> NodeNames:
    return node_names(labels.items(), ())


def test_a_node_is_shown_by_its_name_and_by_its_id_where_it_has_none() -> None:
    names = places(n1="start", n2="", n3=" ", n4="n4")
    assert names.places == {"n1": "start"}
    assert names.place("n1") == "start" and names.place("n2") == "n2"


def test_the_id_stands_behind_a_name_of_several_nodes() -> None:
    names = node_names([("n1", "wait"), ("n2", "wait"), ("n3", "go")], [("t", "go")])
    assert names.places == {"n1": "wait (n1)", "n2": "wait (n2)", "n3": "go (n3)"}
    assert names.transitions == {"t": "go (t)"}


def test_the_id_stands_behind_a_name_that_is_another_node_s_id_and_behind_that_id() -> None:
    assert places(p="q", q="p").places == {"p": "q (p)", "q": "p (q)"}
    assert places(p="q", q="").places == {"p": "q (p)", "q": "q (q)"}
    assert places(p="q", q="r").places == {"p": "q (p)", "q": "r"}


def test_a_name_is_shown_on_one_line_and_shortened() -> None:
    names = places(a="take\n the  order", b="x" * 99, c="a\u200bb")
    assert names.place("a") == "take the order"
    assert names.place("b") == f"{'x' * (LETTERS - 1)}… (b)"
    assert names.place("c") == r"a\u200bb"


def test_a_net_without_names_needs_none() -> None:
    net = make_net("n", {"p": 1}, {"t": ({"p": 1}, {})})
    assert not net.shown and net.shown.place("p") == "p"
    assert not places(p="p", q="")


def test_an_id_of_a_place_and_a_transition_is_shown_by_the_name_of_the_one_that_is_meant() -> None:
    names = node_names([("1", "")], [("1", "check")])
    assert (names.place("1"), names.transition("1"), names.node("1")) == ("1", "check", "1")


def test_colours_and_bindings_stay_behind_the_name() -> None:
    names = node_names([("p", "to do"), ("q", "x"), ("r", "x")], [("t", "go")], unfolded=True)
    assert names.place("p(a, 3)") == '"to do"(a, 3)'
    assert names.place("q(a)") == '"x (q)"(a)'
    assert names.transition("t(x=a)") == "go(x=a)"
    assert shown_formula(names.formula(at_least(variable("q(a)"), 1))) == '"x (q)"(a) >= 1'
    plain = node_names([("p", "to do"), ("p(a)", "")], ())
    assert plain.place("p(a)") == "p(a)"


IDS = ("a", "b", "a (b)", "a (a)", "b (a)", "a (b) (b)", 'c "d"')
LABELS = st.sampled_from(("", " ", *IDS, "x\ny", "x y"))


@given(st.dictionaries(st.sampled_from(IDS), LABELS, min_size=1), LABELS)
def test_no_two_nodes_are_shown_alike_and_questions_take_what_is_shown(
    labels: dict[str, str], action: str
) -> None:
    ids = tuple(labels)
    net = Net("n", ids, (Transition("t", (), (), action),), (0,) * len(ids), tuple(labels.values()))
    shown = [net.shown.place(id_) for id_ in ids]
    assert len({*shown, net.shown.transition("t")}) == len(ids) + 1
    for id_, name in zip(ids, shown, strict=True):
        assert ask(net, formula=f"{shown_name(name)} >= 2").target == at_least(variable(id_), 2)
    fireable = ask(net, fireable=shown_name(net.shown.transition("t")))
    assert fireable.target == ask(net, fireable="t").target
