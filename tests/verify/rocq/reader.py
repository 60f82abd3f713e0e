"""Rocq source as a reader sees it."""

from __future__ import annotations

import re


def without_comments(source: str) -> str:
    """The source with its comments, which may nest, blanked. Fails where one does not end."""
    depth, kept = 0, []
    for part in re.split(r"(\(\*|\*\))", source):
        if part == "(*":
            depth += 1
        elif part == "*)":
            depth -= 1
            assert depth >= 0
        elif depth:
            assert '"' not in part, "a string opens in a comment"
        else:
            kept.append(part)
    assert depth == 0
    return " ".join(kept)
