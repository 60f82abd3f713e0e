"""A module of torch, and the conserved quantities of its gradient flow."""

from torch import nn

from lemmata import from_torch, laws

module = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
network, weights = from_torch(module)
print(laws(network).as_text())
