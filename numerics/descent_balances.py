"""Quadratic forms along gradient descent: how they change, and by how much they should.

The sums are those of numerics.descent; they are kept in twice the precision, for every entry of
every form by itself, and added up exactly at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from numerics.doubled import Doubled, added, product, scaled, split_sum, total, whole
from numerics.quadratic import QuadraticForms


@dataclass(frozen=True)
class Balances:
    """What became of the quadratic forms: (F,) float64 each, those of the first network first.

    start, end: Q(w(0)) and Q(w(T)). change: Q(w(T)) - Q(w(0)), rounded once. slack: the sum of
    s^T A s over the steps s taken; for plain descent that of eta^2 d^T A d. cross: the sum of
    2 w^T A s; 0 up to rounding where the law holds. predicted: Q(w(T)) by the recursion of the law.
    size: the sum of the absolute values of the terms, a measure of rounding.
    """

    start: np.ndarray
    end: np.ndarray
    change: np.ndarray
    slack: np.ndarray
    cross: np.ndarray
    predicted: np.ndarray
    size: np.ndarray


class Tally:
    """Sums over the steps, for every entry of every form."""

    def __init__(self, forms: QuadraticForms, start: torch.Tensor) -> None:
        self.forms = forms
        zero = whole(torch.zeros_like(forms.values))
        self.slack, self.cross = zero, zero
        self.size = torch.zeros_like(forms.values)
        self.predicted = forms.between(start, start)
        self.leaning = torch.zeros_like(self.predicted)  # J = w^T A u

    def add(
        self,
        here: torch.Tensor,
        there: torch.Tensor,
        move: torch.Tensor,
        rate: torch.Tensor,
        momentum: float,
        decay: float,
    ) -> None:
        """One step. The recursion of the law takes u(t+1) as computed; the sums take the step as
        made, w(t+1) - w(t), exactly."""
        if not self.forms.count:
            return
        high, low = split_sum(there, -here)
        a, b, values = self.forms.rows, self.forms.columns, self.forms.values
        first, second = (high[a], low[a]), (high[b], low[b])
        squares = scaled(product(first, second), values)
        crossed = scaled(
            added(product(whole(here[a]), second), product(whole(here[b]), first)), values
        )
        self.slack, self.cross = added(self.slack, squares), added(self.cross, crossed)
        self.size += values.abs() * (
            (high[a] * high[b]).abs() + (here[a] * high[b]).abs() + (here[b] * high[a]).abs()
        )
        shrinking = rate[self.forms.owner] * decay * self.predicted
        carried = momentum * self.leaning - shrinking
        grown = self.forms.between(move, move)
        self.leaning = carried + grown
        self.predicted = self.predicted + 2 * carried + grown

    def balances(self, start: torch.Tensor, end: torch.Tensor) -> Balances:
        """The sums of each form, rounded once."""
        rows, columns, values = self.forms.rows, self.forms.columns, self.forms.values
        before, after = (
            scaled(product(whole(w[rows]), whole(w[columns])), values) for w in (start, end)
        )
        minus = (-before[0], -before[1])
        return Balances(
            start=self._sums([before]),
            end=self._sums([after]),
            change=self._sums([after, minus]),
            slack=self._sums([self.slack]),
            cross=self._sums([self.cross]),
            predicted=self.predicted.cpu().numpy(),
            size=self._sums([whole(self.size)]),
        )

    def _sums(self, parts: list[Doubled]) -> np.ndarray:
        """(F,): the sum over the entries of each form."""
        local = [(high.cpu(), low.cpu()) for high, low in parts]
        bounds = zip(self.forms.starts, self.forms.starts[1:], strict=False)
        return np.array([total([(h[i:j], r[i:j]) for h, r in local]) for i, j in bounds])
