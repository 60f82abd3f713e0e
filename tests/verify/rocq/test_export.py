"""What is exported says what the certificate says, and is true, as far as that can be known without
Rocq; and with Rocq, where it is installed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from tests.verify import certificates as c
from tests.verify.corruptions import changed
from tests.verify.rocq.reader import Evaluator, Module, Statement, Tree, read, sentences
from verify.checker.restated import ACCEPT, check
from verify.rocq import NotExported, export
from verify.rocq.compiled import ABSENT, compile_source, compiler

WORDS = (
    "From Coq Require Import ZArith QArith Open Scope Z_scope Q_scope Section End Variable"
    " Definition Fixpoint Lemma Theorem Proof Qed Print Assumptions forall fun match with end if"
    " then else intros ring exact rewrite unfold cbv beta delta transitivity induction as apply"
    " vm_compute reflexivity Z Q nat bool O S true false conj Qred Qle_bool Qeq_bool Qeq_bool_eq"
    " Qeq_bool_neq negb andb orb implb"
)
LARGE = c.balance(
    "lj22.lemma3@B",
    c.network([f"{a}>{b}" for a, b in pairwise(["x", *(f"h{k}" for k in range(9)), "o"])]),
    (c.layers(["x>h0"], ["h8>o"]), {f"h{k}": 1 for k in range(9)}),
    (c.layers(["h0>h1"], ["h7>h8"]), {f"h{k}": "1" for k in range(1, 8)}),
)
TWO_INTO_TWO = ["x1>g1", "x2>g1", "x1>g2", "x2>g2", "g1>u", "g2>u", "g1>v", "g2>v"]
WIDE = c.polynomial(
    "lj22.lemma2b@A",
    c.network([*TWO_INTO_TWO, "u>o", "v>o"], {"u": "relu", "v": "relu", "g1": "abs"}),
    {"pair": ["v", "u"]},
)
TIED = c.balance(
    "lj22.lemma2a", c.network(["x>h", "h>o", "x>g", "g>o"]), ({"vertex": "h"}, {"h": 1})
)
for edge in TIED["network"]["edges"][2:]:
    edge["parameter"] = "shared"
CASES = {**c.VALID, "nine layers": LARGE, "wide pair": WIDE, "tied elsewhere": TIED}
FIXED = changed(c.VALID["balance lemma2a"], "network", "edges", 0, "parameter", to="w")


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
IDENTITIES = [name for name in EXPORTED if CASES[name]["kind"] in ("balance", "polynomial")]
POINTS = [name for name in EXPORTED if CASES[name]["kind"] not in ("balance", "polynomial")]


@cache
def module_of(name: str) -> Module:
    return read(export(CASES[name]))


def test_all_balances_and_polynomials_are_exported_and_many_cases():
    kinds = [certificate["kind"] for certificate in CASES.values()]
    assert len(IDENTITIES) == kinds.count("balance") + kinds.count("polynomial")
    assert len(POINTS) >= 9
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
    known, defined, local = set(WORDS.split()), {"Network"}, {"_"}
    for sentence in sentences(source):
        assert brackets_match(sentence)
        bound = bound_names(sentence)
        if sentence[0] in ("Variable", "Definition", "Fixpoint", "Lemma", "Theorem"):
            assert sentence[1] not in defined | known
            defined.add(sentence[1])
            local = {"_"}
        assert not bound & defined
        local |= bound
        words = {token for token in sentence if re.match("[A-Za-z_]", token)}
        assert not words - known - defined - local


def bound_names(sentence: list[str]) -> set[str]:
    """The names that a sentence binds."""
    if sentence[0] == "intros":
        return set(sentence[1:])
    text = " ".join(sentence)
    binders = re.findall(r"forall (.*?) :", text) + re.findall(r"\( ([\w ]*) : ", text)
    found = {name for binder in binders for name in binder.split()}
    for pattern in (r"fun (\w+) =>", r"\| S (\w+) =>", r"\[ \| (\w+) (\w+) \]"):
        for match in re.finditer(pattern, text):
            found |= set(match.groups())
    return found


@pytest.mark.parametrize("name", EXPORTED)
def test_every_theorem_is_asked_for_its_axioms(name):
    module = module_of(name)
    text = export(CASES[name])
    theorems = re.findall(r"^Theorem (\w+)", text, re.MULTILINE)
    assert module.assumptions
    assert sorted(theorems) == sorted(module.assumptions)
    assert not re.search("Axiom|Admitted|admit|Parameter|Conjecture|Hypothesis", text)


# what is shown is true ---------------------------------------------------------------------------
def symbolic(module: Module, examples: int = 2) -> Evaluator:
    def symbol(name: str, example: int | None) -> sympy.Symbol:
        return sympy.Symbol(name if example is None else f"{name}@{example}")

    return Evaluator(module, symbol, examples)


def replaced(tree: Tree, old: Tree, new: Tree) -> Tree:
    if tree == old:
        return new
    return tuple(replaced(p, old, new) if isinstance(p, tuple) else p for p in tree)


def is_zero(value: object) -> bool:
    return sympy.expand(value) == 0


@pytest.mark.parametrize("name", IDENTITIES)
def test_what_ring_has_to_show_is_so(name):
    module = module_of(name)
    seen = 0
    for statement in module.statements.values():
        steps = [" ".join(step) for step in statement.proof]
        if "ring" in steps and "transitivity" not in steps[1] and "rewrite" not in steps[1]:
            seen += check_direct(module, statement)
        elif "ring" in steps and "transitivity" in steps[1]:
            seen += check_rewriting(module, statement)
    assert seen


def check_direct(module: Module, statement: Statement) -> bool:
    kind, left, right = statement.conclusion
    assert kind == "="
    bound = {n: 0 if n in ("j", "n") else sympy.Symbol(n) for n in statement.bound}
    evaluator = symbolic(module)
    assert is_zero(evaluator.value(left, bound) - evaluator.value(right, bound))
    return True


def check_rewriting(module: Module, statement: Statement) -> bool:
    """transitivity (E): the left side is E, and E is the right side once premises are used."""
    from tests.verify.rocq.reader import Parser

    middle = Parser(statement.proof[1][1:]).whole()
    bound = {n: sympy.Symbol(n) for n in statement.bound}
    evaluator = symbolic(module)
    _, left, right = statement.conclusion
    assert is_zero(evaluator.value(left, bound) - evaluator.value(middle, bound))
    for _, old, new in statement.premises:
        assert replaced(middle, old, new) != middle
        middle = replaced(middle, old, new)
    assert is_zero(evaluator.value(middle, bound) - evaluator.value(right, bound))
    return True


@pytest.mark.parametrize("name", [n for n in IDENTITIES if n != "nine layers"])
def test_theorems_and_lemmas_hold_with_all_definitions_put_in(name):
    """For two examples, as polynomials in weights, inputs, slopes and risk coefficients."""
    module = module_of(name)
    evaluator = symbolic(module)
    for statement in module.statements.values():
        if statement.bound not in (["n"], ["j"], []):
            continue
        kind, left, right = statement.conclusion
        assert kind == "="
        bound = dict.fromkeys(statement.bound, 2 if statement.bound == ["n"] else 1)
        assert is_zero(evaluator.value(left, bound) - evaluator.value(right, bound))
    for theorem in module.assumptions:
        _, left, right = module.statements[theorem].conclusion
        assert right == ("number", 0)
        assert left != right


@pytest.mark.parametrize("name", [n for n in IDENTITIES if "paths" not in n])
def test_derivatives_are_those_of_the_output(name):
    """The backward pass gives the derivatives of the forward pass, at fixed slopes."""
    module = module_of(name)
    network = CASES[name]["network"]
    if len(network["edges"]) > 8 or any(e["parameter"] == "shared" for e in network["edges"]):
        return
    evaluator = symbolic(module)
    output = evaluator.named("post_o", (0,), {})
    for edge in network["edges"]:
        both = f"{edge['tail']}_to_{edge['head']}"
        derivative = evaluator.named(f"d_{both}", (0,), {})
        weight = sympy.Symbol(f"w_{both}")
        assert is_zero(sympy.diff(output, weight) - derivative)


def test_a_theorem_about_a_balance_is_about_its_entry():
    """The coefficients of the weights times velocities are those of the entry, all of them."""
    for name in IDENTITIES:
        certificate = CASES[name]
        if certificate["kind"] != "balance":
            continue
        module = module_of(name)
        shown = iter(module.assumptions)
        for identity in certificate["identities"]:
            expected = expected_coefficients(certificate["network"], identity["entry"])
            if not expected:
                continue
            _, left, _ = module.statements[next(shown)].conclusion
            flow = Evaluator(
                Module({key: "nat -> Z" if key[:2] == "v_" else "Z" for key in names_in(left)}),
                lambda key, _: sympy.Symbol(key),
            )
            total = sympy.Poly(flow.value(left, {"n": 0}))
            found = {str(m): int(k) for m, k in total.as_expr().as_coefficients_dict().items()}
            assert found == expected
        assert next(shown, None) is None


def names_in(tree: Tree) -> set[str]:
    if tree[0] == "name":
        return {tree[1]}
    return set().union(*(names_in(part) for part in tree if isinstance(part, tuple)))


def expected_coefficients(network: dict, entry: dict) -> dict[str, int]:
    edges = [(e["tail"], e["head"]) for e in network["edges"]]
    found = dict.fromkeys(edges, 0)
    if "vertex" in entry:
        for tail, head in edges:
            found[tail, head] = (head == entry["vertex"]) - (tail == entry["vertex"])
    else:
        for sign, layer in zip((1, -1), entry["layers"], strict=True):
            for tail, head in layer:
                found[tail, head] += sign
    named = {f"{a}_to_{b}": k for (a, b), k in found.items() if k}
    return {str(sympy.Symbol(f"v_{n}") * sympy.Symbol(f"w_{n}")): k for n, k in named.items()}


@pytest.mark.parametrize("name", POINTS)
def test_a_case_is_computed_as_in_the_certificate(name):
    certificate, module = CASES[name], module_of(name)
    evaluator = Evaluator(module, lambda *_: pytest.fail("a variable"))
    residual = evaluator.named("residual", (), {})
    assert residual == Fraction(certificate["value"])
    assert module.statements["violated"].conclusion[0] == "not"
    shown = module.statements["residual_value"].conclusion
    assert evaluator.value(shown[2], {}) == residual != 0
    for key, statement in module.statements.items():
        if key.startswith("fact_"):
            _, left, right = statement.conclusion
            assert evaluator.value(left, {}) is evaluator.value(right, {})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lemma3@A", ("case", "examples", 0, "x", 0)),
        ("v1.lemma3b", ("case", "examples", 0, "x", 0)),
    ],
)
def test_a_hypothesis_that_fails_is_a_fact_that_fails(name, change):
    """Of data of norm 2, which the checker rejects, the fact about the norm is false."""
    module = read(export(changed(c.VALID[name], *change, to="2")))
    evaluator = Evaluator(module, lambda *_: pytest.fail("a variable"))
    facts = [s for key, s in module.statements.items() if key.startswith("fact_")]
    values = [
        evaluator.value(s.conclusion[1], {}) is evaluator.value(s.conclusion[2], {}) for s in facts
    ]
    assert not all(values)


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
    }
    certificate = c.balance("lj22.lemma2a", net, *(({"vertex": v}, {v: 1}) for v in names))
    assert check(certificate).code == ACCEPT
    module = read(export(certificate))
    assert len([key for key in module.definitions if key.startswith("pre_")]) == len(names) + 1
    assert len(module.variables) == len(edges) + 1 + len(names) + 1 + 1
    assert len(module.assumptions) == len(names)


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (changed(c.VALID["eq51@AB"], "claim", to="lj22.lemma99"), "no Rocq form of a case"),
        (changed(c.VALID["eq51@AB"], "value", to="-3"), "the residual is 2, not -3"),
        (changed(c.VALID["eq51@AB"], "entry", to=c.layers(["x>y"], ["x>o"])), "cannot be traced"),
        (changed(c.VALID["balance lemma2a"], "claim", to="lj22.lemma5"), "no Rocq form of a bal"),
        (changed(c.VALID["polynomial lemma2a"], "claim", to="lj22.lemma5"), "no Rocq form of a p"),
        (
            changed(c.VALID["balance lemma2a"], "identities", 0, "potential", to={"h": 2}),
            "does not belong",
        ),
        (
            changed(c.VALID["lemma3@A"], "case", "choice", to={"selection": "sliding"}),
            "slides",
        ),
    ],
)
def test_what_has_no_form_is_refused(certificate, reason):
    with pytest.raises(NotExported, match=reason):
        export(certificate)


# Rocq itself -------------------------------------------------------------------------------------
needs_rocq = pytest.mark.skipif(compiler() is None, reason=ABSENT)


@needs_rocq
@pytest.mark.parametrize("name", ["balance lemma2a two", "wide pair", "lemma2b@A dormant"])
def test_rocq_accepts_what_is_exported(name):
    answer = compile_source(export(CASES[name]))
    assert answer.accepted, answer.message


@needs_rocq
@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("lemma3@A", "residual == (2 # 5)", "residual == (3 # 5)"),
        (
            "balance lemma2a",
            "Theorem identity_0 : forall n : nat, w",
            "Theorem identity_0 : forall n : nat, 2 * w",
        ),
        ("polynomial gflow.fix", "residual j = 0", "residual j = 1"),
        ("control.false", "Qed.", "Admitted."),
    ],
)
def test_rocq_refuses_what_is_not_so(name, old, new):
    source = export(CASES[name])
    assert old in source
    assert not compile_source(source.replace(old, new)).accepted
