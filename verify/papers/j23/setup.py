"""Section 2: the Jacobian of a network as a product, and the homogeneous nonlinearities."""

from __future__ import annotations

from fractions import Fraction

from verify.cases.tensors import Tensor, Tensors
from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import (
    Each,
    Fold,
    Number,
    Sum,
    When,
    between,
    column,
    examples,
    eye,
    list_,
    upto,
    z,
)
from verify.language.terms import Term
from verify.papers.j23.jacobian_proofs import homogeneous_ones_match, jacobian_is_a_product
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    SLOPE,
    SMOOTH,
    neurons,
    point,
    slopes,
    to_pre,
    values,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated


# the Jacobian -------------------------------------------------------------------------------------
def product_of_layers(x: Term) -> Term:
    """W_L D_(L-1)(x) ... D_1(x) W_1, as printed."""
    layers = between(2, DEPTH)
    return Fold(layers, weight(1), lambda J, m: weight(m) @ slopes(m - 1, x) @ J)


def step(x: Term) -> Term:
    """h so small that on the way from x to x + h e_j no neuron reaches its kink, if none is at
    it before: then a pre-activation z moves by h (J alpha~)_j, at most |z|/2."""

    def moves(m: Term, i: Term, j: Term) -> Term:
        value = z(neurons(m)[i], x)
        return When(value == 0, 0, abs(to_pre(m, x)[i, j]) / abs(value))

    def of_layer(m: Term) -> Term:
        return Sum(upto(width(m)), lambda i: Sum(upto(width(0)), lambda j: moves(m, i, j)))

    return 1 / (1 + 2 * Sum(upto(DEPTH - 1), of_layer))


def _is_product(x: Term) -> Term:
    """f(x + h e_j) - f(x) = h (W_L D_(L-1) ... D_1 W_1)_j, the difference being linear in h."""

    def of_coordinate(j: Term) -> Term:
        moved = values(DEPTH, point(x) + step(x) * column(eye(width(0)), j))
        return moved - values(DEPTH, point(x)) == step(x) * column(product_of_layers(x), j)

    return Each(upto(width(0)), of_coordinate)


IS_PRODUCT = Each(examples(), _is_product)
SETUP = stated(
    "j23.setup",
    printed("Section 2 and the proof of Theorem 15"),
    "network, nonlinearity, Jacobian",
    r"With $\alpha_0(x)=x$, $\tilde\alpha_\ell=W_\ell\alpha_{\ell-1}+b_\ell$, "
    r"$\alpha_\ell=\sigma_a(\tilde\alpha_\ell)$ and $f_\theta=\tilde\alpha_L$: "
    r"$Jf_\theta(x)=W_LD_{L-1}(x)\cdots D_1(x)W_1$.",
    IS_PRODUCT,
    (FULLY_CONNECTED, SLOPE, SMOOTH),
    pool=layered_pool(pool()),
    exact_only=True,
    proof=jacobian_is_a_product,
)


# homogeneous nonlinearities -----------------------------------------------------------------------
q, r, bend = Number("q"), Number("r"), Number("bend")


def sigma(x: Term) -> Term:
    """q x for x >= 0 and r x for x < 0, plus bend (x - 1) for x > 1."""
    return When(x >= 0, q * x, r * x) + When(x > 1, bend * (x - 1), 0)


def leaky(a: Term, x: Term) -> Term:
    """sigma_a(x)."""
    return When(x >= 0, x, a * x)


def matches(s: int, c: Term, other: Term) -> Term:
    """Whether sigma(x) = c sigma_a(s x), a = other / c inside (-1, 1).

    At x = 1 and x = -1 the sign s = 1 asks for c = q, c a = r, and s = -1 for c = -r, -c a = q;
    x = 2 for bend = 0.
    """
    a = When(c == 0, 0, other / c)
    same = Each(list_(1, -1, 2), lambda x: sigma(x) == c * leaky(a, s * x))
    return (a > -1) & (a < 1) & same


MATCHED = matches(1, q, r) | matches(-1, -r, -q)


def _number(case: Tensors, name: str, value: Fraction) -> Tensors:
    return case.changing(**{name: Tensor((), (), (value,))})


def _unlike(name: str, text: str, sign: int) -> Given:
    """That q differs from r or from -r."""

    def repaired(case: Tensors, random: object) -> Tensors:
        other = sign * case.number("r")
        if case.number("q") != other:
            return case
        return _number(case, "q", 2 * other + (1 if other >= 0 else -1))

    def broken(case: Tensors, random: object) -> Tensors:
        size = case.number("r") or Fraction(1)
        return _number(_number(case, "r", size), "q", sign * size)

    return Given(name, q != sign * r, text, repaired, broken)


HOMOGENEOUS = Given(
    "homogeneous",
    bend == 0,
    r"$\sigma(x)=qx$ for $x\ge0$ and $\sigma(x)=rx$ for $x<0$",
    lambda case, random: _number(case, "bend", Fraction(0)),
    lambda case, random: _number(case, "bend", Fraction(1, random.choice((1, 2)))),
)
NOT_IDENTITY = _unlike("not proportional to the identity", r"$q\ne r$", 1)
NOT_ABSOLUTE = _unlike("not proportional to the absolute value", r"$q\ne-r$", -1)


def _not_zero(case: Tensors, random: object) -> Tensors:
    return case if case.number("q") or case.number("r") else _number(case, "q", Fraction(1))


NOT_ZERO = Given(
    "not the zero function",
    (q != 0) | (r != 0),
    r"$(q,r)\ne(0,0)$",
    _not_zero,
    lambda case, random: _number(_number(case, "q", Fraction(0)), "r", Fraction(0)),
)
HOMOGENEOUS_ONES = stated(
    "j23.homog@A",
    printed("Section 2"),
    "homogeneous nonlinearities",
    r"Any homogeneous nonlinearity $\sigma$ that is not proportional to the identity function, "
    r"the constant zero function or the absolute function matches $\sigma_a$, for some "
    r"$a\in(-1,1)$, up to scaling and inverting the inputs.",
    MATCHED,
    (HOMOGENEOUS, NOT_IDENTITY, NOT_ZERO, NOT_ABSOLUTE),
    reading="A",
    reading_text="scaling is by any real number",
    exact_only=True,
    proof=homogeneous_ones_match,
)

CLAIMS = (SETUP, HOMOGENEOUS_ONES)
