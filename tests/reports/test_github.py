"""Annotations: read as GitHub's runner reads them, and as many as it shows."""

import re

from hypothesis import given
from hypothesis import strategies as st

from reports.github import LONGEST, commands
from tests.reports.sample_run import void_sample
from tests.reports.test_troubles import change, fine

COMMAND = re.compile(r"::(\w+) (.*?)::(.*)")


def unescaped(text: str) -> str:
    for escape, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, sign)
    return text


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Kind, properties and message, as the runner takes a line apart."""
    kind, properties, message = COMMAND.fullmatch(line).groups()
    pairs = (part.split("=", 1) for part in properties.split(","))
    return kind, {key: unescaped(value) for key, value in pairs}, unescaped(message)


def failing(count: int, **more):
    """A run in which so many statements differ."""
    record = fine()
    rows = [change("verdict", **more) | {"id": f"gone.s{n}"} for n in range(count)]
    record["changes"]["claims"] = rows
    return record


def test_one_error_for_each_statement_and_a_notice_with_counts():
    record = fine()
    record["changes"]["claims"] = [change("verdict", "proved", "refuted"), change("code")]
    (error, notice) = map(read, commands(record))
    assert error[:2] == ("error", {"title": "lj22.eq3: not as the baseline says"})
    assert error[2].startswith("lj22.eq3: proved → refuted\nlj22.eq3: the statement's code changed")
    assert notice[0] == "notice"
    assert notice[2].startswith(f"{len(record['statements'])} statements: ")


def test_where_nothing_is_wrong_there_is_no_error():
    assert [read(line)[0] for line in commands(fine())] == ["notice"]
    kinds = [read(line)[0] for line in commands(failing(1, counts=False))]
    assert kinds == ["warning", "notice"]


def test_a_void_run_is_an_error():
    kind, properties, message = read(commands(void_sample())[0])
    assert (kind, properties["title"]) == ("error", "Lemmata: the run is void")
    assert message == "control.false: expected refuted, observed supported"


def test_ten_are_shown_whole_of_more_nine_and_how_many_are_left():
    for counts, kind in ((True, "error"), (False, "warning")):
        found = [read(line) for line in commands(failing(10, counts=counts))]
        assert [one[0] for one in found].count(kind) == 10
        assert found[9][1]["title"].startswith("gone.s9")
        found = [read(line) for line in commands(failing(25, counts=counts))]
        assert [one[0] for one in found].count(kind) == 10
        assert found[9][2].startswith("16 more statements: ")


def test_a_claim_of_ones_own_is_told_at_its_line():
    places = {"gone.s0": ("papers, mine/claims.py", 12)}
    _, properties, _ = read(commands(failing(1), places)[0])
    assert properties["file"] == "papers, mine/claims.py"
    assert properties["line"] == "12"


@given(st.text())
def test_no_text_ends_a_command_or_begins_another(text):
    record = fine()
    record["claims"][0] |= {"verdict": "error", "reason": f"{text}\n::error::x"}
    name = record["claims"][0]["id"]
    line = commands(record)[0]
    assert "\n" not in line
    assert "\r" not in line
    kind, _, message = read(line)
    assert kind == "error"
    assert message.startswith(f"{name}: ")


def test_a_long_message_is_cut():
    record = fine()
    record["claims"][0] |= {"verdict": "error", "reason": "x" * 10_000}
    message = read(commands(record)[0])[2]
    assert len(message) == LONGEST
    assert message.endswith("…")
