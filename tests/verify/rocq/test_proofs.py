"""Proofs as Rocq source: that Rocq accepts those of the papers, and refuses what is no proof."""

from __future__ import annotations

import copy
import json
import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.verify.checker_proofs.proved import CLAIMS, STATEMENTS, record_of
from verify.checker import ACCEPTED, check_content
from verify.checker.lemmas import LEMMAS
from verify.rocq import NotExported, export_statement
from verify.rocq.combinations import _positive
from verify.rocq.compiled import compile_source, lacking
from verify.rocq.names import identifier

Json = Any
WITHOUT_NETWORK = [name for name in CLAIMS if not STATEMENTS[name].domain.network]
EXPORTED = sorted(
    {n for n in WITHOUT_NETWORK if n.startswith("lj22")} - {"lj22.thm2-rank"}
    | {"j23.prop4.eq1.limits.fix", "j23.prop4.2.limits.fix"}
)
FEW = ("lj22.lemma11-75.b", "lj22.pullback", "lj22.weyl.a")
X, Y, M, ZERO = ["field", "x"], ["field", "y"], ["field", "M"], ["eq", ["field", "x"], 0]
BOTH = ["and", ["ge", X, 0], ["le", X, 0]]
LAST = ["ge", ["add", ["norm", M], ["mul", X, Y]], 0]
PARTS = [
    {"rule": "part", "holds": ["ge", X, 0], "of": 0},
    {"rule": "part", "holds": ["le", X, 0], "of": 0},
]
SMALL = {  # with the rules and the lemma that those few have not
    "format": "lemmata-statement",
    "version": 1,
    "kind": "proof",
    "statement": {
        "id": "small",
        "domain": {
            "arrays": {
                "x": {"sort": "num", "axes": []},
                "y": {"sort": "num", "axes": []},
                "M": {"sort": "mat", "axes": ["m", "n"]},
            }
        },
        "hypotheses": [{"name": "x is 0", "holds": BOTH}],
        "says": ["and", LAST, ["ge", ["mul", 2, X], ["div", X, 3]]],
    },
    "proof": [
        [
            *PARTS,
            {"rule": "lemma", "lemma": "norm", "with": {"M": M}, "premises": []},
            {"rule": "both", "holds": ZERO, "of": [2, 1]},
            {"rule": "name", "term": X},
            {"rule": "same", "holds": ["eq", ["var", 0], 0], "by": [6], "of": 5},
            {
                "rule": "algebra",
                "holds": LAST,
                "sum": [
                    {"times": 1, "of": [4]},
                    {"times": Y, "equal": 7},
                    {"times": ["neg", Y], "equal": 6},
                ],
            },
        ],
        [
            PARTS[0],
            {
                "rule": "cases",
                "holds": ["ge", ["mul", 2, X], ["div", X, 3]],
                "split": ["gt", X, -1],
                "yes": [
                    {
                        "rule": "algebra",
                        "holds": ["ge", ["mul", 2, X], ["div", X, 3]],
                        "sum": [{"times": "5/3", "of": [1]}],
                    }
                ],
                "no": [
                    {
                        "rule": "algebra",
                        "holds": ["le", X, ["sub", X, 1]],
                        "sum": [{"times": 1, "of": [1]}, {"times": 1, "of": [2]}],
                    },
                    {
                        "rule": "absurd",
                        "holds": ["ge", ["mul", 2, X], ["div", X, 3]],
                        "of": [3],
                    },
                ],
            },
        ],
    ],
}


@cache
def source_of(name: str) -> str:
    return export_statement(record_of(name))


def rules(steps: Json) -> set[str]:
    """The rules and lemmas of a proof."""
    found = set()
    for step in steps:
        found |= {step["rule"], step.get("lemma", step["rule"])}
        found |= rules([s for key in ("yes", "no") for s in step.get(key, [])])
    return found


def used(record: Json) -> set[str]:
    return set().union(*map(rules, record["proof"]))


@pytest.fixture
def with_mathcomp() -> None:
    if (reason := lacking(source_of("lj22.weyl.a"))) is not None:
        pytest.skip(reason)


