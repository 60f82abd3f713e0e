"""The mathematics: each reference leads to a section, and the report's page shows all of them."""

import re
from collections import Counter
from copy import deepcopy

import pytest

from reports import mathml
from reports.argued import mathematics
from reports.mathematics import HEADING, PAGES, REFERENCE, anchor, source, titles
from reports.pieces import line, section_anchor
from tests.reports.sample_run import sample
from tests.repository import ROOT
from verify.papers.registry import all_claims

PLACE = "docs/mathematics/zlb22.md#walks-from-the-output"
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$]+)\$", re.DOTALL)


def test_every_reference_leads_to_a_section():
    wrong, found = [], 0
    for folder in ("verify", "reports", "lemmata", "numerics", "graphs", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            places = re.findall(r"docs/mathematics/(\w*)\.md(#?)([\w-]*)", text)
            found += len(places)
            wrong += [(path.name, one) for one in places if (one[0], one[2]) not in titles()]
            wrong += [(path.name, old) for old in re.findall(r"docs/mathematics\.md", text)]
    assert found > 300
    assert [one for one in wrong if one[0] != "test_mathematics.py"] == []


def test_links_between_the_pages_lead_to_sections():
    for name in PAGES:
        for file, place in re.findall(r"\]\(([\w./]*)#([\w-]+)\)", source(name)):
            assert (file.removesuffix(".md") or name, place) in titles(), (name, place)


def test_what_claims_rest_on_is_argued_somewhere():
    texts = [text for claim in all_claims() for text in (claim.through, *claim.trusted)]
    named = {found for text in texts for found in REFERENCE.findall(text)}
    assert len(named) > 50
    assert named <= set(titles())


def test_the_pages_are_those_of_the_documentation():
    assert {path.stem for path in (ROOT / "docs/mathematics").glob("*.md")} == {*PAGES, "README"}
    index = (ROOT / "docs/mathematics/README.md").read_text(encoding="utf-8")
    for name in PAGES:
        path = ROOT / f"docs/mathematics/{name}.md"
        assert source(name) == path.read_text(encoding="utf-8")
        assert f"]({name}.md)" in index


@pytest.mark.parametrize("name", PAGES)
def test_sections_of_a_page_have_names_of_their_own(name):
    names = Counter(anchor(heading[2]) for heading in HEADING.finditer(source(name)))
    assert set(names.values()) == {1}


@pytest.mark.parametrize("name", PAGES)
def test_every_formula_of_a_page_is_typeset(name):
    formulas = FORMULA.findall(source(name))
    assert len(formulas) > 30
    for shown, inline in formulas:
        assert mathml.formula(shown or inline, display=bool(shown))


def test_nothing_of_the_text_is_lost():
    page = re.sub(r"<[^>]+>", " ", mathematics(sample()))
    shown = set(re.findall(r"[A-Za-z]{4,}", page))
    for name in PAGES:
        text = re.sub(r"\]\([^)]*\)", "]", FORMULA.sub(" ", source(name)))
        assert set(re.findall(r"\b[A-Za-z]{4,}\b", text)) - shown == set()


def test_a_section_is_linked_by_its_title():
    told = line(f"an order ({PLACE})")
    link = '<a href="mathematics.html#zlb22-walks-from-the-output">Walks from the output</a>'
    assert told == f"an order (<small>{link}</small>)"


def test_the_claims_that_rest_on_a_section_are_named_there():
    record = deepcopy(sample())
    claim = next(claim for claim in record["claims"] if claim["paper"] == "lj22")
    claim["rests_on"]["trusted"] = [f"an order ({PLACE})"]
    start = mathematics(record).index(f'id="{section_anchor("zlb22", "walks-from-the-output")}"')
    told = mathematics(record)[start:].partition("</section>")[0]
    assert f'<a href="lj22.html#claim-{claim["id"]}"><code>{claim["id"]}</code></a>.' in told
