"""Zhu, Liu, Belkin (2022), Transition to linearity of general neural networks with directed acyclic
graph architecture."""
