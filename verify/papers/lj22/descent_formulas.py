"""The two sides of (72) to (85) of the earlier version, on any scene.

In (78) to (85) two subscripts uv, vu name the same edge where only one of them is an edge. The
sums over tau run over the steps that a case chose, tau = 0, ..., t.
"""

from dataclasses import replace

import numpy as np

from graphs.arithmetic import Array, as_fraction
from graphs.evaluation import Evaluation
from verify.case import PRESCRIBED
from verify.descent import slope_rows
from verify.papers.lj22.quotients import risk_slopes
from verify.vocabulary import Entries, Row, Scene, constant_entries


def twice(values: Array) -> Array:
    """2 x."""
    return values + values


# one step, and all of them ------------------------------------------------------------------------
def scheme(scene: Scene) -> Entries:
    """(72): w(tau+1) - w(tau) + eta(tau) dR/dw at every step, with the derivatives of the risk
    taken from exact values of the risk alone."""
    rows: list[Row] = []
    descent = scene.descent
    for step, point in enumerate(descent.points):
        moved = descent.weights[step + 1] - descent.weights[step]
        for number, here in enumerate(point.cases):
            table = slope_rows(scene.cases[number])
            if not descent.active(step)[number] or step >= len(table):
                continue
            at = replace(here, loss=PRESCRIBED, slopes=tuple(table[step]))
            rate = as_fraction(descent.rates[step][number])
            slopes = risk_slopes(at)  # none where no difference quotient stays in the region
            edges_of = zip(slopes, at.network.edges_of_parameter, strict=False)
            for slope, (edge, *_) in edges_of:
                change = as_fraction(moved[edge + scene.union.edge_offset[number]])
                label = {"parameter": at.network.parameter_names[at.network.parameter_of[edge]]}
                rows.append((number, {**label, "step": step}, change + rate * slope))
    return constant_entries(scene, rows)


def _one_step(scene: Scene) -> tuple[Array, Array, Array, Array]:
    """w(0), w(1), eta(0) and d(w(0)), each (E,)."""
    descent = scene.descent
    rate = descent.rates[0][scene.union.edge_owner]
    return descent.weights[0], descent.weights[1], rate, descent.points[0].risk_gradient


def first_product(scene: Scene) -> Entries:
    """(73): w(t+1) w(t) - w(t)^2 + eta w d."""
    old, new, rate, d = _one_step(scene)
    return scene.per_edge(new * old - old * old, -(rate * old * d))


def second_product(scene: Scene) -> Entries:
    """(74): w(t+1)^2 + w(t)^2 - 2 w(t+1) w(t) - eta^2 d^2."""
    old, new, rate, d = _one_step(scene)
    return scene.per_edge(new * new + old * old - twice(new * old), rate * rate * d * d)


def one_step_square(scene: Scene) -> Entries:
    """(75): w(t+1)^2 - w(t)^2 - eta^2 d^2 + 2 eta w d."""
    old, new, rate, d = _one_step(scene)
    left = new * new - old * old - rate * rate * d * d
    return scene.per_edge(left, -twice(rate * old * d))


def change_of_squares(scene: Scene) -> Array:
    """(E,): w(t+1)^2 - w(0)^2 - sum_tau eta(tau)^2 d(w(tau))^2."""
    descent = scene.descent
    slack = descent.total(
        lambda point: point.risk_gradient * point.risk_gradient, scene.union.edge_owner, power=2
    )
    return descent.end * descent.end - descent.start * descent.start - slack


def telescoped(scene: Scene) -> Entries:
    """(76)."""
    products = scene.descent.total(
        lambda point: point.weights * point.risk_gradient, scene.union.edge_owner
    )
    return scene.per_edge(change_of_squares(scene), -twice(products))


# path sums ----------------------------------------------------------------------------------------
def path_terms(scene: Scene) -> Array:
    """(Pi,): (1/n) sum_j d_{j,p} of (35), with mu' of Lemma 5."""
    products = scene.along(scene.absolute_weights)
    return scene.total(_derivatives(scene, scene.absolute_tree) * products[:, None])


def _derivatives(scene: Scene, tree: Evaluation) -> Array:
    """(Pi, n): kappa_j [alpha]_p x_p."""
    return scene.kappa[scene.paths.owner] * scene.tree_derivatives(tree) * scene.path_input


def weight_times_subgradient(scene: Scene) -> Entries:
    """(77): w_e d_e minus the path sum, at w(0)."""
    point = scene.descent.points[0]
    right = point.through_edges(path_terms(point))
    return scene.per_edge(point.weights * point.risk_gradient, right)


def paths_through_vertices(scene: Scene) -> Array:
    """(V,): -2 sum_tau eta(tau) sum over the paths through v of (1/n) sum_j d_{j,p}."""
    sums = scene.descent.total(
        lambda point: point.through_vertices(path_terms(point)), scene.union.vertex_owner
    )
    return -twice(sums)


def vertex_in(scene: Scene) -> Entries:
    """(78) - (79)."""
    left = scene.into(change_of_squares(scene))
    return scene.per_vertex(left, paths_through_vertices(scene))


