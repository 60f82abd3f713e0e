"""Hypotheses about networks made of arrays, of claims that are no statements."""

from __future__ import annotations

import numpy as np

from verify.cases.hypotheses import Hypothesis, by_scene
from verify.kinds.deep.changes import (
    off_kinks,
    onto_a_kink,
    sloped_inside,
    sloped_outside,
)
from verify.kinds.deep.scene import DeepScene


def _positive(scene: DeepScene, name: str, shift: int = 0, sign: int = 1) -> np.ndarray:
    """(C,) boolean: whether the shift plus or minus a number is above 0."""
    value = scene.constant(shift) + scene.share(scene[name], sign)
    below, zero = scene.arithmetic.is_negative(value), scene.arithmetic.may_be_zero(value)
    return np.asarray(~(below | zero))


SLOPE = Hypothesis(
    "slope inside (-1, 1)",
    r"$\sigma_a(x)=x$ if $x\ge0$, $ax$ otherwise, with $a\in(-1,1)$",
    by_scene(lambda scene: _positive(scene, "a", 1) & _positive(scene, "a", 1, -1)),
    sloped_inside,
    sloped_outside,
)
SMOOTH = Hypothesis(
    "smooth at the points",
    r"no hidden pre-activation is $0$ at the points spoken of",
    by_scene(lambda scene: ~scene.kinked.any(axis=1)),
    off_kinks,
    onto_a_kink,
)
