"""Jacot (2023), Bottleneck structure in learned features: low-dimension vs regularity tradeoff."""
