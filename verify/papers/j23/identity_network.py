"""The network of the "if" part of Proposition 12: O, projections, O^T."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.matrices import rank
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE, SLOPES
from verify.kinds.deep.networks import Matrix, tensor_of
from verify.kinds.deep.pool import rotation
from verify.papers.j23.rows import entries_of, exact, number
from verify.papers.j23.sources import printed

PROOF = "proof of Proposition 12"


def projection(matrix: Matrix) -> Matrix:
    """To the image."""
    return reals.image_projection(matrix)


def size(matrix: Matrix) -> Any:
    """|M|_F^2."""
    return (matrix * matrix).sum()


def fractions(matrix: Matrix) -> Matrix:
    """The same as fractions."""
    return np.frompyfunc(as_fraction, 1, 1)(matrix)  # type: ignore[no-any-return]  # an array


# the network of the "if" part ---------------------------------------------------------------------
def leaky(values: Matrix, slope: Any) -> Matrix:
    """The activation."""
    return np.where(values < 0, values * slope, values)


def if_network_residual(scene: RealScene) -> Entries:
    """f(x) - x at the points, and |theta|^2 - L k."""
    rows = []
    for place, case in enumerate(scene.cases):
        turn, points, slope = exact(case, "O"), exact(case, "X"), number(case, "a")
        depth = case.whole("L")
        if depth < 2:
            continue
        middle = projection(turn)
        here = leaky(points @ turn.T, slope)
        for _ in range(depth - 2):
            here = leaky(here @ middle, slope)
        difference = here @ turn - points
        rows += [
            (place, {"point": at, "entry": j}, difference[at, j])
            for at, j in np.ndindex(*difference.shape)
        ]
        norm = size(turn) * 2 + size(middle) * (depth - 2)
        rows.append((place, {"part": "norm"}, norm - rational(depth * rank(points))))
    return entries_of(rows)


def _turned(case: Tensors, random: Random) -> RealTensors:
    """X = Y Q with Y >= 0 and Q a rotation; O is Q on the span of X, with zero rows below."""
    _count, width = case.arrays["X"].shape
    turn = RATIONALS.array(rotation(width, random))
    points = abs(exact(case, "X")) @ turn
    extra = max(0, case.arrays["O"].shape[0] - width)
    below = RATIONALS.array([0] * (extra * width)).reshape(extra, width)
    whole = np.concatenate([turn @ projection(points.T), below])
    arrays = {
        **case.arrays,
        "O": tensor_of(("m", "d"), fractions(whole)),
        "X": tensor_of(("N", "d"), fractions(points)),
    }
    return RealTensors(arrays, case.choice, case.family)


def _as_network(case: Tensors, random: Random) -> RealTensors:
    if not -1 < case.number("a") < 1:
        case = case.changing(a=Tensor((), (), (random.choice(SLOPES),)))
    return _turned(case, random)


def _scaled(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["O"]
    factor = random.choice((Fraction(2), Fraction(1, 2)))
    return case.changing(O=replace(array, entries=tuple(factor * v for v in array.entries)))


def _opposed(case: Tensors, random: Random) -> Tensors:
    """The first point becomes its opposite."""
    array = case.arrays["X"]
    width = array.shape[1]
    entries = tuple(-v for v in array.entries[:width]) + array.entries[width:]
    return case.changing(X=replace(array, entries=entries))


def _is_isometry(case: Tensors) -> bool:
    turn = exact(case, "O")
    return bool((turn.T @ turn == projection(exact(case, "X").T)).all())


def _is_positive(case: Tensors) -> bool:
    return bool((exact(case, "X") @ exact(case, "O").T >= 0).all())


ISOMETRY = Hypothesis(
    "isometry of the span",
    r"$O^TO=P_{\mathrm{span}\,\Omega}$",
    by_case(_is_isometry),
    lambda case, random: case if _is_isometry(case) else _turned(case, random),
    _scaled,
)
POSITIVE = Hypothesis(
    "into the orthant",
    r"$O\Omega\subset\mathbb R_+^m$",
    by_case(_is_positive),
    lambda case, random: case if _is_positive(case) else _turned(case, random),
    _opposed,
)
IF = Claim(
    "j23.prop5.if",
    Kind.IDENTITY,
    printed(f"{PROOF}, first paragraph"),
    "network of the identity on planar completely positive domains",
    r"If $O\Omega\subset\mathbb R_+^m$ and $O^TO=P_{\mathrm{span}\,\Omega}$, the identity is "
    r"represented by the network of depth $L\ge2$ with $W_1=O$, $W_\ell=P_{\mathrm{Im}\,O}$, "
    r"$W_L=O^T$, of norm $Lk$ with $k=\dim\mathrm{span}\,\Omega$. ($\Omega$ is spanned, by "
    "non-negative combinations, by the points $X$.)",
    (replace(SLOPE, break_=None), ISOMETRY, POSITIVE),
    measure=if_network_residual,
    pool=TensorPool(
        (("O", ("m", "d")), ("X", ("N", "d")), ("a", ())),
        (("L", 2, 6),),
        largest=3,
        adapt=_as_network,
    ),
    exact_only=True,
)

CLAIMS = (IF,)
