"""Theorem 3, part 3: the explicit network of completely positive kernels, and its norm.

As printed K_p = p K_in + (1 - p) K_out at p = l/L begins near A^T A and ends near P, while W_1 =
B_1 and W_L = I B_(L-1)^+ take the ends the other way round: the outputs are P x, and the norm is
L k + |A|_F^2 - k - 2 log |A|_+ + O(1/L). With K_in and K_out exchanged and B_L = A it is as
claimed.

Parts b to e speak of A alone: every A has domains for which all hypotheses hold, since a thin cone
around some x with P x not 0 is completely positive, and so is its image.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.real_arrays import RealScene, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.stacked import kernel, stacked_norm
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.kernel_cases import EMBEDDED, IN, OUT, SLOPE, kernel_pool, stacked_root
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed

WHERE = "proof of Theorem 11 (3)"


def _square(values: Matrix) -> Any:
    return (values * values).sum()


def _ratio(one: Matrix, other: Matrix) -> Any:
    """Tr G G'^+ of two Gram matrices."""
    return (one * reals.pseudo_inverse(other).T).sum()


def _identity(size: int) -> Matrix:
    matrix: Matrix = RATIONALS.array([[int(i == j) for j in range(size)] for i in range(size)])
    return matrix


# the network --------------------------------------------------------------------------------------
def roots(case: Tensors, *, exchanged: bool) -> list[Matrix]:
    """B_0 = I to B_L: the square roots of the kernels; B_L is I_out, exchanged A."""
    depth, matrix = case.whole("L"), exact(case, "A")
    inner = [stacked_root(case, k, depth, exchanged=exchanged) for k in range(1, depth)]
    last = matrix if exchanged else _identity(len(matrix))
    return [_identity(matrix.shape[1]), *inner, last]


def weights(case: Tensors, *, exchanged: bool) -> list[Matrix]:
    """W_l = B_l B_(l-1)^+ from l = 1 on, as far as shapes fit (I_out asks that d_in = d_out)."""
    found = roots(case, exchanged=exchanged)
    pairs = list(zip(found[1:], found[:-1], strict=True))
    return [
        one @ reals.pseudo_inverse(other) for one, other in pairs if one.shape[1] == other.shape[1]
    ]


def _run(case: Tensors, layers: Sequence[Matrix]) -> list[Matrix]:
    """(N, .): the pre-activations of each layer at the points."""
    slope, here, found = number(case, "a"), exact(case, "X"), []
    for weight in layers:
        z = here @ weight.T
        found.append(z)
        here = np.where(z < 0, z * slope, z)
    return found


def hidden_residual(scene: RealScene) -> Entries:
    """|q_l(x) - B_l x|^2 at every hidden layer and point."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        depth, points = case.whole("L"), exact(case, "X")
        if depth < 2:
            continue
        found, slope = roots(case, exchanged=False), number(case, "a")
        pre = _run(case, weights(case, exchanged=False)[: depth - 1])
        for layer in range(1, depth):
            z = pre[layer - 1]
            difference = np.where(z < 0, z * slope, z) - points @ found[layer].T
            for at in range(len(points)):
                rows.append((place, {"layer": layer, "point": at}, _square(difference[at])))
    return entries_of(rows)


def output_residual(scene: RealScene, *, exchanged: bool) -> Entries:
    """|p_L(x) - A x|^2 at every point, where the shapes fit."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        depth, points = case.whole("L"), exact(case, "X")
        found = weights(case, exchanged=exchanged) if depth > 0 else []
        if depth > 0 and len(found) == depth:
            difference = _run(case, found)[-1] - points @ exact(case, "A").T
            rows += [(place, {"point": at}, _square(difference[at])) for at in range(len(points))]
    return entries_of(rows)


