"""Pools of cases that are built of pieces: what stands before, the pieces spoken of, and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from random import Random
from typing import TYPE_CHECKING, Any

from graphs.activations import LINEAR, RELU, Activation
from graphs.errors import NetworkError
from verify.cases.case import Case
from verify.cases.networks_of_pieces import Plan, Spec, build
from verify.cases.pool import HOMOGENEOUS_MIX, Pool, activation_of
from verify.cases.structured import Structured
from verify.cases.transformations import make_dormant

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Planner = Callable[[Random, bool, "StructuredPool"], Plan]
ATTEMPTS = 60
DIGITS = 8  # examples of each case on digits
LARGEST = 160  # edges


@dataclass(frozen=True)
class StructuredPool(Pool):
    """Cases built of pieces.

    planners: by name what draws a plan (given whether it may be large, and the pool). between:
    the activations of the neurons that two pieces share. dormant: how often a neuron between the
    pieces is put to sleep. most: how many edges a network has at most. regions: the architectures
    that the expanded engine looks at. on_digits: plans, by the item that they are of, that read
    square images.
    """

    planners: tuple[tuple[str, Planner], ...] = ()
    between: tuple[str, ...] = HOMOGENEOUS_MIX
    dormant: float = 0.0
    most: int = LARGEST
    regions: Callable[[StructuredPool], Iterator[Case]] | None = None
    on_digits: tuple[tuple[str, Plan], ...] = ()

    def draw(self, random: Random, *, n: int, loss: str, large: bool = True) -> Structured:
        """One random case with n examples."""
        for _ in range(ATTEMPTS):
            name, planner = random.choice(self.planners)
            plan = planner(random, large, self)
            try:
                net, choice = build(plan)
            except NetworkError:  # the pieces do not fit
                continue
            if net.edge_count > (self.most if large else 40):
                continue
            net = net.with_activations(
                {
                    net.names[v]: self._varied(net.activations[v], random)
                    for v in net.inner
                    if net.activations[v].kind != "linear"
                }
            )
            plain = replace(self, dormant=0.0)
            case = super(StructuredPool, plain).fill(net, random, n=n, loss=loss, family=name)
            chosen = {**case.choice, **choice, "item": name}
            built = structured(replace(case, choice=chosen), plan)
            if random.random() < self.dormant:
                return structured(self._asleep(built, random), plan)
            return built
        raise NetworkError("no plan of this pool fits")

    def _asleep(self, case: Case, random: Random) -> Case:
        """The case with a ReLU neuron between the pieces that sleeps."""
        shared = between(case)
        gated = case.with_activations({random.choice(shared): RELU})
        return make_dormant(gated, random, among=shared)

    def _varied(self, activation: Activation, random: Random) -> Activation:
        """Mostly the activation itself, so that neurons of a piece differ now and then."""
        if random.random() < 0.8:
            return activation
        return activation_of(replace(self, activations=self.between), random)

    def drawn(self) -> SearchStrategy[Case]:
        """Small cases for the guided search."""
        from hypothesis import strategies as st

        from graphs.strategies import generators

        counts = [k for k in self.examples if k <= 3] or list(self.examples)
        return st.builds(
            lambda random, n: self.draw(random, n=n, loss="prescribed", large=False),
            generators(),
            st.sampled_from(counts),
        )

    def named(self, random: Random) -> Iterator[Case]:
        """The plans on digits, with two classes of them."""
        from numerics.data import digits

        for name, plan in self.on_digits:
            net, choice = build(plan)
            data = digits((0, 1), DIGITS, side=isqrt(plan.inputs))
            weights = tuple(Fraction(random.randint(-64, 64) or 1, 64) for _ in net.parameter_names)
            case = Case(net, weights, data.inputs, data.labels, self.losses[-1])
            chosen = case.choosing(**choice, item=name)
            yield structured(replace(chosen, family=f"{net.title} on digits"), plan)

    def symbolic(self) -> Iterator[Case]:
        """The architectures that the expanded engine looks at."""
        return iter(()) if self.regions is None else self.regions(self)

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What draws the plans."""
        found: dict[str, Callable[..., Any]] = {f"planner {n}": f for n, f in self.planners}
        return found if self.regions is None else {**found, "regions": self.regions}


def listed(plan: Plan, item: str, title: str) -> Structured:
    """The architecture of a plan as a case, for the expanded engine: its numbers are of no
    importance. Raises NetworkError where the pieces do not fit."""
    net, choice = build(plan)
    row = (Fraction(0),) * len(net.free_inputs)
    ones = (Fraction(1),) * net.parameter_count
    return Structured(
        net.titled(title),
        ones,
        (row,),
        (Fraction(1),),
        slopes=(Fraction(1),),
        choice={**choice, "item": item},
        family=item,
        plan=plan,
    )


