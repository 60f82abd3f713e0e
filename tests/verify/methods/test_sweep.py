"""The sweep in plain float64: it finds what is false, and says how much it has looked at."""

from dataclasses import replace
from fractions import Fraction

from verify.cases.scenes import Entries
from verify.core.budgets import budget_named
from verify.core.claim import Claim, Kind, Source
from verify.core.evidence import Outcome
from verify.kinds.deep.hypotheses import SLOPE
from verify.kinds.deep.pool import pool
from verify.methods.context import Context
from verify.methods.sweep import CLEAR, LOWEST, sweep
from verify.runs.controls import CONTROLS

CONTEXT = Context(replace(budget_named("smoke"), trial_batches=2, batch_size=20), 3, "cpu")


def bounded_by_the_jacobian(scene) -> Entries:
    """|theta|^2 - L sum_i s_i(Jf(x))^(2/L) / 2, which is at least |theta|^2 / 2."""
    sizes = scene.schatten(scene.jacobian(0), Fraction(2, scene.depth))
    return scene.compare(scene.parameter_square, scene.share(sizes, Fraction(scene.depth, 2)))


def claim(measure, **more) -> Claim:
    """A claim about networks of arrays. more: as of their pool."""
    return Claim(
        "a bound",
        Kind.INEQUALITY,
        Source("j23", "final", ""),
        "",
        "",
        (SLOPE,),
        measure=measure,
        pool=pool(**more),
        exact_only=True,
        floats=True,
    )


def test_a_true_bound_is_supported_by_the_cases_it_was_measured_on():
    found = sweep(claim(bounded_by_the_jacobian), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert 20 < found.instances <= 40
    assert found.figures["judged exactly"] == 0  # none lies near a violation
    assert float(found.figures["smallest relative slack"]) > CLEAR
    assert any("plain float64" in line for line in found.scope)


def test_what_lies_near_a_violation_is_judged_exactly():
    def alike(scene) -> Entries:
        """|theta|^2 on both sides."""
        return scene.compare(scene.parameter_square, scene.parameter_square)

    found = sweep(claim(alike), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["judged exactly"] == CONTEXT.budget.trial_batches * LOWEST
    assert found.figures["vanished when made exact"] == 0
    assert float(found.figures["smallest relative slack"]) == 0


def test_a_false_bound_is_refuted_with_a_certificate():
    planted, _ = CONTROLS["control.planted.j23"]
    found = sweep(planted, CONTEXT)
    assert found.outcome is Outcome.REFUTES
    assert found.checker["exit"] == 0


def test_a_float_violation_that_is_none_is_an_artefact():
    def cancelling(scene) -> Entries:
        """0, but not in floats: (a + 10^17) - 10^17 - a in size, minus nothing."""
        large = scene.constant(10**17)
        return scene.compare(-abs((scene["a"] + large) - large - scene["a"]), scene.constant(0))

    found = sweep(claim(cancelling, depths=(1,)), CONTEXT)
    assert found.outcome is Outcome.SUPPORTS
    assert found.figures["vanished when made exact"] > 0
