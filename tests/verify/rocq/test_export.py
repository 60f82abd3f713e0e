"""What is exported says what the certificate says, and is true, as far as that can be known without
Rocq; and with Rocq, where it is installed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest

from tests.verify import certificates as c
from tests.verify.corruptions import changed
from tests.verify.necessity_certificates import NEEDING
from tests.verify.rocq.reader import Evaluator, Module, read, sentences
from verify.checker.restated import ACCEPT, check
from verify.rocq import NotExported, export
from verify.rocq.compiled import ABSENT, compile_source, compiler

WORDS = (
    "From Coq Require Import QArith Open Scope Q_scope Definition Lemma Theorem Proof Qed Print"
    " Assumptions exact apply conj vm_compute reflexivity Q true false Qred Qle_bool Qeq_bool"
    " Qeq_bool_eq Qeq_bool_neq"
)
CASES = {**c.VALID, **NEEDING}
SPECTRUM = "control.planted.dkbhl20"


def exported() -> list[str]:
    names = []
    for name, certificate in CASES.items():
        try:
            export(certificate)
        except NotExported:
            continue
        names.append(name)
    return names


EXPORTED = exported()


@cache
def module_of(name: str) -> Module:
    return read(export(CASES[name]))


def test_what_is_exported_is_accepted_and_the_rest_is_no_arithmetic():
    assert CASES.keys() - EXPORTED == {"control.planted.j23"}  # a network made of arrays
    assert all(check(CASES[name]).code == ACCEPT for name in EXPORTED)


# the source as text ------------------------------------------------------------------------------
def brackets_match(tokens: list[str]) -> bool:
    stack = []
    for token in tokens:
        if token in "([":
            stack.append(token)
        elif token in (")", "]") and (not stack or stack.pop() + token not in ("()", "[]")):
            return False
    return not stack


@pytest.mark.parametrize("name", EXPORTED)
def test_every_identifier_is_known_before_it_is_used(name):
    source = export(CASES[name])
    assert source.isascii()
    assert max(map(len, source.splitlines())) < 400
    known, defined = set(WORDS.split()), set()
    for sentence in sentences(source):
        assert brackets_match(sentence)
        if sentence[0] in ("Definition", "Lemma", "Theorem"):
            assert sentence[1] not in defined | known
            defined.add(sentence[1])
        words = {token for token in sentence if re.match("[A-Za-z_]", token)}
        assert not words - known - defined


@pytest.mark.parametrize("name", EXPORTED)
def test_every_theorem_is_asked_for_its_axioms(name):
    module = module_of(name)
    text = export(CASES[name])
    theorems = re.findall(r"^Theorem (\w+)", text, re.MULTILINE)
    assert module.assumptions
    assert sorted(theorems) == sorted(module.assumptions)
    assert not re.search("Axiom|Admitted|admit|Parameter|Conjecture|Hypothesis|Variable", text)


# what is shown is true ---------------------------------------------------------------------------
def facts_hold(module: Module) -> list[bool]:
    """Of each fact whether it is so."""
    evaluator = Evaluator(module)
    shown = [s.conclusion for name, s in module.statements.items() if name.startswith("fact_")]
    assert shown
    return [evaluator.value(left) is evaluator.value(right) for _, left, right in shown]


@pytest.mark.parametrize("name", EXPORTED)
def test_a_case_is_computed_as_in_the_certificate(name):
    certificate, module = CASES[name], module_of(name)
    evaluator = Evaluator(module)
    value = Fraction(certificate["value"])
    assert evaluator.named("residual_low") == evaluator.named("residual_high") == value
    for name, outcome in (("not_below", True), ("not_above", True), ("violated", False)):
        _, left, right = module.statements[name].conclusion
        assert evaluator.value(left) is evaluator.value(right) is outcome
    assert all(facts_hold(module))


def test_a_hypothesis_that_fails_is_a_fact_that_fails():
    """With an eigenvalue of 10 the sum is another one."""
    given = r"(Definition a_lam_to_0 : Q := \()(\S+)"
    source = export(CASES[SPECTRUM])
    other, count = re.subn(given, lambda m: f"{m[1]}{int(m[2]) + 9}", source)
    assert count == 1
    assert not all(facts_hold(read(other)))


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (changed(c.VALID[SPECTRUM], "value", to="-3"), "not enclosed so narrowly"),
        (changed(c.VALID[SPECTRUM], "entry", to={"row": 0}), "cannot be traced"),
        (c.VALID["control.planted.j23"], "networks made of arrays have no Rocq form"),
    ],
)
def test_what_has_no_form_is_refused(certificate, reason):
    with pytest.raises(NotExported, match=reason):
        export(certificate)


# Rocq itself -------------------------------------------------------------------------------------
needs_rocq = pytest.mark.skipif(compiler() is None, reason=ABSENT)


@needs_rocq
@pytest.mark.parametrize("name", EXPORTED)
def test_rocq_accepts_what_is_exported(name):
    answer = compile_source(export(CASES[name]))
    assert answer.accepted, answer.message


@needs_rocq
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (SPECTRUM, "Qle_bool ((-2) # 1) residual_low", "Qle_bool ((-1) # 1) residual_low"),
        (SPECTRUM, "Qed.", "Admitted."),
    ],
)
def test_rocq_refuses_what_is_not_so(name, old, new):
    source = export(CASES[name])
    assert old in source
    assert not compile_source(source.replace(old, new)).accepted
