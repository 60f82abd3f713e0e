"""Networks are finite piecewise linear functions (FPLF): Section 2 before Remark 1, Appendix D.2.

Between the finitely many places of a segment where a layer turns a network is affine.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import as_fraction
from verify.kinds.deep.changes import without_biases
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep
from verify.kinds.deep.pool import pool
from verify.language.building import Each, Some, Vector, frob2, item, list_
from verify.language.terms import Term
from verify.papers.j23.network_notation import DISTINCT, FULLY_CONNECTED, SLOPE
from verify.papers.j23.pieces_notation import middle, network, on_the_way, pieces
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated

LINES = "(docs/mathematics/j23.md#piecewise-linear-functions)"


def output(t: Term) -> Term:
    """f at x_1 + t (x_2 - x_1)."""
    return network(on_the_way(1, 2, t))


# from networks to functions -----------------------------------------------------------------------
def _affine(piece: Term) -> Term:
    """Whether the output in the middle is the mean of those at the ends."""
    start, end = (output(item(piece, k)) for k in (1, 2))
    return start + end == 2 * output(middle(piece))


TO_FUNCTION = stated(
    "j23.fplfnets.pieces",
    printed("Section 2, before Remark 1"),
    "networks are piecewise linear",
    r"The functions that can be represented by networks with homogeneous nonlinearities and any "
    "finite depth and width are finite piecewise linear: on the segment from the first point to "
    "the second they are affine between finitely many points, and continuous at these.",
    Each(pieces(1, 2), _affine),
    (FULLY_CONNECTED, SLOPE),
    depends=("j23.setup",),
    pool=layered_pool(pool(points=(2,)), deep=Fraction(1, 16)),
    exact_only=True,
    through=f"pieces are looked at along segments between two points {LINES}",
)


# the cost of functions that are no FPLF -----------------------------------------------------------
W = Vector("w", "nL", meaning="the direction of the curve")


def _leaves_the_curve(piece: Term) -> Term:
    """Whether f(x_1 + t (x_2 - x_1)) is not t^2 w at an end of a piece or in its middle."""
    places = list_(item(piece, 1), middle(piece), item(piece, 2))
    return Some(places, lambda t: output(t) != t**2 * W)


def _from_end_to_end(case: Deep, random: Random) -> Deep:
    """Half of the networks meet the curve at both ends of the segment: by the last biases f(x_1) is
    0, and w is f(x_2)."""
    if random.random() < 0.5 or case.lengths["N"] == 1:
        return case
    last = case.arrays[f"b{case.depth}"]
    start, end = ([as_fraction(value) for value in row] for row in case.exact.outputs[:2])
    biases = tuple(b - value for b, value in zip(last.entries, start, strict=True))
    rise = tuple(after - before for before, after in zip(start, end, strict=True))
    return case.changing(
        **{f"b{case.depth}": replace(last, entries=biases)},
        w=replace(case.arrays["w"], entries=rise),
    )


def _bent(case: Deep, random: Random) -> Deep:
    array = case.arrays["w"]
    if any(array.entries):
        return case
    return case.changing(w=replace(array, entries=(Fraction(1), *array.entries[1:])))


def _flat(case: Deep, random: Random) -> Deep:
    """The target and the network are 0."""
    case = without_biases(case, random)
    zeros = {
        name: replace(array, entries=(Fraction(0),) * len(array.entries))
        for name, array in case.arrays.items()
        if name in (f"W{case.depth}", "w")
    }
    return case.changing(**zeros)


CURVED = Given(
    "no piecewise linear function",
    frob2(W) != 0,
    r"$f$ is no FPLF: along the segment it is $tw\mapsto t^2w$ with $w\ne0$",
    lifted(_bent),
    lifted(_flat),
)
INFINITE = (
    "Since all functions represented by finite depth and width networks are FPLFs, the "
    "representation cost of any such function is infinite"
)
OUTSIDE_FPLF = stated(
    "j23.fplf@A",
    printed("Appendix D.2"),
    "cost of functions that are no FPLF",
    rf"{INFINITE}: no network of any depth and width is such a function.",
    Each(pieces(1, 2), _leaves_the_curve),
    (FULLY_CONNECTED, SLOPE, DISTINCT, CURVED),
    depends=("j23.fplfnets.pieces", "j23.repcost"),
    pool=layered_pool(
        pool(points=(2,), extras=(("w", ("nL",)),), last=_from_end_to_end), deep=Fraction(1, 16)
    ),
    reading="A",
    reading_text="such a function: one that is not an FPLF; here quadratic along a line",
    exact_only=True,
    through=f"functions that are quadratic along a line stand for all that are no FPLF {LINES}",
)

CLAIMS = (TO_FUNCTION, OUTSIDE_FPLF)
