"""The command `draw`."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from graphs.families import fully_connected
from tests.graphs.written import dump
from tests.lemmata.test_networks import write


def test_in_the_terminal(lemmata):
    called = lemmata("draw", write())
    assert (called.code, called.err) == (0, "")
    assert "  h  relu  ← x1 · a = 1/2, x2 · b = −1\n" in called.out


def test_as_svg_and_as_a_page(lemmata):
    name = write()
    assert lemmata("draw", name, "--output", "net.svg").out == "drawn: net.svg\n"
    root = ElementTree.parse("net.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall("{*}rect")) == 4
    weights = ["".join(text.itertext()) for text in root.findall("{*}text[@class='w']")]
    assert sorted(weights) == ["1/2", "3", "−1"]
    assert lemmata("draw", name, "--output", "net.html").code == 0
    page = Path("net.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 1
    assert "<h1>one neuron (4 vertices, 3 edges, 3 parameters)</h1>" in page


def test_what_a_report_leaves_out_is_drawn_in_a_file_of_its_own(lemmata):
    dump(fully_connected([4, 6, 6, 2]), None, Path("net.json"))
    assert lemmata("draw", "net.json", "--output", "net.svg").code == 0
    assert len(ElementTree.parse("net.svg").findall("{*}rect")) == 18


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("net.png", "--output net.png: give a name in .svg or .html"),
        ("net.json/x.svg", "choose another file"),
        ("net.svg", "too large for a picture of at most 60 vertices and 150 edges"),
    ],
)
def test_what_cannot_be_drawn(lemmata, target, told):
    dump(fully_connected([10, 20, 1]), None, Path("net.json"))
    assert told in lemmata.refused("draw", "net.json", "--output", target)
