"""Named examples of a definition in the section of a claim."""

from reports.details import details
from tests.reports.markup import Page
from tests.reports.sample_run import sample

SAMPLE = sample()
PARTS = [
    {"name": r"H1 $\sup|\sigma'|$", "value": r"$\infty$", "holds": False},
    {"name": "H2", "value": "yes", "holds": True},
]
EXAMPLES = [
    {"name": "$z^2$", "meets": False, "parts": PARTS},
    {"name": "tanh", "meets": True, "parts": [part | {"holds": True} for part in PARTS]},
]


def shown(verdict):
    claim = next(c for c in SAMPLE["claims"] if c["verdict"] == verdict)
    return details(claim | {"examples": EXAMPLES, "evidence": []})


def test_examples_are_counted_and_what_fails_is_marked():
    page = Page(shown("definition"))
    assert "Examples: 1 of 2 meet it" in page.text
    assert page.text.count("\u2717") == 1
    assert page.tags.count("tr") == 3
    assert "infty" not in page.text  # formulas are typeset


def test_they_are_unfolded_where_there_is_no_verdict_to_see():
    assert shown("definition").startswith("<details open>")
    assert shown("proved").startswith("<details>")


def test_a_claim_without_examples_shows_none():
    claim = SAMPLE["claims"][0]
    assert "Examples" not in details(claim)
    assert "Examples" not in details(claim | {"examples": []})