@pytest.mark.parametrize("name", EXPORTED)
def test_its_conditions_are_what_the_checker_trusts(name: str) -> None:
    """No more, and no less; nothing is left out or taken as an axiom."""
    source = source_of(name)
    (theorem,) = re.findall(r"\nTheorem proved : ([^.]*)\.", source)
    *conditions, last = theorem.split(" -> ")
    code, message = check_content(json.dumps(record_of(name)).encode())
    assert code == ACCEPTED
    trusted = [key for key, lemma in LEMMAS.items() if lemma.words in message]
    assert set(conditions) == {identifier("lemma", key) for key in trusted}
    assert last == "statement"
    assert not re.findall(r"\b(Admitted|admit|Axiom|Parameter|Hypothesis|Abort)\b", source)
    variables = re.findall(r"\nVariable (\w+)", source)
    assert variables == ["R", "eigenvalues", "norm"]


@pytest.mark.parametrize("name", sorted(set(WITHOUT_NETWORK) - set(EXPORTED)))
def test_of_the_others_it_is_told_what_has_no_form(name: str) -> None:
    with pytest.raises(NotExported, match="no Rocq form of"):
        export_statement(record_of(name))


def test_few_have_what_all_have() -> None:
    few = [*map(record_of, FEW), SMALL]
    assert set().union(*map(used, few)) == set().union(*(used(record_of(n)) for n in EXPORTED))


def test_the_small_one_is_accepted() -> None:
    code, message = check_content(json.dumps(SMALL).encode())
    assert code == ACCEPTED, message


def test_rocq_accepts_them(with_mathcomp: None) -> None:
    """In one file, as it takes a while to load MathComp."""
    sources = [*map(source_of, FEW), export_statement(SMALL)]
    modules = [f"Module M{k}.\n{one}End M{k}.\n" for k, one in enumerate(sources)]
    answer = compile_source("".join(modules))
    assert answer.accepted, answer.message


def multiplied(record: Json) -> Json:
    """The proof with one multiplier that is another one."""
    changed = copy.deepcopy(record)
    step = changed["proof"][0][-1]
    assert step["sum"][0]["times"] == 1
    step["sum"][0]["times"] = 2
    return changed


def turned(record: Json) -> Json:
    """The statement the other way round, with its proof, which ends so."""
    changed = copy.deepcopy(record)
    for term in (changed["statement"]["says"], changed["proof"][0][-1]["holds"]):
        assert term[0] == "ge"
        term[0] = "le"
    return changed


def replaced(old: str, new: str) -> str:
    source = " ".join(source_of("lj22.weyl.a").split())
    assert source.count(old) == 1
    return source.replace(old, new)


TURNED = "(field_D = field_D^T :> 'M[R]_(size_n, size_n))"
LEMMAS_USED = "lemma_eigenvector -> lemma_rayleigh -> statement"
PLANTED = {
    "a wrong multiplier": export_statement(multiplied(record_of("lj22.weyl.a"))),
    "a false statement": export_statement(turned(record_of("lj22.weyl.a"))),
    "a hypothesis less": replaced(f"{TURNED}) ->", f"{TURNED.replace('^T', '')}) ->"),
    "a lemma less": replaced(LEMMAS_USED, "lemma_rayleigh -> statement"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_rocq_refuses_what_is_no_proof(with_mathcomp: None, what: str) -> None:
    answer = compile_source(PLANTED[what])
    assert not answer.accepted
    assert "Error" in answer.message
    assert "yntax error" not in answer.message


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(NotExported, match="the rule each of a proof"):
        export_statement(record_of("lj22.thm2-rank"))
    with pytest.raises(NotExported, match="a proof about networks"):
        export_statement(record_of("lj22.eq16@B"))


def test_a_number_above_0_is_a_successor_over_a_successor() -> None:
    """ltr0Sn R n says that n + 1 is above 0."""
    assert _positive(Fraction(3)) == "(ltr0Sn R 2)"
    assert _positive(Fraction(3, 2)) == "(divr_gt0 (ltr0Sn R 2) (ltr0Sn R 1))"


def test_places_in_lists_are_counted_from_0_there() -> None:
    """The largest eigenvalue, the first one here, is number 0 of a list of Rocq."""
    source = export_statement(record_of("lj22.weyl.a"))
    places = {int(number) for number in re.findall(r"eigenvalues[^`]*`_(\d+)\)", source)}
    assert 0 in places
