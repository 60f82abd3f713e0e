"""Arguments for the identities between blocks of Hessians: one neuron with formal parents, then an
induction along a topological order; and beside it each identity in full on every small graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from graphs.rings import Polynomial, Ring, ring_of
from verify.cases.hypotheses import Hypothesis, asks_case
from verify.core.argument import Argument, Step
from verify.kinds.dags.symbols import SymbolDag, graph_case, numbers_up_to, small_graphs

SIZES = (1, 2, 3)
MOST_VERTICES = 4
TWO_JETS = (
    "at a point, derivatives up to the second order depend on an activation through its value and "
    "its first two derivatives there, so a quadratic polynomial with these stands for each"
)
EVERY_NUMBER = "sums over parents and over neurons have the same form for every number of them"
ORDER = "induction along a topological order of the graph"
LAYERS = (
    "every edge leads to a higher layer, so a weight of layer l moves neurons of higher layers "
    "and, in layer l, the one that it enters alone"
)
TRUSTED = (TWO_JETS, EVERY_NUMBER, ORDER, LAYERS)


class Formal:
    """Symbols by name, made when asked for."""

    def __init__(self, names: Sequence[str]) -> None:
        self.ring: Ring = ring_of(len(names))
        self._of = dict(zip(names, self.ring.generators, strict=False))

    def __getitem__(self, name: str) -> Polynomial:
        return self._of[name]

    def zero(self) -> Polynomial:
        """The zero polynomial."""
        return self.ring.constant(Fraction(0))

    def total(self, terms: Iterator[Polynomial]) -> Polynomial:
        """The sum."""
        return sum(terms, self.zero())


# one neuron ---------------------------------------------------------------------------------------
def _names(letters: str, count: int) -> list[str]:
    return [f"{letter}{u}" for letter in letters.split() for u in range(count)]


def _mixed_at_zero(formal: Formal, polynomial: Polynomial) -> Polynomial:
    """The derivative by s and t, the first two generators, where both are 0."""
    ring = formal.ring
    mixed = ring.derivative(ring.derivative(polynomial, 0), 1)
    return _at_zero(formal, mixed)


def _at_zero(formal: Formal, polynomial: Polynomial) -> Polynomial:
    """The terms without s and t."""
    ring, kept = formal.ring, formal.zero()
    for exponents, coefficient in ring.terms(polynomial).items():
        if exponents[0] == exponents[1] == 0:
            term = ring.constant(coefficient)
            for generator, power in zip(ring.generators, exponents, strict=True):
                term = term * generator**power
            kept = kept + term
    return kept


@cache
def one_neuron() -> tuple[Step, ...]:
    """f = sigma(sum_u w_u f_u): the second derivative in two directions s and t, along which the
    weights move by a_u and b_u and the parents to the second order."""
    steps = []
    for count in SIZES:
        names = ["s", "t", "slope", "bend", *_names("w a b f fs ft fst", count)]
        x = Formal(names)
        s, t = x["s"], x["t"]
        z = first_s = first_t = second = start = x.zero()
        for u in range(count):
            w, a, b, f = (x[f"{name}{u}"] for name in ("w", "a", "b", "f"))
            fs, ft, fst = (x[f"{name}{u}"] for name in ("fs", "ft", "fst"))
            z = z + (w + a * s + b * t) * (f + fs * s + ft * t + fst * s * t)
            start = start + w * f
            first_s, first_t = first_s + w * fs + a * f, first_t + w * ft + b * f
            second = second + w * fst + a * ft + b * fs
        moved = z - start
        half = x.ring.constant(Fraction(1, 2))
        value = x["slope"] * moved + half * x["bend"] * moved * moved
        claimed = x["bend"] * first_s * first_t + x["slope"] * second
        same = x.ring.is_zero(_mixed_at_zero(x, value) - claimed)
        text = (
            "the mixed derivative of sigma(sum_u w_u f_u) is sigma'' z_a z_b + sigma' (sum_u w_u "
            f"f_u,ab + what the weights a and b give), {count} parents"
        )
        steps.append(Step(text, same))
    return tuple(steps)


# sums over neurons --------------------------------------------------------------------------------
@cache
def sums_pass_on() -> tuple[Step, ...]:
    """If H_u = sum_i T_ui h_i for the parents, then H_k = h_k + sigma' sum_u w_u H_u is the same
    sum with T_ki = sigma' sum_u w_u T_ui and T_kk = 1."""
    steps = []
    for parents, earlier in product(SIZES, repeat=2):
        names = ["slope", "h", *_names("w", parents), *_names("h", earlier)]
        names += [f"T{u},{i}" for u in range(parents) for i in range(earlier)]
        x = Formal(names)
        of_parents = [
            x.total(x[f"T{u},{i}"] * x[f"h{i}"] for i in range(earlier)) for u in range(parents)
        ]
        whole = x["h"] + x["slope"] * x.total(x[f"w{u}"] * h for u, h in enumerate(of_parents))
        claimed = x["h"]
        for i in range(earlier):
            through = x.total(x[f"w{u}"] * x[f"T{u},{i}"] for u in range(parents))
            claimed = claimed + x["slope"] * through * x[f"h{i}"]
        text = f"the sum over neurons is passed on, {parents} parents and {earlier} neurons before"
        steps.append(Step(text, x.ring.is_zero(whole - claimed)))
    return tuple(steps)