CHOICE = (
    r"For all $L$ and $\ell=1,\dots,L-1$ choose $B_{L,\ell}$ with $K_{p=\frac\ell L}(x,y)="
    r"x^TB_{L,\ell}^TB_{L,\ell}y$, $W_\ell=B_{L,\ell}B_{L,\ell-1}^+$, "
)
PRINTED = (
    CHOICE + r"$K_p=pK_{in}+(1-p)K_{out}$, $B_{L,0}=I_{d_{in}}$, $B_{L,L}=I_{out}$, no biases. "
)
EXCHANGED = CHOICE + r"$K_p=(1-p)K_{in}+pK_{out}$, $B_{L,0}=I_{d_{in}}$, $B_{L,L}=A$, no biases. "
DEPTHS = ("L", 1, 4)
DEPENDS = ("j23.thm3.3.cp.b",)

HIDDEN = Claim(
    "j23.thm3.3.construct.a",
    Kind.IDENTITY,
    printed(WHERE),
    "the explicit network: hidden activations",
    PRINTED
    + r"For any $x\in\Omega$ the activation of the $\ell$-th hidden layer is $B_{L,\ell}x$. "
    r"($B_{L,\ell}$: copies of $O_{in}$ and $O_{out}A$ with rational factors.)",
    (SLOPE, *EMBEDDED),
    DEPENDS,
    measure=hidden_residual,
    pool=kernel_pool(DEPTHS),
    exact_only=True,
)


def _output(*, exchanged: bool) -> Claim:
    return Claim(
        "j23.thm3.3.construct.b" + (".fix" if exchanged else ""),
        Kind.IDENTITY,
        printed(WHERE),
        "the explicit network: outputs" + (", roles exchanged" if exchanged else ""),
        (EXCHANGED if exchanged else PRINTED) + r"In the end $p^{(L)}(x)=Ax$ for any $x\in\Omega$.",
        (SLOPE, *EMBEDDED),
        DEPENDS,
        measure=partial(output_residual, exchanged=exchanged),
        pool=kernel_pool(DEPTHS),
        repairs="j23.thm3.3.construct.b" if exchanged else None,
        exact_only=True,
        why=""
        if exchanged
        else r"$K_{\ell/L}$ begins near $K_{out}$ and ends near $K_{in}$, and $B_{L,L}$ is an "
        r"identity: nothing applies $A$, and the outputs are $P_{\mathrm{Im}A^T}x$.",
    )


# its norm -----------------------------------------------------------------------------------------
def trace_residual(scene: RealScene) -> Entries:
    """|W_l|_F^2 - Tr[B_l^T B_l (B_(l-1)^T B_(l-1))^+] with the Gram matrices as displayed inside
    and the identities at the two ends."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        depth, matrix = case.whole("L"), exact(case, "A")
        if depth < 1:
            continue
        inner = [kernel(matrix, 1 - rational(Fraction(k, depth))) for k in range(1, depth)]
        grams = [_identity(matrix.shape[1]), *inner, _identity(len(matrix))]
        for layer, weight in enumerate(weights(case, exchanged=False), start=1):
            trace = _ratio(grams[layer], grams[layer - 1])
            rows.append((place, {"layer": layer}, _square(weight) - trace))
    return entries_of(rows)


def _spectrum(case: Tensors) -> list[Any]:
    """The non-zero eigenvalues of A^T A."""
    return reals.squared_singular_values(exact(case, "A"))


def first_layer_limit(scene: RealScene) -> Entries:
    """The limit of |W_1|_F^2 - Rank A: |W_1|_F^2 = Tr[1/L P + (1 - 1/L) A^T A]."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        matrix = exact(case, "A")
        rows.append((place, {"layer": 1}, _square(matrix) - rank(matrix)))
    return entries_of(rows)


