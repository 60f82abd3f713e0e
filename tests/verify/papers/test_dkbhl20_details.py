"""Examples 9, 12 and 17: by hand, and what the engine says."""

from fractions import Fraction

import numpy as np
import pytest

from tests.verify.papers.dkbhl20_cases import number_of, says
from tests.verify.papers.looking import looking
from verify.cases.tensors import Tensors, tensor
from verify.core.evidence import Outcome
from verify.kinds.deep.networks import number
from verify.language.building import Let
from verify.language.terms import lifted
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.papers.dkbhl20 import (
    example9,
    example17,
    growing_spectra,
    spectrum_families,
)
from verify.papers.dkbhl20.example9 import CUBE, FOURTH, SQUARE
from verify.papers.dkbhl20.spectrum_families import Family
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.certificates import answer

CI = looking("ci", 2)
ALPHA = growing_spectra.NUMERATOR, growing_spectra.DENOMINATOR
ALPHA_GROWS = Let(ALPHA[0], growing_spectra.degree) - Let(ALPHA[1], growing_spectra.degree)
AXES = {"T": ("p", "p"), "v1": ("p",), "v2": ("p",), "V": ("k", "p")}
WHOLE = {"d", "m", "p", "c", "q"}


def family(**numbers):
    return Tensors({name: number(x, integer=name in WHOLE) for name, x in numbers.items()})


# Example 12 ---------------------------------------------------------------------------------------
FAMILIES = [
    Family(2, 1, 0, 0, Fraction(1), Fraction(0)),
    Family(4, 1, 2, 1, Fraction(2), Fraction(1, 2)),
    Family(3, 2, 1, 1, Fraction(1, 2), Fraction(3)),
]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n", [8, 16])
def test_power_sums_are_those_of_the_listed_spectrum(family, n):
    d, second = n**family.m, n**family.c
    others = d - 1 - second
    named = [Fraction(family.a * n**family.p), *[family.b * n**family.q] * second]
    spectrum = [*named, *[Fraction(d - sum(named)) / others] * others]
    assert min(spectrum) >= 0
    for k in (2, 3):
        listed = sum(value**k for value in spectrum)
        polynomial = sum(c * Fraction(n) ** e for e, c in family.power_sum(k).items())
        assert polynomial == listed * others ** (k - 1)


def test_a_small_beta_by_hand():
    # lambda_1 = n, d = n^4, all others about 1: both power sums are about d, alpha tends to 1
    found = family(m=4, p=1, c=0, q=0, a=1, b=0)
    assert [number_of(growing_spectra.order(k), found) for k in (3, 2)] == [4, 4]
    assert number_of(ALPHA_GROWS, found) == 0
    lead = [number_of(growing_spectra.leading(x), found) for x in ALPHA]
    assert lead[0] == lead[1]
    for part in "abcd":
        assert says(find(f"dkbhl20.ex12.{part}"), found) is False


def test_a_large_beta_by_hand():
    # lambda_1 = n^3, d = n^4: |l|_2^2 about n^6, |l|_3^3 about n^9, alpha about n^(12 - 13)
    found = family(m=4, p=3, c=0, q=0, a=1, b=0)
    assert [number_of(growing_spectra.order(k), found) for k in (3, 2)] == [9, 6]
    assert number_of(ALPHA_GROWS, found) == -1
    for part in "abcd":
        assert says(find(f"dkbhl20.ex12.{part}"), found)


@pytest.mark.parametrize("chosen", FAMILIES)
def test_polynomials_are_those_of_the_family(chosen):
    found = family(**{name: getattr(chosen, name) for name in "mpcqab"})
    for term, powers in zip(ALPHA, chosen.alpha, strict=True):
        top, coefficient = spectrum_families.leading(powers)
        assert number_of(Let(term, growing_spectra.degree), found) == top
        assert number_of(growing_spectra.leading(term), found) == coefficient


def test_many_eigenvalues_of_a_middle_size():
    # lambda_1 = n^3, n^2 eigenvalues n^2, d = n^4: sum of squares about 2 n^6 is still fine; with
    # n^3 eigenvalues of size n/2 and lambda_1 = n^2 it is n^5 / 4 against n^4
    assert Family(4, 3, 2, 2, Fraction(1, 2), Fraction(1, 2)).degree(2) == 6
    middle = Family(4, 2, 3, 1, Fraction(1), Fraction(1, 2))
    assert middle.is_one
    assert middle.others_are_smaller
    assert middle.degree(2) == 5


