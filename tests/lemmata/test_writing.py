"""What a run writes: reports, certificates, and what is refused or cannot be written."""

import errno
import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lemmata.errors import UsageError
from lemmata.writing import CERTIFICATE, parse_outputs, places, write_outputs
from reports.github import SUMMARY
from reports.json_report import RecordError, load, validate
from tests.reports.sample_statements import claim as claim_row
from tests.verify.certificates import STATED
from tests.verify.runs.cheap_methods import CheapMethods
from verify.core.evidence import Outcome
from verify.papers.registry import all_claims, find

UP = ".."
QUICK = ("--budget", "smoke", "--workers", "1")


@pytest.fixture
def cheap(cheap) -> CheapMethods:
    """Of which one refutes."""
    cheap.outcomes["lj22.risk"] = Outcome.REFUTES
    cheap.certificates["lj22.risk"] = STATED["risk"]
    return cheap


# what is parsed --------------------------------------------------------------------------------
names = st.text("abc/._- ", min_size=1, max_size=8)


@given(html=names.map(lambda name: f"{name}.html"), data=names.map(lambda name: f"{name}.json"))
def test_outputs_are_parsed_in_any_order(html, data):
    for parts in permutations([f"html={html}", f"json={data}"]):
        found = parse_outputs(",".join(parts))
        assert found == {"html": Path(html), "json": Path(data)}
        assert list(found) == [part[:4] for part in parts]
    assert parse_outputs("") == {}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "pdf=x",
            "html",
            "html=",
            "=x",
            "HTML=x",
            "json=a,json=b",
            "html=a,json=a",
            "html=a,what",
        ),
        *("html=a,what", "github=x", "github,github", "md", "junit="),
    ],
)
def test_outputs_that_cannot_be_are_refused_by_name(text):
    with pytest.raises(UsageError, match="--output '") as caught:
        parse_outputs(text)
    assert "give one file for each" in str(caught.value) or "html=FILE" in str(caught.value)


# run and report: what is written -----------------------------------------------------------------
def test_the_record_that_is_written_is_what_the_table_shows(lemmata, cheap, tmp_path):
    called = lemmata("run", "lj22.risk", "lj22.lemma3", *QUICK, "--output", "json=out/run.json")
    assert called.code == 0
    record = load(tmp_path / "out/run.json")
    validate(record)
    ids = [claim["id"] for claim in record["claims"]]
    assert ids == ["lj22.risk", "lj22.risk.fix", "lj22.lemma3@A", "lj22.lemma3@B"]
    for claim in record["claims"]:
        (line,) = (
            line
            for line in called.out.splitlines()
            if f" {claim['id']}: " in f"{line} " or f" {claim['id']}, " in line
        )
        assert f": {claim['verdict']}: " in line
    assert str(tmp_path / "out/run.json") in called.err


