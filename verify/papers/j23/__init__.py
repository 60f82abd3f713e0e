"""Jacot (2023), Bottleneck structure in learned features: low-dimension vs regularity tradeoff."""

from verify.papers.j23 import jacobians

CLAIMS = (*jacobians.CLAIMS,)
