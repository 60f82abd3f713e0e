"""The page of the mathematics: every section that a verdict names is there."""

import re

from reports.mathematics import mathematics, source
from reports.pieces import line, section_anchor
from verify.papers.registry import all_claims


def test_every_section_that_claims_name_is_there():
    ids = set(re.findall(r'<section id="([^"]*)"', mathematics()))
    texts = [text for claim in all_claims() for text in (claim.through, *claim.trusted)]
    named = {n for text in texts for n in re.findall(r"docs/mathematics\.md, (\d+)", text)}
    assert len(named) > 10
    assert {section_anchor(number) for number in named} <= ids


def test_nothing_of_the_text_is_lost():
    page = re.sub(r"<[^>]+>", " ", mathematics()).split()
    words = source().partition("\n")[2].replace("<", "&lt;").replace(">", "&gt;").split()
    kept = [word for word in words if word.strip("*#`&").isalpha()]
    missing = {word.strip("*#`&") for word in kept} - {word.strip("*#`&.,") for word in page}
    assert len(kept) > 10_000
    assert missing == set()


def test_a_section_is_linked():
    told = line("an order (docs/mathematics.md, 39)")
    assert told == 'an order (<a href="mathematics.html#section-39">Mathematics, 39</a>)'
