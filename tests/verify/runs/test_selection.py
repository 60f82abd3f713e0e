"""Which claims are chosen by ids, by paper and by keyword."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.core.ledger import statements
from verify.papers.registry import UnknownClaimError, all_claims
from verify.runs.controls import CONTROLS
from verify.runs.selection import NothingSelectedError, lookup, named, select, select_rows

IDS = [claim.id for claim in all_claims()]
PAPERS = sorted({claim.source.paper for claim in all_claims()})
id_drawn = st.sampled_from(IDS)


def ids_of(claims) -> list[str]:
    return [claim.id for claim in claims]


def test_nothing_asked_is_everything():
    assert ids_of(select()) == IDS


@given(st.lists(id_drawn, min_size=1, max_size=4))
def test_ids_select_themselves_with_parts_and_readings(wanted):
    found = ids_of(select(wanted))
    assert set(wanted) <= set(found)
    assert found == [name for name in IDS if name in found]  # the papers' order, none twice
    for name in found:
        assert any(name == w or name.startswith((w + "@", w + ".")) for w in wanted)
    # whatever else begins so at a boundary is there, too
    for name in IDS:
        if any(name.startswith((w + "@", w + ".")) for w in wanted):
            assert name in found


@given(id_drawn)
def test_the_front_of_an_id_selects_it(name):
    front = name.split("@")[0]
    assert name in ids_of(select([front]))


def test_readings_come_with_the_statement_and_neighbours_do_not():
    assert ids_of(select(["lj22.lemma3"])) == ["lj22.lemma3@A", "lj22.lemma3@B"]
    assert ids_of(select(["lj22.lemma3@A"])) == ["lj22.lemma3@A"]
    assert ids_of(select(["lj22.eq1"])) == ["lj22.eq1.a", "lj22.eq1.b"]  # not lj22.eq16
    assert ids_of(select(["lj22.risk"])) == ["lj22.risk", "lj22.risk.fix"]


@given(name=id_drawn, data=st.data())
def test_a_slip_of_the_pen_is_answered_with_near_ids(name, data):
    place = data.draw(st.integers(0, len(name) - 1))
    slip = name[:place] + name[place + 1 :]
    if any(known == slip or known.startswith((slip + "@", slip + ".")) for known in IDS):
        return
    with pytest.raises(UnknownClaimError) as caught:
        select([IDS[0], slip])
    message = str(caught.value)
    assert message.startswith(f"no claim {slip!r}: did you mean ")
    assert any(known in message for known in (*IDS, *statements()))


def test_a_paper_is_meant_only_where_no_statement_is_nearer():
    for slip, meant in {"lj2": "lj22", "lj22hg": r"lj22\.hg", "zbl22": "zlb22"}.items():
        with pytest.raises(UnknownClaimError, match=rf"did you mean {meant}[?,]"):
            select([slip])


def test_the_nearest_id_comes_first():
    with pytest.raises(UnknownClaimError, match=r"did you mean lj22\.lemma2a"):
        select(["lj22.lema2a"])


def test_an_id_like_none_is_answered_with_where_to_look():
    with pytest.raises(UnknownClaimError, match="`lemmata list` shows all ids"):
        select(["%%%%%%%%%%"])


# paper and keyword ---------------------------------------------------------------------------
@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_selects_its_claims(paper):
    assert ids_of(select(paper=paper)) == [c.id for c in all_claims() if c.source.paper == paper]


def searched(claim) -> str:
    place = statements()[claim.ledger_id].place
    return f"{claim.id}\n{claim.title}\n{claim.source.reference}\n{place}".lower()


@given(id_drawn, st.booleans())
def test_a_keyword_is_looked_for_in_ids_titles_and_places(name, upper):
    claim = lookup(name)
    place = statements()[claim.ledger_id].place
    for word in (name[3:], claim.title[:9], claim.source.reference[:12], place[-9:]):
        found = select(keyword=word.upper() if upper else word)
        assert claim in found
        assert found == [c for c in all_claims() if word.lower() in searched(c)]


def test_criteria_are_all_met():
    found = ids_of(select(["lj22.lemma3", "lj22.risk"], "lj22", "layer"))
    assert found == ["lj22.lemma3@A", "lj22.lemma3@B"]


@pytest.mark.parametrize(
    ("asked", "named_in_message"),
    [
        ({"paper": "zz99"}, "no claim matches paper 'zz99':"),
        ({"keyword": "zz99"}, "no claim matches keyword 'zz99':"),
        ({"ids": ["lj22.risk"], "keyword": "layer"}, "matches 'lj22.risk' and keyword 'layer':"),
    ],
)
def test_an_empty_selection_says_what_was_asked(asked, named_in_message):
    with pytest.raises(NothingSelectedError) as caught:
        select(**asked)
    assert named_in_message in str(caught.value)
    assert "None" not in str(caught.value)
    hint = "there are lj22, j23" if "paper" in asked else "`lemmata list --claims`"
    assert hint in str(caught.value)


# one claim -------------------------------------------------------------------------------------
@given(id_drawn)
def test_a_claim_is_looked_up_by_its_id(name):
    assert lookup(name).id == name
    assert ids_of(named(name)) == [name]


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_is_looked_up_too_but_never_selected(name):
    assert lookup(name) is CONTROLS[name][0]
    assert named(name) == [CONTROLS[name][0]]
    with pytest.raises(UnknownClaimError):
        select([name])


def test_a_statement_with_readings_only_names_them_all():
    assert ids_of(named("lj22.lemma3")) == ["lj22.lemma3@A", "lj22.lemma3@B"]
    with pytest.raises(UnknownClaimError, match="did you mean"):
        named("lj22.lema3")


# the ledger --------------------------------------------------------------------------------------
def test_rows_of_the_ledger():
    rows = list(statements().values())
    assert select_rows() == rows
    for paper in {row.paper for row in rows}:
        assert select_rows(paper) == [row for row in rows if row.paper == paper]
    found = select_rows("lj22", "LEMMA2")
    assert [row.id for row in found] == ["lj22.lemma2a", "lj22.lemma2b"]
    items = [row for row in rows if "item 6" in (row.id + row.title + row.place).lower()]
    assert select_rows(keyword="Item 6") == items != []
    with pytest.raises(NothingSelectedError, match="no statement matches paper 'zz99'"):
        select_rows("zz99")
