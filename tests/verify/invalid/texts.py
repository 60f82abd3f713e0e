"""Files that are no certificates, as text: what no JSON object in memory can show.

`FILES` maps a name to the bytes of a file; none of them may be accepted. `BOMBS` are files whose
size or depth is the attack.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.verify import certificates as c

TEXTS = {name: json.dumps(certificate) for name, certificate in c.VALID.items()}
POINT = TEXTS["control.planted.dkbhl20"]
NUMBERS = (
    *("1.0", "1e0", "1E+2", "-0.0", "NaN", "Infinity", "-Infinity", "1e400", "1e-400"),
    *(
        "01",
        "+1",
        "0x1",
        "1_0",
        ".5",
        "1.",
        "--1",
        "1/1",
        "'1'",
        "1n",
        "\u0661",
        "\uff11",
        "\u00bd",
    ),
)
STRINGS = (
    *(
        "1.0",
        "1e0",
        "0x1",
        "1/0",
        "0/0",
        "1/-1",
        "-1/-1",
        "1//1",
        "1/1/1",
        "1/",
        "/1",
        "1 /1",
        " 1",
    ),
    *(
        " 1",
        "1\n",
        "\t1",
        "+1",
        "--1",
        "- 1",
        "1_0",
        "1,0",
        "\u0661",
        "\uff11",
        "\u00bd",
        "\u22121",
    ),
    *("nan", "inf", "-Infinity", "None", "true", "1\u200b", "\ufeff1", "1%", "1f", "I", "one", ""),
)


def files() -> dict[str, bytes]:
    """By name."""
    found: dict[str, bytes] = {}
    value = '"value": "-2"'
    assert POINT.count(value) == 1
    for literal in NUMBERS:
        found[f"the value is {literal}"] = POINT.replace(value, f'"value": {literal}').encode()
        entries = POINT.replace('"entries": ["1", "1"]', f'"entries": ["1", {literal}]')
        found[f"an entry is {literal}"] = entries.encode()
    for text in STRINGS:
        quoted = json.dumps(text)
        found[f"the value is {quoted}"] = POINT.replace(value, f'"value": {quoted}').encode()
        entries = POINT.replace('"entries": ["1", "1"]', f'"entries": [{quoted}, "1"]')
        found[f"an entry is {quoted}"] = entries.encode()
    for name, text in TEXTS.items():
        found |= {f"{name}: {what}": file for what, file in _twice(text).items()}
        found |= {f"{name}: {what}": file for what, file in _syntax(text).items()}
    return found


def _twice(text: str) -> dict[str, bytes]:
    """Every key of every object once more, with the same value or another one."""
    found = {}
    for match in re.finditer(r'"([^"]+)": ', text):
        for other in ("same", "0"):
            start = match.start()
            end = _end_of_value(text, match.end())
            again = text[start:end] if other == "same" else f"{match[0]}0"
            key = f"{match[1]} at {start} twice, {other}"
            found[key] = f"{text[:end]}, {again}{text[end:]}".encode()
    return found


def _end_of_value(text: str, start: int) -> int:
    _, end = json.JSONDecoder().raw_decode(text, start)
    return end


def _syntax(text: str) -> dict[str, bytes]:
    encoded = text.encode()
    return {
        "a comma at the end": encoded[:-1] + b",}",
        "a comment": b"// it is so\n" + encoded,
        "a comment inside": encoded.replace(b"{", b"{/* */", 1),
        "single quotes": encoded.replace(b'"', b"'"),
        "no quotes at a key": encoded.replace(b'"kind"', b"kind"),
        "a byte order mark": b"\xef\xbb\xbf" + encoded,
        "UTF-16": text.encode("utf-16"),
        "UTF-32": text.encode("utf-32"),
        "Latin-1": encoded.replace(b"lemmata-certificate", b"l\xe9mmata-certificate"),
        "an overlong encoding": encoded.replace(b"kind", b"k\xc1\xa9nd"),
        "a zero byte": encoded + b"\x00",
        "a zero byte inside": encoded.replace(b"claim", b"cl\x00aim"),
        "a line break in a string": encoded.replace(b"tensors", b"tens\nors"),
        "something behind": encoded + b" 1",
        "twice": encoded * 2,
        "in a list": b"[" + encoded + b"]",
        "in a string": json.dumps(text).encode(),
        "half": encoded[: len(encoded) // 2],
        "all but the last byte": encoded[:-1],
        "all but the first byte": encoded[1:],
        "a key in capitals": encoded.replace(b'"kind"', b'"KIND"'),
        "a key with a space": encoded.replace(b'"kind"', b'"kind "'),
        "a Cyrillic letter in a key": encoded.replace(b'"claim"', '"cl\u0430im"'.encode()),
        "a Cyrillic letter in an axis": encoded.replace(b'"axes": ["', '"axes": ["\u0445'.encode()),
        "an escaped surrogate in an axis": encoded.replace(b'"axes": ["', b'"axes": ["\\ud800'),
        "null": b"null",
        "true": b"true",
        "a number": b"1",
        "nothing": b"",
        "white space": b" \n\t ",
    }


def bombs() -> dict[str, bytes]:
    """Nested, long and wide."""
    deep = 200_000
    value = '"value": "-2"'
    found = {
        "lists": b"[" * deep,
        "lists that end": b"[" * deep + b"]" * deep,
        "objects": b'{"a":' * deep + b"1" + b"}" * deep,
        "both": b'[{"a":' * deep,
        "a long key": POINT.replace('"kind"', f'"{"k" * 10**6}"').encode(),
        "a long string": POINT.replace('"counterexample"', f'"{"c" * 10**6}"').encode(),
        "a long number": POINT.replace(value, f'"value": {"9" * 10**6}').encode(),
        "a long fraction": POINT.replace(value, f'"value": "1/{"9" * 10**6}"').encode(),
        "many zeros": POINT.replace(value, f'"value": "-{"0" * 10**6}2"').encode(),
        "many keys": b"{" + b",".join(b'"%d":1' % k for k in range(10**5)) + b"}",
        "one key many times": b"{" + b",".join([b'"a":1'] * 10**5) + b"}",
    }
    for key in ("entry", "case", "value", "arrays", "lam", "axes", "entries", "choice"):
        for opening, closing in (("[", "]"), ('{"a":', "}")):
            nested = opening * 900 + "1" + closing * 900
            at = re.search(f'"{key}": ', POINT)
            if at is None:
                text = POINT.replace('"arrays": {', f'"choice": {nested}, "arrays": {{')
            else:
                end = _end_of_value(POINT, at.end())
                text = POINT[: at.end()] + nested + POINT[end:]
            found[f"{key} nested in {opening}"] = text.encode()
    return found


FILES = files()
BOMBS = bombs()
ALL: dict[str, Any] = {**FILES, **BOMBS}