def test_certificates_go_beside_the_first_report_and_commands_find_them(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.risk", *QUICK, "--output", "html=out/a/r.html,json=out/b/r.json")
    path = tmp_path / "out/a/certificates/lj22.risk.json"
    assert json.loads(path.read_text()) == STATED["risk"]
    assert not (tmp_path / "out/b/certificates").exists()
    claim = load(tmp_path / "out/b/r.json")["claims"][0]
    assert claim["command"] == "lemmata repro out/a/certificates/lj22.risk.json"
    text = (tmp_path / "out/a/r.html").read_text(encoding="utf-8")
    assert "lemmata repro certificates/lj22.risk.json" in text  # from where the report lies
    called = lemmata(*claim["command"].split()[1:])
    assert called.code == 0
    assert called.out.startswith("accepted: counterexample to the registered statement lj22.risk")


def test_without_output_nothing_but_the_journal_is_written(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.risk", *QUICK)
    assert [path.name for path in tmp_path.iterdir()] == [".lemmata"]


@pytest.mark.parametrize("differs", [False, True])
def test_outputs_never_change_the_exit_code(lemmata, cheap, differs):
    lemmata("baseline", *QUICK)
    if differs:
        cheap.outcomes["lj22.risk"] = Outcome.SUPPORTS
    words = ["run", "lj22.risk", "--fresh", "--baseline", "claims.lock.json", *QUICK]
    seen = []
    for outputs in ("", "html=r.html", "json=r.json", "html=r.html,json=r.json,junit=j,md=m"):
        called = lemmata(*words, "--output", outputs)
        seen.append((called.code, called.out))
    assert len(set(seen)) == 1
    assert seen[0][0] == int(differs)


def test_findings_are_shown_even_where_they_cannot_be_written(
    lemmata, cheap, tmp_path, monkeypatch
):
    monkeypatch.setattr("lemmata.writing.check_writable", lambda path: None)  # a disk fills later
    (tmp_path / "file").write_text("")
    called = lemmata("run", "lj22.risk", *QUICK, "--output", "json=file/run.json")
    assert called.code == 4
    assert "lj22.risk" in called.out
    assert "file" in called.err.splitlines()[-1]


@pytest.mark.parametrize("kind", ["html", "json"])
def test_a_full_disk_keeps_the_other_report_and_the_old_one(
    lemmata, cheap, tmp_path, monkeypatch, kind
):
    words = ["run", "lj22.gflow", *QUICK, "--output", "html=r.html,json=r.json"]
    assert lemmata(*words).code == 0
    before = {name: (tmp_path / name).read_bytes() for name in ("r.html", "r.json")}
    real = Path.replace

    def full(draft, target):
        if f"r.{kind}" in str(target):
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        return real(draft, target)

    monkeypatch.setattr(Path, "replace", full)
    called = lemmata(*words)
    assert called.code == 3
    assert "lj22.gflow" in called.out
    assert re.search(rf"lemmata: \S*r\.{kind}: No space left on device: make room", called.err)
    assert (tmp_path / f"r.{kind}").read_bytes() == before[f"r.{kind}"]
    other = "json" if kind == "html" else "html"
    assert f"{other}: {tmp_path / f'r.{other}'}" in called.err
    assert [path.name for path in tmp_path.iterdir() if "tmp" in path.name] == []


@pytest.mark.parametrize(
    "file",
    [
        "/tmp/evil.json",
        f"{UP}/evil.json",
        f"certificates/{UP}/{UP}/evil.json",
        "certificates/a/b.json",
        "certificates/..json",
        "certificates/evil",
        "certificates/a.json\n",
        "certificates\\evil.json",
        "",
    ],
)
def test_a_certificate_stays_in_the_folder_of_the_report(lemmata, tmp_path, file):
    row = claim_row("lj22.risk", "refuted", certificate=STATED["risk"], certificate_file=file)
    with pytest.raises(RecordError, match=r"certificates/NAME\.json") as caught:
        write_outputs({"claims": [row]}, {"json": tmp_path / "in" / "r.json"})
    assert "lj22.risk" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_every_claim_has_a_name_that_a_certificate_can_have():
    for row in all_claims():
        assert CERTIFICATE.fullmatch(f"certificates/{row.id}.json")
        assert ".." not in row.id


def test_reports_are_written_before_anything_is_shown(lemmata, cheap, tmp_path, monkeypatch):
    def no_terminal(*_, **__):
        raise RuntimeError("nobody reads it")

    monkeypatch.setattr("reports.text.render", no_terminal)
    assert lemmata("run", "lj22.risk", *QUICK, "--output", "json=r.json").code == 3
    assert load(tmp_path / "r.json")["run"]["budget"] == "smoke"


def test_a_report_from_a_record_is_that_of_the_run(lemmata, cheap, tmp_path):
    ran = lemmata("run", "lj22.risk", *QUICK, "--output", "html=r.html,json=r.json")
    reported = lemmata("report", "r.json", "--output", "html=again.html,json=again.json")
    assert reported.code == 0
    assert reported.out == ran.out
    again = (tmp_path / "again.html").read_bytes().replace(b"again", b"r")  # the name of its folder
    assert again == (tmp_path / "r.html").read_bytes().replace(b"again", b"r")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "r.json").read_bytes()


def test_a_report_of_a_void_run_says_so_and_is_fine(lemmata, cheap):
    cheap.outcomes["control.true"] = Outcome.REFUTES
    assert lemmata("run", "lj22.risk", *QUICK, "--output", "json=r.json").code == 1
    called = lemmata("report", "r.json")
    assert called.code == 0  # it reports, it does not judge
    assert "THIS RUN IS VOID" in called.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "{}",
            "record.json is not a run's record: the run record: 'format' is a required property",
        ),
        ("{", "record.json is not JSON"),
        ("", "record.json is not JSON"),
        ("NaN", "record.json holds NaN"),
        (json.dumps(STATED["risk"]), "record.json is not a run's record"),
    ],
)
def test_another_file_is_no_record(lemmata, tmp_path, text, told):
    (tmp_path / "record.json").write_text(text)
    assert told in lemmata.refused("report", "record.json")


