"""Cases for the tests of verify: written by hand, or drawn; and the plain ways to compute things.

Nothing here uses the evaluation, the path table or the vocabulary: `forward` of the tests of
graphs, loops, and difference quotients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from graphs.activations import LINEAR
from graphs.arithmetic import as_fraction
from graphs.network import FIXED, Network, network
from graphs.rationals import RATIONALS
from graphs.strategies import inputs_for, networks, rationals, weights_for
from tests.graphs.drawn_points import forward
from verify.cases.case import Case
from verify.cases.scenes import Scene, scene_of
from verify.core.claim import Claim
from verify.search.judging import view

Numbers = Sequence[Fraction]
Example = tuple[Sequence[Any], Any, Any]  # x, label, slope
LABELS = st.sampled_from((Fraction(1), Fraction(-1)))


# by hand -------------------------------------------------------------------------------------
def net_of(edges: str, activations: Mapping[str, Any] | None = None, **options: Any) -> Network:
    """A network from words such as "x>h"; vertices named x... are inputs, o is the output.

    activations: of vertices that are not linear.
    """
    pairs = [tuple(word.split(">")) for word in edges.split()]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    held = options.get("constants", {})
    inner = [name for name in names if name[0] not in "xo" and name not in held]
    return network(
        pairs,
        inputs=[name for name in names if name[0] == "x" or name in held],
        outputs=["o"],
        activations={**dict.fromkeys(inner, LINEAR), **(activations or {})},
        **options,
    )


def case_of(
    net: Network, weights: Mapping[str, Any], examples: Sequence[Example], **choice: Any
) -> Case:
    """A case from weights by edge ("x>h") or parameter name, and (x, label, slope) for each
    example."""
    named = {}
    for e in range(net.edge_count):
        word = f"{net.names[net.tails[e]]}>{net.names[net.heads[e]]}"
        if word in weights and net.parameter_of[e] != FIXED:
            named[net.parameter_names[net.parameter_of[e]]] = weights[word]
    named |= {name: weights[name] for name in net.parameter_names if name in weights}
    return Case(
        net,
        tuple(Fraction(named[name]) for name in net.parameter_names),
        tuple(tuple(map(Fraction, x)) for x, _, _ in examples),
        tuple(Fraction(y) for _, y, _ in examples),
        slopes=tuple(Fraction(slope) for _, _, slope in examples),
        choice=choice,
    )


def seen(claim: Claim, case: Case) -> list[tuple[dict[str, Any], Fraction, bool]]:
    """For each entry of a claim its label, its exact value, and whether it is admitted."""
    looked = view(claim, [case], RATIONALS)
    return [
        (looked.entries.label(k), as_fraction(looked.entries.values[k]), bool(looked.admitted[k]))
        for k in range(len(looked.entries))
    ]


def place_of(case: Case, **label: Any) -> dict[str, Any]:
    """The label that a statement of the language has for an entry: its step of a descent, its edge
    or edges, vertex, pair of vertices or path, then its example, counted from 1."""
    at: list[Any] = [label["step"]] if "step" in label else []
    edges = [label["edge"]] if "edge" in label else label.get("edges", [])
    at += [case.network.edge_between(*edge) for edge in edges]
    at += [label["vertex"]] if "vertex" in label else label.get("pair", [])
    if "path" in label:
        at.append([case.network.edge_between(*ends) for ends in pairwise(label["path"])])
    at += [label["example"] + 1] if "example" in label else []
    return {"at": at}


def value_of(claim: Claim, case: Case, **label: Any) -> Fraction:
    """The value of the entry with this label, which must be admitted."""
    if claim.terms is not None and "at" not in label:
        label = place_of(case, **label)
    [(value, admitted)] = [(v, a) for found, v, a in seen(claim, case) if found == label]
    assert admitted, f"{claim.id} does not admit {label}"
    return value


def values_of(claim: Claim, case: Case) -> list[Fraction]:
    """The values of all admitted entries."""
    return [value for _, value, admitted in seen(claim, case) if admitted]


def exact_scene(*cases: Case) -> Scene:
    """The scene of the cases over the rationals."""
    return scene_of(cases, RATIONALS)


def fractions(values: Any) -> Any:
    """Nested lists of Fractions from an exact array."""
    if getattr(values, "ndim", 0):
        return [fractions(value) for value in values]
    return as_fraction(values)


# drawn ---------------------------------------------------------------------------------------
@st.composite
def drawn_cases(
    draw: st.DrawFn, n: int | None = None, *, zero: bool = True, **options: Any
) -> Case:
    """Cases on small networks of any kind; options: as for graphs.strategies.networks."""
    net = draw(networks(**{"max_inputs": 2, "max_hidden": 3, **options}))
    count = draw(st.integers(1, 3)) if n is None else n
    return Case(
        net,
        draw(weights_for(net, zero=zero)),
        tuple(draw(inputs_for(net)) for _ in range(count)),
        tuple(draw(LABELS) for _ in range(count)),
        slopes=tuple(draw(rationals(zero=False)) for _ in range(count)),
    )


# plain computations ------------------------------------------------------------------------------
def naive_paths(net: Network) -> list[tuple[int, tuple[int, ...]]]:
    """Input vertex and edge numbers of every path from an input to the output, by recursion."""

    def onward(vertex: int) -> Iterator[tuple[int, ...]]:
        if vertex == net.outputs[0]:
            yield ()
        for e in range(net.edge_count):
            if net.tails[e] == vertex:
                for rest in onward(net.heads[e]):
                    yield (e, *rest)

    return [(vertex, path) for vertex in net.inputs for path in onward(vertex)]


def product(numbers: Sequence[Any]) -> Any:
    """The product of numbers, 1 of none."""
    result: Any = Fraction(1)
    for number in numbers:
        result = result * number
    return result


def edge_weights(case: Case) -> list[Fraction]:
    """The weight of each edge."""
    net = case.network
    pairs = zip(net.parameter_of, net.fixed, strict=True)
    return [case.weights[p] if p != FIXED else Fraction(value or 0) for p, value in pairs]


def posts(case: Case) -> list[list[Fraction]]:
    """For each example the post-activations of all vertices."""
    return [forward(case.network, case.weights, x)[1] for x in case.inputs]


def pres(case: Case) -> list[list[Fraction]]:
    """For each example the pre-activations of all vertices."""
    return [forward(case.network, case.weights, x)[0] for x in case.inputs]


def bends(net: Network) -> list[bool]:
    """For each vertex whether its activation has two slopes."""
    return [len(set(a.slopes)) == 2 for a in net.activations]


def kinked(case: Case) -> bool:
    """Whether some pre-activation is 0 where the activation has two slopes."""
    bent = bends(case.network)
    return any(z == 0 and b for row in pres(case) for z, b in zip(row, bent, strict=True))


def pattern(case: Case) -> list[list[int]]:
    """The signs of the pre-activations where they matter."""
    bent = bends(case.network)
    return [
        [((z > 0) - (z < 0)) if b else 0 for z, b in zip(row, bent, strict=True)]
        for row in pres(case)
    ]


def slope_at_first(values: Numbers, step: Fraction) -> Fraction:
    """The derivative at 0 of the polynomial with these values at 0, step, 2 step, ..."""
    degree = len(values) - 1
    total = Fraction(0)
    for k in range(1, degree + 1):
        # the derivative at 0 of Lagrange's polynomial for k on the nodes 0, ..., degree
        others = [m for m in range(1, degree + 1) if m != k]
        total += (values[k] - values[0]) * product([Fraction(-m, k - m) for m in others]) / k
    return total / step


def derivative_by_values(
    case: Case, parameter: int, value: Callable[[Case], Fraction], degree: int
) -> Fraction:
    """The derivative in one parameter of a number that is a polynomial of at most this degree in
    it on an activation region; from values alone, in steps small enough not to leave the region."""
    step = Fraction(1)
    here = pattern(case)
    while True:
        moved = []
        for k in range(degree + 1):
            weights = list(case.weights)
            weights[parameter] += k * step
            moved.append(case.with_weights(weights))
        if all(pattern(other) == here for other in moved):
            return slope_at_first([value(other) for other in moved], step)
        step /= 4
        assert step > Fraction(1, 4**60), "the case is at a kink"


def nu(case: Case, j: int) -> Fraction:
    """The output on example j."""
    return posts(case)[j][case.network.outputs[0]]


def kappas(case: Case) -> list[Fraction]:
    """The risk coefficients l'(y_j nu(x_j)) y_j / n."""
    n = case.example_count
    return [s * y / n for s, y in zip(case.slopes, case.labels, strict=True)]
