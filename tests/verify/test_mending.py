"""Repairs told by what they change."""

from verify.core.claim import Kind, Source
from verify.language.building import Number
from verify.statements.mending import mended
from verify.statements.stated import Given, stated

X = Number("x")
PLACE = Source("lj22", "final", "here")
PRINTED = stated(
    "mine",
    PLACE,
    "a title",
    "a text",
    X**2 > 0,
    depends=("lj22.ass1",),
    reading="A",
    reading_text="one way",
    why="at 0 it is 0",
)


def test_what_is_not_told_is_as_printed():
    found = mended(PRINTED, "another title", "another text", X**2 >= 0)
    assert (found.id, found.repairs, found.title) == ("mine.fix", "mine", "another title")
    assert (found.source, found.depends, found.reading) == (PLACE, ("lj22.ass1",), "A")
    assert found.pool is PRINTED.pool
    assert found.why == ""


def test_what_is_told_is_new():
    nonzero = Given("not 0", X != 0)
    found = mended(PRINTED, "title", "text", X**2 > 0, [nonzero], reading=None, depends=())
    assert [one.name for one in found.hypotheses] == ["not 0"]
    assert (found.reading, found.depends) == (None, ())


def test_the_kind_is_kept_where_the_form_does_not_tell_it():
    law = stated("law", PLACE, "title", "text", X == 0, kind=Kind.LAW)
    assert mended(law, "title", "text", X >= 0).kind is Kind.LAW
    equation = stated("equation", PLACE, "title", "text", X == 0)
    assert mended(equation, "title", "text", X >= 0).kind is Kind.INEQUALITY
