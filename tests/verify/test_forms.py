"""Quadratic forms read off the measures of laws."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.network import FIXED, network
from verify.cases.case import Case
from verify.cases.scenes import FreeScene
from verify.cases.transformations import random_rational
from verify.core.claim import Kind, Source
from verify.language.building import Each, Rate, Sum, hidden, into, w
from verify.papers.registry import find
from verify.search.drawing import draw
from verify.search.quadratic_forms import (
    NotQuadraticError,
    quadratic_forms,
    triples,
    unconditioned,
)
from verify.statements.stated import stated

LAWS = ("lj22.lemma2a", "lj22.lemma2b@A.fix", "lj22.lemma3@B", "lj22.bias@BB", "lj22v1.eq8.b@B")


def chain() -> Case:
    net = network([("x", "h"), ("h", "o")], inputs=["x"], outputs=["o"])
    one = Fraction(1)
    return Case(net, (one, one), ((one,),), (one,), slopes=(one,))


def test_the_vertex_law_of_a_chain_by_hand():
    (form,) = quadratic_forms(find("lj22.lemma2a"), chain())
    assert form.label == {"at": ["h"]}
    assert list(triples(form)) == [(0, 0, 1.0), (1, 1, -1.0)]
    assert form.at(np.array([[3.0, 2.0], [1.0, 1.0]])).tolist() == [5.0, 0.0]


@given(st.sampled_from(LAWS), st.integers(0, 2**20))
def test_the_measure_is_the_rate_of_change_of_the_form(name, seed):
    claim, random = find(name), Random(seed)
    case = draw(claim, random, n=2, loss="prescribed", large=False)
    by_parameter = [random_rational(random) for _ in case.weights]
    free = [0 if p == FIXED else by_parameter[p] for p in case.network.parameter_of]
    entries = unconditioned(claim.terms).measure(FreeScene(case, free))
    forms = quadratic_forms(claim, case)
    assert [form.label for form in forms] == [entries.label(k) for k in range(len(entries))]
    for form, value in zip(forms, entries.values, strict=True):
        rate = sum(2 * Fraction(c) * case.weights[a] * by_parameter[b] for a, b, c in triples(form))
        assert rate == Fraction(int(value.p), int(value.q))


def at_each_vertex(side):
    """A law that a side, of the edges into a vertex, is 0."""
    says = Each(hidden(), lambda v: side(into(v)) == 0)
    source = Source("planted", "-", "-")
    return stated("planted", source, "-", "-", says, kind=Kind.LAW)


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (lambda some: Rate(Sum(some, lambda e: w(e) ** 3)), "not bilinear"),
        (lambda some: Sum(some, lambda e: w(e) * Rate(w(e)) ** 2), "not bilinear"),
        (lambda some: Rate(Sum(some, lambda e: w(e) ** 2)) / 3, "small integers"),
        (lambda some: w(some[1]) * Rate(w(some[2])), "no rate"),
    ],
)
def test_what_is_no_quadratic_law_is_refused(side, words):
    net = network([("x", "h"), ("y", "h"), ("h", "o")], inputs=["x", "y"], outputs=["o"])
    third = Fraction(1, 3)
    case = Case(net, (third,) * 3, ((third, third),), (third,), slopes=(third,))
    with pytest.raises(NotQuadraticError, match=words):
        quadratic_forms(at_each_vertex(side), case)
