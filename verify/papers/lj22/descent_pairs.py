"""Appendix F of the earlier version: gradient descent, pairs of vertices, (81) to (85)."""

from functools import partial

from verify.cases.breaks import opposite_in_weights
from verify.cases.transformations import copy_in_weights, twin
from verify.core.claim import Claim
from verify.language.building import w
from verify.language.terms import Term
from verify.papers.lj22 import descent_terms as terms
from verify.papers.lj22.descent import D_TERM, DESCENT, OUT_EDGES, PATHS, POOL
from verify.papers.lj22.descent_proofs import pairs_in_steps, squares
from verify.papers.lj22.path_terms import DERIVATIVE_OF_TREE, size
from verify.papers.lj22.sources import earlier
from verify.statements.mending import mended
from verify.statements.network_hypotheses import BIAS_FREE
from verify.statements.stated import Given, stated

EQUAL = Given(
    "equal neighbourhoods",
    terms.some_pair(terms.twins),
    r"$\mathrm{IN}_u=\mathrm{IN}_v$ and $\mathrm{OUT}_u=\mathrm{OUT}_v$",
    twin,
)
ALIKE = Given(
    "equal activation patterns at every step",
    terms.some_pair(terms.twins_alike),
    r"$u$ and $v$ have the same activation on each example at every $w(\tau)$, $\tau=0,\dots,t$: "
    r"$0$ if ReLU with negative preactivation, $1$ if linear or with nonnegative preactivation",
    copy_in_weights,
    opposite_in_weights,
)
AT_PAIR = (EQUAL, BIAS_FREE, *DESCENT)
JAGGED = (EQUAL, *PATHS)

COORDINATE = {
    "A": r"$[\alpha]_p$ of a jagged path is that of the path through the first vertex of $p_2$",
    "B": r"$[\alpha]_p$ of a jagged path is that of the path through the last vertex of $p_1$",
}
PAIR_LEFT = (
    r"\sum_{a\in\mathrm{IN}}w_{av}(t+1)w_{au}(t+1)-w_{av}(0)w_{au}(0)-\sum_{\tau=0}^t\eta(\tau)^2"
    r"[d(w(\tau))]_{av}[d(w(\tau))]_{au}"
)
PAIR_IN = (
    r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{a\in\mathrm{IN}}w_{av}(\tau)[d(w(\tau))]_{au}+w_{au}(\tau)"
    r"[d(w(\tau))]_{av}"
)
PAIR_PATHS = r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{p\in\mathcal A}\frac1n\sum_{j=1}^nd_{j,p}(w(\tau))"
PAIR_OUT = (
    r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{b\in\mathrm{OUT}}w_{vb}(\tau)[d(w(\tau))]_{ub}+w_{ub}(\tau)"
    r"[d(w(\tau))]_{bv}"
)
PAIR_RIGHT = (
    r"\sum_{b\in\mathrm{IN}_v}w_{vb}(t+1)w_{ub}(t+1)-w_{vb}(0)w_{ub}(0)-\sum_{\tau=0}^t"
    r"\eta(\tau)^2[d(w(\tau))]_{vb}[d(w(\tau))]_{ub}"
)
JAGGED_SET = (
    r" where $\mathcal A=\{p_1\cup p_2\mid p_1$ is a path from $I$ to $v$ or $u$; $p_2$ is a path "
    r"from $u$ or $v$, respectively, to $O\}$."
)
PAIR_WORDS = r"For $u$, $v$ with the same in- and out-vertices, "


WHY_ABSOLUTE = (
    "the left side has products of the weights themselves, the jagged paths have absolute values: "
    "where a weight is negative the signs differ"
)
PRODUCTS = (
    r" Repaired: $d_{j,p}(w)=\ell'(y_j\nu(x_j;w))\,y_j\,[\alpha]_p\,(x_j)_p\prod_{f\in p}w_f$ with "
    r"$\alpha\in\partial\mu(h(w))$, the decomposition of Lemma 1."
)
ALIKE_WORDS = (
    r" Repaired: for $u$ and $v$ that have the same activation pattern as each other on each "
    "example at every step."
)


def _cross(terms: str) -> str:
    """Why the factor is wrong. terms: those that are added."""
    return (
        "the factor $2$ is that of a square, (76): of two different weights the cross terms "
        f"{terms} stand once each"
    )


