"""The checker on layers as matrices: what the engine certifies it accepts, and nothing near it."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from graphs.arithmetic import RATIONALS, as_fraction
from verify.admission import Admitted, admit
from verify.case import case_to_json
from verify.certificates import FORMAT, VERSION
from verify.checker import restated as checker
from verify.checker.restated import ACCEPT, REJECT, check
from verify.judging import judge_exactly, view
from verify.methods.context import draw
from verify.papers.lj22 import stacked
from verify.registry import find
from verify.transformations import with_one_loss

CLAIMS = [claim for claim in stacked.CLAIMS if claim.judged]
FALSE = ("lj22.thm2-83.b",)


def certified(name: str) -> dict[str, Any]:
    """A certificate of a refuted claim, of a small case."""
    claim = find(name)
    random = Random(7)
    for number in range(200):
        case = draw(claim, random, n=1 + number % 2, loss="prescribed", large=False)
        if judge_exactly(claim, case).violations:
            found = admit(claim, case, 200)
            assert isinstance(found, Admitted)
            return found.certificate
    raise AssertionError("no violation was found")


CERTIFICATES = {name: certified(name) for name in FALSE}


def test_the_checker_knows_the_judged_claims() -> None:
    assert {claim.id for claim in CLAIMS} == checker.matrix_statements().keys()


@settings(max_examples=60)
@given(st.sampled_from(CLAIMS), st.integers(0, 10**6), st.integers(1, 2))
def test_engine_and_checker_compute_the_same(claim: Any, seed: int, n: int) -> None:
    """On random cases that meet all hypotheses: the same residual, violated or not."""
    case = draw(claim, Random(seed), n=n, loss="prescribed", large=False)
    case = with_one_loss(case)
    seen = view(claim, [case], RATIONALS)
    for k in range(len(seen.entries)):
        value = as_fraction(seen.entries.values[k])
        certificate = {
            "format": FORMAT,
            "version": VERSION,
            "kind": "counterexample",
            "claim": claim.id,
            "case": case_to_json(case),
            "entry": seen.entries.label(k),
            "value": str(value),
        }
        code, message = check(certificate)
        if seen.admitted[k]:
            assert code == (ACCEPT if value else REJECT), message
            assert value or "is 0: nothing is violated" in message
        else:
            assert code == REJECT, message


def corruptions(certificate: dict[str, Any]) -> Any:
    """Certificates in which one thing about the pieces is not so."""

    def other(change: Any) -> dict[str, Any]:
        copy = deepcopy(certificate)
        change(copy["case"]["choice"], copy)
        return copy

    choice = certificate["case"]["choice"]
    yield "no pieces", other(lambda c, _: c.pop("pieces"))
    yield "no numbers", other(lambda c, _: c.pop("at"))
    yield "another number", other(lambda c, _: c.update(at=[k + 1 for k in c["at"]]))
    yield "a negative number", other(lambda c, _: c.update(at=[-1 for _ in c["at"]]))
    for k in choice["at"]:  # of other pieces it is of no importance what is said
        record = choice["pieces"][k]
        for key in record:
            yield f"{k} lacks {key}", other(lambda c, _, k=k, key=key: c["pieces"][k].pop(key))
        yield f"{k} has more", other(lambda c, _, k=k: c["pieces"][k].update(more=1))
        yield f"{k} is sparse", other(lambda c, _, k=k: c["pieces"][k].update(kind="sparse"))
        for key in ("tails", "heads", "inner"):
            if key in record:
                yield (
                    f"{k}: {key} less",
                    other(lambda c, _, k=k, key=key: c["pieces"][k][key].pop()),
                )
                yield (
                    f"{k}: {key} twice",
                    other(
                        lambda c, _, k=k, key=key: c["pieces"][k][key].append(
                            c["pieces"][k][key][0]
                        )
                    ),
                )
        if record["kind"] == "convolution":
            yield f"{k}: channels", other(lambda c, _, k=k: c["pieces"][k].update(channels=[7, 1]))
            for key in ("size", "kernel", "stride", "dilation"):
                yield (
                    f"{k}: no {key}",
                    other(lambda c, _, k=k, key=key: c["pieces"][k].update({key: []})),
                )
                yield (
                    f"{k}: {key} 0",
                    other(
                        lambda c, _, k=k, key=key: c["pieces"][k].update(
                            {key: [0] * len(c["pieces"][k][key])}
                        )
                    ),
                )
    yield "another entry", other(lambda _, whole: whole.update(entry={"entry": [9, 9]}))


@pytest.mark.parametrize("name", FALSE)
def test_corrupted_certificates_are_not_accepted(name: str) -> None:
    certificate = CERTIFICATES[name]
    assert check(certificate).code == ACCEPT
    broken = dict(corruptions(certificate))
    accepted = [what for what, other in broken.items() if check(other).code == ACCEPT]
    assert accepted == []
    assert len(broken) > 10


@pytest.mark.parametrize("name", FALSE)
def test_certificates_fit_the_schema(name: str) -> None:
    schema = json.loads(Path(checker.__file__).with_name("certificate.schema.json").read_text())
    assert list(Draft202012Validator(schema).iter_errors(CERTIFICATES[name])) == []


JUNK = [None, True, -1, 10**40, 0.5, "", "x", "1/3", [], {}, [[]], {"x": 1}, [10**12], [-1], [0]]


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from(FALSE))
def test_junk_in_the_pieces_never_breaks_the_checker(random: Any, name: str) -> None:
    for _ in range(10):
        certificate = deepcopy(CERTIFICATES[name])
        place: Any = certificate["case"]["choice"]
        key: Any = "pieces"
        while isinstance(place[key], (dict, list)) and place[key] and random.random() < 0.9:
            place = place[key]
            key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place[key] = random.choice(JUNK)
        outcome = check(certificate)
        assert outcome.code in (ACCEPT, REJECT, checker.DECLINE)
        assert "\n" not in outcome.message
