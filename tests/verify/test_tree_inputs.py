"""The trees as functions of their inputs: values, derivatives, and patterns, by definition."""

from fractions import Fraction

from hypothesis import given, settings

from graphs.arithmetic import as_fraction
from tests.verify.drawn_cases import drawn_cases, exact_scene, kinked, nu
from verify.tree_inputs import TreeInputs


@settings(max_examples=40)
@given(drawn_cases(zero=False))
def test_values_are_those_of_the_network_and_derivatives_difference_quotients(case):
    for absolute in (False, True):
        tree = TreeInputs(case, absolute)
        for j, row in enumerate(tree.inputs):
            assert tree.evaluate(row)[0] == nu(case, j)
            if not kinked(case):
                (gradient,) = tree.corners[j]
                assert list(gradient) == [quotient(tree, row, p) for p in range(len(row))]


def quotient(tree, row, p):
    """The difference quotient of the tree in input p, in a step that keeps its region."""
    here, pre = tree.evaluate(row)
    bent = [v for v, a in enumerate(tree.built.tree.activations) if len(set(a.slopes)) == 2]
    step = Fraction(1)
    while True:
        there, moved = tree.evaluate([x + step * (k == p) for k, x in enumerate(row)])
        if all(as_fraction(pre[v]) * as_fraction(moved[v]) > 0 for v in bent):
            return (there - here) / step
        step /= 4


@settings(max_examples=40)
@given(drawn_cases(zero=False))
def test_patterns_are_those_of_the_network(case):
    scene = exact_scene(case)
    number = case.network.index
    for absolute in (False, True):
        tree = TreeInputs(case, absolute)
        for names, patterns in zip(tree.names, tree.patterns, strict=True):
            for j, pattern in enumerate(patterns):
                expected = []
                for name in names[1:]:
                    relu = case.network.activations[number[name]].kind == "relu"
                    expected.append(int(not (relu and scene.pre[number[name], j] < 0)))
                assert list(pattern) == expected