FIRST = stated(
    "lj22v1.gd-82",
    earlier("Appendix F, (81) = (82)"),
    "pair form, first equality",
    f"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_IN}$$",
    terms.first_pair(2),
    AT_PAIR,
    depends=("lj22v1.gd",),
    pool=POOL,
    why=_cross(r"$w_{av}[d]_{au}$ and $w_{au}[d]_{av}$"),
)
LAST = stated(
    "lj22v1.gd-85@B",
    earlier("Appendix F, (84) = (85)"),
    "pair form, last equality",
    f"{PAIR_WORDS}$${PAIR_OUT}={PAIR_RIGHT}$$",
    terms.last_pair(2),
    AT_PAIR,
    depends=("lj22v1.gd",),
    pool=POOL,
    reading="B",
    reading_text=OUT_EDGES,
    why=_cross(r"$w_{vb}[d]_{ub}$ and $w_{ub}[d]_{vb}$"),
)


def _once(printed: Claim, says: Term) -> Claim:
    """The repair with the factor 1."""
    title, text = f"{printed.title}, with the factor 1", printed.statement.replace("-2", "-", 1)
    return mended(printed, title, text, says, AT_PAIR, proof=squares)


def _jagged(end: str) -> tuple[Claim, Claim]:
    """(82) = (83), at the in-edges, or (83) = (84), at the out-edges; and the repair."""
    entering = end == "in"
    left, right = (PAIR_IN, PAIR_PATHS) if entering else (PAIR_PATHS, PAIR_OUT)
    says = terms.jagged_in if entering else terms.jagged_out
    printed = stated(
        "lj22v1.gd-83@AB1" if entering else "lj22v1.gd-84@BB1",
        earlier("Appendix F, (82) = (83)" if entering else "Appendix F, (83) = (84)"),
        "pair form, jagged paths" if entering else "pair form, out-edges",
        rf"{PAIR_WORDS}$${left}={right}$${JAGGED_SET}",
        says(size),
        JAGGED,
        depends=("lj22v1.gd-82" if entering else "lj22v1.gd-83@AB1",),
        pool=POOL,
        through=DERIVATIVE_OF_TREE,
        reading="AB1" if entering else "BB1",
        reading_text=f"{COORDINATE['A' if entering else 'B']}; {D_TERM}",
        why=WHY_ABSOLUTE if entering else WHY_ABSOLUTE.replace("left", "right"),
    )
    repaired = mended(
        printed,
        f"{printed.title}, with products of the weights themselves",
        printed.statement + PRODUCTS,
        says(w),
        JAGGED,
        depends=("lj22v1.gd-82.fix",),
    )
    return printed, repaired


def _for_equal_patterns(printed: Claim, says: Term, *, telescoped: bool) -> Claim:
    """The repair for two vertices that are active on the same examples."""
    return mended(
        printed,
        f"{printed.title}, for equal patterns",
        printed.statement + ALIKE_WORDS,
        says,
        (ALIKE, *AT_PAIR),
        proof=partial(pairs_in_steps, telescoped=telescoped),
    )


CROSSED = stated(
    "lj22v1.gd-84.b",
    earlier("Appendix F, (82) = (84)"),
    "pair form, in-edges and out-edges",
    rf"{PAIR_WORDS}$${PAIR_IN}={PAIR_OUT}$$",
    terms.crossed_ends(terms.twins),
    AT_PAIR,
    depends=("lj22v1.gd",),
    pool=POOL,
    why="where $u$ is active and $v$ is not, the left side has the products $w_{av}w_{ub}$ and "
    "the right side the products $w_{au}w_{vb}$",
)
CHANGED = stated(
    "lj22v1.gd-85.b@B",
    earlier("Appendix F, (81) = (85)"),
    "matrix invariance with slack terms",
    rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_RIGHT}$$ thus recovering the matrix invariance of "
    "Ji & Telgarsky (2019) equation C.9.",
    terms.changed_ends(terms.twins),
    AT_PAIR,
    depends=("lj22v1.gd-84.b",),
    pool=POOL,
    reading="B",
    reading_text=OUT_EDGES,
    why="where $u$ is active and $v$ is not, the products of the in-weights and those of the "
    "out-weights change differently, as in (5)",
)
CLAIMS = (
    FIRST,
    _once(FIRST, terms.first_pair(1)),
    *(claim for end in ("in", "out") for claim in _jagged(end)),
    CROSSED,
    _for_equal_patterns(CROSSED, terms.crossed_ends(terms.twins_alike), telescoped=False),
    LAST,
    _once(LAST, terms.last_pair(1)),
    CHANGED,
    _for_equal_patterns(CHANGED, terms.changed_ends(terms.twins_alike), telescoped=True),
)
