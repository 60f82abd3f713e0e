"""Steps (54) to (56) of the proof of Lemma 13, on laws of spectra and numbers alpha.

(54) and (55) are linear in the expectations of |lambda|_2^2 and |lambda|_3^3, for a given alpha:
they are looked at for every law of finite support on spectra and every alpha < 1, (55) as an
implication (by itself it is in verify.papers.dkbhl20.frobenius_bound). (55) is multiplied by
(1 - alpha)^2. (56) is squared; the double sum is A as it stands, with lambda_i^3 inside the sum
over j, or B with lambda_j^3.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import numpy as np

from graphs.arithmetic import RATIONALS, Array, as_fraction
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_scene
from verify.normalised_hypotheses import NON_NEGATIVE, TRACE_D, at_least_zero, vanishing
from verify.normalised_pool import spectrum, with_entries
from verify.normalised_scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.lemma13_proofs import (
    always_positive,
    cubes_from_mended,
    products_of_sums,
)
from verify.papers.dkbhl20.matrix_laws import LAW, MOST_POINTS
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.spectra import SPECTRA, total_of_powers
from verify.tensor_pool import TensorPool
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

AXES = ("s", "d")


# laws on spectra ----------------------------------------------------------------------------------
def _spectra_of(case: Chained) -> list[list[Fraction]]:
    array = case.arrays["spectra"]
    return [
        list(array.entries[k : k + array.shape[1]])
        for k in range(0, len(array.entries), array.shape[1])
    ]


def _with_spectra(case: Chained, spectra: list[list[Fraction]]) -> Chained:
    entries = tuple(entry for row in spectra for entry in row)
    shape = (len(spectra), len(spectra[0]))
    return case.changing(spectra=Tensor(AXES, shape, entries, held=True))


def _law(case: Tensors, random: Random) -> Chained:
    """At most two spectra, often of the menu; alpha in its neighbourhood."""
    made = as_chain(case, random)
    count = min(made.lengths["s"], MOST_POINTS)
    spectra = _spectra_of(made)[:count]
    if random.random() < 0.7:
        spectra = [spectrum(made.lengths["d"], random) for _ in spectra]
    shape = (count, made.lengths["d"])
    made = Chained(
        {
            "spectra": Tensor(AXES, shape, tuple(x for row in spectra for x in row)),
            "probs": Tensor(("s",), (count,), made.arrays["probs"].entries[:count]),
            "alpha": made.arrays["alpha"],
        },
        family=case.family,
    )
    if random.random() < 0.7:
        made = with_entries(made, "alpha", [Fraction(random.randint(-2, 9), 10)])
    return made


LAWS = TensorPool((("spectra", AXES), ("probs", ("s",)), ("alpha", ())), (), 4, _law)


def mean_of_powers(scene: ChainScene, power: int) -> Array:
    """(C,): E sum_i lambda_i^power."""
    spectra, probabilities = scene["spectra"], scene["probs"]
    total = scene.constant(0)
    for number in range(spectra.shape[1]):
        lam = spectra[:, number]
        product = lam
        for _ in range(power - 1):
            product = product * lam
        total = total + probabilities[:, number] * product.sum(1)
    return total


def _repaired(case: Chained, random: Random) -> Chained:
    """Spectra that are not numbers at least 0 of sum d are scaled, or drawn anew."""
    fixed = []
    for row in _spectra_of(case):
        sizes = [abs(entry) for entry in row]
        total = sum(sizes)
        fixed.append([x * len(row) / total for x in sizes] if total else spectrum(len(row), random))
    return _with_spectra(case, fixed)


def _changed(case: Chained, factor: int, random: Random) -> Chained:
    """A spectrum times a factor, below 0 with its sum kept; often for alpha near 1."""
    if random.random() < 0.5:
        case = with_entries(case, "alpha", [Fraction(99, 100)])
    spectra = _spectra_of(case)
    place = random.randrange(len(spectra))
    spectra[place] = [entry * factor for entry in spectra[place]]
    if factor < 0:
        total = sum(spectra[place])
        spectra[place][0] += len(spectra[place]) - total
    return _with_spectra(case, spectra)


NOT_NEGATIVE = Hypothesis(
    "eigenvalues at least 0 on the support",
    r"$\lambda_i\ge0$ for each spectrum of the support",
    by_scene(lambda scene: at_least_zero(scene, scene["spectra"])),
    lambda case, random: (
        case if min(case.arrays["spectra"].entries) >= 0 else _repaired(case, random)
    ),
    lambda case, random: _changed(case, -2, random),
    thin=True,
)
TRACES_D = Hypothesis(
    "trace d on the support",
    r"$\sum_i\lambda_i=d$ for each spectrum of the support",
    by_scene(
        lambda scene: vanishing(
            scene, scene["spectra"].sum(2) - scene.arithmetic.array([scene.width])
        )
    ),
    lambda case, random: (
        case if all(sum(row) == len(row) for row in _spectra_of(case)) else _repaired(case, random)
    ),
    lambda case, random: _changed(case, random.choice((2, 3)), random),
    thin=True,
)


def _below_1(scene: ChainScene) -> np.ndarray:
    return np.asarray(scene.arithmetic.is_negative(scene["alpha"] - scene.constant(1)))


ALPHA_BELOW_1 = Hypothesis(
    "alpha below 1",
    r"$\alpha<1$",
    by_scene(_below_1),
    lambda case, random: (
        case
        if case.number("alpha") < 1
        else with_entries(case, "alpha", [Fraction(random.randint(0, 9), 10)])
    ),
    lambda case, random: with_entries(case, "alpha", [Fraction(random.choice((1, 2, 3)))]),
)


# (54), (55) ---------------------------------------------------------------------------------------
def display_54(scene: ChainScene, *, sign: int) -> Array:
    """(C,): 2 d^2 - E[2 |l|_2^2 - sign 8 (1 - alpha) |l|_3^3]; sign 1 as printed."""
    rest = scene.constant(1) - scene["alpha"]
    cubes = scene.share(rest * mean_of_powers(scene, 3), 8 * sign)
    squares = scene.share(mean_of_powers(scene, 2), 2)
    return scene.constant(2 * scene.width**2) - squares + cubes


def slack_54(scene: ChainScene) -> Entries:
    """The right side of (54)."""
    return scene.compare(display_54(scene, sign=1), scene.constant(0))


def slack_55(scene: ChainScene, *, factor: int) -> Entries:
    """d^2 / (1 - alpha) - factor E |l|_3^3, times (1 - alpha)^2."""
    rest = scene.constant(1) - scene["alpha"]
    left = scene.share(rest, scene.width**2)
    return scene.compare(left, scene.share(rest * rest * mean_of_powers(scene, 3), factor))


def _raised(case: Chained, random: Random, *, sign: int) -> Chained:
    """alpha so large that (54) with this sign holds, where one below 1 is."""
    scene = Chained.scene([case], RATIONALS)
    if not scene.arithmetic.is_negative(display_54(scene, sign=sign))[0]:
        return case
    case = _repaired(LAW.repair(case, random), random)
    scene, d = Chained.scene([case], RATIONALS), scene.width
    squares, cubes = (as_fraction(mean_of_powers(scene, k)[0]) for k in (2, 3))
    if cubes <= 0 or squares >= d * d:
        case = _with_spectra(case, [[Fraction(1)] * d for _ in _spectra_of(case)])
        squares = cubes = Fraction(d)
    rest = Fraction(d * d - squares, 4 * cubes)  # 0 for d = 1, where no alpha below 1 will do
    share = random.choice((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(3, 4)))
    return with_entries(case, "alpha", [1 - rest * share])


def _display(sign: int) -> Hypothesis:
    mark = {1: "-", -1: "+"}[sign]
    return Hypothesis(
        "(54)" if sign == 1 else "(54) with the sign mended",
        r"$0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2"
        rf"{mark}8(1-\alpha)\lVert\lambda\rVert_3^3]$",
        by_scene(lambda scene: at_least_zero(scene, display_54(scene, sign=sign))),
        partial(_raised, sign=sign),
        lambda case, random: with_entries(
            case, "alpha", [1 + sign * Fraction(random.choice((4, 10, 20)))]
        ),
    )


AS_PRINTED, MENDED = _display(1), _display(-1)
SUPPOSED = (LAW, NOT_NEGATIVE, TRACES_D, ALPHA_BELOW_1)

SPECTRAL = Claim(
    "dkbhl20.lem13_53.d",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (54)"),
    "the inequality in terms of the spectrum",
    r"$0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2-8(1-\alpha)\lVert\lambda\rVert_3^3]$ (here for "
    r"every law on spectra and every $\alpha<1$).",
    SUPPOSED,
    measure=slack_54,
    pool=LAWS,
    proof=always_positive,
)

CUBES = Claim(
    "dkbhl20.lem13_53.e.from54",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (55)"),
    "bound on the cubes, as a step from (54)",
    r"From (54): $\mathbb E\lVert\lambda\rVert_3^3\le d^2/(1-\alpha)$ (here for every law on "
    r"spectra and every $\alpha<1$).",
    (*SUPPOSED, AS_PRINTED),
    ("dkbhl20.lem13_53.d",),
    partial(slack_55, factor=1),
    LAWS,
)

CUBES_REPAIRED = Claim(
    "dkbhl20.lem13_53.e.from54.fix",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (55)"),
    "bound on the cubes, as a step from (54), repaired",
    r"From $0\le2d^2-\mathbb E[2\lVert\lambda\rVert_2^2+8(1-\alpha)\lVert\lambda\rVert_3^3]$: "
    r"$\mathbb E\lVert\lambda\rVert_3^3\le\frac14d^2/(1-\alpha)$.",
    (*SUPPOSED, MENDED),
    ("dkbhl20.lem13_53.d",),
    partial(slack_55, factor=4),
    LAWS,
    repairs="dkbhl20.lem13_53.e.from54",
    proof=cubes_from_mended,
)


# (56) ---------------------------------------------------------------------------------------------
def slack_56(scene: ChainScene) -> Entries:
    """Both inequalities of (56), squared."""
    middle = total_of_powers(scene, 1) * total_of_powers(scene, 3)
    square = total_of_powers(scene, 2)
    last = scene.share(total_of_powers(scene, 3), scene.width)
    return scene.parts(
        [({"part": "first"}, middle, square * square), ({"part": "second"}, last, middle)]
    )


NORMS = Claim(
    "dkbhl20.lem13_53.f@B",
    Kind.INEQUALITY,
    printed("proof of Lemma 13, eq. (56)"),
    "squares by cubes",
    r"$\lVert\lambda\rVert_2^2=\sum_i\lambda_i^2=\sum_i\lambda_i^{1/2}\lambda_i^{3/2}\le"
    r"\sqrt{\sum_i\lambda_i\sum_j\lambda_j^3}\le\sqrt{d\lVert\lambda\rVert_3^3}$.",
    (NON_NEGATIVE, TRACE_D),
    measure=slack_56,
    pool=SPECTRA,
    reading="B",
    reading_text=r"the double sum is $\sum_i\lambda_i\sum_j\lambda_j^3$",
    proof=products_of_sums,
)

CLAIMS = (SPECTRAL, CUBES, CUBES_REPAIRED, NORMS)
