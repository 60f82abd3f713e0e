"""The planted breaks: each is a place that is there, and its tests are."""

from collections import Counter

from benchmarks.broken_places import places
from tests.repository import ROOT

LISTED = places()


def test_every_place_is_there_exactly_once_and_so_are_its_tests() -> None:
    texts = {place.file: (ROOT / place.file).read_text(encoding="utf-8") for place in LISTED}
    assert [p for p in LISTED if texts[p.file].count(p.old) != 1 or p.old == p.new] == []
    named = {test for place in LISTED for test in place.tests}
    assert {test for test in named if not (ROOT / test).exists()} == set()
    assert all(place.tests for place in LISTED)


def test_a_broken_file_is_python() -> None:
    for place in LISTED:
        text = (ROOT / place.file).read_text(encoding="utf-8")
        compile(text.replace(place.old, place.new), place.file, "exec")


def test_there_are_fifty_of_them_from_all_over_the_tree() -> None:
    assert len(LISTED) >= 50
    assert len({(place.file, place.old) for place in LISTED}) == len(LISTED)
    folders = Counter("/".join(place.file.split("/")[:2]) for place in LISTED)
    house = ("cases", "checker", "core", "kinds", "language", "methods", "papers", "rocq", "runs")
    wanted = {f"verify/{name}" for name in (*house, "search")}
    wanted |= {f"numerics/{name}" for name in ("chains", "curvature", "flow")}
    assert wanted <= set(folders)
    floors = {place.file.split("/")[0] for place in LISTED}
    assert floors == {"graphs", "numerics", "verify", "reports", "lemmata"}
