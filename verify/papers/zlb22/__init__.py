"""Zhu, Liu, Belkin (2022), Transition to linearity of general neural networks with directed acyclic
graph architecture."""

from verify.papers.zlb22 import block_norms, square_loss, widths

CLAIMS = (
    *block_norms.CLAIMS,
    *square_loss.CLAIMS,
    *widths.CLAIMS,
)
