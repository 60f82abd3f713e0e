"""Lemma 4, (23) to (28): one step with signs S before it, for each H and each W (Appendix C)."""

from __future__ import annotations

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import diag, diagonal
from verify.language.terms import Term
from verify.papers.dkbhl20.drawing import in_roles
from verify.papers.dkbhl20.lemma6_step import POSITIVE
from verify.papers.dkbhl20.notation import GAMMA, H, W, before_norm
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.symmetric_rows import HALVES, SIGN
from verify.papers.dkbhl20.symmetric_rows import SIGNS as OF_SIGNS
from verify.papers.dkbhl20.symmetric_rows_proofs import half_steps
from verify.statements.derivations.matrix_words import EVERY_SIZE
from verify.statements.stated import pool_with, stated

S = diag(SIGN)
HALF = before_norm(H, S @ W @ S, GAMMA)  # H_(1/2)
OTHER = before_norm(S @ H, W, GAMMA)  # its counterpart from SH


def diagonal_of(matrix: Term) -> Term:
    """diag(A), a matrix."""
    return diag(diagonal(matrix))


def displayed(last: Term) -> Term:
    """(24) to (28), one after the other."""
    second, gram = S @ S @ H + GAMMA * S @ W @ S @ H, OTHER @ OTHER.T
    chain = [diagonal_of(a) for a in (HALF @ HALF.T, second @ second.T, S @ gram @ S, gram)]
    found = chain[0] == chain[1]
    for one, other in zip(chain[1:], [*chain[2:], last], strict=True):
        found = found & (one == other)
    return found


TURNED = S @ HALF == OTHER
PRINTED = displayed(OTHER @ OTHER.T)
MENDED = displayed(diagonal_of(OTHER @ OTHER.T))


# arguments ----------------------------------------------------------------------------------------
def the_half_steps_are_turned() -> Argument:
    """Words."""
    return Argument(
        "S (H + gamma SWSH) = SH + gamma WSH where SS = I",
        (half_steps(),),
        (EVERY_SIZE, "S has an inverse, S itself"),
        (OF_SIGNS.name,),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )


def the_diagonals_agree() -> Argument:
    """(24) to (28) with diag at the end."""
    ring = ring_of(2)
    s, entry = ring.generators
    turned = ring.is_zero(s * entry * s - s * s * entry)
    return Argument(
        "H_(1/2) = S (SH + gamma WSH), and diag(SAS) = diag(A) as s_i^2 = 1",
        (half_steps(), Step("(SAS)_ii = s_i^2 A_ii", turned)),
        (EVERY_SIZE,),
        (OF_SIGNS.name,),
        section="docs/mathematics/dkbhl20.md#lemma-4",
    )


# claims -------------------------------------------------------------------------------------------
STEPS = pool_with(H, W, GAMMA, SIGN, adapt=in_roles("H", "W", "gamma"))


def _displayed(*, mended: bool) -> Claim:
    end = r"\mathrm{diag}(" if mended else ""
    return stated(
        "dkbhl20.lem4.e" + (".fix" if mended else ""),
        printed("eqs. (24) to (28), Appendix C"),
        "the diagonals of the half steps" + (", with the last one" if mended else ""),
        r"$\mathrm{diag}(H_{1/2}H_{1/2}^\top)=\mathrm{diag}((SSH+\gamma SWSH)(SSH+\gamma SWSH)^"
        r"\top)=\mathrm{diag}(S(SH+\gamma WSH)(SH+\gamma WSH)^\top S)=\mathrm{diag}((SH+\gamma "
        rf"WSH)(SH+\gamma WSH)^\top)={end}\widetilde H_{{1/2}}\widetilde H_{{1/2}}^\top"
        + (")$" if mended else "$")
        + rf" with {HALVES}.",
        MENDED if mended else PRINTED,
        [POSITIVE, OF_SIGNS],
        pool=STEPS,
        repairs="dkbhl20.lem4.e" if mended else None,
        proof=the_diagonals_agree if mended else None,
    )


CLAIMS = (
    stated(
        "dkbhl20.lem4.d",
        printed("eq. (23), Appendix C"),
        "S times the half step",
        r"$SH\stackrel d=SH_+\stackrel d=(\mathrm{diag}(H_{1/2}H_{1/2}^\top/N))^{-1/2}\widetilde "
        rf"H_{{1/2}}$ with {HALVES}: $SH_{{1/2}}=\widetilde H_{{1/2}}$.",
        TURNED,
        [POSITIVE, OF_SIGNS],
        depends=("dkbhl20.lem4.c",),
        pool=STEPS,
        proof=the_half_steps_are_turned,
    ),
    _displayed(mended=False),
    _displayed(mended=True),
)
