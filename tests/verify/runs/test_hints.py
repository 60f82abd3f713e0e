"""What was probably meant by the name of a paper or a claim that is not there."""

import pytest

from verify.core.ledger import statements
from verify.papers.registry import UnknownClaimError
from verify.runs.hints import check_id, of_papers
from verify.runs.selection import NothingSelectedError, named, select, select_rows


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("thm1-6", "with its paper it is lj22.thm1-6 or lj22v1.thm1-6"),
        ("thm1-6.fix", "with its paper it is lj22.thm1-6.fix or lj22v1.thm1-6.fix"),
        ("lj23.thm1-6", "did you mean lj22.thm1-6"),
        ("lj23", "did you mean j23 or lj22?"),
        ("zlb2", "did you mean zlb22?"),
        ("lema2a", "did you mean lj22.lemma2a?"),
        ("%%", "`lemmata list` shows all ids"),
    ],
)
def test_an_id_of_no_paper_is_told_before_a_claim_is_loaded(monkeypatch, wanted, told):
    monkeypatch.setattr("verify.runs.selection.all_claims", None)
    for ask in (check_id, named, lambda name: select([name])):
        with pytest.raises(UnknownClaimError) as caught:
            ask(wanted)
        assert str(caught.value).startswith(f"no claim {wanted!r}: ")
        assert told in str(caught.value)


def test_every_id_there_is_passes():
    for name in (*statements(), "control.true"):
        check_id(name)


def test_a_paper_that_is_misspelt(monkeypatch):
    monkeypatch.setattr("verify.runs.selection.all_claims", None)
    for ask in (select_rows, lambda paper: select((), paper)):
        with pytest.raises(NothingSelectedError, match=r"'lj23': did you mean .*lj22"):
            ask("lj23")
    assert of_papers("zz99") == "there are lj22, j23, dkbhl20, zlb22"
