"""Claims as data: what a claim of the language is measured by, where its cases come from, and how
they are made to meet its hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from graphs.dyadic import DYADICS
from graphs.errors import NotRationalError
from graphs.rationals import RATIONALS
from verify.cases.case import Case
from verify.cases.hypotheses import Change, Hypothesis, by_case
from verify.cases.pool import HOMOGENEOUS_MIX, Pool, activation_of
from verify.cases.step_choices import choose_steps
from verify.cases.tensor_pool import TensorPool
from verify.core.argument import Argument
from verify.core.claim import Claim, Kind, Source
from verify.core.instance import Supply
from verify.core.losses import PRESCRIBED
from verify.language.choices import with_lists
from verify.language.columns import plain
from verify.language.domains import Array, Domain
from verify.language.evaluation import Evaluation
from verify.language.latex import formula, names_in
from verify.language.lowering import lowered
from verify.language.proofs import Derivation, Proof, certificate
from verify.language.sizes import of_graph
from verify.language.sorts import INT
from verify.language.statements import Statement, decided
from verify.language.terms import Term

if TYPE_CHECKING:
    from verify.core.claim import Measure

MOST_NETWORKS = 10_000  # of which an answer is kept
TRIES = 24  # cases drawn for one that meets a hypothesis


@dataclass(frozen=True, eq=False)
class Given:
    """A hypothesis: its name, as a term, and as the paper writes it (its formula, where nothing is
    said). repair, break_: how a case is made to meet it, or not to; where they are not told, cases
    are drawn until one does. built_in: whether every case of the domain meets it, so that none is
    made not to. thin: as of a Hypothesis."""

    name: str
    holds: Term
    text: str = ""
    repair: Change | None = None
    break_: Change | None = None
    thin: bool = False
    built_in: bool = False


def stated(
    id: str,  # noqa: A002 - as of a claim
    source: Source,
    title: str,
    text: str,
    says: Term,
    given: Sequence[Given] = (),
    *,
    flow: Mapping[str, Term] | None = None,
    activations: tuple[str, ...] = (),
    kind: Kind | None = None,
    pool: Supply | None = None,
    proof: Callable[[], Argument] | None = None,
    proofs: Sequence[Callable[[Proof], Any]] = (),
    exact_only: bool = False,
    **others: Any,
) -> Claim:
    """The claim that a statement of the language makes.

    text: as printed. activations: see Domain. kind: where the form of the statement does not tell
    it. pool: its cases, where they are not drawn by the axes of its arrays alone. proof: makes an
    argument for it. proofs: what adds the steps that prove each leaf, in their order. exact_only:
    whether its cases are for exact numbers alone, whatever it says. others: as of Claim. Raises
    TermError.
    """
    named = {one.name: one.holds for one in given}
    statement = Statement(id, says, named, flow or {}, activations)
    cases = pool_of(statement) if pool is None else pool
    asked = tuple(_hypothesis(statement, one, cases) for one in given)
    if activations:
        asked = (_of_kinds(statement.domain.activations), *asked)
    exists, limit = kind is Kind.EXISTENCE, kind is Kind.LIMIT
    return Claim(
        id,
        kind or (Kind.INEQUALITY if statement.ordered else Kind.IDENTITY),
        source,
        title,
        text,
        asked,
        measure=measure_of(statement, kind),
        pool=cases,
        proof=partial(argued, says, proof) if proof else None,
        exact_only=exact_only or exists or limit or not statement.in_floats,
        terms=statement,
        derivation=partial(proved, statement, *proofs) if proofs else None,
        **others,
    )


def _of_kinds(kinds: tuple[str, ...]) -> Hypothesis:
    """That the activations are those of the domain."""

    def unfit(case: Case) -> list[int]:
        net = case.network
        return [
            v
            for v in (*net.inner, *net.outputs)
            if net.activations[v].kind not in (*kinds, *["linear"] * (v in net.outputs))
        ]

    def repair(case: Case, random: Random) -> Case:
        pool = Pool(activations=kinds)
        return case.with_activations({v: activation_of(pool, random) for v in unfit(case)})

    told = ", ".join(kind.replace("_", " ") for kind in kinds)
    return Hypothesis(
        "activations",
        f"hidden vertices have the activation {told}; so have outputs, or they are linear",
        by_case(lambda case: not unfit(case), "network"),
        repair,
    )


def measure_of(statement: Statement, kind: Kind | None) -> Measure:
    """What a statement is measured by, as a claim of a kind."""
    if kind is Kind.EXISTENCE:
        return statement.witnesses
    return statement.truths if kind is Kind.LIMIT else statement.measure


def argued(says: Term, argue: Callable[[], Argument]) -> Argument:
    """The argument for a statement: what it argues for is what that says, unless it is told."""
    argument = argue()
    return argument if argument.goal is not None else replace(argument, goal=says)


def proved(statement: Statement, *steps: Callable[[Proof], Any]) -> Derivation:
    """The proof of a statement. steps: what adds those of each leaf, in their order."""
    proofs = []
    for leaf, add in enumerate(steps):
        proofs.append(Proof(statement, leaf))
        add(proofs[-1])
    told = tuple(line for proof in proofs for line in proof.told)
    return Derivation(certificate(statement, *proofs), told)


def in_words(term: Term) -> str:
    """The formula of a term, between dollars."""
    return f"${formula(term, names_in(term))}$"


def pool_of(statement: Statement) -> Pool | TensorPool:
    """Where the cases of its domain come from; with steps of gradient descent, if it speaks of
    any."""
    domain = statement.domain
    if domain.network:
        chooses = partial(_with_choices, statement)
        needed = domain.arrays or statement.makes_steps
        kinds = domain.activations or HOMOGENEOUS_MIX
        return Pool(activations=kinds, losses=(PRESCRIBED,), adapt=chooses if needed else None)
    return _arrays_of(domain)


def _arrays_of(domain: Domain) -> TensorPool:
    """Where its arrays come from."""
    arrays = [array for _, array in sorted(domain.measured.items())]
    return TensorPool(
        tuple((array.name, array.axes) for array in arrays if array.sort != INT),
        tuple((array.name, array.least, array.largest) for array in arrays if array.sort == INT),
    )


def _with_choices(statement: Statement, case: Case, random: Random) -> Case:
    domain = statement.domain
    if domain.lists:
        case = with_lists(domain, case, random)
    if domain.measured:
        drawn = _arrays_of(domain).draw_with(case.lengths, random, large=False)
        case = replace(case, arrays=drawn.arrays)
    return choose_steps(case, random) if statement.makes_steps else case


def pool_with(*arrays: Term, largest: int = 4, adapt: Change | None = None) -> TensorPool:
    """Cases that hold these arrays, with axes of at most some length, and changed at last."""
    fields = [term.args[0] for term in arrays]
    return TensorPool(
        tuple((one.name, one.axes) for one in fields if one.sort != INT),
        tuple((one.name, one.least, one.largest) for one in fields if one.sort == INT),
        largest,
        adapt,
    )


def _hypothesis(statement: Statement, given: Given, pool: Supply) -> Hypothesis:
    """A hypothesis: asked of the term, met and broken by drawing until it is."""
    batch = statement.hypothesis(given.name)
    of_network = of_graph(given.holds) and "field" not in given.holds.operators
    domain = statement.domain

    known: dict[Any, bool] = {}  # by the network, where no more is asked

    def met(case: Any) -> bool:
        """Asked of the exact case, whatever arithmetic it is looked at in."""
        if _of_one_loss(case):
            return True
        if of_network and case.network in known:
            return known[case.network]
        found = bool(batch(type(case).scene([case], RATIONALS))[0])
        if of_network and len(known) < MOST_NETWORKS:
            known[case.network] = found
        return found

    def _of_one_loss(case: Any) -> bool:
        """Whether a hypothesis that the domain has built in asks for slopes of a loss that has a
        name: then they are of one loss, but no rationals."""
        named = getattr(case, "loss", PRESCRIBED) != PRESCRIBED
        return named and given.built_in and "loss_slope" in given.holds.operators

    def together(scene: Any) -> np.ndarray:
        """Of all cases of a scene."""
        if _of_one_loss(scene.cases[0]):
            return np.ones(len(scene.cases), dtype=bool)
        term = lowered(given.holds, statement.flow)
        dyadic = domain.network and not domain.smooth and decided(term)
        exact = exact_scene(scene, dyadic=dyadic)
        try:
            return batch(exact)
        except NotRationalError:  # some of them have no exact form
            if len(scene.cases) == 1:
                raise
        return np.array([_met_exactly(met, case) for case in exact.cases], dtype=bool)

    solved = solution_of(given.holds)

    def drawn(case: Any, random: Random, *, wanted: bool) -> Any:
        n, loss = getattr(case, "example_count", 1), getattr(case, "loss", PRESCRIBED)
        for _ in range(TRIES):
            case = solved(case) if wanted and solved is not None else case
            if met(case) == wanted:
                return case
            case = pool.draw(random, n=n, loss=loss, large=False)
        return case

    break_ = given.break_ or (lambda case, random: drawn(case, random, wanted=False))
    return Hypothesis(
        given.name,
        given.text or in_words(given.holds),
        by_case(met, *["network"] * of_network, together=together),
        given.repair or (lambda case, random: drawn(case, random, wanted=True)),
        None if given.built_in else break_,
        given.thin,
    )


def unless(holds: Term, change: Change) -> Change:
    """A change of the cases of which a relation is not true."""
    met = true_of(holds)
    return lambda case, random: case if met(case) else change(case, random)


EXACT: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""By a scene that is not exact the exact one of its cases."""


