"""Proposition 13, on sequences of ReLU networks that are known at every depth.

A network of depth M has a hidden layer of k neurons. Behind it the identity on these neurons is
put in, again and again: the activations there are at least 0, so the functions stay as they are, as
do the Jacobians and the Lipschitz constants, and |theta_L|^2 = |theta|^2 + k (L - M). Where Jf has
rank k at one of the points, R^(0)(f) = k: the rank bounds it from below, the sequence from above.
So the limit of |theta_L|^2 - L R^(0)(f) is |theta|^2 - k M.

x and y are the first two points. The sequence is C-uniformly Lipschitz as maps on the whole spaces,
for every l. As printed its parameters have minimal norm, so that its limit is R^(1)(f).
"""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np

from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import (
    RELU,
    SMOOTH,
    jacobian_ranks,
    points_like_the_first,
    with_number,
    without_biases,
)
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.papers.j23.jacobian_differences import (
    READING,
    across_kinks,
    jacobian_difference,
    second,
)
from verify.papers.j23.lipschitz_constants import (
    LIPSCHITZ,
    constant_square,
    is_decided,
    larger,
    of_those,
)
from verify.papers.j23.sources import printed

SEQUENCES = pool(
    points=(2,),
    gaps=("gap",),
    whole=(("k", 1, 2),),
    depths=(2, 2, 3),
    widest=2,
    last=across_kinks,
)


# hypotheses ---------------------------------------------------------------------------------------
def _has_bottleneck(case: Deep) -> bool:
    k = case.whole("k")
    return k in case.widths[1:-1] and k in jacobian_ranks(case)


def _to_width(case: Deep, random: Random) -> Deep:
    """k becomes the width of a hidden layer that is a rank of the Jacobian."""
    if _has_bottleneck(case):
        return case
    found = sorted(set(case.widths[1:-1]) & set(jacobian_ranks(case)))
    return with_number(case, "k", random.choice(found)) if found else case


def _off_the_width(case: Deep, random: Random) -> Deep:
    return with_number(case, "k", case.whole("k") + random.choice((1, 2)))


BOTTLENECK = Hypothesis(
    "a layer of k neurons",
    r"some hidden layer has $k$ neurons, and $\mathrm{Rank}\,Jf(x)=k$ at a point: the networks "
    r"$\theta_L$ with identities behind that layer represent $f$, "
    r"$\lVert\theta_L\rVert^2=\lVert\theta\rVert^2+k(L-M)$ and $R^{(0)}(f)=k$",
    by_case(_has_bottleneck),
    _to_width,
    _off_the_width,
)


def _same_ranks(case: Deep) -> bool:
    return set(jacobian_ranks(case)[:2]) == {case.whole("k")}


def _to_same_ranks(case: Deep, random: Random) -> Deep:
    """A point of rank k comes first, and the other becomes one of that rank."""
    ranks, k = jacobian_ranks(case), case.whole("k")
    if _same_ranks(case) or k not in ranks:
        return case
    points = case.matrix("X")
    at = ranks.index(k)
    points[[0, at]] = points[[at, 0]]
    return points_like_the_first(case.with_array("X", points), random)


SAME_RANK = Hypothesis(
    "rank R0 at x and y",
    r"$\mathrm{Rank}\,Jf(x)=\mathrm{Rank}\,Jf(y)=R^{(0)}(f)$",
    by_case(_same_ranks),
    _to_same_ranks,
)


def _is_minimal(case: Deep) -> bool:
    """|theta|^2 = k M, and all singular values of Jf are 1 at a point of rank k."""
    scene, k = case.exact, case.whole("k")
    if scene.parameter_square[0] != k * case.depth:
        return False
    for at, rank in enumerate(jacobian_ranks(case)):
        jacobian = scene.jacobian(at)[0]
        square = jacobian @ jacobian.T
        if rank == k and not (square @ square - square).any():
            return True
    return False


