"""Theorem 3, part 3: the explicit network of completely positive kernels, solved by hand."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import isclose, log
from random import Random

import numpy as np
import pytest

from graphs.algebraic import Enclosure
from graphs.arithmetic import as_fraction
from tests.verify.arrays import entries_of
from tests.verify.language.values import worth
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import number, tensor_of
from verify.language.building import Whole, eye, rows
from verify.language.terms import lifted
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.j23 import kernel_network as network
from verify.papers.j23 import matrix_notation
from verify.papers.j23.kernel_cases import kernel_pool
from verify.papers.j23.kernel_network import A
from verify.papers.registry import find
from verify.search.certificates import answer
from verify.search.judging import judge_exactly

SMOKE = looking("smoke", 3)
CI = looking("ci", 3)
F = Fraction
AXES = {"A": ("m", "n"), "Oin": ("i", "n"), "Oout": ("o", "m"), "X": ("N", "n")}
TURN = [[F(3, 5), F(4, 5)], [F(-4, 5), F(3, 5)]]


def case(**arrays):
    made = {
        name: tensor_of(AXES[name], value) if name in AXES else number(value, integer=name == "L")
        for name, value in arrays.items()
    }
    return Tensors(made, {}, "")


def alone(linear, **depth):
    return case(A=linear, **depth)


def embedded(linear, inner, outer, points, depth, slope=0):
    return case(A=linear, Oin=inner, Oout=outer, X=points, a=slope, L=depth)


def scalar(s, depth, point=1, inner=1, outer=1, slope=0):
    return embedded([[s]], [[inner]], [[outer]], [[point]], depth, slope)


def measured(claim, made):
    """The entries, hypotheses met or not; floats where the numbers are real."""
    free = replace(find(f"j23.thm3.3.{claim}"), hypotheses=())
    return [
        float((value.low + value.high) / 2) if isinstance(value, Enclosure) else value
        for _, value in entries_of(free, made)
    ]


# the network --------------------------------------------------------------------------------------
def squares(made, *, exchanged):
    """|W_l|_F^2 of all layers."""
    last = A if exchanged else eye(rows(A))
    square = partial(network.square_of_layer, last=last, exchanged=exchanged)
    return [worth(square(lifted(m)), made) for m in range(1, made.whole("L") + 1)]


def test_layers_by_hand():
    # t = 4: G_1 = 1/2 + 2, so W_1^2 = 5/2, and W_2^2 is 2/5 as printed, 4 2/5 with A at the end
    assert squares(scalar(2, 2), exchanged=False) == [F(5, 2), F(2, 5)]
    assert squares(scalar(2, 2), exchanged=True) == [F(5, 2), F(8, 5)]
    # at depth 3 printed 1/3 + 2/3 4 = 3 first, exchanged 2/3 + 1/3 4 = 2
    assert squares(scalar(2, 3), exchanged=False)[0] == 3
    assert squares(scalar(2, 3), exchanged=True)[0] == 2


def test_the_identity_of_the_outputs_needs_a_square():
    made = embedded([[2, 0]], [[1, 0]], [[1]], [[3, 4]], 2)
    assert measured("construct.b", made) == []
    assert measured("construct.b.fix", made) == [0]
    assert len(measured("norm.a", made)) == 1


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_outputs_by_hand(depth):
    # as printed P x: 3 instead of 6
    assert measured("construct.b", scalar(2, depth, point=3)) == [9]
    assert measured("construct.b.fix", scalar(2, depth, point=3)) == [0]
    # and (3, 0) instead of (6, 0), with a kernel; at depth 1 the identity: (3, 4)
    made = embedded([[2, 0], [0, 0]], [[1, 0]], [[1, 0]], [[3, 4]], depth)
    assert measured("construct.b", made) == [9 if depth > 1 else 25]
    assert measured("construct.b.fix", made) == [0]


@pytest.mark.parametrize(
    "changes",
    [
        {"inner": 2},
        {"outer": 2},
        {"inner": -1},
        {"outer": -1},
        {"point": -3},
        {"slope": 5},
        {"slope": 1},
        {"slope": -1},
    ],
)
def test_hypotheses_are_looked_at(changes):
    for claim, violated in (("construct.b", True), ("construct.b.fix", False)):
        of = find(f"j23.thm3.3.{claim}")
        assert bool(judge_exactly(of, scalar(2, 2, point=3)).violations) is violated
        assert not judge_exactly(of, scalar(2, 2, **{"point": 3, **changes})).admitted
        assert not judge_exactly(of, scalar(2, 0, point=3)).violations  # no network


def test_hidden_activations_by_hand():
    made = embedded(TURN, TURN, [[1, 0], [0, 1]], [[4, 3], [1, 0]], 3)
    # TURN x = (24/5, -7/5) and (3/5, -4/5): cut off, (7/5)^2 and (4/5)^2, by both halves of B
    assert measured("construct.a", made)[:2] == [F(49, 25), F(16, 25)]
    up = embedded([[2]], [[1]], [[1]], [[3]], 3)
    assert measured("construct.a", up) == [0, 0]
    # cut off at the first layer: B_l 3, of squared length G_l 9 with G = 1/3 + 8/3 and 2/3 + 4/3
    down = scalar(2, 3, point=-3)
    assert measured("construct.a", down) == [27, 18]
    # with slope 1/2: half of it is missing after the first layer, three quarters after the second
    leaky = scalar(2, 3, point=-3, slope=F(1, 2))
    assert measured("construct.a", leaky) == [27 * F(1, 4), 18 * F(9, 16)]


def test_other_square_roots_give_the_same_outputs():
    """Rows of roots of p and 1 - p instead of copies with rational factors."""
    random = Random(3)
    for _ in range(8):
        made = kernel_pool(matrix_notation.a, Whole("L", 2, 4)).draw(
            random, n=2, loss="", large=False
        )
        depth = made.whole("L")
        inner, linear, outer, x = (
            np.array(made.matrix(name), dtype=float) for name in ("Oin", "A", "Oout", "X")
        )
        for exchanged in (False, True):
            roots = [np.eye(len(linear[0]))]
            for k in range(1, depth):
                p = 1 - k / depth if exchanged else k / depth
                roots.append(np.concatenate([p**0.5 * inner, (1 - p) ** 0.5 * outer @ linear]))
            here = x.T
            for before, root in pairwise(roots):
                here = np.maximum(root @ np.linalg.pinv(before, rcond=1e-9) @ here, 0)
            here = np.linalg.pinv(roots[-1], rcond=1e-9) @ here
            if exchanged:
                assert np.allclose(linear @ here, linear @ x.T)
            elif len(linear) == len(linear[0]):
                away = ((here - linear @ x.T) ** 2).sum(axis=0)
                told = [float(as_fraction(value)) for value in measured("construct.b", made)]
                assert np.allclose(away, told)


# its norm -----------------------------------------------------------------------------------------
def test_traces_by_hand():
    assert measured("norm.a", scalar(2, 3)) == [0, 0, 0]
    # O_in doubled: the kernels are 4/3 + 8/3 and 8/3 + 4/3 instead of 3 and 2; 4, 1, 1/4
    assert measured("norm.a", scalar(2, 3, inner=2)) == [1, 1 - F(2, 3), F(1, 4) - F(1, 2)]
    assert measured("norm.a", scalar(2, 1)) == [0]


def test_limits_by_hand():
    # |A|^2 - k is 4 - 1, and 25 + 1/4 - 2
    assert measured("norm.b", alone([[2]])) == [3]
    assert measured("norm.b", alone([[5, 0, 0], [0, F(1, 2), 0]])) == [F(93, 4)]
    assert measured("norm.b", alone(TURN)) == [0]
    assert measured("norm.b", alone([[0, 0]])) == [0]
    assert isclose(measured("norm.c", alone([[2]]))[0], 3 - log(4))
    assert isclose(measured("norm.c", alone([[5, 0], [0, F(1, 2)]]))[0], 93 / 4 - log(25 / 4))
    assert isclose(measured("norm.d", alone([[2]]))[0], 3 - 2 * log(4), rel_tol=1e-8)
    assert measured("norm.d", alone(TURN)) == [0]


@pytest.mark.parametrize("s", [F(1, 3), F(2), F(3)])
def test_the_printed_network_tends_to_the_limits(s):
    """The layers of deep networks, by their Gram matrices: W_l^2 = G_l / G_(l-1)."""
    t, depth = s**2, 4000
    grams = [1 - F(k, depth) * (1 - 1 / t) for k in range(depth)]  # over t
    layers = [grams[1] * t, *(a / b for a, b in zip(grams[2:], grams[1:], strict=False))]
    layers.append(1 / (grams[-1] * t))
    assert len(layers) == depth
    first, total = float(layers[0]), sum(map(float, layers)) - depth
    assert isclose(first - 1, measured("norm.b", alone([[s]]))[0], abs_tol=0.01)
    minus_logarithm = first - 1 - log(first)
    assert isclose(minus_logarithm, measured("norm.c", alone([[s]]))[0], abs_tol=0.01)
    twice = measured("norm.d", alone([[s]]))[0] + log(t)
    assert isclose(total, twice, abs_tol=0.01)


def test_the_sum_converges_by_hand():
    # t = 4, L = 2: 5/2 + 2/5 - 2, the limit 3 - log 4; the room (4 + 1/4 - 2)/2
    above, below = measured("norm.b.sum", alone([[2]], L=2))
    assert isclose(above, 3 - log(4) - 0.9)
    assert isclose(below, 9 / 8 - above)
    assert measured("norm.b.sum", alone([[2]], L=1)) == []


def test_the_repaired_norms_by_hand():
    # exchanged at L = 2: layers 5/2 and 8/5, 41/10 in all
    below, above = measured("norm.d.fix", alone([[2]], L=2))
    assert isclose(below, 4.1 - 2 - log(4))
    assert isclose(above, 9 / 8 - below)
    # C = 9/2 of t = 4, over 4
    one, other = measured("norm.c.fix", alone([[2]], L=2))
    assert isclose(one, 9 / 8 - (1.5 - log(2.5)))
    assert isclose(other, 9 / 8 - (0.6 - log(1.6)))
    # of t = 1/4: C = (3/4)^2 / (2/16) = 9/2; g = 1, 5/8, 1/4
    one, other = measured("norm.c.fix", alone([[F(1, 2)]], L=2))
    assert isclose(one, 9 / 8 + 3 / 8 + log(5 / 8))
    assert isclose(other, 9 / 8 + 3 / 5 + log(2 / 5))


def test_parameters_by_hand():
    made = scalar(2, 2)
    assert isclose(float(worth(network.above_bound(A), made)), 2.1 - log(4))
    assert worth(network.SIZE, made) == F(41, 10)
    assert worth(network.room(A), made) == F(9, 8)
    assert not any(measured("norm.e", made))
    # O_in reflected: at -1 nothing is left of its half. G_1^-1 (0 + 2 2 (1/2)) is 2 2/5
    reflected = scalar(2, 2, inner=-1)
    assert any(measured("norm.e", reflected))
    assert measured("construct.b.fix", reflected) == [(2 * F(4, 5) - 2) ** 2]


# what the engine finds ----------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["construct.b", "norm.b", "norm.c", "norm.d"])
def test_what_is_printed_is_refuted(name):
    found = pointwise(find(f"j23.thm3.3.{name}"), SMOKE)
    assert found.outcome is Outcome.REFUTES
    assert answer(found.certificate)["exit"] == 0


TRUE = ["construct.a", "construct.b.fix", "norm.a", "norm.b.sum", "norm.c.fix", "norm.d.fix"]


@pytest.mark.parametrize("name", [*TRUE, "norm.e"])
def test_what_is_true_is_supported(name):
    assert pointwise(find(f"j23.thm3.3.{name}"), SMOKE).outcome is Outcome.SUPPORTS


POSITIVE = {"positive inputs", "positive outputs"}


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("construct.a", POSITIVE),
        ("construct.b.fix", POSITIVE),
        ("norm.e", {"embedding Oin", "embedding Oout"} | POSITIVE),
    ],
)
def test_what_is_needed(name, needed):
    found = necessity(find(f"j23.thm3.3.{name}"), CI)
    assert {need.hypothesis for need in found.needs if need.needed} == needed
    assert all(answer(need.certificate)["exit"] == 0 for need in found.needs if need.needed)
