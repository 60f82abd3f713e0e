"""All laws of a network: against hand-solved cases, brute force, and published counts."""

from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from graphs.activations import ABS, LINEAR, RELU, SIGMOID, TANH, leaky_relu
from graphs.composition import compose, linear_head, with_bias
from graphs.convolutions import convolution
from graphs.errors import NetworkError
from graphs.families import fully_connected
from graphs.laws import find_laws, lie
from graphs.laws.law import ONE, Expansion, Law, Translation, text_names
from graphs.laws.modular import LARGEST, rank
from graphs.laws.patterns import Patterns
from graphs.network import Network, network
from graphs.residual import residual_block
from graphs.strategies import activations, networks
from tests.graphs.drawn_points import in_degree_scaling
from tests.graphs.laws.brute_force import left_by_samples, monomials

ALIVE = networks(
    max_hidden=3,
    max_outputs=2,
    sharing=True,
    fixed=True,
    constants=True,
    activations=activations(("linear", "leaky_relu", "abs")),
)
ODD = networks(max_hidden=3, max_outputs=2, sharing=True, fixed=True, constants=True)


def shown(net: Network, **how) -> set[str]:
    found = find_laws(net, **how)
    return {law.as_text(text_names(net)) for law in found.laws}


# by hand ----------------------------------------------------------------------------------------
def test_two_linear_vertices_side_by_side():
    net = fully_connected([1, 2, 1], LINEAR)
    assert shown(net) == {
        "w_x1_h1_1^2 - w_h1_1_o^2",
        "w_x1_h1_2^2 - w_h1_2_o^2",
        "w_x1_h1_1*w_x1_h1_2 - w_h1_1_o*w_h1_2_o",
        "-w_x1_h1_1*w_h1_2_o + w_x1_h1_2*w_h1_1_o",  # a_1 b_1 + a_2 b_2 is a form in (a, b)
    }
    found = find_laws(net)
    # u v^T is 1 x 1: the flow moves along one field, so 3 of 4 coordinates are conserved
    assert (found.independent, found.bound, found.all_quadratic) == (3, 3, True)


def test_two_biases_at_one_vertex_give_a_linear_law():
    net = network(
        [("x", "o"), ("b", "o"), ("c", "o")],
        inputs=["x", "b", "c"],
        outputs=["o"],
        constants={"b": 1, "c": 3},
    )
    # the derivative in w_co is 3 times that in w_bo: w_bo - w_co / 3 stays
    found = find_laws(net)
    assert [law.terms for law in found.laws] == [((ONE, 1, Fraction(1)), (ONE, 2, Fraction(-1, 3)))]
    assert isinstance(found.laws[0].proof, Translation)
    assert found.complete
    assert found.all_quadratic


def test_what_reaches_no_output_never_moves():
    net = network([("x", "h"), ("x", "o")], inputs=["x"], outputs=["o"])
    assert shown(net) == {"w_x_h"}
    assert find_laws(net).independent == find_laws(net).bound == 1


def test_absolute_values_in_opposite_regions_add():
    net = fully_connected([2, 2, 2], ABS)
    h = [net.index["h1.1"], net.index["h1.2"]]
    same = shown(net, region=dict.fromkeys(h, Fraction(1)))
    opposite = shown(net, region={h[0]: Fraction(1), h[1]: Fraction(-1)})
    into = "w_x1_h1_1*w_x1_h1_2 + w_x2_h1_1*w_x2_h1_2"
    assert f"{into} - w_h1_1_o1*w_h1_2_o1 - w_h1_1_o2*w_h1_2_o2" in same
    assert f"{into} + w_h1_1_o1*w_h1_2_o1 + w_h1_1_o2*w_h1_2_o2" in opposite
    assert len(shown(net)) == 2


def test_a_region_on_which_a_vertex_is_off_frees_its_weights():
    net = fully_connected([2, 2, 1])
    found = find_laws(net, {net.index["h1.1"]: Fraction(0)})
    assert found.linear == found.idle == 3
    assert found.quadratic == 1
    assert found.complete


