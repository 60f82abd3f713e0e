"""Networks that are trained, how they are trained, and on what."""

from __future__ import annotations

from dataclasses import dataclass

CLASSES = 10
PIXELS = 64
COUNT = 1797
NOISE = 2.0  # of the clusters, whose centres have unit variance


@dataclass(frozen=True)
class Design:
    """A network. depth: hidden layers. normalisation: "none", "plain" or "centred". law:
    "standard" for PyTorch's uniform law on [-1, 1] over the root of the fan-in, or "positive" for
    that on [0, 2] over it; biases are PyTorch's. pretrained: M of Algorithm 1, with T = 1, by this
    reading of it and with this step (see pretraining). kind: "perceptron", or "convolution" with
    that many channels (see convolution_training)."""

    depth: int
    width: int
    normalisation: str = "none"
    law: str = "standard"
    pretrained: int = 0
    reading: str = "C"
    step: float = 0.3
    kind: str = "perceptron"

    @property
    def name(self) -> str:
        """In words."""
        kind = {"none": "vanilla", "plain": "BN without centring", "centred": "BN"}
        parts = [kind[self.normalisation]]
        parts += ["positive weights"] if self.law == "positive" else []
        parts += [f"pre-trained {self.pretrained}"] if self.pretrained else []
        return ", ".join(parts)


@dataclass(frozen=True)
class Training:
    """rates: of SGD, each tried; steps; batch; records: how often all is measured; seeds."""

    rates: tuple[float, ...]
    steps: int
    batch: int
    records: int
    seeds: int
