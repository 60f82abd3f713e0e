"""Claims of one's own: what a file may say, what is said of one that is wrong, what is found."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.repository import ROOT
from tests.verify.own_claims import as_before
from verify.checker import check
from verify.core import ledger
from verify.core.budgets import budget_named
from verify.core.claim import Kind
from verify.core.evidence import Outcome
from verify.methods.ascent import ascent
from verify.methods.context import Context
from verify.methods.enumeration import enumeration
from verify.methods.mutation import mutation
from verify.methods.nearest import nearest
from verify.methods.necessity import necessity
from verify.methods.pointwise import pointwise
from verify.methods.schema import schema
from verify.methods.trials import trials
from verify.papers import registry
from verify.runs import engine
from verify.runs.fingerprint import claim_fingerprint
from verify.runs.own_claims import ClaimFileError, load
from verify.runs.power import power_of
from verify.runs.tasks import CONFLICTS, Task, perform, tasks_for
from verify.search.circular import asked_twice
from verify.search.judging import judge_exactly

CONTEXT = Context(budget_named("ci"))
START = """
from lemmata import *
A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
S, T = Matrix("S", "n", "n"), Matrix("T", "n", "n")
k = Whole("k", 1, 4)
"""


@pytest.fixture
def claims(tmp_path: Path) -> Any:
    """The claims of a file with these lines."""

    def of(lines: str) -> dict[str, Any]:
        path = tmp_path / "mine.py"
        path.write_text(START + lines)
        return {claim.id: claim for claim in load(path)}

    with as_before():
        yield of


def test_a_claim_stands_beside_the_built_in_ones(claims: Any) -> None:
    before = len(registry.all_claims())
    found = claims('claim("mine.a", rank(A @ B) <= rank(A), "A text.", place="Lemma 1")')["mine.a"]
    assert len(registry.all_claims()) == before + 1
    assert registry.find("mine.a") is found
    assert found.kind is Kind.INEQUALITY
    assert found.exact_only
    assert found.statement == r"$\operatorname{rank}(A \, B) \le \operatorname{rank}(A)$"
    row = ledger.statements()["mine.a"]
    assert (row.printed, row.place, row.paper) == ("A text.", "Lemma 1", "mine")
    assert "Claims of mine.py" in ledger.papers()["mine"].citation


def test_reading_a_file_again_takes_its_claims_anew(claims: Any) -> None:
    one = claims('claim("mine.a", rank(A) <= 2)')["mine.a"]
    two = claims('claim("mine.a", rank(A) <= 3)')["mine.a"]
    assert registry.find("mine.a") is two
    assert claim_fingerprint(one) != claim_fingerprint(two)
    three = claims('claim("mine.a", rank(A) <= 3)')["mine.a"]
    assert claim_fingerprint(three) == claim_fingerprint(two)


def test_a_false_claim_is_refuted_and_the_checker_agrees(claims: Any) -> None:
    found = claims('claim("mine.a", frob2(A @ B) <= frob2(A))')["mine.a"]
    evidence = pointwise(found, CONTEXT)
    assert evidence.outcome is Outcome.REFUTES
    assert evidence.checker["exit"] == 0
    assert "your statement mine.a" in evidence.checker["message"]
    changed = {**evidence.certificate, "value": {"left": "1", "right": "0"}}
    assert check(changed).code == 1


def test_a_proof_of_ones_own_is_replayed(claims: Any) -> None:
    found = claims(
        'c, d = Number("c"), Number("d")\n'
        "def steps(proof):\n"
        "    proof.algebra(proof.goal, {}, [c - d])\n"
        'claim("mine.a", c**2 + d**2 >= 2 * c * d, proof=steps)\n'
        'claim("mine.b", c**2 + d**2 >= 3 * c * d, proof=steps)\n'
    )
    evidence = schema(found["mine.a"], CONTEXT)
    assert evidence.outcome is Outcome.PROVES
    assert evidence.checker["exit"] == 0
    assert evidence.rests_on == ()
    assert evidence.proof == (r"(0) $c^{2} + d^{2} \ge 2 \, c \, d$, by algebra",)
    wrong = schema(found["mine.b"], CONTEXT)
    assert wrong.outcome is Outcome.ERROR
    assert "the checker does not accept the proof" in wrong.summary
    other = replace(found["mine.b"], derivation=found["mine.a"].derivation)
    assert "one of another statement" in schema(other, CONTEXT).summary


def test_a_hypothesis_is_asked_and_seen_to_be_needed(claims: Any) -> None:
    found = claims(
        'claim("mine.a", S @ inverse(S) == eye(rows(S)), given={"T is not 0": frob2(T) > 0})\n'
        'claim("mine.b", trace(S @ S) >= 0, given={"S is symmetric": S == S.T})\n'
    )
    assert pointwise(found["mine.a"], CONTEXT).outcome is Outcome.SUPPORTS
    assert pointwise(found["mine.b"], CONTEXT).outcome is Outcome.SUPPORTS
    (need,) = necessity(found["mine.b"], CONTEXT).needs
    assert need.needed
    assert check(need.certificate).code == 0
    assert need.certificate["without"] == "S is symmetric"
    (idle,) = necessity(found["mine.a"], CONTEXT).needs
    assert not idle.needed


def test_equal_matrices_and_definite_ones_as_hypotheses(claims: Any) -> None:
    """They are asked of the exact case, also where numbers are floats, enclosures or dyadic."""
    found = claims(
        'claim("mine.a", trace(S @ S) == frob2(S), given=[S == S.T])\n'
        'claim("mine.b", trace(S) >= 0, given=definite(S))\n'
        'claim("mine.c", trace(S) >= 1, given=definite(S))\n'
    )
    for method in (pointwise, enumeration, trials, ascent):
        for name, claim in found.items():
            evidence = method(claim, CONTEXT)
            told = None if evidence is None else evidence.outcome
            assert told is not Outcome.ERROR
            assert (told is Outcome.REFUTES) <= (name == "mine.c")
    assert pointwise(found["mine.c"], CONTEXT).outcome is Outcome.REFUTES


def test_equations_are_solved_where_they_can_be(claims: Any) -> None:
    """So that cases which meet them are not left to chance."""
    found = claims(
        'claim("mine.a", trace(S @ S) == frob2(S), given=[S == S.T])\n'
        'claim("mine.b", rank(T) <= rank(S), given=[T == S @ S])\n'
    )
    for claim in found.values():
        evidence = pointwise(claim, CONTEXT)
        assert evidence.outcome is Outcome.SUPPORTS
        assert evidence.instances == evidence.figures["drawn"]
        assert evidence.figures["no size of one"] >= 5


def test_two_files_of_one_paper(tmp_path: Path) -> None:
    with as_before():
        for name in "ab":
            path = tmp_path / f"{name}.py"
            path.write_text(START + f'paper("p", "P")\nclaim("p.{name}", rank(A) >= 0)\n')
            load(path)
        assert [registry.find(f"p.{name}").ledger_id for name in "ab"] == ["p.a", "p.b"]


def test_two_files_with_one_id_are_told_apart(tmp_path: Path) -> None:
    with as_before():
        for name in "ab":
            (tmp_path / f"{name}.py").write_text(START + 'claim("p.one", rank(A) >= 0)\n')
        load(tmp_path / "a.py")
        with pytest.raises(ClaimFileError, match="another file states"):
            load(tmp_path / "b.py")
        assert registry.find("p.one").source.file.endswith("a.py")


def test_a_look_at_all_hypotheses_brings_the_file_too(
    claims: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a fresh process would look at none."""
    found = claims(
        'claim("mine.a", rank(A) >= 0, given=[frob2(A) > 0])\n'
        'claim("mine.b", rank(A) >= 0, given=[frob2(A) == 0])\n'
    )
    begun: list[Task] = []

    def noted(tasks: Any, *rest: Any) -> Any:
        begun.extend(tasks)
        yield from ()

    monkeypatch.setattr(engine, "execute", noted)
    engine.gather(list(found.values()), engine.Settings(budget="ci", workers=1), ["mine"])
    assert {task.file for task in begun} == {found["mine.a"].source.file}
    assert CONFLICTS in {task.method for task in begun}


