"""Remark 3.9: pre-activations of the input layer and of the first layer have no Hessian."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from verify.cases.array_scenes import Part
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.dags.hypotheses import DAG
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.kinds.dags.scene import DagScene
from verify.papers.zlb22.block_proofs import first_layer_argument
from verify.papers.zlb22.second_derivatives import POINT, only
from verify.papers.zlb22.sources import printed

LAST_LINEAR = 1  # layers up to this one are claimed to be linear in the weights


def linear_layers(scene: DagScene) -> Entries:
    """The squared Frobenius norm of the Hessian of the pre-activation of each neuron of layers 0
    and 1, and in layer 0 that of its gradient too."""
    run, nothing = scene.passed(POINT), scene.constant(Fraction(0))
    parts: list[Part] = []
    kept = []
    for v in range(scene.vertices if scene.slots else 0):
        gradient = run.pre_gradient[v]
        parts.append(({"neuron": v}, scene.frobenius_squared(run.pre_hessian[v]), nothing))
        kept.append(scene.layer[:, v] <= LAST_LINEAR)
        parts.append(({"neuron": v, "part": "gradient"}, (gradient * gradient).sum(1), nothing))
        kept.append(scene.layer[:, v] == 0)
    if not parts:
        return only(scene.parts([({}, nothing, nothing)]), np.empty(0, dtype=int))
    return only(scene.parts(parts), np.flatnonzero(np.array(kept).reshape(-1)))


NO_HESSIAN = Claim(
    "zlb22.thm3.8.zero",
    Kind.IDENTITY,
    printed("Remark 3.9"),
    "no Hessian in the first two layers",
    "Pre-activations of the input layer and of the first layer are constant and linear functions "
    r"of $\mathbf w$, so their Hessian has norm zero: $H_{\tilde f^{(\ell)}_k}=0$ for "
    r"$\ell\in\{0,1\}$.",
    (DAG,),
    measure=linear_layers,
    pool=dag_pool(most=5, points=1, last=often_without_zeros),
    exact_only=True,
    proof=partial(first_layer_argument, linear_layers, (DAG,)),
)

CLAIMS = (NO_HESSIAN,)
