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

from fractions import Fraction
from random import Random

import numpy as np

from graphs.arithmetic import Array
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.core.claim import Claim, Kind
from verify.kinds.deep.hypotheses import NO_BIASES, RELU, SMOOTH, with_number
from verify.kinds.deep.networks import Deep, deep
from verify.kinds.deep.pool import pool
from verify.kinds.deep.scene import DeepScene
from verify.kinds.statistics.rate import Claimed, Rate
from verify.papers.j23.jacobian_differences import across_kinks
from verify.papers.j23.lipschitz_constants import of_those
from verify.papers.j23.sources import printed

NETWORKS = pool(biases=False)
RECODED = pool(points=(2,), whole=(("g", -1, 2),), depths=(1, 2, 2, 3), widest=2, last=across_kinks)
DEEPER = pool(whole=(("more", 0, 4),), depths=(2, 2, 3), widest=2)
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
    rows = [weight.tolist() for weight in weights]
    points = case.matrix("X").tolist()
    return deep(rows, [bias.tolist() for bias in biases], points, case.number("a"))


# hypotheses ---------------------------------------------------------------------------------------
def _not_constant(case: Deep) -> bool:
    outputs = case.exact.outputs[0]
    return bool((outputs != outputs[0]).any())


def _constant(case: Deep, random: Random) -> Deep:
    """The last weights 0."""
    name = f"W{case.depth}"
    return case.with_array(name, case.matrix(name) * 0)


NOT_CONSTANT = Hypothesis(
    "not constant",
    r"$f$ is not constant: here its outputs at two of the points differ",
    by_case(_not_constant),
    break_=_constant,
)
GROWING = Hypothesis(
    "growing Jacobian",
    r"$\sup_\ell\lVert J\tilde\alpha_\ell(x)\rVert_{op}\to\infty$: here it is at least "
    r"$\sqrt2L^g$ with $g\ge1$",
    by_case(lambda case: case.whole("g") >= 1),
    lambda case, random: with_number(case, "g", max(1, case.whole("g"))),
    lambda case, random: with_number(case, "g", random.choice((0, -1))),
)


# measures -----------------------------------------------------------------------------------------
def exponent_of_the_share(scene: DeepScene) -> Entries:
    """The e for which Tr Theta^(L)(x, x) / L is of order L^e along the sequence recoded at x, the
    first point: -1 for what does not depend on L, -2 g for the layers put in where Jf(x) != 0."""
    steep = [bool(case.exact.jacobian(0).any()) for case in scene.cases]
    powers = scene.whole("g")
    orders = [max(-1, -2 * int(g)) if s else -1 for g, s in zip(powers, steep, strict=True)]
    return scene.compare(scene.numbers(orders), scene.constant(0))


def linear_slack(scene: DeepScene) -> Entries:
    """C L - Tr Theta^(L)(x, x) at the first point, of the network with identities, all parameters.
    C: the trace before, plus the term of one of them. Their pre-activations may be 0, where the
    slope is taken to be 1: with another one the trace is smaller."""
    if scene.depth < 2:
        zeros = scene.numbers([0] * len(scene.cases))
        return of_those(scene.compare(zeros, zeros), np.zeros(len(scene.cases), dtype=bool))
    left: list[object] = []
    right: list[object] = []
    for case in scene.cases:
        found, more = case.exact, case.whole("more")
        layer = (found.square(found.post(1)[:, 0]) + found.constant(1)) * found.frobenius_squared(
            found.from_post(1)
        )
        constant = found.kernel_trace(0, biases=True) + layer
        left.append((constant * found.constant(case.depth + more))[0])
        right.append(with_identities(case, more).exact.kernel_trace(0, biases=True)[0])
    return scene.compare(_array(left), _array(right))


