"""Networks of torch for `lemmata check`: a residual block, and a small convolutional network."""

import torch
from torch import nn


class Block(nn.Module):
    """A residual block as in a ResNet, with its batch normalisations."""

    def __init__(self, channels: int = 1) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + x)


torch.manual_seed(0)
resnet = nn.Sequential(Block(), nn.Flatten(), nn.LazyLinear(1, bias=False))
resnet(torch.zeros(2, 1, 3, 3))  # tells the lazy layer its size: --shape 1,3,3

small = nn.Sequential(  # --shape 1,5
    nn.Conv1d(1, 2, 2, bias=False),
    nn.ReLU(),
    nn.Conv1d(2, 2, 2, bias=False),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(6, 1, bias=False),
)
