"""Words that the statements of the proof of Theorem 15 share."""

from verify.kinds.deep.layered import layered_pool
from verify.papers.j23.network_notation import FULLY_CONNECTED, NORM_BOUND, RANK, SLOPE, SMOOTH
from verify.papers.j23.theorem6_cases import frame_pool

PLAIN = layered_pool(frame_pool())
WITH_K = layered_pool(frame_pool(whole=(("k", 0, 3),)))

PROOF = "proof of Theorem 15"
POINT = (FULLY_CONNECTED, SLOPE, SMOOTH)
GIVEN = (*POINT, NORM_BOUND, RANK)
JF = r"Jf_\theta(x)"
N = (
    r"N_\ell=P_{\mathrm{Im}J(\tilde\alpha_\ell\to f_\theta)(x)^T}W_\ell "
    r"P_{\mathrm{Im}J\alpha_{\ell-1}(x)}"
)
M = (
    r"M_\ell=P_{\mathrm{Im}J(\alpha_\ell\to f_\theta)(x)^T}D_\ell(x)"
    r"P_{\mathrm{Im}J\tilde\alpha_\ell(x)}"
)
WITH = f"With ${N}$ and ${M}$, "
SUMMANDS = r"\sum_{\ell=1}^L\lVert W_\ell\rVert_F^2-k-2\log|N_\ell|_+-2\log|M_\ell|_+"
CARRIED = (
    r"With $N_\ell=W_\ell P_{J\alpha_{\ell-1}(x)K}$ and "
    r"$M_\ell=D_\ell(x)P_{J\tilde\alpha_\ell(x)K}$, where $K$ is the row space of $Jf_\theta(x)$, "
)
PRODUCT = r"$|Jf_\theta(x)|_+=|N_L|_+\,%s\,|N_{L-1}|_+\cdots|N_1|_+$."
PSEUDO = r"$|M_\ell|$ is the pseudo-determinant"
