"""Statements and the cases that refute them as Rocq source: that Rocq evaluates as the checker
does, accepts the certificates that are kept, and refuses what is not so."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.verify import certificates as c
from tests.verify.checker_proofs.test_proved import record_of
from tests.verify.checker_statements.statements import network, value
from verify.papers.registry import find
from verify.rocq import NotExported, export_statement
from verify.rocq.compiled import ABSENT, compile_source, compiler
from verify.search.exhibits import exhibits

Json = Any
EXHIBITS = {name: kept.certificate_of(find(name)) for name, kept in exhibits("lj22").items()}
STATED = {**{f"exhibit {name}": kept for name, kept in EXHIBITS.items()}, **c.STATED}


def sources() -> dict[str, str]:
    found = {}
    for name, certificate in STATED.items():
        try:
            found[name] = export_statement(certificate)
        except NotExported:
            continue
    return found


SOURCES = sources()
needs_rocq = pytest.mark.skipif(compiler() is None, reason=ABSENT)


def operators(term: Json) -> set[str]:
    if not isinstance(term, list):
        return set()
    return {term[0]}.union(*map(operators, term[1:]))


def asked(certificate: Json) -> set[str]:
    """The operators of a statement."""
    statement = certificate["statement"]
    terms = [statement["says"], *(given["holds"] for given in statement["hypotheses"])]
    return set().union(*map(operators, terms))


def few() -> list[str]:
    """Names of certificates that have every operator of all that are exported."""
    left = {name: asked(STATED[name]) for name in SOURCES}
    chosen = []
    while any(left.values()):
        most = max(left, key=lambda name: (len(left[name]), name))
        chosen.append(most)
        found = left[most]
        left = {name: words - found for name, words in left.items()}
    return chosen


def test_most_that_is_refuted_has_a_form() -> None:
    """All but those with arrays, products or norms of matrices, sorted lists, or powers other than
    whole ones."""
    missing = {}
    for name in STATED.keys() - SOURCES.keys():
        with pytest.raises(NotExported) as refusal:
            export_statement(STATED[name])
        missing[name] = str(refusal.value)
    allowed = ("a vec", "a mat", "a tensor", "need not be whole", "names activations")
    allowed += ("not piecewise linear",)
    allowed += ("operator frob2", "operator matmul", "operator norm", "operator sorted")
    assert all(any(word in reason for word in allowed) for reason in missing.values()), missing
    assert len(SOURCES) > 2 * len(missing)


@pytest.mark.parametrize("name", SOURCES)
def test_the_theorem_is_about_the_statement(name: str) -> None:
    """Each hypothesis is supposed of all cases, and shown of the one."""
    source = SOURCES[name]
    given = STATED[name]["statement"]["hypotheses"]
    assert source.count("\nDefinition hypothesis_") == len(given)
    assert source.count("\nLemma meets_") == len(given)
    after = source[source.index("\nDefinition statement : Prop") :]
    statement = " ".join(after.split("\n\n")[0].split())
    assert all(f"hypothesis_{k} " in statement for k in range(1, len(given) + 1))
    witness = STATED[name]["kind"] == "witness"
    assert f"Theorem {'found : statement' if witness else 'refuted : ~ statement'}." in source


# Rocq itself -------------------------------------------------------------------------------------
@needs_rocq
@pytest.mark.parametrize("name", few())
def test_rocq_accepts_it(name: str) -> None:
    answer = compile_source(SOURCES[name])
    assert answer.accepted, answer.message


H, G, OUT = (["at", ["vertices"], k] for k in (2, 5, 6))
ALONG = [
    "along",
    OUT,
    [
        "add",
        ["mul", 2, ["card", ["var", 1]]],
        [
            "sum",
            ["range", 1, ["card", ["var", 2]]],
            ["mul", ["var", 3], ["at", ["var", 2], ["var", 3]]],
        ],
    ],
]
AT = ["var", 0]
PAIR = ["let", ["tuple", 2, "1/3", 5], ["add", ["item", AT, 2], ["item", AT, 3]]]
VALUES: dict[str, Json] = {
    **{f"pre {v}": ["pre", v, 1] for v in (H, G, OUT)},
    **{f"post {v}": ["post", ["at", ["vertices"], v], 2] for v in (1, 2, 4, 5, 6)},
    **{f"slope {v}": ["slope", v, 1] for v in (H, G, OUT)},
    **{f"sensitivity {v}": ["sensitivity", v, 1] for v in (H, G, OUT)},
    **{f"gradient {e}": ["gradient", ["at", ["edges"], e], 2] for e in (1, 2, 3)},
    **{f"rate of {e}": ["rate", ["pow", ["weight", ["at", ["edges"], e]], 3]] for e in (1, 2, 4)},
    "rate of pre": ["rate", ["pre", G, 2]],
    "rate of output": ["rate", ["output", 1]],
    "activation": ["activation", G, "-3/2"],
    "slopes": ["sub", ["slope_left", G], ["slope_right", G]],
    "users": ["sum", ["users", ["at", ["edges"], 1]], ["card", ["users", AT]]],
    "labels": ["sum", ["examples"], ["mul", ["label", AT], ["loss_slope", AT]]],
    "inputs": ["sum", ["inputs"], ["input", AT, 2]],
    "on paths": [
        "sum",
        ["paths"],
        ["prod", ["edges_on", AT], ["add", ["weight", ["var", 1]], "1/3"]],
    ],
    "starts": ["sum", ["paths"], ["input", ["start", AT], 2]],
    "back": ["sum", ["paths_to", OUT], ["pow", 2, ["card", AT]]],
    "order of paths": ["card", ["at", ["paths_to", OUT], 4]],
    "along": ALONG,
    "rank": ["rank", ["matrix", 2, 3, ["post", ["at", ["vertices"], ["add", AT, ["var", 1]]], 1]]],
    "largest": ["maximum", ["edges"], ["abs", ["weight", AT]]],
    "least": ["minimum", ["edges"], ["weight", AT]],
    "orders": ["sum", ["orders", ["range", 2, 4]], ["at", AT, 2]],
    "order of orders": ["at", ["at", ["orders", ["range", 2, 4]], 3], 1],
    "subsets": ["sum", ["subsets", ["range", 2, 5]], ["pow", ["card", AT], 2]],
    "order of subsets": ["at", ["at", ["subsets", ["range", 2, 5]], 3], 1],
    "lists": ["card", ["union", ["minus", ["edges"], ["into", H]], ["out_of", H]]],
    "common": ["card", ["intersection", ["into", H], ["edges"]]],
    "the": ["weight", ["the", ["edges"], ["held", ["tail", AT]]]],
    "edge": ["weight", ["edge", H, OUT]],
    "those": ["sum", ["filter", ["edges"], ["eq", ["head", AT], OUT]], ["weight", AT]],
    "fold": ["fold", ["range", 1, 4], "1/2", ["sub", ["mul", 2, AT], ["var", 1]]],
    "let": PAIR,
    "whole": ["add", ["floor", "-7/2"], ["add", ["ceil", "7/2"], ["mod", -7, 3]]],
    "signs": ["add", ["sign", "-2/3"], ["add", ["smaller", 1, -2], ["larger", "1/2", "1/3"]]],
    "powers": ["pow", "2/3", -2],
    "counted": ["count", ["vertices"], ["held", AT]],
    "some": ["if", ["some", ["edges"], ["not", ["learnable", AT]]], "1/7", "2/7"],
    "distinct": ["card", ["distinct", ["map", ["edges"], ["head", AT]]]],
    "joined": ["at", ["concat", ["list", 3, 4], ["range", 5, 6]], 3],
}
"""Numbers on the network below: an input that is held, a shared parameter, a kink at h on the first
example, with a slope that is chosen."""
NETWORK = network(
    ["x>h=p", "xx>h", "b>h", "h>g=p", "x>g", "g>o", "h>o"],
    [2, -1, 3, "1/2", -2, 5],
    {"h": "relu", "g": "leaky_relu 1/3", "o": "abs"},
    [(["1", "5"], 1, 3), (["-2", "1/2"], -1, "1/2")],
    held={"b": 1},
    choice={"slopes_at_0": [["h", 1, "1/3"]]},
)


def agreeing(values: dict[str, Json]) -> Json:
    """A certificate that refutes that one of the numbers is not what the checker finds."""
    equations = [["eq", term, str(value(term, network=NETWORK))] for term in values.values()]
    says = equations[0]
    for equation in equations[1:]:
        says = ["and", says, equation]
    statement = {
        "id": "mine",
        "domain": {"network": True},
        "flow": {},
        "hypotheses": [],
        "says": ["not", says],
    }
    return {
        "format": "lemmata-statement",
        "version": 1,
        "kind": "counterexample",
        "statement": statement,
        "case": NETWORK,
        "at": [],
    }


@needs_rocq
def test_rocq_finds_the_same_numbers() -> None:
    answer = compile_source(export_statement(agreeing(VALUES)))
    assert answer.accepted, answer.message


@needs_rocq
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[(1 # 1)]", "[(2 # 1)]"),  # the case is another one, at which nu(yx) = y nu(x) fails too
        ("[((-1) # 1)]", "[(1 # 1)]"),  # at y = 1 it holds
        ("[((-1) # 1)]", "[(3 # 1)]"),  # that is no label
        ("[(0, 1)%nat]", "[(1, 0)%nat]"),  # no network: the edge leads to the input
        (
            "Definition says (G : network) : bool := (",
            "Definition says (G : network) : bool := negb (",
        ),
    ],
)
def test_what_rocq_makes_of_changes(old: str, new: str) -> None:
    source = SOURCES["risk"]
    assert old in source
    accepted = compile_source(source.replace(old, new)).accepted
    assert accepted == (new == "[(2 # 1)]")


@needs_rocq
@pytest.mark.parametrize(
    ("old", "new", "accepted"),
    [
        ("0%nat", "0%nat", True),
        ("(1%nat, 1%nat, (1 # 3))", "(1%nat, 1%nat, (7 # 1))", False),  # ReLU has no slope 7
        ("(1%nat, 1%nat, (1 # 3))", "(1%nat, 9%nat, (1 # 3))", False),  # no such example
        ("(1%nat, 1%nat, (1 # 3))", "(0%nat, 1%nat, (1 # 1))", False),  # an input has none
        ("[3%nat] [5%nat]", "[3%nat] [5%nat; 5%nat]", False),  # an output that stands twice
        ("[3%nat] [5%nat]", "[0%nat] [5%nat]", False),  # an input with two values is not held
    ],
)
def test_rocq_refutes_by_no_case_that_is_none(old: str, new: str, *, accepted: bool) -> None:
    source = export_statement(agreeing({"a label": ["label", 1]}))
    before, case = source.split("Definition at_G", 1)
    case, theorems = case.split("Lemma", 1)
    case = " ".join(case.split())
    assert old in case
    changed_source = f"{before}Definition at_G{case.replace(old, new)}\nLemma{theorems}"
    assert compile_source(changed_source).accepted == accepted


@needs_rocq
@pytest.mark.parametrize(("slope", "accepted"), [("3", True), ("2", False)])
def test_equal_margins_have_equal_slopes_of_the_loss(slope: str, *, accepted: bool) -> None:
    case = network(["x>o"], [1], {"o": "linear"}, [(["1"], 1, 3), (["-1"], -1, slope)])
    assert compile_source(export_statement(says(False) | {"case": case})).accepted == accepted


NUMBERS = {
    "format": "lemmata-statement",
    "version": 1,
    "kind": "counterexample",
    "statement": {
        "id": "mine",
        "domain": {"arrays": {"k": {"sort": "int", "axes": [], "least": 0, "largest": 4}}},
        "flow": {},
        "hypotheses": [{"name": "above", "holds": ["gt", ["field", "k"], 2]}],
        "says": ["eq", ["mul", ["field", "k"], ["field", "k"]], 9],
    },
    "case": {
        "format": "tensors",
        "arrays": {"k": {"axes": [], "entries": "4", "integer": True}},
        "choice": {},
    },
    "at": [],
}
"""Every k from 0 to 4 that is above 2 has the square 9: not so at 4."""


@needs_rocq
@pytest.mark.parametrize(
    ("value_of_k", "accepted"), [("4", True), ("3", False), ("2", False), ("5", False)]
)
def test_numbers_of_a_case(value_of_k: str, *, accepted: bool) -> None:
    """At 3 it holds, 2 is not above 2, and 5 is beyond the domain."""
    source = export_statement(NUMBERS)
    assert "Definition at_field_k : Q := (4 # 1)." in source
    changed = source.replace("at_field_k : Q := (4 # 1)", f"at_field_k : Q := ({value_of_k} # 1)")
    assert compile_source(changed).accepted == accepted


@needs_rocq
def test_a_number_that_is_not_whole_is_no_case() -> None:
    source = export_statement(NUMBERS).replace(
        "at_field_k : Q := (4 # 1)", "at_field_k : Q := (7 # 2)"
    )
    assert not compile_source(source).accepted


# what has no form --------------------------------------------------------------------------------
def changed(name: str, **parts: Any) -> Json:
    return copy.deepcopy(STATED[name]) | parts


def says(term: Json) -> Json:
    certificate = copy.deepcopy(STATED["risk"])
    certificate["statement"]["says"] = term
    return certificate


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (record_of("lj22.eq16@B"), "no Rocq form of a proof about networks"),
        (says(["eq", ["sqrt", ["output", 1]], 1]), "no Rocq form of the operator sqrt"),
        (says(["eq", ["pow", 2, ["output", 1]], 1]), "need not be whole"),
        (
            says(["eq", ["rate", ["prod", ["edges"], ["weight", AT]]], 1]),
            "the rate of prod",
        ),
    ],
)
def test_what_has_no_form_is_refused(certificate: Json, reason: str) -> None:
    with pytest.raises(NotExported, match=reason):
        export_statement(certificate)


def test_a_smooth_activation_is_refused() -> None:
    certificate = copy.deepcopy(STATED["risk"])
    certificate["case"]["network"]["vertices"][1]["activation"] = "tanh"
    with pytest.raises(NotExported, match="the activation of o is not piecewise linear"):
        export_statement(certificate)