def first_layer_logarithm(scene: RealScene) -> Entries:
    """The limit of |W_1|_F^2 - Rank A - sum_i 2 log s_i(W_1)."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        matrix = exact(case, "A")
        log = reals.log(reals.pseudo_determinant_squared(matrix))
        rows.append((place, {"layer": 1}, _square(matrix) - rank(matrix) - log))
    return entries_of(rows)


def total_limit(scene: RealScene) -> Entries:
    """The limit of sum_l |W_l|_F^2 - L Rank A - 2 log |A|_+ for the network as printed, A square.

    The first layer gives |A|_F^2 - k, the last one 0, and the others, in a basis of eigenvectors,
    sums of (1 - t)/(L t + (l - 1)(1 - t)), in the limit -log t: all in all -2 log |A|_+.
    """
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        matrix = exact(case, "A")
        log = reals.log(reals.pseudo_determinant_squared(matrix))
        if matrix.shape[0] == matrix.shape[1]:
            rows.append((place, {}, _square(matrix) - rank(matrix) - log * 2))
    return entries_of(rows)


def convergence_slack(scene: RealScene) -> Entries:
    """How far sum_l |W_l|_F^2 - L k is below its limit, for the network as printed, of square A: at
    least 0, at most (|A|_F^2 + |A^+|_F^2 - 2 k)/L.

    For each eigenvalue it is the integral of (1 - t)/(t + (1 - t) x), which falls, over [0, 1]
    minus the sum of its values at l/L, l = 1, ..., L, over L.
    """
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        matrix, depth = exact(case, "A"), case.whole("L")
        if depth < 2 or matrix.shape[0] != matrix.shape[1]:
            continue
        k, flat = rank(matrix), np.asarray(matrix, dtype=object)
        grams = [kernel(flat, 1 - rational(Fraction(j, depth))) for j in range(1, depth)]
        total = _trace(grams[0]) + _trace(reals.pseudo_inverse(grams[-1])) - depth * k
        for one, other in zip(grams[1:], grams[:-1], strict=True):
            total = total + _ratio(one, other)
        log = reals.log(reals.pseudo_determinant_squared(matrix))
        missing = _square(matrix) - k - log - total
        rows.append((place, {"part": "above"}, missing))
        rows.append((place, {"part": "below"}, _room(matrix, depth) - missing))
    return entries_of(rows)


def _room(matrix: Matrix, depth: int) -> Any:
    """(|A|_F^2 + |A^+|_F^2 - 2 k)/L, the sum of the (t - 1)^2 / (t L)."""
    sizes = _square(matrix) + _square(reals.pseudo_inverse(matrix))
    return (sizes - 2 * rank(matrix)) / rational(depth)


def _trace(matrix: Matrix) -> Any:
    return sum((matrix[i, i] for i in range(len(matrix))), rational(0))


def layer_slack(scene: RealScene) -> Entries:
    """C/L^2 - | |W_l|_F^2 - k - log |G_l|_+ + log |G_(l-1)|_+ | for the exchanged network, at every
    layer, where C is the sum of (t - 1)^2 / (2 min(1, t)^2)."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        matrix, depth = exact(case, "A"), case.whole("L")
        if depth < 1:
            continue
        bound: Any = rational(0)
        for t in _spectrum(case):
            away = (t - 1) / t if t < 1 else t - 1
            bound = bound + away * away
        grams = [kernel(matrix, rational(Fraction(j, depth))) for j in range(depth + 1)]
        squares = [_product(gram) for gram in grams]
        for layer in range(1, depth + 1):
            log = reals.log(squares[layer] / squares[layer - 1])
            rest = abs(_ratio(grams[layer], grams[layer - 1]) - rank(matrix) - log)
            rows.append((place, {"layer": layer}, bound / rational(2 * depth * depth) - rest))
    return entries_of(rows)


def _product(gram: Matrix) -> Any:
    """|G|_+ of a positive semidefinite matrix, a root of a square."""
    return reals.sqrt(reals.pseudo_determinant_squared(gram))


