"""Examples of the assumptions: which meet them, by hand; how they are shown."""

from fractions import Fraction
from math import exp, log, tanh

import pytest

from verify.core.claim import Kind
from verify.core.examples import Example, Part
from verify.core.verdict import decide
from verify.papers.registry import all_claims, find
from verify.papers.zlb22 import assumption_examples
from verify.papers.zlb22.assumption_examples import Power
from verify.runs.record import Found, claim_record

SIX = [
    *("zlb22.ass3.1", "zlb22.ass3.2@A", "zlb22.ass3.2@B", "zlb22.ass3.5@A"),
    *("zlb22.ass4.1@A", "zlb22.ass4.2@B"),
]


def met(name):
    return {example.name for example in find(name).examples() if example.meets}


def failed(name, example):
    (found,) = (e for e in find(name).examples() if e.name == example)
    return [part.name.split()[0] for part in found.parts if not part.holds]


def test_every_assumption_of_the_paper_has_examples_on_both_sides():
    claims = [c for c in all_claims() if c.source.paper == "zlb22" and c.kind is Kind.ASSUMPTION]
    assert sorted(c.id for c in claims) == SIX
    for claim in claims:
        examples = claim.examples()
        assert {example.meets for example in examples} == {True, False}
        assert len({example.name for example in examples}) == len(examples)
        heads = [tuple(part.name for part in example.parts) for example in examples]
        assert len(set(heads)) == 1, "one table needs the same parts in every row"


def test_inputs():
    grown = {r"entries log $m$", r"entries $\sqrt m$", "entries $m$", "Gaussian (Assumption 4.1)"}
    every = {example.name for example in find("zlb22.ass3.1").examples()}
    assert every - met("zlb22.ass3.1") == grown


def test_activations_fail_by_the_part_that_a_textbook_names():
    assert failed("zlb22.ass3.2@A", "$z^3$") == ["H2"]
    assert failed("zlb22.ass3.2@B", "$z^2$") == ["H2"]
    assert failed("zlb22.ass3.2@A", "ReLU") == ["H1", "H2", "H3"]
    assert failed("zlb22.ass3.2@B", "ReLU") == ["H1", "H3"]


def test_in_degrees():
    every = {example.name for example in find("zlb22.ass3.5@A").examples()}
    large = {name for name in every if "$2^m$" in name or "the logarithm of" in name}
    assert every - met("zlb22.ass3.5@A") == large
    assert len(large) == 4
    (cubes,) = (e for e in find("zlb22.ass3.5@A").examples() if "m^{3/2}" in e.name)
    assert cubes.parts[0].value.endswith(r"limit $\frac{3}{2}$")


def test_laws():
    assert met("zlb22.ass4.1@A") == {r"$\mathcal N(0,I)$ in two dimensions"}
    assert failed("zlb22.ass4.1@A", r"entries $\pm1$ at random") == ["normal:"]
    for law in assumption_examples.LAWS:  # E z^4 >= (E z^2)^2 and E z^2 E z^6 >= (E z^4)^2
        second, fourth, sixth = law.central
        assert fourth >= second**2
        assert second * sixth >= fourth**2


def test_second_moments_of_powers():
    half, one = Fraction(1, 2), Fraction(1)
    assert assumption_examples.RELU.second_moment() == half
    assert Power(Fraction(0), one, one, Fraction(2)).second_moment() == 1  # sqrt(2) ReLU
    assert assumption_examples.SQUARE.second_moment() == 3
    assert Power(-one, one, Fraction(3)).second_moment() == 15
    root = Power(one, one, half).second_moment()  # E |g|
    assert float(root) == pytest.approx((2 / 3.141592653589793) ** 0.5)


def test_homogeneity():
    assert {"ReLU", "$|z|$", "$z$", "$z^2$", "$z^3$"} <= met("zlb22.ass4.2@B")
    assert failed("zlb22.ass4.2@B", "ReLU and $z^2$ in one network") == ["H2"]
    assert failed("zlb22.ass4.2@B", "ReLU, and $0$ at one neuron") == ["H3"]
    for name, sigma in (("tanh", tanh), ("softplus", lambda z: log(1 + exp(z)))):
        (found,) = (e for e in find("zlb22.ass4.2@B").examples() if e.name == name)
        gap = float(found.parts[0].value.split("approx")[1].rstrip("$"))
        assert gap == pytest.approx(sigma(1) * sigma(4) - sigma(2) ** 2, rel=1e-3)
        assert not found.meets


def test_records_have_them():
    claim = find("zlb22.ass3.2@B")
    found = Found(decide(claim, []), [])
    told = claim_record(claim, found)
    assert told["verdict"] == "definition"
    assert told["examples"] == [example.to_json() for example in claim.examples()]
    assert told["examples"][0]["meets"] is True
    assert claim_record(find("zlb22.eq9"), found)["examples"] == []


def test_one_part_that_fails_is_enough():
    good, bad = Part("one", "1", holds=True), Part("two", "2", holds=False)
    assert Example("both", (good, good)).meets
    assert not Example("one of them", (good, bad)).meets


def test_widths_by_words_and_formula():
    """A narrow last hidden layer is seen by the output alone, which the formula leaves out."""
    narrow = "fully connected, sizes $m$, $m$, $2$"
    assert met("zlb22.def2.7@B") - met("zlb22.def2.7@A") == {narrow}
    values = {
        letter: {e.name: e.parts[0].value for e in find(f"zlb22.def2.7@{letter}").examples()}
        for letter in "AB"
    }
    assert (values["A"][narrow], values["B"][narrow]) == ("$2$", "$m$")
    assert values["A"]["one hidden layer of $m$"] == "$m$"
    assert "infinite" in values["B"]["one hidden layer of $m$"]
    assert values["A"][r"fully connected, sizes $m$, $\sqrt m$"] == r"$\sqrt{m}$"


def test_trees_of_the_other_paper():
    for example in find("lj22.def3").examples():
        edges, vertices = (int(w.split()[0]) for w in example.parts[0].value.split(", "))
        assert example.meets == (edges == vertices - 1), "the named networks are connected"
    assert len(met("lj22.def3")) == 3


def test_laws_of_the_other_paper():
    names = met("dkbhl20.def1.a")
    assert "W-G" in names
    assert "W-U1" not in names  # uniform on [-1, 1]: variance 1/3
