"""The pages of the documentation: they are made, their links lead somewhere, nothing is fetched,
and what they tell somebody to do can be done.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import lemmata
from lemmata.commands import COMMANDS
from lemmata.main import parser
from tests.documents import FAILS, Reader, commands_in
from tests.repository import ROOT, texts
from verify.runs.tasks import AFTERWARDS, METHODS

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
    methods = (pages / "reference/methods.html").read_text(encoding="utf-8")
    assert [name for name in (*METHODS, *AFTERWARDS) if f"<h2>{name}<" not in methods] == []
    benchmarks = (pages / "reference/benchmarks.html").read_text(encoding="utf-8")
    assert "python -m benchmarks.flows [--quick]" in benchmarks


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text('extensions = ["myst_parser"]\n')
    (tmp_path / "index.md").write_text("# A page\n\n[another](another.md)\n")
    out = str(tmp_path / "out")
    command = (sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", str(tmp_path), out)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "another.md" in done.stderr


# what they tell somebody to do --------------------------------------------------------------------
PAGES = {str(path): text for path, text in texts().items() if path.suffix == ".md"}
ELSEWHERE = {"docs/how-to/cluster.md"}  # asks for a cluster
HOW_TO = sorted({name for name in PAGES if name.startswith("docs/how-to/")} - ELSEWHERE)
INSTEAD = {"docs/how-to/gpu.md": {"--device cuda --workers 2": "--device cpu --workers 1"}}


@pytest.mark.parametrize("name", ["README.md", "docs/explanation.md", *HOW_TO])
def test_a_page_can_be_followed(name: str, tmp_path: Path) -> None:
    assert Reader(tmp_path).follow(PAGES[name], INSTEAD.get(name)) >= 3


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("```sh\nfalse\n```\n", "false: 1"),
        ("```sh\ntrue # exits with 1\n```\n", "true # exits with 1: 0"),
        ("```sh\necho a; echo b\n```\n\n```text\nb\na\n```\n", "not printed here:\na"),
        ("```sh\necho abc\n```\n\n```text\nab\n```\n", "not printed here:\nab"),
        ("In `a/b.txt`:\n\n```toml\nx\n```\n\n```sh\ngrep y a/b.txt\n```\n", "grep y a/b.txt: 1"),
        ("```sh\nlemmata list -k zz99\n```\n", "lemmata list -k zz99: 5"),
        ("```sh\nlemmata --version\n```\n\n```text\nlemmata\n```\n", "not printed here:\nlemmata"),
        ("```yaml\nuses: nothing\n```\n", "of no file"),
    ],
)
def test_a_page_that_is_wrong_cannot(page: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError) as caught:
        Reader(tmp_path).follow(page)
    assert told in str(caught.value)


def test_commands_of_all_pages_are_understood() -> None:
    targets = set(re.findall(r"^(\w+):", texts()[Path("Makefile")], re.MULTILINE))
    lines = [FAILS.sub("", line) for text in PAGES.values() for line in commands_in(text)]
    words = [shlex.split(re.sub(r"^eval .*|^\w+=\S* ", "", line)) for line in lines]
    typed = [line[1:] for line in words if line and line[0].endswith("lemmata")]
    assert {line[0] for line in typed} >= {"run", "check", "show", "baseline", "diff", "repro"}
    for line in typed:
        try:
            parser().parse_args(line)
        except SystemExit:
            pytest.fail(f"not understood: lemmata {' '.join(line)}")
    made = {line[1] for line in words if line and line[0] == "make"}
    assert {"verify", "test"} <= made <= targets


def test_the_example_of_the_explanation_is_as_the_baseline_says() -> None:
    page = PAGES["docs/explanation.md"]
    power = json.loads(texts()[Path("claims.lock.json")])["claims"]["lj22.lemma11-74.fix"]["power"]
    assert f"{power['killed']} of {power['mutants']} changed statements were refuted" in page
    kept = json.loads(texts()[Path("verify/papers/lj22/exhibits.json")])["exhibits"]
    arrays = kept["lj22.lemma11-74"]["certificate"]["case"]["arrays"]
    assert [arrays[name]["entries"] for name in "UY"] == [[["1"]], [["1/2"]]]
    assert "$U=1$ and $Y=\\frac12$" in page
