"""What is exported says what the certificate says, and is true, as far as that can be known without
Rocq; and with Rocq, where it is installed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert CASES.keys() - EXPORTED == {"tanh"}  # an enclosure
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
    residual = evaluator.named("residual")
    assert residual == Fraction(certificate["value"])
    assert module.statements["violated"].conclusion[0] == "not"
    _, _, shown = module.statements["residual_value"].conclusion
    assert evaluator.value(shown) == residual != 0
    assert all(facts_hold(module))


def test_a_hypothesis_that_fails_is_a_fact_that_fails():
    """With data of norm 10 a comparison comes out otherwise."""
    given = r"(Definition x_x_at_0 : Q := \()(\S+)"
    source = export(CASES["control.planted"])
    other, count = re.subn(given, lambda m: f"{m[1]}{int(m[2]) + 9}", source)
    assert count == 1
    assert not all(facts_hold(read(other)))


# names -------------------------------------------------------------------------------------------
NAMES = st.text(st.sampled_from("ab_2*()\"'.é√ \n\\j"), min_size=1, max_size=4)


@given(st.lists(NAMES, min_size=2, max_size=4, unique=True))
def test_any_names_make_the_same_theorem(names):
    """Vertices of any names: the file reads, and no two of them become one."""
    chain = ["x", *names, "o"]
    if {"x", "o"} & set(names):
        return
    edges = [
        {"tail": a, "head": b, "parameter": f"{k}"} for k, (a, b) in enumerate(pairwise(chain))
    ]
    net = c.network(["x>o"]) | {
        "vertices": [{"name": name, "activation": "linear"} for name in chain],
        "edges": edges,
        "weights": {f"{k}": "1" for k, _ in enumerate(edges)},
    }
    entry = {"vertex": names[0]}
    certificate = c.counterexample("control.planted.lj22", net, [c.example(1)], entry, 2)
    assert check(certificate).code == ACCEPT
    module = read(export(certificate))
    assert len([key for key in module.definitions if key.startswith("w_")]) == len(edges)
    assert Evaluator(module).named("residual") == 2


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (
            changed(c.VALID["control.planted"], "claim", to="lj22.lemma99"),
            "no Rocq form of a case",
        ),
        (changed(c.VALID["control.planted"], "value", to="-3"), "the residual is 2, not -3"),
        (changed(c.VALID["control.planted"], "entry", to={"vertex": "o"}), "cannot be traced"),
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
        ("control.planted", "residual == (2 # 1)", "residual == (3 # 1)"),
        ("control.false", "Qed.", "Admitted."),
    ],
)
def test_rocq_refuses_what_is_not_so(name, old, new):
    source = export(CASES[name])
    assert old in source
    assert not compile_source(source.replace(old, new)).accepted
