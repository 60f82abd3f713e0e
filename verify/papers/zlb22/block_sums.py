"""Equations (13) and (14): a block of the Hessian of an output as a sum over neurons, term by term.

Printed for the blocks l1 <= l2 and, in (14), for the term l' of the sum. What the symbols mean: the
derivative by another neuron is total; second derivatives collect what arises at the neuron itself,
those of its parents being set to zero. (With total second derivatives the term of k itself is the
whole block, and (13) counts it and more; with derivatives along edges alone (13) misses the weights
into k.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from verify.cases.tensors import Tensors
from verify.core.argument import Argument
from verify.core.claim import Claim
from verify.kinds.dags.pool import often_without_zeros
from verify.language.building import Sum
from verify.language.terms import Term
from verify.papers.zlb22.block_proofs import sum_argument, term_argument
from verify.papers.zlb22.dag_notation import DAG, DEPTH, OUTPUTS_LAST, layers
from verify.papers.zlb22.layer_numbers import (
    BEFORE_LAST,
    FIRST_LAYER,
    FROM_SECOND,
    L1,
    L2,
    L3,
    ORDERED,
    SECOND_LAYER,
    in_order,
)
from verify.papers.zlb22.second_derivatives import (
    IDENTITY_OUTPUTS,
    NETWORKS,
    Pair,
    each_entry,
    with_pair,
)
from verify.papers.zlb22.sources import printed
from verify.statements.stated import Given, stated


def _livelier(case: Tensors, random: Random) -> Tensors:
    whole = often_without_zeros(case, random)
    return in_order(whole, random) if whole is not case else case


POOL = partial(NETWORKS, least=4, last=_livelier)
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


# what is said -------------------------------------------------------------------------------------
def sides_agree(left: Callable[[Pair, Term], Term], right: Callable[[Pair, Term], Term]) -> Term:
    """Of the block (l1, l2) of each f_k, k in the last layer, entry by entry."""
    return each_entry(
        L1,
        L2,
        lambda k, a, b: (
            with_pair(a, b, lambda pair: left(pair, k))
            == with_pair(a, b, lambda pair: right(pair, k))
        ),
    )


SUM_OVER_NEURONS = sides_agree(
    lambda pair, k: pair.hessian[k],
    lambda pair, k: Sum(layers(L2, DEPTH), lambda number: pair.term(k, number)),
)


def term_is(right: Callable[[Pair, Term], Term]) -> Term:
    """G_k^{L,l'} against another form of it."""
    return sides_agree(lambda pair, k: pair.term(k, L3), right)


FIRST = term_is(lambda pair, k: pair.by_pre_activations(k, L3) + pair.bends_at_parents(k, L3))
ALL_OF_THEM = term_is(lambda pair, k: pair.by_pre_activations(k, L3) + pair.bends(k, L3))
RECURSION = term_is(lambda pair, k: pair.by_recursion(k, L3) + pair.bends_at_parents(k, L3))


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
BY_RECURSION = (
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
    says: Term,
    given: Sequence[Given],
    fix: bool = False,
    proof: Callable[[], Argument] | None = None,
    why: str = "",
) -> Claim:
    identity = f"zlb22.eq13-14.{part}@C"
    return stated(
        f"{identity}.fix" if fix else identity,
        printed("eq. (13)" if part == "i" else "eq. (14)"),
        title,
        formula,
        says,
        given,
        pool=BLOCKS if part == "i" else TERMS,
        exact_only=True,
        reading="C",
        reading_text=READING,
        repairs=identity if fix else None,
        proof=proof,
        why=why,
    )


MIDDLE, LAST = f"{FLAT}+{BENDS}", f"{BY_RECURSION}+{BENDS}"
THROUGH = f"{FLAT}+{BENDS_THROUGH}"
INNER = r"for $\ell_2\le L-1$, "

CLAIMS = (
    _claim(
        "i",
        "a block of the Hessian is a sum over neurons",
        f"for $1\\le\\ell_1\\le\\ell_2\\le L$, ${BLOCK}={SUM}$.",
        SUM_OVER_NEURONS,
        PAIR,
        proof=partial(sum_argument, SUM_OVER_NEURONS, PAIR),
    ),
    _claim(
        "ii.first",
        "a term by pre-activations",
        f"${G}={MIDDLE}$, {WHERE}.",
        FIRST,
        TERM,
        why=r"The second sum is over the neurons that enter $f_k$, so what $\sigma''$ gives at a "
        r"neuron $i$ that reaches $f_k$ through other neurons is missing.",
    ),
    _claim(
        "ii.ends",
        "a term by recursion",
        f"${G}={LAST}$, {WHERE}.{HIDDEN}",
        RECURSION,
        TERM,
        why=r"For $\ell_2=L$ the term $\ell'=L$ is the whole block, and both sums on the right are "
        "over no neuron.",
    ),
    _claim(
        "ii.first",
        "a term by pre-activations, all of them",
        f"${G}={THROUGH}$, {WHERE}.",
        ALL_OF_THEM,
        TERM,
        fix=True,
        proof=partial(term_argument, ALL_OF_THEM, "term-middle", TERM),
    ),
    _claim(
        "ii.ends",
        "a term by recursion, before layer L",
        f"{INNER}${G}={LAST}$, {WHERE}.{HIDDEN}",
        RECURSION,
        INNER_TERM,
        fix=True,
        proof=partial(term_argument, RECURSION, "term-last", INNER_TERM),
    ),
)