def structured(case: Case, plan: Plan) -> Structured:
    """A case with the plan that its network was built from."""
    return Structured(
        case.network,
        case.weights,
        case.inputs,
        case.labels,
        case.loss,
        case.slopes,
        case.choice,
        case.family,
        plan=plan,
    )


def between(case: Case) -> list[int]:
    """The neurons between the two pieces spoken of, or inside of the one."""
    records = [case.choice["pieces"][k] for k in case.choice["at"]]
    names = records[0].get("inner", []) if len(records) == 1 else records[0]["heads"]
    return [case.network.index[name] for name in names]


# parts of plans ----------------------------------------------------------------------------------
def kind_between(random: Random, pool: StructuredPool) -> Activation:
    """An activation for the neurons that two pieces share."""
    return activation_of(replace(pool, activations=pool.between), random)


def kind_elsewhere(random: Random, pool: StructuredPool) -> Activation:
    """An activation for other neurons."""
    return activation_of(pool, random)


def before(random: Random, large: bool, pool: StructuredPool) -> tuple[Spec, ...]:
    """What stands before: nothing, a dense layer, or an arbitrary graph."""
    return _other(random, large, pool, 0.6)


def after(random: Random, large: bool, pool: StructuredPool) -> tuple[Spec, ...]:
    """What stands behind: nothing but the output, a dense layer, or an arbitrary graph."""
    return _other(random, large, pool, 0.6)


def _other(random: Random, large: bool, pool: StructuredPool, share: float) -> tuple[Spec, ...]:
    if random.random() > share:
        return ()
    kind = random.choice(("dense", "graph"))
    return (
        Spec(
            kind,
            width=random.randint(1, 3 if large else 2),
            inner=random.randint(1, 3 if large else 1),
            activation=kind_elsewhere(random, pool),
            within=kind_elsewhere(random, pool),
            seed=random.randint(0, 10**6),
        ),
    )


def dense(width: int, activation: Activation = LINEAR) -> Spec:
    """A dense layer."""
    return Spec("dense", width=width, activation=activation)


def block(
    random: Random, large: bool, pool: StructuredPool, variant: str, activation: Activation
) -> Spec:
    """A residual block."""
    top = 4 if large else 2
    within = kind_elsewhere(random, pool)
    return Spec(
        "block",
        random.randint(1, top),
        random.randint(1, top),
        variant,
        activation=activation,
        within=within,
    )


def conv(random: Random, large: bool, activation: Activation, size: tuple[int, ...] = ()) -> Spec:
    """A convolution on an input of this size (empty: behind another convolution)."""
    rank = len(size) or 1
    modes = ("none", "none", "zero", "circular")
    mode = random.choice(modes)
    kernel = tuple(random.randint(1, min(5, n) if n else 3) for n in size or (0,) * rank)
    pads = tuple(0 if mode == "none" else random.randint(1, max(1, k - 1)) for k in kernel)
    return Spec(
        "convolution",
        width=random.randint(1, 4 if large else 2),
        size=size,
        kernel=kernel,
        stride=tuple(random.choice((1, 1, 2)) for _ in kernel),
        padding=pads,
        dilation=tuple(random.choice((1, 1, 1, 2)) for _ in kernel),
        mode="circular" if mode == "circular" else "zero",
        activation=activation,
    )


def conv_start(
    random: Random, large: bool, pool: StructuredPool
) -> tuple[int, tuple[Spec, ...], tuple[int, ...]]:
    """The number of inputs, what stands before, and the size of the first convolution's input."""
    size: tuple[int, ...] = (random.randint(1, 5 if large else 3),)
    if random.random() < 0.25:
        size = (random.randint(1, 3 if large else 2), random.randint(1, 3 if large else 2))
    neurons = random.randint(1, 3 if large else 2)
    for n in size:
        neurons *= n
    if random.random() < 0.6:
        return neurons, (), size
    return random.randint(1, 2), (dense(neurons, kind_elsewhere(random, pool)),), size


def plan_of(
    random: Random,
    inputs: int,
    first: tuple[Spec, ...],
    middle: tuple[Spec, ...],
    last: tuple[Spec, ...],
) -> Plan:
    """A plan whose middle is what the claim is about."""
    at = tuple(range(len(first), len(first) + len(middle)))
    skips = random.randint(0, inputs) if random.random() < 0.2 else 0
    head = bool(skips) or random.random() < 0.5
    return Plan(inputs, (*first, *middle, *last), at, head, skips)


def widths(random: Random, large: bool) -> int:
    """The width of a layer."""
    return random.randint(1, 5 if large else 3)


__all__ = [
    "StructuredPool",
    "after",
    "before",
    "between",
    "block",
    "conv",
    "conv_start",
    "dense",
    "kind_between",
    "kind_elsewhere",
    "listed",
    "plan_of",
    "structured",
    "widths",
]
