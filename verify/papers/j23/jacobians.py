"""The bound on the cost by the Jacobian (first line of the proof of Theorem 11).

The paper does not say what the derivative of the activation at 0 is. Throughout these files claims
leave such points out (SMOOTH, reading A); what happens with the value 1 there (reading B) is what
the necessity run without that hypothesis tells.
"""

from __future__ import annotations

from verify.kinds.deep.layered import layered_pool
from verify.kinds.deep.pool import pool
from verify.language.building import Each, examples, schatten
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    PARAMETER_SQUARE,
    SLOPE,
    SMOOTH,
    jacobian,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import stated

SCHATTEN = stated(
    "j23.schatten@A",
    printed("proof of Theorem 11, first line"),
    "the Jacobian bounds the cost",
    r"$R(f;\Omega,L)\ge L\,\lVert Jf(x)\rVert_{2/L}^{2/L}$: every network of depth $L$ has "
    r"$\lVert\theta\rVert^2\ge L\sum_is_i(Jf_\theta(x))^{2/L}$ at every $x$.",
    Each(examples(), lambda p: DEPTH * schatten(jacobian(p), 2 / DEPTH) <= PARAMETER_SQUARE),
    (FULLY_CONNECTED, SLOPE, SMOOTH),
    pool=layered_pool(pool()),
    reading="A",
    reading_text=r"$Jf$ is the full Jacobian at every $x\in\Omega$",
)

CLAIMS = (SCHATTEN,)
