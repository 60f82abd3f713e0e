"""The proof of Theorem 16 (Theorem 7), last display: how many layers have large activations."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from verify.cases.tensors import Tensors
from verify.kinds.deep.changes import GAPS
from verify.language.building import Count, Each, Number, Sum, Vector, dim, upto
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem7_steps import PROOF
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

q, B, p = Vector("q", "layers"), Number("B"), Number("p")
LAYERS = dim(q)
SHARES = tuple(map(Fraction, ("1/100", "1/10", "1/4", "1/3", "1/2", "2/3", "3/4", "9/10")))


# hypotheses ---------------------------------------------------------------------------------------
def _in_between(case: Tensors) -> bool:
    return 0 < case.number("p") < 1


AT_MOST_PL = Given(
    "proportion",
    (p > 0) & (p < 1),
    r"$p\in(0,1)$",
    lambda case, random: (
        case if _in_between(case) else with_entries(case, "p", (random.choice(SHARES),))
    ),
    lambda case, random: with_entries(case, "p", (Fraction(random.choice((1, 2))),)),
)


def _bounded(case: Tensors) -> bool:
    q, bound = case.arrays["q"].entries, case.number("B")
    return min(q) >= 0 and sum(q) <= len(q) * bound


def _made_bounded(case: Tensors, random: Random) -> Tensors:
    """The numbers made at least 0, the bound what they need, or more."""
    if _bounded(case):
        return case
    q = tuple(map(abs, case.arrays["q"].entries))
    case = with_entries(case, "q", q)
    return with_entries(case, "B", (sum(q, random.choice(GAPS)) / len(q),))


def _unbounded(case: Tensors, random: Random) -> Tensors:
    q = case.arrays["q"].entries
    return with_entries(case, "B", (sum(q, Fraction(0)) / len(q) / 4,))


BOUND_ON_THE_SUM = Given(
    "bound on the sum",
    Each(upto(LAYERS), lambda k: q[k] >= 0) & (Sum(upto(LAYERS), lambda k: q[k]) <= LAYERS * B),
    r"$q_\ell\ge0$ and $\sum_\ell q_\ell\le LB$",
    _made_bounded,
    _unbounded,
)

BOUND_POSITIVE = Given(
    "positive bound",
    B > 0,
    r"$B>0$: $c$ is a positive constant",
    lambda case, random: case if case.number("B") > 0 else with_entries(case, "B", (Fraction(1),)),
    lambda case, random: with_entries(
        with_entries(case, "q", (Fraction(0),) * len(case.arrays["q"].entries)),
        "B",
        (Fraction(0),),
    ),
)


def _threshold_met(case: Tensors, random: Random) -> Tensors:
    """In some cases a few numbers equal B / p exactly."""
    found = case
    numbers = list(case.arrays["q"].entries)
    if random.random() < 0.3:
        many = random.randint(1, len(numbers))
        value = Fraction(random.randint(0, 8), 4)
        numbers = [value] * many + [Fraction(0)] * (len(numbers) - many)
        found = with_entries(found, "q", tuple(numbers))
        found = with_entries(found, "B", (sum(numbers, Fraction(0)) / len(numbers),))
        found = with_entries(found, "p", (Fraction(many, len(numbers)) or Fraction(1, 2),))
    return found


SEQUENCES = pool_with(q, B, p, largest=6, adapt=_threshold_met)

CLAIMS = (
    stated(
        "j23.thm7.steps.count",
        printed(PROOF + "last display"),
        "how many layers have large activations",
        r"Where $\sum_\ell\lVert\alpha_{\ell-1}(x)\rVert_2^2\le LB$, with "
        r"$B=\frac{c\max\{1,e^{c_1/k}\}}{k|Jf_\theta(x)|_+^{2/k}}>0$, there are for every "
        r"$p\in(0,1)$ at most $pL$ layers with "
        r"$\lVert\alpha_{\ell-1}(x)\rVert_2^2\ge\frac1pB$; "
        r"measured on any numbers $q_\ell\ge0$ in the place of these squares.",
        Count(upto(LAYERS), lambda k: q[k] >= 1 / p * B) <= p * LAYERS,
        [AT_MOST_PL, BOUND_ON_THE_SUM, BOUND_POSITIVE],
        pool=SEQUENCES,
    ),
)
