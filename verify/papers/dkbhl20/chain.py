"""The batch-normalised chain and its step on the second moment matrix (Section 2, Appendix A)."""

from __future__ import annotations

from verify.claim import Claim, Kind
from verify.papers.dkbhl20.sources import printed

CHAIN = Claim(
    "dkbhl20.def_chain.a",
    Kind.DEFINITION,
    printed("eqs. (1), (2), (7)"),
    "the batch-normalised chain",
    r"$H_{\ell+1}=\mathrm{BN}_{0,\mathbf 1_d}(H_\ell+\gamma W_\ell H_\ell)$, $H_0=X\in\mathbb "
    r"R^{d\times N}$, $W_\ell\in\mathbb R^{d\times d}$, where $\mathrm{BN}_{\alpha,\beta}(H)="
    r"\beta\circ(\mathrm{diag}(M(H)))^{-1/2}H+\alpha\mathbf 1_N^\top$ and "
    r"$M(H)=\frac1NHH^\top$.",
)

CLAIMS = (CHAIN,)
