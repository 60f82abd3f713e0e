"""Proposition I.1: on how many weights of a layer a neuron depends.

D(v), for a layer l', is the sum of the in-degrees of those among v and its ancestors that lie in
layer l'. On a graph it is counted and held against the product of the largest in-degrees of the
layers l' to p(v). A family of networks indexed by the width m is given by exponents: the neurons
of layer p have in-degree m^c_p exp(m^a_p), every neuron reads neurons of its own in the layer
before, and there are L m^g layers, the L layers over and over. Then D is the product of the
in-degrees, and is polynomial in m where no a_p and no g is above 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep import tensor_of
from verify.deep_scene import as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.dkbhl20.symbols import same
from verify.papers.j23.quantities import each_case
from verify.papers.zlb22.digraphs import (
    ACYCLIC,
    DIGRAPH,
    POOL,
    Labelled,
    Parents,
    distances,
    of_graph,
    steps_on_small_graphs,
)
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

ZERO = Fraction(0)
UNION = "a union has at most as many elements as its parts together"


# on a graph ---------------------------------------------------------------------------------------
def ancestors(parents: Parents, vertex: int) -> set[int]:
    """The vertex, and all from which a path leads to it."""
    found, waiting = {vertex}, [vertex]
    while waiting:
        new = set(parents[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


def weights_below(parents: Parents, vertex: int, layer: int) -> int:
    """D: the number of weights into that layer on which the vertex depends."""
    p = distances(parents)
    return sum(len(parents[u]) for u in ancestors(parents, vertex) if p[u] == layer)


def product_left(parents: Parents) -> Labelled:
    """The product of the largest in-degrees of the layers l' to p(v), minus D."""
    p = distances(parents)
    most = [
        max((len(parents[u]) for u in range(len(parents)) if p[u] == layer), default=0)
        for layer in range(max(p) + 1)
    ]
    return [
        (
            {"entry": v, "layer": layer},
            Fraction(prod(most[layer : p[v] + 1]) - weights_below(parents, v, layer)),
        )
        for v in range(len(parents))
        for layer in range(1, p[v] + 1)
    ]


def product_slack(scene: object) -> Entries:
    """For every neuron and every layer up to its own."""
    return of_graph(product_left, scene)


def own_left(parents: Parents) -> Labelled:
    """D in the layer of the neuron itself, minus its in-degree."""
    p = distances(parents)
    return [
        ({"entry": v}, Fraction(weights_below(parents, v, p[v]) - len(above)))
        for v, above in enumerate(parents)
        if above
    ]


def own_slack(scene: object) -> Entries:
    """For every neuron."""
    return of_graph(own_left, scene)


def earlier_parents(parents: Parents) -> Labelled:
    """For every edge by how much the layer of its head lies above that of its tail, minus 1."""
    p = distances(parents)
    return [({}, Fraction(p[v] - p[u] - 1)) for v, above in enumerate(parents) for u in above]


def own_by_layers() -> Argument:
    """Parents lie in earlier layers."""
    return Argument(
        "every parent lies in an earlier layer, so every ancestor but the neuron itself does",
        steps_on_small_graphs(earlier_parents, slack=True),
        ("the longest path to a parent goes on to the neuron",),
        "own_slack",
        (DIGRAPH.name, ACYCLIC.name),
    )


def covered_by_parents(parents: Parents) -> Labelled:
    """The sum of D over the parents of v minus D(v), for layers before its own."""
    p = distances(parents)
    return [
        (
            {},
            Fraction(
                sum(weights_below(parents, u, layer) for u in above)
                - weights_below(parents, v, layer)
            ),
        )
        for v, above in enumerate(parents)
        for layer in range(1, p[v])
    ]


def product_by_induction() -> Argument:
    """D(v) is at most the sum over the parents of v, whose number is at most the largest one."""
    ring = ring_of(3)
    degree, below, own = ring.generators
    return Argument(
        "in its own layer D(v) is in(v); in a layer before, the ancestors of v are those of its "
        "parents, so D(v) is at most in(v) times the largest D of a parent, which by induction is "
        "at most the product up to a layer before that of v; factors left out are at least 1",
        (
            same(
                ring,
                "in D + (M - in) D = M D",
                degree * below + (own - degree) * below,
                own * below,
            ),
            *steps_on_small_graphs(covered_by_parents, slack=True),
        ),
        (UNION, "every layer from 1 on has a neuron, with an in-degree of at least 1"),
        "product_slack",
        (DIGRAPH.name, ACYCLIC.name),
    )