def exact_scene(scene: Any, *, dyadic: bool) -> Any:
    """The same cases in an arithmetic in which every comparison is decided. dyadic: whether
    that may be the one of short dyadic numbers."""
    if not hasattr(scene, "arithmetic"):  # cases alone
        return type(scene.cases[0]).scene(scene.cases, RATIONALS)
    if scene.arithmetic is RATIONALS or (dyadic and scene.arithmetic is DYADICS):
        return scene
    if scene not in EXACT:
        EXACT[scene] = type(scene.cases[0]).scene(scene.cases, RATIONALS)
    return EXACT[scene]


def _met_exactly(met: Callable[[Any], bool], case: Any) -> bool:
    try:
        return met(case)
    except NotRationalError:
        return False


def true_of(term: Term) -> Callable[[Any], bool]:
    """Whether a relation is true of a case."""

    def met(case: Any) -> bool:
        column = Evaluation.of(type(case).scene([case], RATIONALS)).column(term)
        return bool(column.defined[0] and column.values[0])

    return met


def solution_of(term: Term) -> Callable[[Any], Any] | None:
    """How a case is changed so that it meets a hypothesis of the form `A == A.T`, or `A == ...` of
    what A does not stand in; None for another one."""
    if term.op != "eq" or term.args[0].op != "field":
        return None
    array, other = term.args[0].args[0], term.args[1]
    if other.op == "transpose" and other.args[0].op == "field" and other.args[0].args[0] == array:
        return partial(symmetrised, array)
    if array in other.fields or array.sort == INT:
        return None
    return partial(_assigned, array, other)


def symmetrised(array: Array, case: Any) -> Any:
    """The case with the sum of a matrix and its transpose, where that is square."""
    old = case.arrays[array.name]
    if len(set(old.shape)) != 1:
        return case
    size, entries = old.shape[0], old.entries
    if all(entries[i * size + j] == entries[j * size + i] for i in range(size) for j in range(i)):
        return case
    places = ((i, j) for i in range(size) for j in range(size))
    total = tuple(entries[i * size + j] + entries[j * size + i] for i, j in places)
    return case.with_entries(**{array.name: total})


def _assigned(array: Array, other: Term, case: Any) -> Any:
    """The case with an array as an equation has it, where that is rational and of its shape."""
    old = case.arrays[array.name]
    column = Evaluation.of(type(case).scene([case], RATIONALS)).column(other)
    if not column.defined[0]:
        return case
    found = plain(column.values, other.sort, 0)
    shape, entries = ((), (found,)) if old.shape == () else (tuple(found[0]), found[1:])
    if shape != old.shape or not all(isinstance(entry, Fraction) for entry in entries):
        return case
    return case.with_entries(**{array.name: entries})
