"""The tree networks of the decompositions nu = mu o h and nu = mu' o h', evaluated on a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphs.evaluation import Evaluation, Union, evaluate
from verify.case import sign_at_zero

if TYPE_CHECKING:
    from verify.vocabulary import Scene


def evaluated_tree(scene: Scene, *, absolute: bool) -> Evaluation:
    """mu at h(x; w), or mu' at h'(x; w) where absolute, for every case and example."""
    from graphs.unrolling import decomposition_tree

    trees = [
        decomposition_tree(
            case.network, case.weights, absolute=absolute, sign_at_zero=sign_at_zero(case)
        )
        for case in scene.cases
    ]
    union = Union.of([tree.tree for tree in trees])
    weights = [w for t in trees for w in t.tree.edge_weights(t.weights)]
    factors = scene.absolute_weights if absolute else scene.weights
    leaves = scene.path_input * scene.along(factors)[:, None]
    asleep = scene.dormant
    if asleep is not None:  # a vertex of a tree sleeps where the one that it stands for does
        asleep = np.array(
            [
                start is not None and asleep[offset + start]
                for tree, offset in zip(trees, scene.union.vertex_offset, strict=False)
                for start in tree.starts
            ],
            dtype=bool,
        )
    found = evaluate(union, scene.arithmetic, scene.arithmetic.array(weights), leaves, asleep)
    for number, slide in scene.slides.items():
        offset = int(union.vertex_offset[number])
        copies = [offset + k for k, v in enumerate(trees[number].starts) if v == slide.vertex]
        found = found.with_slope(copies, slide.example, slide.slope)
    return found