def _array(values: list[object]) -> Array:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def homogeneous_slack(scene: DeepScene) -> Entries:
    """(Tr Theta(x, x) / L)^L - |x|^2 |f(x)|^(2 L - 2) at each point, the kernel over the weights
    alone."""
    parts = []
    for at in range(scene.count):
        mean = scene.share(scene.kernel_trace(at, biases=False), 1) / scene.depth
        left, right = mean, scene.square(scene.points[:, at])
        for _ in range(scene.depth - 1):
            left, right = left * mean, right * scene.square(scene.outputs[:, at])
        parts.append(({"point": at}, left, right))
    return scene.parts(parts)


# a linear scaling ---------------------------------------------------------------------------------
RECODING = (
    r"the order of $\mathrm{Tr}\,\Theta^{(L)}(x,x)$ along a sequence of networks recoded at $x$ "
    "is worked out (docs/mathematics/j23.md#recoded-networks)"
)
NOT_SMALLER = Claim(
    "j23.ntklinear@A",
    Kind.INEQUALITY,
    printed(PLACE),
    "no smaller kernel than linear in the depth",
    r"It is not possible to represent non-trivial functions with a smaller NTK "
    r"$\Theta^{(L)}\ll L$: here along sequences $\theta_L$ that represent $f$, recoded at $x$ with "
    r"$t=L^g$, where $\frac1L\mathrm{Tr}\,\Theta^{(L)}(x,x)$ is of order $L^e$, that $e\ge0$.",
    (RELU, SMOOTH, NOT_CONSTANT),
    ("j23.ntktrace@BA.fix",),
    exponent_of_the_share,
    RECODED,
    "A",
    "non-trivial: not constant",
    exact_only=True,
    through=RECODING,
    why="a first layer that magnifies the inputs near $x$ by $L$ and layers of identities behind "
    r"it, from which $f$ is read back, have a kernel at $x$ that stays bounded as $L\to\infty$",
)
UPPER = Claim(
    "j23.ntklinear.upper",
    Kind.INEQUALITY,
    printed(PLACE),
    "a kernel linear in the depth",
    r"One can find parameters that learn a function with a NTK that scales linearly in depth: with "
    r"$L-M$ identities behind the first layer of a ReLU network of depth $M$, "
    r"$\mathrm{Tr}\,\Theta^{(L)}(x,x)\le CL$, where $C$ is "
    r"$\mathrm{Tr}\,\Theta^{(M)}(x,x)$ plus the term of one such layer.",
    (RELU, SMOOTH),
    ("j23.ntktrace@BA.fix",),
    linear_slack,
    DEEPER,
    exact_only=True,
    through="explicit networks, with identities behind the first layer, are the parameters that "
    "one can find (docs/mathematics/j23.md#explicit-traces)",
)
LOWER = Claim(
    "j23.ntklinear@A.fix",
    Kind.INEQUALITY,
    printed(PLACE),
    "no smaller kernel without biases",
    r"ReLU networks without biases have "
    r"$\mathrm{Tr}\,\Theta^{(L)}(x,x)\ge L\lVert x\rVert^{2/L}\lVert f(x)\rVert^{2-2/L}$, "
    r"whatever their parameters.",
    (RELU, NO_BIASES),
    ("j23.ntktrace@BB",),
    homogeneous_slack,
    NETWORKS,
    "A",
    r"non-trivial: $f(x)\ne0$; the kernel is summed over the weights alone, which is the smaller",
    repairs="j23.ntklinear@A",
)

# large Jacobians inside --------------------------------------------------------------------------
NARROW = Claim(
    "j23.narrow",
    Kind.INEQUALITY,
    printed("Section 4.1, first sentence; Appendix C"),
    "blowing up Jacobians and narrow minima",
    r"Solutions with a blowing up Jacobian $J\tilde\alpha_\ell(x)$ correspond to very narrow local "
    r"minima: here along sequences $\theta_L$ recoded at $x$ with $t=L^g$, where "
    r"$\frac1L\mathrm{Tr}\,\Theta^{(L)}(x,x)$ is of order $L^e$, that $e\ge0$.",
    (RELU, SMOOTH, GROWING),
    ("j23.ntktrace@BA.fix",),
    exponent_of_the_share,
    RECODED,
    exact_only=True,
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
