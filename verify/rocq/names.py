"""Identifiers and comments of Rocq source, for names of vertices that may be any text.

An identifier is a prefix of our own and names in which every character other than an ASCII letter
or digit is written `_hex_`. Beside these only our own word `_to_` is put in, which is not
hexadecimal: so different names have different identifiers, and none is a keyword.
"""

from __future__ import annotations

import re

PLAIN = re.compile(r"[A-Za-z0-9]")
IN_COMMENTS = re.compile(r"[A-Za-z0-9 _.,:;=<>/+\[\]{}()|^@#!?&%$~-]")


def identifier(prefix: str, *names: str) -> str:
    """The prefix and the names, e.g. w_x_to_h; different names give different identifiers.

    >>> identifier("w", "x", "h1"), identifier("post", "h'")
    ('w_x_to_h1', 'post_h_27_')
    """
    return f"{prefix}_" + "_to_".join(_clean(name) for name in names)


def _clean(name: str) -> str:
    return "".join(c if PLAIN.fullmatch(c) else f"_{ord(c):x}_" for c in name)


def comment(text: str) -> str:
    """A comment that the text cannot end, nest in or open a string in.

    >>> print(comment('the vertex "*)"'))
    (* the vertex U+0022U+002A)U+0022 *)
    """
    shown = "".join(c if IN_COMMENTS.fullmatch(c) else f"U+{ord(c):04X}" for c in text)
    return f"(* {shown} *)"
