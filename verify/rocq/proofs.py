"""Proofs of statements for Rocq: the statement for all cases, proved by the steps of the proof.

The theorem is the statement over an arbitrary ordered field, for all sizes from 1 on. Each step
becomes a proposition that Rocq proves. Of `eigenvalues` and `norm` nothing is known there but the
trusted lemmas that the proof uses; these are conditions of the theorem. Every term has a value in
Rocq, x/0 is 0; that what is said has one by docs/language.md is the checker's part.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from verify.checker.budget import Budget
from verify.checker.instances import Instances
from verify.checker.known import ways
from verify.checker.lemmas import LEMMAS, Lemma
from verify.checker.nodes import placed
from verify.checker.normal import Normal
from verify.checker.reading import Statement, read
from verify.checker.sorts import MAT, VEC, Sort
from verify.checker.terms import Node
from verify.rocq.fields import AND, ONE, Fields, size_name, type_of_sort
from verify.rocq.names import comment, identifier
from verify.rocq.source import NotExported, Source
from verify.rocq.steps import Script, Step
from verify.rocq.terms import field_name

UNKNOWN = {
    "eigenvalues": "forall n, 'M[R]_(n, n) -> seq R",
    "norm": "forall m n, 'M[R]_(m, n) -> R",
}
"""Of what nothing is known but what the lemmas say."""
PROVED = {
    "sign": [
        "move=> x; rewrite -numEsg; split=> //; split; last exact: normr_ge0",
        "by rewrite sqr_sg; case: eqP => [->|_]; rewrite ?normr0 ?mulr0 ?mul1r",
    ],
}
"""Definitions of the page that Rocq proves of its own operators."""


def export_proof(certificate: dict[str, Any]) -> str:
    """The source of an accepted proof. Raises NotExported."""
    statement = read(Budget(), certificate["statement"], descends=False)
    if statement.domain.network:
        raise NotExported("no Rocq form of a proof about networks is known here")
    if statement.velocities:
        raise NotExported("no Rocq form of a proof about a flow is known here")
    used: dict[str, Lemma] = {}
    proof = _proof(statement, placed(statement.says, ()), certificate["proof"], used)
    source, fields = Source(), Fields(statement.domain.fields)
    source.lines += [
        comment(f"{statement.name}: proof, from a certificate of Lemmata"),
        *files(__package__).joinpath("ordered_fields.v").read_text(encoding="ascii").splitlines(),
    ]
    _write_lemmas(source, used)
    given = _write_statement(source, statement, fields)
    trusted = [name for name in used if name not in PROVED]
    conditions = [*(identifier("lemma", name) for name in trusted), "statement"]
    names = [*(identifier("by", name) for name in trusted), *given]
    source.remark("by the steps of the proof")
    source.sentence(f"Theorem proved : {' -> '.join(conditions)}.")
    source.lines.append("Proof.")
    source.sentence(f"move=> {' '.join(names)}." if names else "idtac.")
    for line in proof:
        source.sentence(line)
    source.lines += ["Qed.", "End Proofs.", "", "Print Assumptions proved."]
    return source.text()


def _proof(
    statement: Statement, says: Node, steps: list[list[Step]], used: dict[str, Lemma]
) -> list[str]:
    """The sentences that prove what is said, leaf by leaf."""
    made = [
        Script(statement, place, used).prove(leaf, steps[place])
        for place, (_, leaf) in enumerate(ways(says))
    ]

    def joined(part: Node) -> list[str]:
        if part.operator != "and":
            return made.pop(0)
        parts = [["{", *(f"  {line}" for line in joined(one)), "}"] for one in part.arguments]
        return ["split.", *parts[0], *parts[1]]

    return joined(says)


def _write_lemmas(source: Source, used: dict[str, Lemma]) -> None:
    """What the proof uses: of trusted lemmas what they say, of others also a proof."""
    source.remark("what of these numbers is supposed")
    for name, kind in UNKNOWN.items():
        source.sentence(f"Variable {name} : {kind}.")
    for name, lemma in used.items():
        if name not in PROVED and name not in LEMMAS:
            raise NotExported(f"no Rocq form of the lemma {name} is known here")
        source.remark(f"{name}: {lemma.words}")
        source.define(identifier("lemma", name), "", "Prop", _lemma(lemma))
        if name in PROVED:
            source.prove(identifier("by", name), identifier("lemma", name), PROVED[name])


def _lemma(lemma: Lemma) -> str:
    """What a lemma says."""
    instances, fields = Instances(Budget(), Normal(Budget(), {}), {}), Fields({})
    values, binders = [], []
    for number, taken in enumerate([*lemma.takes.values(), *lemma.makes.values()]):
        of = () if isinstance(taken, Sort) else taken
        sort = taken if isinstance(taken, Sort) else MAT if len(of) > 1 else VEC
        values.append(Node("var", (), number, sort, False))
        if of:
            fields.shapes[number] = (of[0], of[1] if len(of) > 1 else ONE)
        binders.append(f"(v{number} : {type_of_sort(sort, of)})")
    shaped = [one for one in lemma.takes.values() if not isinstance(one, Sort)]
    axes = dict.fromkeys(axis for one in shaped for axis in one)
    needs, gives = (
        [fields.says(instances.instance(term, lemma, values)) for term in terms]
        for terms in (lemma.needs, lemma.gives)
    )
    made = binders[len(lemma.takes) :]
    sizes = [f"({' '.join(axes)} : nat)"] if axes else []
    given = [*(f"(0 < {axis})%N" for axis in axes), *needs]
    says = f"{''.join(f'exists {one}, ' for one in made)}{AND.join(gives)}"
    return (
        f"forall {' '.join([*sizes, *binders[: len(lemma.takes)]])}, {' -> '.join([*given, says])}"
    )


def _write_statement(source: Source, statement: Statement, fields: Fields) -> list[str]:
    """The statement; the names of what it supposes, in order."""
    domain = statement.domain.fields
    sizes = dict.fromkeys(size_name(axis) for field in domain.values() for axis in field.axes)
    said, names = ([f"forall ({' '.join(sizes)} : nat), "] if sizes else []), [*sizes]
    for size in sizes:
        said.append(f"(0 < {size})%N -> ")
        names.append(f"some_{size}")
    for name, field in domain.items():
        kind = type_of_sort(field.sort, [size_name(axis) for axis in field.axes])
        said.append(f"forall {field_name(name)} : {kind}, ")
        names.append(field_name(name))
    for number, holds in enumerate(statement.hypotheses.values()):
        said.append(f"{fields.says(placed(holds, ()))} -> ")
        names.append(f"f{number}")
    said.append(fields.says(placed(statement.says, ())))
    source.remark("; ".join(["the statement", *(f"supposed: {n}" for n in statement.hypotheses)]))
    source.define("statement", "", "Prop", "".join(said))
    return names