# families -----------------------------------------------------------------------------------------
def powers_left(case: Tensors) -> Labelled:
    """For layers l' <= l the power of m in log D, with the sign changed; where that is 0, D is
    polynomial, and c L minus its degree, with c the largest power of m among the in-degrees."""
    powers, exponential = case.arrays["c"].entries, case.arrays["a"].entries
    growth = case.number("g")
    found: Labelled = []
    for first in range(len(exponential)):
        for last in range(first, len(exponential)):
            label = {"numbers": [first + 1, last + 1]}
            rate = max(growth, *exponential[first : last + 1], ZERO)
            found.append((label | {"part": "rate"}, -rate))
            if rate == 0:
                degree = sum(powers[first : last + 1], ZERO)
                found.append((label | {"part": "degree"}, len(powers) * max(powers) - degree))
    return found


def polynomial_slack(scene: object) -> Entries:
    """For all pairs of layers."""
    return each_case(powers_left, scene)


def _entries(case: Tensors, name: str, change: Callable[[int, Fraction], Fraction]) -> Tensors:
    array = case.arrays[name]
    made = tuple(change(layer, entry) for layer, entry in enumerate(array.entries, 1))
    return case.changing(**{name: replace(array, entries=made)})


def _layers(case: Tensors, reading: str) -> range:
    """Those of which the assumption speaks."""
    depth = len(case.arrays["a"].entries)
    return range(1, depth + 1) if reading == "A" else range(2, depth)


def _bounded(reading: str, case: Tensors) -> bool:
    within = _layers(case, reading)
    rates = enumerate(case.arrays["a"].entries, 1)
    return all(not rate for layer, rate in rates if layer in within)


def _bound(reading: str, case: Tensors, random: Random) -> Tensors:
    within = _layers(case, reading)
    return _entries(case, "a", lambda layer, entry: ZERO if layer in within else entry)


def _exponential(reading: str, case: Tensors, random: Random) -> Tensors:
    """In-degree exp(m^a) in one layer of which the assumption speaks, but the last one needed for
    the width."""
    within = [layer for layer in _layers(case, reading) if layer > 1]
    if not within:
        return case
    chosen = random.choice(within)
    return _entries(case, "a", lambda layer, entry: Fraction(1) if layer == chosen else entry)


def assumption(reading: str) -> Hypothesis:
    """Assumption 3.5 of a family."""
    where = "every neuron" if reading == "A" else r"the neurons of the layers $2,\dots,L-1$"
    return Hypothesis(
        f"Assumption 3.5, reading {reading}",
        rf"the in-degrees of {where} are at most polynomial in $m$: $a_p=0$",
        by_case(partial(_bounded, reading)),
        partial(_bound, reading),
        partial(_exponential, reading),
    )


def _of_width_m(case: Tensors) -> bool:
    """Whether the least in-degree after layer 1 is m."""
    pairs = zip(case.arrays["c"].entries, case.arrays["a"].entries, strict=True)
    degrees = [(a, c) for c, a in list(pairs)[1:]]
    return bool(degrees) and min(degrees) == (ZERO, Fraction(1))


def _to_width_m(case: Tensors, random: Random) -> Tensors:
    if _of_width_m(case):
        return case
    depth = len(case.arrays["a"].entries)
    if depth < 2:
        both = {name: tensor_of(("L",), [*case.arrays[name].entries, ZERO]) for name in "ca"}
        case, depth = case.changing(**both), 2
    case = _entries(case, "c", lambda layer, entry: max(entry, Fraction(1)))
    narrow = random.randint(2, depth)
    case = _entries(case, "c", lambda layer, entry: Fraction(1) if layer == narrow else entry)
    return _entries(case, "a", lambda layer, entry: ZERO if layer == narrow else abs(entry))


WIDTH = Hypothesis(
    "width m",
    "the least in-degree of the neurons from layer 2 on is $m$",
    by_case(_of_width_m),
    _to_width_m,
)


def _fixed_inputs(case: Tensors) -> bool:
    return case.arrays["c"].entries[0] == 0 and case.arrays["a"].entries[0] == 0


