"""Statements of the language, expanded: with symbols by the engine, and again by the checker."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from graphs.activations import LINEAR, RELU, leaky_relu
from graphs.arithmetic import as_fraction
from graphs.rationals import RATIONALS
from tests.verify.drawn_cases import case_of, net_of
from verify.cases.pool import Pool
from verify.core.budgets import BUDGETS
from verify.core.claim import Claim, Source
from verify.core.evidence import Outcome
from verify.language.building import FUNCTIONS as F
from verify.language.building import Vector
from verify.language.edits import edits
from verify.language.expanding import expansion, has_signs, no_weight_is_0
from verify.language.statements import Statement, leaves
from verify.language.terms import Term, TermError, make
from verify.methods import expanded as engine
from verify.methods.context import Context
from verify.methods.expanded import EXAMPLES, can_be_expanded, expanded
from verify.methods.symbolic import identity_certificate, stated_residuals
from verify.papers.lj22.tree_terms import along_tree
from verify.runs.tasks import tasks_for
from verify.search.certificates import answer
from verify.search.judging import view
from verify.statements.stated import Given, stated

SMOKE = Context(BUDGETS["smoke"])
SOURCE = Source("planted", "-", "-")
Sum, Prod, Each, Filter, When, Rate = (
    F[name] for name in ("Sum", "Prod", "Each", "Filter", "When", "Rate")
)
edges, examples, hidden, paths = (F[name]() for name in ("edges", "examples", "hidden", "paths"))
edges_on, element, head, into, nu, out_of, slope, start, users, w, x, z = (
    F[name]
    for name in (
        *("edges_on", "element", "head", "into", "nu", "out_of", "slope", "start"),
        *("users", "w", "x", "z"),
    )
)


def size(e: Any) -> Term:
    return make("abs", w(e))


def sign(e: Any) -> Term:
    return make("sign", w(e))


def weights_and_slopes(p: Any, j: Any) -> Term:
    return Prod(edges_on(p), lambda e: w(e) * slope(head(e), j))


def through(e: Any) -> Term:
    return Filter(paths, lambda p: element(e, edges_on(p)))


def without(p: Any, e: Any, j: Any) -> Term:
    return Prod(edges_on(p), lambda f: When(f == e, 1, w(f)) * slope(head(f), j))


def of_relu(v: Any) -> Term:
    return F["slope_left"](v) == 0


def active(v: Any, j: Any) -> Term:
    return When(of_relu(v), slope(v, j), 1)


def squares(many: Any) -> Term:
    return Sum(many, lambda e: w(e) ** 2)


def on_examples(body: Any) -> Term:
    return Each(examples, body)


PATH_SUM = on_examples(
    lambda j: nu(j) == Sum(paths, lambda p: x(start(p), j) * weights_and_slopes(p, j))
)
GRADIENT = Each(
    edges,
    lambda e: on_examples(
        lambda j: F["grad"](e, j) == Sum(through(e), lambda p: x(start(p), j) * without(p, e, j))
    ),
)
BALANCE = Each(hidden, lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v))))
SIGNED = on_examples(
    lambda j: (
        nu(j)
        == Sum(
            paths,
            lambda p: (
                Prod(edges_on(p), lambda e: sign(e) * slope(head(e), j))
                * x(start(p), j)
                * Prod(edges_on(p), size)
            ),
        )
    )
)
TRUE = {
    "path sum": PATH_SUM,
    "gradient": GRADIENT,
    "balance": BALANCE,
    "signs": SIGNED,
    "all active": on_examples(
        lambda j: (
            nu(j)
            == Sum(
                paths,
                lambda p: (
                    x(start(p), j)
                    * Prod(edges_on(p), lambda e: w(e) * active(head(e), j))
                    * Prod(edges_on(p), lambda e: When(of_relu(head(e)), 1, slope(head(e), j)))
                ),
            )
        )
    ),
    "output": on_examples(lambda j: nu(j) == F["post"](make("at", F["outputs"](), 1), j)),
    "flow": Each(
        edges,
        lambda e: (
            Rate(w(e))
            == -Sum(
                examples,
                lambda j: (
                    make("loss_slope", j) * F["y"](j) * Sum(users(e), lambda f: F["grad"](f, j))
                ),
            )
            / F["card"](examples)
        ),
    ),
}
STEP = F["step_size"](0)
TRUE["step"] = Each(edges, lambda e: F["After"](1, w(e)) == w(e) + STEP * Rate(w(e)))
FALSE = {
    "step of size 1": Each(edges, lambda e: F["After"](1, w(e)) == w(e) + Rate(w(e))),
    "slopes stay": Each(
        hidden, lambda v: on_examples(lambda j: F["After"](1, slope(v, j)) == slope(v, j))
    ),
    "no input": on_examples(lambda j: nu(j) == Sum(paths, lambda p: weights_and_slopes(p, j))),
    "no slopes": on_examples(
        lambda j: nu(j) == Sum(paths, lambda p: x(start(p), j) * Prod(edges_on(p), w))
    ),
    "with its weight": Each(
        edges,
        lambda e: on_examples(
            lambda j: (
                F["grad"](e, j)
                == Sum(through(e), lambda p: x(start(p), j) * weights_and_slopes(p, j))
            )
        ),
    ),
    "twice": Each(hidden, lambda v: Rate(squares(into(v))) == 2 * Rate(squares(out_of(v)))),
    "no signs": on_examples(
        lambda j: (
            nu(j)
            == Sum(
                paths,
                lambda p: Prod(edges_on(p), lambda e: size(e) * slope(head(e), j)) * x(start(p), j),
            )
        )
    ),
    "labels are 1": on_examples(lambda j: F["y"](j) == 1),
    "labels are signs": on_examples(lambda j: F["y"](j) ** 2 == 1),
    "slopes of one loss": on_examples(lambda j: make("loss_slope", j) == make("loss_slope", 1)),
    "one slope": Each(hidden, lambda v: on_examples(lambda j: slope(v, j) == slope(v, 1))),
    "a sum over examples": Each(
        edges,
        lambda e: (
            Rate(w(e))
            == -Sum(examples, lambda j: make("loss_slope", j) * F["y"](j) * F["grad"](e, j))
        ),
    ),
}


def claim_of(says: Term, *given: Given) -> Claim:
    return stated("planted.statement", SOURCE, "-", "-", says, given)


def outcome_of(claim: Claim) -> Outcome:
    evidence = expanded(claim, SMOKE)
    assert evidence is not None
    return evidence.outcome


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_proved(name: str) -> None:
    claim = claim_of(TRUE[name])
    evidence = expanded(claim, SMOKE)
    assert evidence is not None
    assert evidence.outcome is Outcome.PROVES_ON_SCOPE
    assert evidence.figures["replayed by the checker"] > 5
    assert evidence.certificate is not None
    assert evidence.certificate["format"] == "lemmata-statement"
    assert answer(evidence.certificate)["exit"] == 0
    assert "expanded" in [task.method for task in tasks_for(claim, "smoke", 0, "cpu")]


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_are_not(name: str) -> None:
    """That they are no identities says nothing against them: hypotheses are not looked at."""
    assert can_be_expanded(claim_of(FALSE[name]))
    assert expanded(claim_of(FALSE[name]), SMOKE) is None


SPECIAL = {
    "plain": net_of("x>h h>o x>o", {"h": RELU}),
    "two": net_of(
        "x1>h x2>h x1>g h>g h>o g>o", {"h": RELU, "g": leaky_relu(Fraction(1, 10)), "o": RELU}
    ),
    "fixed": net_of("x>h h>o x>o", {"h": RELU}, fixed={("x", "h"): -2}),
    "shared": net_of("x>h h>o x>o", {"h": RELU}, parameters={("x", "h"): "s", ("x", "o"): "s"}),
    "held": net_of("x>h b>h h>o", {"h": RELU}, constants={"b": 3}),
    "linear": net_of("x>h h>o", {"h": LINEAR}),
}


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_engine_and_checker_find_the_same(name: str, kind: str) -> None:
    """At every place, also where weights are shared or fixed, and inputs held."""
    net = SPECIAL[kind]
    statement = Statement("planted", (TRUE | FALSE)[name])
    for residual, label, scene in stated_residuals(statement, net, EXAMPLES):
        reply = answer(identity_certificate(statement, net, EXAMPLES, label["at"]))
        assert reply["exit"] == (0 if scene.symbols.is_zero(residual) else 1), reply


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_at_a_point_a_residual_is_the_entry(name: str, kind: str) -> None:
    net = SPECIAL[kind]
    statement = Statement("planted", (TRUE | FALSE)[name])
    signed = has_signs(statement)
    pool = Pool(losses=("prescribed",))
    for seed in range(3):
        case = pool.fill(net, Random(seed), n=EXAMPLES, loss="prescribed", family="point")
        case = case.choosing(eta=[str(case.inputs[0][0])])  # for which the second x_11 stands
        scene = type(case).scene([case], RATIONALS)
        entries = statement.measure(scene)
        values = {str(entries.label(k)): as_fraction(v) for k, v in enumerate(entries.values)}
        reached = [scene.descent.at(step).evaluation.slopes for step in (0, 1)]
        slopes = [[as_fraction(s) for s in row] for some in reached for row in some]
        signs = [Fraction((v > 0) - (v < 0)) for v in case.weights]
        sizes = [abs(v) for v in case.weights] if signed else case.weights
        found = 0
        for residual, label, symbolic in stated_residuals(statement, net, EXAMPLES):
            value = symbolic.symbols.at(
                residual,
                weights=[*sizes, *signs],
                inputs=[*zip(*case.inputs, strict=True)] * 2,
                slopes=slopes,
                kappa=[case.slopes, case.labels],
            )
            assert value == values[str(label)]
            found += 1
        assert found == len(values)


# which statements can be expanded -----------------------------------------------------------------
W = w(make("at", edges, 1))


@pytest.mark.parametrize(
    "says",
    [
        W / W == 1,
        W**-1 == W,
        W ** Fraction(1, 2) == W,
        W <= W,
        make("abs", nu(1)) == nu(1),
        make("sign", W * F["y"](1)) == make("sign", W),
        F["Max"](edges, w) == W,
        make("larger", W, -W) == W,
        When(W > 0, W, -W) == W,
        Sum(Filter(edges, lambda e: w(e) > 0), w) == W,
        Each(Filter(edges, lambda e: w(e) > 0), lambda e: w(e) == W),
        Each(F["Map"](edges, w), lambda v: v == W),
        make("at", F["Map"](edges, w), make("sign", W)) == W,
        make("rank", make("diag", make("vector", 1, lambda i: W))) == 1,
        (W == W) | (W == 1),
        make("exp", W) == W,
        F["Let"](make("sign", W), lambda s: When(s == 1, W, W)) == W,
        F["Let"](make("vector", 1, lambda i: W), lambda v: When(v == v, W, 0)) == W,
        Sum(F["Map"](edges, w), lambda v: When(element(v, F["Map"](edges, w)), v, 0)) == W,
        make("at", F["Map"](edges, lambda e: make("sign", w(e))), 1) == make("sign", W * nu(1)),
        make("vector", 1, lambda i: W) == make("vector", 1, lambda i: W),
        Vector("a", "n")[1] == 0,
    ],
    ids=str,
)
def test_what_decides_about_numbers_cannot_be_expanded(says: Term) -> None:
    assert expansion(Statement("planted", says)) is None
    claim = claim_of(says)
    assert not can_be_expanded(claim)
    assert expanded(claim, SMOKE) is None
    assert "expanded" not in [task.method for task in tasks_for(claim, "smoke", 0, "cpu")]


def test_a_condition_about_numbers_is_left_out() -> None:
    """The equation is shown without it; one about the graph is asked."""
    for condition in (
        W > 0,
        F["Each"](edges, lambda e: w(e) != 0),
        z(make("at", hidden, 1), 1) > 0,
    ):
        claim = claim_of(make("implies", condition, PATH_SUM))
        evidence = expanded(claim, SMOKE)
        assert evidence is not None
        assert evidence.outcome is Outcome.PROVES_ON_SCOPE
        assert evidence.certificate is not None
        assert evidence.certificate["statement"]["says"][0] == "implies"
    needed = Each(edges, lambda e: make("implies", w(e) == 1, w(e) ** 2 == 1))
    assert expanded(claim_of(needed), SMOKE) is None
    one = F["card"](edges) == 1
    only = Each(paths, lambda p: make("implies", one, F["card"](edges_on(p)) == 1))
    assert outcome_of(claim_of(only)) is Outcome.PROVES_ON_SCOPE


def test_a_square_of_a_sign_is_1_where_no_weight_is_0() -> None:
    says = Each(edges, lambda e: sign(e) ** 2 == 1)
    assert expanded(claim_of(says), SMOKE) is None
    nonzero = Given("no weight is 0", Each(edges, lambda e: w(e) != 0))
    claim = claim_of(says, nonzero)
    assert claim.terms is not None
    assert no_weight_is_0(claim.terms)
    assert outcome_of(claim) is Outcome.PROVES_ON_SCOPE


def test_no_places_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_networks", lambda context: iter([net_of("x>o")]))
    assert expanded(claim_of(BALANCE), SMOKE) is None


def test_the_checker_has_a_say(monkeypatch: pytest.MonkeyPatch) -> None:
    for code, outcome in ((1, Outcome.ERROR), (2, Outcome.ARGUES_ON_SCOPE)):
        reply = {"exit": code, "message": "for a test"}
        monkeypatch.setattr(engine, "answer", lambda certificate, reply=reply: reply)
        assert outcome_of(claim_of(BALANCE)) is outcome


def test_a_tree_with_other_signs_is_not_taken_for_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Weights 1, and all signs at the leaves: with the slopes of the network both sides would be
    one polynomial. But relu(-z) is not -relu(z): with w = 1, w' = -1, x = 1 they are -1 and 1."""
    net = net_of("x>h h>o", {"h": RELU})
    monkeypatch.setattr(engine, "_networks", lambda context: iter([net]))

    def is_tree(weight: Any) -> Term:
        def leaf(v: Any, p: Any, j: Any) -> Term:
            return Prod(p, lambda e: sign(e) * w(e)) * x(v, j)

        return on_examples(lambda j: nu(j) == along_tree(weight, lambda v, p: leaf(v, p, j)))

    assert outcome_of(claim_of(is_tree(sign))) is Outcome.PROVES_ON_SCOPE
    claim = claim_of(is_tree(lambda e: 1))
    assert can_be_expanded(claim)
    assert expanded(claim, SMOKE) is None
    case = case_of(net, {"x>h": 1, "h>o": -1}, [([1], 1, 1)])
    assert [as_fraction(v) for v in view(claim, [case], RATIONALS).entries.values] == [-2]


