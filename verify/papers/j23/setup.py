"""Section 2: the Jacobian of a network as a product, and the homogeneous nonlinearities."""

from __future__ import annotations

from fractions import Fraction

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE, SMOOTH
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.displacements import moved_points, step_sizes
from verify.papers.j23.jacobian_proofs import homogeneous_ones_match, jacobian_is_a_product
from verify.papers.j23.sources import printed

NETWORKS = pool()


# the Jacobian -------------------------------------------------------------------------------------
def product_of_layers(scene: DeepScene, at: int) -> Array:
    """(C, n_L, n_0): W_L D_(L-1)(x) ... D_1(x) W_1, as printed."""
    product = scene.weight(1)
    for layer in range(2, scene.depth + 1):
        product = scene.weight(layer) @ scene.rows_scaled(product, scene.slopes(layer - 1)[:, at])
    return product


def product_residual(scene: DeepScene) -> Entries:
    """The sum of the squares of f(x + h e_j) - f(x) - h (W_L D_(L-1) ... D_1 W_1)_j over all j, at
    each point; h so small that no neuron crosses its kink, so that the difference is linear."""
    parts = []
    for at in range(scene.count):
        steps = step_sizes(scene, at, scene.identity(0))
        outputs = scene.forward(moved_points(scene, at, scene.identity(0), steps))[0][-1]
        start = scene.outputs[:, at].reshape(len(scene.cases), 1, scene.width(scene.depth))
        jumps = scene.transpose(outputs - start)  # column j belongs to coordinate j
        expected = product_of_layers(scene, at) * steps.reshape(len(scene.cases), 1, 1)
        residual = scene.frobenius_squared(jumps - expected)
        parts.append(({"point": at}, residual, scene.constant(0)))
    return scene.parts(parts)


SETUP = Claim(
    "j23.setup",
    Kind.IDENTITY,
    printed("Section 2 and the proof of Theorem 15"),
    "network, nonlinearity, Jacobian",
    r"With $\alpha_0(x)=x$, $\tilde\alpha_\ell=W_\ell\alpha_{\ell-1}+b_\ell$, "
    r"$\alpha_\ell=\sigma_a(\tilde\alpha_\ell)$ and $f_\theta=\tilde\alpha_L$: "
    r"$Jf_\theta(x)=W_LD_{L-1}(x)\cdots D_1(x)W_1$.",
    (SLOPE, SMOOTH),
    measure=product_residual,
    pool=NETWORKS,
    exact_only=True,
    proof=jacobian_is_a_product,
)


# homogeneous nonlinearities -----------------------------------------------------------------------
def matched(case: Tensors) -> bool:
    """Whether sigma(x) = c sigma_a(s x) for some a in (-1, 1), s = 1 or -1 and real c.

    sigma(x) is q x for x >= 0 and r x for x < 0, plus bend (x - 1) for x > 1. At x = 1 and x = -1
    the sign s = 1 asks for c = q, c a = r, and s = -1 for c = -r, -c a = q; x = 2 for bend = 0.
    """
    q, r, bend = (case.number(name) for name in ("q", "r", "bend"))
    found = False
    for scale, other in ((q, r), (-r, -q)):
        slope = other / scale if scale else Fraction(0)
        found |= scale * slope == other and -1 < slope < 1
    return found and bend == 0


def unmatched(scene: RealScene) -> Entries:
    """1 for a nonlinearity that matches no sigma_a, else 0."""
    told = scene.numbers([int(not matched(case)) for case in scene.cases])
    return scene.compare(told, scene.constant(0))


def _number(case: Tensors, name: str, value: Fraction) -> Tensors:
    return case.changing(**{name: Tensor((), (), (value,))})


def _unlike(name: str, statement: str, sign: int) -> Hypothesis:
    """That q differs from r or from -r."""

    def holds(case: Tensors) -> bool:
        return case.number("q") != sign * case.number("r")

    def repaired(case: Tensors, random: object) -> Tensors:
        return case if holds(case) else _number(case, "q", 2 * sign * case.number("r") + 1)

    def broken(case: Tensors, random: object) -> Tensors:
        return _number(case, "q", sign * (case.number("r") or Fraction(1)))

    return Hypothesis(name, statement, by_case(holds), repaired, broken)


HOMOGENEOUS = Hypothesis(
    "homogeneous",
    r"$\sigma(x)=qx$ for $x\ge0$ and $\sigma(x)=rx$ for $x<0$",
    by_case(lambda case: case.number("bend") == 0),
    lambda case, random: _number(case, "bend", Fraction(0)),
    lambda case, random: _number(case, "bend", Fraction(1, random.choice((1, 2)))),
)
NOT_IDENTITY = _unlike("not proportional to the identity", r"$q\ne r$", 1)
NOT_ABSOLUTE = _unlike("not proportional to the absolute value", r"$q\ne-r$", -1)


def _not_zero(case: Tensors, random: object) -> Tensors:
    return case if case.number("q") or case.number("r") else _number(case, "q", Fraction(1))


NOT_ZERO = Hypothesis(
    "not the zero function",
    r"$(q,r)\ne(0,0)$",
    by_case(lambda case: bool(case.number("q") or case.number("r"))),
    _not_zero,
    lambda case, random: _number(_number(case, "q", Fraction(0)), "r", Fraction(0)),
)
SHAPES = TensorPool((("q", ()), ("r", ()), ("bend", ())), adapt=as_real)


HOMOGENEOUS_ONES = Claim(
    "j23.homog@A",
    Kind.IDENTITY,
    printed("Section 2"),
    "homogeneous nonlinearities",
    r"Any homogeneous nonlinearity $\sigma$ that is not proportional to the identity function, "
    r"the constant zero function or the absolute function matches $\sigma_a$, for some "
    r"$a\in(-1,1)$, up to scaling and inverting the inputs.",
    (HOMOGENEOUS, NOT_IDENTITY, NOT_ZERO, NOT_ABSOLUTE),
    measure=unmatched,
    pool=SHAPES,
    reading="A",
    reading_text="scaling is by any real number",
    exact_only=True,
    proof=homogeneous_ones_match,
)

CLAIMS = (SETUP, HOMOGENEOUS_ONES)
