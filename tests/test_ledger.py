"""The ledger (all printed statements) and the registry (the claims) cover each other."""

import re

import pytest

from reports import mathml
from verify.core.claim import Claim
from verify.core.ledger import Rank, Role, papers, statement_id, statements
from verify.papers.registry import all_claims


def coded() -> dict[str, list[Claim]]:
    """The registered claims by the printed statement that they are about."""
    found: dict[str, list[Claim]] = {name: [] for name in statements()}
    for claim in all_claims():
        found[claim.ledger_id].append(claim)
    return found


def roles(role: Role) -> dict[str, set[str]]:
    """The ids of the claims of a role, by printed statement."""
    return {
        name: {claim.id for claim in claims if claim.role is role}
        for name, claims in coded().items()
    }


def test_every_printed_statement_has_claims_in_its_main_reading():
    assert len(coded()) > 300
    assert [name for name, mains in roles(Role.MAIN).items() if not mains] == []


def test_every_claim_is_listed_once_and_nothing_else_is():
    """`role` raises for a claim that is not listed; no repair is listed beside."""
    for name, statement in statements().items():
        listed = [name + end for end in (*statement.main, *statement.others, *statement.variants)]
        assert len(set(listed)) == len(listed), name
        assert {c.id for c in coded()[name] if c.repairs is None} == set(listed), name


def test_a_choice_of_the_reading_has_a_reason():
    without = [
        name
        for name, statement in statements().items()
        if not statement.because and (statement.others or any("@" in end for end in statement.main))
    ]
    assert without == []


def test_repairs_mend_claims_of_the_same_statement_or_a_named_one():
    ids = {claim.id for claim in all_claims()}
    assert [c.id for c in all_claims() if c.repairs is not None and c.repairs not in ids] == []


def test_claims_and_statements_agree_on_the_paper():
    wrong = [c.id for c in all_claims() if statements()[c.ledger_id].paper != c.source.paper]
    assert wrong == []


def test_the_statement_of_a_claim_is_the_longest_id_that_is_listed():
    assert statement_id("lj22.lemma9-55.part@A.fix") == "lj22.lemma9-55"
    with pytest.raises(KeyError, match="add its statement"):
        statement_id("zz99.lemma1")


# the ledger by itself ------------------------------------------------------------------------
@pytest.mark.parametrize("statement", statements().values(), ids=lambda statement: statement.id)
def test_statements_are_well_formed(statement):
    paper = papers()[statement.paper]
    assert re.fullmatch(rf"{statement.paper}(v1)?\.[\w.-]+", statement.id)
    assert statement.version in paper.versions
    assert statement.id.startswith(f"{statement.paper}v1.") is (statement.version == "earlier")
    assert statement.title
    assert not set("$\\") & set(statement.title), "LaTeX in the title"
    assert statement.place
    assert statement.section
    assert statement.printed
    for text in (statement.printed, statement.because, statement.restored):
        mathml.paragraphs(text)  # raises for a formula that cannot be typeset
        assert "reading A" not in text, "the print knows no readings"


def test_every_paper_has_main_results():
    for paper in papers():
        ranks = [s.rank for s in statements().values() if s.paper == paper]
        assert 3 <= ranks.count(Rank.MAIN) <= 45, paper