def test_a_strict_relation_tells_both_sides(claims: Any) -> None:
    found = claims('claim("mine.a", rank(A) < rows(A))')["mine.a"]
    evidence = pointwise(found, CONTEXT)
    assert "where the left side is 1, the right side 1" in evidence.summary


def test_what_shares_a_part_with_a_hypothesis_is_not_the_hypothesis(claims: Any) -> None:
    found = claims(
        'claim("mine.a", trace(S @ T) == trace(T @ S), given=[trace(S @ T) == 1])\n'
        'claim("mine.b", trace(S @ T) == 1, given=[trace(S @ T) == 1])\n'
    )
    assert asked_twice(found["mine.a"]) == []
    assert len(asked_twice(found["mine.b"])) == 1


def test_nothing_is_near_0_in_proportion(claims: Any) -> None:
    found = claims('claim("mine.a", -frob2(A) <= 0)')["mine.a"]
    pieces = [method(found, CONTEXT) for method in (pointwise, mutation)]
    assert power_of(found, pieces).tested


def test_what_has_no_value_says_nothing(claims: Any) -> None:
    found = claims('claim("mine.a", det(inverse(S)) * det(S) == 1)')["mine.a"]
    case = found.pool.draw(__import__("random").Random(0), n=1, loss="prescribed")
    zero = case.with_numbers([0 * x for x in case.numbers])
    assert judge_exactly(found, zero).admitted == 0
    assert pointwise(found, CONTEXT).outcome is Outcome.SUPPORTS


