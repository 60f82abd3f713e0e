"""Theorem 10 (Theorem 19 of the appendix), Section 4.1: the steps of its proof on networks.

The outputs are those of the network, y_i = f(x_i). Operator norms of Jacobians are those of the
whole space. Functions of BN-rank 1 that fit data: verify.papers.j23.rank_one_fits.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise
from random import Random
from typing import Any

from graphs import reals
from graphs.arithmetic import rational
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE, SMOOTH, onto_a_slope, with_number
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.rank_one_fits import narrowed, vectors, widened
from verify.papers.j23.sources import printed
from verify.statements.quantities import each_case, minus, relation, root, square

Labelled = list[tuple[dict[str, Any], Any]]
PROOF = "proof of Theorem 19, "
HALF = Fraction(1, 2)


def layer_square(scene: DeepScene, layer: int) -> Any:
    """(C,): |W_l|_F^2 + |b_l|^2."""
    return scene.weight_square(layer) + scene.square(scene.bias(layer))


def excess(scene: DeepScene, layers: range) -> Any:
    """(C,): |theta^(layers)|^2 minus the number of these layers."""
    total = scene.constant(-len(layers))
    for layer in layers:
        total = total + layer_square(scene, layer)
    return total


def up_to(layer: int) -> range:
    """The layers 1 to l."""
    return range(1, layer + 1)


def before(layer: int) -> range:
    """The layers 1 to l - 1."""
    return range(1, layer)


def after(layer: int, depth: int) -> range:
    """The layers l + 1 to L."""
    return range(layer + 1, depth + 1)


# Lipschitz constants of the layers below and above ------------------------------------------------
def quotient_slack(scene: DeepScene) -> Entries:
    """|J(alpha~_l -> f)|_op |J alpha~_l|_op - |Jf|_op for each l, at the first point."""
    whole = scene.operator_norm(scene.jacobian())
    return scene.parts(
        [
            (
                {"layer": layer},
                scene.operator_norm(scene.from_pre(layer))
                * scene.operator_norm(scene.to_pre(layer)),
                whole,
            )
            for layer in range(1, scene.depth + 1)
        ]
    )


def exponential_slack(scene: DeepScene) -> Entries:
    """e^(|theta^(...)|^2 - number) minus the squared operator norm of the Jacobian of these layers:
    of alpha~_l, of alpha_(l-1), of alpha~_l -> f, at the first point."""
    parts = []
    for layer in up_to(scene.depth):
        below = scene.to_post(layer - 1)
        jacobians = {
            "pre": (scene.to_pre(layer), excess(scene, up_to(layer))),
            "post": (below, excess(scene, before(layer))),
            "above": (scene.from_pre(layer), excess(scene, after(layer, scene.depth))),
        }
        for part, (jacobian, more) in jacobians.items():
            norm = scene.operator_norm(jacobian)
            parts.append(({"layer": layer, "part": part}, scene.exp(more), norm * norm))
    return scene.parts(parts)


SMALL = pool(depths=(1, 2, 2, 3, 3, 4), points=(1,))
QUOTIENT = Claim(
    "j23.thm10.lip.a",
    Kind.INEQUALITY,
    printed(PROOF + "display after the Jacobian that explodes"),
    "Jacobian of the upper layers",
    r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_{op}\ge\dfrac{\lVert Jf_\theta(x)"
    r"\rVert_{op}}{\lVert J\tilde\alpha_\ell(x)\rVert_{op}}$.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    quotient_slack,
    SMALL,
    exact_only=True,
)
EXPONENTIAL = Claim(
    "j23.thm10.lip.b",
    Kind.INEQUALITY,
    printed(PROOF + "display after the Jacobian that explodes"),
    "operator norms by exponentials",
    r"$\lVert J\tilde\alpha_\ell(x)\rVert_{op}\le "
    r"e^{\frac{\lVert\theta^{(1:\ell)}\rVert^2-\ell}2}$ (so that the quotient is at least "
    r"$e^{-\frac{\lVert\theta^{(1:\ell)}\rVert^2-\ell}2}\lVert Jf_\theta(x)\rVert_{op}$), and "
    r"likewise for $\alpha_{\ell-1}$ with $\theta^{(1:\ell-1)}$ and for $\tilde\alpha_\ell\to "
    r"f_\theta$ with $\theta^{(\ell+1:L)}$.",
    (SLOPE, SMOOTH),
    ("j23.setup",),
    exponential_slack,
    SMALL,
    exact_only=True,
    floats=True,
)


# hidden representations ---------------------------------------------------------------------------
def two_smallest(case: Deep) -> list[list[Fraction]]:
    """For each point the squares of d_1 and d_2 among the outputs."""
    outputs = vectors(case.exact.outputs[0])
    return [
        sorted(square(minus(y, other)) for j, other in enumerate(outputs) if j != i)[:2]
        for i, y in enumerate(outputs)
    ]


def _steps(case: Deep, layer: int, *, through: bool) -> list[Any]:
    """|W_l (z_(m+1) - z_m)|, or |z_(m+1) - z_m|, for the points as they are listed."""
    rows = case.exact.post(layer - 1)[0]
    if through:
        rows = rows @ case.matrix(f"W{layer}").T
    rows = vectors(rows)
    return [root(square(minus(b, a))) for a, b in pairwise(rows)]


def _behind(case: Deep, layer: int) -> Any:
    """e^(-(|theta^(l+1:L)|^2 - (L - l))/2)."""
    return rational(1) / reals.sqrt(reals.exp(excess(case.exact, after(layer, case.depth))[0]))


def hidden_slack(scene: DeepScene) -> Entries:
    """|W_l (z_m - z_(m-1))| + |W_l (z_m - z_(m+1))| minus e^(...) (d_1 + d_2), for each l and m
    from 2 to N - 1: in the order in which the points are listed, which may be any."""

    def of_case(case: Deep) -> Labelled:
        nearest = [sum(map(root, pair), Fraction(0)) for pair in two_smallest(case)]
        found: Labelled = []
        for layer in up_to(case.depth):
            factor, steps = _behind(case, layer), _steps(case, layer, through=True)
            inner = zip(pairwise(steps), nearest[1:-1], strict=True)
            for m, (both, distances) in enumerate(inner, start=2):
                slack = _real(sum(both, Fraction(0))) - _real(distances) * factor
                found.append(({"layer": layer, "numbers": [m - 1, m + 1]}, slack))
        return found

    return each_case(of_case, scene)


def _real(value: Any) -> Any:
    return value if isinstance(value, reals.Real) else rational(value)


def chain_slack(scene: DeepScene) -> Entries:
    """Twice the left side minus the right side of the second inequality, for each l and m_1 < m_2 <
    N, with the diameter of the points for that of Omega."""

    def of_case(case: Deep) -> Labelled:
        points, rho = vectors(case.matrix("X")), rational(case.number("rho"))
        if len(points) < 3:
            return []
        nearest = [sum(map(root, pair), Fraction(0)) for pair in two_smallest(case)][1:-1]
        wide = _real(root(max(square(minus(a, b)) for a, b in combinations(points, 2))))
        found: Labelled = []
        for layer in up_to(case.depth):
            factor = _behind(case, layer)
            far = wide * rho * reals.sqrt(reals.exp(excess(case.exact, before(layer))[0]))
            images = map(sum, pairwise(_steps(case, layer, through=True)))
            steps = map(sum, pairwise(_steps(case, layer, through=False)))
            terms = [
                _real(image) - _real(step) * rho - _real(distances) * factor + far + far
                for image, step, distances in zip(images, steps, nearest, strict=True)
            ]
            for low, high in combinations(range(len(terms) + 1), 2):
                total = sum(terms[low:high], rational(0))
                found.append(({"layer": layer, "numbers": [low + 1, high + 1]}, total))
        return found

    return each_case(of_case, scene)


FEW_POINTS = pool(depths=(1, 2, 2, 3), points=(3, 3, 4))
HIDDEN = Claim(
    "j23.thm10.hidden",
    Kind.INEQUALITY,
    printed(PROOF + "display on the hidden representations"),
    "distances between hidden representations",
    r"With $z_i=\alpha_{\ell-1}(\tilde x_i)$ and any ordering $i_1,\dots,i_N$ of the indices (in "
    r"the print that by $u_\ell^Tz_i$), $\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert "
    r"W_\ell(z_{i_m}-z_{i_{m+1}})\rVert}2\ge "
    r"e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}\frac{d_{1,i_m}+d_{2,i_m}}2$ for "
    r"$2\le m\le N-1$.",
    (SLOPE,),
    ("j23.thm10.lip.b",),
    hidden_slack,
    FEW_POINTS,
    exact_only=True,
)
CHAIN = Claim(
    "j23.thm10.chain.b",
    Kind.INEQUALITY,
    printed(PROOF + "three-line display, second inequality"),
    "hidden representations of far indices",
    r"$\sum_{m=m_1+1}^{m_2}\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert W_\ell(z_{i_m}-"
    r"z_{i_{m+1}})\rVert}2-\rho\sum_{m=m_1+1}^{m_2}\frac{\lVert z_{i_m}-z_{i_{m-1}}\rVert+\lVert "
    r"z_{i_m}-z_{i_{m+1}}\rVert}2\ge e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}"
    r"\sum_{m=m_1+1}^{m_2}\frac{d_{1,i_m}+d_{2,i_m}}2-(m_2-m_1)e^{\frac{\lVert\theta^{(1:\ell-1)}"
    r"\rVert^2-(\ell-1)}2}\rho\,\mathrm{diam}\,\Omega$ for any $\rho\ge0$, in any order of the "
    r"indices.",
    (
        SLOPE,
        relation(
            "rho at least 0",
            r"$\rho\ge0$",
            lambda case: case.number("rho") >= 0,
            lambda case, random: with_number(case, "rho", abs(case.number("rho"))),
            lambda case, random: with_number(case, "rho", -1 - abs(case.number("rho"))),
        ),
    ),
    ("j23.thm10.hidden", "j23.thm10.lip.b"),
    chain_slack,
    pool(depths=(1, 2, 2, 3), points=(3, 3, 4), gaps=("rho",)),
    exact_only=True,
)


# layers near rank one -----------------------------------------------------------------------------
def near_layers(scene: DeepScene, *, repaired: bool) -> Entries:
    """The number of layers with min over unit u, v of |W_l - u v^T|_F^2 = |W_l|^2 - 2 s_1 + 1 at
    most (c_1 - 2 log |Jf(x)|_+) / (p L), minus p L; or, repaired, minus (1 - p) L."""

    def of_case(case: Deep) -> Labelled:
        own, p, depth = case.exact, case.number("p"), case.depth
        determinant = own.pseudo_determinant_squared(own.jacobian())[0]
        total = own.parameter_square[0] - rational(depth) - reals.log(determinant)
        bound = total / rational(p * depth)
        count = 0
        for layer in range(1, depth + 1):
            weight = case.matrix(f"W{layer}")
            first = next(iter(reals.singular_values(weight)), rational(0))
            distance = own.weight_square(layer)[0] + rational(1) - first * rational(2)
            count += bool(distance <= bound)
        share = 1 - p if repaired else p
        return [({}, count - share * depth)]

    return each_case(of_case, scene)


def _rank_one_at_point(case: Deep) -> bool:
    return int(case.exact.rank_of(case.exact.jacobian())[0]) == 1


def _narrowed_on_a_slope(case: Deep, random: Random) -> Deep:
    return onto_a_slope(narrowed(case, random), random)


PROPORTION = relation(
    "proportion",
    r"$p\in(0,1)$",
    lambda case: 0 < case.number("p") < 1,
    lambda case, random: with_number(case, "p", Fraction(random.choice((1, 5, 10, 15, 18)), 20)),
)
JACOBIAN_ONE = relation(
    "Jacobian of rank 1",
    r"$\mathrm{Rank}\,Jf_\theta(x)=1$: $Jf_\theta(x)$ is not 0, and $f_\theta$ of BN-rank 1",
    _rank_one_at_point,
    _narrowed_on_a_slope,
    widened,
)


def _one_larger(case: Deep, random: Random) -> Deep:
    """Now and then one layer is larger than the others."""
    if random.random() < 0.5:
        return case
    name, factor = f"W{random.randint(1, case.depth)}", random.choice((2, 4, 8))
    array = case.arrays[name]
    entries = tuple(entry * factor for entry in array.entries)
    return case.changing(**{name: replace(array, entries=entries)})


def _left_of_kinks(case: Deep, random: Random) -> Deep:
    """A slope outside, where it counts: the signs of the weights and biases of each hidden neuron
    become such that its pre-activation at the point is negative. The norms stay as they are."""
    assert SLOPE.break_ is not None
    case = SLOPE.break_(case, random)
    for layer in range(1, case.depth):
        signs = [-1 if value > 0 else 1 for value in case.exact.pre(layer)[0, 0]]
        for name in (f"W{layer}", f"b{layer}"):
            array = case.arrays[name]
            columns = len(array.entries) // len(signs)
            entries = (v * signs[k // columns] for k, v in enumerate(array.entries))
            case = case.changing(**{name: replace(array, entries=tuple(entries))})
    return case


SLOPE_THERE = replace(SLOPE, break_=_left_of_kinks)
LAYERS = pool(depths=(1, 2, 2, 3, 4), points=(1,), gaps=("p",), last=_one_larger)
NEAR = (
    r"$\lVert W_\ell-u_\ell v_\ell^T\rVert_F^2\le\dfrac{c_1-2\log\vert Jf_\theta(x)\vert_+}{pL}$ "
    r"for some unit vectors $u_\ell,v_\ell$"
)
COUNT = Claim(
    "j23.thm10.layers.count",
    Kind.INEQUALITY,
    printed(PROOF + "fourth paragraph"),
    "layers near rank one",
    rf"By Theorem 6 there are at least $pL$ layers where {NEAR}; $\lVert\theta\rVert^2=L+c_1$.",
    (SLOPE_THERE, SMOOTH, PROPORTION, JACOBIAN_ONE),
    ("j23.thm15.a",),
    partial(near_layers, repaired=False),
    LAYERS,
    exact_only=True,
    why="Theorem 6 gives $(1-p)L$ layers within this distance, which are fewer than $pL$ where "
    r"$p>\frac12$",
)
COUNT_REPAIRED = Claim(
    "j23.thm10.layers.count.fix",
    Kind.INEQUALITY,
    printed(PROOF + "fourth paragraph"),
    "layers near rank one, repaired",
    rf"There are at least $(1-p)L$ layers where {NEAR}; $\lVert\theta\rVert^2=L+c_1$.",
    (SLOPE_THERE, SMOOTH, PROPORTION, JACOBIAN_ONE),
    ("j23.thm15.a",),
    partial(near_layers, repaired=True),
    LAYERS,
    repairs="j23.thm10.layers.count",
    exact_only=True,
)


# the trace of the kernel --------------------------------------------------------------------------
def trace_residual(scene: DeepScene, *, repaired: bool) -> Entries:
    """Tr Theta(x, x) - sum_l |alpha_(l-1)(x)|^2 |J(alpha~_l -> f)(x_1)|_F^2, where x is the last
    point; repaired, with x for x_1 and with 1 beside the activations."""
    at = scene.count - 1
    where = at if repaired else 0
    total = None
    for layer in range(1, scene.depth + 1):
        size = scene.square(scene.post(layer - 1)[:, at])
        if repaired:
            size = size + scene.constant(1)
        term = size * scene.frobenius_squared(scene.from_pre(layer, where))
        total = term if total is None else total + term
    return scene.parts([({}, scene.kernel_trace(at, biases=True), total)])


TRACE_TEXT = (
    r"$\mathrm{Tr}[\Theta^{(L)}(x,x)]=\sum_{\ell=1}^L%s\lVert "
    r"J(\tilde\alpha_\ell\to f_\theta)(%s)\rVert_F^2$."
)
SIZE = r"\lVert\alpha_{\ell-1}(x)\rVert^2"
TRACE = Claim(
    "j23.thm10.final.trace@A",
    Kind.IDENTITY,
    printed(PROOF + "last display, the first equality"),
    "last display: trace of the kernel",
    TRACE_TEXT % (SIZE, "x_1"),
    (SLOPE, SMOOTH),
    ("j23.ntktrace@BA",),
    partial(trace_residual, repaired=False),
    pool(depths=(1, 2, 2, 3, 3), points=(2,)),
    reading="A",
    reading_text=r"the kernel sums over all of $\theta$",
    why="the Jacobians are those at $x_1$ and the activations those at $x$, and the derivatives by "
    "the biases are left out",
)
TRACE_REPAIRED = replace(
    TRACE,
    id="j23.thm10.final.trace@A.fix",
    title="last display: trace of the kernel, repaired",
    statement=TRACE_TEXT % (f"({SIZE}+1)", "x"),
    depends=("j23.ntktrace@BA.fix",),
    measure=partial(trace_residual, repaired=True),
    pool=pool(depths=(1, 2, 2, 3, 3), points=(1, 2)),
    repairs="j23.thm10.final.trace@A",
    why="",
)

CLAIMS = (
    COUNT,
    COUNT_REPAIRED,
    HIDDEN,
    CHAIN,
    QUOTIENT,
    EXPONENTIAL,
    TRACE,
    TRACE_REPAIRED,
)