def test_all_active_is_the_linear_network():
    net = fully_connected([3, 3, 2])
    region = {net.index[f"h1.{k}"]: Fraction(1) for k in (1, 2, 3)}
    assert shown(net, region=region) == shown(fully_connected([3, 3, 2], LINEAR))


def test_scales_that_are_roots():
    net = in_degree_scaling(fully_connected([2, 3, 3, 2], LINEAR))
    assert any(scale == Fraction(1, 3) for scale in net.scale_squares)
    found = find_laws(net)
    assert found.all_quadratic
    assert found.quadratic == 12


def test_a_law_with_a_root_is_no_rational_law():
    """The derivatives in a and b are in the ratio 1 : sqrt(3)."""
    net = network(
        [("x", "u"), ("x", "v"), ("u", "v")],
        inputs=["x"],
        outputs=["v"],
        activations=LINEAR,
        fixed={("x", "u"): 1},
        scale_squares={"u": 3},
    )
    found = find_laws(net)
    assert found.laws == found.unproved == ()
    assert not found.all_quadratic  # over the reals there is one more linear law, and its square
    assert found.above == 2


# the laws of a convolution that commutes --------------------------------------------------------
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_a_filter_and_a_head_of_the_same_size_change_places(channels):
    """nu = sum_c k_c * v_c with polynomials k_c, v_c of one degree: a form of signature (c, c)."""
    found = find_laws(linear_head(convolution(5, (1, channels), 3)))
    assert found.quadratic == channels**2
    assert found.named.get("lj22.thm1") == channels * (channels + 1) // 2
    unnamed = [law for law in found.laws if law.name == "unnamed"]
    assert len(unnamed) == channels * (channels - 1) // 2
    assert all(isinstance(law.proof, Expansion) for law in unnamed)
    assert found.all_quadratic
    assert found.complete


def test_identity_skips_leave_a_law_for_each_entry_of_the_stream():
    block = residual_block("identity", 2, 3, outer=LINEAR)
    found = find_laws(compose(fully_connected([3, 2]), block, block, fully_connected([2, 2])))
    # E E^T - sum Y^T Y + sum U U^T - H^T H is symmetric, 2 x 2; lemma 3 has one combination of it
    assert found.named == {"lj22.lemma2a": 6, "lj22.lemma3@B": 1, "unnamed": 2}
    assert found.complete


