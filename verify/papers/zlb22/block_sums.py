"""Equations (13) and (14): a block of the Hessian of an output as a sum over neurons, term by term.

Printed for the blocks l1 <= l2 and, in (14), for the term l' of the sum. What the symbols mean is
said in `second_derivatives`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis
from verify.cases.scenes import Entries
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind
from verify.kinds.dags.hypotheses import DAG, IDENTITY_OUTPUTS, OUTPUTS_LAST
from verify.kinds.dags.pool import dag_pool, often_without_zeros
from verify.kinds.dags.scene import Dag, DagScene
from verify.papers.zlb22.block_proofs import sum_argument, term_argument
from verify.papers.zlb22.layer_numbers import (
    BEFORE_LAST,
    FIRST_LAYER,
    FROM_SECOND,
    ORDERED,
    SECOND_LAYER,
    in_order,
)
from verify.papers.zlb22.second_derivatives import Derivatives, differences
from verify.papers.zlb22.sources import printed


def _livelier(case: Dag, random: Random) -> Dag:
    whole = often_without_zeros(case, random)
    return in_order(whole, random) if whole is not case else case


POOL = partial(dag_pool, least=4, most=5, points=1, last=_livelier)
BLOCKS = POOL(integers=(("l1", 1, 4), ("l2", 1, 4)))
TERMS = POOL(integers=(("l1", 1, 4), ("l2", 1, 4), ("l3", 1, 4)))
NETWORK = (DAG, IDENTITY_OUTPUTS, OUTPUTS_LAST)
PAIR = (*NETWORK, SECOND_LAYER, FIRST_LAYER, ORDERED)
TERM = (*PAIR, FROM_SECOND)
INNER_TERM = (*NETWORK, SECOND_LAYER, BEFORE_LAST, FIRST_LAYER, ORDERED, FROM_SECOND)
READING = (
    r"$\partial f_k/\partial f_i$ is total; $\partial^2f_i/\partial\mathbf w\partial\mathbf w$"
    " is what arises at neuron $i$ itself, the second derivatives of its incoming neurons set to "
    "zero"
)
HIDDEN = (
    r" For a hidden neuron $s$ of layer $r$, $G_s^{r,\ell'}$ is that of the network that ends at "
    r"$s$ with the identity there, so that $\tilde f_s$ is its output."
)


def sum_over_neurons(scene: DagScene) -> Entries:
    """(13): the block of the Hessian of f_k against the sum over the neurons of layers l2 to L."""
    known, behind = Derivatives(scene), scene.layer >= scene.whole("l2")[:, None]
    sides = []
    for k in range(scene.vertices):
        total = known.nothing()
        for i, share in enumerate(known.of_output(k)):
            chosen = share * scene.chosen(behind[:, i])
            total = total + known.of_post(i) * chosen.reshape(-1, 1, 1)
        sides.append((known.block(known.run.post_hessian[k]), total))
    return differences(scene, sides)


def by_pre_activations(known: Derivatives, k: int, through: bool) -> Array:
    """(C, P, P): the middle of (14) for the term l'. through: whether sigma'' of neuron i goes
    with the total derivative of f_k by f_i, instead of the weight of the edge from i to k."""
    scene = known.scene
    number, shares = scene.whole("l3"), known.of_output(k)
    total = known.nothing()
    for i, share in enumerate(shares):
        here = known.in_layer(i, number)
        slope = (share * known.run.slope[i]).reshape(-1, 1, 1)
        total = total + known.of_pre(i) * slope * here
        if through:
            total = total + known.bent(i) * share.reshape(-1, 1, 1) * here
    return total if through else total + bends_at_parents(known, k)


def bends_at_parents(known: Derivatives, k: int) -> Array:
    """(C, P, P): the second sum of (14), over the neurons of layer l' with an edge to k."""
    scene = known.scene
    number, total = scene.whole("l3"), known.nothing()
    for i in range(k):
        weight = scene.weight(k, i).reshape(-1, 1, 1)
        total = total + known.bent(i) * weight * known.in_layer(i, number)
    return total


def by_recursion(known: Derivatives, k: int) -> Array:
    """(C, P, P): the last line of (14) for the term l'."""
    scene = known.scene
    number, total = scene.whole("l3"), bends_at_parents(known, k)
    for s in range(k):
        between = (number <= scene.layer[:, s]) & (scene.layer[:, s] < scene.depth)
        share = scene.weight(k, s) * known.run.slope[s] * scene.chosen(between)
        total = total + known.term_of_pre(s, number) * share.reshape(-1, 1, 1)
    return total


def first_equality(scene: DagScene, through: bool = False) -> Entries:
    """G_k^{L,l'} against the middle of (14)."""
    known = Derivatives(scene)
    number = scene.whole("l3")
    return differences(
        scene,
        [
            (known.term(k, number), by_pre_activations(known, k, through))
            for k in range(scene.vertices)
        ],
    )


def recursion(scene: DagScene) -> Entries:
    """G_k^{L,l'} against the last line of (14)."""
    known = Derivatives(scene)
    number = scene.whole("l3")
    return differences(
        scene,
        [(known.term(k, number), by_recursion(known, k)) for k in range(scene.vertices)],
    )


