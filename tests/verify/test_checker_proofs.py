"""The checker and the engine agree on the chain rule and on Lemma 8, on drawn and broken cases."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from graphs.activations import RELU
from graphs.arithmetic import RATIONALS, as_fraction
from tests.verify.drawn_cases import case_of, net_of
from verify.case import PRESCRIBED, Case, case_to_json
from verify.checker import restated as checker
from verify.checker.restated import ACCEPT, STATEMENTS, check
from verify.claim import Claim, Kind
from verify.judging import view
from verify.methods.context import draw
from verify.papers.lj22 import (
    chainrule,
    pathsums,
    subderivatives,
)
from verify.registry import find

MODULES = (pathsums, subderivatives, chainrule)
ALL = [claim for module in MODULES for claim in module.CLAIMS]
CLAIMS = {claim.id: claim for claim in ALL if claim.terms is None}
STATED = sorted(CLAIMS.keys() & STATEMENTS.keys())
SCHEMA = json.loads((Path(checker.__file__).parent / "certificate.schema.json").read_text("utf-8"))
SCHEMA_CHECK = Draft202012Validator(SCHEMA)
ENTRIES = 6  # of a case, at most
TOO_MANY = "there are too many paths for so many examples"


def certificate(claim: Claim, case: Case, entry: dict[str, Any], value: Fraction) -> dict[str, Any]:
    """As the admission gate writes it."""
    return {
        "format": "lemmata-certificate",
        "version": 1,
        "kind": "witness" if claim.kind is Kind.EXISTENCE else "counterexample",
        "claim": claim.id,
        "case": case_to_json(case),
        "entry": entry,
        "value": str(value),
    }


def agreement(claim: Claim, case: Case) -> int:
    """Compare on some entries of a case; the number of violations among them."""
    seen = view(claim, [case], RATIONALS)
    violations = 0
    order = sorted(range(len(seen.entries)), key=lambda k: (not seen.admitted[k], k))
    for k in [*order[:ENTRIES], *order[ENTRIES:][-ENTRIES:]]:
        value = as_fraction(seen.entries.values[k])
        broken = value < 0 if claim.kind is Kind.INEQUALITY else value != 0
        written = certificate(claim, case, seen.entries.label(k), value)
        code, message = check(written)
        violations += bool(broken and seen.admitted[k])
        assert (code == ACCEPT) is bool(broken and seen.admitted[k]), message
        if code == ACCEPT:
            SCHEMA_CHECK.validate(written)
        if seen.admitted[k] and not broken:
            assert "nothing is violated" in message
    return violations


@pytest.mark.parametrize("tree", ["A1B1", "A2B1"])
def test_a_weight_held_at_0_is_a_zero_weight(tree: str) -> None:
    # what enters h in the tree is 0, a kink there, though z_h is not 0
    net = net_of("x>h h>o x>g g>o", {"h": RELU}, fixed={("h", "o"): 0})
    case = case_of(net, {"x>h": -1, "x>g": 1, "g>o": 1}, [(["1/2"], 1, 1)])
    claim = CLAIMS[f"lj22.lemma8@{tree}.fix"]
    entry = {"paths": [["x", "h", "o"], ["x", "g", "o"]], "example": 0}
    code, message = check(certificate(claim, case, entry, Fraction(1)))
    assert code == checker.REJECT
    assert message.endswith("the weight 'h->o' is 0")
    assert not view(claim, [case], RATIONALS).admitted.any()


def test_paths_on_many_examples_are_declined() -> None:
    ends = ["x", *(f"m{k}" for k in range(10)), "o"]
    sides = [f"{a}>{s}{b} {s}{b}>{b}" for a, b in pairwise(ends) for s in "uv"]
    net = net_of(" ".join(sides), {"uo": RELU})
    weights = dict.fromkeys(" ".join(sides).split(), 1)
    examples = [([Fraction(1, k + 2)], 1, 1) for k in range(60)]
    case = case_of(net, weights, examples)
    path = ["x", *(name for b in ends[1:] for name in (f"u{b}", b))]
    mirrored = ["x", *(name for b in ends[1:] for name in (f"v{b}", b))]
    for name, entry in (("lemma8@A1B1", {"paths": [path, mirrored], "example": 0}),):
        written = certificate(find(f"lj22.{name}"), case, entry, Fraction(1))
        assert check(written) == (checker.DECLINE, f"declined: {TOO_MANY}")


def test_every_claim_but_the_inclusion_is_known_to_the_checker() -> None:
    assert sorted(CLAIMS.keys() - STATEMENTS.keys()) == ["lj22.eq32.a@A"]
    for name in STATED:
        assert STATEMENTS[name].existence is (CLAIMS[name].kind is Kind.EXISTENCE)
        assert STATEMENTS[name].inequality is (CLAIMS[name].kind is Kind.INEQUALITY)


@settings(max_examples=60)
@given(st.sampled_from(STATED), st.integers(0, 10**6), st.booleans())
def test_they_agree(name: str, seed: int, breaking: bool) -> None:
    claim, random = CLAIMS[name], Random(seed)
    assert claim.pool is not None
    n = random.choice(claim.pool.examples)
    case = draw(claim, random, n=n, loss=PRESCRIBED, large=False)
    breakable = [h for h in claim.hypotheses if h.break_ is not None and h.name in GENTLE]
    if breaking and breakable:
        case = random.choice(breakable).break_(case, random)
    agreement(claim, case)


# breaks that leave a case which both sides can evaluate
GENTLE = {
    "no zero weight",
    "ReLU or linear",
    "differentiable",
    "data",
}

FORK = net_of("x>u x>v u>o v>o", {"u": RELU, "v": RELU})
TWO = net_of("x1>u x2>v u>o v>o", {"u": RELU, "v": RELU})
WEIGHTS = {"x1>u": 1, "x2>v": 1, "u>o": 1, "v>o": -1}
APART = case_of(TWO, WEIGHTS, [(["1/2", "1/4"], 1, 1)])
MIXED = case_of(FORK, {"x>u": 1, "x>v": 1, "u>o": 1, "v>o": -1}, [([1], 1, 1)])
REFUTED = {
    "lemma8@A2B1": MIXED,
    "lemma8-sym@BA2": APART,
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_refuted_by_hand(name: str) -> None:
    assert agreement(find(f"lj22.{name}"), REFUTED[name]) > 0
