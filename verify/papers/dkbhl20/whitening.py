"""Whitening: BN with the full inverse root of the second moment matrix (Section 3.1).

With A = M(H + gamma W H) the whitened matrix is A^(-1/2) (H + gamma W H). Its Gram matrix over N is
P = B^T A^(-1) B / N of B = H + gamma W H, which is rational. P has the eigenvalues of the second
moment matrix of the whitened one, up to zeros; that matrix (d, d) is I if P P = P and Tr P = d.
"""

from __future__ import annotations

from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.normalised_pool import chain_pool
from verify.normalised_scene import ChainScene
from verify.papers.dkbhl20.conditions import INVERTIBLE
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.words import EVERY_SIZE, IDENTITY, matrix
from verify.vocabulary import Entries


def whitened_residual(scene: ChainScene) -> Entries:
    """|P P - P|_F^2, Tr P - d, and rank P - d, the rank of the whitened matrix less d."""
    before = scene.before_norm(scene["H"], scene["W"], scene["gamma"])
    turned = scene.transpose(before)
    moments = before @ turned  # N A
    gram = turned @ scene.pseudo_inverse(moments) @ before
    width, nothing = scene.constant(scene.width), scene.constant(0)
    return scene.parts(
        [
            ({"part": "projection"}, scene.frobenius_squared(gram @ gram - gram), nothing),
            ({"part": "trace"}, scene.trace(gram), width),
            ({"part": "rank"}, scene.numbers(scene.rank_of(gram)), width),
        ]
    )


INVERSE = ("B", "B'", "K")  # K being the inverse of B B^T, this is the identity


def whitening_is_a_projection() -> Argument:
    """P P = B^T K B B^T K B = B^T K B, and Tr P = Tr B B^T K = d, with K = (B B^T)^(-1)."""
    b, k = matrix("B"), matrix("K", symmetric=True)
    gram, turned = b.transposed @ k @ b, b @ b.transposed @ k
    return Argument(
        "the Gram matrix of the whitened one is a projection of trace d, so its rank is d and the "
        "second moment matrix, which has d eigenvalues, is the identity",
        (
            Step(
                "P P = P with B B^T K = I put in",
                ((gram @ gram).replaced(INVERSE, ()) - gram).is_zero and not gram.is_zero,
            ),
            Step("B B^T K = I, of trace d", (turned.replaced(INVERSE, ()) - IDENTITY).is_zero),
        ),
        (
            EVERY_SIZE,
            "K is the inverse of B B^T",
            "Tr X Y = Tr Y X",
            "the rank of a projection is its trace",
        ),
        "whitened_residual",
        ("invertible before BN",),
        section=31,
    )


WHITENED = Claim(
    "dkbhl20.whitening",
    Kind.IDENTITY,
    printed("Section 3.1, after Theorem 2"),
    "whitening yields full rank",
    r"With the full inverse root $M^{-1/2}$ in place of $\mathrm{diag}(M)^{-1/2}$ in (2), BN would "
    r"be a whitening operation, $M(M^{-1/2}H)=I$, and all $H_\ell^{(\gamma)}$, $1\le\ell\le L$, "
    r"would have full rank $d$.",
    (INVERTIBLE,),
    ("dkbhl20.def_chain.a",),
    whitened_residual,
    chain_pool("H", "W", "gamma"),
    exact_only=True,
    proof=whitening_is_a_projection,
)

CLAIMS = (WHITENED,)
