"""What is said around Theorem 6: the constant at optimal parameters, and the rates in the depth.

The constant. f(x) = diag(s) x on the positive orthant, s_i > 0: the network with all W_l =
diag(s^(1/L)) has |theta|^2 = L sum_i s_i^(2/L), and none has less (`j23.schatten`). So R^(0) = k,
the number of the s_i, and R^(1) = 2 sum_i log s_i. With t = 2 log s_i / L, L (e^t - 1 - t) lies
between 0 and L t^2/2 max(1, e^t) (Taylor): so far is L sum_i s_i^(2/L) - k L from R^(1).

The rates. (a), (b): as printed, with the constant that Theorem 6 gives, on all networks:
O(L^(-1/2)) means at most (C/p)^(1/2) L^(-1/2) with C = c_1 - 2 log|Jf(x)|_+ in all but p L layers.
(c): exponents along an explicit sequence for f(x) = (x_1, ..., x_k): layers diag(1 + u_i/sqrt L)
and diag(1/(1 + u_i/sqrt L)) in turn beside a neuron of weight t/sqrt L and bias h/sqrt L. Since
(1 + v)^2 + (1 + v)^-2 - 2 <= 4 v^2 for v >= 0, |theta|^2 <= k L + 2 |u|^2 + t^2 + h^2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from verify.core.claim import Claim, Kind
from verify.kinds.statistics.rate import Claimed, Rate
from verify.language.building import Each, Sum, Vector, Whole, dim, examples, larger, log, upto
from verify.language.terms import Term
from verify.papers.j23.network_notation import K, weight
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import SHARE, WITH_SHARE
from verify.papers.j23.theorem6_notation import most_layers, share, value
from verify.papers.j23.theorem6_words import GIVEN
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

# the constant at optimal parameters ---------------------------------------------------------------
S, DEPTH = Vector("s", "d", meaning="the singular values of $f$"), Whole("L", 1, 100)
LEAST_NORM = DEPTH * Sum(upto(dim(S)), lambda i: S[i] ** (2 / DEPTH))
FIRST_CORRECTION = 2 * Sum(upto(dim(S)), lambda i: log(S[i]))
DISTANCE = LEAST_NORM - dim(S) * DEPTH - FIRST_CORRECTION  # c_1 - R^(1)
BOUND = 2 / DEPTH * Sum(upto(dim(S)), lambda i: log(S[i]) ** 2 * larger(1, S[i] ** (2 / DEPTH)))
POSITIVE = Given(
    "optimal parameters",
    Each(upto(dim(S)), lambda i: S[i] > 0),
    r"$f(x)=\mathrm{diag}(s)x$ on the positive orthant, $s_i>0$, and $\theta$ of least norm: "
    r"$\lVert\theta\rVert^2=R(f;\Omega,L)=L\sum_is_i^{2/L}$, with $k=R^{(0)}(f;\Omega)$",
    lambda case, random: with_entries(
        case, "s", [abs(entry) or Fraction(1) for entry in case.arrays["s"].entries]
    ),
)
OPTIMAL = stated(
    "j23.thm6.opt@B",
    printed("Section 4, after Theorem 6"),
    "the constant at optimal parameters",
    r"At optimal parameters $c_1\to R^{(1)}(f_\theta)$ as $L\to\infty$: "
    r"$0\le\lVert\theta\rVert^2-kL-R^{(1)}(f_\theta)\le\frac2L\sum_i\log^2s_i\max(1,s_i^{2/L})$.",
    (DISTANCE >= 0) & (DISTANCE <= BOUND),
    [POSITIVE],
    depends=("j23.schatten@A",),
    pool=pool_with(S, DEPTH, largest=3),
    reading="B",
    reading_text=r"in the limit, with an explicit bound of order $1/L$",
    through="where the cost is known, a bound of order $1/L$ stands for the limit "
    "(docs/mathematics/j23.md#rates-of-theorem-6)",
)


# the rates ----------------------------------------------------------------------------------------
def _near_1(m: Term, x: Term) -> Term:
    """Whether k singular values are so near 1, squared."""
    return Each(upto(K), lambda i: (value(weight(m), i) - 1) ** 2 <= share(x))


def _near_0(m: Term, x: Term) -> Term:
    """Whether the next one is so near 0, squared."""
    return value(weight(m), K + 1) ** 2 <= share(x)


CONSTANT = r"with $C=c_1-2\log|Jf_\theta(x)|_+$, for at least $(1-p)L$ layers $\ell$"


def _rate(part: str, title: str, text: str, near: Callable[[Term, Term], Term]) -> Claim:
    return stated(
        f"j23.rates.{part}",
        printed("Abstract; Section 1.1; Section 6"),
        title,
        text,
        Each(examples(), lambda p: most_layers(lambda m: near(m, p))),
        (*GIVEN, SHARE),
        depends=("j23.thm15.b",),
        pool=WITH_SHARE,
        through="the order with its constant, by the number of layers in Theorem 6 "
        "(docs/mathematics/j23.md#rates-of-theorem-6)",
    )


RATE_A = _rate(
    "a",
    "k singular values near 1",
    r"Almost all $W_\ell$ have $k$ singular values that are $O(L^{-1/2})$ close to 1: "
    rf"{CONSTANT}, $|s_i(W_\ell)-1|\le\sqrt{{C/p}}\,L^{{-1/2}}$ for $i\le k$.",
    _near_1,
)
RATE_B = _rate(
    "b",
    "the other singular values",
    r"All other singular values of almost all $W_\ell$ are $O(L^{-1/2})$: "
    rf"{CONSTANT}, $s_{{k+1}}(W_\ell)\le\sqrt{{C/p}}\,L^{{-1/2}}$.",
    _near_0,
)

LEFT_OUT = 0.1  # p: the share of layers that need not be near
POINTS = 12
LADDERS = ((16, 64, 256), (16, 36, 64, 144, 256, 576, 1024), (16, 64, 256, 1024, 4096))


def sequence(depth: int, number: int) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """The weights and biases of the network of an even depth in the sequence of that number, which
    fixes k, u, t, h and the points (k, POINTS): layers k + 1 wide but for the input and the output,
    which are k wide."""
    root = np.sqrt(depth)
    own = np.random.default_rng(number)
    k = int(own.integers(1, 4))
    u, (t, h) = own.uniform(0.2, 1.0, k), own.uniform(0.2, 1.0, 2)
    points = own.uniform(0.5, 2.0, (k, POINTS))
    weights, biases = [], []
    for layer in range(1, depth + 1):
        scale = 1 + u / root
        rows = k + (layer < depth)
        weight = np.zeros((rows, k + (layer > 1)))
        weight[:k, :k] = np.diag(scale if layer % 2 else 1 / scale)
        bias = np.zeros(rows)
        if layer < depth:
            bias[k] = h / root
        if 1 < layer < depth:
            weight[k, k] = t / root
        weights.append(weight)
        biases.append(bias)
    return weights, biases, points


def samples(depth: int, seeds: int, generator: np.random.Generator) -> Mapping[str, np.ndarray]:
    """In all layers but a tenth: how far k singular values are from 1, and how large the next ones
    of W_l and of the pre-activations of positive points are."""
    found: dict[str, list[float]] = {name: [] for name in ("near 1", "others", "preactivations")}
    for number in range(seeds):
        weights, biases, alpha = sequence(depth, number)
        k = len(alpha)
        per_layer: list[tuple[float, float, float]] = []
        for matrix, bias in zip(weights, biases, strict=True):
            pre = matrix @ alpha + bias[:, None]
            alpha = np.maximum(pre, 0)
            values = np.linalg.svd(matrix, compute_uv=False)
            of_points = np.linalg.svd(pre / np.sqrt(POINTS), compute_uv=False)
            if len(values) > k:  # not the first and the last layer
                away = float(np.abs(values[:k] - 1).max())
                per_layer.append((away, float(values[k]), float(of_points[k])))
        rows = np.quantile(np.array(per_layer), 1 - LEFT_OUT, axis=0)
        for name, entry in zip(found, rows, strict=True):
            found[name].append(float(entry))
    return {name: np.array(values) for name, values in found.items()}


HALF = Fraction(-1, 2)
ALLOWED = Fraction(1, 20)
RATE_C = Claim(
    "j23.rates.c",
    Kind.RATE,
    printed("Abstract; Section 1.1; Section 6"),
    "exponents along an explicit sequence",
    r"Almost all $W_\ell$ have $R^{(0)}(f)$ singular values that are $O(L^{-1/2})$ close to 1, all "
    r"the others are $O(L^{-1/2})$; the pre-activations of a data set at almost every layer are "
    r"approximately $R^{(0)}(f)$-dimensional: the $(k+1)$-th singular value is $O(L^{-1/2})$.",
    depends=("j23.thm15.b",),
    rate=Rate(
        size="depth",
        ladders=LADDERS,
        seeds=(8, 24, 64),
        samples=samples,
        claimed=tuple(
            Claimed(name, None, HALF, ALLOWED) for name in ("near 1", "others", "preactivations")
        ),
        scope=(
            (
                "explicit sequences of networks with a fixed f, norm at most k L plus a constant, "
                "and positive points; k from 1 to 3"
            ),
            "of each network the nine tenths of the layers with the smallest value",
        ),
    ),
    through="exponents along explicit sequences of networks with a fixed function stand for all "
    "sequences (docs/mathematics/j23.md#rates-of-theorem-6)",
)

CLAIMS = (OPTIMAL, RATE_A, RATE_B, RATE_C)
