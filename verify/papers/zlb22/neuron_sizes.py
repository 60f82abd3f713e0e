"""Lemmas K.2 and K.3: how large neurons are, and the vectors of incoming neurons.

A family is given by exponents. In hidden layer l the activations grow like |z|^r_l, and there are
of the order of exp(m^a_l) neurons, or polynomially many where a_l is 0; every neuron has in-degree
m from layer 2 on, so that a layer has no more of them than m times those of the next, which read
it. Given the layer below, the pre-activations of a layer are independent Gaussian numbers whose
variance is a mean of squares over m neurons, which stays between two constants. So |f| > K (log
m)^s has the probability exp(-c K^(2/r) (log m)^(2s/r)) at one neuron, which is below exp(-C log^2
m) for large K if and only if s >= r: the order of a neuron at that probability is (log m)^r. And
the largest of exp(m^a) neurons is of the order m^(a r/2), with a probability that tends to 1. Both
are lower bounds of what the lemma speaks of, so that they refute it where they exceed it.
What they do not refute is measured in the ball as well (layer_rates).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.deep_scene import RealScene, RealTensors, as_real
from verify.hypotheses import Hypothesis, by_case
from verify.papers.j23.quantities import each_case
from verify.papers.zlb22.digraphs import Labelled
from verify.papers.zlb22.layer_rates import measured_rates
from verify.papers.zlb22.sources import printed
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

ZERO = Fraction(0)
HIGHEST = 4  # of the growth of activations that are drawn


# Lemma K.2 ----------------------------------------------------------------------------------------
def powers_left(allowed: Callable[[int], int], case: Tensors) -> Labelled:
    """For each layer, allowed minus found: the power of m, and where that is 0 the power of the
    logarithm. allowed: the printed power of log m in a layer."""
    found: Labelled = []
    pairs = zip(case.arrays["r"].entries, case.arrays["a"].entries, strict=True)
    for layer, (growth, number) in enumerate(pairs, 1):
        found.append(({"layer": layer, "part": "power"}, -growth * number / 2))
        if growth * number == 0:
            left = Fraction(allowed(layer)) - growth
            found.append(({"layer": layer, "part": "logarithm"}, left))
    return found


def printed_power(layer: int) -> int:
    """(log m + R)^l."""
    return layer


def squared_power(layer: int) -> int:
    """(log m + R)^(2^l)."""
    return int(2**layer)


def size_slack(scene: RealScene, allowed: Callable[[int], int]) -> Entries:
    """For every layer."""
    return each_case(partial(powers_left, allowed), scene)


def _with(case: Tensors, name: str, change: Callable[[Fraction], Fraction]) -> Tensors:
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=tuple(map(change, array.entries)))})


def _family(case: Tensors, random: Random) -> RealTensors:
    """Growths that are integers, and numbers of neurons of at least one."""
    growth = case.arrays["r"]
    entries = tuple(Fraction(random.randint(0, HIGHEST)) for _ in growth.entries)
    case = case.changing(r=replace(growth, entries=entries, held=True))
    return as_real(_with(case, "a", abs), random)


def _grows_at_most(most: int, case: Tensors) -> bool:
    return all(entry in range(most + 1) for entry in case.arrays["r"].entries)


def _tamed(most: int, case: Tensors, random: Random) -> Tensors:
    if _grows_at_most(most, case):
        return case
    return _with(case, "r", lambda entry: min(Fraction(most), abs(entry)))


def _wild(most: int, case: Tensors, random: Random) -> Tensors:
    array = case.arrays["r"]
    entries = (Fraction(most + 1), *array.entries[1:])
    return case.changing(r=replace(array, entries=entries))


def growth(most: int, words: str) -> Hypothesis:
    """What Assumption 3.2 allows."""
    return Hypothesis(
        f"growth at most {most}",
        words,
        by_case(partial(_grows_at_most, most)),
        partial(_tamed, most),
        partial(_wild, most),
    )


SMOOTH = growth(
    2,
    r"Assumption 3.2, both inequalities: $\sigma'$ and $\sigma''$ are Lipschitz, so $\sigma$ grows "
    r"at most like $z^2$, which is allowed: $r_\ell\in\{0,1,2\}$",
)
LIPSCHITZ = growth(
    1,
    r"Assumption 3.2, the words: $\sigma$ and $\sigma'$ are Lipschitz, so $\sigma$ grows at most "
    r"like $z$: $r_\ell\in\{0,1\}$",
)


def _polynomial(case: Tensors) -> bool:
    return not any(case.arrays["a"].entries)


def _many(case: Tensors, random: Random) -> Tensors:
    number = Fraction(random.randint(1, 4), 4)
    case = _with(case, "a", lambda entry: number)
    return _with(case, "r", lambda entry: max(entry, Fraction(1)))


POLYNOMIAL = Hypothesis(
    "polynomially many neurons",
    "the neurons spoken of are polynomially many, as those are on which one neuron depends "
    "(Proposition I.1): $a=0$",
    by_case(_polynomial),
    lambda case, random: _with(case, "a", lambda entry: ZERO),
    _many,
)


def _as_many_behind(case: Tensors) -> bool:
    numbers = case.arrays["a"].entries
    return min(numbers) >= 0 and all(before <= after for before, after in pairwise(numbers))


def _read_by_as_many(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["a"]
    return case.changing(a=replace(array, entries=tuple(accumulate(map(abs, array.entries), max))))


NUMBERS = Hypothesis(
    "a number of neurons",
    r"$0\le a_1\le a_2\le\dots$: each neuron of these hidden layers is read by one behind it, of "
    r"in-degree $m$ (else it would be an output in an inner layer)",
    by_case(_as_many_behind),
    _read_by_as_many,
)
FAMILIES = TensorPool((("r", ("L",)), ("a", ("L",))), largest=4, adapt=_family)


# Lemma K.3 ----------------------------------------------------------------------------------------
def norm_slack(scene: RealScene) -> Entries:
    """n max f_i^2 - |f|^2 for the vector f of n incoming neurons."""
    vector = scene["f"]
    squares, count = vector * vector, vector.shape[1]
    largest = squares[:, 0]
    for k in range(1, count):
        largest = scene.arithmetic.maximum(largest, squares[:, k])
    return scene.compare(scene.share(largest, count), squares.sum(1))


def norm_by_largest() -> Argument:
    """n M - sum f_i^2 = sum (M - f_i^2), by one more entry at a time."""
    ring = ring_of(4)
    count, largest, total, entry = ring.generators
    more = (count + 1) * largest - (total + entry * entry)
    parts = (count * largest - total) + (largest - entry * entry)
    return Argument(
        "each entry adds M - f_i^2 to the slack, which is at least 0 for the largest square M",
        (Step("(n + 1) M - (s + f^2) = (n M - s) + (M - f^2)", ring.is_zero(more - parts)),),
        ("induction over the entries",),
        "norm_slack",
        (),
    )


# claims -------------------------------------------------------------------------------------------
STATEMENT = (
    r"For each $\ell$, with probability at least $1-\exp(-C\log^2m)$, in the ball "
    r"$\mathsf B(w_0,R)$ the absolute value of all neurons in $\mathcal P^{(\ell)}$ is "
    r"$O((\log m+R)^{%s})$."
)
PROFILE = (
    r"Families of layered networks with in-degree $m$ from layer 2 on, activations of growth "
    r"$|z|^{r_\ell}$ and $\exp(m^{a_\ell})$ neurons in hidden layer $\ell$ (polynomially many for "
    r"$a_\ell=0$), at the centre of the ball"
)
SETS = {
    "A": "all neurons of the network in layers $0$ to $\\ell$",
    "B": "the neurons on which a given $f_k$ depends",
}


def _claim(
    middle: str,
    letter: str,
    assumption: Hypothesis,
    allowed: Callable[[int], int] = printed_power,
    repairs: str | None = None,
) -> Claim:
    words = "both inequalities" if assumption is SMOOTH else "the words"
    mended = allowed is squared_power
    many = (POLYNOMIAL,) if letter == "B" else ()
    lipschitz = assumption is LIPSCHITZ
    measured = many and (lipschitz or mended)
    ladder = measured_rates("A", "neurons", lipschitz=lipschitz) if measured else None
    return Claim(
        f"zlb22.lemK.2{middle}@{letter}" + (".fix" if mended else ""),
        Kind.INEQUALITY,
        printed("Lemma K.2"),
        "size of all neurons" + (", a larger power of the logarithm" if mended else ""),
        STATEMENT % (r"2^\ell" if mended else r"\ell"),
        (NUMBERS, assumption, *many),
        ("zlb22.lemK.4", f"zlb22.ass3.2@{'A' if assumption is SMOOTH else 'B'}"),
        partial(size_slack, allowed=allowed),
        FAMILIES,
        letter,
        f"{SETS[letter]}; Assumption 3.2 as {words}. {PROFILE}",
        repairs=repairs,
        exact_only=True,
        exponents=ladder,
    )


CLAIMS = (
    _claim("", "A", SMOOTH),
    _claim("", "B", SMOOTH),
    _claim("", "B", SMOOTH, squared_power, "zlb22.lemK.2@B"),
    _claim(".lipschitz", "A", LIPSCHITZ),
    _claim(".lipschitz", "B", LIPSCHITZ),
    Claim(
        "zlb22.lemK.3.norm",
        Kind.INEQUALITY,
        printed("proof of Lemma K.3"),
        "norm of the incoming neurons by the largest one",
        r"$\lVert f_{S^{(\ell)}_k}\rVert\le\sqrt{m^{(\ell)}_k}\,\max_i|f_i|$.",
        measure=norm_slack,
        pool=TensorPool((("f", ("n",)),), adapt=as_real),
        proof=norm_by_largest,
    ),
)
