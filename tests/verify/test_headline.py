"""Headlines: one word for a printed statement, from the parts of its main reading alone."""

from hypothesis import given
from hypothesis import strategies as st

from verify.core.grade import Grade
from verify.core.headline import Known, Word, headline
from verify.core.ledger import Role
from verify.core.verdict import FALSE, STANDS, Verdict

verdicts = st.sampled_from(Verdict)
others = st.builds(Known, st.just("x@B"), st.sampled_from([Role.OTHER, Role.VARIANT]), verdicts)


def part(verdict, name="x", **more):
    return Known(name, Role.MAIN, verdict, **more)


def repair(verdict, of="x", name="x.fix"):
    return Known(name, Role.REPAIR, verdict, repairs=of)


@given(st.lists(verdicts, min_size=1, max_size=4), st.lists(others, max_size=3))
def test_only_the_main_reading_decides(found, beside):
    parts = [part(verdict, f"x.{k}") for k, verdict in enumerate(found)]
    assert headline([*beside, *parts]) == headline(parts)


@given(st.lists(verdicts, min_size=1, max_size=4))
def test_the_worst_part_decides_in_this_order(found):
    word = headline([part(verdict, f"x.{k}") for k, verdict in enumerate(found)]).word
    assert (word is Word.ERROR) == (Verdict.ERROR in found)
    false = any(verdict in FALSE for verdict in found)
    assert (word is Word.FALSE) == (false and Verdict.ERROR not in found)
    if word is Word.TRUE:
        fine = {Verdict.PROVED, Verdict.ARGUED, Verdict.DEFINITION}
        assert set(found) <= fine
        assert set(found) & {Verdict.PROVED, Verdict.ARGUED}
    if word is Word.DEFINITION:
        assert set(found) == {Verdict.DEFINITION}
    if word is Word.NOTHING_AGAINST:
        worse = {*FALSE, Verdict.VACUOUS, Verdict.OPEN, Verdict.UNTESTED, Verdict.NOT_RUN}
        assert not set(found) & worse


def test_words_by_hand():
    expected = {
        Verdict.REFUTED: Word.FALSE,
        Verdict.REFUTED_BY_ARGUMENT: Word.FALSE,
        Verdict.CONTRADICTED: Word.FALSE,
        Verdict.VACUOUS: Word.VACUOUS,
        Verdict.UNTESTED: Word.OPEN,
        Verdict.NOT_RUN: Word.OPEN,
        Verdict.SUPPORTED: Word.NOTHING_AGAINST,
        Verdict.PROVED_ON_SCOPE: Word.NOTHING_AGAINST,
        Verdict.ARGUED: Word.TRUE,
        Verdict.PROVED: Word.TRUE,
    }
    assert {v: headline([part(v)]).word for v in expected} == expected
    mixed = headline([part(Verdict.ARGUED, "x.a"), part(Verdict.VACUOUS, "x.b")])
    assert mixed.word is Word.VACUOUS  # what holds of a part is not the statement
    assert mixed.detail == "1 of 2 parts: no case meets the hypotheses; 1 of 2 parts: argued"


def test_a_statement_that_fails_at_corners_alone_is_told_from_a_false_one():
    corner = Grade(1000, 0, 0.0, 0.0037, True, "")
    assert headline([part(Verdict.REFUTED, grade=corner)]).word is Word.OFF_CORNERS
    inside = Grade(1000, 0, 0.0, 0.0037, False, "")  # the exhibit itself is no corner
    often = Grade(1000, 412, 0.38, 0.44, True, "")
    few = Grade(30, 0, 0.0, 0.1, True, "")
    for grade in (inside, often, few, None):
        assert headline([part(Verdict.REFUTED, grade=grade)]).word is Word.FALSE
    for verdict in (Verdict.VACUOUS, Verdict.OPEN, Verdict.UNTESTED, Verdict.NOT_RUN):  # beside it
        beside = [part(Verdict.REFUTED, "x.a", grade=corner), part(verdict, "x.b")]
        assert headline(beside).word is Word.FALSE
    both = [part(Verdict.REFUTED, "x.a", grade=corner), part(Verdict.REFUTED, "x.b", grade=often)]
    told = headline(both)
    assert told.word is Word.FALSE
    assert told.detail == "2 of 2 parts fail; fails in 412 of 1,000 generic cases"


def test_a_share_stands_in_a_headline_only_where_it_is_one_of_the_statement():
    """Not of a consequence, and not of a handful of cases."""
    often = Grade(1000, 412, 0.38, 0.44, False, "")
    few = Grade(12, 5, 0.1, 0.8, False, "")
    assert "412 of 1,000" in headline([part(Verdict.REFUTED, grade=often)]).detail
    for verdict, grade in ((Verdict.REFUTED_BY_ARGUMENT, often), (Verdict.REFUTED, few)):
        assert "generic" not in headline([part(verdict, grade=grade)]).detail
    corner = Grade(1000, 0, 0.0, 0.0037, True, "")
    assert headline([part(Verdict.REFUTED_BY_ARGUMENT, grade=corner)]).word is Word.FALSE


def test_parts_that_are_not_there_say_nothing():
    assert headline([]).word is Word.OPEN
    assert headline([repair(Verdict.PROVED)]).word is Word.OPEN
    assert headline([part(Verdict.PROVED, "x.a"), part(Verdict.NOT_RUN, "x.b")]).word is Word.OPEN


@given(verdicts, verdicts)
def test_what_mends_it_is_a_repair_that_stands(printed, repaired):
    told = headline([part(printed), repair(repaired), repair(repaired, of="y", name="y.fix")])
    falls = printed in (*FALSE, Verdict.VACUOUS)
    assert told.mended == (("x.fix",) if falls and repaired in STANDS else ())


def test_the_strongest_repair_comes_first():
    repairs = [repair(Verdict.SUPPORTED, name="a"), repair(Verdict.PROVED, name="b")]
    assert headline([part(Verdict.REFUTED), *repairs]).mended == ("b", "a")
