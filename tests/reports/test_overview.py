"""The first screen: sentences that are computed, the worst first, nothing lost in folds."""

import re

import pytest

from reports import html, overview
from reports.findings import SIGNS
from reports.index import Index
from reports.verdicts import HEADLINES, LOOKS, RANK, by_version, detail, paper_sentence, worst_first
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
            "Of 1 main result 1 is false as printed; the false one has no established repair.",
        ),
        (
            statements("false as printed", "nothing against it", mended=1),
            "Of 2 main results 1 is false as printed and 1 with nothing against it; the false one",
        ),
        (statements("true") + statements("open", rank="step"), "Of 1 main result 1 is true."),
        (statements("vacuous", "vacuous", rank="step"), "Of 2 statements 2 are vacuous (no"),
        ([], "No statement of it was looked at."),
    ],
)
def test_a_paper_in_one_sentence(rows, start):
    assert paper_sentence(rows).startswith(start)


def test_how_many_are_mended():
    false = "false as printed"
    ends = {
        (1, 0): "the false one has no established repair.",
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
        told = paper_sentence(own)
        assert told in Page(TEXT).text
        parts = [part.partition(";")[0] for part in told.split("Of ")[1:]]
        for rows, part in zip(filter(None, by_version(main)), parts, strict=True):
            first, *others = map(int, re.findall(r"\b\d+\b", part))
            assert first == len(rows) == sum(others)


def test_an_earlier_version_is_counted_by_itself_and_stands_below():
    rows = statements("true", "false as printed", "false as printed")
    assert "version" not in paper_sentence([row | {"version": "final"} for row in rows])
    told = paper_sentence(
        [row | {"version": v} for row, v in zip(rows, ("final", *["earlier"] * 2), strict=True)]
    )
    assert told == (
        "Of 1 main result of the published version 1 is true. Of 2 main results of the earlier "
        "version 2 are false as printed; none of the 2 false ones can be mended."
    )
    text = part("paper-lj22")
    published, _, earlier = text.partition("<h3>Of the earlier version</h3>")
    assert 'id="lj22v1.lemma3b"' in earlier
    assert "lj22v1" not in re.findall(r'class="page" id="([^"]*)"', published)
    assert set(re.findall(r'class="page" id="(\w+)\.', earlier)) == {"lj22v1"}
    assert "Of the earlier version" not in part("paper-j23")
    index = Index.of(SAMPLE, "d")
    assert index.place("lj22v1.lemma3b").endswith("</a> (of the earlier version)")
    first = index.statements["lj22.lemma1"]
    twins = {name: first | {"id": name, "title": f"of {name}"} for name in ("x", "y")}
    told = Index.of(SAMPLE | {"statements": list(twins.values())}, "d").places(twins)
    assert "Lemma 1: of x, " in Page(told).text
    assert "Lemma 1: of y" in Page(told).text
    both = Page(index.places(["lj22v1.lemma3b", "lj22.lemma1", "lj22v1.lemma3b"])).text
    assert re.search(r"Lemma 1.*; .*, .* \(all of the earlier version\)$", both)


def test_parts_stand_in_order():
    assert PARTS == [
        "paper-lj22",
        "paper-j23",
        "changes",
        "findings",
        "looked",
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
    assert "Of claims: 3" in text
    assert "verdict: supported → refuted" in text
    assert "lj22.lost (not selected): gone, was proved" in text
    assert "new, proved" in text
    assert "code" not in text
    looked = Page(part("looked")).apart
    assert "The code of 1 claim changed" in looked
    assert "lj22.def1" in looked
    scopes = sample()
    long = {"what": "scope", "before": "cases 28; " * 99, "after": "cases 27; " * 99}
    scopes["changes"] = {"statements": [], "claims": [{"id": "lj22.lemma4"} | long]}
    told = html.render(scopes)
    assert "No headline and no verdict." in Page(part("changes", told)).text
    assert "The scope of 1 claim changed" in Page(part("looked", told)).text
    assert "cases 27" not in told
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
    assert "1 more cause of one lesser statement each, which tells it" in Page(told).text
    assert "Supporting statement: × " in Page(told).text
    assert told.count('href="#lj22.risk"') == 1
    again = lesser["findings"][0] | {"id": "flaw-2"}
    lesser["findings"].append(again)
    told = part("findings", html.render(lesser))
    assert "2 more causes of" in Page(told).text
    assert told.count('href="#lj22.risk"') == 1
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
    for sign, meaning in SIGNS.items():
        assert f"{sign}{meaning}" in text.replace(f"{sign} ", sign)


def test_a_share_of_none_is_not_told_beside_a_statement_that_is_false():
    none = "2 of 3 parts fail; fails in 0 of 1,004 generic cases"
    assert detail({"word": "false as printed", "detail": none}) == "2 of 3 parts fail"
    assert detail({"word": "true off corner cases", "detail": none}) == none
