"""The first screen: sentences that are computed, the worst first, nothing lost in folds."""

import re

import pytest

from reports import html, overview
from reports.index import Index
from reports.verdicts import HEADLINES, LOOKS, RANK, paper_sentence, worst_first
from tests.reports.markup import Page
from tests.reports.sample_run import sample

SAMPLE = sample()
TEXT = html.render(SAMPLE)
PARTS = re.findall(r'<section id="([^"]*)"', TEXT)


def part(name: str, text: str = TEXT) -> str:
    """The markup of one section, up to the next one with a name."""
    start = text.index(f'<section id="{name}"')
    following = [text.find(end, start + 1) for end in ('<section id="', "</main>", "</footer>")]
    return text[start : min(place for place in following if place > 0)]


def statements(*words: str, rank: str = "main", mended: int = 0) -> list[dict]:
    return [
        {"rank": rank, "headline": {"word": word, "mended": ["x"] if k < mended else []}}
        for k, word in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("rows", "start"),
    [
        (
            statements("false as printed", "true", "true", "false as printed", "open", mended=1),
            "Of 5 main results 2 are true, 2 false as printed and 1 open; 1 of the 2",
        ),
        (
            statements("false as printed"),
            "Of 1 main result 1 is false as printed; the false one has no known repair.",
        ),
        (
            statements("false as printed", "nothing against it", mended=1),
            "Of 2 main results 1 is false as printed and 1 with nothing against it; the false one",
        ),
        (statements("true") + statements("open", rank="step"), "Of 1 main result 1 is true."),
        (statements("vacuous", "vacuous", rank="step"), "Of 2 statements 2 are empty"),
        ([], "No statement of it was looked at."),
    ],
)
def test_a_paper_in_one_sentence(rows, start):
    assert paper_sentence(rows).startswith(start)


def test_how_many_are_mended():
    false = "false as printed"
    ends = {
        (1, 0): "the false one has no known repair.",
        (1, 1): "the false one can be mended.",
        (3, 0): "none of the 3 false ones can be mended.",
        (3, 2): "2 of the 3 false ones can be mended.",
        (3, 3): "each of the 3 false ones can be mended.",
    }
    for (number, mended), end in ends.items():
        told = paper_sentence(statements(*[false] * number, mended=mended))
        assert told.endswith(f"; {end}")


def test_every_main_result_is_counted_in_its_sentence():
    for paper in SAMPLE["papers"]:
        own = [s for s in SAMPLE["statements"] if s["paper"] == paper["id"]]
        main = [s for s in own if s["rank"] == "main"]
        told = paper_sentence(own).partition(";")[0]
        first, *others = map(int, re.findall(r"\b\d+\b", told))
        assert first == len(main) == sum(others)
        assert told in Page(TEXT).text


def test_parts_stand_in_order():
    assert PARTS == [
        "paper-lj22",
        "paper-j23",
        "changes",
        "findings",
        "others",
        "standing",
        "controls",
        "words",
        "run",
    ]


def test_main_results_stand_the_worst_first_each_with_half_a_line():
    text = part("paper-j23")
    words = re.findall(r'data-w="([^"]*)"', text)
    assert words == sorted(words, key=RANK.__getitem__)
    assert len(set(words)) > 1
    index = Index.of(SAMPLE, "d")
    for row in worst_first(s for s in SAMPLE["statements"] if s["rank"] == "main"):
        assert f'id="{row["id"]}"' in part(f"paper-{row['paper']}")
    lines = Page(text).apart
    assert "mended: a bound on the Jacobian, thm1.fix" in lines
    assert "argued for all" in lines
    assert "not run at this budget" in part("others") + text
    assert index.place("lj22.nowhere").endswith("(not selected)")


def test_other_statements_are_folded_by_paper_and_rank():
    text = TEXT[TEXT.index('<section id="others">') : TEXT.index("<footer>")]
    folds = re.findall(
        r'<details class="group" data-r="[a-z]+"><summary>(\d+) ([^<]*) <small>([^<]*)', text
    )
    for number, _, told in folds:
        assert int(number) == sum(map(int, re.findall(r"\b(\d+) [a-z]", told)))
    others = [s for s in SAMPLE["statements"] if s["rank"] != "main"]
    assert sum(int(number) for number, _, _ in folds) == len(others)
    assert text.count("<article") == len(others)
    assert {name.strip() for _, name, _ in folds} >= {
        "supporting statements",
        "definition or assumption",
    }


def test_changes_are_told_of_statements_first():
    text = Page(part("changes")).apart
    assert "lj22.eq3 : true → false as printed" in text
    assert "Of claims: 4" in text
    assert "verdict: supported → refuted" in text
    assert "lj22.lost (not selected): gone, was proved" in text
    assert "new, proved" in text
    assert "coded otherwise" in text
    quiet = sample()
    quiet["changes"] = {"statements": [], "claims": []}
    assert "Nothing." in Page(part("changes", html.render(quiet))).text
    quiet["changes"] = None
    assert "no baseline to compare with" in Page(html.render(quiet)).text


def test_one_flaw_is_told_once_with_the_places_that_it_reaches():
    text = part("findings")
    assert "1 cause of everything" in text
    assert text.count('class="findings"') == 1
    assert "<li>" not in text
    assert 'href="#lj22.risk"' in text
    assert 'href="#lj22.gflow"' in text
    assert 'href="#claim-lj22.gflow.fix"' in text
    lesser = sample()
    lesser["findings"][0]["statements"] = ["lj22.risk"]
    told = part("findings", html.render(lesser))
    assert "Of one lesser statement each, which tells it: " in Page(told).text
    assert 'class="findings"' not in told
    assert 'href="#lj22.risk"' in told
    nothing = sample() | {"findings": []}
    assert 'id="findings"' not in html.render(nothing)


def test_misbehaving_controls_are_named():
    record = sample()
    record["controls"][0] |= {"ok": False, "observed": "refuted"}
    text = Page(overview.controls(record)).apart
    assert "1 misbehaved" in text
    assert "control.true a true lemma: expected proved, observed refuted" in text


def test_every_word_is_explained():
    text = Page(part("words")).text
    for looks in (LOOKS, HEADLINES):
        for word, look in looks.items():
            assert f"{look.sign} {word}" in text
            assert look.meaning in text
