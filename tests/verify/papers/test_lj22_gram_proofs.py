"""Arguments about Gram matrices: what they prove, what they do not, and their steps on numbers."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.arithmetic import RATIONALS
from graphs.matrices import characteristic_polynomial, rank
from verify.evidence import Outcome
from verify.methods.context import Context
from verify.methods.schema import schema
from verify.papers.lj22 import gram_proofs
from verify.papers.lj22.block_shuffling import AXES, step76, tall, wide
from verify.papers.lj22.ranks import rank_slack
from verify.papers.lj22.singular_values import rank_one
from verify.registry import find
from verify.runs.budgets import budget_named

SMOKE = Context(budget_named("smoke"))
PROVED = [
    *(f"{version}.sig1.{part}" for version in ("lj22", "lj22v1") for part in ("ii@B", "iii")),
    *(f"lj22.lemma11-{k}" for k in ("75.a.fix", "75.b", "82.a", "82.b.fix")),
    "lj22.remark1.r2@A",
]
numbers = st.fractions(-3, 3, max_denominator=3)


@pytest.mark.parametrize("name", PROVED)
def test_they_prove_their_claims_and_no_others(name):
    claim = find(name)
    assert schema(claim, SMOKE).outcome is Outcome.ARGUES
    assert schema(replace(claim, measure=lambda scene: claim.measure(scene)), SMOKE).outcome is (
        Outcome.ERROR
    )


def test_statements_that_are_changed_a_little_are_not_proved():
    for name, measure in (
        ("lj22.sig1.ii@B", rank_one),
        ("lj22.lemma11-82.a", step76),
        ("lj22.remark1.r2@A", partial(rank_slack, bound=1)),
    ):
        assert schema(replace(find(name), measure=measure), SMOKE).outcome is Outcome.ERROR


def test_a_wrong_block_is_seen():
    def wrong(one):
        return gram_proofs.same_matrix(
            "step76", "wrong", AXES, one, lambda s: s.gram(s["Y"]) + s.gram(s["Z"])
        )()

    assert wrong(lambda scene: scene.gram(tall(scene))).holds
    assert not wrong(lambda scene: scene.gram(wide(scene))).holds
    assert not wrong(lambda scene: scene.gram(scene["Y"])).holds
    twice = gram_proofs.same_matrix("step76", "twice", AXES, tall, lambda s: tall(s) + tall(s))
    assert not twice().holds


@given(st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=1, max_size=4))
def test_gram_matrices_of_a_matrix_on_numbers(rows):
    """What the steps give: equal eigenvalues but for 0, and equal ranks."""
    m = RATIONALS.array(rows)
    forth, back = (characteristic_polynomial(gram) for gram in (m @ m.T, m.T @ m))
    shorter = min(len(forth), len(back))
    assert forth[-shorter:] == back[-shorter:]
    assert not any([*forth[:-shorter], *back[:-shorter]])
    assert rank(m) == rank(m @ m.T) == rank(m.T @ m)


@given(st.integers(1, 5), st.data())
def test_the_form_of_a_rate_has_rank_2(size, data):
    vectors = st.lists(numbers, min_size=size, max_size=size)
    a, b = (RATIONALS.array(data.draw(vectors)) for _ in "ab")
    assert rank(np.outer(a, b) + np.outer(b, a)) <= 2
