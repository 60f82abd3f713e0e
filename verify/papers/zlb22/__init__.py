"""Zhu, Liu, Belkin (2022), Transition to linearity of general neural networks with directed acyclic
graph architecture."""

from verify.papers.zlb22 import (
    block_norms,
    distances,
    gaussian_forms,
    square_loss,
    widths,
)

CLAIMS = (
    *distances.CLAIMS,
    *block_norms.CLAIMS,
    *square_loss.CLAIMS,
    *widths.CLAIMS,
    *gaussian_forms.CLAIMS,
)