def test_mutants_are_edits_of_the_term(claims: Any) -> None:
    found = claims('claim("mine.a", frob2(A.T) == frob2(A))')["mine.a"]
    evidence = mutation(found, CONTEXT)
    fates = {one.change: one.fate for one in evidence.mutants}
    assert evidence.figures["killed"] >= 2
    assert all("to" in change for change in fates)


def test_a_claim_that_is_true_for_free_has_no_power(claims: Any) -> None:
    found = claims('claim("mine.a", Each(upto(k - 9), lambda i: i == 0))')["mine.a"]
    assert mutation(found, CONTEXT).figures.get("killed", 0) == 0


def test_the_nearest_statements_that_stand(claims: Any) -> None:
    found = claims(
        'claim("mine.order", inverse(S @ T) == inverse(S) @ inverse(T))\n'
        'claim("mine.symmetric", trace(S @ S) >= 0)\n'
        'claim("mine.exponent", frob2(A @ B) <= frob2(A) * norm(B))\n'
        'claim("mine.constant", Sum(upto(k), lambda i: i) == k * (k + 2) / 2)\n'
        'claim("mine.nonsense", trace(S @ T @ S) == trace(S) * rank(T))\n'
    )
    near = {name: nearest(claim, CONTEXT) for name, claim in found.items()}
    told = {name: [one.change for one in evidence.mutants] for name, evidence in near.items()}
    assert "$S \\, T$ should be $T \\, S$" in told["mine.order"]
    assert told["mine.symmetric"][0] == "if $S$ is symmetric"
    assert told["mine.exponent"] == [r"$\lVert B \rVert_2$ should be $\lVert B \rVert_2^{2}$"]
    assert "$2$ should be $1$" in told["mine.constant"]
    assert told["mine.nonsense"] == []


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('claim("mine.a", rank(A))', "mine.py, line 6: mine.a, what it says: an int"),
        ("claim('mine.a', A @ A <= 1)", "line 6: le(mat, int)"),
        ("\n\nx = 1 / 0", "line 8: ZeroDivisionError: division by zero"),
        ("def f(:", "line 6: SyntaxError"),
        ("raise SystemExit(0)", "ends the program"),
        ("raise GeneratorExit", "line 6: GeneratorExit"),
        ("x = '\0'", "mine.py: SyntaxError: source code string cannot contain null bytes"),
        ("claim('m.a', rank(A) <= 1, '\\ud800')", "line 6: claim('m.a'): '\\ud800' holds half"),
        ("claim('m.a', rank(A) <= 1, given={'\\ud800': rank(A) == 1})", "'\\ud800' holds half"),
        ("paper('m', 'M', authors=('\\ud800',))", "paper('m'): '\\ud800' holds half a character"),
        ("", "states no claim"),
        (
            'claim("m.a", Rate(trace(S)) == 0)',
            "nothing moves in the rate of",
        ),
        ('claim("m.a", Rate(trace(S)) == 0, flow={"S": S, "Q": S})', "does not speak of Q"),
        ('claim("m.a", rank(Matrix("A", "n", "m") @ A) >= 0)', "a mat with the axes m, n"),
        ('claim("a", rank(A) <= 1)', "an id is a paper and a statement"),
        ('claim("lj22.a", rank(A) <= 1)', "lj22 is built in"),
        ('claim("lj22v1.lemma1", rank(A) <= 1)', "another file states lj22v1.lemma1 already"),
        ('claim("m.a", rank(A) <= 1)\nclaim("m.a", rank(A) <= 2)', "of this id already"),
        ('claim("m.a", rank(A) <= 1)\nclaim("n.a", rank(A) <= 2)', "ids of this file begin with m"),
        ('claim("m.a", rank(A) <= 1)\npaper("m", "M")', "name it before the first claim"),
        ("nothing", "NameError: name 'nothing' is not defined"),
    ],
)
def test_a_file_that_is_wrong_says_where(claims: Any, lines: str, told: str) -> None:
    before = registry.all_claims()
    with pytest.raises(ClaimFileError) as caught:
        claims(lines)
    assert told in str(caught.value)
    assert registry.all_claims() == before


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ClaimFileError, match="lemmata new claim"):
        load("/nowhere/mine.py")


