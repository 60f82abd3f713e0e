"""Proposition 4, part 3: the second correction of a linear map on the hull of points.

Where the domain is in a smaller space than the rows of A, the map is another one of smaller cost
there. The same cases serve the first display at the end of the proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import rational
from graphs.matrices import rank
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealTensors
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.costs.affine import Affine
from verify.kinds.costs.corrections import corrections
from verify.kinds.costs.stacked import is_acute
from verify.kinds.deep.networks import Matrix
from verify.papers.j23.root_networks import PLACE, SLOPE
from verify.papers.j23.rows import exact
from verify.papers.j23.second_correction import second, unless, with_matrices
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.sides import Side, by_numbers


def seen(points: Matrix, linear: Matrix) -> Matrix:
    """A P with P the projection to the span of the points: the same map on the domain."""
    return np.asarray(linear @ reals.image_projection(points.T))


def known_second(points: Matrix, linear: Matrix) -> Any | None:
    """R^(2)(x -> A x) on the hull of points, 0 one of them, where it is known.

    With B = A P the cost is L sum s_i(B)^(2/L): at least that by the Jacobian along the domain, at
    most by the network of powers for B, if B^p Omega is completely positive for 0 <= p <= 1. Of
    rank 1 and 2 that is so where no angle at p = 0 and p = 1 is obtuse: the inner products are
    c s_1^(2p) + d s_2^(2p), of one sign change at most.
    """
    same = seen(points, linear)
    at_origin = any(not any(row) for row in points)
    if not at_origin or not is_acute(points, same):
        return None
    return second(same)


def value(case: Tensors) -> Iterator[Side]:
    """R^(2)(x -> A x; Omega) against |log_+ A^T A|^2 / 2, where the former is known."""
    points, linear = exact(case, "X"), exact(case, "A")
    found = known_second(points, linear)
    if found is not None:
        yield {}, found, second(linear)


def _from_0(case: Tensors, random: Random) -> RealTensors:
    """The first point is 0; of every other case all numbers are at least 0."""
    array = case.arrays["X"]
    width = array.shape[1]
    entries = ((Fraction(0),) * width) + array.entries[width:]
    case = case.changing(X=replace(array, entries=entries))
    if random.random() < 0.5:
        case = case.changing(
            **{
                name: replace(case.arrays[name], entries=tuple(map(abs, case.arrays[name].entries)))
                for name in ("A", "X")
            }
        )
    return RealTensors(case.arrays, case.choice, case.family)


MAPS = TensorPool((("A", ("m", "n")), ("X", ("N", "n"))), largest=3, adapt=_from_0)


def _spans_enough(case: Tensors) -> bool:
    points, linear = exact(case, "X"), exact(case, "A")
    return rank(linear @ (points[1:] - points[0]).T) == rank(linear)


def _spans_rows(case: Tensors) -> bool:
    points, linear = exact(case, "X"), exact(case, "A")
    return bool((seen(points, linear) == linear).all())


def _onto_span(case: Tensors, random: Random) -> Tensors:
    return with_matrices(case, A=seen(exact(case, "X"), exact(case, "A")))


def _tilted(case: Tensors, random: Random) -> Tensors:
    """A segment on the diagonal, seen by one coordinate."""
    size = Fraction(random.randint(1, 4), random.randint(1, 4))
    return with_matrices(case, A=[[size, 0]], X=[[0, 0], [1, 1]])


DIMENSION = Hypothesis(
    "images of dimension k",
    r"$A^p\Omega$ is $k=\mathrm{Rank}A$-dimensional for all $p\in[0,1]$",
    by_case(_spans_enough),
    unless(_spans_enough, _onto_span),
)
EMBEDDED = Hypothesis(
    "completely positive images",
    r"$A^p\Omega$ can be embedded by an isometric linear map into some $\mathbb R_+^m$ for all "
    r"$p\in[0,1]$ (decided for $\mathrm{Rank}A\le2$)",
    by_case(lambda case: is_acute(exact(case, "X"), exact(case, "A"))),
)
ROWS_SPANNED = Hypothesis(
    "rows in the span of the domain",
    r"$\mathrm{Im}A^T\subset\mathrm{span}\,\Omega$",
    by_case(_spans_rows),
    unless(_spans_rows, _onto_span),
    _tilted,
)
KNOWN = (
    "the cost of a linear map on such a domain is known at every depth "
    "(docs/mathematics/j23.md#tilted-domains)"
)


def _value(*more: Hypothesis) -> Claim:
    words = r", and $\mathrm{Im}A^T\subset\mathrm{span}\,\Omega$" if more else ""
    return Claim(
        "j23.prop4.3@B" + ".fix" * bool(more),
        Kind.IDENTITY,
        printed(PLACE),
        "second correction of a linear map" + ", repaired" * bool(more),
        r"If $A^p\Omega$ is $k=\mathrm{Rank}A$-dimensional and completely positive for all "
        rf"$p\in[0,1]${words}, then $R^{{(2)}}(x\mapsto Ax;\Omega)=\frac12\lVert\log_+A^TA"
        r"\rVert_F^2$. Here $\Omega$ is the convex hull of the points $X$, $0$ one of them.",
        (DIMENSION, EMBEDDED, *more),
        ("j23.prop4.3.network", "j23.prop4.3.norm", "j23.schatten@A"),
        measure=by_numbers(value),
        pool=MAPS,
        repairs="j23.prop4.3@B" if more else None,
        reading="B",
        reading_text="completely positive: it can be embedded by an isometric linear map",
        exact_only=True,
        through=KNOWN,
        why=""
        if more
        else r"The cost knows the map on $\Omega$ alone: on the segment from $0$ to $(1,1)$ the "
        r"map "
        r"$x_2$ is $(x_1+x_2)/2$ as well, so $R^{(2)}=\frac12\log^22$, while "
        r"$\frac12\lVert\log_+A^TA\rVert^2=0$.",
    )


# between two layers -------------------------------------------------------------------------------
def first_of_parts(case: Tensors) -> Iterator[Side]:
    """lim R^(1)(alpha_l -> alpha_m) against R^(1)(f) lim (m - l)/L =: R^(1)(f) q, for optimal
    networks that are known: of a constant c with |c| <= 1, 0 in Omega, all weights are 0 and the
    last bias is c; of a linear map A that is seen and acute, the network of powers."""
    points, share = exact(case, "X"), exact(case, "q").reshape(-1)[0]
    linear, shift = exact(case, "A"), exact(case, "c")
    if not 0 < share < 1:
        return
    function = Affine(points, linear, shift, exact(case, "a").reshape(-1)[0])
    if not linear.any() and function.has_origin:
        whole = corrections(function)
        hidden = corrections(replace(function, shift=shift * 0))
        if whole is not None and hidden is not None and not whole.lower < whole.upper:
            yield {"part": "constant"}, hidden.upper, whole.upper * share
    elif not shift.any() and function.has_origin:
        same = seen(points, linear)
        if is_acute(points, same):
            logs = [reals.log(s) for s in reals.squared_singular_values(same)]
            powers = [reals.log(reals.exp(x * share)) for x in logs]
            one, other = (sum(numbers, rational(0)) for numbers in (powers, logs))
            yield {"part": "linear"}, one, other * share


def _of_one_kind(case: Tensors, random: Random) -> RealTensors:
    """A constant function or a linear one, on a domain with 0; the share inside (0, 1)."""
    case = _from_0(case, random)
    name = random.choice(("A", "c"))
    array = case.arrays[name]
    case = case.changing(**{name: replace(array, entries=(Fraction(0),) * len(array.entries))})
    case = SLOPE.repair(case, random)
    if not 0 < case.number("q") < 1:
        case = with_value(case, "q", Fraction(random.randint(1, 4), 5))
    return RealTensors(case.arrays, case.choice, case.family)


TAIL = Claim(
    "j23.prop4.tail.first",
    Kind.IDENTITY,
    printed("end of the proof of Proposition 14, first display"),
    "first correction between two layers",
    r"$\lim_{L\to\infty}R^{(1)}(\alpha_{\ell_1}\to\alpha_{\ell_2};\Omega)=R^{(1)}(f_\theta;\Omega)"
    r"\lim_{L\to\infty}\frac{\ell_2-\ell_1}L$ along optimal networks: here of constants, whose "
    r"last layer alone is not 0, and of linear maps; $q=\lim\frac{\ell_2-\ell_1}L$, $\Omega$ the "
    r"hull of the points $X$, $0$ one of them.",
    hypotheses=(SLOPE,),
    measure=by_numbers(first_of_parts),
    pool=TensorPool(
        (("A", ("m", "n")), ("c", ("m",)), ("X", ("N", "n")), ("q", ()), ("a", ())),
        largest=3,
        adapt=_of_one_kind,
    ),
    exact_only=True,
    through="the optimal networks of constants and of linear maps are known at every depth "
    "(docs/mathematics/j23.md#the-network-of-powers)",
    why=r"The only optimal network of a constant $c$ of length below $1$ has all weights $0$ and "
    r"the "
    r"last bias $c$: between hidden layers there is nothing, and $R^{(1)}(f_\theta)=\lVert c"
    r"\rVert^2>0$.",
)

CLAIMS = (
    _value(),
    _value(ROWS_SPANNED),
    TAIL,
)
