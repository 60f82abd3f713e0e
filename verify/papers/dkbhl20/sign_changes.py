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
from random import Random
from typing import Any

from verify.language.building import Each, Vector, When, dim, exp, sqrt, upto
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import in_roles
from verify.papers.dkbhl20.notation import GAMMA
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with

X = Vector("x", "N", meaning="the row $X$ of width one")
WITH_STRENGTH = pool_with(X, GAMMA, largest=3, adapt=in_roles("gamma"))
POINTS = pool_with(X, largest=3)
INSIDE = tuple(map(Fraction, ("1/2", "9/10", "3/4", "99/100", "1/10")))


def _to_inside(case: Any, random: Random) -> Any:
    inside = 0 < case.number("gamma") < 1
    return case if inside else with_entries(case, "gamma", [random.choice(INSIDE)])


STRENGTH = Given(
    "gamma between 0 and 1, neither of them",
    (GAMMA > 0) & (GAMMA < 1),
    r"$\gamma\in(0,1)$",
    _to_inside,
    lambda case, random: with_entries(case, "gamma", [Fraction(random.choice((0, -1, 1, 2)))]),
)


# lower bounds on the probability that a sign changes ----------------------------------------------
GAUSSIAN = When(Fraction(1, 20) > GAMMA, 0, exp(-((1 / GAMMA + 1) ** 2) / 2) / 3)
UNIFORM = When(3 * GAMMA**2 < 1, 0, (1 - 1 / (sqrt(3) * GAMMA)) / 2)
NO_SKIP = Fraction(1, 2)


def still(chance: Term | Fraction) -> Term:
    """E |H~_(l+1) - H~_l|_i, or a lower bound, is 0 at each i: it is 2 |x_i| times the chance."""
    return Each(upto(dim(X)), lambda i: 2 * abs(X[i]) * chance == 0)
