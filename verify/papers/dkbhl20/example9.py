"""Example 9, what its details say of the spectrum: (78), and delta_F in (79).

lambda_1 = d - t (d - 1) and lambda_i = s t otherwise, t = gamma^2; printed is s = 1, and the trace
is kept: lambda_1 = d - s t (d - 1). Norms are polynomials in t and d. "Approximately, all small
terms o(gamma^2) omitted" says that the coefficients of t^0 and t^1 are those printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from graphs.rings import Ring, ring_of
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensor, Tensors
from verify.core.argument import Argument, Step
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.scene import Chained, ChainScene, as_chain
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.symbols import same
from verify.statements.quantities import both_sides, with_entries

LEAST = 6  # 4 (d - 1)(2 d - 1) >= 6 d for d >= 2, with equality at d = 2


# polynomials in t = gamma^2 and d, with s ---------------------------------------------------------
def spectrum_ring() -> tuple[Ring, Any, Any, Any]:
    """The ring, and t, d, s."""
    ring = ring_of(3)
    return ring, *ring.generators


def norms(ring: Ring) -> dict[str, Any]:
    """|l|_2^2, |l|_3^3 and |l|_2^4."""
    t, d, s = ring.generators
    large, small = d - s * t * (d - 1), s * t
    square = large * large + (d - 1) * small * small
    cube = large * large * large + (d - 1) * small * small * small
    return {"square": square, "cube": cube, "fourth": square * square}


def printed_norms(ring: Ring, *, mended: bool) -> dict[str, Any]:
    """The right sides of (78); mended: with d - 1 beside gamma^2, the number of small ones."""
    t, d, _ = ring.generators
    count = d - 1 if mended else d * 0 + 1
    return {
        "square": d * d - 2 * t * d * count,
        "cube": d * d * d - 3 * t * d * d * count,
        "fourth": d * d * d * d - 4 * t * d * d * d * count,
    }


def change_times_d(ring: Ring) -> Any:
    """d delta_F(lambda) = 2 d^3 - 2 d |l|_2^2 - 8 d |l|_3^3 + 8 |l|_2^4."""
    d, found = ring.generators[1], norms(ring)
    return 2 * d * d * d - 2 * d * found["square"] - 8 * d * found["cube"] + 8 * found["fourth"]


def by_order(ring: Ring, polynomial: Any, s: Fraction, order: int) -> dict[int, Fraction]:
    """The coefficient of t^order at this s, a polynomial in d: by exponent, none of them 0."""
    found: dict[int, Fraction] = {}
    for (in_t, in_d, in_s), coefficient in ring.terms(polynomial).items():
        if in_t == order:
            found[in_d] = found.get(in_d, Fraction(0)) + coefficient * s**in_s
    return {exponent: coefficient for exponent, coefficient in found.items() if coefficient}


def value_at(polynomial: Mapping[int, Fraction], d: int) -> Fraction:
    """Its value at d."""
    return sum((c * Fraction(d) ** k for k, c in polynomial.items()), Fraction(0))


# measures -----------------------------------------------------------------------------------------
Sides = list[tuple[dict[str, Any], Fraction, Fraction]]


def expansions(scene: ChainScene, *, mended: bool) -> Entries:
    """The coefficients of gamma^0 and gamma^2 of the three norms, minus those printed."""
    ring, *_ = spectrum_ring()
    found, said = norms(ring), printed_norms(ring, mended=mended)

    def sides(case: Tensors) -> Sides:
        rows: Sides = []
        for part, polynomial in found.items():
            for order in (0, 1):
                label = {"part": f"{part}, order {2 * order}"}
                left, right = (
                    value_at(by_order(ring, side, case.number("s"), order), case.whole("d"))
                    for side in (polynomial, said[part])
                )
                rows.append((label, left, right))
        return rows

    return both_sides(sides, scene)


def _change(scene: ChainScene, rule: Any) -> Entries:
    """An entry for the coefficient of gamma^0 of d delta_F, and one of that of gamma^2."""
    ring, *_ = spectrum_ring()
    polynomial = change_times_d(ring)

    def sides(case: Tensors) -> Sides:
        s, d = case.number("s"), case.whole("d")
        zeroth, first = (by_order(ring, polynomial, s, order) for order in (0, 1))
        rows: Sides = [({"part": "order 0"}, Fraction(0), abs(value_at(zeroth, d)))]
        return [*rows, ({"part": "order 2"}, *rule(first, d))]

    return both_sides(sides, scene)


def falls(scene: ChainScene) -> Entries:
    """-d times the coefficient - 6 d^3."""
    return _change(scene, lambda first, d: (-value_at(first, d), LEAST * Fraction(d) ** 3))


# hypotheses ---------------------------------------------------------------------------------------
def _with_width(case: Chained, width: int) -> Chained:
    return case.changing(d=Tensor((), (), (Fraction(width),), integer=True))


WIDTH = Hypothesis(
    "d at least 2",
    r"$d\ge2$: there are small eigenvalues",
    by_case(lambda case: case.whole("d") >= 2),
    lambda case, random: case if case.whole("d") >= 2 else _with_width(case, random.randint(2, 6)),
    lambda case, random: _with_width(case, 1),
)
PRINTED_SPECTRUM = Hypothesis(
    "small eigenvalues gamma^2",
    r"$\lambda_2=\dots=\lambda_d=\gamma^2$ (else $s\gamma^2$), "
    r"$\lambda_1=d-\gamma^2(d-1)$ (else $d-s\gamma^2(d-1)$)",
    by_case(lambda case: case.number("s") == 1),
    lambda case, random: with_entries(case, "s", [Fraction(1)]),
    lambda case, random: with_entries(case, "s", [Fraction(random.choice((0, 1, 3)), 2)]),
    thin=True,
)


def _menu(case: Tensors, random: Random) -> Chained:
    made = as_chain(case, random)
    return with_entries(made, "s", [Fraction(1)]) if random.random() < 0.5 else made


SPECTRA = TensorPool((("s", ()),), (("d", 1, 12),), 1, _menu)
SUPPOSED = (WIDTH, PRINTED_SPECTRUM)


# arguments ----------------------------------------------------------------------------------------
def _coefficient(ring: Ring, polynomial: Any, order: int) -> Any:
    """The coefficient of t^order at s = 1, as a polynomial in d."""
    d, total = ring.generators[1], ring.constant(Fraction(0))
    for exponent, coefficient in by_order(ring, polynomial, Fraction(1), order).items():
        power = ring.constant(coefficient)
        for _ in range(exponent):
            power = power * d
        total = total + power
    return total


IN_POWERS = "equal up to small terms o(gamma^2): the coefficients of gamma^0 and gamma^2 are"


def mended_expansions() -> Argument:
    """(78) with d - 1 small eigenvalues, for every d."""
    ring, *_ = spectrum_ring()
    found, said = norms(ring), printed_norms(ring, mended=True)
    steps = [
        Step(
            f"{part}: the coefficients of gamma^{2 * order} agree as polynomials in d",
            not by_order(ring, polynomial - said[part], Fraction(1), order),
        )
        for part, polynomial in found.items()
        for order in (0, 1)
    ]
    return Argument(
        "the norms are polynomials in gamma^2 and d, and agree to the order gamma^2",
        tuple(steps),
        (IN_POWERS,),
        "expansions(mended=True)",
        ("small eigenvalues gamma^2",),
        section="docs/mathematics/dkbhl20.md#example-9-as-printed",
    )


def _factors() -> tuple[Ring, Any, tuple[Step, ...]]:
    ring, _, d, _ = spectrum_ring()
    change = change_times_d(ring)
    zeroth, first = (_coefficient(ring, change, order) for order in (0, 1))
    return (
        ring,
        d,
        (
            Step("delta_F has no term of order 1", ring.is_zero(zeroth)),
            same(
                ring,
                "d times its coefficient of gamma^2 is -4 d^2 (d - 1)(2 d - 1)",
                first,
                -4 * d * d * (d - 1) * (2 * d - 1),
            ),
        ),
    )


def falls_for_every_width() -> Argument:
    """(79), with the constant 6."""
    ring, d, steps = _factors()
    last = same(
        ring,
        "4 d^2 (d - 1)(2 d - 1) - 6 d^3 = 2 d^2 (d - 2)(4 d - 1)",
        4 * d * d * (d - 1) * (2 * d - 1) - LEAST * d * d * d,
        2 * d * d * (d - 2) * (4 * d - 1),
    )
    return Argument(
        "gamma^2 delta_F = -4 gamma^4 d (d - 1)(2 d - 1) + O(gamma^6), there at most "
        "-6 gamma^4 d^2",
        (*steps, last),
        ("for d >= 2 both factors are at least 0", IN_POWERS),
        "falls",
        ("d at least 2", "small eigenvalues gamma^2"),
        section="docs/mathematics/dkbhl20.md#example-9-as-printed",
    )


# claims -------------------------------------------------------------------------------------------
NORMS = (
    r"$\lVert\lambda\rVert_2^2\approx d^2-2\gamma^2d{0}$, "
    r"$\lVert\lambda\rVert_3^3\approx d^3-3\gamma^2d^2{0}$, "
    r"$\lVert\lambda\rVert_2^4\approx d^4-4\gamma^2d^3{0}$ (terms $o(\gamma^2)$ omitted)."
)


def _norms(*, mended: bool) -> Claim:
    return Claim(
        "dkbhl20.ex9.d" + ".fix" * mended,
        Kind.IDENTITY,
        printed("details of Example 9, eq. (78)"),
        "norms of the spectrum" + ", repaired" * mended,
        NORMS.replace("{0}", "(d-1)" if mended else ""),
        SUPPOSED,
        ("dkbhl20.prop8.a@BA",),
        partial(expansions, mended=mended),
        SPECTRA,
        repairs="dkbhl20.ex9.d" if mended else None,
        exact_only=True,
        proof=mended_expansions if mended else None,
    )


FALLS = Claim(
    "dkbhl20.ex9.e@A",
    Kind.INEQUALITY,
    printed("details of Example 9, eq. (79)"),
    "the change along the spectrum",
    r"$\gamma^2\delta_F(\lambda)\approx O(-\gamma^4d^2)$ (the second relation of (79); the first "
    r"is Lemma 7): the coefficient of $\gamma^4$ is at most $-cd^2$, here with $c=6$.",
    SUPPOSED,
    ("dkbhl20.ex9.d", "dkbhl20.prop8.b@A"),
    falls,
    SPECTRA,
    "A",
    r"$O(-x)$: at most $-cx$ for some $c>0$",
    exact_only=True,
    proof=falls_for_every_width,
)


CLAIMS = (_norms(mended=False), _norms(mended=True), FALLS)
