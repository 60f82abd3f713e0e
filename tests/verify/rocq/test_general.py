"""The general theorem: what its source says, and what Rocq says of it where MathComp is there."""

import re

import pytest

from tests.repository import ROOT
from tests.verify.rocq.reader import without_comments
from verify.rocq.compiled import compile_source, lacking

SOURCE = (ROOT / "verify/rocq/general/vertex_balance.v").read_text(encoding="ascii")
UNPROVED = r"\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjectures?|Unset Guard\w*)\b"
MAIN = {
    "balance_of_passes",
    "vertex_balance",
    "partial_is_gradient",
    "vertex_balance_of_partials",
    "risk_balance",
    "vertex_law",
}


@pytest.fixture
def with_mathcomp():
    if (reason := lacking(SOURCE)) is not None:
        pytest.skip(reason)


def test_nothing_is_left_unproved():
    code = without_comments(SOURCE)
    assert re.findall(UNPROVED, code) == []
    proofs = re.findall(r"\bProof\.", code)
    assert len(proofs) == len(re.findall(r"\bQed\.", code)) > 30


def test_each_theorem_is_asked_what_it_rests_on():
    code = without_comments(SOURCE)
    theorems = re.findall(r"^\s*(?:Theorem|Example) (\w+)", code, re.MULTILINE)
    assert re.findall(r"^Print Assumptions (\w+)\.", code, re.MULTILINE) == theorems
    assert set(theorems) >= MAIN


def test_rocq_accepts_it_without_axioms(with_mathcomp):
    answer = compile_source(SOURCE)
    assert answer.accepted, answer.message


@pytest.mark.parametrize(
    ("printed", "planted"),
    [
        # the gradient without the slope, the forward pass with a bias, a proof that is given up
        ("post (tail e) * slope (head e) * back (head e).", "post (tail e) * back (head e)."),
        ("else slope v * preactivation post v.", "else slope v * preactivation post v + 1."),
        ("Proof. exact: balance_of_passes post_solves backward_solves. Qed.", "Admitted."),
    ],
)
def test_rocq_does_not_accept_it_changed(with_mathcomp, printed, planted):
    assert SOURCE.count(printed) == 1
    assert not compile_source(SOURCE.replace(printed, planted)).accepted
