"""The proof of Proposition 12: networks that represent the identity, at points x and y.

For one point the displays speak of x alone. "We can write A = W_L^+ P" is looked at as printed, as
an equation; it fails where A has a part in the kernel of W_L, which only makes |A|_+ larger.

x is the first point of a case, T spans its tangent space, y the second one with S.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import rank as rank_of
from graphs.rationals import RATIONALS
from verify.core.claim import Claim
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep, tensor_of
from verify.kinds.deep.networks import Matrix as Array
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Matrix, frob2, larger, log, pdet2, rank, upto, z
from verify.language.building import x as input_
from verify.language.terms import Term
from verify.papers.j23.identity_network import PROOF
from verify.papers.j23.matrix_notation import pseudo_inverse
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
    image,
    jacobian,
    neurons,
    to_post,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

T = Matrix("T", "n0", "t", meaning=r"its columns span $T_x\Omega$")
S = Matrix("S", "n0", "t", meaning=r"its columns span $T_y\Omega$")
X, Y = 1, 2
LAST = weight(DEPTH)
"""W_L."""
A, B = to_post(DEPTH - 1, X) @ image(T), to_post(DEPTH - 1, Y) @ image(S)
"""The derivative of alpha_(L-1) along the tangent spaces."""


# networks that represent the identity along tangent spaces ----------------------------------------
def fractions(matrix: Array) -> Array:
    """The same as fractions."""
    return np.frompyfunc(as_fraction, 1, 1)(matrix)  # type: ignore[no-any-return]  # an array


def tangents(case: Deep) -> list[Array]:
    """P_T of each point: T of the first, S of the second."""
    names = [name for name in ("T", "S") if name in case.arrays][: case.lengths["N"]]
    return [reals.image_projection(case.matrix(name)) for name in names]


def before_last(case: Deep) -> list[Array]:
    """A, B."""
    return [
        case.exact.to_post(case.depth - 1, at) @ along for at, along in enumerate(tangents(case))
    ]


def made_identity(case: Deep, random: Random) -> Deep:
    """The last layer becomes one with W_L [A B] = [P_T P_S], if there is one, plus what its old
    weights are off the image of [A B]; its bias fits the first point. Where A loses rank the
    tangent spaces are lines."""
    width, depth = case.widths[0], case.depth
    for name, inner in zip(("T", "S"), before_last(case), strict=False):
        if rank_of(inner) < rank_of(case.matrix(name)):
            matrix = case.matrix(name)
            case = case.with_array(name, fractions(matrix[:, :1] + matrix * 0))
    inner = np.concatenate(before_last(case), axis=1)
    wanted = np.concatenate(tangents(case), axis=1)
    inverse = reals.pseudo_inverse(inner)
    old = case.matrix(f"W{depth}")
    free = RATIONALS.array([0] * (width * old.shape[1])).reshape(width, old.shape[1])
    free[: min(width, len(old))] = old[:width]
    last = wanted @ inverse + (free - free @ inner @ inverse)
    bias = case.matrix("X")[0] - last @ case.exact.post(depth - 1)[0]
    outer = f"n{depth}"
    arrays = {
        **case.arrays,
        f"W{depth}": tensor_of((outer, f"n{depth - 1}"), fractions(last)),
        f"b{depth}": tensor_of((outer,), fractions(bias)),
    }
    return Deep(arrays, case.choice, case.family)


def _others(case: Deep, random: Random) -> Deep:
    """The last weights are changed, or all those before are 0."""
    if case.depth > 1 and random.random() < 0.5:
        for layer in range(1, case.depth):
            name = f"W{layer}"
            case = case.with_array(name, fractions(case.matrix(name) * rational(0)))
        return case
    name = f"W{case.depth}"
    factor = random.choice((Fraction(0), Fraction(1, 2), Fraction(2)))
    return case.with_array(name, fractions(case.matrix(name) * rational(factor)))


def along(p: int, tangent: Term) -> Term:
    """Whether Jf is the identity along a tangent space at a point."""
    return jacobian(p) @ image(tangent) == image(tangent)


AT_X = Each(upto(width(0)), lambda i: z(neurons(DEPTH)[i], X) == input_(neurons(0)[i], X))
"""f(x) = x."""
REPRESENTS = Given(
    "represents the identity",
    along(X, T) & AT_X,
    r"$\theta$ represents the identity on $\Omega$: $f_\theta(x)=x$, and $Jf_\theta(x)$ is the "
    "identity along the tangent space, the image of $T$",
    lifted(made_identity),
    lifted(_others),
)
AT_BOTH = replace(
    REPRESENTS,
    holds=REPRESENTS.holds & along(Y, S),
    text=r"$\theta$ represents the identity on $\Omega$: $f_\theta(x)=x$, and $Jf_\theta$ is the "
    "identity along the tangent spaces, at $x$ the image of $T$, at $y$ that of $S$",
)
EQUAL = Given(
    "equal dimensions",
    rank(T) == rank(S),
    r"$\dim T_x\Omega=\dim T_y\Omega=k$",
    lifted(lambda case, random: case.with_array("S", fractions(case.matrix("T")))),
    lifted(lambda case, random: case.with_array("S", fractions(case.matrix("S") * 0))),
)
DEPTHS = (1, 2, 2, 3)
PLANES = (("T", ("n0", "t")), ("S", ("n0", "t")))
ONE = layered_pool(pool(depths=DEPTHS, points=(1,), extras=PLANES[:1]))
BOTH = layered_pool(pool(depths=DEPTHS, points=(2,), extras=PLANES))


# what is said -------------------------------------------------------------------------------------
INVERTED = pseudo_inverse(LAST) @ image(T)
"""W_L^+ P_T."""
LOGARITHMS = larger(log(pdet2(A)), log(pdet2(B)))
NORM = frob2(LAST) + rank(T) * (DEPTH - 1) + LOGARITHMS <= PARAMETER_SQUARE


def _step(letter: str, text: str, says: Term, **options: Any) -> Claim:
    return stated(
        f"j23.prop5.bound.{letter}",
        printed(f"{PROOF}, displays"),
        options.pop("title", "last layer of a network of the identity"),
        text,
        says,
        options.pop("given", (FULLY_CONNECTED, SLOPE, SMOOTH, REPRESENTS)),
        depends=("j23.schatten@A",),
        pool=options.pop("pool", ONE),
        exact_only=True,
        **options,
    )


WITH = r"With $A=J\alpha^{(L-1)}(x)_{|T_x\Omega}$, "
CLAIMS = (
    _step("a", rf"{WITH}$P_{{T_x\Omega}}=W_LA$.", image(T) == LAST @ A),
    _step(
        "b",
        rf"{WITH}given any weight matrix $W_L$ whose image contains $T_x\Omega$ and $T_y\Omega$, "
        r"we can write $A=W_L^+P_{T_x\Omega}$.",
        A == INVERTED,
        why=r"$W_LA=P_{T_x\Omega}$ fixes $A$ up to what $W_L$ takes to $0$, and the network may "
        r"have such a part, which $W_L^+P_{T_x\Omega}$ has not.",
    ),
    _step(
        "b.fix",
        rf"{WITH}$|A|_+\ge|W_L^+P_{{T_x\Omega}}|_+$.",
        pdet2(A) >= pdet2(INVERTED),
        repairs="j23.prop5.bound.b",
    ),
    _step(
        "d",
        r"With $A=J\alpha^{(L-1)}(x)_{|T_x\Omega}$ and $B=J\alpha^{(L-1)}(y)_{|T_y\Omega}$, any "
        r"such parameters have norm at least $\lVert W_L\rVert_F^2+k(L-1)+\max\{2\log|A|_+,"
        r"2\log|B|_+\}$.",
        NORM,
        title="norm of a network of the identity",
        given=(FULLY_CONNECTED, SLOPE, SMOOTH, AT_BOTH, EQUAL),
        pool=BOTH,
    ),
)