# all kinds in one run ----------------------------------------------------------------------------
EVERY = ("html=r.html", "json=r.json", "junit=r.xml", "md=r.md", "github")


@pytest.mark.parametrize("words", [EVERY, (",".join(EVERY),)], ids=["apart", "by commas"])
def test_every_kind_is_written_in_one_run(lemmata, cheap, tmp_path, monkeypatch, words):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    called = lemmata("run", "lj22.risk", *QUICK, "--output", *words)
    assert called.code == 0, called
    assert 'name="lj22.risk"' in (tmp_path / "r.xml").read_text(encoding="utf-8")
    assert "`lj22.risk`" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert summary.read_text(encoding="utf-8") == "before\n" + (tmp_path / "r.md").read_text()
    assert called.out.splitlines()[-1].startswith("::notice title=Lemmata::1 statements: ")
    again = lemmata("report", "r.json", "--output", "junit=again.xml")
    assert again.code == 0
    assert (tmp_path / "again.xml").read_text() == (tmp_path / "r.xml").read_text()


def test_a_summary_stays_within_what_a_step_may_show(lemmata, cheap, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_text("x" * (SUMMARY - 200))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert lemmata("run", "lj22.risk", *QUICK, "--output", "github").code == 0
    assert SUMMARY - 200 < summary.stat().st_size <= SUMMARY
    assert summary.read_text(encoding="utf-8").endswith("more lines have no room here.\n")


def test_without_a_summary_there_are_annotations_alone(lemmata, cheap, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    cheap.outcomes["lj22.risk"] = Outcome.ERROR
    called = lemmata("run", "lj22.risk", *QUICK, "--output", "github")
    assert called.code == 1
    assert "::error title=lj22.risk%3A a check broke::lj22.risk: " in called.out
    assert "GITHUB_STEP_SUMMARY is not set" in called.err


def test_claims_are_told_with_file_and_line(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    package = tmp_path / "paper"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "lemmas.py").write_text("x = 1\nclaim('p.a.fix', x)\nclaim('p.a', x)\n")
    (tmp_path / "own.py").write_text('claim(\n    "q.b",\n)\n')
    row = find("lj22.risk")
    stated = [("p.a", package), ("p.a.fix", package), ("p.made", package), ("q.b", "own.py")]
    claims = [
        replace(row, id=name, source=replace(row.source, file=str(tmp_path / file)))
        for name, file in stated
    ]
    assert places(claims) == {
        "p.a": ("paper/lemmas.py", 3),
        "p.a.fix": ("paper/lemmas.py", 2),
        "p.made": ("paper", 1),
        "q.b": ("own.py", 2),
    }