# claims -------------------------------------------------------------------------------------------
G = r"G_k^{L,\ell'}"
BLOCK = r"\frac{\partial^2f_k}{\partial\mathbf w^{(\ell_1)}\partial\mathbf w^{(\ell_2)}}"
BENDS = (
    r"\frac1{\sqrt{m_k^{(L)}}}\sum_{i:f_i^{(\ell')}\in\mathcal F_{S_k^{(L)}}}(\mathbf w_k^{(L)})_i"
    r"\,\sigma''(\tilde f_i^{(\ell')})\,\frac{\partial\tilde f_i^{(\ell')}}"
    r"{\partial\mathbf w^{(\ell_1)}}\Big(\frac{\partial\tilde f_i^{(\ell')}}"
    r"{\partial\mathbf w^{(\ell_2)}}\Big)^T"
)
BENDS_THROUGH = (
    r"\sum_{i=1}^{d_{\ell'}}\frac{\partial f_k}{\partial f_i^{(\ell')}}\,"
    r"\sigma''(\tilde f_i^{(\ell')})\,\frac{\partial\tilde f_i^{(\ell')}}"
    r"{\partial\mathbf w^{(\ell_1)}}\Big(\frac{\partial\tilde f_i^{(\ell')}}"
    r"{\partial\mathbf w^{(\ell_2)}}\Big)^T"
)
FLAT = (
    r"\sum_{i=1}^{d_{\ell'}}\frac{\partial^2\tilde f^{(\ell')}_i}{\partial\mathbf w^{(\ell_1)}"
    r"\partial\mathbf w^{(\ell_2)}}\frac{\partial f_k}{\partial\tilde f^{(\ell')}_i}"
)
RECURSION = (
    r"\frac1{\sqrt{m_k^{(L)}}}\sum_{r=\ell'}^{L-1}\sum_{s:f_s^{(r)}\in\mathcal F_{S_k^{(L)}}}"
    r"(\mathbf w_k^{(L)})_s\,\sigma'(\tilde f_s^{(r)})\,G_s^{r,\ell'}"
)
SUM = (
    r"\sum_{\ell'=\ell_2}^{L}\sum_{i=1}^{d_{\ell'}}\frac{\partial^2f^{(\ell')}_i}"
    r"{\partial\mathbf w^{(\ell_1)}\partial\mathbf w^{(\ell_2)}}"
    r"\frac{\partial f_k}{\partial f^{(\ell')}_i}"
)
WHERE = r"with $G_k^{L,\ell'}$ the inner sum of (13) for $\ell'$"


def _claim(
    part: str,
    title: str,
    formula: str,
    hypotheses: tuple[Hypothesis, ...],
    measure: Callable[[DagScene], Entries],
    fix: bool = False,
    proof: Callable[[], Argument] | None = None,
    why: str = "",
) -> Claim:
    identity = f"zlb22.eq13-14.{part}@C"
    return Claim(
        f"{identity}.fix" if fix else identity,
        Kind.IDENTITY,
        printed("eq. (13)" if part == "i" else "eq. (14)"),
        title,
        formula,
        hypotheses,
        measure=measure,
        pool=BLOCKS if part == "i" else TERMS,
        reading="C",
        reading_text=READING,
        repairs=identity if fix else None,
        exact_only=True,
        proof=proof,
        why=why,
    )


MIDDLE, LAST = f"{FLAT}+{BENDS}", f"{RECURSION}+{BENDS}"
THROUGH = f"{FLAT}+{BENDS_THROUGH}"
INNER = r"for $\ell_2\le L-1$, "
ALL_OF_THEM = partial(first_equality, through=True)

CLAIMS = (
    _claim(
        "i",
        "a block of the Hessian is a sum over neurons",
        f"for $1\\le\\ell_1\\le\\ell_2\\le L$, ${BLOCK}={SUM}$.",
        PAIR,
        sum_over_neurons,
        proof=partial(sum_argument, sum_over_neurons, PAIR),
    ),
    _claim(
        "ii.first",
        "a term by pre-activations",
        f"${G}={MIDDLE}$, {WHERE}.",
        TERM,
        first_equality,
        why=r"The second sum is over the neurons that enter $f_k$, so what $\sigma''$ gives at a "
        r"neuron $i$ that reaches $f_k$ through other neurons is missing.",
    ),
    _claim(
        "ii.ends",
        "a term by recursion",
        f"${G}={LAST}$, {WHERE}.{HIDDEN}",
        TERM,
        recursion,
        why=r"For $\ell_2=L$ the term $\ell'=L$ is the whole block, and both sums on the right are "
        "over no neuron.",
    ),
    _claim(
        "ii.first",
        "a term by pre-activations, all of them",
        f"${G}={THROUGH}$, {WHERE}.",
        TERM,
        ALL_OF_THEM,
        fix=True,
        proof=partial(term_argument, ALL_OF_THEM, "first_equality", TERM),
    ),
    _claim(
        "ii.ends",
        "a term by recursion, before layer L",
        f"{INNER}${G}={LAST}$, {WHERE}.{HIDDEN}",
        INNER_TERM,
        recursion,
        fix=True,
        proof=partial(term_argument, recursion, "recursion", INNER_TERM),
    ),
)
