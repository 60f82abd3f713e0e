"""Appendix F of the earlier version: gradient descent, pairs of vertices, (81) to (85)."""

from collections.abc import Callable
from dataclasses import replace

from verify.claim import Claim, Kind
from verify.network_hypotheses import BIAS_FREE, INCIDENT_LEARNABLE
from verify.pair_hypotheses import EQUAL_PATTERNS, PAIR_EXISTS
from verify.papers.lj22 import descent_formulas as formulas
from verify.papers.lj22.descent import D_TERM, DESCENT, OUT_EDGES, PATHS, POOL
from verify.papers.lj22.descent_proofs import squares
from verify.papers.lj22.sources import earlier
from verify.steps import EQUAL_PATTERN_STEPS
from verify.vocabulary import Entries, Scene

AT_PAIR = (PAIR_EXISTS, INCIDENT_LEARNABLE, BIAS_FREE, *DESCENT)
JAGGED = (PAIR_EXISTS, INCIDENT_LEARNABLE, *PATHS)
ALIKE = (EQUAL_PATTERNS, EQUAL_PATTERN_STEPS, *AT_PAIR)

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


PAIR_FIRST = Claim(
    "lj22v1.gd-82",
    Kind.IDENTITY,
    earlier("Appendix F, (81) = (82)"),
    "pair form, first equality",
    rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_IN}$$",
    AT_PAIR,
    ("lj22v1.gd",),
    measure=formulas.pair_in_as_printed,
    pool=POOL,
    why="the factor $2$ is that of a square, (76): of two different weights the cross terms "
    r"$w_{av}[d]_{au}$ and $w_{au}[d]_{av}$ stand once each",
)
PAIR_FIRST_FIX = replace(
    PAIR_FIRST,
    id="lj22v1.gd-82.fix",
    title="pair form, first equality, with the factor 1",
    statement=rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_IN.replace('-2', '-', 1)}$$",
    measure=formulas.pair_in_repaired,
    repairs="lj22v1.gd-82",
    expanded=True,
    why="",
    proof=squares("pair_in_repaired"),
)


WHY_ABSOLUTE = (
    "the left side has products of the weights themselves, the jagged paths have absolute values: "
    "where a weight is negative the signs differ"
)
JAGGED_IN = Claim(
    "lj22v1.gd-83@AB1",
    Kind.IDENTITY,
    earlier("Appendix F, (82) = (83)"),
    "pair form, jagged paths",
    rf"{PAIR_WORDS}$${PAIR_IN}={PAIR_PATHS}$${JAGGED_SET}",
    JAGGED,
    ("lj22v1.gd-82",),
    measure=formulas.pair_jagged_in,
    pool=POOL,
    reading="AB1",
    reading_text=f"{COORDINATE['A']}; {D_TERM}",
    signed=True,
    why=WHY_ABSOLUTE,
)
JAGGED_OUT = replace(
    JAGGED_IN,
    id="lj22v1.gd-84@BB1",
    source=earlier("Appendix F, (83) = (84)"),
    title="pair form, out-edges",
    statement=rf"{PAIR_WORDS}$${PAIR_PATHS}={PAIR_OUT}$${JAGGED_SET}",
    depends=("lj22v1.gd-83@AB1",),
    measure=formulas.pair_jagged_out,
    reading="BB1",
    reading_text=f"{COORDINATE['B']}; {D_TERM}",
    why=WHY_ABSOLUTE.replace("left", "right"),
)
PRODUCTS = (
    r" Repaired: $d_{j,p}(w)=\ell'(y_j\nu(x_j;w))\,y_j\,[\alpha]_p\,(x_j)_p\prod_{f\in p}w_f$ with "
    r"$\alpha\in\partial\mu(h(w))$, the decomposition of Lemma 1."
)