# statements that differ in one place --------------------------------------------------------------
def cases_on(net: Any) -> list[Any]:
    """Drawn, some with weights that are 0, vertices at kinks, with either slope there."""
    pool = Pool(losses=("prescribed",))
    relus = [v for v, a in zip(net.names, net.activations, strict=True) if a.kind == "relu"]
    slopes = [[v, j, "0"] for v in relus for j in range(1, EXAMPLES + 1)]
    found = []
    for seed in range(4):
        case = pool.fill(net, Random(seed), n=EXAMPLES, loss="prescribed", family="point")
        found.append(case)
        weights = (Fraction(0), *case.weights[1:])
        found.append(replace(case, weights=weights, choice={"slopes_at_0": slopes}))
    return found


@pytest.mark.parametrize("kind", ["plain", "shared", "fixed"])
@pytest.mark.parametrize("name", TRUE)
def test_what_is_shown_of_a_changed_statement_is_true(name: str, kind: str) -> None:
    """Of all statements that differ in one place: where the checker accepts a place, the equation
    holds there in every case that is drawn; and it does not accept them all."""
    net = SPECIAL[kind]
    counts = Counter[int]()
    made = [case.choosing(eta=["2/3"]) for case in cases_on(net)]
    scenes = [type(case).scene([case], RATIONALS) for case in made]
    changed = list(edits(TRUE[name]))
    for edit in Random(name).sample(changed, min(len(changed), 60)):
        try:
            statement = Statement("planted", edit.says)
        except TermError:
            continue
        measured = [statement.measure(scene) for scene in scenes]
        if not all(leaf.op == "eq" for leaf in leaves(statement.says)):
            continue
        places = [[str(m.label(k)) for k in range(len(m))] for m in measured]
        for k in range(0, len(measured[0]), 3):
            label = measured[0].label(k)
            certificate = identity_certificate(statement, net, EXAMPLES, label["at"])
            code = answer(certificate)["exit"]
            counts[code] += 1
            for m, labels in zip(measured, places, strict=True):
                if code == 0 and str(label) in labels:
                    assert m.values[labels.index(str(label))] == 0, certificate
    assert counts[1] > counts[0] // 10
