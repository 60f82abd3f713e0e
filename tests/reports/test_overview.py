"""The first pages of a report: nothing is lost where lists are folded, and the sums add up."""

import re

import pytest

from reports import html, overview
from tests.reports.sample_run import sample


def many(number: int) -> dict:
    """A run with so many claims of each of two papers, each claim the same refuted one."""
    record = sample()
    one = next(claim for claim in record["claims"] if claim["verdict"] == "refuted")
    record["claims"] = [
        one | {"id": f"{paper}.{k}", "paper": paper, "depends": [], "repairs": None}
        for paper in ("first", "second")
        for k in range(number)
    ]
    record["changes"] = None
    return record


@pytest.mark.parametrize("number", [overview.LONGEST // 2, overview.LONGEST // 2 + 1])
def test_long_lists_are_folded_by_paper_and_hold_every_claim_once(number):
    text = html.render(many(number))
    first = text[text.index('id="attention"') : text.index('id="counts"')]
    lines = re.findall(r'<li><span><a href="#claim-([^"]*)"', first)
    assert sorted(lines) == sorted(claim["id"] for claim in many(number)["claims"])
    folds = re.findall(r'<summary>(\w+) <span class="count">(\d+)', first)
    folded = 2 * number > overview.LONGEST
    assert folds == ([("first", str(number)), ("second", str(number))] if folded else [])
    assert ("<nav" in text) == folded


def test_links_of_the_contents_lead_somewhere():
    text = html.render(many(30))
    nav = text[text.index("<nav") : text.index("</nav>")]
    names = re.findall(r'href="#([^"]*)"', nav)
    assert names == ["attention", "counts", "table", "first", "second"]
    for name in names:
        assert text.count(f'id="{name}"') == 1


def counts_of(record: dict) -> list[str]:
    """The lines of the table of counts, cells apart from each other."""
    text = html.render(record)
    part = text[text.index('id="counts"') : text.index('id="table"')]
    rows = re.findall(r"<tr>(.*?)</tr>", part)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]


def test_counts_by_paper_add_up():
    record = many(3)
    record["claims"][0]["verdict"] = "proved"
    head, refuted, proved, foot = counts_of(record)
    assert head == "first second all"
    assert refuted.startswith("× refuted 2 3 5 an")
    assert proved.startswith("■ proved 1 – 1 an")
    assert foot.startswith("claims 3 3 6 no baseline")


def test_claims_of_one_paper_are_counted_once():
    record = many(2)
    record["claims"] = record["claims"][:2]
    refuted, foot = counts_of(record)
    assert refuted.startswith("× refuted 2 an exact")
    assert foot.startswith("claims 2 no baseline")
