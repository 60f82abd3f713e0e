"""What is told of a network: at most forty lines, whatever was found."""

from reports.checked_network import MOST_LINES, as_html, as_text


def row(number: int, outcome: str, **others):
    return {
        "id": f"p.s{number}",
        "place": "Lemma 1",
        "title": "a $\\nu$ b",
        "statement": "$1<2$",
        "role": "main",
        "outcome": outcome,
        "entries": 3,
        "cases": 2,
        "hypothesis": {"name": f"h{number % 9}", "statement": "it is so"},
        "definite": number % 2 == 0,
        "reason": "late" if outcome == "left out" else "",
        "known": "refuted",
        "accepted": True,
        "checker": "accepted",
        "certificate_file": "",
    } | others


def record(rows):
    return {
        "name": "<net>",
        "title": "a network",
        "network": None,
        "structure": {
            "paths": "7",
            "depth": 2,
            "width": 3,
            "widths": list(range(50)),
            "cuts": [1, 2],
            "all_cuts": None,
            "pieces": "",
        },
        "laws": {
            "told": "many",
            "reason": "",
            "laws": [{"lemma": f"l{k}", "subject": "v", "law": "w^2"} for k in range(30)],
        },
        "curvature": {"told": "small", "text": "small\nindeed"},
        "statements": rows,
        "others": {"told": "5 others"},
    }


def test_at_most_forty_lines_with_the_printed_statements_first():
    rows = [row(k, kind) for k in range(60) for kind in ("violated", "not met", "left out")]
    rows.insert(0, row(99, "violated", role="other"))
    lines = as_text(record(rows), width=80).splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 80
    first = lines.index("violated on this network") + 1
    assert lines[first] == "  p.s0: a ν b (accepted by the checker; known: refuted)"
    assert "left out: 60, late" in lines
    assert sum("in no case drawn" in text for text in lines) == 3


def test_the_page_says_all_and_escapes():
    rows = [row(1, "holds"), row(2, "violated"), row(4, "not met"), row(3, "not met")]
    page = as_html(record(rows))
    assert "&lt;net&gt;" in page
    assert "<net>" not in page
    for told in ("p.s1", "p.s2", "p.s3", "3 entries in 2 cases", "small\nindeed", "5 others"):
        assert told in page
    assert page.count("In none of the cases drawn") == 1


def test_forty_lines_whatever_is_told():
    many = record([row(k, kind) for k in range(60) for kind in ("violated", "not met")])
    many["title"] = many["others"]["told"] = many["curvature"]["told"] = "word " * 99
    many["structure"]["pieces"] = "piece, " * 50
    for law in many["laws"]["laws"]:
        law["law"] = "w^2 + " * 30
    many["statements"] += [row(200 + k, "left out", reason=f"late {k}") for k in range(9)]
    lines = as_text(many, width=50).splitlines()
    assert len(lines) <= MOST_LINES
    assert lines[-1].startswith("… more in the report")


def test_what_is_enclosed_in_part_or_not_met_beside_others_is_said():
    rows = [row(1, "holds", reason="enclosed"), row(2, "holds")]
    rows += [row(3, "not met", reason="not beside"), row(12, "not met", definite=False)]
    text, page = as_text(record(rows), width=200), as_html(record(rows))
    assert "looked at (1 of them enclosed or in part, see the report)" in text
    assert "(in no case drawn, not beside)" in text
    assert "(in no case drawn)" in text
    assert "3 entries in 2 cases; enclosed" in page
    assert "In none of the cases drawn on this network, not beside." in page
