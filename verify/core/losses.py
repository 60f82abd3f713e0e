"""The losses of a case, and the slopes l'(y_j nu(x_j)) of the named ones, in any arithmetic that
has them."""

from __future__ import annotations

from graphs.arithmetic import Arithmetic, Array
from graphs.errors import NotRationalError

PRESCRIBED = "prescribed"
KNOWN = (PRESCRIBED, "squared", "logistic", "exponential")
RATIONAL = (PRESCRIBED, "squared")


def loss_slopes(loss: str, margins: Array, arithmetic: Arithmetic) -> Array:
    """(C, n): the derivative of a named loss at each margin.

    Raises NotRationalError where the arithmetic is exact and the loss transcendental.
    """
    if loss == "squared":
        difference = margins - arithmetic.array([[1]])
        return difference + difference
    if arithmetic.exact:
        raise NotRationalError(f"loss {loss} is not rational: prescribe its slopes first")
    from numerics.losses import LOSSES

    return arithmetic.loss_derivative(LOSSES[loss], margins)  # type: ignore[attr-defined]  # balls have it
