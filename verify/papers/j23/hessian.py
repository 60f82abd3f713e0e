"""Narrowness in Section 4: the Hessian of the squared loss and the tangent kernel's Gram matrix.

The paper does not write out its squared loss: it is (1/(2 N)) sum |f(x_i) - y_i|^2, with which the
printed equations have their factor 1/N. The Hessian is that in all parameters, and so is the
tangent kernel.

Away from kinks f is a polynomial in the parameters, affine in each layer, so that the Hessian is
(1/N) (J^T J + sum_i r_i . d^2 f(x_i)) with residuals r_i, and the second derivatives are products:
by an entry (u, v) of W_m and (p, q) of W_l, l < m, J(alpha~_m -> f)_u J(alpha~_l -> alpha_(m-1))_vp
alpha_(l-1),q; by entries of one layer, or of b_m and a layer below it, they are 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.balanced import CLIMBED_NOWHERE
from verify.kinds.deep.hypotheses import K_AT_LEAST_1, NORM_BOUND, RANK, SLOPE, SMOOTH, at_least_0
from verify.kinds.deep.networks import Deep, tensor_of
from verify.kinds.deep.pool import gaussian, pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_measures import (
    counted,
    growth,
    inverse_k,
    jacobian_power,
    jacobian_square,
    mean_activation_square,
    said,
    smallest,
    total,
)

LABELS = (("Y", ("N", "nL")),)
NETWORKS = pool(depths=(1, 2, 2, 3), widest=2, extras=LABELS)
LARGER = pool(depths=(1, 2, 2, 3), extras=LABELS, gaps=("gap2",), points=(1, 2, 2, 3, 3))
RANKED = pool(
    depths=(2, 2, 3), widest=2, points=(2, 2, 3), gaps=("gap", "gap2"), whole=(("k", 0, 3),)
)
POINTS = pool(depths=(1, 2, 2, 3), points=(1, 2, 3))


# labels -------------------------------------------------------------------------------------------
def _interpolates(case: Deep) -> bool:
    return bool((case.exact.outputs[0] == case.matrix("Y")).all())


def _to_outputs(case: Deep, random: Random) -> Deep:
    """The labels become the outputs."""
    array = case.arrays["Y"]
    return case.changing(Y=tensor_of(array.axes, case.exact.outputs[0]))


def _moved_labels(case: Deep, random: Random) -> Deep:
    array = case.arrays["Y"]
    entries = tuple(entry + gaussian(random) for entry in array.entries)
    return case.changing(Y=replace(array, entries=entries))


INTERPOLATES = Hypothesis(
    "interpolation",
    r"$f_\theta(x_i)=y_i$ for every $i$",
    by_case(_interpolates),
    _to_outputs,
    _moved_labels,
    thin=True,
)
TRACE_BOUND = at_least_0(
    "gap2",
    "kernel bound",
    r"$\mathrm{Tr}H\le cL$: here $cL$ is its value plus $\mathrm{gap2}\ge0$",
)


# the loss -----------------------------------------------------------------------------------------
def parameter_jacobian(scene: DeepScene, at: int) -> Array:
    """(C, n_L, P): the derivatives of f by W_1 (row by row), b_1, W_2, ..."""
    parts = []
    for layer in range(1, scene.depth + 1):
        behind = scene.from_pre(layer, at)
        parts += [scene.kronecker(behind, _row(scene, layer - 1, at)), behind]
    return scene.beside(*parts)


def _row(scene: DeepScene, layer: int, at: int) -> Array:
    """(C, 1, n_l): alpha_l as a row."""
    activations = scene.post(layer)[:, at]
    return activations.reshape(len(scene.cases), 1, scene.width(layer))


def _residuals(scene: DeepScene, at: int) -> Array:
    """(C, 1, n_L): f(x) - y."""
    difference = scene.outputs[:, at] - scene["Y"][:, at]
    return difference.reshape(len(scene.cases), 1, scene.width(scene.depth))


def second_derivatives(scene: DeepScene, at: int) -> Array:
    """(C, P, P): the Hessian of r . f with r = f(x) - y held fixed."""
    blocks: dict[tuple[int, int], Array] = {}
    for lower in range(1, scene.depth + 1):
        between = scene.identity(lower)
        for upper in range(lower + 1, scene.depth + 1):
            between = scene.rows_scaled(between, scene.slopes(upper - 1)[:, at])
            gains = scene.transpose(_residuals(scene, at) @ scene.from_pre(upper, at))
            inner = scene.beside(scene.kronecker(between, _row(scene, lower - 1, at)), between)
            blocks[upper, lower] = _with_bias_rows(scene, scene.kronecker(gains, inner), upper)
            between = scene.weight(upper) @ between
    return _symmetric(scene, blocks)


def _with_bias_rows(scene: DeepScene, block: Array, layer: int) -> Array:
    """The block of a layer's weights, with rows 0 for its biases."""
    return scene.above(block, _zeros(scene, scene.width(layer), block.shape[2]))


