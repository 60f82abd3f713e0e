"""Section 4.3: the proof sketch, equations (8) to (11), and the velocity as it is equated there."""

from typing import Any

from graphs.arithmetic import Array, as_fraction
from verify.claim import Claim, Kind
from verify.network_hypotheses import (
    BIAS_FREE,
    FEEDFORWARD,
    HOMOGENEOUS,
    INCIDENT_LEARNABLE,
    OWN_PARAMETERS,
)
from verify.papers.lj22.quotients import risk_slopes
from verify.papers.lj22.sources import both
from verify.point_hypotheses import DATA, DIFFERENTIABLE, DIFFERENTIABLE_LOSS, NONZERO_WEIGHTS
from verify.pool import Pool
from verify.vocabulary import Entries, Scene, constant_entries

PATHS = Pool(largest=6)
SMOOTH_POINT = (
    FEEDFORWARD,
    DIFFERENTIABLE,
    NONZERO_WEIGHTS,
    HOMOGENEOUS,
    BIAS_FREE,
    DIFFERENTIABLE_LOSS,
    OWN_PARAMETERS,
    DATA,
)


def chain_rule(scene: Scene) -> Entries:
    """(8): dR/dw_e, from exact values of the risk, minus sum_j kappa_j dnu(x_j)/dw_e."""
    by_example = scene.total(scene.gradients * scene.kappa[scene.union.edge_owner])
    rows = []
    for number, case in enumerate(scene.cases):
        network, offset = case.network, scene.union.edge_offset[number]
        slopes = risk_slopes(case)
        if not slopes:  # no step stays in the activation region: the case is at a kink
            continue
        for slope, edges in zip(slopes, network.edges_of_parameter, strict=True):
            edge = edges[0]
            ends = [network.names[network.tails[edge]], network.names[network.heads[edge]]]
            difference = slope - as_fraction(by_example[edge + offset])
            rows.append((number, {"edge": ends}, difference))
    return constant_entries(scene, rows)


def _tree_terms(scene: Scene) -> Array:
    """(Pi, n): kappa_j [mu']_p x_p."""
    derivatives = scene.tree_derivatives(scene.signed_tree)
    return scene.kappa[scene.paths.owner] * derivatives * scene.path_input


def path_sum(scene: Scene) -> Entries:
    """(9): dR/dw_e minus its sum over the paths through e."""
    sums = scene.through_edges_without(_tree_terms(scene), scene.weights)
    return scene.per_edge(scene.risk_gradient, scene.total(sums))


def path_terms(scene: Scene) -> Array:
    """(Pi,): (1/n) sum_i A_{i,p}."""
    products = scene.along(scene.absolute_weights)[:, None]
    return scene.total(_tree_terms(scene) * products)


def weighted_path_sum(scene: Scene) -> Entries:
    """(10): w_e dR/dw_e minus the sum of A over the paths through e."""
    sums = scene.through_edges(path_terms(scene))
    return scene.per_edge(scene.weights * scene.risk_gradient, sums)


def counted_in(scene: Scene) -> Entries:
    """(11), left: sum over the in-edges of v of w dR/dw minus the sum of A over paths through v."""
    sums = scene.through_vertices(path_terms(scene))
    return scene.per_vertex(scene.into(scene.weights * scene.risk_gradient), sums)


def counted_out(scene: Scene) -> Entries:
    """(11), right: the same for the out-edges of v."""
    sums = scene.through_vertices(path_terms(scene))
    return scene.per_vertex(scene.out_of(scene.weights * scene.risk_gradient), sums)


def velocity_as_printed(scene: Scene) -> Entries:
    """dR/dw_e - dw_e/dt."""
    return scene.per_edge(scene.risk_gradient, scene.velocity)


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
        path_sum,
        (),
    ),
    (
        "10",
        "weight times derivative as a path sum",
        r"$$w_e\frac{\partial\mathcal R}{\partial w_e}=\sum_{p\in\mathcal P,p\ni e}\frac1n\sum_i"
        r"A_{i,p}(w),$$ " + A_TERM,
        weighted_path_sum,
        (),
    ),
    (
        "11in",
        "double counting of paths at a vertex, in-edges",
        r"$$\sum_{u\in\mathrm{IN}_v}w_{uv}\frac{\partial\mathcal R}{\partial w_{uv}}="
        r"\sum_{p\in\mathcal P,p\ni v}\frac1n\sum_iA_{i,p}(w),$$ " + A_TERM,
        counted_in,
        (INCIDENT_LEARNABLE,),
    ),
    (
        "11out",
        "double counting of paths at a vertex, out-edges",
        r"$$\sum_{p\in\mathcal P,p\ni v}\frac1n\sum_iA_{i,p}(w)=\sum_{b\in\mathrm{OUT}_v}w_{vb}"
        r"\frac{\partial\mathcal R}{\partial w_{vb}},$$ " + A_TERM,
        counted_out,
        (INCIDENT_LEARNABLE,),
    ),
)


def _claim(part: tuple[Any, ...]) -> Claim:
    number, title, statement, measure, more = part
    return Claim(
        f"lj22.eq8-11.{number}@A",
        Kind.IDENTITY,
        both(f"Section 4.3, equation ({number.rstrip('inout')})"),
        title,
        "For a network differentiable in the domain considered, " + statement,
        (*more, *SMOOTH_POINT),
        ("lj22.lemma1", "lj22.eq2"),
        measure=measure,
        pool=PATHS,
        signed=True,
        reading="A",
        reading_text=DERIVATIVE_OF_TREE,
        why="" if number == "9" else WHY_ABSOLUTE,
    )


CLAIMS = (
    Claim(
        "lj22.eq8-11.8",
        Kind.IDENTITY,
        both("Section 4.3, equation (8)"),
        "chain rule for the risk",
        r"$$\frac{\partial\mathcal R}{\partial w_e}=\frac1n\sum_{i}\ell'(y_i\nu(x_i;w))\,y_i\,"
        r"\frac{\partial\nu}{\partial w_e}$$",
        SMOOTH_POINT,
        ("lj22.ass3",),
        measure=chain_rule,
        pool=Pool(largest=3, losses=("prescribed",), examples=(1, 2)),
        exact_only=True,
    ),
    *(_claim(part) for part in PARTS),
    Claim(
        "lj22.gflow",
        Kind.IDENTITY,
        both("end of Section 4.3"),
        "risk derivative and velocity in the sketch",
        r"We use the definition of gradient flow to obtain $\partial\mathcal R(w)/\partial w_e="
        r"dw_e(t)/dt$.",
        SMOOTH_POINT,
        ("lj22.eq8-11.8",),
        measure=velocity_as_printed,
        pool=PATHS,
        why=r"the flow descends: $dw_e/dt=-\partial\mathcal R/\partial w_e$",
    ),
)
