"""What a claim is: one checkable statement of one version of one paper, as printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from verify.core.ledger import Role, statement_id, statements

if TYPE_CHECKING:
    from verify.cases.flow_observables import LimitObservable
    from verify.cases.hypotheses import Hypothesis
    from verify.cases.scenes import Entries
    from verify.core.argument import Argument
    from verify.core.examples import Examples
    from verify.core.exclusion import Exclusion
    from verify.core.experiment import Experiment
    from verify.core.instance import Supply
    from verify.kinds.statistics.exponents import Exponents
    from verify.kinds.statistics.rate import Rate
    from verify.kinds.statistics.sampling import Sampled
    from verify.language.proofs import Derivation
    from verify.language.statements import Statement

    Measure = Callable[[Any], Entries]  # of the scene of the instances that the pool supplies


class Kind(Enum):
    """How a claim is measured. The value is the word used in records."""

    IDENTITY = "identity"  # every residual is 0
    INEQUALITY = "inequality"  # every slack is at least 0
    LAW = "law"  # every defect (rate of change along the flow) is 0
    LIMIT = "limit"  # as t -> infinity, or for all t with one constant; 0 where a solution obeys
    RATE = "rate"  # how fast something grows along a ladder of sizes, fitted
    EXPECTATION = "expectation"  # of an expectation or long-run average, exact or sampled
    EXPERIMENT = "experiment"  # what a paper cites or shows, run again and compared
    EXISTENCE = "existence"  # some case has a non-zero entry: a witness
    DEFINITION = "definition"  # names an object; judged, if at all, on whether it exists
    ASSUMPTION = "assumption"  # a predicate that other claims use; not judged


@dataclass(frozen=True)
class Source:
    """Where a statement is printed."""

    paper: str
    version: str
    reference: str
    file: str = ""  # of claims of one's own: where they are stated


@dataclass(frozen=True)
class Claim:
    """One statement, its hypotheses, and the formula that measures it.

    id: the ledger's, with `.part` and `@reading` where the print has parts and readings. statement:
    text with LaTeX between dollars. measure: from a scene (a batch of cases in some arithmetic) the
    entries that must be 0 (for an inequality: at least 0; for existence: of which one must not be);
    None for a definition or assumption that is not judged. pool: the cases it speaks of.
    exact_only: the measure inspects graphs or branches on numbers, or has real values that no
    float64 enclosure knows, so it has no float or symbolic form. trusted: cited results that an
    argument for it rests on. repairs: the id of the claim that this one mends. observable: of a
    statement about a limit, what is looked at along computed flows.
    experiment: what runs it again; it supports, contradicts or leaves open, no more. rate: what is
    fitted along a ladder of sizes; likewise. sampled: what is drawn of a mean; likewise. exponents:
    what is told apart along ladders of widths; likewise, but that an order along these widths
    may be contradicted. excluded: which hypothesis nothing meets beside the others, by
    claims that are proved. negated: what fails where it fails, as a clause, if its kind alone does
    not say that (verify.core.negation). examples: of a definition or assumption, named cases and
    which parts of it they meet. through: where the measure is not the printed sentence but a
    consequence of it (an exponent, an order, a limit on a solution, a closed form), the lemma that
    leads from one to the other, as a clause with its section of docs/mathematics; a refutation
    is then one by argument. why: of a statement that is false, one sentence that tells a reader of
    the paper why, in the paper's letters. quantity: what a value of the measure is, as a noun,
    where it is not the difference of two sides of the statement. only: where the hypotheses leave
    but a part of what the statement speaks of, that part, as a clause: a verdict is one about it.
    terms: the statement in the language, from which its measure and its hypotheses are made, and
    which tells whether it can be expanded. derivation: what makes a proof of that statement, which
    the checker replays.
    """

    id: str
    kind: Kind
    source: Source
    title: str
    statement: str
    hypotheses: tuple[Hypothesis, ...] = ()
    depends: tuple[str, ...] = ()
    measure: Measure | None = None
    pool: Supply | None = None
    reading: str | None = None
    reading_text: str | None = None
    repairs: str | None = None
    exact_only: bool = False
    proof: Callable[[], Argument] | None = None
    trusted: tuple[str, ...] = ()
    observable: LimitObservable | None = None
    experiment: Experiment | None = None
    rate: Rate | None = None
    sampled: Sampled | None = None
    exponents: Exponents | None = None
    excluded: Exclusion | None = None
    negated: str = ""
    examples: Examples | None = None
    through: str = ""
    why: str = ""
    quantity: str = ""
    only: str = ""
    terms: Statement | None = None
    derivation: Callable[[], Derivation] | None = None

    @property
    def ledger_id(self) -> str:
        """The id of the printed statement that this is about. Raises KeyError, see the ledger."""
        return statement_id(self.id)

    @property
    def role(self) -> Role:
        """What this is to the printed statement. Raises KeyError, see the ledger."""
        return statements()[self.ledger_id].role_of(self.id, self.repairs)

    def record_of(self, case: Any) -> dict[str, Any]:
        """A case as it is shown: with the lists that the statement names."""
        shown = case if self.terms is None else self.terms.named_in(case)
        record: dict[str, Any] = shown.to_json()
        return record

    @property
    def judged(self) -> bool:
        """Whether the claim gets a verdict of its own."""
        return self.measure is not None
