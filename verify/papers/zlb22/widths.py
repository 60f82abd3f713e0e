"""Theorem 3.6 with the width of the formula (reading B of Definition 2.7), on families of linear
networks."""

from __future__ import annotations

from verify.claim import Claim, Kind
from verify.papers.zlb22.sources import printed
from verify.profile import ProfileScene
from verify.profile_hypotheses import GROWS_INSIDE, PROFILE, width
from verify.profile_pool import profile_pool
from verify.vocabulary import Entries

BALL = (
    r"Given a fixed $R>0$, for all $\mathbf w\in\mathsf B(\mathbf w_0,R)$, with probability at "
    r"least $1-\exp(-\Omega(\log^2m))$ over the random initialisation $\mathbf w_0$, "
)
COUNTED = (
    "on families of linear networks, with the exponent that |H_f| has at least at w_0, with a "
    "probability that does not fall with M (verify.profile); so in every reading of the ball phrase"
)
BONAMI = (
    "Bonami's lemma: E p^4 <= 9^d (E p^2)^2 for a polynomial p of degree at most d in independent "
    "standard normal variables, of degree at most 1 in each"
)
TRUSTED = (BONAMI, "Paley and Zygmund: P(X >= E X / 2) >= (E X)^2 / (4 E X^2) for X >= 0")


def rate_by_inner_width(scene: ProfileScene) -> Entries:
    """(11): the exponent by which |H_f|^2 falls is that of m at least."""
    falls = [-shape.squared_norm for shape in scene.shapes]
    widths = [width(shape, outputs=False) or 0 for shape in scene.shapes]
    return scene.compare(scene.numbers(falls), scene.numbers(widths))


CLAIMS = (
    Claim(
        "zlb22.thm3.6.width@B",
        Kind.INEQUALITY,
        printed("Theorem 3.6, (11), and Definition 2.7, (8)"),
        "Hessian norm of outputs, width over inner layers",
        r"Suppose Assumptions 3.1, 3.2 and 3.5 hold. "
        + BALL
        + r"each output neuron satisfies $\|H_{f_k}(\mathbf w)\|=\tilde O(1/\sqrt m)$.",
        (PROFILE, GROWS_INSIDE),
        measure=rate_by_inner_width,
        pool=profile_pool(),
        reading="B",
        reading_text=r"the width is that of the formula: $m=\inf$ of the in-degrees in layers "
        rf"$2,\dots,L-1$, outputs left out; judged {COUNTED}",
        exact_only=True,
        trusted=TRUSTED,
    ),
)