def vertex_second(scene: Scene) -> Entries:
    """(79) - (80), over out-edges."""
    right = scene.out_of(change_of_squares(scene))
    return scene.per_vertex(paths_through_vertices(scene), right)


def vertex_both(scene: Scene) -> Entries:
    """(78) - (80), over out-edges."""
    change = change_of_squares(scene)
    return scene.per_vertex(scene.into(change), scene.out_of(change))


# pairs --------------------------------------------------------------------------------------------
def pair_owner(scene: Scene) -> np.ndarray:
    """(K,): the case of each pair."""
    return np.asarray(scene.union.vertex_owner[scene.pairs.vertices[:, 0]])


def _paired(scene: Scene, incoming: bool, first: Array, second: Array) -> Array:
    return scene.paired_in(first, second) if incoming else scene.paired_out(first, second)


def change_of_products(scene: Scene, incoming: bool) -> Array:
    """(K,): the change of sum_a w_au w_av (or of sum_b w_ub w_vb) without its slack terms."""
    descent = scene.descent

    def slack(point: Scene) -> Array:
        return _paired(point, incoming, point.risk_gradient, point.risk_gradient)

    after = _paired(scene, incoming, descent.end, descent.end)
    before = _paired(scene, incoming, descent.start, descent.start)
    return after - before - descent.total(slack, pair_owner(scene), power=2)


def cross_terms(scene: Scene, incoming: bool) -> Array:
    """(K,): sum_tau eta(tau) sum_a (w_av d_au + w_au d_av), or the same over b."""

    def terms(point: Scene) -> Array:
        w, d = point.weights, point.risk_gradient
        return _paired(point, incoming, d, w) + _paired(point, incoming, w, d)

    return scene.descent.total(terms, pair_owner(scene))


def jagged_terms(scene: Scene, incoming: bool, absolute: bool) -> Array:
    """(K,): sum_tau eta(tau) sum over the jagged paths of (1/n) sum_j d_{j,p}.

    incoming: the subgradient coordinate is that of the path through the vertex at which p_2
    starts: its in-weight is exchanged for that of the other vertex; else that of the path through
    the vertex at which p_1 ends: its out-weight is exchanged. absolute: absolute values of the
    weights, and mu' of Lemma 5; else the weights themselves, and mu of Lemma 1.
    """

    def terms(point: Scene) -> Array:
        size = point.absolute_weights if absolute else point.weights
        derivatives = _derivatives(point, point.absolute_tree if absolute else point.signed_tree)
        without = point.total(point.through_edges_without(derivatives, size))
        return _paired(point, incoming, without, size) + _paired(point, incoming, size, without)

    return scene.descent.total(terms, pair_owner(scene))


def pair_in_as_printed(scene: Scene) -> Entries:
    """(81) - (82)."""
    right = -twice(cross_terms(scene, incoming=True))
    return scene.per_pair(change_of_products(scene, incoming=True), right)


def pair_in_repaired(scene: Scene) -> Entries:
    """(81) - (82) with the factor -1."""
    right = -cross_terms(scene, incoming=True)
    return scene.per_pair(change_of_products(scene, incoming=True), right)


def pair_jagged_in(scene: Scene, absolute: bool = True) -> Entries:
    """(82) - (83)."""
    left = -twice(cross_terms(scene, incoming=True))
    return scene.per_pair(left, -twice(jagged_terms(scene, incoming=True, absolute=absolute)))


def pair_products_in(scene: Scene) -> Entries:
    """(82) - (83), with products of the weights themselves."""
    return pair_jagged_in(scene, absolute=False)


def pair_jagged_out(scene: Scene, absolute: bool = True) -> Entries:
    """(83) - (84)."""
    right = -twice(cross_terms(scene, incoming=False))
    jagged = jagged_terms(scene, incoming=False, absolute=absolute)
    return scene.per_pair(-twice(jagged), right)


def pair_products_out(scene: Scene) -> Entries:
    """(83) - (84), with products of the weights themselves."""
    return pair_jagged_out(scene, absolute=False)


def pair_in_and_out(scene: Scene) -> Entries:
    """(82) - (84)."""
    left = -twice(cross_terms(scene, incoming=True))
    return scene.per_pair(left, -twice(cross_terms(scene, incoming=False)))


def pair_last(scene: Scene) -> Entries:
    """(84) - (85), over out-edges."""
    left = -twice(cross_terms(scene, incoming=False))
    return scene.per_pair(left, change_of_products(scene, incoming=False))


def pair_last_repaired(scene: Scene) -> Entries:
    """(84) - (85) over out-edges, with the factor -1."""
    left = -cross_terms(scene, incoming=False)
    return scene.per_pair(left, change_of_products(scene, incoming=False))


def pair_both_ends(scene: Scene) -> Entries:
    """(81) - (85), over out-edges."""
    right = change_of_products(scene, incoming=False)
    return scene.per_pair(change_of_products(scene, incoming=True), right)
