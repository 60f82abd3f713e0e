"""Arguments for the identities between blocks of Hessians: one neuron with formal parents, then an
induction along a topological order; and beside it each identity in full on every small graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from graphs.ring_arithmetic import RingArithmetic
from graphs.rings import Polynomial, Ring, ring_of
from verify.cases.array_scenes import MatrixScene
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.kinds.dags.changes import layers_of, outputs_of
from verify.kinds.dags.pool import Edges, adjacency
from verify.kinds.dags.small_graphs import numbers_up_to, small_graphs
from verify.language.statements import Statement
from verify.language.terms import Term
from verify.statements.stated import Given

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
class _Constants(RingArithmetic):
    """The polynomials of a ring, of which the constants have a sign."""

    def is_negative(self, values: np.ndarray) -> np.ndarray:
        """Which are below 0. Raises NotRationalError: a polynomial has no sign."""
        found = [self._constant(value) < 0 for value in values.flat]
        return np.array(found, dtype=bool).reshape(values.shape)

    def maximum(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """The larger of two constants, entry by entry."""
        return np.where(self.is_negative(one - other), other, one)

    def _constant(self, value: Polynomial) -> Fraction:
        terms = self.ring.terms(value)
        if any(any(exponents) for exponents in terms):
            raise NotRationalError("a polynomial has no sign")
        return sum(terms.values(), Fraction(0))


SYMBOLS = ("W", "f", "s", "b")  # what is a symbol, in the order of a scene


def in_symbols(cases: Sequence[Tensors]) -> MatrixScene:
    """Networks with as many vertices, with a symbol for everything but the graph, the numbers of
    layers, and the activations of outputs, which are the identity."""
    count = cases[0].lengths["n"]
    arithmetic = _Constants(ring_of(count * (count + 3)))
    symbols = list(arithmetic.ring.generators)
    one, zero = (arithmetic.convert(value) for value in (1, 0))
    numbers = np.empty((len(cases), len(symbols)), dtype=object)
    for row, case in enumerate(cases):
        numbers[row] = symbols
        for v in outputs_of(case):
            numbers[row, count * (count + 1) + v] = one
            numbers[row, count * (count + 2) + v] = zero
    return MatrixScene(cases, arithmetic, numbers)


def plain_network(count: int, edges: Edges, numbers: Mapping[str, int]) -> Tensors:
    """A graph with numbers of layers; weights and values 0, activations the identity."""
    held = {"W": ("n", "n"), "f": ("n",), "s": ("n",), "b": ("n",)}
    arrays = {"E": adjacency(count, edges)}
    for name, axes in held.items():
        value = Fraction(name == "s")
        arrays[name] = Tensor(axes, (count,) * len(axes), (value,) * count ** len(axes))
    for name, number in numbers.items():
        arrays[name] = Tensor((), (), (Fraction(number),), integer=True)
    return Tensors(arrays)


def on_small_graphs(says: Term, given: Sequence[Given]) -> tuple[Step, ...]:
    """What is said, in symbols, on all graphs with 2 to 4 vertices and all numbers of layers."""
    statement = Statement("small graphs", says, {one.name: one.holds for one in given})
    names = tuple(sorted(set(statement.domain.measured) - {"E", *SYMBOLS}))
    steps = []
    for count in range(2, MOST_VERTICES + 1):
        cases = _met(statement, count, names)
        if cases:  # two vertices have a single layer of weights
            scene = in_symbols(cases)
            values = statement.measure(scene).values
            holds = bool(np.all(scene.arithmetic.may_be_zero(values)))
            text = f"all graphs with {count} vertices, everything a symbol: {len(cases)} identities"
            steps.append(Step(text, holds))
    return tuple(steps)


def _met(statement: Statement, count: int, names: tuple[str, ...]) -> list[Tensors]:
    """The small networks that meet all hypotheses."""
    made = []
    for edges in small_graphs(count):
        plain = plain_network(count, set(edges), {})
        for numbers in numbers_up_to(max(layers_of(plain)), names):
            made.append(plain_network(count, set(edges), numbers))
    for name in statement.given:
        met = statement.hypothesis(name)(MatrixScene(made, RATIONALS)) if made else ()
        made = [case for case, yes in zip(made, met, strict=True) if yes]
    return made


def identity_argument(
    summary: str, steps: Sequence[Step], says: Term, given: Sequence[Given]
) -> Argument:
    """An argument of some steps, and of the identity on every small graph."""
    listed = on_small_graphs(says, given)
    used = tuple(one.name for one in given)
    return Argument(
        summary,
        (*steps, *listed),
        TRUSTED,
        used,
        section="docs/mathematics/zlb22.md#the-recursion-of-hessians",
    )


# the claims ---------------------------------------------------------------------------------------
def sum_argument(says: Term, given: Sequence[Given]) -> Argument:
    """(13)."""
    summary = (
        "the second derivative of f_k is what arises at k and, times sigma', that of the incoming "
        "neurons, so by induction a sum over neurons of what arises at each, times the total "
        "derivative of f_k; of the block only neurons of layers l2 and above have a part"
    )
    return identity_argument(summary, (*one_neuron(), *sums_pass_on()), says, given)


def term_argument(says: Term, sides: str, given: Sequence[Given]) -> Argument:
    """(14), where it holds. sides: which two forms of a term it compares."""
    summary = (
        "f_i = sigma(pre-activation) has the second derivative slope Z + B; a path from i to k "
        "ends with an edge from i or from a later neuron s, so T_ki = v_i + sum_s w_s slope_s "
        "t_si; put in, the two sides agree term by term"
    )
    return identity_argument(summary, (*one_neuron(), *terms_agree(sides)), says, given)


def last_block_argument(says: Term, given: Sequence[Given]) -> Argument:
    """(iii)."""
    summary = (
        "at an output slope = 1 and sigma'' = 0, and no incoming neuron moves with a weight of "
        "layer L: what is left of its second derivative is the derivative of f_u in the column of "
        "the weight from u"
    )
    return identity_argument(summary, one_neuron(), says, given)


def first_layer_argument(says: Term, given: Sequence[Given]) -> Argument:
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
    return identity_argument(summary, steps, says, given)
