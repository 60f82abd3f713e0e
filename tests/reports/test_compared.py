"""Two runs beside each other: headlines first, the worst that is new first."""

import pytest

from reports.compared import markdown, text
from reports.plain import shown_width

CHANGES = {
    "statements": [
        {"id": "a.gone", "before": "true", "after": ""},
        {"id": "a.good", "before": "open", "after": "true"},
        {"id": "a.bad", "before": "true", "after": "false as printed"},
    ],
    "claims": [
        {"id": "a.good", "what": "verdict", "before": "open", "after": "proved"},
        {"id": "a.bad", "what": "verdict", "before": "proved", "after": "refuted"},
        {"id": "a.new", "what": "new", "before": "", "after": "supported"},
        {"id": "a.other", "what": "scope", "before": "n = 1", "after": "n = 2"},
        {"id": "a.code", "what": "code", "before": "0a", "after": "0b"},
    ],
}
NAMES = ("old.json", "new.json")


def test_headlines_come_first_and_the_worst_of_them():
    lines = text(CHANGES, NAMES, 80).splitlines()
    assert lines == [
        "from old.json",
        "  to new.json",
        "",
        "Headlines: 3 differ.",
        "  × a.bad   true → false as printed",
        "  ■ a.good  open → true",
        "    a.gone  true → not there",
        "Verdicts: 3 differ.",
        "    a.bad   proved → refuted",
        "    a.new   not there → supported",
        "    a.good  open → proved",
        "Looked at in another scope: a.other",
        "The statement's code differs: a.code",
    ]


@pytest.mark.parametrize("width", [40, 60])
def test_no_line_is_wider_than_the_terminal(width):
    many = [{"id": f"a.{n}", "what": "code", "before": "a", "after": "b"} for n in range(99)]
    lines = text(CHANGES | {"claims": many}, NAMES, width).splitlines()
    assert max(map(shown_width, lines)) <= width


def test_where_nothing_differs_it_says_so():
    nothing = {"statements": [], "claims": []}
    assert "Headlines: none differ.\nVerdicts: none differ.\n" in text(nothing, NAMES, 80)
    assert "### Headlines: none differ" in markdown(nothing, NAMES)


def test_in_markdown_every_change_is_there():
    told = markdown(CHANGES, NAMES)
    for row in (*CHANGES["statements"], *CHANGES["claims"]):
        assert f"`{row['id']}`" in told
    assert told.index("a.bad") < told.index("### Verdicts")
