"""The wheel is the one package `lemmata`: what of the repository's layout is named anew in it.

That it is built, installs and works is a step of .ci/run.
"""

import re
import runpy

import pytest

from tests.repository import HOUSE, ROOT, house_sources
from tests.test_house import imported
from verify.core import code_hashes
from verify.core.code_hashes import as_in_the_repository

LAYOUT = runpy.run_path(str(ROOT / "setup.py"), run_name="layout")
RENAMED = {path: LAYOUT["renamed"](source) for path, source in house_sources().items()}


def test_nothing_in_the_wheel_is_imported_by_a_name_of_the_repository():
    assert {*LAYOUT["WITHIN"], "lemmata"} == set(HOUSE)
    left = {str(path): imported(source) & set(LAYOUT["WITHIN"]) for path, source in RENAMED.items()}
    assert {path: names for path, names in left.items() if names} == {}
    named = re.compile(rf"(?:files|import_module)\(f?\"(?:{'|'.join(HOUSE)})\b")
    assert [str(path) for path, source in RENAMED.items() if named.search(source)] == []


def test_the_forms_of_imports_are_seen():
    source = "from graphs import a\n    from verify.core.b import c\nfrom verifying import d\n"
    assert LAYOUT["renamed"](source) == (
        "from lemmata.graphs import a\n    from lemmata.verify.core.b import c\n"
        "from verifying import d\n"
    )


def test_code_has_the_hash_that_it_has_in_the_repository(monkeypatch):
    assert code_hashes.WITHIN == ""
    monkeypatch.setattr(code_hashes, "WITHIN", "lemmata.")
    changed = [path for path, source in house_sources().items() if RENAMED[path] != source]
    assert len(changed) > 100
    for path in changed:
        assert as_in_the_repository(RENAMED[path]) == house_sources()[path], path


@pytest.mark.parametrize("name", LAYOUT["BESIDES"])
def test_what_is_brought_is_there(name):
    assert (ROOT / name).exists()
