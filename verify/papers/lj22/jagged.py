"""Jagged paths for a pair of vertices: (40) to (49) of the proof of Lemma 2, in both versions.

A path through u is p1, au, ub, p2. Its mirror image is p1, av, vb, p2. The jagged paths p1, av, ub,
p2 and p1, au, vb, p2 are not paths of the network: they jump between u and v. All four are told by
the path through u, and by which of u and v stands at the end of the first half and at the start of
the second one.
"""

from collections.abc import Callable

from verify.cases.pool import Pool
from verify.cases.transformations import twin
from verify.core.claim import Claim
from verify.language.building import (
    Each,
    Rate,
    Sum,
    When,
    edge,
    examples,
    head,
    hidden,
    implies,
    into,
    out_of,
    sign,
    slope,
    tail,
    w,
)
from verify.language.terms import Term
from verify.papers.lj22.balance_proofs import sides_of_pair, squares_are_products
from verify.papers.lj22.graph_terms import (
    at_each_pair,
    equal_patterns,
    in_products,
    out_products,
    over_in,
    over_out,
    squares,
)
from verify.papers.lj22.invariances import FLOW, SMOOTH_FLOW, to_pairs
from verify.papers.lj22.path_terms import (
    DERIVATIVE_OF_TREE,
    Factor,
    along,
    kappa,
    mean,
    over_paths_through,
    size,
    x_of,
)
from verify.papers.lj22.pathsums import WHY
from verify.papers.lj22.sketch import GIVEN
from verify.papers.lj22.sources import earlier, final
from verify.statements.mending import mended
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DIFFERENTIABLE,
    OWN_PARAMETERS,
    incident_learnable,
)
from verify.statements.stated import stated

TWINS = Pool(largest=6, adapt=lambda case, random: twin(case, random))
TAKES = {"40": "end", "42": "start"}
"""Whose subgradient a jagged path of (40) to (43) has: that of the path which its second half is
part of, or its first half."""


# jagged paths ------------------------------------------------------------------------------------
def of_jagged(u: Term, v: Term, of: Callable[[Term, Term, Term], Term]) -> Term:
    """The sum over the jagged paths of a pair. of: a path through u, the end of the first half, the
    start of the second one."""
    return over_paths_through(u, lambda p: of(p, v, u) + of(p, u, v))


def along_halves(p: Term, u: Term, ends: tuple[Term, Term], factor: Factor) -> Term:
    """The product over the edges of a path through u, with others in the place of u at the end of
    the first half and at the start of the second one."""

    def here(e: Term) -> Term:
        leaving = When(tail(e) == u, edge(ends[1], head(e)), e)
        return When(head(e) == u, edge(tail(e), ends[0]), leaving)

    return along(p, lambda e: factor(here(e)))


def slopes_with(p: Term, u: Term, other: Term, j: Term) -> Term:
    """The derivative of the tree network in the input of the path with another vertex in the place
    of u: the product of the slopes."""
    return along(p, lambda e: When(head(e) == u, slope(other, j), slope(head(e), j)))


def sums_of_jagged(u: Term, v: Term, j: Term, takes: str) -> Term:
    """The sum of Pi_j w_av w_ub and Pi_j w_au w_vb, each times a derivative of the tree network."""

    def of_path(p: Term, end: Term, start: Term) -> Term:
        derivative = slopes_with(p, u, start if takes == "end" else end, j)
        return x_of(p, j) * along_halves(p, u, (end, start), w) * derivative

    return of_jagged(u, v, of_path)


def in_side(u: Term, v: Term) -> Term:
    """(46): a term w_av w_ub takes the derivative at the path through u, to which ub belongs."""
    sums = mean(lambda j: kappa(j) * sums_of_jagged(u, v, j, "end"))
    return Rate(in_products(u, v)) == -sums


def out_side(u: Term, v: Term) -> Term:
    """(49): a term w_au w_vb takes the derivative at the path through u, to which au belongs."""
    sums = mean(lambda j: kappa(j) * sums_of_jagged(u, v, j, "start"))
    return Rate(out_products(u, v)) == -sums


def identified(u: Term, v: Term) -> Term:
    """The right sides of (46) and (49), without their common factor."""
    return Sum(examples(), lambda j: kappa(j) * sums_of_jagged(u, v, j, "end")) == Sum(
        examples(), lambda j: kappa(j) * sums_of_jagged(u, v, j, "start")
    )


# the earlier version: with signs and absolute values ---------------------------------------------
def signed_rate(e: Term, f: Term) -> Term:
    """sgn(w w') (w dw'/dt + dw/dt w') of two edges."""
    return sign(w(e) * w(f)) * (w(e) * Rate(w(f)) + Rate(w(e)) * w(f))