def _totals(case: Tensors) -> tuple[Any, Any]:
    """sum_l |W_l|_F^2 - L k - 2 log |A|_+ of the exchanged network, and the bound on it."""
    matrix, depth = exact(case, "A"), case.whole("L")
    log = reals.log(reals.pseudo_determinant_squared(matrix))
    return stacked_norm(matrix, depth) - depth * rank(matrix) - log, _room(matrix, depth)


def total_slack(scene: RealScene) -> Entries:
    """The sum over the layers lies between L k + 2 log |A|_+ and that plus C/L."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        if case.whole("L") > 0:
            total, bound = _totals(case)
            rows += [(place, {"part": "below"}, total), (place, {"part": "above"}, bound - total)]
    return entries_of(rows)


def existence_slack(scene: RealScene) -> Entries:
    """Parameters that represent x -> A x on the points, with |theta|^2 <= L k + 2 log |A|_+ + C/L:
    those of the exchanged network."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        if case.whole("L") < 1:
            continue
        found = weights(case, exchanged=True)
        missed = _square(_run(case, found)[-1] - exact(case, "X") @ exact(case, "A").T)
        total, bound = _totals(case)
        size = sum((_square(weight) for weight in found), rational(0))
        same = abs(size - stacked_norm(exact(case, "A"), case.whole("L")))
        rows += [(place, {"part": "outputs"}, -missed), (place, {"part": "layers"}, -same)]
        rows.append((place, {"part": "norm"}, bound - total))
    return entries_of(rows)


NORM = r"For the network of the construction: "
LIMITS = (
    "each eigenvalue of $A^TA$ has a chain of its own, whose norm and its limit are known "
    "(docs/mathematics/j23.md#its-norm)"
)
WHY = r"As printed $K_{\ell/L}$ begins near $K_{out}$ and ends near $K_{in}$, "
MATRICES = TensorPool((("A", ("m", "n")),), (("L", 1, 4),), largest=2, adapt=as_real)
ALONE = TensorPool((("A", ("m", "n")),), largest=3, adapt=as_real)
SQUARES = TensorPool((("A", ("n", "n")),), largest=3, adapt=as_real)
SQUARE_DEPTHS = TensorPool((("A", ("n", "n")),), (("L", 1, 8),), largest=3, adapt=as_real)
LAYER = (
    r"$\lVert W_\ell\rVert_F^2-\mathrm{Rank}A=\sum_{i=1}^{\mathrm{Rank}A}2\log s_i(W_\ell)+"
    r"O(L^{-2})=\log|B_{L,\ell}^TB_{L,\ell}|_+-\log|B_{L,\ell-1}^TB_{L,\ell-1}|_++O(L^{-2})$"
)
TOTAL = (
    r"$\sum_{\ell=1}^L\lVert W_\ell\rVert_F^2-L\,\mathrm{Rank}A=2\log|A|_+-"
    r"2\log|I_{\mathrm{Im}A^T}|_++O(L^{-1})$"
)


def _norm(part: str, title: str, words: str, kind: Kind, **more: Any) -> Claim:
    return Claim(
        f"j23.thm3.3.norm.{part}",
        kind,
        printed(WHERE + ", last displays"),
        "norm of the explicit network: " + title,
        words,
        depends=more.pop("depends", ("j23.thm3.3.construct.a",)),
        exact_only=True,
        **more,
    )


