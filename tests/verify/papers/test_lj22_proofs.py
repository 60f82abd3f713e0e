"""The arguments for whole claims: all their steps hold, and what they suppose is so."""

from hypothesis import assume, given, settings

from graphs.arithmetic import as_fraction
from tests.verify.drawn_cases import drawn_cases, exact_scene, fractions, kinked
from verify.papers.lj22.proofs import vertex_balance_by_induction


def test_the_induction_holds():
    argument = vertex_balance_by_induction()
    assert argument.holds
    assert len(argument.steps) == 4
    assert argument.trusted


@settings(max_examples=30)
@given(drawn_cases(zero=False))
def test_both_sides_are_s_z_d(case):
    """What the induction adds up to, on numbers: sum_in w dnu/dw = s z D = sum_out w dnu/dw."""
    assume(not kinked(case))
    scene = exact_scene(case)
    net, evaluation = case.network, scene.evaluation
    sensitivities = evaluation.sensitivities()
    weighted = fractions(scene.weights[:, None] * scene.gradients)
    for v in net.inner:
        for j in range(case.example_count):
            total = sum(
                as_fraction(scene.weights[e])
                * as_fraction(sensitivities[net.heads[e], j])
                * as_fraction(evaluation.slopes[net.heads[e], j])
                for e in net.out_edges[v]
            )
            slope, z = (as_fraction(x[v, j]) for x in (evaluation.slopes, evaluation.pre))
            into, out_of = (
                sum(weighted[e][j] for e in edges) for edges in (net.in_edges[v], net.out_edges[v])
            )
            assert into == slope * z * total == out_of
