"""Laws from symmetries of hidden vertices: proved entry by entry, confirmed by normal forms."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import LINEAR, RELU
from graphs.composition import compose, linear_head, with_bias
from graphs.convolutions import convolution
from graphs.families import fully_connected
from graphs.laws.expansion import small_enough, vanishes
from graphs.laws.law import ONE, Mixing
from graphs.laws.mixing import mixings, terms_of
from graphs.laws.naming import named
from graphs.laws.plan import Plan
from graphs.laws.sparse import rank_of, solutions
from graphs.laws.translations import translations
from graphs.network import network
from graphs.strategies import networks
from tests.graphs.potentials import check_potential

NETWORKS = networks(
    max_hidden=4, max_outputs=2, sharing=True, fixed=True, constants=True, scaling=True
)
F = Fraction


@settings(max_examples=40, deadline=None)
@given(NETWORKS)
def test_every_law_of_a_mixing_or_translation_has_rate_zero(net):
    plan = Plan.of(net)
    assume(small_enough(plan))
    for mixing in mixings(plan):
        terms = terms_of(plan, mixing)
        assert terms is not None
        assert vanishes(plan, terms)
    for terms in translations(plan):
        assert all(e == ONE for e, _, _ in terms)
        assert vanishes(plan, terms)


@settings(max_examples=40, deadline=None)
@given(networks(max_hidden=3, sharing=True, scaling=True), st.data())
def test_a_law_with_a_wrong_sign_is_refused(net, data):
    plan = Plan.of(net)
    laws = [(mixing, terms) for mixing in mixings(plan) if (terms := terms_of(plan, mixing))]
    if not laws:
        return
    mixing, terms = data.draw(st.sampled_from(laws))
    k = data.draw(st.integers(0, len(terms) - 1))
    e, f, c = terms[k]
    wrong = (*terms[:k], (e, f, -c), *terms[k + 1 :])
    assert terms_of(plan, mixing) != wrong
    # what is left of the difference is a monomial: a law only if its own parameters never move
    assert vanishes(plan, wrong) == vanishes(plan, ((e, f, c),))


@given(NETWORKS)
def test_diagonal_mixings_are_potentials(net):
    plan = Plan.of(net)
    for mixing in mixings(plan):
        if any(v != u for v, u, _ in mixing.entries) or plan.idle:
            continue
        potential = {v: value for v, _, value in mixing.entries}
        coefficients = {
            e: potential.get(head, 0) - potential.get(tail, 0)
            for e, (tail, head) in enumerate(zip(net.tails, net.heads, strict=True))
        }
        assert check_potential(net, coefficients, potential)


@pytest.mark.parametrize(
    "entries",
    [
        ((0, 0, F(1)),),  # an input
        ((3, 2, F(1)),),  # two ReLU vertices
        ((4, 4, F(1)),),  # the output
        ((2, 3, F(1)),),  # the wrong way round
    ],
    ids=["input", "kinked pair", "output", "order"],
)
def test_what_is_no_mixing_proves_nothing(entries):
    plan = Plan.of(fully_connected([2, 2, 1]))
    assert terms_of(plan, Mixing(entries)) is None


def test_shared_weights_tie_vertices():
    net = linear_head(convolution(3, (1, 1), 2, activation=RELU))
    plan = Plan.of(net)
    first = net.index["y[1,1]"]
    assert terms_of(plan, Mixing(((first, first, F(1)),))) is None
    (mixing,) = mixings(plan)
    assert [(v, value) for v, _, value in mixing.entries] == [(first, 1), (first + 1, 1)]
    assert named(plan, mixing, terms_of(plan, mixing)).name == "unnamed"  # LJ22: linear ones only


def test_channels_of_linear_vertices_are_named():
    net = linear_head(compose(convolution(4, (1, 2), 2), convolution(3, (2, 1), 2)))
    plan = Plan.of(net)
    names = [named(plan, mixing, terms_of(plan, mixing)).name for mixing in mixings(plan)]
    assert names == ["lj22.thm1"] * 4  # 3 for the two channels, 1 for the one behind


def test_pairs_with_bias_inputs_of_their_own_have_laws_that_lemma_2_does_not_speak_of():
    together = Plan.of(with_bias(fully_connected([2, 2, 1], LINEAR)))
    apart = Plan.of(with_bias(fully_connected([2, 2, 1], LINEAR), shared=False))
    for plan, name in ((together, "lj22.lemma2b"), (apart, "unnamed")):
        pair = mixings(plan)[-1]
        assert len(pair.entries) == 1
        terms = terms_of(plan, pair)
        assert len(terms) == 4  # two inputs, the biases, the output
        assert vanishes(plan, terms)
        assert named(plan, pair, terms).name == name


def test_a_fixed_edge_ties_its_ends():
    net = network(
        [("x", "u"), ("u", "v"), ("v", "o")],
        inputs=["x"],
        outputs=["o"],
        activations=LINEAR,
        fixed={("u", "v"): 2},
    )
    (mixing,) = mixings(Plan.of(net))
    assert [v for v, _, _ in mixing.entries] == [1, 2]


def test_vertices_of_one_sign_count_as_linear():
    """ReLU is never negative, so that a ReLU vertex behind fixed weights > 0 is linear."""
    net = network(
        [("x", "a"), ("y", "b"), ("a", "u"), ("b", "v"), ("u", "o"), ("v", "o")],
        inputs=["x", "y"],
        outputs=["o"],
        fixed={("a", "u"): 1, ("b", "v"): 3},
    )
    plan = Plan.of(net)
    known = {net.names[v]: plan.slopes[v] for v in plan.hidden}
    assert known == {"a": None, "b": None, "u": 1, "v": 1}


# sparse equations ---------------------------------------------------------------------------------
ROWS = st.lists(
    st.dictionaries(st.integers(0, 4), st.integers(-2, 2).map(Fraction), max_size=3), max_size=5
)


@given(ROWS)
def test_solutions_solve_and_are_all(rows):
    basis = solutions(rows, range(5))
    for vector in basis:
        for row in rows:
            assert sum(c * vector.get(k, 0) for k, c in row.items()) == 0
    assert all(rank_of(basis))
    assert len(basis) == 5 - sum(rank_of(rows))
