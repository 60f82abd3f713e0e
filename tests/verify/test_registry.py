"""The registry: every claim is found by its id, and what claims name is there."""

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.repository import ROOT
from verify.core.ledger import statements
from verify.papers import registry
from verify.papers.dkbhl20 import claims as dkbhl20
from verify.papers.j23 import claims as j23
from verify.papers.lj22 import claims as lj22
from verify.papers.registry import UnknownClaimError, all_claims, find, hash_of, hashes
from verify.papers.zlb22 import claims as zlb22

IDS = {claim.id for claim in all_claims()}


def test_every_claim_is_found_by_its_id():
    assert [find(claim.id) for claim in all_claims()] == list(all_claims())
    assert len(IDS) == len(all_claims()) > 60


def test_the_order_is_that_of_the_paper():
    assert all_claims() == (*lj22.CLAIMS, *j23.CLAIMS, *dkbhl20.CLAIMS, *zlb22.CLAIMS)
    assert all_claims()[0].id == "lj22.risk"


@given(st.text())
def test_another_id_is_refused_by_name(name):
    if name in IDS or name in statements():
        return
    with pytest.raises(UnknownClaimError) as caught:
        find(name)
    message = str(caught.value)
    assert message.startswith(f"no claim {name!r}: ")  # and not the repr of a KeyError
    assert "did you mean" in message or "`lemmata list`" in message


def test_a_hash_is_that_of_the_statement_with_the_id():
    assert {name: known for claim in IDS for name, known in hash_of(claim).items()} == hashes()
    assert hash_of("mine.lemma") == hash_of("lj22.mine") == {}


def test_of_the_papers_only_that_of_the_claim_is_loaded():
    code = (
        "import sys; from verify.papers.registry import find; find('lj22.risk')\n"
        "print([name for name in sys.modules if name.endswith('.claims')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "['verify.papers.lj22.claims']\n"


def test_two_claims_of_one_id_are_refused(monkeypatch):
    twin = replace(lj22.CLAIMS[3], title="another")
    monkeypatch.setattr(registry, "of_paper", lambda paper: (*lj22.CLAIMS, twin))
    monkeypatch.setattr(registry, "PAPERS", ("lj22",))
    with pytest.raises(ValueError, match=f"two claims have the id {twin.id}$"):
        registry.all_claims.__wrapped__()


# what claims name ------------------------------------------------------------------------------
def test_what_claims_depend_on_is_there():
    gone = {c.id: [name for name in c.depends if name not in IDS] for c in all_claims()}
    assert {name: names for name, names in gone.items() if names} == {}


def test_what_is_repaired_is_there_and_is_printed():
    repairs = [claim for claim in all_claims() if claim.repairs is not None]
    assert repairs
    for claim in repairs:
        assert find(claim.repairs).repairs is None
        assert claim.id.endswith(".fix")
    assert {c.id for c in all_claims() if c.id.endswith(".fix")} == {c.id for c in repairs}


def test_readings_are_told_apart_in_words():
    for claim in all_claims():
        assert ("@" in claim.id) is (claim.reading is not None), claim.id
        if claim.reading is not None:
            assert claim.id.split("@")[1].startswith(claim.reading)
            assert claim.reading_text


def test_dependencies_have_no_cycle():
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above, name))
        if name not in done and name in IDS:
            for other in find(name).depends:
                visit(other, (*above, name))
            done.add(name)

    for claim in all_claims():
        visit(claim.id, ())


def test_a_statement_with_readings_is_not_one_claim():
    with pytest.raises(UnknownClaimError, match=r"name one of lj22\.lemma3@A, lj22\.lemma3@B"):
        find("lj22.lemma3")
