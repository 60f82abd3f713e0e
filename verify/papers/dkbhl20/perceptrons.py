"""Networks trained by stochastic gradient descent, many side by side: perceptrons mostly.

As in Daneshmand et al. (2020), Section 4, in place of their data and convolutional networks: ten
classes of scikit-learn's digits (each pixel standardised), or ten Gaussian clusters. ReLU, a linear
last layer with a bias, softmax cross-entropy, SGD without momentum on batches drawn anew in each
step. Batch normalisation comes before the ReLU, has no learned scale or shift (as (2) with alpha 0
and beta 1) and uses the batch it is given, also where accuracy is measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from verify.core.experiment import Setting
from verify.papers.dkbhl20.designs import Design, Training

if TYPE_CHECKING:
    from verify.core.experiment_store import Arrays
    from verify.papers.dkbhl20.perceptron_training import Stack

DESIGNS = str(Path(__file__).with_name("designs.py"))
CODE = str(Path(__file__).with_name("perceptron_training.py"))
CONVOLUTIONS = str(Path(__file__).with_name("convolution_training.py"))
PRETRAINING = str(Path(__file__).with_name("pretraining.py"))


def code() -> dict[str, str]:
    """What names kept arrays beside the file that makes them: digests of all files about it."""
    return {
        Path(path).stem: hashlib.sha256(Path(path).read_bytes()).hexdigest()
        for path in (__file__, DESIGNS, CODE, CONVOLUTIONS, PRETRAINING)
    }


@dataclass(frozen=True)
class Trained:
    """One design along training. arrays: steps (T,); loss, accuracy, r, cosine (T, seeds, rates) on
    the probe; where noise was asked for, also noise_loss, apart and moved: the distance of the
    parameters trained on data and on noise, and that from the start."""

    design: Design
    training: Training
    arrays: Arrays

    @property
    def best(self) -> int:
        """The number of the rate with the best final accuracy, mean over seeds."""
        return int(self.arrays["accuracy"][-1].mean(axis=0).argmax())

    def final(self) -> np.ndarray:
        """(seeds,): the final accuracy at the best rate."""
        return np.asarray(self.arrays["accuracy"][-1, :, self.best], dtype=float)

    def along(self, name: str = "accuracy") -> np.ndarray:
        """(seeds,): the mean along training at the best rate."""
        return np.asarray(self.arrays[name][1:, :, self.best].mean(axis=0), dtype=float)

    def course(self, name: str) -> np.ndarray:
        """(T,): the mean over seeds at the best rate."""
        return np.asarray(self.arrays[name][:, :, self.best].mean(axis=1), dtype=float)

    def told(self) -> dict[str, str]:
        """Raw numbers in words."""
        label = f"{self.design.name}, depth {self.design.depth}"
        final = {name: self.arrays[name][-1] for name in ("accuracy", "loss", "r", "cosine")}
        return {
            f"{label}, rate {rate:g}": "; ".join(
                f"{name} {', '.join(f'{value:.4g}' for value in values[:, k])}"
                for name, values in final.items()
            )
            for k, rate in enumerate(self.training.rates)
        }


def trained(
    design: Design, training: Training, data: str, setting: Setting, *, noise: bool = False
) -> Trained:
    """Train the seeds of a design with every rate, once for all who keep in the same place.
    noise: also on inputs that are noise, with the same labels, batches and starts."""
    told: Mapping[str, object] = {
        **asdict(design),
        **asdict(training),
        "data": data,
        "seed": setting.common,
        "device": setting.device,
        "noise": noise,
        "files": code(),
    }
    make = partial(_on_threads, design, training, data, setting.common, setting.device, noise)
    return Trained(design, training, setting.kept.once(CODE, told, make))


def _on_threads(design: Design, training: Training, *rest: Any) -> Arrays:
    """On one thread where layers are small."""
    from numerics.training import threads_for

    networks = training.seeds * len(training.rates)
    with threads_for(networks * design.width * training.batch):
        return _arrays(design, training, *rest)


def _arrays(
    design: Design, training: Training, data: str, seed: int, device: str, noise: bool
) -> Arrays:
    from verify.papers.dkbhl20 import perceptron_training as engine

    if design.kind == "convolution":
        from verify.papers.dkbhl20 import convolution_training

        begun: Stack = convolution_training.initial(design, training.seeds, seed, device)
    else:
        begun = engine.initial(design, training.seeds, seed, device)
    inputs, labels = engine.data(data, seed, device)
    if design.pretrained:
        from verify.papers.dkbhl20.pretraining import pretrain

        batch = training.batch
        count, steps = design.pretrained, (design.step,)
        begun = pretrain(begun, inputs, design.reading, count, 1, batch, seed, steps).stack
    course = engine.train(begun, training, inputs, labels, seed, keep_places=noise)
    found = dict(course.arrays())
    if noise:
        other, _ = engine.data("noise", seed, device)
        twin = engine.train(begun, training, other, labels, seed, keep_places=True)
        found["noise_loss"] = twin.loss
        shape = course.loss.shape
        pairs = zip(course.places, twin.places, strict=True)
        found["apart"] = np.stack([(a - b).norm(dim=1).cpu().numpy() for a, b in pairs])
        start = course.places[0]
        found["moved"] = np.stack([(a - start).norm(dim=1).cpu().numpy() for a in course.places])
        found |= {name: found[name].reshape(shape) for name in ("apart", "moved")}
    return found
