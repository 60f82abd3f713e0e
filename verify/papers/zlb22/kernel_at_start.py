"""PL* at the initial point, for one data point: lambda_min(K(w_0)) = |grad f(w_0)|^2.

Reading A is the mean of Proposition 4.4 (repaired); of degrees below 1: verify.papers.zlb22.
low_degrees. Reading B is looked at on fully connected networks with sigma(z) = b z for z > 0 and
a z for z < 0, any hidden sizes: K(w_0) = (|x|^2 / d_0) K', where K' does not depend on |x| and has
the mean M = L C^(L-1). So, at every width, P(K(w_0) < c) >= P(K' <= 2 M) P(|x|^2 / d_0 < c / (2
M)), of which the first is at least 1/2 (Markov), and the second behaves like kappa (c / (2
M))^(d_0/2) as c falls to 0.
"""

from __future__ import annotations

from verify.language.building import Whole, rising
from verify.papers.zlb22.chain_gradients import BOUNDED, CHAINS, SUPPOSED, by_the_last_layer
from verify.papers.zlb22.gradient_norms import (
    MOMENT,
    SECOND_MOMENT,
    a,
    at_least_1,
    b,
    d0,
    with_hidden_layer,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import pool_with, stated

PLACE = printed("Section 4, before and after Proposition 4.4")
L = Whole("L", 1, 4)
MEAN = L * SECOND_MOMENT ** (L - 1)
"""M."""
NEAR_ZERO = (d0 / 2) ** (d0 / 2) / rising(1, d0 / 2)
"""kappa: P(|x|^2 / d_0 < s) is about kappa s^(d_0/2)."""
NO_DENSITY_AT_ZERO = -(NEAR_ZERO * (2 * MEAN) ** (-d0 / 2) / 2) >= 0
"""Minus the coefficient of c^(d_0/2), as c falls to 0, of the lower bound on P(K(w_0) < c)."""


# claims -------------------------------------------------------------------------------------------
SAID = (
    r"For one data point $\lambda_{\min}(K(\mathbf w_0))=K(\mathbf w_0)=\lVert\nabla_{\mathbf w}"
    r"f(\mathbf w_0)\rVert^2$ has a positive lower bound, so the loss satisfies PL$^*$ at "
    r"$\mathbf w_0$: "
)
PIECEWISE = r"$\sigma(z)=bz$ for $z>0$ and $az$ for $z<0$, fully connected"

CLAIMS = (
    stated(
        "zlb22.pl.w0@A",
        PLACE,
        "PL* at the initial point",
        SAID + r"$\mathbb E[\lambda_{\min}(K(\mathbf w_0))]\ge\min\big(1,\min_{1\le j\le L}"
        r"C_\sigma^{\sum_{\ell'=0}^{j-1}r^{\ell'}}\big)>0$. Here on chains of one neuron a layer, "
        r"with $\sigma(z)=s|z|^r$.",
        BOUNDED,
        SUPPOSED,
        depends=("zlb22.prop4.4.fix", "zlb22.eq16"),
        pool=CHAINS,
        reading="A",
        reading_text="the expectation is bounded: by the bound of the repaired Proposition 4.4, "
        "for r >= 1",
        exact_only=True,
        proof=by_the_last_layer,
        through="chains of one neuron a layer stand for all networks "
        "(docs/mathematics/zlb22.md#chains-of-one-neuron-a-layer)",
    ),
    stated(
        "zlb22.pl.w0@B",
        PLACE,
        "PL* at the initial point",
        SAID
        + r"for some $c>0$, $P(\lambda_{\min}(K(\mathbf w_0))\ge c)\to1$ as $m\to\infty$. Here "
        rf"for {PIECEWISE}, with $d_0$ fixed: a lower bound on $P(K(\mathbf w_0)<c)$ that does not "
        r"depend on the widths has the coefficient $0$ at $c^{d_0/2}$ for $c\to0$.",
        NO_DENSITY_AT_ZERO,
        (at_least_1(L, d0), with_hidden_layer(L), MOMENT),
        depends=("zlb22.prop4.4", "zlb22.eq16"),
        pool=pool_with(a, b, L, d0, largest=1),
        reading="B",
        reading_text="with probability tending to 1 as the width grows, with one constant",
        exact_only=True,
        through=r"$K(\mathbf w_0)$ is $|x|^2/d_0$ times a number whose mean does not depend on the "
        "widths (docs/mathematics/zlb22.md#the-kernel-at-the-start)",
        why=r"The input is Gaussian in a fixed dimension, so $|x|^2$ is small with a probability "
        r"that does not depend on the width, and $K(\mathbf w_0)$ with it.",
    ),
)
