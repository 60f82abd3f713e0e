"""Proposition 13, on sequences of ReLU networks that are known at every depth.

A network of depth M has a hidden layer of k neurons. Behind it the identity on these neurons is
put in, again and again: the activations there are at least 0, so the functions stay as they are, as
do the Jacobians and the Lipschitz constants, and |theta_L|^2 = |theta|^2 + k (L - M). Where Jf has
rank k at one of the points, R^(0)(f) = k: the rank bounds it from below, the sequence from above.
So the limit of |theta_L|^2 - L R^(0)(f) is |theta|^2 - k M.

x and y are any two points. The sequence is C-uniformly Lipschitz as maps on the whole spaces,
for every l. As printed its parameters have minimal norm, so that its limit is R^(1)(f).
"""

from __future__ import annotations

from random import Random

from verify.core.claim import Claim
from verify.kinds.deep.changes import (
    jacobian_ranks,
    points_like_the_first,
    with_number,
    without_biases,
)
from verify.kinds.deep.layered import lifted
from verify.kinds.deep.networks import Deep
from verify.language.building import Some, between, examples, larger, log, nuclear, rank
from verify.language.terms import Term
from verify.papers.j23.jacobian_differences import READING, constant_pool, of_pairs
from verify.papers.j23.lipschitz_constants import LIPSCHITZ, C
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    RANK,
    RELU,
    SMOOTH,
    K,
    jacobian,
    jacobian_square,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated, unless

SEQUENCES = constant_pool(whole=(("k", 1, 2),), depths=(2, 2, 3))


# hypotheses ---------------------------------------------------------------------------------------
def _to_width(case: Deep, random: Random) -> Deep:
    """k becomes the width of a hidden layer that is a rank of the Jacobian."""
    found = sorted(set(case.widths[1:-1]) & set(jacobian_ranks(case)))
    return with_number(case, "k", random.choice(found)) if found else case


def _off_the_width(case: Deep, random: Random) -> Deep:
    return with_number(case, "k", max(case.widths) + random.choice((1, 2)))


HAS_BOTTLENECK = Some(between(1, DEPTH - 1), lambda m: width(m) == K) & Some(
    examples(), lambda p: rank(jacobian(p)) == K
)
BOTTLENECK = Given(
    "a layer of k neurons",
    HAS_BOTTLENECK,
    r"some hidden layer has $k$ neurons, and $\mathrm{Rank}\,Jf(x)=k$ at a point: the networks "
    r"$\theta_L$ with identities behind that layer represent $f$, "
    r"$\lVert\theta_L\rVert^2=\lVert\theta\rVert^2+k(L-M)$ and $R^{(0)}(f)=k$",
    unless(HAS_BOTTLENECK, lifted(_to_width)),
    lifted(_off_the_width),
)


def _to_same_ranks(case: Deep, random: Random) -> Deep:
    """A point of rank k comes first, and the other becomes one of that rank; where no point has it,
    k becomes the rank of one."""
    ranks, k = jacobian_ranks(case), case.whole("k")
    if k not in ranks:
        k = random.choice(ranks)
        case = with_number(case, "k", k)
    points = case.matrix("X")
    at = ranks.index(k)
    points[[0, at]] = points[[at, 0]]
    return points_like_the_first(case.with_array("X", points), random)


SAME_RANK = Given(
    "rank R0 at x and y",
    RANK.holds,
    r"$\mathrm{Rank}\,Jf(x)=\mathrm{Rank}\,Jf(y)=R^{(0)}(f)$",
    unless(RANK.holds, lifted(_to_same_ranks)),
)


def _to_signed_identity(case: Deep, random: Random) -> Deep:
    """Each weight matrix becomes a signed identity, the first point positive."""
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


def _is_isometric(p: Term) -> Term:
    """Whether Jf(x) has k singular values, all of them 1."""
    gram = jacobian(p) @ jacobian(p).T
    return (rank(jacobian(p)) == K) & (gram @ gram == gram)


IS_MINIMAL = (PARAMETER_SQUARE == K * DEPTH) & Some(examples(), _is_isometric)
MINIMAL = Given(
    "minimal norm",
    IS_MINIMAL,
    r"the $\theta_L$ have minimal norm: here $\lVert\theta_L\rVert^2=kL$, and $Jf$ has $k$ "
    r"singular values, all of them $1$, at a point, so that $R(f;\Omega,L)\ge kL$",
    unless(IS_MINIMAL, lifted(_to_signed_identity)),
    lifted(lambda case, random: with_number(case, "k", case.whole("k") + 1)),
)


# what is said -------------------------------------------------------------------------------------
LIMIT = PARAMETER_SQUARE - K * DEPTH
"""Of |theta_L|^2 - L R^(0)(f) along the sequence."""


def _limit(*, mended: bool = False) -> Claim:
    words, constant = (r"\max(1,C)", larger(C, 1)) if mended else ("C", C)
    name = "j23.prop13@B"

    def holds(x: Term, y: Term) -> Term:
        logarithms = (log(jacobian_square(x)) + log(jacobian_square(y))) / 2
        return logarithms + nuclear(jacobian(x) - jacobian(y)) / constant**2 <= LIMIT

    return stated(
        f"{name}.fix" if mended else name,
        printed("Proposition 13"),
        "uniformly Lipschitz sequences" + (", repaired" if mended else ""),
        r"For a $C$-uniformly Lipschitz sequence of ReLU networks representing the function $f$, "
        r"$R^{(1)}(f)\ge\log|Jf(x)|_++\log|Jf(y)|_++"
        rf"{words}^{{-2}}\lVert Jf_\theta(x)-Jf_\theta(y)\rVert_*$"
        + (
            r", where $Jf(x)$ and $Jf(y)$ have rank $R^{(0)}(f)$; here with the limit of $\lVert"
            r"\theta_L\rVert^2-LR^{(0)}(f)$ along any such sequence on the left."
            if mended
            else "."
        ),
        of_pairs(holds),
        (
            FULLY_CONNECTED,
            RELU,
            SMOOTH,
            BOTTLENECK,
            LIPSCHITZ,
            SAME_RANK if mended else MINIMAL,
        ),
        depends=("j23.schatten@A", "j23.prop13.finite@Bii" + (".fix" if mended else "")),
        pool=SEQUENCES,
        reading="B",
        reading_text=READING
        if mended
        else f"the sequence consists of parameters of minimal norm; {READING}",
        repairs=name if mended else None,
        through=r"identities put in behind a layer of $k$ neurons make a sequence whose limit is "
        r"$\lVert\theta\rVert^2-kM$ (docs/mathematics/j23.md#identities-put-in)",
        why=""
        if mended
        else r"The printed bound does not ask that $Jf(y)$ has rank $R^{(0)}(f)$: for $f(x)="
        r"\max(x,0)$, $x=1$, $y=-1$ the left side is $0$ and the right side $C^{-2}$.",
    )


CLAIMS = (_limit(), _limit(mended=True))
