"""How the tangent kernel grows with the depth: Section 4 before Corollary 8, Section 4.1.

Two sequences that are known at every depth, of ReLU networks. Both begin with a network of depth M
that represents f, and both have its function at every input.

Identities: behind a hidden layer, where activations are at least 0.

Recoded at x: before the first layer, sigma(t (z - x) + 1) and sigma(-t (z - x) - 1) with t = L^g,
then layers of identities, the first of which adds 1 so that no later pre-activation is 0; the first
old layer reads z back from the differences. There the activations at x are 1 and 0, then 2 and 1,
and the derivatives of f are those by z divided by t: Tr Theta(x, x) is a constant, and of order
L |Jf(x)|_F^2 / t^2. Whether the kernel counts biases makes no difference to the order.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from verify.cases.hypotheses import unchanged
from verify.core.claim import Claim, Kind
from verify.kinds.deep.changes import with_number
from verify.kinds.deep.layered import layered_pool, lifted
from verify.kinds.deep.networks import Deep, deep
from verify.kinds.deep.pool import gaussian, pool
from verify.kinds.statistics.rate import Claimed, Rate
from verify.language.building import (
    Each,
    Some,
    Sum,
    When,
    Whole,
    between,
    examples,
    eye,
    frob2,
    larger,
    minus,
    upto,
    z,
)
from verify.language.terms import Term
from verify.papers.j23.jacobian_differences import across_kinks
from verify.papers.j23.kernel_notation import trace_over_all, trace_over_weights
from verify.papers.j23.network_notation import (
    DEPTH,
    FULLY_CONNECTED,
    NO_BIASES,
    RELU,
    SMOOTH,
    Index,
    activations,
    bias,
    from_post,
    from_pre,
    jacobian,
    neurons,
    slopes,
    weight,
    width,
)
from verify.papers.j23.sources import printed
from verify.statements.stated import Given, stated, unless

PLACE = "Section 4, before Corollary 8"


# sequences ----------------------------------------------------------------------------------------
def with_identities(case: Deep, more: int, behind: int = 1) -> Deep:
    """The network with so many identities behind a hidden layer, of a ReLU network the same
    function."""
    weights, biases = _layers(case)
    n = case.widths[behind]
    weights[behind:behind] = [_identity(n)] * more
    biases[behind:behind] = [np.zeros(n, dtype=int)] * more
    return _network(case, weights, biases)


def recoded(case: Deep, t: int, more: int) -> Deep:
    """The network recoded at its first point, with so many identities, at least 1: of depth
    M + 1 + more."""
    weights, biases = _layers(case)
    point, n = case.matrix("X")[0], case.widths[0]
    eye = _identity(n)
    first = weights[0]
    weights[0] = np.concatenate([first, -first], axis=1) / t
    biases[0] = biases[0] + first @ point - first.sum(axis=1) / t
    shift = 1 - point * t
    weights[:0] = [np.concatenate([eye, -eye]) * t] + [_identity(2 * n)] * more
    lifts = [np.ones(2 * n, dtype=int)] + [np.zeros(2 * n, dtype=int)] * (more - 1)
    biases[:0] = [np.concatenate([shift, -shift]), *lifts]
    return _network(case, weights, biases)


def _identity(size: int) -> np.ndarray:
    return np.array([[int(i == j) for j in range(size)] for i in range(size)], dtype=object)


def _layers(case: Deep) -> tuple[list[np.ndarray], list[np.ndarray]]:
    layers = range(1, case.depth + 1)
    return [case.matrix(f"W{k}") for k in layers], [case.matrix(f"b{k}") for k in layers]


def _network(case: Deep, weights: list[np.ndarray], biases: list[np.ndarray]) -> Deep:
    """With the points, the slope and the whole numbers of another one."""
    rows = [weight.tolist() for weight in weights]
    points = case.matrix("X").tolist()
    whole = {name: array for name, array in case.arrays.items() if name in ("g", "more")}
    return deep(
        rows, [bias.tolist() for bias in biases], points, case.number("a"), case.family, **whole
    )


def _deeper(case: Deep, random: Random) -> Deep:
    return with_identities(case, case.whole("more"))


NETWORKS = layered_pool(pool(biases=False))
RECODED = layered_pool(
    pool(points=(2,), whole=(("g", -1, 2),), depths=(1, 2, 2, 3), widest=2, last=across_kinks)
)
DEEPER = layered_pool(pool(whole=(("more", 0, 4),), depths=(2, 2, 3), widest=2, last=_deeper))


# hypotheses ---------------------------------------------------------------------------------------
G, MORE = Whole("g", -1, 2), Whole("more", 0, 100)
IDENTITIES = between(2, MORE + 1)


def _constant(case: Deep, random: Random) -> Deep:
    """The last weights 0."""
    name = f"W{case.depth}"
    return case.with_array(name, case.matrix(name) * 0)


NOT_CONSTANT = Given(
    "not constant",
    Some(examples(), lambda p: activations(DEPTH, p) != activations(DEPTH, 1)),
    r"$f$ is not constant: here its outputs at two of the points differ",
    unchanged,
    lifted(_constant),
)
GROWING = Given(
    "growing Jacobian",
    G >= 1,
    r"$\sup_\ell\lVert J\tilde\alpha_\ell(x)\rVert_{op}\to\infty$: here it is at least "
    r"$\sqrt2L^g$ with $g\ge1$",
    lifted(lambda case, random: with_number(case, "g", max(1, case.whole("g")))),
    lifted(lambda case, random: with_number(case, "g", random.choice((0, -1)))),
)


def _no_identities(case: Deep, random: Random) -> Deep:
    """The first layer put in is doubled; where there is none, more are spoken of than layers."""
    if not 0 < case.whole("more") < case.depth - 1:
        return with_number(case, "more", case.depth)
    return case.with_array("W2", case.matrix("W2") * 2)


ARE_IDENTITIES = (MORE + 1 < DEPTH) & Each(
    IDENTITIES, lambda m: (weight(m) == eye(width(m))) & (frob2(bias(m)) == 0)
)
PUT_IN = Given(
    "identities behind the first layer",
    ARE_IDENTITIES,
    r"$W_\ell=I$ and $b_\ell=0$ in the $L-M$ layers behind the first one",
    unless(ARE_IDENTITIES, lifted(_deeper)),
    lifted(_no_identities),
)


def _other_points(case: Deep, random: Random) -> Deep:
    array = case.arrays["X"]
    entries = tuple(entry + gaussian(random) for entry in array.entries)
    return case.changing(X=replace(array, entries=entries))


def _first_kink(case: Deep, random: Random) -> Deep:
    """A neuron of the first layer is at its kink at the first point."""
    row = random.randrange(case.widths[1])
    shift = list(case.arrays["b1"].entries)
    shift[row] -= as_fraction(case.exact.pre(1)[0, row])
    return case.with_array("b1", shift)


OFF_KINKS = Each(
    minus(upto(DEPTH - 1), IDENTITIES),
    lambda m: Each(neurons(m), lambda v: Each(examples(), lambda p: z(v, p) != 0)),
)
SMOOTH_BEFORE = Given(
    "smooth at the points",
    OFF_KINKS,
    r"no pre-activation is $0$ at the points spoken of, in the hidden layers of depth $M$",
    unless(OFF_KINKS, lifted(_other_points)),
    lifted(_first_kink),
)


# what is said -------------------------------------------------------------------------------------
ORDER = When(frob2(jacobian(1)) == 0, -1, larger(-1, -2 * G))
"""The e for which Tr Theta^(L)(x, x) / L is of order L^e along the sequence recoded at x, the first
point: -1 for what does not depend on L, -2 g for the layers put in where Jf(x) != 0."""


def trace_before(x: Index) -> Term:
    """Tr Theta^(M)(x, x), of the network without the identities."""

    def behind(m: Term) -> Term:
        below = activations(When(m == MORE + 2, 1, m - 1), x)
        return (frob2(below) + 1) * frob2(from_pre(m, x))

    first = (frob2(activations(0, x)) + 1) * frob2(from_post(MORE + 1, x) @ slopes(1, x))
    return first + Sum(between(MORE + 2, DEPTH), behind)


def constant(x: Index) -> Term:
    """C: the trace before, plus the term of one of the identities. Their pre-activations may be 0,
    where the slope is taken to be 1: with another one the trace is smaller."""
    size, behind = frob2(activations(1, x)) + 1, from_post(MORE + 1, x)
    return trace_before(x) + size * frob2(behind)


def homogeneous(x: Index) -> Term:
    """(Tr Theta(x, x) / L)^L >= |x|^2 |f(x)|^(2 L - 2), the kernel over the weights alone."""
    mean, outputs = trace_over_weights(x) / DEPTH, activations(DEPTH, x)
    return mean**DEPTH >= frob2(activations(0, x)) * frob2(outputs) ** (DEPTH - 1)


# a linear scaling ---------------------------------------------------------------------------------
RECODING = (
    r"the order of $\mathrm{Tr}\,\Theta^{(L)}(x,x)$ along a sequence of networks recoded at $x$ "
    "is worked out (docs/mathematics/j23.md#recoded-networks)"
)
NOT_SMALLER = stated(
    "j23.ntklinear@A",
    printed(PLACE),
    "no smaller kernel than linear in the depth",
    r"It is not possible to represent non-trivial functions with a smaller NTK "
    r"$\Theta^{(L)}\ll L$: here along sequences $\theta_L$ that represent $f$, recoded at $x$ with "
    r"$t=L^g$, where $\frac1L\mathrm{Tr}\,\Theta^{(L)}(x,x)$ is of order $L^e$, that $e\ge0$.",
    ORDER >= 0,
    (FULLY_CONNECTED, RELU, SMOOTH, NOT_CONSTANT),
    depends=("j23.ntktrace@BA.fix",),
    pool=RECODED,
    reading="A",
    reading_text="non-trivial: not constant",
    through=RECODING,
    why="a first layer that magnifies the inputs near $x$ by $L$ and layers of identities behind "
    r"it, from which $f$ is read back, have a kernel at $x$ that stays bounded as $L\to\infty$",
)
UPPER = stated(
    "j23.ntklinear.upper",
    printed(PLACE),
    "a kernel linear in the depth",
    r"One can find parameters that learn a function with a NTK that scales linearly in depth: with "
    r"$L-M$ identities behind the first layer of a ReLU network of depth $M$, "
    r"$\mathrm{Tr}\,\Theta^{(L)}(x,x)\le CL$, where $C$ is "
    r"$\mathrm{Tr}\,\Theta^{(M)}(x,x)$ plus the term of one such layer.",
    Each(examples(), lambda p: trace_over_all(p) <= constant(p) * DEPTH),
    (FULLY_CONNECTED, RELU, PUT_IN, SMOOTH_BEFORE),
    depends=("j23.ntktrace@BA.fix",),
    pool=DEEPER,
    through="explicit networks, with identities behind the first layer, are the parameters that "
    "one can find (docs/mathematics/j23.md#explicit-traces)",
)
LOWER = stated(
    "j23.ntklinear@A.fix",
    printed(PLACE),
    "no smaller kernel without biases",
    r"ReLU networks without biases have "
    r"$\mathrm{Tr}\,\Theta^{(L)}(x,x)\ge L\lVert x\rVert^{2/L}\lVert f(x)\rVert^{2-2/L}$, "
    r"whatever their parameters.",
    Each(examples(), homogeneous),
    (FULLY_CONNECTED, RELU, NO_BIASES),
    depends=("j23.ntktrace@BB",),
    pool=NETWORKS,
    reading="A",
    reading_text=r"non-trivial: $f(x)\ne0$; the kernel is summed over the weights alone, which is "
    "the smaller",
    repairs="j23.ntklinear@A",
)

# large Jacobians inside --------------------------------------------------------------------------
NARROW = stated(
    "j23.narrow",
    printed("Section 4.1, first sentence; Appendix C"),
    "blowing up Jacobians and narrow minima",
    r"Solutions with a blowing up Jacobian $J\tilde\alpha_\ell(x)$ correspond to very narrow local "
    r"minima: here along sequences $\theta_L$ recoded at $x$ with $t=L^g$, where "
    r"$\frac1L\mathrm{Tr}\,\Theta^{(L)}(x,x)$ is of order $L^e$, that $e\ge0$.",
    ORDER >= 0,
    (FULLY_CONNECTED, RELU, SMOOTH, GROWING),
    depends=("j23.ntktrace@BA.fix",),
    pool=RECODED,
    through=RECODING,
    why="in networks that magnify the inputs near $x$ by $L$ in their first layer and read $f$ "
    r"back in a later one, $J\tilde\alpha_\ell(x)$ blows up and the kernel at $x$ stays bounded",
)


def shares(size: int, seeds: int, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Tr Theta(x, x) / L of networks whose sup_l |J alpha~_l(x)|_op is L, the size.

    Balanced: diagonal weights, each neuron with one weight in all layers, the largest product L.
    Growing middle: one diagonal neuron that grows to L and shrinks back, one that shrinks and
    grows back, one of weights 1. Inputs are drawn positive: the ReLU is the identity.
    """
    found: dict[str, list[float]] = {"balanced": [], "growing middle": []}
    layers = np.arange(size + 1)[:, None]
    middle = np.minimum(layers, size - layers) * (2 / size)
    for _ in range(seeds):
        rates = np.array([1.0, *generator.uniform(-1, 0.5, 2)]) * (layers / size)
        squares = generator.uniform(0.9, 1.1, 3) ** 2
        for name, powers in (
            ("balanced", rates),
            ("growing middle", middle * np.array([1.0, -1.0, 0.0])),
        ):
            gains = np.exp(2 * np.log(size) * powers)  # squared, from the input to each layer
            before, behind = gains[:-1] * squares, gains[-1] / gains[1:]
            found[name].append(float((before.sum(1) * behind.sum(1)).mean()))
    return {name: np.array(values) for name, values in found.items()}


