"""Equations (13) and (14): a block of the Hessian of an output as a sum over neurons, term by term.

Printed for the blocks l1 <= l2 and, in (14), for the term l' of the sum. The three readings of the
symbols are those of `second_derivatives`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from graphs.arithmetic import Array
from verify.argument import Argument
from verify.claim import Claim, Kind
from verify.dag_hypotheses import DAG, IDENTITY_OUTPUTS, OUTPUTS_LAST
from verify.dag_pool import dag_pool, often_without_zeros
from verify.dag_scene import Dag, DagScene
from verify.hypotheses import Hypothesis
from verify.papers.zlb22.block_proofs import sum_argument, term_argument
from verify.papers.zlb22.layer_numbers import (
    BEFORE_LAST,
    FIRST_LAYER,
    FROM_SECOND,
    ORDERED,
    SECOND_LAYER,
    TERM_BEFORE_LAST,
    in_order,
)
from verify.papers.zlb22.second_derivatives import Derivatives, differences
from verify.papers.zlb22.sources import printed
from verify.vocabulary import Entries


def _livelier(case: Dag, random: Random) -> Dag:
    whole = often_without_zeros(case, random)
    return in_order(whole, random) if whole is not case else case


POOL = partial(dag_pool, least=4, most=5, points=1, last=_livelier)
BLOCKS = POOL(integers=(("l1", 1, 4), ("l2", 1, 4)))
TERMS = POOL(integers=(("l1", 1, 4), ("l2", 1, 4), ("l3", 1, 4)))
NETWORK = (DAG, IDENTITY_OUTPUTS, OUTPUTS_LAST)
PAIR = (*NETWORK, SECOND_LAYER, FIRST_LAYER, ORDERED)
INNER_PAIR = (*NETWORK, SECOND_LAYER, BEFORE_LAST, FIRST_LAYER, ORDERED)
TERM = (*PAIR, FROM_SECOND)
INNER_PAIR_TERM = (*INNER_PAIR, FROM_SECOND)
INNER_TERM = (*NETWORK, SECOND_LAYER, TERM_BEFORE_LAST, FIRST_LAYER, ORDERED, FROM_SECOND)
READINGS = {
    "A": "every derivative is a total derivative through the network",
    "B": r"second derivatives are total; $\partial f_k/\partial f_i$ is the partial derivative "
    r"along the edge from $i$ to $k$, 0 without an edge",
    "C": r"$\partial f_k/\partial f_i$ is total; $\partial^2f_i/\partial\mathbf w\partial\mathbf w$"
    " is what arises at neuron $i$ itself, the second derivatives of its incoming neurons set to "
    "zero",
}
HIDDEN = (
    r" For a hidden neuron $s$ of layer $r$, $G_s^{r,\ell'}$ is that of the network that ends at "
    r"$s$ with the identity there, so that $\tilde f_s$ is its output."
)


def sum_over_neurons(scene: DagScene, reading: str) -> Entries:
    """(13): the block of the Hessian of f_k against the sum over the neurons of layers l2 to L."""
    known, behind = Derivatives(scene, reading), scene.layer >= scene.whole("l2")[:, None]
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


def first_equality(scene: DagScene, reading: str, through: bool = False) -> Entries:
    """G_k^{L,l'} against the middle of (14)."""
    known = Derivatives(scene, reading)
    number = scene.whole("l3")
    return differences(
        scene,
        [
            (known.term(k, number), by_pre_activations(known, k, through))
            for k in range(scene.vertices)
        ],
    )


def second_equality(scene: DagScene, reading: str, through: bool = False) -> Entries:
    """The middle of (14) against its last line."""
    known = Derivatives(scene, reading)
    return differences(
        scene,
        [
            (by_pre_activations(known, k, through), by_recursion(known, k))
            for k in range(scene.vertices)
        ],
    )


def recursion(scene: DagScene, reading: str) -> Entries:
    """G_k^{L,l'} against the last line of (14)."""
    known = Derivatives(scene, reading)
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
    reading: str,
    hypotheses: tuple[Hypothesis, ...],
    measure: Callable[[DagScene], Entries],
    fix: bool = False,
    proof: Callable[[], Argument] | None = None,
) -> Claim:
    identity = f"zlb22.eq13-14.{part}@{reading}"
    return Claim(
        f"{identity}.fix" if fix else identity,
        Kind.IDENTITY,
        printed("eq. (13)" if part == "i" else "eq. (14)"),
        title,
        formula,
        hypotheses,
        measure=measure,
        pool=BLOCKS if part == "i" else TERMS,
        reading=reading,
        reading_text=READINGS[reading],
        repairs=identity if fix else None,
        exact_only=True,
        proof=proof,
    )