def test_a_task_brings_its_file(claims: Any) -> None:
    found = claims('claim("mine.a", rank(A) <= rank(A.T))')["mine.a"]
    tasks = tasks_for(found, "ci", 0, "cpu")
    assert {task.file for task in tasks} == {found.source.file}
    with as_before():
        registry._added.clear()
        registry.all_claims.cache_clear()
        piece = perform(Task("mine.a", "pointwise", "ci", 0, "cpu", found.source.file))
        assert piece is not None
        assert piece.outcome is Outcome.SUPPORTS


LOOKED_UP = """
import sys
from verify.papers.registry import find
from verify.runs.own_claims import load
load(sys.argv[1])
assert find("mine.a").id == "mine.a"
print([name for name in sys.modules if name.endswith(".claims")])
"""


def test_a_claim_of_a_file_is_found_without_the_papers(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(START + 'claim("mine.a", rank(A) <= rank(A.T))')
    command = (sys.executable, "-c", LOOKED_UP, str(path))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


def test_the_paper_of_the_examples() -> None:
    """Du, Hu and Lee (2018): two statements that stand, and one that is false on purpose."""
    with as_before():
        found = {c.id: c for c in load(ROOT / "examples/claims/dhl18.py")}
        outcomes = {name: pointwise(claim, CONTEXT).outcome for name, claim in found.items()}
        assert outcomes == {
            "dhl18.thm2_1": Outcome.SUPPORTS,
            "dhl18.thm2_2": Outcome.SUPPORTS,
            "dhl18.shared": Outcome.REFUTES,
        }
        assert [claim.exact_only for claim in found.values()] == [False, False, False]
        near = nearest(found["dhl18.shared"], CONTEXT)
        assert "if every edge has a weight of its own" in [one.change for one in near.mutants]


def test_readings_of_one_statement_are_listed_with_it(claims: Any) -> None:
    found = claims(
        'claim("mine.a@A", rank(A) >= 1, reading="one way")\n'
        'claim("mine.a@B", rank(A) >= 0, reading="another")\n'
    )
    row = ledger.statements()["mine.a"]
    assert (row.main, row.others) == (("@A",), ("@B",))
    assert [found[name].role.value for name in ("mine.a@A", "mine.a@B")] == ["main", "other"]
    assert found["mine.a@B"].reading_text == "another"
    assert found["mine.a@B"].reading == "B"
