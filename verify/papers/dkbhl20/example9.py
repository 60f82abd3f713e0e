"""Example 9, what its details say of the spectrum: (78), and delta_F in (79).

lambda_1 = d - t (d - 1) and lambda_i = s t otherwise, t = gamma^2; printed is s = 1, and the trace
is kept: lambda_1 = d - s t (d - 1). Norms are polynomials in t and d. "Approximately, all small
terms o(gamma^2) omitted" says that the coefficients of t^0 and t^1 are those printed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import and_
from random import Random
from typing import Any

from graphs.rings import Ring, ring_of
from verify.core.argument import Argument, Step
from verify.core.claim import Claim
from verify.language.building import Number, Whole
from verify.language.terms import Term, lifted
from verify.papers.dkbhl20.drawing import whole
from verify.papers.dkbhl20.sources import printed
from verify.statements.derivations.symbols import same
from verify.statements.quantities import with_entries
from verify.statements.stated import Given, pool_with, stated

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


# what is said: coefficients of gamma^0 and gamma^2 ------------------------------------------------
SMALL_ONES, D = Number("s"), Whole("d", 1, 12)
Series = tuple[Term, Term]  # the coefficients of t^0 and t^1


def _times(one: Series, other: Series) -> Series:
    return one[0] * other[0], one[0] * other[1] + one[1] * other[0]


def _norm(power: int) -> Series:
    """|l|_k^k: the power of the large eigenvalue, and d - 1 times that of a small one."""
    large: Series = (lifted(1 * D), -SMALL_ONES * (D - 1))
    small: Series = (lifted(0), SMALL_ONES)
    raised = [large, small]
    for _ in range(power - 1):
        raised = [_times(one, base) for one, base in zip(raised, (large, small), strict=True)]
    return raised[0][0] + (D - 1) * raised[1][0], raised[0][1] + (D - 1) * raised[1][1]


SQUARE, CUBE = _norm(2), _norm(3)
FOURTH = _times(SQUARE, SQUARE)


def _agree(*, mended: bool) -> Term:
    """(78): both coefficients of each norm; mended: with d - 1, the number of small ones."""
    count = D - 1 if mended else 1
    sides = [
        (found[order], D**power if order == 0 else -power * D ** (power - 1) * count)
        for power, found in ((2, SQUARE), (3, CUBE), (4, FOURTH))
        for order in (0, 1)
    ]
    return reduce(and_, (found == said for found, said in sides))


PRINTED, MENDED = _agree(mended=False), _agree(mended=True)
CHANGE = tuple(
    (2 * D**2 if order == 0 else 0) - 2 * SQUARE[order] - 8 * CUBE[order] + 8 * FOURTH[order] / D
    for order in (0, 1)
)
"""delta_F, where all rows of M have the same norm."""
FALLS = (CHANGE[0] == 0) & (CHANGE[1] <= -LEAST * D**2)


# hypotheses ---------------------------------------------------------------------------------------
def _with_width(case: Any, width: int) -> Any:
    return case.changing(d=whole(width))


WIDTH = Given(
    "d at least 2",
    D >= 2,
    r"$d\ge2$: there are small eigenvalues",
    lambda case, random: case if case.whole("d") >= 2 else _with_width(case, random.randint(2, 6)),
    lambda case, random: _with_width(case, 1),
)
PRINTED_SPECTRUM = Given(
    "small eigenvalues gamma^2",
    SMALL_ONES == 1,
    r"$\lambda_2=\dots=\lambda_d=\gamma^2$ (else $s\gamma^2$), "
    r"$\lambda_1=d-\gamma^2(d-1)$ (else $d-s\gamma^2(d-1)$)",
    lambda case, random: with_entries(case, "s", [Fraction(1)]),
    lambda case, random: with_entries(case, "s", [Fraction(random.choice((0, 1, 3)), 2)]),
    thin=True,
)


def _menu(case: Any, random: Random) -> Any:
    return with_entries(case, "s", [Fraction(1)]) if random.random() < 0.5 else case


SPECTRA = pool_with(SMALL_ONES, D, adapt=_menu)
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
    return stated(
        "dkbhl20.ex9.d" + ".fix" * mended,
        printed("details of Example 9, eq. (78)"),
        "norms of the spectrum" + ", repaired" * mended,
        NORMS.replace("{0}", "(d-1)" if mended else ""),
        MENDED if mended else PRINTED,
        SUPPOSED,
        depends=("dkbhl20.prop8.a@BA",),
        pool=SPECTRA,
        repairs="dkbhl20.ex9.d" if mended else None,
        proof=mended_expansions if mended else None,
    )


CLAIMS = (
    _norms(mended=False),
    _norms(mended=True),
    stated(
        "dkbhl20.ex9.e@A",
        printed("details of Example 9, eq. (79)"),
        "the change along the spectrum",
        r"$\gamma^2\delta_F(\lambda)\approx O(-\gamma^4d^2)$ (the second relation of (79); the "
        r"first is Lemma 7): the coefficient of $\gamma^4$ is at most $-cd^2$, here with $c=6$.",
        FALLS,
        SUPPOSED,
        depends=("dkbhl20.ex9.d", "dkbhl20.prop8.b@A"),
        pool=SPECTRA,
        reading="A",
        reading_text=r"$O(-x)$: at most $-cx$ for some $c>0$",
        proof=falls_for_every_width,
    ),
)
