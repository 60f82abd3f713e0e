"""The assumptions on inputs and activations, as predicates.

Assumption 3.2 speaks of suprema of derivatives. Of each named activation they are found exactly
(`activation_bounds`), so that its readings can be asked of each.
"""

from __future__ import annotations

from verify.claim import Claim, Kind
from verify.papers.zlb22.sources import printed

CLAIMS = (
    Claim(
        "zlb22.ass4.1@A",
        Kind.ASSUMPTION,
        printed("Assumption 4.1"),
        "Gaussian input",
        r"The input satisfies $\mathbf x\sim\mathcal N(I_{d_0},0)$.",
        reading="A",
        reading_text="mean 0 and covariance the identity",
    ),
    Claim(
        "zlb22.ass4.1@B",
        Kind.ASSUMPTION,
        printed("Assumption 4.1"),
        "Gaussian input",
        r"The input satisfies $\mathbf x\sim\mathcal N(I_{d_0},0)$.",
        reading="B",
        reading_text="first the mean, then the covariance: the input does not vary; a mean that is "
        "a matrix is a vector in one dimension alone, where it is 1",
    ),
    Claim(
        "zlb22.ass4.2@A",
        Kind.ASSUMPTION,
        printed("Assumption 4.2, Remark 4.3"),
        "homogeneous activations",
        r"$\sigma_i^{(\ell)}(az)=a^r\sigma_i^{(\ell)}(z)$ with $r>0$ for any constant $a$, and "
        r"$\inf_{\ell\in[L-1],i}\mathbb E_{z\sim\mathcal N(0,1)}[\sigma_i^{(\ell)}(z)^2]="
        r"C_\sigma>0$.",
        reading="A",
        reading_text="for every real a of which the power is defined",
    ),
    Claim(
        "zlb22.ass4.2@B",
        Kind.ASSUMPTION,
        printed("Assumption 4.2, Remark 4.3"),
        "homogeneous activations",
        r"$\sigma_i^{(\ell)}(az)=a^r\sigma_i^{(\ell)}(z)$ with $r>0$ for any constant $a$, and "
        r"$\inf_{\ell\in[L-1],i}\mathbb E_{z\sim\mathcal N(0,1)}[\sigma_i^{(\ell)}(z)^2]="
        r"C_\sigma>0$.",
        reading="B",
        reading_text="for every a of at least 0",
    ),
)