def _term_symbols(here: int, later: int) -> tuple[Formal, list[Polynomial], list[Polynomial]]:
    """Neurons i of layer l' with weights v_i to k, later neurons s with weights w_s to k and
    influences t_si of i on the pre-activation of s: the symbols, the shares T_ki = v_i + sum_s w_s
    slope_s t_si, and slope_i Z_i + B_i."""
    names = _names("v slope Z B", here) + _names("w later", later)
    names += [f"t{s},{i}" for s in range(later) for i in range(here)]
    x = Formal(names)
    shares = [
        x[f"v{i}"] + x.total(x[f"w{s}"] * x[f"later{s}"] * x[f"t{s},{i}"] for s in range(later))
        for i in range(here)
    ]
    seconds = [x[f"slope{i}"] * x[f"Z{i}"] + x[f"B{i}"] for i in range(here)]
    return x, shares, seconds


def _recursion_of(x: Formal, here: int, later: int, seconds: Sequence[Polynomial]) -> Polynomial:
    """The last line: incoming neurons i of layer l' with G_i = Z_i, later ones with
    G_s = sum_i t_si (slope_i Z_i + B_i), and the B_i of incoming neurons."""
    total = x.total(x[f"v{i}"] * (x[f"slope{i}"] * x[f"Z{i}"] + x[f"B{i}"]) for i in range(here))
    for s in range(later):
        term = x.total(x[f"t{s},{i}"] * seconds[i] for i in range(here))
        total = total + x[f"w{s}"] * x[f"later{s}"] * term
    return total


@cache
def terms_agree(sides: str) -> tuple[Step, ...]:
    """Two of the three: the term G_k, its form by pre-activations with total derivatives, and its
    last line. Z_i stands for the second derivative of a pre-activation, B_i for sigma'' times the
    product of its gradients."""
    steps = []
    for here, after in product(SIZES, repeat=2):
        x, shares, seconds = _term_symbols(here, after)
        ways = {
            "term": x.total(shares[i] * seconds[i] for i in range(here)),
            "middle": x.total(shares[i] * x[f"slope{i}"] * x[f"Z{i}"] for i in range(here))
            + x.total(shares[i] * x[f"B{i}"] for i in range(here)),
            "last": _recursion_of(x, here, after, seconds),
        }
        one, other = sides.split("-")
        text = f"the {one} and the {other} agree, {here} neurons of layer l' and {after} later ones"
        steps.append(Step(text, x.ring.is_zero(ways[one] - ways[other])))
    return tuple(steps)


# every small graph --------------------------------------------------------------------------------
def on_small_graphs(
    measure: Callable[[Any], Any], hypotheses: Sequence[Hypothesis], names: tuple[str, ...] = ()
) -> tuple[Step, ...]:
    """The measure in symbols on all graphs with 2 to 4 vertices, and all numbers of layers."""
    steps = []
    for count in range(2, MOST_VERTICES + 1):
        looked, good = 0, True
        for edges in small_graphs(count):
            network = SymbolDag(graph_case(count, set(edges)))
            for numbers in numbers_up_to(int(network.depth[0]), names):
                scene = network.with_numbers(numbers)
                if all(_holds(hypothesis, scene) for hypothesis in hypotheses):
                    looked += 1
                    good = good and scene.vanish(measure(scene).values)
        text = f"all graphs with {count} vertices, everything a symbol: {looked} identities"
        if looked:  # two vertices have a single layer of weights
            steps.append(Step(text, good))
    return tuple(steps)


