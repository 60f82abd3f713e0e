"""Curves in the report: what is drawn is what is in the record."""

import math
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from reports.plots import LOOKS, MOST_TICKS, plot

numbers = st.floats(-1e6, 1e6)
positives = st.floats(1e-200, 1e200)


def curves(values):
    point = st.tuples(values, values)
    one = st.lists(point, min_size=1, max_size=12)
    return st.lists(one, min_size=1, max_size=8)


def record(found, *, log: bool):
    return {
        "title": "risk & norm <1>",
        "x": "time in <s>",
        "y": "$risk",
        "x_log": log,
        "y_log": log,
        "curves": [
            {"name": f"layer {k}", "x": [p[0] for p in c], "y": [p[1] for p in c]}
            for k, c in enumerate(found)
        ],
    }


def drawing(found, *, log: bool) -> ElementTree.Element:
    return ElementTree.fromstring(plot(record(found, log=log))).find("svg")


def lines(svg: ElementTree.Element, colours: str) -> list[list[tuple[float, float]]]:
    """The points of the lines of these colours."""
    drawn = [e.get("d") for e in svg.iter("path") if re.search(colours, e.get("stroke", ""))]
    return [[tuple(map(float, p)) for p in re.findall(r"[ML] (\S+) (\S+)", path)] for path in drawn]


def ticks(svg: ElementTree.Element, side: str) -> dict[str, float]:
    """The numbers below or to the left of the frame, and where they stand."""
    anchor, place = {"below": ("middle", "x"), "left": ("end", "y")}[side]
    numbers = (e for e in svg.iter("text") if e.get("fill") == "var(--soft)")
    return {e.text: float(e.get(place)) for e in numbers if e.get("text-anchor") == anchor}


@settings(max_examples=15)
@given(st.booleans().flatmap(lambda log: st.tuples(st.just(log), curves(positives))))
def test_every_point_is_drawn_inside_the_frame_and_in_order(drawn):
    log, found = drawn
    svg = drawing(found, log=log)
    frame = [point for line in lines(svg, "rule") for point in line]
    (left, top), (right, bottom) = (tuple(map(end, zip(*frame, strict=True))) for end in (min, max))
    seen = lines(svg, r"--c\d")
    assert [max(2, len(c)) for c in found] == [len(c) for c in seen]
    for given_curve, curve in zip(found, seen, strict=True):
        for u, v in curve:
            assert left - 0.1 <= u <= right + 0.1
            assert top - 0.1 <= v <= bottom + 0.1
        for (one, first), (two, second) in pairwise(zip(given_curve, curve, strict=False)):
            assert (one[0] <= two[0]) <= (first[0] <= second[0] + 0.11)
            assert (one[1] <= two[1]) <= (first[1] >= second[1] - 0.11)  # up is smaller


@settings(max_examples=15)
@given(curves(numbers))
def test_ticks_are_few_and_say_where_they_stand(found):
    svg = drawing(found, log=False)
    below = ticks(svg, "below")
    assert 1 <= len(below) <= MOST_TICKS + 2
    assert 1 <= len(ticks(svg, "left")) <= MOST_TICKS + 2
    plain = [text for text in below if not set(text) & set("⁰¹²³⁴⁵⁶⁷⁸⁹")]
    values = [float(text.replace("−", "-")) for text in plain]
    places = [below[text] for text in plain]
    assert values == sorted(values)
    assert places == sorted(places)


def test_the_same_height_is_the_same_value():
    svg = drawing([[(1, 10), (2, 1000)], [(1, 1000), (2, 10)]], log=True)
    one, two = lines(svg, r"--c\d")
    assert one[0][1] == two[1][1] > one[1][1] == two[0][1]
    grid = {point[1] for line in lines(svg, "hair") for point in line}
    middle = (one[0][1] + one[1][1]) / 2
    assert any(math.isclose(height, middle, abs_tol=0.01) for height in grid)
    left = ticks(svg, "left")
    assert math.isclose(left["10"] - left["100"], left["100"] - left["1000"])
    assert left["10"] > left["100"]


def test_curves_look_different_and_the_legend_says_which_is_which():
    assert len(LOOKS) >= 28
    found = [[(1.0, 1.0), (2.0, float(k + 1))] for k in range(len(LOOKS))]
    figure = ElementTree.fromstring(plot(record(found, log=False)))
    paths = [e for e in figure.find("svg").iter("path") if "--c" in e.get("stroke", "")]
    looks = [(e.get("stroke"), e.get("stroke-dasharray")) for e in paths]
    assert len(set(looks)) == len(LOOKS)
    legend = figure.findall(".//ul[@class='keys']/li")
    assert [item.find("svg/path").get("stroke") for item in legend] == [one for one, _ in looks]
    dashes = [item.find("svg/path").get("stroke-dasharray") for item in legend]
    assert len({(one, d) for (one, _), d in zip(looks, dashes, strict=True)}) == len(LOOKS)
    assert ["".join(item.itertext()).strip() for item in legend] == [
        f"layer {k}" for k in range(len(LOOKS))
    ]


def test_a_page_has_room_for_it_and_for_another_one_like_it():
    drawn = plot(record([[(1e-9, -1e-9), (5e-8, 2e-7)], [(0, 0)]], log=False))
    assert not re.search(r"style|<defs| id=|url\(|#", drawn)
    assert not re.search(r'\b[xyd]="[^"]*−', drawn)
    assert "10⁻⁸" in drawn


def test_texts_are_escaped_and_no_mathematics():
    text = plot(record([[(1.0, 1.0)]], log=False))
    assert "&lt;1&gt;" in text
    assert "time in &lt;s&gt;" in text
    assert ">$risk<" in text
    assert not re.search("<1>|<s>", text)


def test_less_than_a_decade_has_ticks_too():
    svg = drawing([[(0.15, 3.0), (0.8, 4.0)]], log=True)
    assert list(ticks(svg, "below")) == ["0.2", "0.5"]
