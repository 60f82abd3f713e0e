"""What is checked, beside the print and on the pages with everything."""

from __future__ import annotations

from reports import html
from reports.annex import annex
from reports.checked import LONGEST, SHORT, folded_in
from tests.reports.sample_run import sample

SAID = {
    "case": ["a network", "$L$, a list of vertices: the last layer"],
    "lines": [[0, "for all $v \\in L$:"], [1, "$w_{v} = \\Gamma(v)$"]],
    "where": ["$\\Gamma(v) = v + 1$"],
}
ASKED = {"lines": [[0, "for all $v \\in L$:"], [1, "$w_{v} > 0$"]], "where": []}


def record():
    """The sample, of which two claims are in the language and share a hypothesis."""
    found = sample()
    for claim in [c for c in found["claims"] if c["paper"] == "lj22"][:2]:
        claim["checked"] = SAID
        claim["hypotheses"] = [
            {"id": "H1", "name": "positive", "statement": "all are positive", "checked": ASKED}
        ]
    return found


def test_it_is_told_beside_the_print():
    page = html.render(record())
    assert "As it is checked" in page
    assert "As it is checked" not in html.render(sample())
    assert '<p class="in1">' in page


def test_short_ones_are_shown_at_once_long_ones_below_a_fold_and_longer_ones_elsewhere():
    short = {"checked": {"case": ["a network"], "lines": [[0, "$a = b$"]], "where": []}}
    assert len(str(short["checked"])) < SHORT
    assert folded_in(short, "there.html#claim").startswith('<p class="where">')
    assert "a network" not in folded_in(short, "there.html#claim")
    long = {"checked": SAID | {"where": ["$a$"] * 70}}
    assert SHORT < len(str(long["checked"])) < LONGEST
    assert folded_in(long, "there.html#claim").startswith("<details>")
    assert "the last layer" in folded_in(long, "there.html#claim")
    longer = {"checked": SAID | {"where": ["$a$"] * 700}}
    assert '<a href="there.html#claim">' in folded_in(longer, "there.html#claim")
    assert "<math" not in folded_in(longer, "there.html#claim")
    assert folded_in({"checked": None}, "") == ""


def test_a_hypothesis_is_told_once_for_all_claims_of_a_paper():
    page = annex(record(), "report.html")["lj22.html"]
    assert page.count('id="asked-') == 1
    assert page.count('href="#asked-1"') == 2
    told = page
    assert "Hypotheses as they are asked of each case" in told
    assert "all are positive" in told
    assert "the last layer" in told
    assert "What the formulas mean" in told
    assert "<dd>the output on an example</dd>" in told
    assert 'id="asked"' not in annex(sample(), "report.html")["lj22.html"]


def test_a_proof_has_a_page_of_its_own():
    found = record()
    claim = next(c for c in found["claims"] if c["evidence"])
    claim["evidence"][0] = claim["evidence"][0] | {"proof": ["first $a = b$", "then $b = c$"]}
    files = annex(found, "report.html")
    name = f"proof-{claim['id']}.html"
    assert f'<a href="{name}">The proof, in 2 facts</a>' in files[f"{claim['paper']}.html"]
    assert files[name].count("<li>") == 2
    assert f"{claim['paper']}.html#claim-" in files[name]
    assert not any(file.startswith("proof-") for file in annex(sample(), "report.html"))
