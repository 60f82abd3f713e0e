"""Which hypotheses can be met together: drawn cases, conflicts, and complete small scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from random import Random
from typing import Any

from graphs.errors import NetworkError, NotRationalError, TooManyPathsError
from graphs.network import Network
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.cases.hypotheses import Hypothesis, asks_cases, asks_network
from verify.cases.pool import Pool
from verify.cases.scenes import constant_entries
from verify.cases.small_networks import all_small_networks
from verify.cases.structured_pool import StructuredPool
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import CaseError
from verify.core.claim import Claim
from verify.core.evidence import JointCase
from verify.core.instance import Instance
from verify.core.losses import PRESCRIBED
from verify.kinds.deep.layered import LayeredPool
from verify.kinds.solutions.solution_pool import SolutionPool
from verify.search.enumeration.digraphs import digraphs
from verify.search.judging import BATCH, scenes, view

Hypotheses = Sequence[Hypothesis]
ONE = Fraction(1)
NO_CASE = (NotRationalError, TooManyPathsError, NetworkError, CaseError)
NO_SENSE = (*NO_CASE, ZeroDivisionError)
"""What a hypothesis of another claim may raise, where it makes no sense of a case."""


def drawn_cases(
    claim: Claim, hypotheses: Hypotheses, random: Random, count: int, seed: int = 0
) -> Iterator[Any]:
    """Random rational cases that the claim speaks of, with these hypotheses repaired in turn.

    seed: of exact solutions, which claims share.
    """
    pool = claim.pool
    assert pool is not None
    if isinstance(pool, SolutionPool):
        yield from pool.solutions_of(seed, count)
        return
    arrays = isinstance(pool, TensorPool)
    sizes = sorted(pool.examples, key=lambda n: (n == 1, n))  # a single example is a corner
    for number in range(count):
        n = sizes[number % len(sizes)]
        try:
            case = pool.draw(random, n=n, loss=PRESCRIBED, large=arrays or number % 4 == 3)
            for hypothesis in hypotheses:
                case = hypothesis.repair(case, random)
        except (NetworkError, CaseError):  # no such case: the next one
            continue
        yield case


def meets(claim: Claim, case: Instance, hypotheses: Hypotheses | None = None) -> bool:
    """Whether some entry of the claim on a case meets these hypotheses exactly; None: its own."""
    return meeting(claim, [case], hypotheses)[0]


def meeting(
    claim: Claim, cases: Sequence[Instance], hypotheses: Hypotheses | None = None
) -> list[bool]:
    """The same of several cases, those that make a scene looked at together."""
    found = [False] * len(cases)
    exact: dict[int, Any] = {}
    for k, case in enumerate(cases):
        with suppress(*NO_SENSE):
            exact[k] = case if case.rational else case.exactly()
    places = list(exact)
    for scene in scenes(list(exact.values())):
        some = [places[k] for k in scene]
        try:
            seen = view(claim, [exact[k] for k in some], RATIONALS, hypotheses)
        except NO_SENSE:
            if len(some) > 1:
                for k in some:
                    found[k] = meets(claim, exact[k], hypotheses)
            continue
        for row in set(seen.entries.owner[seen.admitted].tolist()):
            found[some[row]] = True
    return found


def growing(cases: Iterable[Any]) -> Iterator[list[Any]]:
    """Cases in batches of one, two, four, ..., which are drawn as they are asked for."""
    rest, size = iter(cases), 1
    while batch := list(islice(rest, size)):
        yield batch
        size = min(2 * size, BATCH)


def conflict(
    claim: Claim, random: Random, draws: int
) -> tuple[tuple[Hypothesis, ...], tuple[JointCase, ...]]:
    """Hypotheses that no draw met together, from which none can be left out.

    Without any one of them a case was drawn, which is given. So many draws show no more than that.
    """
    core = list(claim.hypotheses)
    parts: list[JointCase] = []
    for hypothesis in claim.hypotheses:
        rest = [h for h in core if h is not hypothesis]
        case = _drawn_with(claim, rest, random, draws)
        if case is None:
            core = rest
        else:
            names = tuple(h.name for h in rest)
            text = f"all but '{hypothesis.name}': {case.described()}"
            parts.append(JointCase(names, text, claim.record_of(case.exactly())))
    return tuple(core), tuple(parts)


def _drawn_with(claim: Claim, hypotheses: Hypotheses, random: Random, draws: int) -> Any | None:
    """A random case that meets these hypotheses, if one is drawn; best one of which the claim says
    something."""
    whole = None
    for cases in growing(drawn_cases(claim, hypotheses, random, draws)):
        for case, met in zip(cases, meeting(claim, cases, hypotheses), strict=True):
            if met:
                return case
            if whole is None and suits(case, hypotheses):
                whole = case
    return whole


def suits(case: Instance, hypotheses: Hypotheses) -> bool:
    """Whether a case meets hypotheses that speak of it as a whole, whatever the claim's entries:
    some measures have none where the claim cannot be stated."""
    if not all(map(asks_cases, hypotheses)):
        return False
    try:
        exact = case if case.rational else case.exactly()
        scene = type(exact).scene([exact], RATIONALS)
        entries = constant_entries(scene, [(0, {}, Fraction(0))])
        return all(bool(h.test(scene, entries)[0]) for h in hypotheses)
    except NO_CASE:
        return False


@dataclass(frozen=True)
class Enumerated:
    """A complete look at a small scope: how many cases, the first that meets the hypotheses."""

    scope: str
    count: int
    case: Any | None


def enumerated(claim: Claim, hypotheses: Hypotheses, hidden: int) -> Enumerated | None:
    """Look at all small networks for one that meets hypotheses on networks as a whole; None where
    the claim speaks of something else. Hypotheses on the network alone are decided for it once,
    whatever its weights.

    hidden: the largest number of hidden vertices.
    """
    layers = isinstance(claim.pool, StructuredPool | LayeredPool)  # lists that a case chooses
    plain = isinstance(claim.pool, Pool) and not layers
    if not plain or not hypotheses or not all(map(asks_cases, hypotheses)):
        return None
    alone = all(asks_network(hypothesis) is not None for hypothesis in hypotheses)
    count = 0
    found = None
    for case in small_networks_once(hidden) if alone else small_cases(hidden):
        count += 1
        if suits(case, hypotheses):
            found = case
            break
    scope = f"all networks with one or two inputs and at most {hidden} hidden vertices, ReLU"
    scope += ", without biases, one output, every vertex on a path to it"
    if alone:
        scope += ", whatever their weights and examples"
    else:
        scope += ", weights 1 (with at most one hidden vertex: in {-1, 0, 1}), one example of ones"
    return Enumerated(scope, count, found)


def small_networks_once(hidden: int) -> Iterator[Case]:
    """One case on each small network."""
    for size in range(hidden + 1):
        for inputs in (1, 2):
            for net in digraphs(inputs, size):
                yield _ones(net, (ONE,) * net.parameter_count)


def _ones(net: Network, weights: tuple[Fraction, ...]) -> Case:
    """A network with these weights and one example of ones."""
    row = (ONE,) * len(net.free_inputs)
    return Case(net, weights, (row,), (ONE,), PRESCRIBED, (-ONE,), family="enumerated")


def small_cases(hidden: int) -> Iterator[Case]:
    """One case on each small network; with at most one hidden vertex one for each choice of
    weights in {-1, 0, 1}."""
    for net in all_small_networks(hidden):
        choices = (ONE, -ONE, Fraction(0)) if len(net.inner) <= 1 else (ONE,)
        for weights in product(choices, repeat=net.parameter_count):
            yield _ones(net, weights)
