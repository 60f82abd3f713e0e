"""The schema of certificates takes what the checker accepts, and names what the checker knows."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import verify.checker
from benchmarks.perturbed import perturbed
from tests.verify.checker_proofs.proved import record_of
from tests.verify.checker_statements.test_certificates import REJECTIONS, VALID
from tests.verify.checker_statements.test_identities import SUM, certified
from verify.checker import ACCEPTED, check
from verify.checker.proofs import RULES
from verify.checker.sorts import SIGNATURES

FILE = Path(verify.checker.__file__).with_name("statement.schema.json")
SCHEMA = json.loads(FILE.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
KINDS = {**VALID, "a proof": record_of("lj22.lemma2a"), "an identity": certified(SUM, [1])}


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", KINDS)
def test_what_is_accepted_has_its_form(name: str) -> None:
    assert check(KINDS[name]).code == ACCEPTED
    VALIDATOR.validate(KINDS[name])


def test_it_names_the_operators_and_the_rules() -> None:
    named = [form["prefixItems"][0] for form in SCHEMA["$defs"]["term"]["anyOf"][2:]]
    operators = {one for form in named for one in form.get("enum", [form.get("const")])}
    assert operators == {*SIGNATURES, "list", "tuple", "var", "field", "item", "unfold"}
    assert set(SCHEMA["$defs"]["step"]["properties"]["rule"]["enum"]) == set(RULES)


@pytest.mark.parametrize("name", ["no right", "a third side", "a float", "a text", "three ends"])
def test_it_sees_what_has_another_form(name: str) -> None:
    assert not VALIDATOR.is_valid(REJECTIONS[name])


def test_what_it_refuses_is_not_accepted() -> None:
    random, refused = Random(5), 0
    for name in sorted(VALID):
        for _ in range(20):
            made: Any = perturbed(copy.deepcopy(VALID[name]), random)
            if not VALIDATOR.is_valid(made):
                refused += 1
                assert check(made).code != ACCEPTED, json.dumps(made)
    assert refused > 100