NORMS = (
    _norm(
        "a",
        "layers as traces",
        PRINTED + r"$\lVert W_\ell\rVert_F^2=\mathrm{Tr}\big[B_{L,\ell}^TB_{L,\ell}(B_{L,\ell-1}^T"
        r"B_{L,\ell-1})^+\big]$, with $B_{L,\ell}^TB_{L,\ell}=\frac\ell LP_{\mathrm{Im}A^T}+"
        r"(1-\frac\ell L)A^TA$. (The conventions hold at $\ell=0$ and $L$.)",
        Kind.IDENTITY,
        hypotheses=(IN, OUT),
        measure=trace_residual,
        pool=kernel_pool(DEPTHS),
    ),
    _norm(
        "b",
        "limit of a layer",
        NORM + r"$\lVert W_\ell\rVert_F^2\to\mathrm{Rank}A$. (The entry is the limit of the "
        r"difference at $\ell=1$, where $W_1=B_{L,1}$.)",
        Kind.IDENTITY,
        measure=first_layer_limit,
        pool=ALONE,
        through=LIMITS,
        why=WHY + r"so $\lVert W_1\rVert_F^2=\mathrm{Tr}B_{L,1}^TB_{L,1}\to\lVert A\rVert_F^2$.",
    ),
    _norm(
        "b.sum",
        "the sum converges",
        NORM + r"$\sum_\ell\lVert W_\ell\rVert_F^2-L\,\mathrm{Rank}A$ converges to a finite value. "
        r"(For $A$ of equal shapes: from below, the distance to the limit is at most "
        r"$\big(\lVert A\rVert_F^2+\lVert A^+\rVert_F^2-2\mathrm{Rank}A\big)/L$.)",
        Kind.INEQUALITY,
        measure=convergence_slack,
        pool=SQUARE_DEPTHS,
        through=LIMITS,
    ),
    _norm(
        "c",
        "a layer by logarithms",
        NORM + LAYER + r". (The entry is the limit of the first difference at $\ell=1$. Printed: "
        r"$s_i(W_i)$.)",
        Kind.IDENTITY,
        measure=first_layer_logarithm,
        pool=ALONE,
        through=LIMITS,
        why=WHY
        + r"so at $\ell=1$ the left side tends to $\lVert A\rVert_F^2-\mathrm{Rank}A$ and the "
        r"logarithms to $2\log|A|_+$.",
    ),
    _norm(
        "c.fix",
        "a layer by logarithms, roles exchanged",
        EXCHANGED
        + LAYER
        + r", the constant being $\sum_i(t_i-1)^2/(2\min(1,t_i)^2)$, $t_i=s_i(A)^2$.",
        Kind.INEQUALITY,
        measure=layer_slack,
        pool=MATRICES,
        through=LIMITS,
        repairs="j23.thm3.3.norm.c",
    ),
    _norm(
        "d",
        "the total",
        NORM + TOTAL + r". (The entry is the limit of the difference, of $A$ of equal shapes.)",
        Kind.IDENTITY,
        depends=("j23.thm3.3.norm.c",),
        measure=total_limit,
        pool=SQUARES,
        through=LIMITS,
        why=WHY + r"so the first layer costs more than the sum of the logarithms tells: the left "
        r"side tends to $\lVert A\rVert_F^2-\mathrm{Rank}A-2\log|A|_+$.",
    ),
    _norm(
        "d.fix",
        "the total, roles exchanged",
        EXCHANGED + TOTAL + r", and the rest is between $0$ and $\big(\lVert A\rVert_F^2+"
        r"\lVert A^+\rVert_F^2-2\mathrm{Rank}A\big)/L$.",
        Kind.INEQUALITY,
        depends=("j23.thm3.3.norm.c.fix",),
        measure=total_slack,
        pool=MATRICES,
        through=LIMITS,
        repairs="j23.thm3.3.norm.d",
    ),
    _norm(
        "e",
        "parameters of this norm",
        r"There are parameters with $\lVert\theta\rVert^2=L\,\mathrm{Rank}A+2\log|A|_++O(L^{-1})$ "
        r"that represent $x\mapsto Ax$ on $\Omega$. (Those with the roles exchanged; the constant "
        r"as there.)",
        Kind.INEQUALITY,
        depends=("j23.thm3.3.construct.b.fix", "j23.thm3.3.norm.d.fix"),
        hypotheses=(SLOPE, *EMBEDDED),
        measure=existence_slack,
        pool=kernel_pool(DEPTHS),
        through=LIMITS,
    ),
)

CLAIMS = (HIDDEN, _output(exchanged=False), _output(exchanged=True), *NORMS)