INPUTS = Hypothesis(
    "d_0 fixed",
    "the number of inputs does not grow: $c_1=a_1=0$",
    by_case(_fixed_inputs),
    lambda case, random: _entries(
        _entries(case, "c", lambda layer, entry: ZERO if layer == 1 else entry),
        "a",
        lambda layer, entry: ZERO if layer == 1 else entry,
    ),
    lambda case, random: _entries(
        case, "a", lambda layer, entry: Fraction(1) if layer == 1 else entry
    ),
)


def _number(case: Tensors, name: str, value: Fraction) -> Tensors:
    return case.changing(**{name: replace(case.arrays[name], entries=(value,))})


DEPTH = Hypothesis(
    "L fixed",
    "the number of layers does not grow: $g=0$",
    by_case(lambda case: case.number("g") == 0),
    lambda case, random: _number(case, "g", ZERO),
    lambda case, random: _number(case, "g", Fraction(random.randint(1, 4), 4)),
)
EXPONENTS = Hypothesis(
    "exponents at least 0",
    r"$c_p,a_p,g\ge0$",
    by_case(lambda case: min(e for array in case.arrays.values() for e in array.entries) >= 0),
    lambda case, random: case.changing(
        **{
            name: replace(array, entries=tuple(map(abs, array.entries)))
            for name, array in case.arrays.items()
        }
    ),
)
FAMILIES = TensorPool((("c", ("L",)), ("a", ("L",)), ("g", ())), largest=5, adapt=as_real)


def polynomial_by_products() -> Argument:
    """log D is at most the sum of the logarithms of the in-degrees."""
    ring = ring_of(3)
    one, other, log = ring.generators
    argument = product_by_induction()
    together = (one + other) * log
    return Argument(
        "D is at most the product of the largest in-degrees of at most L layers; where these are "
        "at most m^c the product is at most m^(cL)",
        (
            *argument.steps,
            Step("exponents add up", ring.is_zero(one * log + other * log - together)),
        ),
        (*argument.trusted, "zlb22.propI.1.product"),
        "polynomial_slack",
        (EXPONENTS.name, assumption("A").name, DEPTH.name),
    )


# claims -------------------------------------------------------------------------------------------
WORDS = (
    r"Fix $\ell'$. The largest number of elements of $\mathbf w^{(\ell')}$ on which "
    r"$\tilde f^{(\ell)}_k$ depends, over all $\ell\ge\ell'$ and $k\in[d_\ell]$, is polynomial in "
    "$m$; so is its maximum over $\\ell'$."
)


def _claim(reading: str) -> Claim:
    where = "every neuron" if reading == "A" else r"layers $2,\dots,L-1$"
    return Claim(
        f"zlb22.propI.1@{reading}",
        Kind.INEQUALITY,
        printed("Proposition I.1, Appendix I"),
        "polynomially many parameters",
        WORDS,
        (EXPONENTS, assumption(reading), WIDTH, INPUTS, DEPTH),
        ("zlb22.propI.1.product", f"zlb22.ass3.5@{reading}"),
        polynomial_slack,
        FAMILIES,
        reading,
        rf"Assumption 3.5 over {where}; width by the words of Definition 2.7. Families with "
        r"in-degree $m^{c_p}\exp(m^{a_p})$ in layer $p$ and $Lm^g$ layers; minus the power of "
        r"$m$ in $\log D$, and $cL$ minus the degree of $D$, $c=\max_pc_p$",
        exact_only=True,
        proof=polynomial_by_products if reading == "A" else None,
    )


CLAIMS = (
    Claim(
        "zlb22.propI.1.own",
        Kind.IDENTITY,
        printed("proof of Proposition I.1, Appendix J"),
        "weights of a neuron's own layer",
        r"If $\ell=\ell'$ that number is $m^{(\ell')}_k$.",
        (DIGRAPH, ACYCLIC),
        measure=own_slack,
        pool=POOL,
        exact_only=True,
        proof=own_by_layers,
    ),
    Claim(
        "zlb22.propI.1.product",
        Kind.INEQUALITY,
        printed("proof of Proposition I.1, Appendix J"),
        "at most the product of the largest in-degrees",
        r"$\tilde f^{(\ell)}_k$ depends on at most $\prod_{p=\ell'}^\ell\overline m_p$ elements of "
        r"$\mathbf w^{(\ell')}$.",
        (DIGRAPH, ACYCLIC),
        measure=product_slack,
        pool=POOL,
        exact_only=True,
        proof=product_by_induction,
    ),
    _claim("A"),
    _claim("B"),
)