def _by_products(claim: Claim, measure: Callable[[Scene], Entries]) -> Claim:
    """The repair: products of the weights themselves in the place of absolute values."""
    return replace(
        claim,
        id=f"{claim.id}.fix",
        title=f"{claim.title}, with products of the weights themselves",
        statement=claim.statement + PRODUCTS,
        depends=("lj22v1.gd-82.fix",),
        measure=measure,
        repairs=claim.id,
        why="",
    )


IN_AND_OUT = Claim(
    "lj22v1.gd-84.b",
    Kind.IDENTITY,
    earlier("Appendix F, (82) = (84)"),
    "pair form, in-edges and out-edges",
    rf"{PAIR_WORDS}$${PAIR_IN}={PAIR_OUT}$$",
    AT_PAIR,
    ("lj22v1.gd",),
    measure=formulas.pair_in_and_out,
    pool=POOL,
    why="where $u$ is active and $v$ is not, the left side has the products $w_{av}w_{ub}$ and the "
    "right side the products $w_{au}w_{vb}$",
)
ALIKE_WORDS = (
    r" Repaired: for $u$ and $v$ that have the same activation pattern as each other on each "
    "example at every step."
)


LAST = Claim(
    "lj22v1.gd-85@B",
    Kind.IDENTITY,
    earlier("Appendix F, (84) = (85)"),
    "pair form, last equality",
    rf"{PAIR_WORDS}$${PAIR_OUT}={PAIR_RIGHT}$$",
    AT_PAIR,
    ("lj22v1.gd",),
    measure=formulas.pair_last,
    pool=POOL,
    reading="B",
    reading_text=OUT_EDGES,
    why="the factor $2$ is that of a square, (76): of two different weights the cross terms "
    r"$w_{vb}[d]_{ub}$ and $w_{ub}[d]_{vb}$ stand once each",
)
LAST_FIX = replace(
    LAST,
    id="lj22v1.gd-85@B.fix",
    title="pair form, last equality, with the factor 1",
    statement=rf"{PAIR_WORDS}$${PAIR_OUT.replace('-2', '-', 1)}={PAIR_RIGHT}$$",
    measure=formulas.pair_last_repaired,
    repairs="lj22v1.gd-85@B",
    expanded=True,
    proof=squares("pair_last_repaired"),
    why="",
)
BOTH_ENDS = Claim(
    "lj22v1.gd-85.b@B",
    Kind.IDENTITY,
    earlier("Appendix F, (81) = (85)"),
    "matrix invariance with slack terms",
    rf"{PAIR_WORDS}$${PAIR_LEFT}={PAIR_RIGHT}$$ thus recovering the matrix invariance of Ji & "
    "Telgarsky (2019) equation C.9.",
    AT_PAIR,
    ("lj22v1.gd-84.b",),
    measure=formulas.pair_both_ends,
    pool=POOL,
    reading="B",
    reading_text=OUT_EDGES,
    why="where $u$ is active and $v$ is not, the products of the in-weights and those of the "
    "out-weights change differently, as in (5)",
)

CLAIMS = (
    PAIR_FIRST,
    PAIR_FIRST_FIX,
    JAGGED_IN,
    _by_products(JAGGED_IN, formulas.pair_products_in),
    JAGGED_OUT,
    _by_products(JAGGED_OUT, formulas.pair_products_out),
    IN_AND_OUT,
    replace(
        IN_AND_OUT,
        id="lj22v1.gd-84.b.fix",
        title="pair form, in-edges and out-edges, for equal patterns",
        statement=IN_AND_OUT.statement + ALIKE_WORDS,
        hypotheses=ALIKE,
        repairs="lj22v1.gd-84.b",
        expanded=True,
        why="",
    ),
    LAST,
    LAST_FIX,
    BOTH_ENDS,
    replace(
        BOTH_ENDS,
        id="lj22v1.gd-85.b@B.fix",
        title="matrix invariance with slack terms, for equal patterns",
        statement=BOTH_ENDS.statement + ALIKE_WORDS,
        hypotheses=ALIKE,
        repairs="lj22v1.gd-85.b@B",
        expanded=True,
        why="",
    ),
)