def _zeros(scene: DeepScene, rows: int, columns: int) -> Array:
    count = len(scene.cases)
    return scene.arithmetic.array([0] * (count * rows * columns)).reshape(count, rows, columns)


def _symmetric(scene: DeepScene, blocks: dict[tuple[int, int], Array]) -> Array:
    """The matrix with these blocks below the diagonal, their transposes above, 0 on it."""
    layers = range(1, scene.depth + 1)
    sizes = {m: scene.width(m) * (scene.width(m - 1) + 1) for m in layers}
    rows = []
    for m in layers:
        parts = []
        for n in layers:
            if n < m:
                parts.append(blocks[m, n])
            elif n > m:
                parts.append(scene.transpose(blocks[n, m]))
            else:
                parts.append(_zeros(scene, sizes[m], sizes[m]))
        rows.append(scene.beside(*parts))
    return scene.above(*rows)


def hessian(scene: DeepScene) -> Array:
    """(C, P, P): of the loss in all parameters."""
    terms = [
        scene.gram(parameter_jacobian(scene, at)) + second_derivatives(scene, at)
        for at in range(scene.count)
    ]
    factor = scene.constant(Fraction(1, scene.count)).reshape(len(scene.cases), 1, 1)
    return total(terms) * factor


def norm_defect(scene: DeepScene) -> Entries:
    """|H|_op - |Theta(X, X)|_op / N."""
    kernel = scene.largest_eigenvalue(scene.kernel_gram(biases=True))
    right = scene.share(kernel, Fraction(1, scene.count))
    return scene.compare(scene.symmetric_norm(hessian(scene)), right)


def trace_defect(scene: DeepScene) -> Entries:
    """Tr H - Tr Theta(X, X) / N."""
    kernel = scene.trace(scene.kernel_gram(biases=True))
    right = scene.share(kernel, Fraction(1, scene.count))
    return scene.compare(scene.trace(hessian(scene)), right)


LOSS = r"loss $\frac1{2N}\sum_i\lVert f(x_i)-y_i\rVert^2$"
NORMS = Claim(
    "j23.hessian.op@BA",
    Kind.IDENTITY,
    printed("Section 4, bullets on narrowness"),
    "operator norms of the Hessian and of the tangent kernel",
    r"For the squared loss, at any interpolating function, "
    r"$\lVert H\rVert_{op}=\frac1N\lVert\Theta^{(L)}(X,X)\rVert_{op}$.",
    (SLOPE, SMOOTH, INTERPOLATES),
    measure=norm_defect,
    pool=NETWORKS,
    reading="BA",
    reading_text=f"{LOSS}; the kernel sums over all parameters",
)
TRACES = Claim(
    "j23.hessian.trace@AB",
    Kind.IDENTITY,
    printed("Section 4, second bullet"),
    "traces of the Hessian and of the tangent kernel",
    r"For the squared loss $\mathrm{Tr}H=\frac1N\mathrm{Tr}\,\Theta^{(L)}(X,X)$.",
    (SLOPE, SMOOTH),
    measure=trace_defect,
    pool=NETWORKS,
    reading="AB",
    reading_text=LOSS,
)


# two assumptions ----------------------------------------------------------------------------------
def trace_by_norm(scene: DeepScene, *, mended: bool = False) -> Entries:
    """|Theta|_op / N - d_out Tr Theta, with Theta = Theta(X, X); mended |Theta|_op / N minus
    Tr Theta / (N^2 d_out)."""
    kernel = scene.kernel_gram(biases=True)
    outputs = scene.width(scene.depth)
    share = Fraction(1, scene.count**2 * outputs) if mended else Fraction(outputs)
    left = scene.share(scene.largest_eigenvalue(kernel), Fraction(1, scene.count))
    return scene.compare(left, scene.share(scene.trace(kernel), share))


