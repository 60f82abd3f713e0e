"""A whole page: what stands around its body, and the one style and the one script it may use."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

from reports.pieces import escape


@cache
def asset(name: str) -> str:
    """A file of this package."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def page(title: str, body: str, *, script: str = "") -> str:
    """An HTML document with the report's style. The browser itself is told to fetch nothing and to
    run and apply nothing but what stands here."""
    style = asset("style.css")
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_hash(style)}"
    policy += f"; script-src {_hash(script)}" if script else ""
    end = f"<script>{script}</script>\n" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)} · Lemmata</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">Skip to the results</a>\n{body}{end}</body>\n</html>\n'
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