BALANCED = Claim(
    "j23.narrow.diagonal",
    Kind.RATE,
    printed("Section 4.1, first sentence; Appendix C"),
    "blowing up Jacobians of diagonal networks",
    r"Not printed: of diagonal networks, balanced or with Jacobians that grow in the middle alone, "
    r"$\frac1L\mathrm{Tr}\,\Theta^{(L)}(x,x)$ grows at least like the square of "
    r"$\sup_\ell\lVert J\tilde\alpha_\ell(x)\rVert_{op}$, which is $L$.",
    depends=("j23.ntktrace@BB",),
    through="diagonal networks of known traces are fitted "
    "(docs/mathematics/j23.md#explicit-traces)",
    rate=Rate(
        "depth L",
        ((64, 1024, 16384), (64, 1024, 16384), (64, 256, 1024, 4096, 16384, 65536)),
        (8, 12, 24),
        shares,
        (
            # L^(2 - 2/L) times 1 + c / log L, c about 1, from pairs of neurons: slopes are below
            # 2 by about c / (log L)^2, which is 0.06 at the smallest sizes
            Claimed("balanced", Fraction(2), None, Fraction(1, 10)),
            Claimed("growing middle", Fraction(2), None),
        ),
        ("diagonal ReLU networks of width 3 at positive inputs", "the kernel over the weights"),
    ),
)

CLAIMS = (NOT_SMALLER, UPPER, LOWER, NARROW, BALANCED)
