"""The last two displays of the proof of Theorem 15: the total, and the number of layers.

The matrices are those of the proof, U_l S_l V_l^T the SVD of N_l, with the product U_l V_l^T of the
display before; the index l + 1 that is printed fits no shape.
"""

from __future__ import annotations

from typing import Any

from verify.core.claim import Claim
from verify.language.building import Count, Each, Sum, examples
from verify.language.terms import Term
from verify.papers.j23.network_notation import ALL, DEPTH
from verify.papers.j23.sources import printed
from verify.papers.j23.theorem6_cases import SHARE, TURNED, TURNED_WITH_SHARE
from verify.papers.j23.theorem6_notation import (
    P,
    Part,
    budget,
    inner_part,
    inner_part_carried,
    missing,
    most_layers,
    share,
    slope_part,
    slope_part_carried,
    to_svd,
)
from verify.papers.j23.theorem6_words import GIVEN, PROOF, M, N
from verify.statements.stated import stated


# what is added up ---------------------------------------------------------------------------------
def total(inner: Part, slope: Part) -> Term:
    """Whether the total is at most c_1 - 2 log|Jf|_+."""

    def both(m: Term, x: Term) -> Term:
        return to_svd(m, x, inner) + missing(m, x, slope)

    return Each(examples(), lambda p: Sum(ALL, lambda m: both(m, p)) <= budget(p))


def near(m: Term, x: Term, inner: Part, slope: Part) -> Term:
    """Whether both inequalities hold in a layer."""
    few = missing(m, x, slope) <= share(x)
    return (to_svd(m, x, inner) <= share(x)) & few


FEW_LAYERS = Each(
    examples(),
    lambda p: Count(ALL, lambda m: near(m, p, inner_part, slope_part)) <= P * DEPTH,
)
MOST_LAYERS = Each(
    examples(), lambda p: most_layers(lambda m: near(m, p, inner_part_carried, slope_part_carried))
)


# claims -------------------------------------------------------------------------------------------
BOUND = r"c_1-2\log|Jf_\theta(x)|_+"
READING = (
    rf"the matrices of the proof, $U_\ell S_\ell V_\ell^T$ the SVD of ${N}$, with the product "
    r"$U_\ell V_\ell^T$"
)
OWN = r"U_\ell V_\ell^T"


TOTAL_TEXT = (
    rf"With ${M}$: $\sum_{{\ell=1}}^L\lVert W_\ell-{OWN}\rVert_F^2+k-\lVert M_\ell\rVert_F^2\le "
    rf"{BOUND}$."
)


def _layers_text(words: str) -> str:
    return (
        rf"With ${M}$: for any $p\in(0,1)$ there are {words} layers $\ell$ with both "
        rf"$\lVert W_\ell-{OWN}\rVert_F^2\le\frac{{{BOUND}}}{{pL}}$ and "
        rf"$\lVert M_\ell\rVert_F^2\ge k-\frac{{{BOUND}}}{{pL}}$."
    )


CARRIED = (
    r"Let $K$ be the row space of $Jf_\theta(x)$, $U_\ell S_\ell V_\ell^T$ the SVD of "
    r"$W_\ell P_{J\alpha_{\ell-1}(x)K}$ and $M_\ell=D_\ell(x)P_{J\tilde\alpha_\ell(x)K}$. "
)


def _repaired(text: str) -> str:
    """The text with what is carried along."""
    return CARRIED + text.replace(f"With ${M}$: ", "").replace("for any", "For any")


def _claim(part: str, title: str, text: str, says: Term, **others: Any) -> Claim:
    """The total, or the number of layers. part: its name."""
    counted = part.startswith("layers")
    return stated(
        f"j23.thm6.{part}",
        printed(f"{PROOF}, {'last' if counted else 'eighth'} display"),
        title,
        text,
        says,
        (*GIVEN, SHARE) if counted else GIVEN,
        pool=TURNED_WITH_SHARE if counted else TURNED,
        reading="B",
        reading_text=READING,
        **others,
    )


CLAIMS = (
    _claim(
        "total@B",
        "the total",
        TOTAL_TEXT,
        total(inner_part, slope_part),
        depends=("j23.thm6.sum.a", "j23.thm6.dterm.a@B", "j23.thm6.lower.a"),
        why=r"It rests on the product over the layers, in which angles are counted more than once: "
        r"for unit vectors $W_1=x$, $W_2=w^T$ with $x\cdot w=c$ the left side is $4-4c$, the right "
        r"one $-2\log c$, which is smaller for $c=\frac35$.",
    ),
    _claim(
        "total@B.fix",
        "the total, repaired",
        _repaired(TOTAL_TEXT),
        total(inner_part_carried, slope_part_carried),
        depends=("j23.thm6.sum.a.fix",),
        repairs="j23.thm6.total@B",
    ),
    _claim(
        "layers@B",
        "number of layers",
        _layers_text("at most $pL$"),
        FEW_LAYERS,
        depends=("j23.thm6.total@B",),
        negated="more than $pL$ layers have both",
        why=r"Meant is at least $(1-p)L$: where both bounds hold in all layers, as for $L=1$ and "
        r"$W_1=1$, they hold in $L>pL$ of them.",
    ),
    _claim(
        "layers@B.fix",
        "number of layers, repaired",
        _repaired(_layers_text("at least $(1-p)L$")),
        MOST_LAYERS,
        depends=("j23.thm6.sum.a.fix",),
        repairs="j23.thm6.layers@B",
    ),
)
