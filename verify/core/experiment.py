"""Experiments: what a paper cites or shows, run again from its statement, with its seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from verify.core.experiment_store import ExperimentStore
from verify.core.plots import Plot


@dataclass(frozen=True)
class Setting:
    """What an experiment is run with. scale: 0 in seconds, 1 for CI, 2 at full size. family: a
    seed that the parts of one statement have in common (those of a figure show the same networks).
    kept: what has been computed before."""

    seed: int
    scale: int
    device: str
    family: int | None = None
    kept: ExperimentStore = field(default_factory=ExperimentStore)

    @property
    def common(self) -> int:
        """The seed that parts have in common, or else the own one."""
        return self.seed if self.family is None else self.family


@dataclass(frozen=True)
class Measured:
    """What came out. agrees: whether the numbers are as the statement says, by the criterion that
    `summary` names. figures: raw numbers. instances: how many runs. excluded: whether an interval
    that holds at all numbers of runs, but for a probability of at most 10^-3, excludes the
    statement, with a border that was named before."""

    agrees: bool
    summary: str
    scope: tuple[str, ...]
    figures: Mapping[str, int | float | str] = field(default_factory=dict)
    plots: tuple[Plot, ...] = ()
    instances: int = 1
    excluded: bool = False

    def __post_init__(self) -> None:
        if self.agrees and self.excluded:
            raise ValueError(f"both as said and excluded: {self.summary}")


Experiment = Callable[[Setting], Measured]
"""Runs the experiment of a claim. It supports the claim, contradicts it by an interval, or leaves
it open; it refutes nothing."""
