"""The slopes l'(y_j nu(x_j)) of named losses, in the arithmetic of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphs.arithmetic import Array
from graphs.errors import NotRationalError

if TYPE_CHECKING:
    from verify.vocabulary import Scene


def loss_slopes(scene: Scene) -> Array:
    """(C, n): the derivative of the cases' loss at each margin.

    Raises NotRationalError where the arithmetic is exact and the loss transcendental.
    """
    loss = scene.cases[0].loss
    margins = scene.labels * scene.value
    if loss == "squared":
        difference = margins - scene.arithmetic.array([[1]])
        return difference + difference
    if scene.arithmetic.exact:
        raise NotRationalError(f"loss {loss} is not rational: prescribe its slopes first")
    from numerics.losses import LOSSES

    return scene.arithmetic.loss_derivative(LOSSES[loss], margins)  # type: ignore[attr-defined]  # balls have it
