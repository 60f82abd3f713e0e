"""R^(1) against the Jacobian: by hand, and what the engine says."""

from fractions import Fraction
from math import log

import pytest

from tests.verify.costs.cases import arrays, needed, on_hull, refutes, seen, stands, values
from tests.verify.papers.looking import looking
from verify.kinds.deep.layered import as_network
from verify.kinds.deep.networks import deep, tensor_of
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.search import search
from verify.papers.j23 import first_correction
from verify.papers.registry import find
from verify.search.arguments import beside_the_point
from verify.search.judging import judge_exactly

F = Fraction
CI = looking("ci", 2)
CLAIMS = {claim.id.removeprefix("j23.thm3.lb"): claim for claim in first_correction.CLAIMS}
SEGMENT = [[0, 0], [1, 1]]


@pytest.mark.parametrize(
    ("points", "linear", "shift", "slack"),
    [
        ([[0], [1]], [[3]], [0], 0),
        ([[-1], [1]], [[1]], [0], log(2) + 1),  # a fold: from log 2 to this
        (SEGMENT, [[1, 0]], [0], -log(2)),
        (SEGMENT, [[F(1, 2), F(1, 2)]], [0], 0),
        (SEGMENT, [[3, 0]], [0], -log(2)),
        ([[0, 0], [1, 2]], [[1, 0]], [0], -log(5)),
        ([[0, 0], [1, 0], [0, 1]], [[2, 0], [0, 5]], [0, 0], 0),
        ([[1]], [[0]], [F(1, 2)], 1 / 4),  # between 0 and 1/4
    ],
)
def test_the_whole_jacobian_by_hand(points, linear, shift, slack):
    found = values(CLAIMS["@B"], on_hull(points, (linear, shift)))
    assert found == pytest.approx([slack], abs=1e-8)


def test_a_rank_that_the_domain_does_not_show_is_another_case():
    ((_, value, admitted),) = seen(CLAIMS["@B"], on_hull([[0, 0]], ([[2, 0]], [0])))
    assert value == pytest.approx(-log(4))
    assert not admitted


def test_where_no_bound_decides_there_is_no_entry():
    unknown = on_hull([[-1, -1], [1, 1]], ([[1, 1], [-1, -1]], [0, 0]))
    assert seen(CLAIMS["@B"], unknown) == []


def test_along_tangents_by_hand():
    chain = as_network(deep([[[2]], [[1]]], points=[[1]], T=tensor_of(("n0", "t"), [[1]])))
    assert values(CLAIMS["@B.fix"], chain) == pytest.approx([5 - 2 - log(4)])
    flat = as_network(deep([[[2, 0]]], points=[[1, 1]], T=tensor_of(("n0", "t"), [[0], [3]])))
    assert values(CLAIMS["@B.fix"], flat) == [4]
    slanted = as_network(deep([[[2, 0]]], points=[[1, 1]], T=tensor_of(("n0", "t"), [[1], [1]])))
    assert values(CLAIMS["@B.fix"], slanted) == pytest.approx([4 - 1 - log(2)])
    even = as_network(deep([[[1]], [[1]]], points=[[1]], T=tensor_of(("n0", "t"), [[1]])))
    assert values(CLAIMS["@B.fix"], even) == [0]


def test_powers_by_hand():
    assert values(CLAIMS[".a"], arrays({}, ("L",), s=4, L=2)) == pytest.approx([3 - log(4)])
    assert values(CLAIMS[".a"], arrays({}, ("L",), s=1, L=7)) == [0]
    assert values(CLAIMS[".a"], arrays({}, ("L",), s=-1, L=7)) == []
    axes = {"J": ("m", "n")}
    found = values(CLAIMS[".b"], arrays(axes, ("L",), J=[[4, 0], [0, F(1, 4)]], L=2))
    assert found == pytest.approx([2 * (4 + 1 / 4 - 2)])


# the engine ---------------------------------------------------------------------------------------
def test_what_is_wrong_as_printed_is_refuted():
    assert any(refutes(method(CLAIMS["@B"], CI)) for method in (pointwise, search))


@pytest.mark.parametrize("name", ["@B.fix", ".a", ".b"])
def test_what_is_right_stands(name):
    assert stands(pointwise(CLAIMS[name], CI))


def test_the_rank_is_needed():
    assert needed(necessity(CLAIMS["@B"], CI)) == {"rank equality"}


@pytest.mark.parametrize("name", [".a", ".b"])
def test_arguments_hold_and_are_about_the_claim(name):
    argument = CLAIMS[name].proof()
    assert argument.holds
    assert not beside_the_point(CLAIMS[name], argument)


def test_a_bound_of_two_logarithms_would_be_too_large():
    near = as_network(deep([[[F(101, 100)]]] * 2, points=[[1]], T=tensor_of(("n0", "t"), [[1]])))
    assert not judge_exactly(CLAIMS["@B.fix"], near).violations
    (slack,) = values(CLAIMS["@B.fix"], near)
    assert 0 < slack < log(1.01**4)


def test_the_registry_has_them():
    assert all(find(claim.id) is claim for claim in first_correction.CLAIMS)
