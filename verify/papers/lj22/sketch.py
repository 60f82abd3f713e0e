"""Section 4.3: the proof sketch, equations (8) to (11), and the velocity as it is equated there."""

from collections.abc import Callable
from typing import Any

from verify.cases.pool import Pool
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.language.building import Each, Rate, Sum, edges, grad, hidden, implies, into, out_of, w
from verify.language.terms import Term
from verify.papers.lj22.path_terms import DERIVATIVE_OF_TREE as BY_SLOPES
from verify.papers.lj22.path_terms import (
    along,
    along_others,
    kappa,
    mean,
    over_paths_through,
    over_paths_with,
    risk_slope,
    size,
    slopes_along,
    x_of,
)
from verify.papers.lj22.quotients import BY_VALUES, POLYNOMIAL_LOSS, by_values, with_its_loss
from verify.papers.lj22.sources import both
from verify.papers.lj22.velocity_proofs import risk_by_paths
from verify.statements import network_hypotheses as given
from verify.statements.network_hypotheses import incident_learnable, where_learnable
from verify.statements.stated import stated

PATHS = Pool(largest=6)
GIVEN = (
    given.FEEDFORWARD,
    given.DIFFERENTIABLE,
    given.NONZERO_WEIGHTS,
    given.HOMOGENEOUS,
    given.BIAS_FREE,
    given.DIFFERENTIABLE_LOSS,
    given.OWN_PARAMETERS,
    given.DATA,
)


def chain_rule(e: Term) -> Term:
    """(8), with dR/dw_e from values of the risk."""
    return by_values(e) == mean(lambda j: kappa(j) * grad(e, j))


def by_paths(e: Term) -> Term:
    """(9): dR/dw_e as a sum over the paths with e."""

    def over(j: Term) -> Term:
        return over_paths_with(e, lambda p: slopes_along(p, j) * x_of(p, j) * along_others(p, e, w))

    return risk_slope(e) == mean(lambda j: kappa(j) * over(j))


def a_of(p: Term) -> Term:
    """(1/n) sum_i A_{i,p}."""
    return mean(lambda i: kappa(i) * slopes_along(p, i) * x_of(p, i) * along(p, size))


def weighted_by_paths(e: Term) -> Term:
    """(10): w_e dR/dw_e is the sum of A over the paths with e."""
    return w(e) * risk_slope(e) == over_paths_with(e, a_of)


def counted_in(v: Term) -> Term:
    """(11), left: the sum over the in-edges of v is that of A over the paths through v."""
    return Sum(into(v), lambda e: w(e) * risk_slope(e)) == over_paths_through(v, a_of)


def counted_out(v: Term) -> Term:
    """(11), right: that sum is the one over the out-edges of v."""
    return over_paths_through(v, a_of) == Sum(out_of(v), lambda e: w(e) * risk_slope(e))


def at_each_edge(says: Callable[[Term], Term]) -> Term:
    """At every weight that is a parameter."""
    return Each(edges(), lambda e: where_learnable(e, says(e)))


def at_each_vertex(says: Callable[[Term], Term]) -> Term:
    """At every hidden vertex whose edges have parameters of their own."""
    return Each(hidden(), lambda v: implies(incident_learnable(v), says(v)))


A_TERM = r"$A_{i,p}(w)=\ell'(y_i\nu(x_i;w))\,y_i\,[\mu'(x_i;w)]_p\,(x_i)_p\prod_{f\in p}|w_f|$"
DERIVATIVE_OF_TREE = (
    r"$[\mu']_p$ is the derivative of the tree network $\mu$ of Lemma 1 in its $p$-th input"
)
WHY_ABSOLUTE = (
    r"$w_e\prod_{f\ne e}w_f$ is $\prod_fw_f$, not $\prod_f|w_f|$: on a path with an odd number of "
    "negative weights the sign is wrong"
)
PARTS = (
    (
        "9",
        "derivative of the risk as a path sum",
        (
            r"$$\frac{\partial\mathcal R}{\partial w_e}=\frac1n\sum_i\ell'(y_i\nu(x_i;w))\,y_i"
            r"\sum_{p\in\mathcal P,p\ni e}[\mu'(x_i;w)]_p\,(x_i)_p\prod_{f\in p,f\ne e}w_f$$"
        ),
        at_each_edge(by_paths),
    ),
    (
        "10",
        "weight times derivative as a path sum",
        r"$$w_e\frac{\partial\mathcal R}{\partial w_e}=\sum_{p\in\mathcal P,p\ni e}\frac1n\sum_i"
        r"A_{i,p}(w),$$ " + A_TERM,
        at_each_edge(weighted_by_paths),
    ),
    (
        "11in",
        "double counting of paths at a vertex, in-edges",
        r"$$\sum_{u\in\mathrm{IN}_v}w_{uv}\frac{\partial\mathcal R}{\partial w_{uv}}="
        r"\sum_{p\in\mathcal P,p\ni v}\frac1n\sum_iA_{i,p}(w),$$ " + A_TERM,
        at_each_vertex(counted_in),
    ),
    (
        "11out",
        "double counting of paths at a vertex, out-edges",
        r"$$\sum_{p\in\mathcal P,p\ni v}\frac1n\sum_iA_{i,p}(w)=\sum_{b\in\mathrm{OUT}_v}w_{vb}"
        r"\frac{\partial\mathcal R}{\partial w_{vb}},$$ " + A_TERM,
        at_each_vertex(counted_out),
    ),
)


def _claim(part: tuple[Any, ...]) -> Claim:
    number, title, statement, says = part
    return stated(
        f"lj22.eq8-11.{number}@A",
        both(f"Section 4.3, equation ({number.rstrip('inout')})"),
        title,
        "For a network differentiable in the domain considered, " + statement,
        says,
        GIVEN,
        depends=("lj22.lemma1", "lj22.eq2"),
        pool=PATHS,
        proofs=[risk_by_paths] if number == "9" else [],
        through=BY_SLOPES,
        reading="A",
        reading_text=DERIVATIVE_OF_TREE,
        why="" if number == "9" else WHY_ABSOLUTE,
    )


CLAIMS = (
    stated(
        "lj22.eq8-11.8",
        both("Section 4.3, equation (8)"),
        "chain rule for the risk",
        r"$$\frac{\partial\mathcal R}{\partial w_e}=\frac1n\sum_{i}\ell'(y_i\nu(x_i;w))\,y_i\,"
        r"\frac{\partial\nu}{\partial w_e}$$",
        at_each_edge(chain_rule),
        (*GIVEN, POLYNOMIAL_LOSS),
        depends=("lj22.ass3",),
        pool=Pool(largest=3, losses=(PRESCRIBED,), examples=(1, 2), adapt=with_its_loss),
        through=BY_VALUES,
        exact_only=True,
    ),
    *(_claim(part) for part in PARTS),
    stated(
        "lj22.gflow",
        both("end of Section 4.3"),
        "risk derivative and velocity in the sketch",
        r"We use the definition of gradient flow to obtain $\partial\mathcal R(w)/\partial w_e="
        r"dw_e(t)/dt$.",
        at_each_edge(lambda e: risk_slope(e) == Rate(w(e))),
        GIVEN,
        depends=("lj22.eq8-11.8",),
        pool=PATHS,
        why=r"the flow descends: $dw_e/dt=-\partial\mathcal R/\partial w_e$",
    ),
)
