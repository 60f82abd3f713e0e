"""Random cases judged exactly."""

from dataclasses import replace

from verify.cases.hypotheses import Hypothesis, by_case
from verify.core.budgets import BUDGETS
from verify.core.claim import Claim
from verify.core.evidence import Outcome
from verify.methods.context import Context
from verify.methods.pointwise import pointwise
from verify.papers.registry import find
from verify.runs.controls import CONTROLS
from verify.search.drawing import draw

QUICK = Context(replace(BUDGETS["ci"], shrink_steps=0))


# the method itself ------------------------------------------------------------------------------
def test_every_draw_is_counted(monkeypatch):
    """Those too that met no hypotheses, and were drawn again."""
    drawn = []

    def counted(*arguments, **options):
        drawn.append(draw(*arguments, **options))
        return drawn[-1]

    monkeypatch.setattr("verify.methods.pointwise.draw", counted)
    evidence = pointwise(find("lj22.lemma2a"), QUICK)
    assert evidence.figures["drawn"] == len(drawn) > QUICK.budget.draws


def test_controls():
    true, _ = CONTROLS["control.true"]
    assert pointwise(true, QUICK).outcome is Outcome.SUPPORTS
    for name in ("control.false", "control.planted.lj22"):
        evidence = pointwise(CONTROLS[name][0], QUICK)
        assert evidence.outcome is Outcome.REFUTES
        assert evidence.checker["exit"] == 0
    assert pointwise(CONTROLS["control.undecided"][0], QUICK) is None
    assert pointwise(find("lj22.def1"), QUICK) is None


def test_the_same_seed_gives_the_same_evidence():
    for name in ("lj22.risk", "lj22.lemma2a"):
        claim = find(name)
        first, second = (
            replace(pointwise(claim, Context(BUDGETS["smoke"], seed=5)), seconds=0.0) for _ in "12"
        )
        assert first == second
    claim = find("lj22.lemma2a")
    others = [pointwise(claim, Context(BUDGETS["smoke"], seed=seed)) for seed in range(4)]
    assert len({str(other.scope) for other in others}) > 1


def test_figures_count_what_was_seen():
    evidence = pointwise(find("lj22.lemma2a"), Context(BUDGETS["smoke"]))
    figures = evidence.figures
    assert evidence.instances == figures["met all hypotheses"] <= BUDGETS["smoke"].draws
    assert figures["met all hypotheses"] <= figures["drawn"]
    assert figures["entries"] >= evidence.instances
    assert evidence.method == "pointwise"


def test_a_violation_that_the_checker_refuses_settles_nothing(monkeypatch):
    reply = {"exit": 1, "message": "rejected: for a test"}
    monkeypatch.setattr("verify.search.admission.answer", lambda certificate: reply)
    evidence = pointwise(find("lj22.risk"), QUICK)
    assert evidence.outcome is Outcome.ERROR  # the engine and the checker contradict each other
    assert "rejected: for a test" in evidence.summary
    assert evidence.certificate is None


def test_hypotheses_that_nothing_meets():
    nothing = by_case(lambda case: False)
    claim: Claim = replace(find("lj22.risk.fix"), hypotheses=(Hypothesis("no", "never", nothing),))
    evidence = pointwise(claim, Context(BUDGETS["smoke"]))
    assert evidence.instances == 0
    assert evidence.outcome is Outcome.SUPPORTS  # of nothing: the verdict will be vacuous
    assert evidence.figures["drawn"] > BUDGETS["smoke"].draws
