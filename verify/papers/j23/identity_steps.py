"""The proof of Proposition 12: networks that represent the identity, at points x and y.

For one point the displays speak of x alone. "We can write A = W_L^+ P" is looked at as printed, as
an equation; it fails where A has a part in the kernel of W_L, which only makes |A|_+ larger.
"""

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
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import SLOPE, SMOOTH
from verify.kinds.deep.networks import Deep, Matrix, tensor_of
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.identity_network import PROOF
from verify.papers.j23.rows import Row, entries_of
from verify.papers.j23.sources import printed


def projection(matrix: Matrix) -> Matrix:
    """To the image."""
    return reals.image_projection(matrix)


def fractions(matrix: Matrix) -> Matrix:
    """The same as fractions."""
    return np.frompyfunc(as_fraction, 1, 1)(matrix)  # type: ignore[no-any-return]  # an array


def size(matrix: Matrix) -> Any:
    """|M|_F^2."""
    return (matrix * matrix).sum()


# networks that represent the identity along tangent spaces ----------------------------------------
def tangents(case: Deep) -> list[Matrix]:
    """P_T of each point: T of the first, S of the second."""
    names = [name for name in ("T", "S") if name in case.arrays][: case.lengths["N"]]
    return [projection(case.matrix(name)) for name in names]


def before_last(case: Deep) -> list[Matrix]:
    """A, B: the derivative of alpha_(L-1) along the tangent space of each point."""
    scene = case.exact
    return [scene.to_post(case.depth - 1, at)[0] @ along for at, along in enumerate(tangents(case))]


def represents(case: Deep) -> bool:
    """Whether Jf is the identity along the tangent space at each point, and f(x) = x at the
    first."""
    if case.widths[0] != case.widths[-1]:
        return False
    last, point = case.matrix(f"W{case.depth}"), case.matrix("X")[0]
    pairs = zip(before_last(case), tangents(case), strict=True)
    along = all((last @ inner == wanted).all() for inner, wanted in pairs)
    return along and bool((case.exact.outputs[0, 0] == point).all())


def made_identity(case: Deep, random: Random) -> Deep:
    """The last layer becomes one with W_L [A B] = [P_T P_S], if there is one, plus what its old
    weights are off the image of [A B]; its bias fits the first point. Where A loses rank the
    tangent spaces are lines."""
    width, depth = case.widths[0], case.depth
    for name, inner in zip(("T", "S"), before_last(case), strict=False):
        if rank(inner) < rank(case.matrix(name)):
            matrix = case.matrix(name)
            case = case.with_array(name, fractions(matrix[:, :1] + matrix * 0))
    inner = np.concatenate(before_last(case), axis=1)
    wanted = np.concatenate(tangents(case), axis=1)
    inverse = reals.pseudo_inverse(inner)
    old = case.matrix(f"W{depth}")
    free = RATIONALS.array([0] * (width * old.shape[1])).reshape(width, old.shape[1])
    free[: min(width, len(old))] = old[:width]
    last = wanted @ inverse + (free - free @ inner @ inverse)
    bias = case.matrix("X")[0] - last @ case.exact.post(depth - 1)[0, 0]
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


REPRESENTS = Hypothesis(
    "represents the identity",
    r"$\theta$ represents the identity on $\Omega$: at its points $f_\theta(x)=x$ and "
    r"$Jf_\theta(x)$ is the identity along the tangent space (that of the first point is the image "
    "of $T$, that of the second the image of $S$)",
    by_case(represents),
    made_identity,
    _others,
)
EQUAL = Hypothesis(
    "equal dimensions",
    r"$\dim T_x\Omega=\dim T_y\Omega=k$",
    by_case(lambda case: len({rank(case.matrix(name)) for name in "TS"}) == 1),
    lambda case, random: case.with_array("S", fractions(case.matrix("T"))),
    lambda case, random: case.with_array("S", fractions(case.matrix("S") * 0)),
)
DEPTHS = (1, 2, 2, 3)
PLANES = (("T", ("n0", "t")), ("S", ("n0", "t")))
ONE = pool(depths=DEPTHS, points=(1,), extras=PLANES[:1])
BOTH = pool(depths=DEPTHS, points=(2,), extras=PLANES)