def _to_signed_identity(case: Deep, random: Random) -> Deep:
    """Each weight matrix becomes a signed identity, the first point positive."""
    if _is_minimal(case):
        return case
    case = without_biases(case, random)
    k = min(case.widths)
    for layer in range(1, case.depth + 1):
        rows, columns = case.widths[layer], case.widths[layer - 1]
        sign = random.choice((1, -1)) if layer == case.depth else 1
        matrix = [[sign * int(i == j < k) for j in range(columns)] for i in range(rows)]
        case = case.with_array(f"W{layer}", matrix)
    points = case.matrix("X")
    points[0] = [abs(value) + 1 for value in points[0]]
    return with_number(case.with_array("X", points), "k", k)


MINIMAL = Hypothesis(
    "minimal norm",
    r"the $\theta_L$ have minimal norm: here $\lVert\theta_L\rVert^2=kL$, and $Jf$ has $k$ "
    r"singular values, all of them $1$, at a point, so that $R(f;\Omega,L)\ge kL$",
    by_case(_is_minimal),
    _to_signed_identity,
    lambda case, random: with_number(case, "k", case.whole("k") + 1),
)


# the measure --------------------------------------------------------------------------------------
def sequence_slack(scene: DeepScene, *, mended: bool = False) -> Entries:
    """left - log |Jf(x)|_+ - log |Jf(y)|_+ - |Jf(x) - Jf(y)|_*/C^2, times C^2.

    left: the limit of |theta_L|^2 - L R^(0)(f) along the sequence. mended: 1 for C where C < 1.
    """
    least = constant_square(scene)
    square = larger(scene, least, scene.constant(1)) if mended else least
    told = is_decided(scene, least)
    if not scene.plain_floats:  # no such sequence, nothing to say
        told &= np.array([_has_bottleneck(case) for case in scene.cases], dtype=bool)
    k = scene.numbers(scene.whole("k"))
    limit = scene.parameter_square - scene.share(k, scene.depth)
    ends = [scene.jacobian(at) for at in (0, second(scene))]
    logs = sum(map(scene.log_pseudo_determinant, ends[1:]), scene.log_pseudo_determinant(ends[0]))
    right = logs * square + scene.nuclear_norm(jacobian_difference(scene))
    return of_those(scene.compare(limit * square, right), told)


def _limit(*, mended: bool = False) -> Claim:
    constant = r"\max(1,C)" if mended else "C"
    name = "j23.prop13@B"
    return Claim(
        f"{name}.fix" if mended else name,
        Kind.INEQUALITY,
        printed("Proposition 13"),
        "uniformly Lipschitz sequences" + (", repaired" if mended else ""),
        r"For a $C$-uniformly Lipschitz sequence of ReLU networks representing the function $f$, "
        r"$R^{(1)}(f)\ge\log|Jf(x)|_++\log|Jf(y)|_++"
        rf"{constant}^{{-2}}\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*$"
        + (
            r", where $Jf(x)$ and $Jf(y)$ have rank $R^{(0)}(f)$; here with the limit of $\lVert"
            r"\theta_L\rVert^2-LR^{(0)}(f)$ along any such sequence on the left."
            if mended
            else "."
        ),
        (RELU, SMOOTH, BOTTLENECK, LIPSCHITZ, SAME_RANK if mended else MINIMAL),
        ("j23.schatten@A", "j23.prop13.finite@Bii"),
        partial(sequence_slack, mended=mended),
        SEQUENCES,
        "B",
        READING if mended else f"the sequence consists of parameters of minimal norm; {READING}",
        repairs=name if mended else None,
        exact_only=True,
        floats=not mended,  # few cases of equal ranks are near each other: nothing to climb
        through=r"identities put in behind a layer of $k$ neurons make a sequence whose limit is "
        r"$\lVert\theta\rVert^2-kM$ (docs/mathematics/j23.md#identities-put-in)",
        why=""
        if mended
        else r"The printed bound does not ask that $Jf(y)$ has rank $R^{(0)}(f)$: for $f(x)="
        r"\max(x,0)$, $x=1$, $y=-1$ the left side is $0$ and the right side $C^{-2}$.",
    )


CLAIMS = (_limit(), _limit(mended=True))
