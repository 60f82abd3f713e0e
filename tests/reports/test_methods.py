"""Every method and every outcome has words, and what says nothing for a claim supports none."""

from pathlib import Path

from reports.methods import METHODS, OUTCOMES, SILENT, found_by, methods, supporting
from verify import methods as package
from verify.core.evidence import Outcome
from verify.core.verdict import ABOUT_CHECKS, BESIDE, DRAWN, LED, LISTED

NO_METHOD = {"__init__", "context", "symbolic"}


def test_every_method_and_every_outcome_has_words():
    files = {file.stem for file in Path(package.__path__[0]).glob("*.py")}
    assert set(METHODS) == files - NO_METHOD
    assert set(OUTCOMES) == {outcome.value for outcome in Outcome}
    assert {*ABOUT_CHECKS, *BESIDE, *DRAWN, *LED, *LISTED} <= set(METHODS)
    assert len(set(METHODS.values())) == len(METHODS)


def test_what_is_beside_the_claim_does_not_support_it():
    names = ["pointwise", "vacuity", "constants", "mutation", "necessity", "corners", "pointwise"]
    pieces = [{"method": name, "outcome": "supports"} for name in names]
    found = [piece["method"] for piece in supporting(pieces)]
    assert methods(found) == "random cases, corner cases"
    assert not SILENT & set(found)


def test_no_sentence_begins_with_the_name_of_a_method():
    assert found_by({"method": "exhibit", "outcome": "refutes"}).endswith("a kept counterexample")
    assert found_by({"method": "schema", "outcome": "argues"}) == "Shown by an argument"
    assert "no case meets" in found_by({"method": "vacuity", "outcome": "argues"})
