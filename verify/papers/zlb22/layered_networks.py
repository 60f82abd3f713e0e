"""Networks given by the layers of their neurons: the instances of Appendix A.

An instance says of each vertex its layer `B`, from 0 on. `W` (n, n) holds at [v, u] the weight of
the matrix form over the square root of what that divides by, for u in the layers that feed v, so
that everything is rational; `s` the coefficients of the activation, constant term first, `o` of
that of the outputs of the network on the DAG, `X` the inputs, `r` the divisor of the matrix form
over the printed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from verify.cases.tensor_pool import MANNERS, TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.kinds.dags.pool import identity, polynomial
from verify.language.building import (
    Each,
    Filter,
    Fold,
    Matrix,
    Max,
    Number,
    Some,
    Vector,
    When,
    between,
    card,
    concat,
    dim,
    floor,
    upto,
)
from verify.language.terms import Term
from verify.statements.stated import Given

ZERO, ONE = Fraction(0), Fraction(1)

# terms --------------------------------------------------------------------------------------------
LAYER = Vector("B", "n", meaning="the layer of each neuron")
WEIGHTS = Matrix("W", "n", "n", meaning="weights over the root of the printed divisor")
INPUTS = Vector("X", "n", meaning="inputs")
SIGMA = Vector("s", "k", meaning="coefficients of the activation, the constant one first")
END = Vector("o", "k", meaning="coefficients of the activation of outputs on the DAG")
DIVISOR = Number("r", meaning="the divisor over the printed one")
VERTICES = upto(dim(LAYER))
LAST = floor(Max(VERTICES, lambda v: LAYER[v]))  # L


def members(number: Term | int) -> Term:
    """The neurons of a layer."""
    return Filter(VERTICES, lambda v: LAYER[v] == number)


def members_of(numbers: Term) -> Term:
    """The neurons of several layers, one layer after the other."""
    return Fold(
        numbers, Filter(VERTICES, lambda v: v < 1), lambda so_far, k: concat(so_far, members(k))
    )


# pool ---------------------------------------------------------------------------------------------
AXES = (
    ("B", ("n",)),
    ("W", ("n", "n")),
    ("X", ("n",)),
    ("s", ("k",)),
    ("o", ("k",)),
    ("r", ()),
)


@dataclass(frozen=True)
class LayeredPool(TensorPool):
    """Networks given by the layers of their neurons. most: neurons at most."""

    arrays: tuple[tuple[str, tuple[str, ...]], ...] = AXES
    most: int = 6

    def draw(self, random: Random, *, n: int = 1, loss: str = "", large: bool = True) -> Tensors:
        """One random instance."""
        count, k = random.randint(2, self.most if large else 5), random.randint(2, 4)
        numbers, sigma = MANNERS[random.choice(sorted(MANNERS))], polynomial(k, random)
        layers = sorted(random.randrange(4) for _ in range(count))
        parts = {
            "B": _held([Fraction(layer) for layer in layers], "n"),
            "W": Tensor(("n", "n"), (count, count), tuple(numbers((count, count), random))),
            "X": Tensor(("n",), (count,), tuple(numbers((count,), random))),
            "s": Tensor(("k",), (k,), tuple(sigma)),
            "o": _held(identity(k), "k"),
            "r": Tensor((), (), (ONE,), held=True),
        }
        there = {name: parts[name] for name, _ in self.arrays}
        return Tensors(there, family="layered")

    def values_of(self, name: str, values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Layers are 0, 1, 2."""
        return (ZERO, ONE, 2 * ONE)[: len(values)] if name == "B" else values

    def scope(self) -> tuple[str, ...]:
        """Sizes."""
        activations = "; activations: polynomials to degree 3" if len(self.arrays) > 1 else ""
        return (f"2 to {self.most} neurons in 2 to 4 layers{activations}",)


def _held(entries: Sequence[Fraction], axis: str) -> Tensor:
    return Tensor((axis,), (len(entries),), tuple(entries), held=True)


POOL = LayeredPool()
LAYERS_ALONE = LayeredPool(AXES[:1])


# hypotheses ---------------------------------------------------------------------------------------
def _to_layers(case: Tensors, random: Random) -> Tensors:
    """Ranks of the numbers that are there; the last neuron goes further, if all are equal."""
    entries = case.arrays["B"].entries
    ranks = sorted(set(entries))
    made = [Fraction(ranks.index(entry)) for entry in entries]
    if len(ranks) == 1 and len(made) > 1:
        made[-1] = ONE
    return case.changing(B=_held(made, "n"))


def _with_a_gap(case: Tensors, random: Random) -> Tensors:
    """A layer without neurons."""
    entries = case.arrays["B"].entries
    at = random.randint(1, max(1, int(max(entries))))
    return case.changing(B=_held([e + 1 if e >= at else e for e in entries], "n"))


LAYERED = Given(
    "positive sizes",
    (LAST >= 1)
    & Each(between(0, LAST), lambda number: card(members(number)) > 0)
    & Each(VERTICES, lambda v: Some(between(0, LAST), lambda number: LAYER[v] == number)),
    r"layers $0$ to $L$, $L\ge1$, have a positive number of neurons each",
    _to_layers,
    _with_a_gap,
    thin=True,
)


def _to_linear_end(case: Tensors, random: Random) -> Tensors:
    return case.changing(o=_held(identity(case.lengths["k"]), "k"))


def _other_end(case: Tensors, random: Random) -> Tensors:
    """The activation of the other neurons on the outputs, if that is not the identity."""
    entries = list(case.arrays["s"].entries)
    if entries == identity(len(entries)):
        entries[-1] += 1
    return case.changing(o=_held(entries, "k"))


LINEAR_END = Given(
    "identity as output activation",
    (dim(END) >= 2) & Each(upto(dim(END)), lambda k: END[k] == When(k == 2, 1, 0)),
    "outputs use the identity, as inputs do",
    _to_linear_end,
    _other_end,
    thin=True,
)


def _divisor(case: Tensors, random: Random) -> Tensors:
    return case.changing(r=Tensor((), (), (ONE,), held=True))


def _other_divisor(case: Tensors, random: Random) -> Tensors:
    value = random.choice((Fraction(2), Fraction(1, 2), Fraction(3)))
    return case.changing(r=Tensor((), (), (value,)))


def divisor(words: str) -> Given:
    """The divisor of the matrix form is the printed one."""
    return Given(
        "printed divisor",
        DIVISOR == 1,
        f"the divisor is the square root of {words}: $r=1$",
        _divisor,
        _other_divisor,
        thin=True,
    )
