"""The vocabulary against definitions written out: every word, on random rational networks."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphs.activations import RELU
from graphs.arithmetic import as_fraction
from graphs.errors import NotRationalError, TooManyPathsError
from graphs.families import fully_connected
from graphs.rationals import RATIONALS
from graphs.subgradients import clarke_element
from tests.verify.drawn_cases import (
    case_of,
    derivative_by_values,
    drawn_cases,
    edge_weights,
    exact_scene,
    fractions,
    kappas,
    kinked,
    naive_paths,
    net_of,
    nu,
    posts,
    pres,
)
from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.scenes import scene_of
from verify.cases.transformations import make_dormant

FEW = settings(max_examples=30)
ANYTHING = {"sharing": True, "fixed": True, "constants": True}


def paths_in_order(scene):
    """Input vertex and edges of each path, in the order of the scene's path table."""
    rows = [tuple(int(e) for e in row if e >= 0) for row in scene.paths.edges]
    return list(zip(map(int, scene.paths.first_input), rows, strict=True))


def through(net, start, path):
    return [start, *(net.heads[e] for e in path)]


# values -------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(**ANYTHING))
def test_values_are_those_of_the_forward_pass(case):
    scene = exact_scene(case)
    assert fractions(scene.pre.T) == pres(case)
    assert fractions(scene.post.T) == posts(case)
    assert fractions(scene.value[0]) == [nu(case, j) for j in range(case.example_count)]


# rates --------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(n=3))
def test_risk_coefficients_are_slope_times_label_over_n(case):
    assert fractions(exact_scene(case).kappa[0]) == kappas(case)


def test_the_slopes_of_the_squared_loss():
    # nu(x) = 2x, x = 1/2, y = -1: the margin is -1, l(z) = (1 - z)^2, l'(-1) = -4, kappa = 4
    net = net_of("x>o")
    case = Case(net, (Fraction(2),), ((Fraction(1, 2),),), (Fraction(-1),), "squared")
    assert fractions(exact_scene(case).kappa) == [[4]]
    with pytest.raises(NotRationalError, match="logistic is not rational"):
        _ = exact_scene(Case(net, case.weights, case.inputs, case.labels, "logistic")).kappa


@FEW
@given(drawn_cases(**ANYTHING))
def test_gradients_are_difference_quotients(case):
    """As if every edge had a weight of its own: nu is then linear in it on a region."""
    assume(not kinked(case))
    scene = exact_scene(case)
    own = _with_own_parameters(case)
    for e in range(case.network.edge_count):
        for j in range(case.example_count):
            expected = derivative_by_values(own, e, lambda c, j=j: nu(c, j), 1)
            assert as_fraction(scene.gradients[e, j]) == expected


@FEW
@given(drawn_cases(**ANYTHING))
def test_the_risk_gradient_is_the_derivative_of_the_risk(case):
    """In a shared parameter the risk is a polynomial whose degree is at most the longest path's."""
    assume(not kinked(case))
    scene = exact_scene(case)
    net = case.network
    degree = max(net.depths)
    by_parameter = [
        derivative_by_values(
            case,
            p,
            lambda c: sum(k * nu(c, j) for j, k in enumerate(kappas(case))),
            degree,
        )
        for p in range(net.parameter_count)
    ]
    for e in range(net.edge_count):
        p = net.parameter_of[e]
        expected = by_parameter[p] if p >= 0 else 0
        assert as_fraction(scene.risk_gradient[e]) == expected
        assert as_fraction(scene.velocity[e]) == -expected


def test_the_risk_gradient_of_a_shared_weight_by_hand():
    # nu = w^2 x at w = 3, x = 1/2, kappa = 1: the derivative is 2 w x = 3, on both edges
    net = net_of("x>h h>o", parameters={("x", "h"): "w", ("h", "o"): "w"})
    scene = exact_scene(case_of(net, {"w": 3}, [(["1/2"], 1, 1)]))
    assert fractions(scene.risk_gradient) == [3, 3]
    assert fractions(scene.gradients) == [[Fraction(3, 2)]] * 2


def _with_own_parameters(case: Case) -> Case:
    """The same function of the edges, edge e with parameter e of its own."""
    net = case.network
    own = replace(
        net,
        parameter_of=tuple(range(net.edge_count)),
        fixed=(None,) * net.edge_count,
        parameter_names=tuple(f"w{e}" for e in range(net.edge_count)),
    )
    return replace(case, network=own, weights=tuple(edge_weights(case)))


# dormant vertices -----------------------------------------------------------------------------
SLEEPY = Pool(activations=("linear", "relu"), kinks=False, largest=4)


