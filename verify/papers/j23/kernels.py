"""The tangent kernel: its trace (proofs of Theorem 16 and in Appendix C), its mixed derivative
(Proposition 9, part 1), and the formula for that (proof of Proposition 18).

The paper writes no formula for the kernel. For the trace that matters: the second letter of a
reading is A for all parameters, B for the weights alone. The mixed derivative is the same by both:
biases add terms that are constant in x.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from graphs.arithmetic import Array
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import RELU, SLOPE, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.displacements import moved_points, step_sizes
from verify.papers.j23.jacobian_proofs import mixed_derivative, trace_of_the_kernel
from verify.papers.j23.sources import printed

NETWORKS = pool()
VECTORS = (("u", ("n0",)), ("v", ("nL",)))
WITH_VECTORS = pool(extras=VECTORS)
KERNELS = {"A": "all parameters", "B": "the weights alone"}


# the trace ----------------------------------------------------------------------------------------
def derivative_squares(scene: DeepScene, at: int, *, biases: bool) -> Array:
    """(C,): the sum of the squares of the derivatives of all outputs by all parameters, which is
    the trace of Theta(x, x)."""
    size = len(scene.cases)
    total = scene.constant(0)
    for layer in range(1, scene.depth + 1):
        outer = scene.from_pre(layer, at)
        inner = scene.post(layer - 1)[:, at].reshape(size, 1, scene.width(layer - 1))
        total = total + scene.frobenius_squared(scene.kronecker(outer, inner))
        if biases:
            total = total + scene.frobenius_squared(outer)
    return total


def trace_residual(scene: DeepScene, *, biases: bool, mended: bool = False) -> Entries:
    """Tr Theta(x, x) - sum_l |alpha_(l-1)|^2 |J(alpha~_l -> f)|_F^2 at each point; mended with
    |alpha_(l-1)|^2 + 1."""
    parts = []
    for at in range(scene.count):
        total = scene.constant(0)
        for layer in range(1, scene.depth + 1):
            size = scene.square(scene.post(layer - 1)[:, at])
            size = size + scene.constant(1) if mended else size
            total = total + size * scene.frobenius_squared(scene.from_pre(layer, at))
        parts.append(({"point": at}, derivative_squares(scene, at, biases=biases), total))
    return scene.parts(parts)


def _trace(kernel: str, *, mended: bool = False) -> Claim:
    size = (
        r"(\lVert\alpha_{\ell-1}(x)\rVert^2+1)" if mended else r"\lVert\alpha_{\ell-1}(x)\rVert^2"
    )
    biases = kernel == "A"
    named = f"trace_residual(biases={biases}, mended={mended})"
    return Claim(
        f"j23.ntktrace@B{kernel}{'.fix' if mended else ''}",
        Kind.IDENTITY,
        printed("proof of Theorem 16, first display; Appendix C"),
        "trace of the tangent kernel" + (", repaired" if mended else ""),
        rf"$\mathrm{{Tr}}\,\Theta(x,x)=\sum_{{\ell=1}}^L{size}\,"
        r"\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2$.",
        (SLOPE, SMOOTH),
        ("j23.setup",),
        partial(trace_residual, biases=biases, mended=mended),
        NETWORKS,
        f"B{kernel}",
        f"the kernel is summed over {KERNELS[kernel]}",
        repairs=f"j23.ntktrace@B{kernel}" if mended else None,
        proof=partial(trace_of_the_kernel, named, biases=biases) if biases is mended else None,
        why=r"the derivatives of $f_\theta$ by the biases of layer $\ell$ add "
        r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_F^2$, which the display leaves out"
        if biases and not mended
        else "",
    )


TRACES = (_trace("A"), _trace("B"), _trace("A", mended=True))


# Proposition 9, part 1 ----------------------------------------------------------------------------
def mixed_derivative_square(scene: DeepScene, at: int) -> Array:
    """(C, n_0 n_L, n_0 n_L): the matrix of the second derivatives of Theta(x, y) in x and y at
    y = x, the sum over the layers of (J alpha_(l-1)^T J alpha_(l-1)) x (J_l J_l^T), where J_l is
    J(alpha~_l -> f) and x the Kronecker product."""
    total = None
    for layer in range(1, scene.depth + 1):
        inner = scene.gram(scene.to_post(layer - 1, at))
        behind = scene.from_pre(layer, at)
        outer = behind @ scene.transpose(behind)
        term = scene.kronecker(inner, outer)
        total = term if total is None else total + term
    return total


def mixed_derivative_slack(scene: DeepScene) -> Entries:
    """|d_x d_y Theta(x, x)|_op - 2 L |Jf(x)|_op^(2 - 2/L), at each point."""
    return _mixed(scene, 2, scene.constant(1))


def mixed_derivative_slack_once(scene: DeepScene) -> Entries:
    """The same with L in place of 2 L."""
    return _mixed(scene, 1, scene.constant(1))


def mixed_derivative_slack_leaky(scene: DeepScene) -> Entries:
    """The same with L in place of 2 L, and a Jf(x) in place of Jf(x)."""
    return _mixed(scene, 1, abs(scene.slope))


def _mixed(scene: DeepScene, factor: int, scale: Array) -> Entries:
    depth = scene.depth
    parts = []
    for at in range(scene.count):
        left = scene.operator_norm(mixed_derivative_square(scene, at))
        norm = scene.operator_norm(scene.jacobian(at)) * scale
        right = scene.power(norm, Fraction(2 * depth - 2, depth))
        parts.append(({"point": at}, left, scene.share(right, factor * depth)))
    return scene.parts(parts)


PROP9 = Claim(
    "j23.prop9.1",
    Kind.INEQUALITY,
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge2L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$, where $\partial_{xy}^2\Theta(x,x)$ is understood as "
    r"a $d_{in}d_{out}\times d_{in}d_{out}$ matrix.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    mixed_derivative_slack,
    NETWORKS,
    exact_only=True,
    floats=True,
    why=r"the proof gives the bound without the factor $2$: for one layer with the weight $1$ the "
    r"left side is $1$ and the right side is $2$",
)

PROP9_REPAIRED = Claim(
    "j23.prop9.1.fix",
    Kind.INEQUALITY,
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel, repaired for the ReLU",
    r"For the ReLU, at any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge L\,"
    r"\lVert Jf_\theta(x)\rVert_{op}^{2-2/L}$.",
    (RELU, SMOOTH),
    ("j23.setup",),
    mixed_derivative_slack_once,
    NETWORKS,
    repairs="j23.prop9.1",
    exact_only=True,
    floats=True,
)

PROP9_LEAKY = Claim(
    "j23.prop9.1.leaky.fix",
    Kind.INEQUALITY,
    printed("Propositions 9 and 18, part 1"),
    "mixed derivative of the tangent kernel, repaired for leaky slopes",
    r"For any point $x$, $\lVert\partial_{xy}^2\Theta(x,x)\rVert_{op}\ge L\,"
    r"\lVert a\,Jf_\theta(x)\rVert_{op}^{2-2/L}$.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    mixed_derivative_slack_leaky,
    NETWORKS,
    repairs="j23.prop9.1",
    exact_only=True,
    floats=True,
)


# the formula for the derivative -------------------------------------------------------------------
def applied(scene: DeepScene, matrices: Array, vectors: Array) -> Array:
    """(C, n): the products of (C, n, m) and (C, m)."""
    size, rows, columns = matrices.shape
    return (matrices @ vectors.reshape(size, columns, 1)).reshape(size, rows)


def dot(one: Array, other: Array) -> Array:
    """(C,): inner products of (C, n) and (C, n)."""
    return (one * other).sum(1)


def pulled_back(scene: DeepScene, layer: int, at: int) -> Array:
    """(C, n_l): D_l W_(l+1)^T D_(l+1) ... D_(L-1) W_L^T v, as displayed `D_l ... D_(L-1) W_L v`.
    For l = L it is v."""
    vector = scene["v"]
    for above in range(scene.depth, layer, -1):
        weight = scene.transpose(scene.weight(above))
        vector = applied(scene, weight, vector) * scene.slopes(above - 1)[:, at]
    return vector


def pushed(scene: DeepScene, layer: int, at: int) -> Array:
    """(C, n_l): D_l ... D_1 W_1 u; u for l = 0."""
    return applied(scene, scene.to_post(layer, at), scene["u"])


def second_difference(scene: DeepScene, at: int) -> tuple[Array, Array]:
    """(C,) each: F(h, h) - F(h, 0) - F(0, h) + F(0, 0) for F(s, t) = v^T Theta(x + s u, x + t u) v,
    all of it from values of the network, and h^2. No neuron crosses its kink on the way."""
    direction = scene["u"].reshape(len(scene.cases), scene.width(0), 1)
    steps = step_sizes(scene, at, direction)
    moved = moved_points(scene, at, direction, steps)
    here = scene.points[:, [at]]
    both = scene.arithmetic.join([here, moved], 1)
    _, post, slopes, _ = scene.forward(both)
    total = scene.constant(0)
    behind = [scene["v"], scene["v"]]  # W_l^T D ... W_L^T v at either point
    for layer in range(scene.depth, 0, -1):
        behind = [vector * slopes[layer][:, k] for k, vector in enumerate(behind)]
        for i, j, sign in ((1, 1, 1), (1, 0, -1), (0, 1, -1), (0, 0, 1)):
            size = dot(post[layer - 1][:, i], post[layer - 1][:, j]) + scene.constant(1)
            total = total + size * dot(behind[i], behind[j]) * scene.constant(sign)
        behind = [applied(scene, scene.transpose(scene.weight(layer)), w) for w in behind]
    return total, steps * steps


def derivative_residual(scene: DeepScene) -> Entries:
    """The residuals of both equalities, times h^2: the second difference of the kernel against the
    first line ("forms"), and the first line against the second ("norms")."""
    parts = []
    for at in range(scene.count):
        left, square = second_difference(scene, at)
        forms, norms = scene.constant(0), scene.constant(0)
        for layer in range(1, scene.depth + 1):
            inner, outer = pushed(scene, layer - 1, at), pulled_back(scene, layer, at)
            forms = forms + quadratic_forms(scene, layer, at)
            norms = norms + scene.square(inner) * scene.square(outer)
        parts.append(({"point": at, "part": "forms"}, left, forms * square))
        parts.append(({"point": at, "part": "norms"}, forms * square, norms * square))
    return scene.parts(parts)


def quadratic_forms(scene: DeepScene, layer: int, at: int) -> Array:
    """(C,): u^T W_1^T D_1 ... D_(l-1)^2 ... D_1 W_1 u times
    v^T W_L D_(L-1) ... D_l^2 ... D_(L-1) W_L^T v, both from the right to the left."""
    up = down = scene["u"]
    for k in range(1, layer):
        up = applied(scene, scene.weight(k), up) * scene.slopes(k)[:, at]
    for k in range(layer - 1, 0, -1):
        up = applied(scene, scene.transpose(scene.weight(k)), up * scene.slopes(k)[:, at])
    over = back = scene["v"]
    for k in range(scene.depth, layer, -1):
        over = applied(scene, scene.transpose(scene.weight(k)), over) * scene.slopes(k - 1)[:, at]
    for k in range(layer + 1, scene.depth + 1):
        over = applied(scene, scene.weight(k), over * scene.slopes(k - 1)[:, at])
    return dot(down, up) * dot(back, over)


TRANSPOSED = "the last factor is $W_L^Tv$, as in the first line"
FORMULA = Claim(
    "j23.prop9.formula@B",
    Kind.IDENTITY,
    printed("proof of Proposition 18, part 1, first display"),
    "formula for the mixed derivative",
    r"$\partial_{x,y}(v^T\Theta(x,x)v)[u,u]=\sum_{\ell=1}^L"
    r"u^TW_1^TD_1(x)\cdots D_{\ell-1}(x)^2\cdots D_1(x)W_1u\;"
    r"v^TW_LD_{L-1}(x)\cdots D_\ell(x)^2\cdots D_{L-1}(x)W_L^Tv"
    r"=\sum_{\ell=1}^L\lVert D_{\ell-1}(x)\cdots D_1(x)W_1u\rVert_2^2\,"
    r"\lVert D_\ell(x)\cdots D_{L-1}(x)W_L^Tv\rVert_2^2$.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    derivative_residual,
    WITH_VECTORS,
    "B",
    TRANSPOSED,
    exact_only=True,
    proof=mixed_derivative,
)

CLAIMS = (*TRACES, PROP9, PROP9_REPAIRED, PROP9_LEAKY, FORMULA)
