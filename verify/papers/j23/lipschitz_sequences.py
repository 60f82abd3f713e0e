"""Proposition 13, on sequences of ReLU networks that are known at every depth.

A network of depth M has a hidden layer of k neurons. Behind it the identity on these neurons is
put in, again and again: the activations there are at least 0, so the functions stay as they are, as
do the Jacobians and the Lipschitz constants, and |theta_L|^2 = |theta|^2 + k (L - M). Where Jf has
rank k at one of the points, R^(0)(f) = k: the rank bounds it from below, the sequence from above.
So the limit of |theta_L|^2 - L R^(0)(f) is |theta|^2 - k M.

x and y are the first two points. The sequence is C-uniformly Lipschitz in the strongest reading (as
maps on the whole spaces, for every l), so what is refuted here is refuted in every reading of that.
"""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.deep import Deep
from verify.deep_hypotheses import (
    RELU,
    SMOOTH,
    jacobian_ranks,
    points_like_the_first,
    with_number,
    without_biases,
)
from verify.deep_pool import pool
from verify.deep_scene import DeepScene
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.jacobian_differences import across_kinks, jacobian_difference, second
from verify.papers.j23.lipschitz_constants import (
    constant_square,
    is_decided,
    larger,
    lipschitz,
    of_those,
)
from verify.papers.j23.sources import printed
from verify.vocabulary import Entries

SEQUENCES = pool(
    points=(2,),
    gaps=("gap",),
    whole=(("k", 1, 2),),
    depths=(2, 2, 3),
    widest=2,
    last=across_kinks,
)
WHERE = ("B", "ii")


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
def sequence_slack(scene: DeepScene, *, reading: str, mended: bool = False) -> Entries:
    """left - log |Jf(x)|_+ - log |Jf(y)|_+ - |Jf(x) - Jf(y)|_*/C^2, times C^2.

    left: the limit of |theta_L|^2 - L R^(0)(f) along the sequence. By reading A it is R^(1)(f),
    which is at most that, and at least 2 log |Jf|_+ at any point of rank k: an entry where one of
    the two decides; in plain floats always the former. mended: 1 for C where C < 1.
    """
    least = constant_square(scene, *WHERE)
    square = larger(scene, least, scene.constant(1)) if mended else least
    told = is_decided(scene, *WHERE, least)
    if not scene.plain_floats:  # no such sequence, nothing to say
        told &= np.array([_has_bottleneck(case) for case in scene.cases], dtype=bool)
    k = scene.numbers(scene.whole("k"))
    limit = scene.parameter_square - scene.share(k, scene.depth)
    ends = [scene.jacobian(at) for at in (0, second(scene))]
    logs = sum(map(scene.log_pseudo_determinant, ends[1:]), scene.log_pseudo_determinant(ends[0]))
    right = logs * square + scene.nuclear_norm(jacobian_difference(scene))
    left = limit * square
    if reading == "A" and not scene.plain_floats:
        left, decided = _decided_by_bounds(scene, left, right, square)
        told &= decided
    return of_those(scene.compare(left, right), told)


def _decided_by_bounds(
    scene: DeepScene, upper: Array, right: Array, square: Array
) -> tuple[Array, np.ndarray]:
    """The bound on R^(1)(f) that decides, times C^2, and whether one does: (C,) each."""
    lower = upper
    decided = np.array([bool(value < 0) for value in upper - right], dtype=bool)
    for at in range(scene.count):
        ranks = scene.rank_of(scene.jacobian(at)) == scene.whole("k")
        bound = scene.share(scene.log_pseudo_determinant(scene.jacobian(at)), 2) * square
        enough = np.array([bool(value >= 0) for value in bound - right], dtype=bool)
        for case in np.flatnonzero(ranks & enough & ~decided):
            lower = lower.copy()
            lower[case], decided[case] = bound[case], True
    return lower, decided


TEXTS = {
    "A": r"some such sequence exists, and $R^{(1)}(f)$ is that of the representation cost",
    "B": r"the sequence consists of parameters of minimal norm",
    "C": r"the left side is $\liminf_L(\lVert\theta_L\rVert^2-LR^{(0)}(f))$ along the sequence",
}


def _limit(reading: str, *, mended: bool = False) -> Claim:
    constant = r"\max(1,C)" if mended else "C"
    more = (MINIMAL,) if reading == "B" else (SAME_RANK,) if mended else ()
    return Claim(
        f"j23.prop13@{reading}{'.fix' if mended else ''}",
        Kind.INEQUALITY,
        printed("Proposition 13"),
        "uniformly Lipschitz sequences" + (", repaired" if mended else ""),
        r"For a $C$-uniformly Lipschitz sequence of ReLU networks representing the function $f$, "
        r"$R^{(1)}(f)\ge\log|Jf(x)|_++\log|Jf(y)|_++"
        rf"{constant}^{{-2}}\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*$"
        + (r", where $Jf(x)$ and $Jf(y)$ have rank $R^{(0)}(f)$." if mended else "."),
        (RELU, SMOOTH, BOTTLENECK, lipschitz(*WHERE), *more),
        ("j23.schatten@A", "j23.prop13.finite@Bii"),
        partial(sequence_slack, reading=reading, mended=mended),
        SEQUENCES,
        reading,
        TEXTS[reading],
        repairs=f"j23.prop13@{reading}" if mended else None,
        exact_only=True,
        floats=not mended,  # few cases of equal ranks are near each other: nothing to climb
    )


CLAIMS = (*map(_limit, "ABC"), _limit("C", mended=True))
