"""The proof of Theorem 16 (Theorem 7), last display: how many layers have large activations."""

from __future__ import annotations

from dataclasses import replace

from verify.claim import Kind
from verify.papers.j23.step_cases import (
    AT_MOST_PL,
    BOUND_ON_THE_SUM,
    BOUND_POSITIVE,
    SEQUENCES,
    above_threshold,
)
from verify.papers.j23.theorem7_steps import step_claim

COUNTED = replace(
    step_claim(
        "count",
        Kind.INEQUALITY,
        "last display",
        "how many layers have large activations",
        r"Where $\sum_\ell\lVert\alpha_{\ell-1}(x)\rVert_2^2\le LB$, with "
        r"$B=\frac{c\max\{1,e^{c_1/k}\}}{k|Jf_\theta(x)|_+^{2/k}}>0$, there are for every "
        r"$p\in(0,1)$ at most $pL$ layers with "
        r"$\lVert\alpha_{\ell-1}(x)\rVert_2^2\ge\frac1pB$; "
        r"measured on any numbers $q_\ell\ge0$ in the place of these squares.",
        (AT_MOST_PL, BOUND_ON_THE_SUM, BOUND_POSITIVE),
        above_threshold,
        SEQUENCES,
    ),
    floats=False,
)
CLAIMS = (COUNTED,)