def _holds(hypothesis: Hypothesis, scene: SymbolDag) -> bool:
    predicate = asks_case(hypothesis)
    return predicate is None or predicate(scene.cases[0])


def identity_argument(
    summary: str,
    steps: Sequence[Step],
    measure: Callable[[Any], Any],
    named: str,
    hypotheses: Sequence[Hypothesis],
    names: tuple[str, ...] = (),
) -> Argument:
    """An argument of some steps, and of the identity on every small graph.

    named: the measure in words, see verify.core.argument. names: of the numbers of layers.
    """
    listed = on_small_graphs(measure, hypotheses, names)
    used = tuple(hypothesis.name for hypothesis in hypotheses)
    return Argument(
        summary,
        (*steps, *listed),
        TRUSTED,
        named,
        used,
        section="docs/mathematics/zlb22.md#the-recursion-of-hessians",
    )


# the claims ---------------------------------------------------------------------------------------
PAIR_NAMES, TERM_NAMES = ("l1", "l2"), ("l1", "l2", "l3")
EQUALITIES = {"first_equality": ("term-middle", ", through=True"), "recursion": ("term-last", "")}
"""Which two forms of a term a measure compares, and what it is given."""


def sum_argument(measure: Callable[[Any], Any], hypotheses: Sequence[Hypothesis]) -> Argument:
    """(13)."""
    summary = (
        "the second derivative of f_k is what arises at k and, times sigma', that of the incoming "
        "neurons, so by induction a sum over neurons of what arises at each, times the total "
        "derivative of f_k; of the block only neurons of layers l2 and above have a part"
    )
    steps = (*one_neuron(), *sums_pass_on())
    return identity_argument(summary, steps, measure, "sum_over_neurons", hypotheses, PAIR_NAMES)


def term_argument(
    measure: Callable[[Any], Any], name: str, hypotheses: Sequence[Hypothesis]
) -> Argument:
    """(14), where it holds."""
    sides, given = EQUALITIES[name]
    summary = (
        "f_i = sigma(pre-activation) has the second derivative slope Z + B; a path from i to k "
        "ends with an edge from i or from a later neuron s, so T_ki = v_i + sum_s w_s slope_s "
        "t_si; put in, the two sides agree term by term"
    )
    steps = (*one_neuron(), *terms_agree(sides))
    named = f"{name}({given.removeprefix(', ')})" if given else name
    return identity_argument(summary, steps, measure, named, hypotheses, TERM_NAMES)


def last_block_argument(
    measure: Callable[[Any], Any], hypotheses: Sequence[Hypothesis]
) -> Argument:
    """(iii)."""
    summary = (
        "at an output slope = 1 and sigma'' = 0, and no incoming neuron moves with a weight of "
        "layer L: what is left of its second derivative is the derivative of f_u in the column of "
        "the weight from u"
    )
    return identity_argument(summary, one_neuron(), measure, "last_blocks", hypotheses, ("l1",))


def first_layer_argument(
    measure: Callable[[Any], Any], hypotheses: Sequence[Hypothesis]
) -> Argument:
    """Remark 3.9."""
    steps = []
    for count in SIZES:
        x = Formal(["s", "t", *_names("w a b f", count)])
        moving = x.total(
            (x[f"w{u}"] + x[f"a{u}"] * x["s"] + x[f"b{u}"] * x["t"]) * x[f"f{u}"]
            for u in range(count)
        )
        text = f"sum_u w_u f_u has no mixed derivative where the f_u are data, {count} parents"
        steps.append(Step(text, x.ring.is_zero(_mixed_at_zero(x, moving))))
    summary = "the incoming neurons of layer 1 are data, so its pre-activations are linear"
    return identity_argument(summary, steps, measure, "linear_layers", hypotheses)