def sleepers():
    """Drawn cases with a dormant vertex that the direction switches off on every example."""
    for seed in range(400):
        random = Random(seed)
        case = make_dormant(SLEEPY.draw(random, n=2, loss="prescribed", large=False), random)
        scene = exact_scene(case)
        if "dormant" not in case.choice or scene.evaluation.kinks.any():
            continue
        if all(
            sum(step * as_fraction(scene.post[a, j]) for a, step in entering) < 0
            for entering in directions(case)
            for j in range(case.example_count)
        ):
            yield case, scene


def directions(case):
    """For each dormant vertex its in-neighbours, with the direction of the weights from there."""
    net = case.network
    for name in case.choice.get("dormant", ()):
        yield [
            (
                net.tails[e],
                Fraction(case.choice["direction"][net.parameter_names[net.parameter_of[e]]]),
            )
            for e in net.in_edges[net.index[name]]
        ]


def test_the_dormant_selection_is_the_limit_of_gradients():
    """Along the direction graphs.subgradients, which knows of no selection, finds the same."""
    number = 0
    for case, scene in sleepers():
        net = case.network
        direction = [Fraction(case.choice["direction"].get(p, 0)) for p in net.parameter_names]
        limit = clarke_element(net, case.weights, case.inputs, kappas(case), direction)
        found = fractions(scene.risk_gradient)
        assert [found[e] for e in range(net.edge_count) if net.learnable(e)] == [
            limit[p] for p in net.parameter_of if p >= 0
        ]
        asleep = {net.index[name] for name in case.choice["dormant"]}
        assert all(found[e] == 0 for e in range(net.edge_count) if net.heads[e] in asleep)
        number += 1
    assert number > 20


def test_a_dormant_vertex_by_hand():
    # nu = 3 relu(0 x): z = 0; awake by the slope right of 0 the derivative in w[x->h] is 3 x
    net = net_of("x>h h>o", {"h": RELU})
    case = case_of(net, {"x>h": 0, "h>o": 3}, [(["1/2"], 1, 1)])
    awake, asleep = exact_scene(case), exact_scene(case.choosing(dormant=["h"]))
    assert fractions(awake.risk_gradient) == [Fraction(3, 2), 0]
    assert fractions(asleep.risk_gradient) == [0, 0]
    assert awake.evaluation.kinks.any()
    assert not asleep.evaluation.kinks.any()


def test_only_kinks_are_selected():
    """A vertex named dormant whose pre-activation is not 0 keeps its slope."""
    net = net_of("x>h h>o", {"h": RELU})
    case = case_of(net, {"x>h": 1, "h>o": 3}, [(["1/2"], 1, 1)], dormant=["h"])
    assert fractions(exact_scene(case).risk_gradient) == [Fraction(3, 2), Fraction(1, 2)]


def test_dormant_vertices_of_a_batch_are_their_own():
    net = net_of("x>h h>o", {"h": RELU})
    first = case_of(net, {"x>h": 0, "h>o": 3}, [([1], 1, 1)])
    scene = exact_scene(first, first.choosing(dormant=["h"]), first)
    assert fractions(scene.risk_gradient) == [3, 0, 0, 0, 3, 0]


# paths --------------------------------------------------------------------------------------
@FEW
@given(drawn_cases(**ANYTHING))
def test_paths_are_all_that_there_are(case):
    assert sorted(paths_in_order(exact_scene(case))) == sorted(naive_paths(case.network))


def test_too_many_paths_are_refused():
    case = Pool().fill(
        fully_connected([3, 10, 10, 10, 1]), Random(1), n=1, loss="prescribed", family="wide"
    )
    with pytest.raises(TooManyPathsError, match="3000 paths"):
        _ = exact_scene(case).paths


# batches --------------------------------------------------------------------------------------
def test_fixed_edges_have_no_velocity():
    net = net_of("x>h h>o", fixed={("x", "h"): 2})
    scene = exact_scene(case_of(net, {"h>o": 3}, [([1], 1, 1)]))
    assert fractions(scene.risk_gradient) == [0, 2]


@FEW
@given(st.lists(drawn_cases(n=2, **ANYTHING), min_size=1, max_size=3))
def test_a_batch_has_the_values_of_its_members(cases):
    together = scene_of(cases, RATIONALS)
    alone = [exact_scene(case) for case in cases]
    assert fractions(together.risk_gradient) == [
        value for scene in alone for value in fractions(scene.risk_gradient)
    ]
    assert fractions(together.value) == [fractions(scene.value)[0] for scene in alone]
