"""Nine true lemmas on networks, each with its proof in the docstring of its measure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from benchmarks.planted.false_networks import (
    LAST_POSITIVE,
    LAYERS,
    PLAIN,
    POOL,
    RELUS,
    balance,
    euler_by_depth,
    half_the_slopes,
    subadditive,
    twice,
)
from benchmarks.planted.lemma import lemma
from graphs.exact import preactivations
from verify.case import Case
from verify.claim import Kind
from verify.hypotheses import Hypothesis, by_case
from verify.network_hypotheses import (
    FEEDFORWARD,
    FULLY_CONNECTED,
    INCIDENT_LEARNABLE,
    RELU_OR_LINEAR,
)
from verify.point_hypotheses import DATA, DIFFERENTIABLE, DIFFERENTIABLE_LOSS
from verify.pool import Pool
from verify.vocabulary import Entries, Row, Scene, constant_entries

LAYERED = Pool(("fully connected",), losses=("prescribed",), largest=5)


def doubled(scene: Scene) -> Entries:
    """Proof: by induction over the vertices, sigma(2z) = 2 sigma(z)."""
    return twice(scene)


def euler_in_layers(scene: Scene) -> Entries:
    """Proof: nu is a sum over paths, all of length L; each weight of a path gives its term once."""
    return euler_by_depth(scene)


def vertex_balance(scene: Scene) -> Entries:
    """Proof: w dnu/dw, summed over the in-edges and over the out-edges of v, both are the sum over
    the paths through v; so along the gradient flow both sums of squares change at one rate."""
    return balance(scene)


def convex_with_one_layer(scene: Scene) -> Entries:
    """Proof: with one hidden layer nu is a sum of a relu(<w, x>) with a >= 0 (without one it is
    linear): convex and positively homogeneous in x, hence subadditive."""
    return subadditive(scene)


def path_norm_one(scene: Scene) -> Entries:
    """Proof: nu = sum_p x_p Z_p pi_p with Z_p in {0, 1} and |x_p| <= |x|."""
    count = len(scene.cases)
    norm = scene.over_paths(scene.along(scene.absolute_weights))
    lengths = scene.arithmetic.sum_at(scene.inputs * scene.inputs, scene.input_owner, count)
    return scene.per_example(lengths * (norm * norm)[:, None], scene.value * scene.value)


def gated(scene: Scene) -> Entries:
    """Proof: max(z, 0) is 0 or z, and a linear vertex has z."""
    return scene.per_computed_vertex_and_example(scene.post * scene.post, scene.post * scene.pre)


def active_in_first_layer(scene: Scene) -> Entries:
    """Proof: a pre-activation in the first layer is linear in x."""
    rows = [row for k in range(len(scene.cases)) for row in _sums(scene, k)]
    return constant_entries(scene, rows)


def _sums(scene: Scene, number: int) -> Iterator[Row]:
    case: Case = scene.cases[number]
    net, x, y = case.network, case.inputs[0], case.inputs[-1]
    points = (x, y, tuple(a + b for a, b in zip(x, y, strict=True)))
    first, second, both = (preactivations(net, case.weights, point) for point in points)
    for v in (*net.inner, *net.outputs):
        reads = all(net.tails[e] in net.inputs for e in net.in_edges[v])
        if reads and first[v] > 0 and second[v] > 0:
            yield number, {"vertex": net.names[v]}, Fraction(both[v] <= 0)


def half_off_kinks(scene: Scene) -> Entries:
    """Proof: one of z and -z is negative where z is not 0."""
    return half_the_slopes(scene)


def output_share(scene: Scene) -> Entries:
    """Proof: nu is sigma(z) with z linear in the weights into o; Euler's identity at o."""
    shares = scene.into(scene.weights[:, None] * scene.gradients)[scene.union.outputs]
    return scene.per_example(shares, scene.value)


SHALLOW = Hypothesis(
    "at most one hidden layer",
    "at most one hidden layer",
    by_case(lambda case: max(case.network.depths) <= 2),
)

TRUE_NETWORKS = (
    lemma(
        "true.doubled",
        Kind.IDENTITY,
        r"$\nu(2x)=2\nu(x)$ for positively homogeneous activations and no bias.",
        doubled,
        POOL,
        *PLAIN,
    ),
    lemma(
        "true.euler-in-layers",
        Kind.IDENTITY,
        r"$\sum_ew_e\,\partial\nu/\partial w_e=L\nu$ for fully connected networks of $L$ layers.",
        euler_in_layers,
        LAYERED,
        *PLAIN,
        DIFFERENTIABLE,
        FULLY_CONNECTED,
    ),
    lemma(
        "true.vertex-balance",
        Kind.LAW,
        r"$\frac{d}{dt}\big(\sum_{u}w_{uv}^2-\sum_bw_{vb}^2\big)=0$ for every hidden $v$ whose "
        "edges have weights of their own.",
        vertex_balance,
        POOL,
        *PLAIN,
        DIFFERENTIABLE,
        DIFFERENTIABLE_LOSS,
        DATA,
        INCIDENT_LEARNABLE,
    ),
    lemma(
        "true.convex-with-one-layer",
        Kind.INEQUALITY,
        r"$\nu(x_1+x_2)\le\nu(x_1)+\nu(x_2)$ for ReLU networks with at most one hidden layer "
        "whose last weights are at least $0$.",
        convex_with_one_layer,
        LAYERS,
        *PLAIN,
        LAST_POSITIVE,
        SHALLOW,
    ),
    lemma(
        "true.path-norm",
        Kind.INEQUALITY,
        r"$\nu(x)^2\le\lVert x\rVert^2\big(\sum_{p\in\mathcal P}\prod_{e\in p}|w_e|\big)^2$.",
        path_norm_one,
        RELUS,
        *PLAIN,
        RELU_OR_LINEAR,
    ),
    lemma(
        "true.gated",
        Kind.IDENTITY,
        r"$\sigma(z)^2=\sigma(z)\,z$ at every vertex that is ReLU or linear.",
        gated,
        RELUS,
        *PLAIN,
        RELU_OR_LINEAR,
    ),
    lemma(
        "true.active-in-first-layer",
        Kind.IDENTITY,
        r"A vertex of the first layer with positive pre-activation at $x_1$ and at $x_2$ has one "
        r"at $x_1+x_2$.",
        active_in_first_layer,
        LAYERS,
        *PLAIN,
        exact_only=True,
    ),
    lemma(
        "true.half-off-kinks",
        Kind.IDENTITY,
        r"$[z_v(x)\ge0]+[z_v(-x)\ge0]=1$ at every ReLU vertex that reads inputs, where no kink is.",
        half_off_kinks,
        RELUS,
        *PLAIN,
        DIFFERENTIABLE,
        exact_only=True,
    ),
    lemma(
        "true.output-share",
        Kind.IDENTITY,
        r"$\sum_{e\in\mathrm{IN}_o}w_e\,\partial\nu/\partial w_e=\nu$.",
        output_share,
        POOL,
        FEEDFORWARD,
        *PLAIN[1:],
        DIFFERENTIABLE,
    ),
)
