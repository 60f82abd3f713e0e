"""Proposition 19: stochastic gradients of the last layer where its input has rank one (Appendix H).

The last layer has weights V = W_(L+1) (o, d) and inputs H (d, N), the loss is any l(y, z) >= 0 that
is differentiable: an instance holds its gradients g_i at the samples, and where the errors matter
its values (`gradient_losses`). Row k of dL_i/dV is a_i = g_ik h_i, which is (97), derived for every
loss and measured for the squared one.

The factor of (96) is some real number, for all samples at which its quotient is defined. a_i is a
multiple of a_j exactly where all minors of (a_i, a_j) are 0, if a_j is not 0, and else where a_i is
0. Of step (d), printed as h_i = c h_i, the right side is h_j.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.gradient_cases import (
    COLUMNS,
    LAST_LAYER,
    LINEAR_OR_RELU,
    NOT_ZERO_C,
    RANK_ONE,
    SQUARED,
    TWO_COLUMNS,
    WITH_ERRORS,
    WITH_NETWORK,
    WITH_NUMBER,
    error_gradients,
    representation,
)
from verify.papers.dkbhl20.gradient_losses import (
    ERRORS,
    LOSS,
    SLOPES,
    TWO_SLOPES,
)
from verify.papers.dkbhl20.gradient_proofs import (
    chain_rule,
    cosines_are_one,
    minors_vanish,
    multiples_have_the_factor,
    some_factor_exists,
)
from verify.papers.dkbhl20.sources import printed
from verify.vocabulary import Entries


# gradients ----------------------------------------------------------------------------------------
class Gradients:
    """a_i for every neuron and sample of a scene."""

    def __init__(self, scene: ChainScene) -> None:
        self.scene = scene
        self.hidden = representation(scene)
        self.slopes = error_gradients(scene)

    @property
    def neurons(self) -> range:
        """Of the output."""
        return range(self.slopes.shape[1])

    @property
    def samples(self) -> range:
        """N of them."""
        return range(self.slopes.shape[2])

    def slope(self, k: int, i: int) -> Array:
        """(C,): component k of the gradient of the loss at sample i."""
        return self.slopes[:, k, i]

    def column(self, i: int) -> Array:
        """(C, d): h_i."""
        return self.hidden[:, :, i]

    def row(self, k: int, i: int) -> Array:
        """(C, d): a_i, the gradient of L_i in row k of V."""
        return self.scene.scaled(self.column(i), self.slope(k, i))

    def dot(self, one: Array, other: Array) -> Array:
        """(C,)."""
        return (one * other).sum(1)

    def zero(self, values: Array) -> np.ndarray:
        """(C,) boolean: which numbers are 0."""
        return np.asarray(self.scene.arithmetic.may_be_zero(values), dtype=bool)


def minors(found: Gradients, k: int, i: int, j: int) -> Array:
    """(C,): the sum of the squared minors of (a_i, a_j)."""
    a, b, total = found.row(k, i), found.row(k, j), found.scene.constant(0)
    for p, q in combinations(range(a.shape[1]), 2):
        minor = a[:, p] * b[:, q] - a[:, q] * b[:, p]
        total = total + minor * minor
    return total


def multiple_residual(scene: ChainScene) -> Entries:
    """The squared minors of (a_i, a_j), or |a_i|^2 where a_j is 0: 0 exactly for a multiple."""
    found, parts = Gradients(scene), []
    for k in found.neurons:
        for i in found.samples:
            for j in found.samples:
                a, b = found.row(k, i), found.row(k, j)
                missing = found.zero(found.dot(b, b))
                value = np.where(missing, found.dot(a, a), minors(found, k, i, j))
                parts.append(({"row": k, "entry": [i, j]}, value, scene.constant(0)))
    return scene.parts(parts)


def alignment_residual(scene: ChainScene) -> Entries:
    """The squared minors of (a_i, a_j), i <= j: 0 exactly where they lie on one line."""
    found = Gradients(scene)
    return scene.parts(
        [
            ({"row": k, "entry": [i, j]}, minors(found, k, i, j), scene.constant(0))
            for k in found.neurons
            for i in found.samples
            for j in found.samples
            if i <= j
        ]
    )


def cosine_residual(scene: ChainScene) -> Entries:
    """(a_i . a_j)^2 - |a_i|^2 |a_j|^2, i <= j: 0 exactly where a_i/|a_i| is a_j/|a_j| or its
    negative."""
    found, parts = Gradients(scene), []
    for k in found.neurons:
        for i in found.samples:
            for j in found.samples[i:]:
                a, b = found.row(k, i), found.row(k, j)
                inner, squares = found.dot(a, b), found.dot(a, a) * found.dot(b, b)
                parts.append(({"row": k, "entry": [i, j]}, inner * inner, squares))
    return scene.parts(parts)


def derivative_residual(scene: ChainScene) -> Entries:
    """Twice the derivative of L_i in V_kp, of a square the difference of its values at V_kp + 1 and
    V_kp - 1, against 2 g_ik h_ip."""
    found, parts = Gradients(scene), []
    outputs = scene["V"] @ found.hidden - scene["Y"]
    for i in found.samples:
        for k in found.neurons:
            rest = outputs[:, k, i]
            for p in range(found.hidden.shape[1]):
                step = found.hidden[:, p, i]
                up, down = (rest + step) * (rest + step), (rest - step) * (rest - step)
                label = {"point": i, "row": k, "column": p}
                parts.append((label, up - down, scene.share(found.row(k, i)[:, p], 2)))
    return scene.parts(parts)


def step_residual(scene: ChainScene) -> Entries:
    """|g_jk a_i - c g_ik a_j|^2 for the first sample i and the last one j; |a_i|^2 where g_jk is 0
    and there is no quotient."""
    found, parts = Gradients(scene), []
    i, j = 0, found.samples[-1]
    for k in found.neurons:
        a, b = found.row(k, i), found.row(k, j)
        left = scene.scaled(a, found.slope(k, j))
        apart = left - scene.scaled(b, found.slope(k, i) * scene["c"])
        missing = found.zero(found.slope(k, j))
        value = np.where(missing, found.dot(a, a), found.dot(apart, apart))
        parts.append(({"row": k}, value, scene.constant(0)))
    return scene.parts(parts)


# claims -------------------------------------------------------------------------------------------
PLACE = "Proposition 19, Appendix H"
FACTOR = (
    r"Consider a network with rank one hidden representations in the last layer; then for any "
    r"neuron $k$ and any two datapoints $i,j$ with non-zero errors $\mathcal L_i$ and "
    r"$\mathcal L_j$, "
    r"$\nabla_{W_{L+1,[k,:]}}\mathcal L_i(\mathbf W)=\frac{c(\nabla\ell_i)_k}{(\nabla\ell_j)_k}"
    r"\nabla_{W_{L+1,[k,:]}}\mathcal L_j(\mathbf W)$, the factor being a real number."
)
FACTORS = Claim(
    "dkbhl20.prop19.a@B",
    Kind.IDENTITY,
    printed(f"eq. (96), {PLACE}"),
    "gradients of one neuron are multiples of each other",
    FACTOR,
    (RANK_ONE, LOSS, ERRORS, SLOPES),
    ("dkbhl20.prop19.c", "dkbhl20.prop19.d@B"),
    multiple_residual,
    WITH_ERRORS,
    "B",
    r"$c$ is some real number, and the quotient is defined; $\ell$ is any differentiable loss, "
    r"given by its values and gradients at the samples",
    exact_only=True,
    why=r"The column $\widehat H_{L,j}$ of a rank one $\widehat H_L$ can be $0$; then the right "
    r"side is $0$ whatever $c$ is, and $(\nabla\ell_i)_k\widehat H_{L,i}$ is not.",
)
MENDED = replace(
    FACTORS,
    id="dkbhl20.prop19.a@B.fix",
    title=FACTORS.title + ", repaired",
    statement=FACTOR[:-1] + r", where $(\nabla\ell_j)_k\ne0$ and $\widehat H_{L,j}\ne0$.",
    hypotheses=(RANK_ONE, SLOPES, COLUMNS),
    pool=LAST_LAYER,
    repairs="dkbhl20.prop19.a@B",
    reading_text=r"$c$ is some real number; $\ell$ is any differentiable loss",
    proof=some_factor_exists,
    why="",
)
ALIGNED = Claim(
    "dkbhl20.prop19.b",
    Kind.IDENTITY,
    printed(f"after eq. (96), {PLACE}"),
    "gradients of one neuron align",
    r"Under the hypotheses of (96) all stochastic gradients of neuron $k$ in the final "
    r"classification layer align along one single direction in $\mathbb R^d$, whatever "
    r"differentiable loss $\ell$.",
    (RANK_ONE, LOSS, ERRORS),
    ("dkbhl20.prop19.c",),
    alignment_residual,
    WITH_ERRORS,
    proof=minors_vanish,
)
CHAIN_RULE = Claim(
    "dkbhl20.prop19.c",
    Kind.IDENTITY,
    printed("eq. (97), proof of Proposition 19"),
    "the gradient of the last layer",
    r"$\frac{\partial\mathcal L_i}{\partial W_{L+1}}=\nabla_{W_{L+1}\widehat H_{L,i}}"
    r"\ell(y_i,W_{L+1}\widehat H_{L,i})\,(\widehat H_{L,i})^\top$, whose row $k$ is "
    r"$(\nabla\ell_i)_k\widehat H_{L,i}$, for a differentiable loss $\ell$ (the instances have the "
    r"squared one, the argument any).",
    measure=derivative_residual,
    pool=SQUARED,
    proof=chain_rule,
)
STEP = Claim(
    "dkbhl20.prop19.d@B",
    Kind.IDENTITY,
    printed("after eq. (97), proof of Proposition 19"),
    "rows of the gradients of proportional columns",
    r"If $\widehat H_{L,i}=c\,\widehat H_{L,j}$ with $c\in\mathbb R\setminus\{0\}$, row $k$ of "
    r"$\partial\mathcal L_i/\partial W_{L+1}$ is $c\,\frac{\nabla\ell_{i,k}}{\nabla\ell_{j,k}}$ "
    r"times row $k$ of $\partial\mathcal L_j/\partial W_{L+1}$.",
    (TWO_COLUMNS, NOT_ZERO_C, TWO_SLOPES),
    ("dkbhl20.prop19.c",),
    step_residual,
    WITH_NUMBER,
    "B",
    r"$\widehat H_{L,i}=c\,\widehat H_{L,j}$, where the quotient is defined; $\ell$ is any "
    r"differentiable loss",
    exact_only=True,
    proof=multiples_have_the_factor,
)
UNIT = Claim(
    "dkbhl20.prop19.e",
    Kind.IDENTITY,
    printed("Section 3.2, implications of rank collapse"),
    "unit gradients agree up to sign",
    r"Under the hypotheses of (96), for gradients divided by their norms, "
    r"$\nabla_{W_{L+1,k}}\mathcal L_i=\mp\nabla_{W_{L+1,k}}\mathcal L_j$ for any $i,j$, whatever "
    r"differentiable loss.",
    (RANK_ONE, SLOPES, COLUMNS),
    ("dkbhl20.prop19.b",),
    cosine_residual,
    LAST_LAYER,
    proof=cosines_are_one,
)
NETWORKS = Claim(
    "dkbhl20.prop19.f",
    Kind.IDENTITY,
    printed("Section 3.2 and Appendix H"),
    "gradients align in linear and ReLU networks",
    r"With rank one hidden representations $\widehat H_L=\sigma(WX)$ in the last layer, the "
    r"stochastic gradients $(\nabla\ell_i)_k\widehat H_{L,i}$ of any neuron $k$ in the last linear "
    r"layer align, for $\sigma$ the identity and for $\sigma$ the ReLU, whatever "
    r"differentiable loss $\ell$.",
    (RANK_ONE, LINEAR_OR_RELU),
    ("dkbhl20.prop19.b",),
    alignment_residual,
    WITH_NETWORK,
    exact_only=True,
    proof=minors_vanish,
)

CLAIMS = (FACTORS, MENDED, ALIGNED, CHAIN_RULE, STEP, UNIT, NETWORKS)
