"""The baseline: what is written is read, and a difference in either direction is found."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.runs import baseline
from verify.runs.baseline import BaselineError, VoidRunError, differences, lock

VERDICTS = ("refuted", "supported", "proved", "inconclusive", "error")
NAMES = ("lj22.risk", "lj22.gflow", "lj22.lemma3@A", "lj22.lemma3@B", "lj22.def1")

verdict_maps = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VERDICTS))


def record_of(verdicts, *, void_reasons=(), budget="ci", worst=None):
    """As much of a run's record as the baseline reads."""
    return {
        "run": {"budget": budget, "void": bool(void_reasons), "void_reasons": list(void_reasons)},
        "claims": [
            {"id": name, "verdict": verdict, "scope": f"ν of {name}", "worst": worst, "code": "0a"}
            for name, verdict in verdicts.items()
        ],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("baselines")


@given(verdicts=verdict_maps, worst=st.none() | st.text(max_size=9))
def test_what_is_written_is_read(folder, verdicts, worst):
    record = record_of(verdicts, worst=worst)
    path = folder / "claims.lock.json"
    baseline.write(record, path)
    assert baseline.read(path) == lock(record)
    assert baseline.read(path)["claims"] == {
        name: {"verdict": verdict, "scope": f"ν of {name}", "worst": worst, "code": "0a"}
        for name, verdict in verdicts.items()
    }
    assert baseline.read(path)["budget"] == "ci"


@given(verdicts=verdict_maps)
def test_the_file_does_not_depend_on_the_order_of_the_run(folder, verdicts):
    one, other = folder / "one.json", folder / "other.json"
    baseline.write(record_of(verdicts), one)
    baseline.write(record_of(dict(reversed(verdicts.items()))), other)
    text = one.read_text(encoding="utf-8")
    assert text == other.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert len(text.splitlines()) > 4 * len(verdicts)  # one fact a line: a change is one line


@given(verdict_maps)
def test_a_run_does_not_differ_from_its_own_baseline(verdicts):
    record = record_of(verdicts)
    assert differences(record, lock(record), whole=True) == []


@given(before=verdict_maps, after=verdict_maps, whole=st.booleans())
def test_differences_are_found_in_both_directions(before, after, whole):
    found = differences(record_of(after), lock(record_of(before)), whole=whole)
    wanted = [
        {"id": name, "before": before.get(name, "not in the baseline"), "after": verdict}
        for name, verdict in after.items()
        if before.get(name) != verdict
    ]
    if whole:
        wanted += [
            {"id": name, "before": verdict, "after": "not checked"}
            for name, verdict in before.items()
            if name not in after
        ]
    assert sorted(found, key=str) == sorted(wanted, key=str)


def test_better_and_worse_both_differ():
    known = lock(record_of({"lj22.risk": "supported"}))
    for verdict in ("refuted", "proved"):
        (change,) = differences(record_of({"lj22.risk": verdict}), known, whole=True)
        assert change == {"id": "lj22.risk", "before": "supported", "after": verdict}


def test_a_figure_or_code_that_changed_is_no_difference():
    known = lock(record_of({"lj22.risk": "supported"}, worst="1e-16"))
    record = record_of({"lj22.risk": "supported"}, worst="2e-16")
    record["claims"][0]["code"] = "ff"
    assert differences(record, known, whole=True) == []


# what is refused -------------------------------------------------------------------------------
def test_a_void_run_gives_no_baseline(tmp_path):
    record = record_of({"lj22.risk": "refuted"}, void_reasons=["control.true failed", "another"])
    path = tmp_path / "claims.lock.json"
    with pytest.raises(VoidRunError) as caught:
        baseline.write(record, path)
    assert "control.true failed; another" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_void_run_leaves_the_old_baseline(tmp_path):
    path = tmp_path / "claims.lock.json"
    baseline.write(record_of({"lj22.risk": "refuted"}), path)
    before = path.read_bytes()
    with pytest.raises(VoidRunError):
        baseline.write(record_of({"lj22.risk": "proved"}, void_reasons=["x"]), path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no baseline at .*: write one with `lemmata baseline "),
        ("{", "is not JSON .*restore it from version control"),
        ("[]", "is not a baseline of this version"),
        ("{}", "is not a baseline of this version"),
        ('{"format": "lemmata-run", "version": 1, "claims": {}}', "not a baseline"),
        ('{"format": "lemmata-baseline", "version": 2, "claims": {}}', "not a baseline"),
        ('{"format": "lemmata-baseline", "version": 1}', "lacks the verdict"),
        ('{"format": "lemmata-baseline", "version": 1, "claims": []}', "lacks the verdict"),
        ('{"format": "lemmata-baseline", "version": 1, "claims": {"a": 1}}', "lacks the verdict"),
        ('{"format": "lemmata-baseline", "version": 1, "claims": {"a": {}}}', "lacks the verdict"),
    ],
)
def test_another_file_is_refused_by_name(tmp_path, text, said):
    path = tmp_path / "claims.lock.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(BaselineError, match=said) as caught:
        baseline.read(path)
    assert str(path) in str(caught.value)


@given(junk=st.binary(max_size=60))
def test_junk_is_refused(folder, junk):
    path = folder / "junk.json"
    path.write_bytes(junk)
    with pytest.raises(BaselineError):
        baseline.read(path)


def test_it_is_strict_json(tmp_path):
    record = record_of({"lj22.risk": "supported"}, worst=float("nan"))
    path = tmp_path / "claims.lock.json"
    with pytest.raises(ValueError, match="JSON"):
        baseline.write(record, path)
    assert not path.exists()
    baseline.write(record_of({"lj22.risk": "supported"}), path)
    assert json.loads(path.read_bytes().decode("utf-8"))["format"] == "lemmata-baseline"
