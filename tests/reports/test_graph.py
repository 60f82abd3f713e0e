"""What the main results of a paper rest on, drawn."""

import re
from typing import Any

import pytest

from reports.graph import statement_graph

ARROW = re.compile(r"M[^M]+M[^M]+")  # a line, and the head of its arrow


def statement(name: str, *uses: str, rank: str = "step", word: str = "true") -> dict[str, Any]:
    known = {"word": word, "detail": "", "mended": [], "from_baseline": False}
    place = {"place": f"Lemma {name}", "title": "of $x^2<1$", "headline": known}
    return {"id": f"p.{name}", "rank": rank, "uses": [f"p.{one}" for one in uses], **place}


def shown(*statements: dict[str, Any]) -> tuple[list[str], int]:
    """The statements that are drawn, in order, and the number of arrows."""
    drawing = statement_graph(statements)
    path = re.search(r'<path class="e" d="(.*?)"', drawing)
    arrows = len(ARROW.findall(path[1])) if path else 0
    return re.findall(r'href="#p\.(\w+)"', drawing), arrows


def test_a_main_result_and_all_that_it_rests_on():
    """1 uses 2 and 3, 2 uses 3: two arrows; 4 is used by a step alone."""
    first = statement("1", "2", "3", rank="main")
    rest = statement("2", "3"), statement("3"), statement("4"), statement("5", "4")
    assert shown(first, *rest) == (["1", "2", "3"], 2)


def test_what_is_used_stands_to_the_left():
    drawing = statement_graph([statement("1", "2", rank="main"), statement("2")])
    left = {name: float(x) for name, x in re.findall(r'#p\.(\d)".*?<rect x="([-\d.]+)"', drawing)}
    assert left["2"] < left["1"]


def test_statements_that_use_each_other_are_drawn_once():
    names, arrows = shown(statement("1", "2", rank="main"), statement("2", "1"))
    assert (names, arrows) == (["1", "2"], 1)


def test_what_is_not_in_the_run_is_not_drawn():
    assert shown(statement("1", "2", "9", rank="main"), statement("2"))[0] == ["1", "2"]


@pytest.mark.parametrize(
    "statements",
    [
        [],
        [statement("1", rank="main"), statement("2", "3"), statement("3")],
        [statement("1", "1", rank="main")],
    ],
)
def test_nothing_is_drawn_where_no_main_result_rests_on_another(statements: Any):
    assert statement_graph(statements) == ""


def test_a_node_is_named_by_its_place_and_version():
    one = statement("1", "2", rank="main") | {"place": "Lemma 2, (4) (earlier version: Lemma 3)"}
    other = statement("2") | {"version": "earlier"}
    drawing = statement_graph([one, other])
    assert "■ Lemma 2, (4)</text>" in drawing
    assert "■ earlier: Lemma 2</text>" in drawing


def test_a_node_tells_what_is_known_without_colour():
    drawing = statement_graph(
        [statement("1", "2", rank="main", word="false as printed"), statement("2")]
    )
    assert '<a class="s main bad" href="#p.1">' in drawing
    assert "<title>Lemma 1: of x^2&lt;1: false as printed</title>" in drawing
    assert "× Lemma 1</text>" in drawing
    assert "■ Lemma 2</text>" in drawing
