"""The pages of the documentation: they are made, their links lead somewhere, nothing is fetched."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import lemmata
from lemmata.commands import COMMANDS
from tests.repository import ROOT

FETCHED = re.compile(r'<(?:script|link|img)[^>]*(?:src|href)="(?:https?:)?//')


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which they are made; a link that leads nowhere is an error there."""
    folder = tmp_path_factory.mktemp("pages")
    command = (sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "docs", str(folder))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_there_and_fetches_nothing(pages: Path) -> None:
    written = {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")}
    made = {str(p.relative_to(pages).with_suffix(".md")) for p in pages.rglob("*.html")}
    assert written <= made
    for page in pages.rglob("*.html"):
        assert not FETCHED.search(page.read_text(encoding="utf-8")), page.name


def test_formulas_are_typeset(pages: Path) -> None:
    text = (pages / "mathematics/lj22.html").read_text(encoding="utf-8")
    assert text.count("<math ") > 100
    assert "$" not in re.sub(r"<(math|script|code|pre)\b.*?</\1>", "", text, flags=re.DOTALL)


def test_the_reference_has_every_command_and_every_public_name(pages: Path) -> None:
    commands = (pages / "reference/commands.html").read_text(encoding="utf-8")
    names = (pages / "reference/names.html").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"<h2>lemmata {name}<" not in commands] == []
    assert [name for name in lemmata.public_names() if f"<h2>{name}<" not in names] == []


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser"]\n')
    (tmp_path / "index.md").write_text("# A page\n\n[another](another.md)\n")
    out = str(tmp_path / "out")
    command = (sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", str(tmp_path), out)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "another.md" in done.stderr
