"""Curves in the report: what is drawn is what is in the record."""

import math
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reports.plots import COLOURS, DASHES, MOST_TICKS, plot

numbers = st.floats(-1e6, 1e6)
positives = st.floats(1e-200, 1e200)


def curves(values):
    point = st.tuples(values, values)
    one = st.lists(point, min_size=1, max_size=12)
    return st.lists(one, min_size=1, max_size=8)


def record(found, *, log: bool):
    return {
        "title": "risk & norm <1>",
        "x": "time",
        "y": "risk",
        "x_log": log,
        "y_log": log,
        "curves": [
            {"name": f"layer {k}", "x": [p[0] for p in c], "y": [p[1] for p in c]}
            for k, c in enumerate(found)
        ],
    }


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def points(svg: ElementTree.Element) -> list[list[tuple[float, float]]]:
    found = []
    for element in svg.iter():
        if element.get("class", "").startswith("curve"):
            if element.tag == "circle":
                found.append([(float(element.get("cx")), float(element.get("cy")))])
            elif element.tag == "polyline":
                pairs = (p.split(",") for p in element.get("points").split())
                found.append([(float(x), float(y)) for x, y in pairs])
    return found


@given(st.booleans().flatmap(lambda log: st.tuples(st.just(log), curves(positives))))
def test_every_point_is_drawn_inside_the_frame_and_in_order(drawn):
    log, found = drawn
    svg = parsed(plot(record(found, log=log))).find("svg")
    frame = next(e for e in svg.iter() if e.get("class") == "frame")
    x, y, width, height = (float(frame.get(k)) for k in ("x", "y", "width", "height"))
    seen = points(svg)
    assert [len(c) for c in seen] == [len(c) for c in found]
    for given_curve, curve in zip(found, seen, strict=True):
        for u, v in curve:
            assert x - 0.1 <= u <= x + width + 0.1
            assert y - 0.1 <= v <= y + height + 0.1
        for (one, first), (two, second) in pairwise(zip(given_curve, curve, strict=True)):
            assert (one[0] <= two[0]) <= (first[0] <= second[0] + 0.11)
            assert (one[1] <= two[1]) <= (first[1] >= second[1] - 0.11)  # up is smaller


@given(curves(numbers))
def test_ticks_are_few_and_say_where_they_stand(found):
    svg = parsed(plot(record(found, log=False))).find("svg")
    ticks = [e for e in svg.iter() if (e.get("class") or "").startswith("tick")]
    assert 2 <= len(ticks) <= 2 * (MOST_TICKS + 2)
    plain = [e for e in ticks if e.get("class") == "tick" and not set(e.text) & set("⁰¹²³⁴⁵⁶⁷⁸⁹")]
    values = [float(e.text.replace("−", "-")) for e in plain]
    places = [float(e.get("x")) for e in plain]
    assert values == sorted(values)
    assert places == sorted(places)


def test_the_same_height_is_the_same_value():
    svg = parsed(plot(record([[(1, 10), (2, 1000)], [(1, 1000), (2, 10)]], log=True))).find("svg")
    one, two = points(svg)
    assert one[0][1] == two[1][1] > one[1][1] == two[0][1]
    tick = next(e for e in svg.iter() if e.get("class") == "tick left" and e.text == "100")
    assert math.isclose(float(tick.get("y")) - 4, (one[0][1] + one[1][1]) / 2, abs_tol=0.2)


def test_curves_look_different_and_the_legend_says_which_is_which():
    number = COLOURS * DASHES
    assert number >= 28
    found = [[(1.0, 1.0), (2.0, float(k + 1))] for k in range(number)]
    figure = parsed(plot(record(found, log=False)))
    looks = [e.get("class") for e in figure.find("svg").iter("polyline")]
    assert len(set(looks)) == number
    legend = figure.findall(".//ul[@class='keys']/li")
    assert [item.find("svg/path").get("class") for item in legend] == looks
    assert ["".join(item.itertext()).strip() for item in legend] == [
        f"layer {k}" for k in range(number)
    ]


def test_numbers_of_svg_are_numbers_and_nothing_is_placed_by_attributes_that_styles_beat():
    drawn = plot(record([[(1e-9, -1e-9), (5e-8, 2e-7)]], log=False))
    assert not re.search(r'd[xy]="[^"]*−', drawn)
    assert "text-anchor" not in drawn
    assert "10⁻⁸" in drawn


def test_texts_are_escaped():
    text = plot(record([[(1.0, 1.0)]], log=False))
    assert "&lt;1&gt;" in text
    assert not re.search("<1>", text)


def test_less_than_a_decade_has_ticks_too():
    svg = parsed(plot(record([[(0.15, 3.0), (0.8, 4.0)]], log=True))).find("svg")
    ticks = [e.text for e in svg.iter() if (e.get("class") or "").startswith("tick")]
    assert {"0.2", "0.5", "5"} & set(ticks) == {"0.2", "0.5"}  # 5 lies outside
