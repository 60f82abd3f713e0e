"""What holds for every file: size, what it may name, reasons for suppressions, pins, links."""

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.repository import HOUSE, ROOT, house_sources, texts, tracked_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LICENCES = {Path("LICENSE")}  # a licence is quoted as it stands

# Names that look like addresses and are none: nothing is ever fetched from them.
IDENTIFIERS = (
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1999/xlink",
    "http://www.w3.org/2001/XMLSchema-instance",
    "http://graphml.graphdrawing.org/xmlns",
    "https://json-schema.org/draft/2020-12/schema",
    "https://doi.org/10.",
)
# A machine that the user names, and the user's own, in examples of clusters.
OWN = re.compile(r"(?:(?:dask|tcp|tls)://)?(?:HOST:PORT|127\.0\.0\.1(?::\w+)?(?![\w.]))")
ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]*://[^\s\"'<>)]+"
    r"|\bwww\.[a-z0-9-]+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|org|edu|gov)\b"
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])",
    re.IGNORECASE,
)
OUTSIDE_PATH = re.compile(r"(?<![\w.$}*])/(?:work|root|home|opt|Users)/[\w.]")
UP_PATH = re.compile(r"(?<![\w./])(?:\.\./)+[\w.-][\w./-]*")
NAMED_DOCUMENT = re.compile(r"\b[A-Z]{4,}\.md\b")


def addresses(text: str) -> list[str]:
    """Network addresses and host names in a text."""
    for identifier in IDENTIFIERS:
        text = text.replace(identifier, "")
    return ADDRESS.findall(OWN.sub("", text))


def outside_references(path: Path, text: str) -> list[str]:
    """Files that a public clone does not have."""
    found = OUTSIDE_PATH.findall(text)
    for up in UP_PATH.findall(text):
        target = (ROOT / path.parent / up).resolve()
        if ROOT not in target.parents or not target.exists():
            found.append(up)
    documents = {name.name for name in tracked_files()}
    return found + [name for name in NAMED_DOCUMENT.findall(text) if name not in documents]


def test_no_network_address():
    found = {str(p): addresses(text) for p, text in texts().items() if p not in LICENCES}
    assert {p: hits for p, hits in found.items() if hits} == {}


def test_nothing_refers_to_what_a_clone_lacks():
    found = {str(p): outside_references(p, text) for p, text in texts().items()}
    assert {p: hits for p, hits in found.items() if hits} == {}


def test_the_scans_see_what_they_forbid():
    # written in pieces, or they would be found here
    assert addresses("see https:" + "//host.example/x, or www" + ".host or a.b" + ".org")
    assert len(addresses("10.0" + ".0.1 and pypi" + ".org")) == 2
    assert addresses('xmlns="http://www.w3.org/2000/svg" doi 10.1/2 torch 2.13.0.') == []
    assert outside_references(Path("docs/a.md"), "see .." + "/.." + "/elsewhere/x.md")
    assert outside_references(Path("a.py"), "open('/wo" + "rk/x')")
    assert outside_references(Path("a.py"), "as PLANS" + ".md says")
    assert outside_references(Path("docs/a.md"), "[read](../README.md), README.md, a/b, ..") == []


def test_files_are_small():
    sizes = {str(p): (ROOT / p).stat().st_size for p in tracked_files()}
    assert {p: size for p, size in sizes.items() if size > 1_000_000} == {}


# suppressions --------------------------------------------------------------------------------
MARKERS = re.compile(
    r"#\s*(?:noqa(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*)?|type:\s*ignore(?:\[[\w, -]+\])?"
    r"|pragma:\s*no cover|fmt:\s*(?:off|skip)|mypy:\s*[\w-]+|ruff:\s*noqa\S*)(?P<rest>.*)$"
)
QUIETENERS = {"filterwarnings", "simplefilter", "suppress_health_check"}
PYTEST_SKIPS = {"skip", "skipif", "xfail", "importorskip"}
SUSPECT = re.compile("noqa|ignore|pragma|fmt:|mypy:|" + "|".join(QUIETENERS | PYTEST_SKIPS))