def sums_of_d(u: Term, v: Term, takes: str, *, repaired: bool) -> Term:
    """The sum over the jagged paths of (1/n) sum_j d_{j,p}, with absolute values; repaired: with
    the sign of the flow, and by the tree of Lemma 5, whose derivatives have signs."""

    def d_of(p: Term, ends: tuple[Term, Term], j: Term) -> Term:
        whose = ends[1] if takes == "end" else ends[0]
        alpha = slopes_with(p, u, whose, j)
        if repaired:
            alpha = -alpha * along_halves(p, u, (whose, whose), lambda e: sign(w(e)))
        return kappa(j) * alpha * x_of(p, j) * along_halves(p, u, ends, size)

    return of_jagged(u, v, lambda p, end, start: mean(lambda j: d_of(p, (end, start), j)))


# the claims ----------------------------------------------------------------------------------
SELECTED = (
    "with the slopes that the flow selects at kinks, the derivative of the tree network in the "
    "input of a path that it selects is their product along that path "
    "(docs/mathematics/lj22.md#path-sums)"
)
WHY_SELECTED = (
    "at preactivation $0$ a ReLU neuron counts as active, but the flow may select another slope "
    r"than $1$ there: $\partial^u_j\mu$ and $\partial^v_j\mu$, as it selects them, differ"
)
FLOW_SIGN = "the common sign, which is lost, is that of the flow, which descends"
WITH_PI = (
    r"with $a\in\mathrm{IN}$, $b\in\mathrm{OUT}$, $p_1$ a path from $I$ to $a$, $p_2$ a path from "
    r"$b$ to $o$, $\Pi_j=(x_j)_{p_1}\prod_{f\in p_1}w_f\prod_{f\in p_2}w_f$, and $\partial^u_j$, "
    r"$\partial^v_j$ the partial derivatives of $\mu$ at the inputs of the paths through $u$ and "
    r"$v$"
)
SIDES = {
    "46": (
        "rate of the in-weights of a pair by jagged paths",
        r"\frac{d}{dt}\sum_aw_{au}w_{av}",
        r"(w_{av}w_{ub}\,\partial^u_j+w_{au}w_{vb}\,\partial^v_j)",
        in_side,
    ),
    "49": (
        "rate of the out-weights of a pair by jagged paths",
        r"\frac{d}{dt}\sum_bw_{ub}w_{vb}",
        r"(w_{au}w_{vb}\,\partial^u_j+w_{av}w_{ub}\,\partial^v_j)",
        out_side,
    ),
}


def _side(number: str) -> Claim:
    title, left, bracket, says = SIDES[number]
    return stated(
        f"lj22.eq46-49.{number}@B",
        final(f"proof of Lemma 2, ({number})"),
        title,
        r"For $u,v$ with $\mathrm{IN}_u=\mathrm{IN}_v$ and $\mathrm{OUT}_u=\mathrm{OUT}_v$, $$"
        rf"{left}=-\frac1n\sum_j\ell'(y_j\nu_j)y_j\sum_{{a,b,p_1,p_2}}\Pi_j\,{bracket}$$ "
        + WITH_PI
        + ".",
        at_each_pair(says),
        GIVEN,
        depends=("lj22.eq34.34@A",),
        pool=TWINS,
        through=DERIVATIVE_OF_TREE,
        reading="B",
        reading_text=FLOW_SIGN,
    )


SAME = stated(
    "lj22.eq46-49.same",
    final("proof of Lemma 2, (46), (49) and (50)"),
    "equal patterns identify the two sides",
    r"Under equal activation patterns of $u$ and $v$ on each example, $\partial^u_j="
    r"\partial^v_j$ as a set, which identifies (46) with (49): $$\sum_j\ell'y_j"
    r"\sum_{a,b,p_1,p_2}\Pi_j\,(w_{av}w_{ub}\,\partial^u_j+w_{au}w_{vb}\,\partial^v_j)="
    r"\sum_j\ell'y_j\sum_{a,b,p_1,p_2}\Pi_j\,(w_{au}w_{vb}\,\partial^u_j+w_{av}w_{ub}\,"
    r"\partial^v_j)$$ " + WITH_PI + ", as the flow selects them.",
    at_each_pair(identified, equal_patterns),
    (OWN_PARAMETERS, BIAS_FREE, *FLOW),
    depends=("lj22.lemma8@A1B1", "lj22.eq46-49.46@B", "lj22.eq46-49.49@B"),
    pool=Pool(largest=6, kinks=True, adapt=to_pairs),
    through=SELECTED,
    why=WHY_SELECTED,
)


