"""Claims made up for tests: each is false only at one kind of corner, or only on one small network,
and beside each stands one that is true."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from graphs.activations import RELU
from graphs.matrices import rank
from tests.verify.as_hypothesis import as_hypothesis
from tests.verify.measured import compare, constant, frobenius_squared
from verify.cases.pool import Pool
from verify.cases.scenes import constant_entries
from verify.cases.tensor_pool import TensorPool
from verify.core.claim import Claim, Kind, Source
from verify.statements import network_hypotheses as given

SOURCE = Source("planted", "-", "-")
NETWORKS = Pool(losses=("prescribed",), largest=4, kinks=True)
FEEDFORWARD = as_hypothesis(given.FEEDFORWARD, NETWORKS)
MATRICES = TensorPool((("A", ("m", "n")), ("B", ("m", "n"))))


def of_cases(name, fails, pool=NETWORKS, hypotheses=(FEEDFORWARD,)):
    """A claim that fails on the cases of which a predicate holds."""

    def measure(scene):
        rows = [(k, {}, Fraction(bool(fails(case)))) for k, case in enumerate(scene.cases)]
        return constant_entries(scene, rows)

    return Claim(
        f"planted.{name}",
        Kind.IDENTITY,
        SOURCE,
        name,
        name,
        hypotheses,
        measure=measure,
        pool=pool,
        exact_only=True,
    )


def strict(name, sides, kind=Kind.INEQUALITY):
    """A claim about matrices in any arithmetic: from a scene its two sides."""

    def measure(scene):
        return compare(scene, *sides(scene))

    return Claim(
        f"planted.{name}",
        kind,
        SOURCE,
        name,
        name,
        measure=measure,
        pool=MATRICES,
        exact_only=False,
    )


def distance(scene):
    """|A - B|_F^2, and a small number: it is larger unless A and B are all but equal."""
    difference = scene["A"] - scene["B"]
    return frobenius_squared(scene, difference), constant(scene, Fraction(1, 2**10))


def distance_from_above(scene):
    """|A - B|_F^2, and 0."""
    return distance(scene)[0], constant(scene, 0)


def true_beside(claim):
    """The same claim of the cases on which it does not fail."""

    def measure(scene):
        found = claim.measure(scene)
        return replace(found, values=found.values * scene.arithmetic.array([0])[0])

    return replace(claim, id=f"{claim.id}.true", measure=measure)


def products(case):
    """The weights, pairwise equal ones among them, that are not 0."""
    return [w for w in case.weights if w]


def entries(case, name):
    """The entries of an array as rows."""
    array = case.arrays[name]
    return np.array(array.entries, dtype=object).reshape(array.shape)


def at_a_kink(case):
    """Whether a ReLU neuron has pre-activation 0 on an example other than 0."""
    from graphs.exact import preactivations

    net = case.network
    return any(
        z == 0 and net.activations[v].kind == "relu" and any(x) and all(case.weights)
        for x in case.inputs
        for v, z in enumerate(preactivations(net, case.weights, x))
    )


AT_CORNERS = {
    "two weights tie": lambda case: len(set(products(case))) < len(products(case)),
    "one weight is 0": lambda case: case.weights.count(0) == 1 < len(case.weights),
    "all weights are 0": lambda case: not any(case.weights),
    "width 1": lambda case: case.network.edge_count == 1,
    "an example comes twice": lambda case: len(set(case.inputs)) < case.example_count,
    "an example is 0": lambda case: not all(map(any, case.inputs)),
    "opposite examples": lambda case: (
        case.example_count == 2 and case.inputs[0] == tuple(-x for x in case.inputs[1])
    ),
    "at a kink": at_a_kink,
    "a huge weight": lambda case: max(map(abs, case.weights)) > 10**9,
    "a tiny slope": lambda case: 0 < min(map(abs, case.slopes)) < Fraction(1, 10**9),
    "label -1 alone": lambda case: set(case.labels) == {-1},
    "a dormant neuron": lambda case: bool(case.choice.get("dormant")),
}

AT_CORNERS_OF_MATRICES = {
    "rank one": lambda case: rank(entries(case, "A")) == 1 < min(case.arrays["A"].shape),
    "equal entries": lambda case: len(set(case.arrays["A"].entries)) == 1,
    "A is 0, B is not": lambda case: (
        not any(case.arrays["A"].entries) and any(case.arrays["B"].entries)
    ),
    "a single number": lambda case: case.arrays["A"].shape == (1, 1),
    "huge beside tiny": lambda case: (
        max(map(abs, case.arrays["B"].entries)) > 10**12
        and 0 < max(map(abs, case.arrays["A"].entries)) < Fraction(1, 10**6)
    ),
    "orthogonal columns, none 0": lambda case: (
        case.arrays["A"].shape == (2, 2)
        and all(case.arrays["A"].entries)
        and (entries(case, "A").T @ entries(case, "A"))[0, 1] == 0
    ),
    "B = -A": lambda case: (
        any(case.arrays["A"].entries)
        and case.arrays["A"].entries == tuple(-v for v in case.arrays["B"].entries)
    ),
}


def on_one_network(case):
    """x -> h -> o with a skip, h ReLU, weights (-1, 1, 1) in the order of the edges, x = 1."""
    net = case.network
    edges = [net.edge_name(e) for e in range(net.edge_count)]
    return (
        edges == ["x1->h1", "x1->o", "h1->o"]
        and net.activations[1] == RELU
        and case.weights == (-1, 1, 1)
        and case.inputs == ((1,),)
    )


def on_one_pair_of_matrices(case):
    """A = (1 -1), B = (-1 0)."""
    return (
        case.arrays["A"].shape == (1, 2)
        and case.arrays["A"].entries == (1, -1)
        and case.arrays["B"].entries == (-1, 0)
    )
