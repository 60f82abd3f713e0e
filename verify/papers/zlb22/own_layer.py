"""Lemma B.1, the block from a layer's own neurons: it is block diagonal, with explicit blocks.

In Gram form, so that everything is rational: the gradients of two neurons of one layer, by the
weights of that layer, have the inner product 0 where the neurons differ and sigma'(z)^2 |f_S|^2 /
in-degree where they are the same. So the spectral norm of the block is the largest |sigma'(z)|
|f_S| / sqrt(in-degree), and its Frobenius norm their root sum of squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.dag_hypotheses import DAG
from verify.dag_pool import dag_pool, often_without_zeros
from verify.dag_scene import DagScene
from verify.matrices import Part
from verify.papers.zlb22.second_derivatives import POINT, only
from verify.papers.zlb22.sources import printed
from verify.vocabulary import Entries


def own_gram(scene: DagScene) -> Entries:
    """The inner products of the gradients of neurons of one layer by its weights, minus what they
    are said to be."""
    run, size = scene.passed(POINT), len(scene.cases)
    parts: list[Part] = []
    kept = [np.empty(0, dtype=bool)]
    for v in range(scene.vertices):
        squares = scene.constant(0)
        for u in range(v):
            there = scene.chosen(scene.adjacency[:, v, u])
            squares = squares + run.post[u] * run.post[u] * there
        own = run.slope[v] * run.slope[v] * squares * scene.inverse_degree(v)
        layer = scene.layer[:, v]
        weights = scene.chosen(scene.slot_layer == layer[:, None]) if scene.slots else None
        for w in range(v + 1 if weights is not None else 0):
            product = run.post_gradient[v] * run.post_gradient[w] * weights
            found = (product * scene.inverse_degrees).sum(1)
            said = own if v == w else scene.constant(0)
            parts.append(({"numbers": [w + 1, v + 1]}, found, said))
            kept.append((layer > 0) & (layer == scene.layer[:, w]))
    if not parts:
        nothing = scene.constant(0)
        return only(scene.parts([({}, nothing, nothing)]), np.empty(0, dtype=int))
    chosen = np.concatenate(kept).reshape(len(parts), size)
    return only(scene.parts(parts), np.flatnonzero(chosen.reshape(-1)))


LARGEST = 4  # parents in the argument


def blocks_by_neuron() -> Argument:
    """d sigma(z) / dw_u = sigma'(z) f_u / sqrt(n)."""
    steps = []
    for count in range(1, LARGEST + 1):
        ring = ring_of(2 * count + 1)
        slope, *rest = ring.generators
        weights, values = rest[:count], rest[count:]
        z = _added([w * f for w, f in zip(weights, values, strict=True)])
        slots = range(1, count + 1)
        squares = _added([(slope * ring.derivative(z, u)) ** 2 for u in slots])
        said = slope * slope * _added([f * f for f in values])
        text = f"sum_u (s dz/dw_u)^2 = s^2 sum_u f_u^2, {count} incoming neurons"
        steps.append(Step(text, ring.is_zero(squares - said)))
    return Argument(
        "a neuron moves with no weight of its own layer but those that enter it, and different "
        "neurons are entered by different weights",
        tuple(steps),
        ("sums over incoming neurons are of the same form for every number of them",),
        "own_gram",
        (DAG.name,),
        section=42,
        cites=("zlb22.propI.1.own",),
    )


def _added(terms: list[Any]) -> Any:
    return sum(terms[1:], start=terms[0])


CLAIMS = (
    Claim(
        "zlb22.lemB.1.own",
        Kind.IDENTITY,
        printed("Lemma B.1, Appendix H"),
        "the block of a layer's own neurons",
        r"For neurons of layer $\ell'$, $\partial f^{(\ell')}/\partial\mathbf w^{(\ell')}$ is "
        r"block diagonal with the rows $\sigma'(\tilde f_i)\,f_{S_i}^T/\sqrt{m_i}$: "
        r"$\langle\nabla f_i,\nabla f_j\rangle=\delta_{ij}\,\sigma'(\tilde f_i)^2\lVert f_{S_i}"
        r"\rVert^2/m_i$ over $\mathbf w^{(\ell')}$.",
        (DAG,),
        measure=own_gram,
        pool=dag_pool(most=5, points=1, last=often_without_zeros),
        exact_only=True,
        proof=blocks_by_neuron,
    ),
)