D_JAGGED = (
    r"$d_{j,p}$ of (35), for $p\in\mathcal A=\{p_1\cup p_2\mid p_1$ is a path from $I$ to $v$ or "
    r"$u$; $p_2$ is a path from $u$ or $v$, respectively, to $O\}$"
)
# by the other one the terms are not those of the left side, whatever their sign
READ_WITH = {"40": "A", "42": "B"}
WHOSE = {
    "A": "that of the path with the last vertex of p1 replaced by the first of p2",
    "B": "that of the path with the first vertex of p2 replaced by the last of p1",
}
LEFT_IN = (
    r"\sum_{a\in\mathrm{IN}}\mathrm{sgn}(w_{au}w_{av})\Big(w_{au}\frac{dw_{av}}{dt}+"
    r"\frac{dw_{au}}{dt}w_{av}\Big)"
)
LEFT_OUT = (
    r"\sum_{b\in\mathrm{OUT}}\mathrm{sgn}(w_{ub}w_{vb})\Big(w_{ub}\frac{dw_{vb}}{dt}+"
    r"\frac{dw_{ub}}{dt}w_{vb}\Big)"
)
SIGNED_SIDES = {
    "40": ("signed rate of the in-weights of a pair by jagged paths", LEFT_IN, over_in),
    "42": ("signed rate of the out-weights of a pair by jagged paths", LEFT_OUT, over_out),
}


def _signed_sides(number: str) -> tuple[Claim, Claim]:
    """As printed, and with the sign mended."""
    reading = READ_WITH[number]
    title, left, over = SIGNED_SIDES[number]

    def says(*, repaired: bool) -> Term:
        return at_each_pair(
            lambda u, v: (
                over(u, v, signed_rate) == sums_of_d(u, v, TAKES[number], repaired=repaired)
            )
        )

    printed = stated(
        f"lj22v1.eq40-43.{number}@{reading}",
        earlier(f"proof of Lemma 3, {'(40)' if number == '40' else '(41) and (42)'}"),
        title,
        rf"For almost every $s>0$, $${left}=\sum_{{p\in\mathcal A}}\frac1n\sum_{{j=1}}^nd_{{j,p}}"
        r"(w(s)),$$ " + D_JAGGED + ".",
        says(repaired=False),
        GIVEN,
        depends=("lj22.eq34.34@B",),
        pool=TWINS,
        through=DERIVATIVE_OF_TREE,
        reading=reading,
        reading_text=f"the subgradient coordinate of a jagged path is {WHOSE[reading]}",
        why=WHY["B"],
    )
    words = r" Repaired: with a minus sign, and $\alpha\in\partial\mu'(h'(w))$."
    repaired = mended(
        printed,
        f"{title}, with the sign mended",
        printed.statement + words,
        says(repaired=True),
        GIVEN,
    )
    return printed, repaired


PRINTED_SIDES, REPAIRED_SIDES = zip(*map(_signed_sides, TAKES), strict=True)
CLAIMS = (
    *map(_side, SIDES),
    SAME,
    mended(
        SAME,
        f"{SAME.title}, at points of differentiability",
        SAME.statement + " Repaired: where the network is differentiable.",
        at_each_pair(identified, equal_patterns),
        (OWN_PARAMETERS, BIAS_FREE, *SMOOTH_FLOW, DIFFERENTIABLE),
        pool=Pool(largest=6, adapt=to_pairs),
        proofs=[sides_of_pair],
    ),
    *PRINTED_SIDES,
    *REPAIRED_SIDES,
    stated(
        "lj22v1.eq40-43.43",
        earlier("proof of Lemma 3, (41) and (43)"),
        "the signed rates of the in-weights and of the out-weights of a pair",
        rf"For almost every $s>0$, $${LEFT_OUT}={LEFT_IN}$$",
        at_each_pair(lambda u, v: over_out(u, v, signed_rate) == over_in(u, v, signed_rate)),
        GIVEN,
        depends=("lj22v1.eq40-43.40@A", "lj22v1.eq40-43.42@B"),
        pool=TWINS,
        why="where $u$ is active and $v$ is not, only $w_{au}$ and $w_{ub}$ move: one side has the "
        "products $w_{av}w_{ub}$, the other the products $w_{au}w_{vb}$",
    ),
    stated(
        "lj22v1.rem-uv",
        earlier("end of the proof of Lemma 3"),
        "the law for pairs at u = v is the law for vertices",
        r"The second part is a special case of the first part, which is obtainable by setting "
        r"$u=v$: with $u=v$ the left side of (5), $\sum_aw_{au}w_{av}-\sum_bw_{ub}w_{vb}$, is that "
        r"of (4), $\sum_uw_{uv}^2-\sum_bw_{vb}^2$.",
        Each(
            hidden(),
            lambda v: implies(
                incident_learnable(v),
                in_products(v, v) - out_products(v, v) == squares(into(v)) - squares(out_of(v)),
            ),
        ),
        (BIAS_FREE, *FLOW),
        depends=("lj22.lemma2a", "lj22v1.lemma3b"),
        pool=Pool(),
        proofs=[squares_are_products],
    ),
)