def unreasoned(source: str) -> list[int]:
    """The lines that suppress a check, a warning or a test and do not say why."""
    if not SUSPECT.search(source):
        return []
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    comments = {t.start[0]: t.string for t in tokens if t.type == tokenize.COMMENT}
    lines = []
    for line, comment in comments.items():
        marker = MARKERS.match(comment)
        if marker and len(re.findall(r"\w+", marker["rest"])) < 2:
            lines.append(line)
    for token in tokens:
        quiets = token.type == tokenize.NAME and token.string in QUIETENERS
        if quiets and token.start[0] not in comments:
            lines.append(token.start[0])
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        target = ast.unparse(call.func)
        if target.startswith("pytest.") and target.rpartition(".")[2] in PYTEST_SKIPS:
            reasons = [k.value for k in call.keywords if k.arg == "reason"]
            if target == "pytest.skip":
                reasons += call.args
            if not reasons:
                lines.append(call.lineno)
    return sorted(lines)


def test_suppressions_carry_their_reason():
    found = {str(p): unreasoned(text) for p, text in texts().items() if p.suffix == ".py"}
    assert {p: lines for p, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        ("import os  # noqa: F401", False),
        ("import os  # noqa: F401 - kept for its side effect", True),
        ("x = f()  # type: ignore[misc]", False),
        ("x = f()  # type: ignore[misc]  # the stub is wrong", True),
        ("pytest.mark.skip()", False),
        ("pytest.mark.skip(reason='no CUDA device')", True),
        ("warnings.simplefilter('ignore')", False),
        ("warnings.simplefilter('ignore')  # overflow is the point here", True),
    ],
)
def test_a_suppression_without_reason_is_seen(line, fine):
    assert (unreasoned(line + "\n") == []) is fine


def test_settings_of_the_linters_carry_their_reason():
    text = texts()[Path("pyproject.toml")]
    table = re.search(r"^ignore = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    per_file = re.search(r"per-file-ignores\]\n(.*?)(?:\n\n|\Z)", text, re.DOTALL)
    assert table is not None
    assert per_file is not None
    lines = (table[1] + per_file[1]).splitlines()
    assert [line for line in lines if line.strip() and "#" not in line] == []


# packaging -----------------------------------------------------------------------------------
def pins() -> dict[str, str]:
    """Version by distribution, from constraints.txt. Raises AssertionError if one is not exact."""
    found = {}
    for line in texts()[Path("constraints.txt")].splitlines():
        if line and not line.startswith("#"):
            name, equal, version = line.partition("==")
            assert equal, f"not an exact pin: {line}"
            found[name] = version
    return found


def test_every_requirement_is_pinned_within_its_range():
    project = PROJECT["project"]
    wanted = project["dependencies"] + PROJECT["build-system"]["requires"]
    for extra in project["optional-dependencies"].values():
        wanted = wanted + extra
    assert len(wanted) > 10
    pinned = pins()
    for requirement in map(Requirement, wanted):
        assert pinned[requirement.name] in requirement.specifier, requirement


def test_every_folder_of_the_house_is_a_package():
    folders = {path.parent for path in house_sources()}
    assert {folder.parts[0] for folder in folders} == set(HOUSE)
    missing = [str(f) for f in folders if f / "__init__.py" not in house_sources()]
    assert missing == []


def test_data_files_are_packaged():
    kinds = set(PROJECT["tool"]["setuptools"]["package-data"]["*"])
    data = [p for p in tracked_files() if p.parts[0] in HOUSE and p.suffix != ".py"]
    assert Path("verify/papers/lj22/ledger.toml") in data
    assert [str(p) for p in data if f"*{p.suffix}" not in kinds] == []


# documents -----------------------------------------------------------------------------------
@pytest.mark.parametrize("path", [p for p in texts() if p.suffix == ".md"], ids=str)
def test_links_of_documents_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#\s]+)", texts()[path])
    assert [link for link in links if not (ROOT / path.parent / link).exists()] == []


def test_changelog_has_the_version():
    version = re.escape(PROJECT["project"]["version"])
    entry = re.search(rf"^## {version}\b.*\n+(.+)", texts()[Path("CHANGELOG.md")], re.MULTILINE)
    assert entry, f"CHANGELOG.md has no entry for {version}"


def test_hypothesis_profiles_do_not_depend_on_the_machine():
    code = (
        "import tests.conftest; from hypothesis import settings;"
        "print([repr(settings.get_profile(name)) for name in ('dev', 'ci')])"
    )
    seen = []
    for value in ("", "true"):
        environment = {k: v for k, v in os.environ.items() if k != "CI"}
        environment |= {"CI": value} if value else {}
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seen.append(done.stdout)
    assert seen[0] == seen[1]
    dev, ci = ast.literal_eval(seen[0])
    assert "derandomize=True" in ci
    assert "database=None" in ci
    assert "deadline=None" in ci
    assert "derandomize=False" in dev
