"""Families of balanced networks in which the constants of bounds matter: deep chains of small norm,
and sets of points of which one weighs more than all others.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensor
from verify.kinds.deep.balanced import MANY_LAYERS, SCALES, SMALL_SCALES
from verify.kinds.deep.networks import Deep, deep
from verify.kinds.deep.pool import MANNERS

NEAR_1 = (Fraction(9, 10), Fraction(11, 10))
DEPTHS, DEEP = (2, 3, 4), (16, 20, 24)
FAR = (1, 8, 2**40)
SMALL_TURNS = tuple((Fraction(c, n), Fraction(s, n)) for c, s, n in ((40, 9, 41), (99, 20, 101)))


def mixing_chains(case: Deep, random: Random) -> Deep:
    """Two chains that mix a little in the place of a drawn network: W_l = s times one rotation by a
    small angle, no biases. With small s and many layers |theta|^2 is below k L, with
    large s above; each point is on the upper side of the first kink of one of the chains, or of
    both. Parallel chains that do not mix have dead neurons at their kinks."""
    deep_one = case.depth > MANY_LAYERS
    depth = random.choice(DEEP if deep_one else DEPTHS)
    scale = random.choice(SMALL_SCALES if deep_one and random.random() < 0.8 else SCALES)
    far = random.choice(FAR[::2] if deep_one else FAR)
    c, s = random.choice(SMALL_TURNS)
    weight = [[scale * c, scale * s], [-scale * s, scale * c]]
    both = random.random() < 0.2
    points = []
    for _ in range(case.lengths["N"]):
        x, y = (Fraction(random.randint(1, 4) * far, random.choice((1, 4))) for _ in range(2))
        points.append((x, y) if both else random.choice(((x, -y), (-x, y))))
    slope = 0 if random.random() < 0.7 else case.number("a")
    return deep([weight] * depth, None, points, slope, "mixing chains", **_others(case))


def chain_with_an_outlier(case: Deep, random: Random) -> Deep:
    """A chain of width 1 and equal weights, the slope small, the points a cluster and one that is
    far, on the other side of the kinks, where the Jacobian is small, or on the same one."""
    scale = random.choice((NEAR_1[0], NEAR_1[1], random.choice(SCALES)))
    far, count = random.choice((-8, -256, -256, 8)), case.lengths["N"]
    points = [
        [Fraction(far)],
        *([1 + Fraction(random.randint(-8, 8), 64)] for _ in range(1, count)),
    ]
    slope = random.choice((-1, 1)) * Fraction(random.randint(1, 6), 16)
    chain = [[[scale]]] * random.choice((2, 2, 3))
    return deep(chain, None, points, slope, "chain with an outlier", **_others(case))


def _others(case: Deep) -> dict[str, Tensor]:
    """What a case has beside the network and its points."""
    own = {"a", "X", *(f"{kind}{k}" for kind in "Wb" for k in range(1, case.depth + 1))}
    return {name: array for name, array in case.arrays.items() if name not in own}


def in_families(case: Deep, random: Random) -> Deep:
    """Some drawn cases become chains, mixing ones or one with an outlier. The last change of a
    pool."""
    if case.family not in MANNERS:
        return case
    kind = random.random()
    if kind < (0.9 if case.depth > MANY_LAYERS else 0.4):
        return mixing_chains(case, random)
    return chain_with_an_outlier(case, random) if 0.4 <= kind < 0.7 else case
