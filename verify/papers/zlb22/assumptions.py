"""The assumptions on inputs and activations.

Of each named activation `activation_bounds` finds exactly what Assumption 3.2 speaks of, and which
readings of it hold: of tanh, softplus, sigmoid, sin, log cosh and the identity both, of z^2 the
first alone, of z^3, |z|^(3/2), exp and of ReLU and its kind neither. Each assumption comes with a
table of examples (assumption_examples), each part of the predicate by itself.
"""

from __future__ import annotations

from functools import partial

from verify.core.claim import Claim, Kind
from verify.papers.zlb22 import assumption_examples as examples
from verify.papers.zlb22.sources import printed

DIFFERENTIABLE = (
    r"All activations are twice differentiable, and there are constants $\gamma_0,\gamma_1,\gamma_2"
    r">0$ with $|\sigma(0)|\le\gamma_0$ and, for any $z_1,z_2\in\mathbb R$, $|\sigma'(z_1)-\sigma'"
    r"(z_2)|\le\gamma_1|z_1-z_2|$ and $|\sigma''(z_1)-\sigma''(z_2)|\le\gamma_2|z_1-z_2|$."
)


def _smooth(reading: str, text: str) -> Claim:
    return Claim(
        f"zlb22.ass3.2@{reading}",
        Kind.ASSUMPTION,
        printed("Assumption 3.2"),
        "Lipschitz continuity and smoothness of activations",
        DIFFERENTIABLE,
        reading=reading,
        reading_text=text,
        examples=partial(examples.activations, reading),
    )


CLAIMS = (
    Claim(
        "zlb22.ass3.1",
        Kind.ASSUMPTION,
        printed("Assumption 3.1"),
        "bounded input",
        r"$\lVert x\rVert_\infty\le C_x$ for some constant $C_x>0$, the same at every width.",
        examples=examples.inputs,
    ),
    _smooth("A", "the two displayed inequalities: the first two derivatives are Lipschitz"),
    _smooth("B", "the words: the activation and its derivative are Lipschitz"),
    Claim(
        "zlb22.ass4.1@A",
        Kind.ASSUMPTION,
        printed("Assumption 4.1"),
        "Gaussian input",
        r"The input satisfies $\mathbf x\sim\mathcal N(I_{d_0},0)$.",
        reading="A",
        reading_text="mean 0 and covariance the identity",
        examples=examples.laws,
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
        examples=examples.powers,
    ),
)