@pytest.mark.parametrize(("p", "q"), [(5, 4), (7, 6)])
def test_many_eigenvalues_keep_alpha_near_one_for_larger_beta(p, q):
    # d = n^10, 19/20 of the sum in eigenvalues 19/20 n^q: alpha tends to 19/20
    family = Family(10, p, 10 - q, q, Fraction(1), Fraction(19, 20))
    assert family.is_one
    assert family.others_are_smaller
    (above, one), (below, other) = map(spectrum_families.leading, family.alpha)
    assert above == below
    assert one / other == Fraction(19, 20)


def test_what_is_no_family():
    assert not Family(2, 3, 0, 0, Fraction(1), Fraction(0)).is_one  # lambda_1 above d
    assert not Family(2, 2, 0, 0, Fraction(2), Fraction(0)).is_one
    assert not Family(2, 1, 2, 0, Fraction(1), Fraction(0)).is_one  # no others are left
    assert not Family(2, 1, 0, 1, Fraction(1), Fraction(1)).others_are_smaller


# Example 9 ----------------------------------------------------------------------------------------
def of_three(term, d=3, s=1):
    return number_of(lifted(term), Tensors({"d": number(d, integer=True), "s": number(s)}))


def test_expansions_by_hand():
    # d = 3: |l|_2^2 = 9 - 12 gamma^2 + ..., printed is 9 - 6 gamma^2
    found = [of_three(term) for norm in (SQUARE, CUBE, FOURTH) for term in norm]
    assert found == [9, -12, 27, -54, 81, -216]
    for d, held in ((2, True), (3, False)):
        spectrum = Tensors({"d": number(d, integer=True), "s": number(1)})
        assert says(find("dkbhl20.ex9.d"), spectrum) is held


@pytest.mark.parametrize("d", [2, 3, 7])
def test_the_change_is_that_of_the_spectrum(d):
    small = 1e-6
    lam = np.array([d - small * (d - 1), *[small] * (d - 1)])
    square, cube = (lam**2).sum(), (lam**3).sum()
    change = 2 * d**2 - 2 * square - 8 * cube + 8 * square**2 / d
    expected = -4 * d * (d - 1) * (2 * d - 1)
    assert change / small == pytest.approx(expected, rel=1e-3)
    assert [of_three(term, d) for term in example9.CHANGE] == [0, expected]


# Example 17 ---------------------------------------------------------------------------------------
def test_the_swap_by_hand():
    axes = {"v1": [0, 1], "v2": [1, 0], "alpha": 3}
    assert says(find("dkbhl20.ex17.a"), plane(T=[[0, 1], [1, 0]], **axes))
    # T v1 = (1, 1) is on neither axis, T v2 = v2
    assert not says(find("dkbhl20.ex17.a"), plane(T=[[1, 1], [0, 1]], **axes))


def test_families_of_lines():
    def found(lines):
        return says(find("dkbhl20.ex17.b"), plane(V=lines))

    assert all(map(found, ([[0, 2], [1, 0]], [[1, 1]], [[1, -1], [-2, 2]])))
    assert not any(map(found, ([[1, 0]], [[1, 2]], [[0, 1], [0, 0], [1, 0]])))


def plane(**nested):
    return Tensors({name: tensor(AXES.get(name, ()), value) for name, value in nested.items()})


# the engine ---------------------------------------------------------------------------------------
REFUTED = ["ex12.a", "ex12.b", "ex12.c", "ex12.d", "ex9.d"]


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_false_is_refuted_and_certified(name):
    found = pointwise(find(f"dkbhl20.{name}"), CI)
    assert found.outcome is Outcome.REFUTES
    assert answer(dict(found.certificate))["exit"] == 0


NEEDED = {
    "ex12.a.fix": {"beta below 1", "squares of the others"},
    "ex12.b.fix": {"squares of the others"},
    "ex9.e@A": {"d at least 2", "small eigenvalues gamma^2"},
    "ex17.a": {"the swap and the axes"},
}


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_what_is_needed_is_shown_with_a_certificate(name):
    found = necessity(find(f"dkbhl20.{name}"), CI)
    needed = {need.hypothesis: need.certificate for need in found.needs if need.needed}
    assert set(needed) == NEEDED[name]
    assert all(answer(dict(certificate))["exit"] == 0 for certificate in needed.values())


MODULES = (example9, growing_spectra, example17)
PROVED = [claim for module in MODULES for claim in module.CLAIMS if claim.proof is not None]


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_arguments_hold_and_are_about_the_claim(claim):
    argument = claim.proof()
    assert argument.holds
    assert not beside_the_point(claim, argument)


def test_arguments_notice_a_wrong_formula(monkeypatch):
    right = example9.printed_norms
    monkeypatch.setattr(example9, "printed_norms", lambda ring, mended: right(ring, mended=False))
    assert not example9.mended_expansions().holds
