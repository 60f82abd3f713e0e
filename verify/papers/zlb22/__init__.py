"""Zhu, Liu, Belkin (2022), Transition to linearity of general neural networks with directed acyclic
graph architecture."""

from verify.papers.zlb22 import block_norms

CLAIMS = (*block_norms.CLAIMS,)