# counts of Marcotte, Gribonval and Peyre (2023) -------------------------------------------------
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("r", [1, 2, 4])
def test_two_linear_layers(n, m, r):
    """U V^T with U (m x r), V (n x r): r(r+1)/2 laws, and where r > n + m fewer independent."""
    found = find_laws(fully_connected([n, r, m], LINEAR))
    one = n == m == 1  # then the entries of U and V may change places as well
    assert found.quadratic == (r**2 if one else r * (r + 1) // 2)
    small = r <= n + m
    expected = r * (r + 1) // 2 if small else (n + m) * r - (n + m) * (n + m - 1) // 2
    assert found.independent == found.bound == expected


@pytest.mark.parametrize("widths", [[2, 3, 2], [3, 3, 2, 2], [2, 2, 2, 2, 2]], ids=str)
def test_chains_add_up(widths):
    hidden = widths[1:-1]
    linear = find_laws(fully_connected(widths, LINEAR))
    assert linear.independent == linear.bound == sum(r * (r + 1) // 2 for r in hidden)
    relu = find_laws(fully_connected(widths, RELU))
    assert relu.independent == relu.bound == sum(hidden)
    assert linear.all_quadratic
    assert relu.all_quadratic


# against brute force ----------------------------------------------------------------------------
def with_products(laws: list[Law]) -> list[dict[tuple[int, int], Fraction]]:
    """The polynomials and the products of the linear ones."""
    linear = [law for law in laws if law.linear]
    rows = [{(e, f): c for e, f, c in law.terms} for law in laws]
    for first, second in combinations_with_replacement(linear, 2):
        row: dict[tuple[int, int], Fraction] = {}
        for _, e, a in first.terms:
            for _, f, b in second.terms:
                pair = (min(e, f), max(e, f))
                row[pair] = row.get(pair, Fraction(0)) + a * b
        rows.append(row)
    return rows


def compared(net: Network, seed: int) -> tuple[int, int, int]:
    """How many laws are proved (with products), how many more the samples leave, and how many
    polynomials samples of the whole system leave. All of the first are among the last."""
    found = find_laws(net, seed=seed, tries=1)
    dense = left_by_samples(net, Random(seed))
    place = {pair: k for k, pair in enumerate(monomials(net))}
    rows = np.zeros((0, len(place)), dtype=np.int64)
    for polynomial in with_products(list(found.laws)):
        row = np.zeros((1, len(place)), dtype=np.int64)
        for pair, c in polynomial.items():
            row[0, place[pair]] = c.numerator * pow(c.denominator, -1, LARGEST) % LARGEST
        rows = np.vstack([rows, row])
    assert rank(rows, LARGEST) == len(rows)  # independent, as listed
    assert rank(np.vstack([dense, rows]), LARGEST) == len(dense)  # inside
    assert found.all_quadratic == (not found.unproved)
    return len(rows), len(found.unproved), len(dense)


@settings(max_examples=25, deadline=None)
@given(ALIVE, st.integers(0, 3))
@example(linear_head(convolution(3, (1, 1), 2)), 0)
@example(with_bias(fully_connected([1, 2, 1], LINEAR)), 0)
@example(fully_connected([1, 2, 1], LINEAR), 0)
def test_the_graded_system_leaves_what_one_large_system_leaves(net, seed):
    assume(0 < net.parameter_count <= 8)
    proved, unproved, whole = compared(net, seed)
    assert proved + unproved == whole


@settings(max_examples=10, deadline=None)
@given(ODD, st.integers(0, 3))
def test_where_vertices_may_be_dead_no_law_is_excluded_by_samples(net, seed):
    """(The brute force draws few points at which deep vertices are alive: it may leave more.)"""
    assume(0 < net.parameter_count <= 8)
    proved, _, whole = compared(net, seed)
    assert proved <= whole


@settings(max_examples=12, deadline=None)
@given(networks(max_hidden=3, sharing=True), st.integers(1, 9))
def test_what_is_proved_does_not_depend_on_the_seed(net, seed):
    first, second = find_laws(net, tries=1), find_laws(net, seed=seed, tries=1)
    by_graph = [
        [law for law in found.laws if not isinstance(law.proof, Expansion)]
        for found in (first, second)
    ]
    assert by_graph[0] == by_graph[1]
    if first.all_quadratic and second.all_quadratic:
        assert first.quadratic == second.quadratic


@settings(max_examples=12, deadline=None)
@given(ODD)
def test_bounds_are_above_what_is_proved(net):
    found = find_laws(net, tries=1)
    assert found.independent <= found.bound <= net.parameter_count
    assert found.above is None or found.above >= len(found.laws) - found.idle


# what cannot be answered ------------------------------------------------------------------------
def test_a_block_that_is_too_large_is_not_bounded():
    net = linear_head(convolution(6, (2, 2), 3))
    found = find_laws(net, limit=5)
    assert found.above is None
    assert not found.all_quadratic
    assert found.quadratic == 3
    assert "not certified" in found.as_text()


def test_what_very_many_samples_leave_is_counted_and_not_looked_at(monkeypatch):
    """A chain so deep that no sample drawn reaches its end, as 200 ReLUs behind one another."""
    net = fully_connected([1] * 41, RELU)
    monkeypatch.setattr(Patterns, "draw", lambda self, random, count: nowhere_on(net, count))
    monkeypatch.setattr("graphs.laws.state.WORK", 10_000)
    monkeypatch.setattr("graphs.laws.state.vanishes", None)  # which takes a while for each
    found = find_laws(net, tries=1)
    assert found.above is None
    assert found.quadratic == len(found.laws) == 39
    assert "not certified that there is no other: the samples leave 821 more, " in found.as_text()


def nowhere_on(net, count):
    return np.zeros((net.vertex_count, count), dtype=bool)


def test_brackets_end_where_the_passes_are_long(monkeypatch):
    """3^(depth - 1) passes, each through every level."""
    net = fully_connected([1] * 30, RELU)
    monkeypatch.setattr("graphs.laws.lie.STEPS", 29 * 9)
    asked = []
    bracket = lie.bracket
    monkeypatch.setattr(lie, "bracket", lambda *words: asked.append(words[1]) or bracket(*words))
    find_laws(net, tries=1)
    assert max(map(len, asked)) <= 3


@pytest.mark.parametrize("large", ["fixed", "constant", "slope", "scale"])
def test_numbers_beyond_floats_are_refused(large):
    huge = Fraction(10**400)
    net = network(
        [("x", "h"), ("c", "h"), ("h", "o"), ("x", "o")],
        inputs=["x", "c"],
        outputs=["o"],
        activations={"h": leaky_relu(huge) if large == "slope" else RELU},
        fixed={("x", "o"): huge} if large == "fixed" else {},
        constants={"c": huge if large == "constant" else 1},
        scale_squares={"h": huge**2} if large == "scale" else {},
    )
    with pytest.raises(NetworkError, match=f"a {large}.* is beyond float64, .* a smaller number"):
        find_laws(net)


def test_a_smooth_vertex_that_nothing_reads_changes_no_law():
    """h beside x -> u -> o: as a linear vertex, it reaches no output."""
    edges = [("x", "h"), ("x", "u"), ("u", "o")]
    one, other = (
        network(edges, inputs=["x"], outputs=["o"], activations={"h": kind})
        for kind in (TANH, LINEAR)
    )
    assert find_laws(one).laws == find_laws(other).laws
    assert find_laws(one).all_quadratic
    assert find_laws(one).complete


def test_a_smooth_vertex_that_reads_nothing_is_a_constant():
    """b = sigmoid(0) = 1/2: nothing is certified, and no law is lost."""
    net = network(
        [("c", "b"), ("x", "u"), ("b", "u"), ("u", "o")],
        inputs=["x", "c"],
        outputs=["o"],
        activations={"b": SIGMOID},
        constants={"c": 0},
    )
    found = find_laws(net)
    assert not found.all_quadratic
    assert found.idle == 1
    (law,) = (law for law in found.laws if not law.linear)
    assert law.as_text(text_names(net)) == "w_x_u^2 + w_b_u^2 - w_u_o^2"


def test_smooth_activations_leave_the_laws_of_the_others():
    net = fully_connected([2, 3, 2, 2, 1], [RELU, TANH, LINEAR])
    found = find_laws(net)
    # 3 ReLU vertices before tanh, a pair of linear ones behind it
    assert found.named == {"lj22.lemma2a": 5, "lj22.lemma2b": 1}
    assert found.above is None
    assert not found.complete
    assert (
        "not certified that there is no other: gradients of smooth activations" in found.as_text()
    )
    assert find_laws(fully_connected([1, 1, 1], TANH)).laws == ()


def test_a_network_with_very_many_parameters_is_not_bounded(monkeypatch):
    monkeypatch.setattr("graphs.laws.find.MOST", 10)
    found = find_laws(fully_connected([3, 4, 2]))
    assert found.quadratic == found.independent == 4
    assert (found.above, found.bound) == (None, 20)
    assert "20 parameters, which is more than 10" in found.as_text()


def test_slopes_that_never_occur_together_are_refused():
    net = network(
        [("x", "u"), ("x", "v"), ("u", "o"), ("v", "o")],
        inputs=["x"],
        outputs=["o"],
        fixed={("x", "u"): 1, ("x", "v"): -1},
    )
    both = {net.index["u"]: Fraction(1), net.index["v"]: Fraction(1)}
    with pytest.raises(NetworkError, match="slopes u=1, v=1: give slopes that occur together"):
        find_laws(net, both)


def test_one_input_leaves_a_gap_that_is_told():
    """On a line, ReLU vertices with weights of one sign are active together: near a point there are
    laws for their pairs, which hold until a sign changes."""
    found = find_laws(fully_connected([1, 3, 1]))
    assert found.independent == 3
    assert found.bound > 3
    assert not found.complete
    assert "gap: 3 independent; at most" in found.as_text()


def test_leaky_slopes_count_as_kinks():
    found = find_laws(fully_connected([2, 3, 1], leaky_relu("1/10")))
    assert found.quadratic == found.bound == 3
