"""The registered statements on one network: which of them it meets, and whether they hold there.

A hypothesis that asks the network alone is decided for good; of another one it is said that no case
met it, of those that were drawn: weights and data, lists of the pieces that the network has. What
is evaluated is exact, or, where activations are smooth, enclosed; a violation goes through the
admission gate, on this very network.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from time import monotonic
from typing import Any

from graphs.errors import NetworkError, NotRationalError, PrecisionError, TooManyPathsError
from graphs.network import Network
from verify.cases.case import Case, Point
from verify.cases.hypotheses import Hypothesis, asks_case, asks_network
from verify.cases.on_network import drawn_on, on_network, with_one_of
from verify.cases.pieces_found import arrangements, edge_layers, layered
from verify.cases.scenes import PATH_CAP
from verify.cases.tensors import CaseError
from verify.core.claim import Claim, Kind
from verify.core.evidence import Outcome
from verify.core.ledger import statements
from verify.kinds.deep.layered import LIST, LayeredPool, arrays_of, as_network
from verify.language.sizes import OF_GRAPHS
from verify.search.admission import Admitted, admit
from verify.search.enclosing import PRECISIONS, judge_closely
from verify.search.judging import Judgement, Violation, judge_all
from verify.statements.stated import pool_of, pool_with

CASES = 4  # of each statement
SHRINK_STEPS = 20
MOST_EDGES = 400  # of a network on which statements are evaluated
ASKED_EDGES = 2000  # of one that hypotheses are asked of: many of them ask all pairs of edges
OF_LAYERS = OF_GRAPHS | {"real", "slope_left", "slope_right", "input"}
"""What a hypothesis asks for that knows nothing of weights; its inputs are those that are held."""
SECONDS = 60.0  # for all of them
EACH = 5.0  # seconds for one
ROLES = ("main", "repair", "other", "variant")  # in this order
ENCLOSED = f"enclosed at {PRECISIONS[0]} bits and not contradicted, which is no proof"
BESIDE = "not together with the hypotheses before it"
HELD_UP = (NetworkError, CaseError, NotRationalError, TooManyPathsError, PrecisionError)


class OutOfTimeError(Exception):
    """A statement takes longer than it may."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in what takes longer; in the main thread of a system with alarms."""
    if seconds <= 0:
        raise OutOfTimeError
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return

    def over(number: int, frame: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, over)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:  # the alarm may still go here
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Finding:
    """What is known of one statement on the network.

    outcome: holds, violated, not met, nothing (it speaks of what the network has not) or left out.
    entries, cases: how many numbers in how many cases were looked at. hypothesis: of one that is
    not met its name and text. definite: whether the network alone decides that. certificate,
    checker: of a violation. contradicted: whether two computations of it disagree. reason: in
    words, what else is to be said.
    """

    claim: Claim
    outcome: str
    entries: int = 0
    cases: int = 0
    hypothesis: tuple[str, str] = ("", "")
    definite: bool = False
    certificate: dict[str, Any] | None = None
    checker: str = ""
    accepted: bool = False
    contradicted: bool = False
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """As in the record of a check."""
        claim = self.claim
        return {
            "id": claim.id,
            "statement_id": claim.ledger_id,
            "paper": claim.source.paper,
            "place": statements()[claim.ledger_id].place,
            "title": claim.title,
            "statement": claim.statement,
            "role": claim.role.value,
            "kind": claim.kind.value,
            "outcome": self.outcome,
            "entries": self.entries,
            "cases": self.cases,
            "hypothesis": dict(zip(("name", "statement"), self.hypothesis, strict=True)),
            "definite": self.definite,
            "reason": self.reason,
            "certificate": self.certificate,
            "checker": self.checker,
            "accepted": self.accepted,
            "contradicted": self.contradicted,
        }


def about_networks(claim: Claim) -> bool:
    """Whether a claim is a statement, in the language, about a network with weights and data."""
    return claim.judged and claim.terms is not None and claim.terms.domain.network


def decided_on_one(claim: Claim) -> bool:
    """Whether one network can violate it: not a definition, a witness or a limit of the flow."""
    return claim.kind not in (Kind.DEFINITION, Kind.EXISTENCE, Kind.LIMIT, Kind.EXPECTATION)


