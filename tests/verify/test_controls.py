"""Controls: what is known of them is found out, by the same methods and checker as for claims."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.network import network
from reports import html, text
from reports.json_report import validate
from tests.verify.runs.cheap_methods import install
from verify.cases.case import Case
from verify.cases.pool import ACTIVATIONS
from verify.cases.tensors import Tensors, tensor
from verify.core.claim import Kind
from verify.papers.registry import all_claims
from verify.runs.controls import CONTROLS
from verify.runs.engine import Settings, run
from verify.search.judging import judge_exactly

IDS = list(CONTROLS)
rationals = st.fractions(-3, 3, max_denominator=8)
nonzero = rationals.filter(bool)


@pytest.fixture(scope="module")
def record():
    """A run of the controls alone, with the real methods."""
    return run([], Settings(budget="smoke"))


def test_every_control_behaves(record):
    observed = {control["id"]: control["observed"] for control in record["controls"]}
    assert observed["control.true"] == "proved on scope"
    assert observed["control.false"] == "refuted"
    assert observed["control.undecided"] == "open"
    assert observed["control.planted.lj22"] == "refuted"
    assert observed["control.planted.j23"] == "refuted"
    assert observed["control.planted.dkbhl20"] == "refuted"
    assert observed["control.planted.zlb22"] == "refuted"
    assert observed["control.inequality.true"] == "supported"
    assert observed["control.inequality.false"] == "refuted"
    assert observed["control.argument.forged"] == "error"
    assert observed["control.argument.other"] == "error"
    assert observed["control.argument.unfounded"] == "proved on scope"
    assert observed["control.argument.circular"] == "proved on scope"
    assert record["run"]["void_reasons"] == []


def test_what_they_found_was_tampered_with_and_rejected(record):
    tampered = record["controls"][-1]
    assert tampered["id"] == "control.tampered"
    assert tampered["ok"] is True
    assert re.fullmatch(r"[2-9] rejected", tampered["observed"])  # the false and the planted one


# what they are -------------------------------------------------------------------------------
def test_one_is_true_one_false_one_undecidable_and_one_is_planted_in_each_paper():
    papers = {claim.source.paper for claim in all_claims()}
    planted = {f"control.planted.{paper}" for paper in papers}
    inequalities = {"control.inequality.true", "control.inequality.false"}
    others = {"control.true", "control.false", "control.undecided"}
    arguments = {
        f"control.argument.{name}" for name in ("forged", "other", "unfounded", "circular")
    }
    proofs = {f"control.proof.{name}" for name in ("true", "forged", "empty", "another")}
    assert set(IDS) == others | inequalities | planted | arguments | proofs
    for name in IDS:
        claim, expected = CONTROLS[name]
        assert claim.id == name
        assert claim.judged
        assert expected
    assert {name: CONTROLS[name][1] for name in planted} == dict.fromkeys(planted, ("refuted",))


def test_controls_are_no_claims():
    assert {claim.id for claim in all_claims()} & set(IDS) == set()


def one_neuron(activation: str, w: Fraction, u: Fraction, x: Fraction) -> Case:
    """nu(x) = u sigma(w x), on one example with kappa = 1."""
    net = network(
        [("x", "h"), ("h", "o")],
        inputs=["x"],
        outputs=["o"],
        activations={"h": ACTIVATIONS[activation]},
    )
    return Case(net, (w, u), ((x,),), (Fraction(1),), "prescribed", (Fraction(1),))


def violations(name: str, case: Case | Tensors) -> dict[str, Fraction]:
    judgement = judge_exactly(CONTROLS[name][0], case)
    return {str(violation.entry): violation.value for violation in judgement.violations}


@given(st.sampled_from(["relu", "linear", "abs"]), nonzero, rationals, nonzero)
def test_the_true_one_holds(activation, w, u, x):
    case = one_neuron(activation, w, u, x)
    assert judge_exactly(CONTROLS["control.true"][0], case).admitted == 1
    assert violations("control.true", case) == {}


@given(nonzero, nonzero, nonzero)
def test_the_false_one_fails_for_relu_and_not_for_linear(w, u, x):
    # relu(wx) + relu(-wx) = |wx|
    found = violations("control.false", one_neuron("relu", w, u, x))
    assert found == {"{'at': [1]}": u * abs(w * x)}
    assert violations("control.false", one_neuron("linear", w, u, x)) == {}


@given(nonzero, nonzero, nonzero.filter(lambda x: abs(x) <= 1))
def test_the_planted_one_fails_wherever_the_lemma_holds_and_something_moves(w, u, x):
    # d/dt w^2 = d/dt u^2 = -2 w u x, so w^2 - 2 u^2 changes at the rate 2 w u x
    found = violations("control.planted.lj22", one_neuron("linear", w, u, x))
    assert found == {"{'at': ['h']}": 2 * w * u * x}


@given(nonzero, rationals)
def test_of_two_norms_the_one_is_at_most_the_other(a, b):
    # of a diagonal matrix the squared norms are max(a^2, b^2) and a^2 + b^2
    case = Tensors({"M": tensor(("rows", "columns"), [[a, 0], [0, b]])})
    assert violations("control.inequality.true", case) == {}
    found = violations("control.inequality.false", case)
    assert found == ({"{'at': []}": -min(a * a, b * b)} if b else {})


@given(st.integers(1, 4))
def test_the_planted_spectrum_fails_where_the_width_is_above_one(width):
    # lambda = (d, 0, ..., 0) and (1, ..., 1): d^3 - d^4 and d - d^2
    for entries in ([width, *[0] * (width - 1)], [1] * width):
        case = Tensors({"lam": tensor(("d",), entries)})
        cubes = sum(entry**3 for entry in entries)
        found = violations("control.planted.dkbhl20", case)
        assert found == ({"{'at': []}": cubes - cubes * width} if width > 1 else {})
    longer = Tensors({"lam": tensor(("d",), [2 * width])})  # of another sum, where d > 1/2
    assert violations("control.planted.dkbhl20", longer) == {}


@given(nonzero, nonzero, nonzero, nonzero)
def test_the_planted_degree_fails_where_an_edge_skips_a_layer(w, u, skip, x):
    # f = (u w + s) x on x -> h -> o and x -> o: 2 u w x + s x instead of 2 f
    chain = [("x", "h"), ("h", "o")]
    for edges, weights, wrong in (
        (chain, (w, u), {}),
        ([chain[0], ("x", "o"), chain[1]], (w, skip, u), {"{'at': [1]}": -skip * x}),
    ):
        linear = {"h": ACTIVATIONS["linear"]}
        net = network(edges, inputs=["x"], outputs=["o"], activations=linear)
        case = Case(net, weights, ((x,),), (Fraction(1),), "prescribed", (Fraction(1),))
        assert judge_exactly(CONTROLS["control.planted.zlb22"][0], case).admitted == 1
        assert violations("control.planted.zlb22", case) == wrong


@given(rationals, rationals, rationals)
def test_the_undecidable_one_has_no_rational_witness(w, u, x):
    assert CONTROLS["control.undecided"][0].kind is Kind.EXISTENCE
    assert violations("control.undecided", one_neuron("relu", w, u, x)) == {}


# a control that misbehaves -----------------------------------------------------------------------
@pytest.mark.parametrize("name", IDS)
def test_another_expectation_voids_the_run_and_the_reports_say_so(monkeypatch, name):
    claim, expected = CONTROLS[name]
    other = "proved" if expected == ("refuted",) else "refuted"
    monkeypatch.setitem(CONTROLS, name, (claim, (other,)))
    install(monkeypatch)
    record = run([], Settings(budget="smoke"))
    validate(record)
    assert record["run"]["void"] is True
    (reason,) = record["run"]["void_reasons"]
    assert reason.startswith(f"{name}: expected {other}, observed {expected[0]}")
    assert f"THIS RUN IS VOID: {reason}" in text.render(record)
    page = html.render(record)
    assert name in page
    assert "void" in page.lower()
