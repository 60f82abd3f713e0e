"""Products of numbers: at width one H~_l is X or -X, and its sign can change in each layer.

B_l/|B_l| is the product of the signs of 1 + gamma W_k, which are independent. With X of one row the
mean of |H~_(l+1) - H~_l|_i is 2 |x_i| P(1 + gamma W < 0), whatever l. A bounded sequence that
converges, almost surely or in probability, has means that tend to 0; so an entry must be 0. Order
of the factors and norm make no difference here. Lower bounds on the means are enough:

- Gaussian: P(W > t) >= e^(-(t + 1)^2/2)/sqrt(2 pi) for t = 1/gamma, the density being at least that
  on [t, t + 1], and sqrt(2 pi) < 3; of gamma below 1/20 nothing is said (0 is a lower bound);
- uniform on [-sqrt 3, sqrt 3]: (1 - 1/(sqrt 3 gamma))/2, or 0 where that is negative;
- Gaussian without the identity: 1/2.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.kinds.normalised.pool import chain_pool
from verify.kinds.normalised.scene import Chained, ChainScene
from verify.statements.quantities import with_entries

ROW = (("x", ("N",)),)
WITH_STRENGTH = chain_pool("gamma", extras=ROW, largest=3)
POINTS = chain_pool(extras=ROW, largest=3)
INSIDE = tuple(map(Fraction, ("1/2", "9/10", "3/4", "99/100", "1/10")))


def _inside(case: Chained) -> bool:
    return 0 < case.number("gamma") < 1


STRENGTH = Hypothesis(
    "gamma between 0 and 1, neither of them",
    r"$\gamma\in(0,1)$",
    by_case(_inside),
    lambda case, random: (
        case if _inside(case) else with_entries(case, "gamma", [random.choice(INSIDE)])
    ),
    lambda case, random: with_entries(case, "gamma", [Fraction(random.choice((0, -1, 1, 2)))]),
)


def _sizes(scene: ChainScene) -> list[Array]:
    """(C,) each: |x_i|."""
    flat = scene["x"].reshape(-1)
    sizes = scene.arithmetic.maximum(flat, -flat).reshape(*scene["x"].shape)
    return [sizes[:, i] for i in range(sizes.shape[1])]


def _strength(scene: ChainScene) -> tuple[Array, np.ndarray]:
    """(C,): |gamma|, 1 in place of 0; and where it is 0. W and -W have one law."""
    gamma = scene.arithmetic.maximum(scene["gamma"], -scene["gamma"])
    zero = np.asarray(scene.arithmetic.may_be_zero(gamma), dtype=bool)
    return np.where(zero, scene.constant(1), gamma), zero


def _entries(scene: ChainScene, chance: Array) -> Entries:
    """2 |x_i| times a lower bound on the probability of another sign, against 0."""
    zero = scene.constant(0)
    twice = scene.share(chance, 2)
    return scene.parts([({"point": i}, size * twice, zero) for i, size in enumerate(_sizes(scene))])


def gaussian_jump(scene: ChainScene) -> Entries:
    """A lower bound on E |H~_(l+1) - H~_l|_i for Gaussian weights."""
    gamma, zero = _strength(scene)
    far = scene.constant(1) / gamma + scene.constant(1)
    bound = scene.share(scene.exp(scene.share(far * far, Fraction(-1, 2))), Fraction(1, 3))
    below = gamma - scene.constant(Fraction(1, 20))
    tiny = zero | np.asarray(scene.arithmetic.is_negative(below), dtype=bool)
    return _entries(scene, np.where(tiny, scene.constant(0), bound))


def uniform_jump(scene: ChainScene) -> Entries:
    """E |H~_(l+1) - H~_l|_i for weights uniform on [-sqrt 3, sqrt 3]: as 1/sqrt 3 = sqrt 3/3."""
    gamma, zero = _strength(scene)
    above = scene.constant(3) * gamma * gamma - scene.constant(1)  # of gamma above 1/sqrt 3
    none = zero | np.asarray(scene.arithmetic.is_negative(above), dtype=bool)
    third = scene.share(scene.sqrt(scene.constant(3)), Fraction(1, 3))
    chance = scene.share(scene.constant(1) - third / gamma, Fraction(1, 2))
    return _entries(scene, np.where(none, scene.constant(0), chance))


def no_skip_jump(scene: ChainScene) -> Entries:
    """E |H~_(l+1) - H~_l|_i for Gaussian factors W_k."""
    return _entries(scene, scene.constant(Fraction(1, 2)))
