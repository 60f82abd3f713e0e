"""The planted claims are what they say: the false ones have counterexamples made by hand, which the
checker accepts, and the true ones hold on cases. Whether the methods find the false ones is what
the benchmark tells."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from benchmarks import planted_lemmas
from benchmarks.planted_lemmas import FALSE, TRUE, Answer, ask, claims, difficulty, summary
from graphs.activations import LINEAR, SIGMOID, TANH
from graphs.composition import single_output, without_dead_ends
from graphs.convolutions import convolution
from graphs.network import Network, network
from tests.verify.own_claims import as_before
from verify.cases.case import Case
from verify.cases.tensors import Tensors, tensor
from verify.checker import check
from verify.core.budgets import budget_named
from verify.core.claim import Claim
from verify.core.losses import PRESCRIBED
from verify.methods.context import Context
from verify.search.drawing import draw
from verify.search.judging import judge_exactly

CONTEXT = Context(budget_named("smoke"))
CI = Context(budget_named("ci"))
NUMBERS = [f"{k:02}" for k in range(1, 31)]


@pytest.fixture(scope="module")
def planted() -> Iterator[dict[str, Claim]]:
    """By id; afterwards the registry is as before."""
    with as_before():
        yield {claim.id: claim for claim in claims((*FALSE, *TRUE))}


def arrays(**nested: Any) -> Tensors:
    """A case of arrays: rows of matrices, vectors, numbers, whole ones where they are `int`."""
    axes = {"A": "mn", "B": "nk", "K": "kk", "W1": "hd", "W2": "ph", "Y": "pd", "a": "n"}
    square = dict.fromkeys("ST", "nn")

    def one(name: str, value: Any) -> Any:
        whole = name in "kxy"
        return tensor(tuple((axes | square).get(name, "")), value, integer=whole)

    return Tensors({name: one(name, value) for name, value in nested.items()})


def on(net: Network, *weights: int, xs: Any = ((1,),), **choice: Any) -> Case:
    """A case of a network: its weights, and examples with the label 1 and the slope -1."""
    rows = tuple(tuple(map(Fraction, row)) for row in xs)
    ones = (Fraction(1),) * len(rows)
    slopes = tuple(-one for one in ones)
    return Case(net, tuple(map(Fraction, weights)), rows, ones, PRESCRIBED, slopes, choice)


def graph(edges: str, **activations: Any) -> Network:
    """From x to o, by edges like "xh ho"."""
    return network(map(tuple, edges.split()), inputs=["x"], outputs=["o"], activations=activations)


CHAIN, WIDE = graph("xh ho"), graph("xh xk ho ko")
WINDOW = without_dead_ends(single_output(convolution(2, (1, 1), 1, 1, 0, activation=LINEAR)))
DENSE = network(
    [(u, v) for k, u in enumerate("xyabco") for v in "xyabco"[max(2, k + 1) :]],
    inputs=["x", "y"],
    outputs=["o"],
)
ONE, FIRST, LAST = [[1, 0], [0, 1]], [[1, 0], [0, 0]], [[0, 0], [0, 1]]
BY_HAND = {
    "01": lambda: arrays(A=ONE, B=ONE),
    "02": lambda: arrays(b=2, c=1),
    "03": lambda: arrays(W1=[[1]], W2=[[1]], Y=[[0]]),
    "04": lambda: arrays(c=-1, d=-1),
    "05": lambda: arrays(b=1, c=1, d=0),
    "06": lambda: arrays(S=[[2, 0], [0, 1]], K=[[3]]),
    "07": lambda: arrays(S=FIRST, T=LAST),
    "08": lambda: arrays(a=[1, 0, 1, 0]),
    "09": lambda: arrays(k=0),
    "10": lambda: arrays(c=1, d=0),
    "11": lambda: arrays(c=0),
    "12": lambda: arrays(A=[[1, 1], [1, -1]]),
    "13": lambda: arrays(S=[[0, 1], [0, 0]], T=FIRST),
    "14": lambda: arrays(b=7, c=11),
    "15": lambda: arrays(S=FIRST, T=[[1, 1], [1, 1]]),
    "16": lambda: arrays(c=Fraction(7, 5), d=1),
    "17": lambda: arrays(b=Fraction(7, 5), c=Fraction(4, 3)),
    "18": lambda: arrays(b=135, c=175, d=504, e=315),
    "19": lambda: arrays(x=649, y=180),
    "20": lambda: arrays(S=[[0, 1, 0], [0, 0, 1], [0, 0, 0]]),
    "21": lambda: on(graph("xh ho", h=TANH), 1, 1),
    "22": lambda: on(WINDOW, 1, 1, 1, xs=[(1, 1)]),
    "23": lambda: on(CHAIN, 1, 2, eta=["1"]),
    "24": lambda: on(graph("xh ho", h=SIGMOID), 0, 1),
    "25": lambda: on(WIDE, 1, 1, 1, 1),
    "26": lambda: on(WIDE, 1, 1, 1, 1),
    "27": lambda: on(CHAIN, 0, 1),
    "28": lambda: on(DENSE, *[1] * 14, xs=[(1, 1)]),
    "29": lambda: on(CHAIN, 10**8, 10**8),
    "30": lambda: on(graph("xh ho", h=LINEAR), 1, -1, eta=["3"]),
}


def test_there_are_thirty_of_each(planted: dict[str, Claim]) -> None:
    assert sorted(planted) == [f"planted.{letter}{k}" for letter in "ft" for k in NUMBERS]
    levels = [difficulty(claim) for name, claim in planted.items() if "f" in name]
    assert set(levels) == {1, 2, 3, 4}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_false_claim_has_a_counterexample_that_the_checker_accepts(
    planted: dict[str, Claim], number: str
) -> None:
    claim = planted[f"planted.f{number}"]
    (violation, *_) = judge_exactly(claim, BY_HAND[number]()).violations
    assert claim.terms is not None
    found = claim.terms.certificate("counterexample", violation.case, violation.entry["at"])
    assert check(found).code == 0, check(found).message


@pytest.mark.parametrize("number", NUMBERS)
def test_a_true_claim_holds_on_cases(planted: dict[str, Claim], number: str) -> None:
    claim, random, met = planted[f"planted.t{number}"], Random(number), 0
    assert claim.pool is not None
    for k in range(60):
        n = claim.pool.examples[k % len(claim.pool.examples)]
        case = draw(claim, random, n=n, loss=PRESCRIBED, large=False).exactly()
        judgement = judge_exactly(claim, case)
        assert judgement.violations == ()
        met += judgement.admitted > 0
        if met == 6:
            break
    assert met >= 3


@pytest.mark.parametrize("number", ["02", "05", "21"])
def test_a_claim_is_found_with_a_certificate(planted: dict[str, Claim], number: str) -> None:
    answer = ask(planted[f"planted.f{number}"], "pointwise", CI)
    assert (answer.method, answer.accepted, answer.broken) == ("pointwise", True, ())
    assert 0 < answer.size < 10


def test_a_named_network_with_too_many_paths_is_left_out(planted: dict[str, Claim]) -> None:
    answer = ask(planted["planted.t23"], "trials", CI)
    assert (answer.method, answer.broken) == ("", ())


def test_what_is_counted(planted: dict[str, Claim]) -> None:
    found = Answer(planted["planted.f02"], "pointwise", 1.0, 2, "b = 2, c = 1", True)
    missed = Answer(planted["planted.f08"], "", 3.0)
    lines = list(summary([found, missed]))
    assert lines[0] == "difficulty 1: 1 of 1 found  median 1.00 s  2 numbers"
    assert lines[-1] == "found: 1 of 2, certificates accepted: 1"


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with as_before():
        assert planted_lemmas.main(["--quick", "--only", "planted.f02"]) == 0
    told = capsys.readouterr().out
    assert "found: 1 of 1, certificates accepted: 1" in told
    assert "false alarms: 0 of 0" in told
