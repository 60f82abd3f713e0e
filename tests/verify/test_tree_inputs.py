"""The trees as functions of their inputs, against the trees of a scene."""

from hypothesis import given, settings

from tests.verify.drawn_cases import drawn_cases, exact_scene, fractions, kinked, nu
from verify.tree_inputs import TreeInputs


@settings(max_examples=40)
@given(drawn_cases(zero=False))
def test_values_and_derivatives_are_those_of_the_scene(case):
    scene = exact_scene(case)
    for absolute, evaluated in ((False, scene.signed_tree), (True, scene.absolute_tree)):
        tree = TreeInputs(case, absolute)
        derivatives = fractions(scene.tree_derivatives(evaluated))
        for j, row in enumerate(tree.inputs):
            assert tree.evaluate(row)[0] == nu(case, j)
            here = tuple(column[j] for column in derivatives)
            assert here in tree.corners[j] or kinked(case)
            if not kinked(case):
                assert tree.corners[j] == (here,)


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
