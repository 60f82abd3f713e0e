"""Cases made of arrays: eigenvalues by the pivots on either side, and what has no arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verify import certificates as c
from tests.verify.corruptions import changed
from tests.verify.invalid.near_misses import NORMS
from tests.verify.rocq.reader import Evaluator, Module, read
from verify.checker import restated as checker
from verify.checker.restated import ACCEPT, check
from verify.rocq import NotExported, export
from verify.rocq.compiled import ABSENT, compile_source, compiler
from verify.rocq.traced import Trace
from verify.rocq.traced_arrays import TracedArrays, _leaves

pytestmark = pytest.mark.usefixtures("norms")

ENTRIES = st.integers(-3, 3).map(Fraction)


def of_matrix(*rows: list[int], value: str | list[str]) -> c.Certificate:
    """|M|^2 - |M|_F^2 of a matrix."""
    entries = [[str(entry) for entry in row] for row in rows]
    return {**changed(NORMS, "case", "arrays", "M", "entries", to=entries), "value": value}


# M M^T = (2 1; 1 1): |M|^2 = (3 + root 5) / 2 and |M|_F^2 = 3, so it is -0.3819...
GOLDEN = of_matrix([1, 1], [0, 1], value=["-382/1000", "-381/1000"])


def holds(module: Module) -> bool:
    """Whether every statement about computed truth values is so."""
    evaluator = Evaluator(module)
    outcomes = [
        evaluator.value(s.conclusion[1]) is evaluator.value(s.conclusion[2])
        for name, s in module.statements.items()
        if name != "hypotheses"
    ]
    assert len(outcomes) > 3
    return all(outcomes)


@pytest.mark.parametrize("certificate", [NORMS, GOLDEN])
def test_what_is_exported_is_so(certificate):
    assert check(certificate).code == ACCEPT
    source = export(certificate)
    assert holds(read(source))
    assert not holds(
        read(source.replace("Definition bound_0 : Q := (", "Definition bound_0 : Q := (9"))
    )


def test_a_wrong_value_has_no_source():
    with pytest.raises(NotExported, match="not enclosed"):
        export({**GOLDEN, "value": ["-1/2", "-2/5"]})


@given(st.lists(ENTRIES, min_size=6, max_size=6))
def test_the_bounds_are_on_either_side_of_the_eigenvalue(numbers):
    """The pivots that are traced decide t - M at the lower and at the upper bound."""
    a, b, d, e, f, g = numbers
    matrix = [[a, b, d], [b, e, f], [d, f, g]]
    trace = Trace()
    arrays = TracedArrays({}, {}, {}, {}, 20, trace=trace)
    found = arrays.largest(_leaves(trace, "a_M", matrix))
    plain = checker.largest_eigenvalue(matrix, 20)
    assert (found.low, found.high) == (plain.low, plain.high)
    assert found.high - found.low <= Fraction(1, 2**20)
    assert trace.comparisons
    bounds = [value for name, value in trace.leaves.items() if name.startswith("bound_")]
    assert bounds == list(dict.fromkeys([plain.low, plain.high]))


@given(st.lists(ENTRIES, min_size=6, max_size=6))
def test_what_is_not_semidefinite_has_a_test_vector(numbers):
    """Symmetric elimination and a rational vector say the same: LDL^T with pivots that are not
    negative, or v with v^T M v < 0, made from the elimination by solving backwards."""
    a, b, d, e, f, g = numbers
    matrix = [[a, b, d], [b, e, f], [d, f, g]]
    vector = descent_vector(matrix)
    if checker.definiteness(matrix) >= 0:
        assert vector is None
    else:
        assert vector is not None
        assert quadratic(matrix, vector) < 0


def quadratic(matrix: checker.Rows, v: list[Fraction]) -> Fraction:
    size = range(len(v))
    return sum((v[i] * matrix[i][j] * v[j] for i in size for j in size), Fraction(0))


def descent_vector(matrix: checker.Rows) -> list[Fraction] | None:
    """A vector with v^T M v < 0, or None: by completing squares, one variable at a time."""
    if not matrix:
        return None
    pivot, row = matrix[0][0], matrix[0]
    rest = range(1, len(matrix))
    if pivot < 0:
        return [Fraction(1)] + [Fraction(0)] * len(rest)
    if pivot == 0:
        for j in rest:
            if row[j]:  # v = (s, 1 at j): 2 s M_0j + M_jj < 0 for a suitable s
                v = [Fraction(0)] * len(matrix)
                v[j], v[0] = Fraction(1), -(matrix[j][j] + 1) / (2 * row[j])
                return v
        tail = descent_vector([[matrix[i][j] for j in rest] for i in rest])
        return None if tail is None else [Fraction(0), *tail]
    tail = descent_vector([[matrix[i][j] - row[i] * row[j] / pivot for j in rest] for i in rest])
    if tail is None:
        return None
    return [-sum((row[j] * tail[j - 1] for j in rest), Fraction(0)) / pivot, *tail]


@pytest.mark.parametrize(
    "use",
    [
        lambda arrays, m: arrays.sqrt(m[0][0]),
        lambda arrays, m: arrays.log(m[0][0]),
        lambda arrays, m: arrays.exp(m[0][0]),
        lambda arrays, m: arrays.power(m[0][0], Fraction(1, 3)),
    ],
)
def test_what_loses_its_steps_has_no_source(use):
    trace = Trace()
    arrays = TracedArrays({}, {}, {}, {}, 20, trace=trace)
    matrix = _leaves(trace, "a_M", [[Fraction(2), Fraction(1)], [Fraction(1), Fraction(1)]])
    with pytest.raises((NotExported, checker.Declined)):
        use(arrays, matrix)


@pytest.mark.skipif(compiler() is None, reason=ABSENT)
def test_rocq_accepts_an_enclosure():
    answer = compile_source(export(GOLDEN))
    assert answer.accepted, answer.message
