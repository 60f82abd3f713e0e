"""The worked example of CI (examples/ci), run as the action does, on a push and on a change."""

import os
import re
import shutil
import subprocess
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from lemmata.config import configured
from tests.documents import TOOLS
from tests.repository import ROOT

EXAMPLE = ROOT / "examples/ci"


class Runner:
    """As much of GitHub's runner as the action meets."""

    def __init__(self, folder: Path) -> None:
        self.workspace = folder / "workspace"
        shutil.copytree(EXAMPLE, self.workspace / "paper", ignore=lambda *_: {".lemmata", "build"})
        self.tools = folder / "bin"
        self.tools.mkdir()
        command = self.tools / "lemmata"
        command.write_text(TOOLS["lemmata"])
        command.chmod(0o755)
        self.files = folder / "files"
        self.files.mkdir()
        self.claims = self.workspace / "paper/claims.py"

    def __call__(self, name: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "PYTEST_"))},
            "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "CI": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_STEP_SUMMARY": str(self.files / f"{name}.md"),
            "GITHUB_OUTPUT": str(self.files / f"{name}.out"),
            "FOLDER": "paper",
            "ARGUMENTS": "--workers 1",
            "REPORTS": "build/lemmata",
        }
        words = ("bash", str(ROOT / ".ci/claims"))
        return subprocess.run(
            words, cwd=self.workspace, env=environment, capture_output=True, text=True, check=False
        )

    def summary(self, name: str) -> str:
        return (self.files / f"{name}.md").read_text(encoding="utf-8")

    def outcomes(self) -> dict[str, str]:
        """What JUnit says of each statement."""
        cases = ET.parse(self.workspace / "paper/build/lemmata/junit.xml").iter("testcase")
        found = {case.get("name"): [e.tag for e in case if e.tag != "system-out"] for case in cases}
        return {name: (tags or ["passed"])[0] for name, tags in found.items() if "toy" in name}


@pytest.fixture(scope="module")
def runner(tmp_path_factory) -> Runner:
    return Runner(tmp_path_factory.mktemp("ci"))


def test_a_push_passes_although_a_claim_is_false_as_that_is_known(runner):
    done = runner("push")
    assert done.returncode == 0, done.stderr + done.stdout
    assert "Against the baseline: nothing changed." in done.stdout
    commands = [line for line in done.stdout.splitlines() if line.startswith("::")]
    said = "2 statements: 1 false as printed, 1 true"
    assert commands == [f"::notice title=Lemmata::{said}"]
    assert "All is as the baseline says." in runner.summary("push")
    assert runner.outcomes() == {"toy.means": "passed", "toy.rank": "passed"}
    output = (runner.files / "push.out").read_text()
    assert output == "reports=paper/build/lemmata\ncode=0\n"
    reports = {path.name for path in (runner.workspace / "paper/build/lemmata").iterdir()}
    assert {"report.html", "run.json", "junit.xml", "summary.md", "certificates"} <= reports


def test_a_change_fails_at_its_line(runner):
    text = runner.claims.read_text()
    line_of_it = next(n for n, x in enumerate(text.splitlines(), 1) if '"toy.rank"' in x)
    runner.claims.write_text(text.replace("rank(A @ B) == rank(A)", "rank(A @ B) <= rank(A)"))
    done = runner("change")
    assert done.returncode == 1, done.stderr + done.stdout
    errors = [line for line in done.stdout.splitlines() if line.startswith("::error ")]
    (error,) = (line for line in errors if f",line={line_of_it}," in line)
    assert error.startswith("::error file=paper/claims.py,")
    assert ",title=toy.rank%3A not as the baseline says::" in error
    assert "toy.rank: false as printed → nothing against it%0A" in error
    assert "| headline | `toy.rank` | false as printed → " in runner.summary("change")
    # a proof counts with the file in which it stands
    assert runner.outcomes() == {"toy.means": "failure", "toy.rank": "failure"}
    assert (runner.files / "change.out").read_text().endswith("code=1\n")


# the files ---------------------------------------------------------------------------------------
def test_the_table_of_the_example_is_one():
    tables = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(tables["tool"]) == {"lemmata"}
    run = configured(EXAMPLE)["run"]
    assert [Path(run["files"][0]).resolve(), Path(run["baseline"]).resolve()] == [
        EXAMPLE / "claims.py",
        EXAMPLE / "claims.lock.json",
    ]


def test_the_action_hands_every_input_to_its_scripts_as_a_variable():
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    inputs = re.findall(r"^  (\w+):$", text.split("outputs:")[0], re.MULTILINE)
    assert inputs == ["folder", "arguments", "reports", "pip"]
    assert sorted(re.findall(r"^ +\w+: \$\{\{ inputs\.(\w+) \}\}$", text, re.MULTILINE)) == sorted(
        inputs
    )
    scripts = re.findall(r"^ +run: (?:\|\n((?: {8,}.*\n)+)|(.*))", text, re.MULTILINE)
    assert len(scripts) == 2
    assert "${{" not in "".join("".join(script) for script in scripts)
    used = set(re.findall(r"\$\{?([A-Z_]+)", (ROOT / ".ci/claims").read_text(encoding="utf-8")))
    given = set(re.findall(r"^ {8}([A-Z]+): ", text, re.MULTILINE))
    assert used - {"GITHUB_OUTPUT", "BASH_SOURCE"} <= given


def test_the_workflow_uses_inputs_and_outputs_that_the_action_has():
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    workflow = (EXAMPLE / "claims.yml").read_text(encoding="utf-8")
    for name in re.findall(r"steps\.lemmata\.outputs\.(\w+)", workflow):
        assert re.search(rf"^  {name}:$", action.split("outputs:")[1], re.MULTILINE)
    assert "folder:" in workflow.split("uses: OWNER/lemmata@TAG")[1]
