"""Pre-training on r and training after it: designs, sizes, and what they give, kept by all parts.

The step of Algorithm 1 is not printed: several are tried, and for training the pair of that step
and of the rate of SGD with the best final accuracy is taken. As printed nothing keeps the norm of
the parameters, which r does not depend on, so it grows with large steps, and SGD then needs small
rates: these are on the grid of all networks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from verify.core.experiment import Measured, Setting
from verify.core.plots import Curve, thinned
from verify.papers.dkbhl20.designs import Design, Training
from verify.papers.dkbhl20.outside import beside, together
from verify.papers.dkbhl20.perceptrons import PRETRAINING, Trained, code, trained

if TYPE_CHECKING:
    from verify.core.experiment_store import Arrays

STEPS = (0.1, 0.3, 1.0)  # of Algorithm 1
RATES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5)  # of SGD
NOTED = 1.1  # r grows by more than a tenth, or pairs of r differ by as much
Figures = dict[str, int | float | str]


@dataclass(frozen=True)
class Sizes:
    """width; depths; pairs (M, T) of Algorithm 1 in the order of work; training; data sets, all of
    which must agree."""

    width: int
    depths: tuple[int, ...]
    amounts: tuple[tuple[int, int], ...]
    training: Training
    data: tuple[str, ...] = ("digits",)


def pretrained_layers(
    reading: str, depth: int, amount: tuple[int, int], sizes: Sizes, setting: Setting, data: str
) -> Arrays:
    """before, after: (seeds, depth) r of each layer; rank_before, rank_after, gradient: (seeds,);
    once for all who keep in the same place."""
    told = {
        "reading": reading,
        "data": data,
        "depth": depth,
        "amount": list(amount),
        "width": sizes.width,
        "seeds": sizes.training.seeds,
        "batch": sizes.training.batch,
        "seed": setting.common,
        "device": setting.device,
        "files": code(),
    }
    make = partial(_pretrained, reading, depth, amount, sizes, setting.common, setting.device, data)
    return setting.kept.once(PRETRAINING, told, make)


def _pretrained(
    reading: str,
    depth: int,
    amount: tuple[int, int],
    sizes: Sizes,
    seed: int,
    device: str,
    data: str,
) -> Arrays:
    from verify.papers.dkbhl20 import perceptron_training as engine
    from verify.papers.dkbhl20.pretraining import pretrain

    begun = engine.initial(Design(depth, sizes.width), sizes.training.seeds, seed, device)
    inputs, _ = engine.data(data, seed, device)
    found = pretrain(begun, inputs, reading, *amount, sizes.training.batch, seed, STEPS)
    names = ("before", "after", "rank_before", "rank_after", "gradient")
    return {name: getattr(found, name).cpu().numpy() for name in names}


def pretrained_designs(depth: int, width: int, amount: int, reading: str = "C") -> list[Design]:
    """One for each step of Algorithm 1."""
    return [Design(depth, width, pretrained=amount, reading=reading, step=step) for step in STEPS]


def best_of(
    designs: Sequence[Design], sizes: Sizes, setting: Setting, data: str, figures: Figures
) -> Trained:
    """The design with the best final accuracy; all tell their numbers."""
    runs = [trained(design, sizes.training, data, setting) for design in designs]
    for one in runs:
        step = f", step {one.design.step:g}" if one.design.pretrained else ""
        figures |= {f"{name}{step}": text for name, text in one.told().items()}
    return max(runs, key=lambda one: float(one.final().mean()))


def curve(one: Trained, field: str) -> Curve:
    """A number along training, the mean over seeds at the best rate."""
    return thinned(one.design.name, one.arrays["steps"].tolist(), one.course(field).tolist())


def scope(sizes: Sizes, depths: Sequence[int], data: str) -> str:
    """What was trained and how, in words."""
    training = sizes.training
    amounts = ", ".join(f"({m}, {t})" for m, t in sizes.amounts)
    return (
        f"ReLU perceptrons of width {sizes.width}, depths {', '.join(map(str, depths))}, on "
        f"{DATA[data]}, PyTorch's initialisation, {training.seeds} seeds; (M, T): "
        f"{amounts}, steps {', '.join(f'{step:g}' for step in STEPS)}, N = {training.batch}; SGD, "
        f"{training.steps} steps of batches of {training.batch}, rates "
        f"{', '.join(f'{rate:g}' for rate in training.rates)}"
    )


# the runs ----------------------------------------------------------------------------------------
Judge = Callable[[Setting, Sizes, str], Measured]
DATA = {"digits": "scikit-learn's digits", "clusters": "Gaussian clusters"}


def judged(
    judge: Judge,
    tables: tuple[Sizes, ...],
    small: Sizes | None,
    setting: Setting,
    sizes: Sizes | None = None,
) -> Measured:
    """Judge on every data set; at the budget in between clusters, at a small size, stand beside."""
    sizes = sizes or tables[setting.scale]
    shown = together({data: judge(setting, sizes, data) for data in sizes.data})
    if small is None or setting.scale != 1:
        return shown
    found = {DATA[data]: judge(setting, small, data) for data in small.data}
    figures = {
        f"{name}, {key}": text for name, one in found.items() for key, text in one.figures.items()
    }
    (line,) = dict.fromkeys(line for one in found.values() for line in one.scope)
    kept = {name: replace(one, figures={}) for name, one in found.items()}
    shown = beside(shown, kept, line, where="On other data, at a small size")
    return replace(shown, figures={**shown.figures, **figures})