IMPLIED = Claim(
    "j23.hessian.imp",
    Kind.INEQUALITY,
    printed("Section 4, paragraph after the bullets"),
    "a bound on the operator norm as a bound on the trace",
    r"$\frac1N\lVert\Theta^{(L)}(X,X)\rVert_{op}\le cL$ implies "
    r"$d_{out}\,\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cL$: here $cL$ is the left side of the first.",
    (SLOPE, SMOOTH),
    measure=trace_by_norm,
    pool=POINTS,
    why=r"a trace is at most $Nd_{out}$ times the operator norm, and may be as large: the bound "
    r"that follows is $\frac1{d_{out}}\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cN^2L$",
)
IMPLIED_REPAIRED = replace(
    IMPLIED,
    id="j23.hessian.imp.fix",
    title="a bound on the operator norm as a bound on the mean eigenvalue",
    statement=r"$\frac1N\lVert\Theta^{(L)}(X,X)\rVert_{op}\le cL$ implies "
    r"$\frac1{N^2d_{out}}\mathrm{Tr}\,\Theta^{(L)}(X,X)\le cL$.",
    measure=partial(trace_by_norm, mended=True),
    why="",
    repairs="j23.hessian.imp",
)


# activations on the training set ------------------------------------------------------------------
def trace_of_hessian(scene: DeepScene) -> Array:
    """(C,): Tr H where the labels are the outputs: Tr Theta(X, X) / N."""
    terms = [scene.frobenius_squared(parameter_jacobian(scene, at)) for at in range(scene.count)]
    return scene.share(total(terms), Fraction(1, scene.count))


def trace_from_hessian(scene: DeepScene) -> Entries:
    """c N L - Tr Theta(X, X) with c L = Tr H + gap2."""
    bound = scene.trace(hessian(scene)) + scene["gap2"]
    kernel = scene.trace(scene.kernel_gram(biases=True))
    return scene.compare(scene.share(bound, scene.count), kernel)


def layer_count(scene: DeepScene) -> Entries:
    """For every p: L times the bound minus m times the m-th largest |alpha_(l-1)(X)|_F^2 / N, with
    c L = Tr H + gap2 and the smallest |Jf(x_i)|_+."""
    square = smallest(scene, [jacobian_square(scene, at) for at in range(scene.count)])
    front = (trace_of_hessian(scene) + scene["gap2"]) * growth(scene) * inverse_k(scene)
    values = [mean_activation_square(scene, layer) for layer in range(scene.depth)]
    bound = front / jacobian_power(scene, square)
    return said(scene, scene.parts(counted(scene, values, bound)))


NOTE = "Appendix B, note after Theorem 16"


TRACE_BOUNDED = Claim(
    "j23.hessian.layers.a@B",
    Kind.INEQUALITY,
    printed(NOTE),
    "a bound on the trace of the Hessian as one on the tangent kernel",
    r"If the trace of the Hessian is bounded by $cL$, then "
    r"$\mathrm{Tr}[\Theta^{(L)}(X,X)]\le cNL$, at parameters that interpolate.",
    (SLOPE, SMOOTH, INTERPOLATES, TRACE_BOUND),
    ("j23.hessian.trace@AB",),
    measure=trace_from_hessian,
    pool=LARGER,
    reading="B",
    reading_text=LOSS,
)
LAYERS = Claim(
    "j23.hessian.layers.b@A",
    Kind.INEQUALITY,
    printed(NOTE),
    "most activations on the training set",
    r"If moreover $\theta$ is balanced, $\lVert\theta\rVert^2\le kL+c_1$ and "
    r"$\mathrm{Rank}\,Jf_\theta(x_i)=k$ for all $i$, there are for every $p\in(0,1)$ at least "
    r"$(1-p)L$ layers where $\frac1N\lVert\alpha_{\ell-1}(X)\rVert_F^2\le\frac1p\,"
    r"\frac{c\max\{1,e^{c_1/k}\}}{k\,|Jf_\theta(x)|_+^{2/k}}$; the loss is that with "
    r"$\frac1{2N}$, the labels are $y_i=f_\theta(x_i)$.",
    (CLIMBED_NOWHERE, SLOPE, SMOOTH, K_AT_LEAST_1, RANK, NORM_BOUND, TRACE_BOUND),
    ("j23.thm7.a@A", "j23.hessian.layers.a@B"),
    measure=layer_count,
    pool=RANKED,
    reading="A",
    reading_text=r"$x$ is the training point with the smallest $|Jf_\theta(x_i)|_+$",
    exact_only=True,
    floats=True,
)

CLAIMS = (NORMS, TRACES, IMPLIED, IMPLIED_REPAIRED, TRACE_BOUNDED, LAYERS)
