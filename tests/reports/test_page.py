"""The style: contrasts that can be read, nothing for which the policy has no room."""

import re

import pytest

from reports import html
from reports.page import asset, page
from tests.reports.markup import Page
from tests.reports.sample_run import sample

STYLE = asset("style.css")
TEXTS, LINES = ("ink", "soft", "accent"), ("c0", "c1", "c2", "c3", "c4", "c5", "accent", "ink")


def schemes() -> dict[str, dict[str, str]]:
    """The colours of each scheme."""
    roots = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]+)", root)) for root in roots]
    return dict(zip(("light", "dark", "print"), found, strict=True))


def luminance(colour: str) -> float:
    """Relative luminance, as in WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_contrasts(scheme):
    colours = schemes()[scheme]
    for name in TEXTS:
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
        assert contrast(colours["ink"], colours["new"]) >= 4.5
    for name in LINES:
        assert contrast(colours[name], colours["paper"]) >= 3, name


def test_every_variable_is_defined_for_every_scheme():
    used = set(re.findall(r"var\(--([\w-]+)\)", STYLE))
    for scheme, colours in schemes().items():
        assert used <= set(colours), scheme


def test_a_page_without_a_script_may_run_none():
    text = page("<a title>", '<main id="main"></main>')
    assert "script" not in text
    assert "<title>&lt;a title&gt; · Lemmata</title>" in text


def test_the_style_shows_folds_and_colours_in_print():
    printed = STYLE[STYLE.index("@media print") :]
    assert "details::details-content { content-visibility: visible" in printed
    assert "print-color-adjust: exact" in printed
    assert STYLE.count("gradient(") == 1  # the stroke through a formula that went


def test_the_script_finds_what_it_asks_for():
    script, text = asset("page.js"), html.render(sample())
    tags = Page(text)
    assert 'getElementById("find")' in script
    assert "find" in tags.values("id")
    assert {"q", "w", "p", "r"} <= set(tags.values("name"))
    articles = tags.inside("article")
    assert len(articles) == len(sample()["statements"])
    for name in ("data-w", "data-p", "data-r"):  # on the article or around it
        assert all(name in attributes for attributes in articles), name
    assert "group" in tags.values("class")
    assert "</script" not in script


def test_coming_back_leads_to_where_the_reader_was():
    script = asset("page.js")
    assert "history.replaceState({ top: scrollY }" in script  # when a link is followed
    assert "scrollTo(0, before.top)" in script
