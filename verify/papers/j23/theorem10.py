"""Theorem 10 (Theorem 19 of the appendix), Section 4.1: the steps of its proof on networks.

The outputs are those of the network, y_i = f(x_i). Operator norms of Jacobians are those of the
whole space. Functions of BN-rank 1 that fit data: verify.papers.j23.rank_one_fits.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from verify.core.claim import Claim
from verify.kinds.deep.changes import onto_a_slope, sloped_outside, with_number
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Count,
    Each,
    Map,
    Max,
    Number,
    Sorted,
    Sum,
    between,
    card,
    examples,
    exp,
    frob2,
    list_,
    log,
    minus,
    norm,
    rank,
    singular,
    sqrt,
)
from verify.language.terms import Term
from verify.papers.j23.kernel_notation import trace_by_layers, trace_over_all
from verify.papers.j23.network_notation import (
    ALL,
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
    activations,
    bias,
    from_pre,
    jacobian,
    jacobian_square,
    to_post,
    to_pre,
    weight,
)
from verify.papers.j23.rank_one_fits import narrowed, widened
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_words import POINT
from verify.statements.stated import Given, stated, unless

PROOF = "proof of Theorem 19, "


# Lipschitz constants of the layers below and above ------------------------------------------------
def excess(layers: Term) -> Term:
    """|theta^(layers)|^2 minus the number of these layers."""
    return Sum(layers, lambda m: frob2(weight(m)) + frob2(bias(m))) - card(layers)


def growth(layers: Term) -> Term:
    """The bound e^((|theta^(layers)|^2 - number)/2) on the operator norm of these layers."""
    return exp(excess(layers) / 2)


def _quotient(x: Term) -> Term:
    """Both sides times |J alpha~_l|_op."""
    whole = norm(jacobian(x))
    return Each(ALL, lambda m: norm(from_pre(m, x)) * norm(to_pre(m, x)) >= whole)


def _exponential(x: Term) -> Term:
    def of_layer(m: Term) -> Term:
        below = norm(to_post(m - 1, x)) <= growth(between(1, m - 1))
        above = norm(from_pre(m, x)) <= growth(between(m + 1, DEPTH))
        return (norm(to_pre(m, x)) <= growth(between(1, m))) & below & above

    return Each(ALL, of_layer)


SMALL = layered_pool(pool(depths=(1, 2, 2, 3, 3, 4), points=(1,)))
QUOTIENT = stated(
    "j23.thm10.lip.a",
    printed(PROOF + "display after the Jacobian that explodes"),
    "Jacobian of the upper layers",
    r"$\lVert J(\tilde\alpha_\ell\to f_\theta)(x)\rVert_{op}\ge\dfrac{\lVert Jf_\theta(x)"
    r"\rVert_{op}}{\lVert J\tilde\alpha_\ell(x)\rVert_{op}}$.",
    Each(examples(), _quotient),
    POINT,
    depends=("j23.setup",),
    pool=SMALL,
)
EXPONENTIAL = stated(
    "j23.thm10.lip.b",
    printed(PROOF + "display after the Jacobian that explodes"),
    "operator norms by exponentials",
    r"$\lVert J\tilde\alpha_\ell(x)\rVert_{op}\le "
    r"e^{\frac{\lVert\theta^{(1:\ell)}\rVert^2-\ell}2}$ (so that the quotient is at least "
    r"$e^{-\frac{\lVert\theta^{(1:\ell)}\rVert^2-\ell}2}\lVert Jf_\theta(x)\rVert_{op}$), and "
    r"likewise for $\alpha_{\ell-1}$ with $\theta^{(1:\ell-1)}$ and for $\tilde\alpha_\ell\to "
    r"f_\theta$ with $\theta^{(\ell+1:L)}$.",
    Each(examples(), _exponential),
    POINT,
    depends=("j23.setup",),
    pool=SMALL,
)


# hidden representations ---------------------------------------------------------------------------
N = card(examples())
RHO = Number("rho")


def two_nearest(i: Term) -> Term:
    """d_1 + d_2, the distances of y_i from the two nearest other outputs."""

    def square(j: Term) -> Term:
        return frob2(activations(DEPTH, j) - activations(DEPTH, i))

    squares = Sorted(Map(minus(examples(), list_(i)), square))
    return sqrt(squares[1]) + sqrt(squares[2])


def step(m: Term, i: Term, j: Term) -> Term:
    """z_i - z_j, activations below layer l."""
    return activations(m - 1, i) - activations(m - 1, j)


def images(m: Term, i: Term) -> Term:
    """The mean of |W_l(z_i - z_(i-1))| and |W_l(z_i - z_(i+1))|, in the order in which the points
    are listed, which may be any."""
    return (norm(weight(m) @ step(m, i, i - 1)) + norm(weight(m) @ step(m, i, i + 1))) / 2


def steps(m: Term, i: Term) -> Term:
    """The mean of |z_i - z_(i-1)| and |z_i - z_(i+1)|."""
    return (norm(step(m, i, i - 1)) + norm(step(m, i, i + 1))) / 2


def _apart(m: Term) -> Term:
    shrunk = exp(-excess(between(m + 1, DEPTH)) / 2)
    return Each(between(2, N - 1), lambda i: images(m, i) >= shrunk * two_nearest(i) / 2)


def diameter() -> Term:
    """Of the points, for that of Omega."""

    def far(i: Term) -> Term:
        return Max(examples(), lambda j: frob2(activations(0, i) - activations(0, j)))

    return sqrt(Max(examples(), far))


def _sums(m: Term, first: Term, last: Term) -> Term:
    """Over the indices behind the first one to the last one."""
    indices = between(first + 1, last)
    shrunk = exp(-excess(between(m + 1, DEPTH)) / 2)
    left = Sum(indices, lambda i: images(m, i)) - RHO * Sum(indices, lambda i: steps(m, i))
    far = card(indices) * growth(between(1, m - 1)) * RHO * diameter()
    return left >= shrunk * Sum(indices, lambda i: two_nearest(i) / 2) - far


def _chain(m: Term) -> Term:
    def beyond(first: Term) -> Term:
        return Each(between(first + 1, N - 1), lambda last: _sums(m, first, last))

    return Each(between(1, N - 2), beyond)


RHO_AT_LEAST_0 = Given(
    "rho at least 0",
    RHO >= 0,
    r"$\rho\ge0$",
    lifted(lambda case, random: with_number(case, "rho", abs(case.number("rho")))),
    lifted(lambda case, random: with_number(case, "rho", -1 - abs(case.number("rho")))),
)
FEW_POINTS = layered_pool(pool(depths=(1, 2, 2, 3), points=(3, 3, 4)))
HIDDEN = stated(
    "j23.thm10.hidden",
    printed(PROOF + "display on the hidden representations"),
    "distances between hidden representations",
    r"With $z_i=\alpha_{\ell-1}(\tilde x_i)$ and any ordering $i_1,\dots,i_N$ of the indices (in "
    r"the print that by $u_\ell^Tz_i$), $\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert "
    r"W_\ell(z_{i_m}-z_{i_{m+1}})\rVert}2\ge "
    r"e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}\frac{d_{1,i_m}+d_{2,i_m}}2$ for "
    r"$2\le m\le N-1$.",
    Each(ALL, _apart),
    (FULLY_CONNECTED, SLOPE),
    depends=("j23.thm10.lip.b",),
    pool=FEW_POINTS,
)
CHAIN = stated(
    "j23.thm10.chain.b",
    printed(PROOF + "three-line display, second inequality"),
    "hidden representations of far indices",
    r"$\sum_{m=m_1+1}^{m_2}\frac{\lVert W_\ell(z_{i_m}-z_{i_{m-1}})\rVert+\lVert W_\ell(z_{i_m}-"
    r"z_{i_{m+1}})\rVert}2-\rho\sum_{m=m_1+1}^{m_2}\frac{\lVert z_{i_m}-z_{i_{m-1}}\rVert+\lVert "
    r"z_{i_m}-z_{i_{m+1}}\rVert}2\ge e^{-\frac{\lVert\theta^{(\ell+1:L)}\rVert^2-(L-\ell)}2}"
    r"\sum_{m=m_1+1}^{m_2}\frac{d_{1,i_m}+d_{2,i_m}}2-(m_2-m_1)e^{\frac{\lVert\theta^{(1:\ell-1)}"
    r"\rVert^2-(\ell-1)}2}\rho\,\mathrm{diam}\,\Omega$ for any $\rho\ge0$, in any order of the "
    r"indices.",
    Each(ALL, _chain),
    (FULLY_CONNECTED, SLOPE, RHO_AT_LEAST_0),
    depends=("j23.thm10.hidden", "j23.thm10.lip.b"),
    pool=layered_pool(pool(depths=(1, 2, 2, 3), points=(3, 3, 4), gaps=("rho",))),
)


# layers near rank one -----------------------------------------------------------------------------
P = Number("p")


def near_layers(x: Term) -> Term:
    """In how many layers min over unit u, v of |W_l - u v^T|_F^2, which is |W_l|^2 - 2 s_1 + 1, is
    at most (c_1 - 2 log |Jf(x)|_+) / (p L)."""
    bound = (PARAMETER_SQUARE - DEPTH - log(jacobian_square(x))) / (P * DEPTH)

    def near(m: Term) -> Term:
        return frob2(weight(m)) - 2 * singular(weight(m))[1] + 1 <= bound

    return Count(ALL, near)


def _narrowed_on_a_slope(case: Deep, random: Random) -> Deep:
    return onto_a_slope(narrowed(case, random), random)


def _proportion(case: Deep, random: Random) -> Deep:
    return with_number(case, "p", Fraction(random.choice((1, 5, 10, 15, 18)), 20))


PROPORTION = Given(
    "proportion",
    (P > 0) & (P < 1),
    r"$p\in(0,1)$",
    unless((P > 0) & (P < 1), lifted(_proportion)),
    lifted(lambda case, random: with_number(case, "p", random.choice((-1, 0, 1, 2)))),
)
OF_RANK_1 = Each(examples(), lambda p: rank(jacobian(p)) == 1)
JACOBIAN_ONE = Given(
    "Jacobian of rank 1",
    OF_RANK_1,
    r"$\mathrm{Rank}\,Jf_\theta(x)=1$",
    unless(OF_RANK_1, lifted(_narrowed_on_a_slope)),
    lifted(widened),
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
    case = sloped_outside(case, random)
    for layer in range(1, case.depth):
        signs = [-1 if value > 0 else 1 for value in case.exact.pre(layer)[0]]
        for name in (f"W{layer}", f"b{layer}"):
            array = case.arrays[name]
            columns = len(array.entries) // len(signs)
            entries = (v * signs[k // columns] for k, v in enumerate(array.entries))
            case = case.changing(**{name: replace(array, entries=tuple(entries))})
    return case


SLOPE_THERE = replace(SLOPE, break_=lifted(_left_of_kinks))
LAYERS = layered_pool(pool(depths=(1, 2, 2, 3, 4), points=(1,), gaps=("p",), last=_one_larger))
NEAR = (
    r"$\lVert W_\ell-u_\ell v_\ell^T\rVert_F^2\le\dfrac{c_1-2\log\vert Jf_\theta(x)\vert_+}{pL}$ "
    r"for some unit vectors $u_\ell,v_\ell$"
)
NEAREST = (
    "the nearest $uv^T$ of a layer is told by its largest singular value "
    "(docs/mathematics/j23.md#layers-near-rank-one)"
)
COUNT = stated(
    "j23.thm10.layers.count",
    printed(PROOF + "fourth paragraph"),
    "layers near rank one",
    rf"By Theorem 6 there are at least $pL$ layers where {NEAR}; $\lVert\theta\rVert^2=L+c_1$.",
    Each(examples(), lambda p: near_layers(p) >= P * DEPTH),
    (FULLY_CONNECTED, SLOPE_THERE, SMOOTH, PROPORTION, JACOBIAN_ONE),
    depends=("j23.thm15.a",),
    pool=LAYERS,
    through=NEAREST,
    negated="fewer than $pL$ layers are so near, for all unit vectors",
    why="Theorem 6 gives $(1-p)L$ layers within this distance, which are fewer than $pL$ where "
    r"$p>\frac12$",
)
COUNT_REPAIRED = stated(
    "j23.thm10.layers.count.fix",
    printed(PROOF + "fourth paragraph"),
    "layers near rank one, repaired",
    rf"There are at least $(1-p)L$ layers where {NEAR}; $\lVert\theta\rVert^2=L+c_1$.",
    Each(examples(), lambda p: near_layers(p) >= (1 - P) * DEPTH),
    (FULLY_CONNECTED, SLOPE_THERE, SMOOTH, PROPORTION, JACOBIAN_ONE),
    depends=("j23.thm15.a",),
    pool=LAYERS,
    through=NEAREST,
    repairs="j23.thm10.layers.count",
)


# the trace of the kernel --------------------------------------------------------------------------
def _trace(size: str, at: str, says: Term, points: tuple[int, ...], **others: Any) -> Claim:
    mended = others.get("repairs") is not None
    return stated(
        "j23.thm10.final.trace@A" + (".fix" if mended else ""),
        printed(PROOF + "last display, the first equality"),
        "last display: trace of the kernel" + (", repaired" if mended else ""),
        rf"$\mathrm{{Tr}}[\Theta^{{(L)}}(x,x)]=\sum_{{\ell=1}}^L{size}\lVert "
        rf"J(\tilde\alpha_\ell\to f_\theta)({at})\rVert_F^2$.",
        says,
        POINT,
        pool=layered_pool(pool(depths=(1, 2, 2, 3, 3), points=points)),
        reading="A",
        reading_text=r"the kernel sums over all of $\theta$",
        **others,
    )


SIZE = r"\lVert\alpha_{\ell-1}(x)\rVert^2"
TRACE = _trace(
    SIZE,
    "x_1",
    Each(examples(), lambda p: trace_over_all(p) == trace_by_layers(p, 1)),
    (2,),
    depends=("j23.ntktrace@BA",),
    why="the Jacobians are those at $x_1$ and the activations those at $x$, and the derivatives by "
    "the biases are left out",
)
TRACE_REPAIRED = _trace(
    f"({SIZE}+1)",
    "x",
    Each(examples(), lambda p: trace_over_all(p) == trace_by_layers(p, p, mended=True)),
    (1, 2),
    depends=("j23.ntktrace@BA.fix",),
    repairs="j23.thm10.final.trace@A",
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