def _differences(place: int, matrix: Matrix) -> list[Any]:
    """The entries of a matrix, labelled."""
    return [(place, {"row": i, "column": j}, matrix[i, j]) for i, j in np.ndindex(*matrix.shape)]


def last_layer_residual(scene: DeepScene) -> Entries:
    """W_L A - P_T at the first point."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        (inner, *_), (along, *_) = before_last(case), tangents(case)
        if case.widths[0] == case.widths[-1]:
            rows += _differences(place, case.matrix(f"W{case.depth}") @ inner - along)
    return entries_of(rows)


def inverse_residual(scene: DeepScene) -> Entries:
    """A - W_L^+ P_T at the first point."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        (inner, *_), (along, *_) = before_last(case), tangents(case)
        if case.widths[0] == case.widths[-1]:
            inverse = reals.pseudo_inverse(case.matrix(f"W{case.depth}"))
            rows += _differences(place, inner - inverse @ along)
    return entries_of(rows)


def inverse_slack(scene: DeepScene) -> Entries:
    """|A|_+^2 - |W_L^+ P_T|_+^2."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        (inner, *_), (along, *_) = before_last(case), tangents(case)
        if case.widths[0] == case.widths[-1]:
            inverse = reals.pseudo_inverse(case.matrix(f"W{case.depth}")) @ along
            left, right = map(reals.pseudo_determinant_squared, (inner, inverse))
            rows.append((place, {}, left - right))
    return entries_of(rows)


def norm_slack(scene: DeepScene) -> Entries:
    """|theta|^2 - |W_L|^2 - k (L - 1) - 2 log |A|_+, and with B."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        k = rank(case.matrix("T"))
        left = case.exact.parameter_square[0] - size(case.matrix(f"W{case.depth}"))
        for at, inner in enumerate(before_last(case)):
            log = reals.log(reals.pseudo_determinant_squared(inner))
            rows.append((place, {"point": at}, left - k * (case.depth - 1) - log))
    return entries_of(rows)


def _step(letter: str, kind: Kind, statement: str, measure: Any, **options: Any) -> Claim:
    hypotheses = (replace(SLOPE, break_=None), SMOOTH, REPRESENTS, *options.pop("more", ()))
    return Claim(
        f"j23.prop5.bound.{letter}",
        kind,
        printed(f"{PROOF}, displays"),
        options.pop("title", "last layer of a network of the identity"),
        statement,
        hypotheses,
        options.pop("depends", ("j23.schatten@A",)),
        measure=measure,
        pool=options.pop("pool", ONE),
        exact_only=True,
        **options,
    )


WITH = r"With $A=J\alpha^{(L-1)}(x)_{|T_x\Omega}$, "
STEPS = (
    _step("a", Kind.IDENTITY, rf"{WITH}$P_{{T_x\Omega}}=W_LA$.", last_layer_residual),
    _step(
        "b",
        Kind.IDENTITY,
        rf"{WITH}given any weight matrix $W_L$ whose image contains $T_x\Omega$ and $T_y\Omega$, "
        r"we can write $A=W_L^+P_{T_x\Omega}$.",
        inverse_residual,
        why=r"$W_LA=P_{T_x\Omega}$ fixes $A$ up to what $W_L$ takes to $0$, and the network may "
        r"have "
        r"such a part, which $W_L^+P_{T_x\Omega}$ has not.",
    ),
    _step(
        "b.fix",
        Kind.INEQUALITY,
        rf"{WITH}$|A|_+\ge|W_L^+P_{{T_x\Omega}}|_+$.",
        inverse_slack,
        repairs="j23.prop5.bound.b",
    ),
    _step(
        "d",
        Kind.INEQUALITY,
        r"With $A=J\alpha^{(L-1)}(x)_{|T_x\Omega}$ and $B=J\alpha^{(L-1)}(y)_{|T_y\Omega}$, any "
        r"such parameters have norm at least $\lVert W_L\rVert_F^2+k(L-1)+\max\{2\log|A|_+,"
        r"2\log|B|_+\}$.",
        norm_slack,
        title="norm of a network of the identity",
        more=(EQUAL,),
        pool=BOTH,
    ),
)
CLAIMS = STEPS
