"""What a run found, for a terminal."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.plain import shown_width
from reports.text import LINES, SIGNS, render
from reports.verdicts import paper_sentence
from tests.reports.sample_statements import claim, large, run_of, sample, statement
from verify.core.headline import Word


def line_of(text: str, name: str) -> str:
    """The one line that ends with an id."""
    (line,) = (line for line in text.splitlines() if line.endswith(f"  {name}"))
    return line


def void(record):
    record["run"] |= {"void": True, "void_reasons": ["control.false: observed supported"] * 9}
    return record


def test_every_headline_has_its_sign_in_order():
    assert list(SIGNS) == [word.value for word in Word]
    assert len(set(SIGNS.values())) == len(SIGNS)


@given(
    width=st.integers(40, 200),
    count=st.integers(1, 30),
    spare=st.integers(0, 3),
    is_void=st.booleans(),
    broken=st.integers(0, 9),
)
def test_at_most_forty_lines_none_wider_than_the_terminal(width, count, spare, is_void, broken):
    record = void(large(count)) if is_void else large(count)
    for row in record["claims"][:broken]:
        row["verdict"] = "error"
    lines = render(record, width=width, spare=spare).splitlines()
    assert max(map(shown_width, lines)) <= width
    if width >= 80:
        assert len(lines) <= LINES - spare


def test_what_a_narrow_terminal_cuts_has_no_gaps():
    for width in range(40, 80):
        head = render(large(), width=width).partition("×")[0]
        assert [line for line in head.splitlines() if "  " in line.strip()] == []


@pytest.mark.parametrize("width", [80, 120])
def test_a_false_result_is_told_with_place_mend_and_id(width):
    line = line_of(render(sample(), width=width), "lj22.thm1-6")
    assert re.fullmatch(
        r"  × Item 6 +false as printed; mended: “not” \(argued\) +lj22\.thm1-6",
        line,
    )


def test_a_paper_has_one_sentence_that_counts_its_main_results():
    record = sample()
    text = " ".join(render(record, width=100).split())
    for name, cited in (("lj22", "Le and Jegelka 2022"), ("j23", "Jacot 2022")):
        told = paper_sentence(row for row in record["statements"] if row["paper"] == name)
        assert told.startswith("Of 3 main results ")
        assert f"{cited} ({name}): {told}" in text
    assert "Other statements: 1 false as printed, 1 definition." in text


def test_the_worst_come_first():
    lines = render(sample(), width=120).splitlines()
    signs = [line[2] for line in lines if re.match(r"  \S ", line)]
    for start in ("×", "◐"):  # the first of each paper
        assert start in signs
    words = {sign: word for word, sign in SIGNS.items()}
    by_paper = "\n".join(lines).split("\n\n")
    for part in by_paper:
        order = [
            list(SIGNS).index(words[line[2]])
            for line in part.splitlines()
            if re.match(r"  \S ", line)
        ]
        assert order == sorted(order)


def test_what_has_no_room_is_counted_and_is_not_the_worst():
    text = render(large(), width=120)
    shown = re.findall(r"^  (\S) .*  (\S+\.thm\d+)$", text, re.MULTILINE)
    assert {sign for sign, _ in shown} == {"×"}
    for name in ("lj22", "j23", "dkbhl20", "zlb22"):
        of_paper = [row for row in shown if row[1].startswith(f"{name}.")]
        assert of_paper  # none goes without
    counts = re.findall(r"^  … and (.*?):", text, re.MULTILINE)
    assert len(counts) == 4
    for counted, name in zip(counts, ("lj22", "j23", "dkbhl20", "zlb22"), strict=True):
        told = sum(map(int, re.findall(r"\d+", counted)))
        assert told + sum(row[1].startswith(f"{name}.") for row in shown) == 30


def test_true_results_without_room_are_counted_in_one_line():
    rows = [statement(f"lj22.thm{k}", "true" if k else "open") for k in range(60)]
    text = render(run_of(rows, [claim(row["id"], "proved") for row in rows]), width=80)
    assert line_of(text, "lj22.thm0").startswith("  ? Theorem thm0")
    (counted,) = (line for line in text.splitlines() if line.startswith("  ■ and "))
    assert re.match(r"  ■ and \d+ true: Theorem thm\d+; ", counted)


def test_the_claims_of_a_few_statements_are_told():
    record = sample()
    record["statements"] = record["statements"][:1]
    record["statements"][0]["claims"].append("lj22.thm1-6.fix")
    text = render(record, width=100)
    assert "      lj22.thm1-6: refuted: reason of lj22.thm1-6\n" in text
    assert "      lj22.thm1-6.fix, repair: argued: reason of lj22.thm1-6.fix\n" in text
    assert "reason of" not in render(sample(), width=100)


def test_of_a_run_without_main_results_the_others_are_shown():
    record = run_of(
        [statement("j23.remark", "open", rank="supporting")], [claim("j23.remark", "open")]
    )
    text = render(record)
    assert "Jacot 2022 (j23): Of 1 statement 1 is open." in text
    assert line_of(text, "j23.remark").startswith("  ? Theorem remark ")
    assert "Other statements" not in text


def test_what_comes_from_the_baseline_says_so():
    text = render(sample(), width=120)
    assert "open; not run at this budget" in line_of(text, "lj22.cor1")
    assert text.count("not run at this budget") == 1
    record = sample()
    record["statements"] = record["statements"][1:2]
    record["claims"][2]["from_baseline"] = True
    assert "lj22.lemma1: proved: not run at this budget" in render(record)


# what changed, what broke ------------------------------------------------------------------------
def test_changes_are_told_in_words():
    nothing = {"statements": [], "claims": []}
    assert "Against the baseline: nothing changed." in render(sample() | {"changes": nothing})
    assert "baseline" not in render(sample())
    changes = {
        "statements": [{"id": "j23.thm1", "before": "true", "after": "open"}],
        "claims": [
            {"id": "j23.thm1@A", "what": "verdict", "before": "proved", "after": "open"},
            {"id": "j23.new", "what": "new", "before": "", "after": "open"},
            {"id": "j23.old", "what": "gone", "before": "proved", "after": ""},
            {"id": "j23.thm2", "what": "scope", "before": "n = 1", "after": "$n\\le2$"},
            {"id": "j23.thm3", "what": "code", "before": "0a", "after": "ff"},
        ],
    }
    text = render(sample() | {"changes": changes}, width=120)
    for line in (
        "Against the baseline: 5 changes.",
        "  j23.thm1: true → open",
        "  j23.thm1@A: proved → open",
        "  j23.new: not in the baseline → open",
        "  j23.old: proved → gone",
        "  j23.thm2: another scope: n≤2",
        "the statement's code changed since the baseline: write it again (j23.thm3)",
    ):
        assert f"\n{line}\n" in text
    assert "  and 22 more\n" in render(large(), width=120)


def test_a_void_run_says_so_in_front_of_everything():
    text = render(void(sample()), width=80)
    assert text.startswith("THIS RUN IS VOID: control.false: observed supported")
    record = sample()
    record["controls"][0]["ok"] = False
    assert "Controls: 1 of 2 as expected." in render(record)


def test_a_check_that_broke_is_told_even_where_no_headline_shows_it():
    record = sample()
    record["claims"][1] |= {"verdict": "error", "reason": "search: ValueError: no"}
    text = render(record, width=100)
    assert text.startswith("1 check broke:\n! lj22.thm1-6.fix: search: ValueError: no\n\n")


def test_a_run_of_no_statement():
    assert render(run_of([], [])) == "no statements\n\nControls: 2 of 2 as expected.\n"


def test_colour_only_where_it_is_asked_for():
    coloured = render(sample(), colour=True)
    assert "\x1b[31m×\x1b[0m Item 6" in coloured
    assert "\x1b" not in render(sample())
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == render(sample())
