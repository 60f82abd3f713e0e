"""Theorem 3.6 with both widths of Definition 2.7, on families of linear networks.

With outputs left out of the width, as in the formula, an output may have in-degree 1: then f is a
weight times one neuron g, and the block of that weight and those into g does not fall.
"""

from __future__ import annotations

from functools import partial

from verify.core.claim import Claim
from verify.papers.zlb22.group_ladders import HALF, ONE_BEFORE_OUTPUT, told
from verify.papers.zlb22.group_notation import INNER, LATER, NORM, width
from verify.papers.zlb22.profile_hypotheses import GROWS, GROWS_INSIDE, PROFILE
from verify.papers.zlb22.profile_pool import profile_pool
from verify.papers.zlb22.sources import printed
from verify.papers.zlb22.two_sided import argument
from verify.statements.stated import stated

BALL = (
    r"Given a fixed $R>0$, for all $\mathbf w\in\mathsf B(\mathbf w_0,R)$, with probability at "
    r"least $1-\exp(-\Omega(\log^2m))$ over the random initialisation $\mathbf w_0$, "
)
COUNTED = (
    r"on families of linear networks, with the exponent that $\lVert H_f\rVert$ has at least at "
    r"$\mathbf w_0$, with a probability that does not fall with $M$"
)
THROUGH = (
    r"on a family of linear networks the order of $\lVert H_f\rVert$ is read off the probabilities "
    "with which a random walk from the output passes its neurons "
    "(docs/mathematics/zlb22.md#walks-from-the-output)"
)
BONAMI = (
    "Bonami's lemma: E p^4 <= 9^d (E p^2)^2 for a polynomial p of degree at most d in independent "
    "standard normal variables, of degree at most 1 in each"
)
TRUSTED = (BONAMI, "Paley and Zygmund: P(X >= E X / 2) >= (E X)^2 / (4 E X^2) for X >= 0")


RATE_FAILS = (
    "|H_f|^2 falls with a smaller power of M than 1/m does, with a probability that does not fall"
)


def _claim(reading: str, *, outputs: bool, words: str, why: str = "") -> Claim:
    says = width(LATER if outputs else INNER) <= -NORM
    supposed = (PROFILE, GROWS if outputs else GROWS_INSIDE)
    return stated(
        f"zlb22.thm3.6.width@{reading}",
        printed("Theorem 3.6, (11), and Definition 2.7, (8)"),
        f"Hessian norm of outputs, width over {'all' if outputs else 'inner'} layers",
        r"Suppose Assumptions 3.1, 3.2 and 3.5 hold. "
        + BALL
        + r"each output neuron satisfies $\|H_{f_k}(\mathbf w)\|=\tilde O(1/\sqrt m)$.",
        says,
        supposed,
        pool=profile_pool(),
        reading=reading,
        reading_text=f"{words}; judged {COUNTED}",
        exact_only=True,
        trusted=TRUSTED,
        negated=RATE_FAILS,
        proof=partial(argument, says, supposed) if outputs else None,
        exponents=None if outputs else told(ONE_BEFORE_OUTPUT, HALF),
        through=THROUGH,
        why=why,
    )


CLAIMS = (
    _claim(
        "A",
        outputs=True,
        words="the width is that of the words: the least in-degree of all neurons but those in "
        "the input and the first layer",
    ),
    _claim(
        "B",
        outputs=False,
        words=r"the width is that of the formula: $m=\inf$ of the in-degrees in layers "
        r"$2,\dots,L-1$, outputs left out",
        why=r"The range of (8) leaves the outputs out: with one neuron $g$ before the output, "
        r"$f=wg$, and the derivative of $g$, which does not vanish, is a column of $H_f$.",
    ),
)
