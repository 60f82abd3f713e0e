"""Nine false lemmas on networks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.planted.lemma import Planted, lemma, on_network
from graphs.activations import LINEAR, RELU
from graphs.composition import single_output, with_bias, without_dead_ends
from graphs.convolutions import convolution
from graphs.exact import preactivations
from graphs.families import fully_connected
from graphs.network import network
from verify.case import Case
from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    FULLY_CONNECTED,
    HOMOGENEOUS,
    RELU_OR_LINEAR,
)
from verify.point_hypotheses import DATA, DIFFERENTIABLE, DIFFERENTIABLE_LOSS, NONZERO_WEIGHTS
from verify.pool import Pool
from verify.vocabulary import Entries, Row, Scene, constant_entries

PLAIN = (FEEDFORWARD, HOMOGENEOUS, BIAS_FREE)
POOL = Pool(losses=("prescribed",), largest=5)
BIASED = Pool(losses=("prescribed",), largest=5, bias="A")
LAYERS = Pool(("fully connected",), ("relu",), examples=(2,), losses=("prescribed",), largest=5)
RELUS = Pool(activations=("relu", "linear"), losses=("prescribed",), largest=5)
SHARED = Pool(("convolution",), losses=("prescribed",), largest=5)


def twice(scene: Scene) -> Entries:
    """nu(2x) - 2 nu(x); a bias does not double."""
    return scene.per_example(scene.value_at(scene.inputs + scene.inputs), scene.value + scene.value)


def euler_by_depth(scene: Scene) -> Entries:
    """sum_e w_e dnu/dw_e - L nu: a path through a skip counts fewer times than L."""
    shares = scene.weights[:, None] * scene.gradients
    count = len(scene.cases)
    total = scene.arithmetic.sum_at(shares, scene.union.edge_owner, count)
    depths = [[max(case.network.depths)] for case in scene.cases]
    return scene.per_example(total, scene.arithmetic.array(depths) * scene.value)


def balance(scene: Scene) -> Entries:
    """d/dt of sum_in w^2 - sum_out w^2: with shared weights the rates of other edges come in."""
    rate = scene.weights * scene.velocity
    rate = rate + rate
    return scene.per_vertex(scene.into(rate), scene.out_of(rate))


def subadditive(scene: Scene) -> Entries:
    """nu(x_1) + nu(x_2) - nu(x_1 + x_2): convex in x with one hidden layer, not with more."""
    first, second = np.array([0] * scene.n), np.array([scene.n - 1] * scene.n)
    both = scene.value[:, first] + scene.value[:, second]
    moved = scene.inputs[:, first] + scene.inputs[:, second]
    return scene.per_example(both, scene.value_at(moved))


def path_norm(scene: Scene) -> Entries:
    """|x|^2 sum_p pi_p^2 - nu^2: paths from the same input add up before they are squared."""
    count = len(scene.cases)
    products = scene.along(scene.weights)
    squares = scene.over_paths(products * products)
    lengths = scene.arithmetic.sum_at(scene.inputs * scene.inputs, scene.input_owner, count)
    return scene.per_example(lengths * squares[:, None], scene.value * scene.value)


def bounded(scene: Scene) -> Entries:
    """10^30 - nu^2: there is no bound for all weights."""
    most = scene.arithmetic.array([[10**30] * scene.n] * len(scene.cases))
    return scene.per_example(most, scene.value * scene.value)


def layer_norms(scene: Scene) -> Entries:
    """Matrices of rank one that fit each other give equality with the factor 1."""
    union, count = scene.union, len(scene.cases)
    depths = np.concatenate([np.array(case.network.depths) for case in scene.cases])[union.heads]
    squares = scene.weights * scene.weights
    bound = scene.arithmetic.sum_at(scene.inputs * scene.inputs, scene.input_owner, count)
    for depth in range(1, int(depths.max()) + 1):
        here = depths == depth
        layer = scene.arithmetic.sum_at(squares[here], union.edge_owner[here], count)
        absent = [int(max(case.network.depths) < depth) for case in scene.cases]
        bound = bound * (layer + scene.arithmetic.array(absent))[:, None]
    share = scene.arithmetic.array([[Fraction(99, 100)]])
    return scene.per_example(bound * share, scene.value * scene.value)


def active_on_sums(scene: Scene) -> Entries:
    """1 where a vertex is active at x_1 and at x_2 but not at x_1 + x_2, behind the first layer."""
    return constant_entries(
        scene, [row for k in range(len(scene.cases)) for row in _sums(scene, k)]
    )


def _sums(scene: Scene, number: int) -> Iterator[Row]:
    case: Case = scene.cases[number]
    net, x, y = case.network, case.inputs[0], case.inputs[-1]
    points = (x, y, tuple(a + b for a, b in zip(x, y, strict=True)))
    first, second, both = (preactivations(net, case.weights, point) for point in points)
    for v in (*net.inner, *net.outputs):
        if first[v] > 0 and second[v] > 0:
            yield number, {"vertex": net.names[v]}, Fraction(both[v] <= 0)


def half_the_slopes(scene: Scene) -> Entries:
    """[z(x) >= 0] + [z(-x) >= 0] - 1 at each ReLU vertex that reads inputs: 1 where z = 0."""
    rows: list[Row] = []
    for number, case in enumerate(scene.cases):
        net = case.network
        for j, x in enumerate(case.inputs):
            z = preactivations(net, case.weights, x)
            for v in (*net.inner, *net.outputs):
                first = all(net.tails[e] in net.inputs for e in net.in_edges[v])
                if first and net.activations[v].kind == "relu":
                    label: dict[str, Any] = {"vertex": net.names[v], "example": j}
                    rows.append((number, label, Fraction(z[v] == 0)))
    return constant_entries(scene, rows)


def _wide(case: Case) -> bool:
    """At least two vertices in every layer but the last, at least one hidden layer."""
    depths = case.network.depths
    return max(depths) >= 2 and all(depths.count(d) >= 2 for d in range(max(depths)))


def _last_weights(case: Case) -> list[int]:
    net = case.network
    return [net.parameter_of[e] for e in net.in_edges[net.outputs[0]]]


def _positive_last(case: Case, random: Any) -> Case:
    last = set(_last_weights(case))
    return case.with_weights([abs(w) if k in last else w for k, w in enumerate(case.weights)])


LAST_POSITIVE = Hypothesis(
    "last weights not negative",
    r"the weights into the output are at least $0$, the output is linear",
    by_case(
        lambda case: (
            all(case.weights[p] >= 0 for p in _last_weights(case))
            and case.network.activations[case.network.outputs[0]] == LINEAR
        )
    ),
    _positive_last,
)
WIDE = Hypothesis(
    "wide", "a hidden layer; at least two vertices in every layer but the last", by_case(_wide)
)
NONZERO_INPUTS = Hypothesis(
    "no input 0",
    r"no coordinate of an example is $0$",
    by_case(lambda case: all(map(all, case.inputs))),
)

CHAIN = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
SKIP = network([("x", "h"), ("h", "o"), ("x", "o")], inputs=["x"], outputs=["o"])
TWO_PATHS = network([("x", "h"), ("x", "k"), ("h", "o"), ("k", "o")], inputs=["x"], outputs=["o"])
DEEP = fully_connected([2, 2, 1, 1], RELU)
EVEN = fully_connected([2, 2, 1], RELU)
SMALL = fully_connected([2, 1, 1], RELU)
WINDOW = without_dead_ends(single_output(convolution(2, (1, 1), 1, 1, 0, activation=LINEAR)))

FALSE_NETWORKS = (
    Planted(
        lemma(
            "false.twice",
            Kind.IDENTITY,
            r"$\nu(2x)=2\nu(x)$ for positively homogeneous activations.",
            twice,
            BIASED,
            FEEDFORWARD,
            HOMOGENEOUS,
        ),
        1,
        "a hypothesis is missing: no bias",
        lambda: on_network(with_bias(CHAIN, ["o"]), [1, 1, 1], [1]),
    ),
    Planted(
        lemma(
            "false.euler-by-depth",
            Kind.IDENTITY,
            r"$\sum_ew_e\,\partial\nu/\partial w_e=L\nu$, $L$ the length of the longest path.",
            euler_by_depth,
            POOL,
            *PLAIN,
            DIFFERENTIABLE,
        ),
        1,
        "true of layered networks only",
        lambda: on_network(SKIP, [1, 1, 1], [1]),
    ),
    Planted(
        lemma(
            "false.balance",
            Kind.LAW,
            r"$\frac{d}{dt}\big(\sum_{u}w_{uv}^2-\sum_bw_{vb}^2\big)=0$ for every hidden $v$.",
            balance,
            SHARED,
            *PLAIN,
            DIFFERENTIABLE,
            DIFFERENTIABLE_LOSS,
            DATA,
        ),
        1,
        "a hypothesis is missing: each edge has a weight of its own",
        lambda: on_network(WINDOW, [1, 1, 1], ["1/2", "1/2"]),
    ),
    Planted(
        lemma(
            "false.subadditive",
            Kind.INEQUALITY,
            r"$\nu(x_1+x_2)\le\nu(x_1)+\nu(x_2)$ for fully connected ReLU networks whose last "
            r"weights are at least $0$.",
            subadditive,
            LAYERS,
            *PLAIN,
            LAST_POSITIVE,
        ),
        2,
        "true with at most one hidden layer",
        lambda: on_network(DEEP, [1, -1, 1, 1, -1, 1, 1], [1, 0], [0, 1]),
    ),
    Planted(
        lemma(
            "false.path-norm",
            Kind.INEQUALITY,
            r"$\nu(x)^2\le\lVert x\rVert^2\sum_{p\in\mathcal P}\prod_{e\in p}w_e^2$.",
            path_norm,
            RELUS,
            *PLAIN,
            RELU_OR_LINEAR,
        ),
        2,
        "paths that start at one input",
        lambda: on_network(TWO_PATHS, [1, 1, 1, 1], [1]),
    ),
    Planted(
        lemma(
            "false.bounded",
            Kind.INEQUALITY,
            r"$\nu(x)^2\le10^{30}$ for $\lVert x\rVert\le1$.",
            bounded,
            RELUS,
            *PLAIN,
            DATA,
        ),
        3,
        "false for large weights only",
        lambda: on_network(CHAIN, [10**8, 10**8], [1]),
    ),
    Planted(
        lemma(
            "false.layer-norms",
            Kind.INEQUALITY,
            r"$\nu(x)^2\le0.99\,\lVert x\rVert^2\prod_l\lVert W_l\rVert_F^2$ for fully connected "
            "ReLU networks of width at least 2.",
            layer_norms,
            LAYERS,
            *PLAIN,
            FULLY_CONNECTED,
            WIDE,
        ),
        4,
        "a constant too sharp by 1 %",
        lambda: on_network(EVEN, [1] * 6, ["1/2", "1/2"]),
    ),
    Planted(
        lemma(
            "false.active-on-sums",
            Kind.IDENTITY,
            r"A vertex with positive pre-activation at $x_1$ and at $x_2$ has one at $x_1+x_2$.",
            active_on_sums,
            LAYERS,
            *PLAIN,
            exact_only=True,
        ),
        3,
        "true in the first layer",
        lambda: on_network(DEEP, [1, -1, -1, 1, 1, 1, 1], [1, 0], [0, 1]),
    ),
    Planted(
        lemma(
            "false.half-the-slopes",
            Kind.IDENTITY,
            r"$[z_v(x)\ge0]+[z_v(-x)\ge0]=1$ at every ReLU vertex that reads inputs, where no "
            "weight and no input is 0.",
            half_the_slopes,
            RELUS,
            *PLAIN,
            NONZERO_WEIGHTS,
            NONZERO_INPUTS,
            exact_only=True,
        ),
        3,
        "false at kinks only",
        lambda: on_network(SMALL, [1, -1, 1], [1, 1]),
    ),
)
