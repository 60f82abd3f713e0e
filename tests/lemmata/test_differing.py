"""`lemmata diff` of runs and baselines."""

import json

from verify.core.evidence import Outcome

QUICK = ("--budget", "smoke", "--workers", "1", "--fresh")


def test_two_runs_and_two_baselines_are_compared_headlines_first(lemmata, cheap, tmp_path):
    lemmata("run", "lj22.gflow", "lj22.risk", *QUICK, "--output", "json=a.json")
    lemmata("baseline", "a.lock.json", *QUICK)
    same = lemmata("diff", "a.json", "a.json")
    assert (same.code, same.err) == (0, "")
    assert "Headlines: none differ." in same.out
    cheap.outcomes["lj22.gflow"] = Outcome.REFUTES
    lemmata("run", "lj22.gflow", "lj22.risk", *QUICK, "--output", "json=b.json")
    lemmata("baseline", "b.lock.json", *QUICK)
    for before, after in (("a.json", "b.json"), ("a.lock.json", "b.lock.json")):
        called = lemmata("diff", before, after)
        assert called.code == 1
        lines = called.out.splitlines()
        assert lines[:2] == [f"from {before}", f"  to {after}"]
        assert lines[3] == "Headlines: 1 differs."
        assert lines[4].split()[:2] == ["×", "lj22.gflow"]
        assert lines[4].endswith("→ false as printed")
    told = json.loads(lemmata("diff", "a.json", "b.json", "--format", "json").out)
    assert [row["id"] for row in told["statements"]] == ["lj22.gflow"]
    assert told["statements"][0]["after"] == "false as printed"
    back = json.loads(lemmata("diff", "b.json", "a.json", "--format", "json").out)
    assert back["statements"][0]["before"] == "false as printed"
    assert "| `lj22.gflow` | " in lemmata("diff", "a.json", "b.json", "--format", "md").out
    mixed = lemmata("diff", "a.json", "b.lock.json")  # a baseline of more statements
    assert "not there → " in mixed.out


def test_what_is_no_run_is_refused(lemmata, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    assert "neither the record of a run (JSON) nor" in lemmata.refused("diff", "x.json", "x.json")
    (tmp_path / "x.json").write_text('{"format": "lemmata-run"}')
    assert "is not a run's record" in lemmata.refused("diff", "x.json", "x.json")
    assert "No such file" in lemmata.refused("diff", "none.json", "x.json")