def _sums() -> Iterator[Claim]:
    words = f"for $1\\le\\ell_1\\le\\ell_2\\le L$, ${BLOCK}={SUM}$."
    inner = f"for $1\\le\\ell_1\\le\\ell_2\\le L-1$, ${BLOCK}={SUM}$."
    title = "a block of the Hessian is a sum over neurons"
    for r in READINGS:
        measure = partial(sum_over_neurons, reading=r)
        proof = partial(sum_argument, measure, r, PAIR) if r == "C" else None
        yield _claim("i", title, words, r, PAIR, measure, proof=proof)
    measure = partial(sum_over_neurons, reading="B")
    proof = partial(sum_argument, measure, "B", INNER_PAIR)
    yield _claim("i", f"{title}, before layer L", inner, "B", INNER_PAIR, measure, True, proof)


MIDDLE, LAST = f"{FLAT}+{BENDS}", f"{RECURSION}+{BENDS}"
THROUGH = f"{FLAT}+{BENDS_THROUGH}"
FIRST_TITLE = "a term by pre-activations"
SECOND_TITLE = "a term by pre-activations and by recursion"
ENDS_TITLE = "a term by recursion"


def _printed_terms() -> Iterator[Claim]:
    for r in READINGS:
        text = f"${G}={MIDDLE}$, {WHERE}."
        measure = partial(first_equality, reading=r)
        proof = partial(term_argument, measure, "first_equality", r, False, TERM)
        along_edges = proof if r == "B" else None
        yield _claim("ii.first", FIRST_TITLE, text, r, TERM, measure, proof=along_edges)
        text = f"${MIDDLE}={LAST}$.{HIDDEN}"
        measure = partial(second_equality, reading=r)
        yield _claim("ii.second", SECOND_TITLE, text, r, TERM, measure)
        text = f"${G}={LAST}$, {WHERE}.{HIDDEN}"
        yield _claim("ii.ends", ENDS_TITLE, text, r, TERM, partial(recursion, reading=r))


def _inner_terms() -> Iterator[Claim]:
    """What holds of the terms in readings A and C: with the total derivative beside sigma'' in the
    middle, and for l' < L (C: l2 < L); and that the latter alone mends no middle."""
    for r, inner, words in (
        ("A", INNER_TERM, r"for $\ell'\le L-1$, "),
        ("C", INNER_PAIR_TERM, r"for $\ell_2\le L-1$, "),
    ):
        text = f"{words}${MIDDLE}={LAST}$.{HIDDEN}"
        title = f"{SECOND_TITLE}, before layer L"
        yield _claim("ii.second.inner", title, text, r, inner, partial(second_equality, reading=r))
        text = f"${G}={THROUGH}$, {WHERE}."
        measure = partial(first_equality, reading=r, through=True)
        proof = partial(term_argument, measure, "first_equality", r, True, TERM)
        title = f"{FIRST_TITLE}, all of them"
        yield _claim("ii.first", title, text, r, TERM, measure, True, proof)
        text = f"{words}${THROUGH}={LAST}$.{HIDDEN}"
        measure = partial(second_equality, reading=r, through=True)
        proof = partial(term_argument, measure, "second_equality", r, True, inner)
        yield _claim("ii.second", f"{SECOND_TITLE}, repaired", text, r, inner, measure, True, proof)
        text = f"{words}${G}={LAST}$, {WHERE}.{HIDDEN}"
        measure = partial(recursion, reading=r)
        proof = partial(term_argument, measure, "recursion", r, False, inner)
        yield _claim(
            "ii.ends", f"{ENDS_TITLE}, before layer L", text, r, inner, measure, True, proof
        )


CLAIMS = (*_sums(), *_printed_terms(), *_inner_terms())
