"""The mathematics that is not computed: its pages, in Markdown, and the titles of its sections.

The pages are those of docs/mathematics. A reference, `docs/mathematics/lj22.md#rays`, names a page
and a section of it: the anchor is what GitHub makes of the heading.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

PAGES = ("engine", "proofs", "lj22", "j23", "dkbhl20", "zlb22")
REFERENCE = re.compile(r"docs/mathematics/(\w+)\.md#([\w-]+)")
HEADING = re.compile(r"^(#+) (.*)$", re.MULTILINE)


@cache
def source(name: str) -> str:
    """The text of a page."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """What GitHub makes of a heading.

    >>> anchor("Taylor's theorem, and (13)")
    'taylors-theorem-and-13'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def titles() -> Mapping[tuple[str, str], str]:
    """The title of each section, by its page and its anchor."""
    return MappingProxyType(
        {
            (name, anchor(heading[2])): heading[2]
            for name in PAGES
            for heading in HEADING.finditer(source(name))
        }
    )