@dataclass
class Check:
    """Registered statements on a network. weights, points: those of the user, if there are any.
    seconds: after so long the rest is left out."""

    network: Network
    weights: Sequence[Fraction] | None = None
    points: Sequence[Point] = ()
    seed: int = 0
    seconds: float = SECONDS
    known: dict[tuple[int, bool], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pairs = edge_layers(self.network)
        self.pieces = _each_kind_first(arrangements(self.network))
        self.layer = self._layer()
        self.names = layered(self.network) if self.layer is None else self.layer.choice[LIST]

    def findings(
        self, claims: Sequence[Claim], told: Callable[[int, int], None] = lambda done, total: None
    ) -> list[Finding]:
        """Of each of the claims that one network can violate."""
        asked = [one for one in claims if about_networks(one) and decided_on_one(one)]
        asked.sort(key=lambda one: ROLES.index(one.role.value))
        start, found = monotonic(), []
        for number, claim in enumerate(asked):
            told(number, len(asked))
            left = self.seconds - (monotonic() - start)
            try:
                with at_most(min(left, EACH)):
                    one = self.finding(claim)
            except OutOfTimeError:
                why = f"{self.seconds:g} seconds were over" if left < EACH else f"beyond {EACH:g} s"
                one = Finding(claim, "left out", reason=why)
            except (*HELD_UP, ArithmeticError, ValueError) as error:
                one = Finding(claim, "left out", reason=f"it cannot be computed here: {error}")
            found.append(one)
        return found

    def finding(self, claim: Claim) -> Finding:
        """Of one claim."""
        deep = isinstance(claim.pool, LayeredPool)
        base = self.layer if deep else None
        network = self.network if base is None else base.network
        if network.edge_count > ASKED_EDGES:
            why = f"more than {ASKED_EDGES} edges: its hypotheses are not asked"
            return Finding(claim, "left out", reason=why)
        failed = next((h for h in claim.hypotheses if self._fails(claim, h, network)), None)
        if failed is not None:
            told = failed.name, failed.statement
            return Finding(claim, "not met", hypothesis=told, definite=True)
        if network.edge_count > MOST_EDGES:
            why = f"more than {MOST_EDGES} edges: what it asks of the network is met; not evaluated"
            return Finding(claim, "left out", reason=why)
        random = Random(f"{self.seed}:{claim.id}")
        try:
            cases = [self._case(claim, random, number, network) for number in range(CASES)]
        except HELD_UP as error:
            return Finding(claim, "left out", reason=str(error))
        found = self._judged(claim, cases)
        why = "; ".join(text for text in (found.reason, self._partly(claim)) if text)
        return replace(found, reason=why) if found.outcome in ("holds", "not met") else found

    # cases ---------------------------------------------------------------------------------------
    def _layer(self) -> Case | None:
        """The network by layers under the names that statements about fully connected networks
        have for it; None where it is not fully connected with biases."""
        net = self.network
        try:
            case = drawn_on(net, Random(0), 1, self.weights)
            deep = arrays_of(with_one_of(case, {LIST: layered(net)}))
        except HELD_UP:
            return None
        return None if deep is None else as_network(deep)

    def _case(self, claim: Claim, random: Random, number: int, network: Network) -> Case:
        """The case of this number: the first with the weights and the points of the user."""
        assert claim.terms is not None
        assert claim.pool is not None
        n = claim.pool.examples[number % len(claim.pool.examples)]
        own = self._own_weights(network) if number == 0 or self.points else None
        case: Case = drawn_on(network, random, min(n, 3), own, self.points)
        case = self._chosen(claim, case, random, number)
        for hypothesis in () if self.points else claim.hypotheses:
            try:
                better = hypothesis.repair(case, random)
            except HELD_UP:
                continue
            if better.network == network and (own is None or better.weights == case.weights):
                case = on_network(better)
        return case

    def _own_weights(self, network: Network) -> Sequence[Fraction] | None:
        """The weights of the user, in the order of the parameters of a network that may be the
        renamed one."""
        if self.layer is None or network is not self.layer.network or self.weights is None:
            return self.weights
        return self.layer.weights

    def _chosen(self, claim: Claim, case: Case, random: Random, number: int) -> Case:
        """The case with the lists, arrays and steps that the statement speaks of."""
        assert claim.terms is not None
        domain = claim.terms.domain
        drawn: Any = pool_of(claim.terms).adapt
        if drawn is not None:
            case = drawn(case, random)
        special = getattr(claim.pool, "adapt", None)
        if special is not None:
            changed = special(case, random)
            case = on_network(changed) if changed.network == case.network else case
        if LIST in domain.lists:
            case = with_one_of(case, {LIST: self.names})
            if domain.measured:
                widths = {"n0": len(self.names[0]), "nL": len(self.names[-1])}
                beside = pool_with(*(one.term for one in domain.measured.values()))
                arrays = beside.draw_with({**case.lengths, **widths}, random, large=False)
                case = replace(case, arrays=arrays.arrays)
        elif "layers" in domain.lists and self.pairs:
            case = with_one_of(case, {"layers": self.pairs[number % len(self.pairs)]})
        elif self._of_pieces(claim):
            chosen = self.pieces[number % len(self.pieces)]
            free = {key: part for key, part in case.choice.items() if key not in domain.lists}
            wanted = {key: part for key, part in chosen.items() if key in {*domain.lists, "B", "V"}}
            case = replace(case, choice={**free, **wanted})
        return case

    def _of_pieces(self, claim: Claim) -> bool:
        """Whether a statement speaks of pieces, and the network has some."""
        assert claim.terms is not None
        return bool(self.pieces) and {*claim.terms.domain.lists} <= {*self.pieces[0], "I", "K"}

    def _partly(self, claim: Claim) -> str:
        """In words, that a statement was asked of the first pairs of layers or pieces alone."""
        assert claim.terms is not None
        lists = claim.terms.domain.lists
        if LIST in lists:
            return ""
        count, what = 0, ""
        if "layers" in lists and self.pairs:
            count, what = len(self.pairs), "pairs of layers"
        elif lists and self._of_pieces(claim):
            count, what = len(self.pieces), "pieces"
        return f"{CASES} of {count} {what} were looked at" if count > CASES else ""

    # judging -------------------------------------------------------------------------------------
    def _fails(self, claim: Claim, hypothesis: Hypothesis, network: Network) -> bool:
        """Whether a hypothesis asks nothing but the network (and its layers, which it has but in
        one way), and the network does not meet it."""
        term = None if claim.terms is None else claim.terms.given.get(hypothesis.name)
        asked = asks_network(hypothesis)
        if asked is None and term is not None and term.operators <= OF_LAYERS:
            fields = {one.name for one in term.fields}
            asked = asks_case(hypothesis) if fields <= {LIST} else None
        if asked is None:
            return False
        key = (id(hypothesis) if term is None else id(term), network is self.network)
        if key not in self.known:
            cases = (drawn_on(network, Random(number), 1) for number in range(2))
            try:
                self.known[key] = any(
                    asked(with_one_of(case, {LIST: self.names})) for case in cases
                )
            except HELD_UP:
                self.known[key] = True  # not decided; the cases will tell
        return not self.known[key]

    def _judged(self, claim: Claim, cases: Sequence[Case]) -> Finding:
        judged = judge_all(claim, cases)
        smooth, closely = not self.network.homogeneous, ""
        if smooth and not claim.exact_only and not any(one.admitted for one in judged):
            try:
                judged = [judge_closely(claim, case) for case in cases]
                closely = ENCLOSED
            except HELD_UP as error:
                return Finding(claim, "left out", reason=str(error))
        entries = sum(one.admitted for one in judged)
        met = sum(one.admitted > 0 for one in judged)
        broken = next((one.violations[0] for one in judged if one.violations), None)
        if broken is not None:
            return self._violated(claim, broken, entries, met)
        if entries:
            return Finding(claim, "holds", entries, met, reason=closely)
        return self._unmet(claim, cases, judged, smooth=smooth)

    def _violated(self, claim: Claim, violation: Violation, entries: int, met: int) -> Finding:
        if not isinstance(violation.value, Fraction) and not violation.case.network.homogeneous:
            why = "enclosed; there is no certificate where activations are smooth"
            return Finding(claim, "violated", entries, met, reason=why)
        found = admit(claim, on_network(violation.case), SHRINK_STEPS)
        if isinstance(found, Admitted):
            told, accepted = str(found.checker["message"]), True
        elif found.outcome is Outcome.VIOLATES:
            told, accepted = found.reason, False
        else:
            wrong = found.outcome is Outcome.ERROR
            return Finding(claim, "left out", entries, met, contradicted=wrong, reason=found.reason)
        certificate = found.certificate
        return Finding(
            claim,
            "violated",
            entries,
            met,
            certificate=certificate,
            checker=told,
            accepted=accepted,
        )

    def _unmet(
        self, claim: Claim, cases: Sequence[Case], judged: Sequence[Judgement], *, smooth: bool
    ) -> Finding:
        """Which hypothesis no case met, or that there was nothing to look at."""
        count = len(claim.hypotheses)
        left = min((one.unmet for one in judged if one.unmet), default=0)
        if 0 < left <= count:
            one = claim.hypotheses[count - left]
            why = BESIDE if left < count else ""
            return Finding(claim, "not met", hypothesis=(one.name, one.statement), reason=why)
        for hypothesis in claim.hypotheses:
            asked = asks_case(hypothesis)
            if asked is not None and not any(_met(asked, case) for case in cases):
                told = hypothesis.name, hypothesis.statement
                return Finding(claim, "not met", hypothesis=told)
        if smooth:
            why = "smooth activations have no exact values, and it is judged exactly"
            return Finding(claim, "left out", reason=why)
        if any(one.unmet for one in judged):
            return Finding(claim, "nothing", reason="the network has nothing that it speaks of")
        return Finding(claim, "left out", reason=f"not evaluated: more than {PATH_CAP} paths")


def _met(asked: Callable[[Any], bool], case: Case) -> bool:
    try:
        return asked(case)
    except HELD_UP:
        return False


def _each_kind_first(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Arrangements in their order, but the first of each kind before the others."""
    seen: dict[str, int] = {}
    for number, one in enumerate(found):
        seen.setdefault(one["kinds"], number)
    first = set(seen.values())
    return [found[k] for k in sorted(range(len(found)), key=lambda k: k not in first)]
