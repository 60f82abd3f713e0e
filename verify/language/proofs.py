"""Writing proofs of statements: each method adds a step to the record that the checker replays.

`Proof(statement)` takes the statement apart as docs/language.md says: `elements` are those of the
`each` on the way to the leaf, `way` the facts that they are in their lists and that the conditions
hold, `given` the hypotheses by name, `goal` the leaf, `told` the facts so far in words and
formulas. A step returns the fact that it adds. Whether it is right, the checker tells: nothing is
checked here.

    proof = Proof(statement)
    square, positive = proof.lemma("norm", M=Y)
    proof.algebra(norm(Y) ** 2 >= 0, {(positive, positive): 1})
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.language.latex import formula
from verify.language.proof_facts import FACTS, MAKING
from verify.language.sorts import EDGE, VEC, VERTEX, seq
from verify.language.statements import FORMAT, VERSION, Statement
from verify.language.terms import Body, Term, lifted, make, substituted, to_json, variable

Step = dict[str, Any]
Premises = Sequence["Fact"]
Coefficient = int | Fraction | Term


@dataclass(frozen=True, eq=False)
class Fact:
    """A fact: its number among those that are known, and what it says."""

    number: int
    term: Term


Use = Fact | tuple[Fact, ...]
Uses = Mapping[Use, Coefficient]
"""What a relation is combined of."""
LETTERS = {"vec": "x", "mat": "M", "vertex": "v", "edge": "e", "int": "k", "path": "p", "num": "c"}
"""How a new element is called, by its sort."""
WORDS = {
    "algebra": "by algebra",
    "same": "equals in place of equals",
    "rate": "the derivative",
    "sum": "summed",
    "prod": "multiplied",
    "places": "place by place",
    "along": "by induction along the network",
    "at": "of one element",
    "part": "a part",
    "filtered": "as one of those for which it is true",
    "some": "counted",
    "values": "have values",
    "branch": "as its condition tells",
    "then": "its condition being known",
    "each": "for all of the list",
    "suppose": "from what was supposed",
    "cases": "in either case",
    "both": "from both sides",
    "absurd": "from a contradiction",
    "other": "what is left",
}
"""What a rule does, in words."""


class Proof:
    """The proof of one leaf of a statement."""

    def __init__(self, statement: Statement, leaf: int = 0) -> None:
        self._steps: list[Step] = []
        self._count = 0
        self.made = variable(VEC)  # the vector that the last lemma made, if it was one that does
        self._scope: list[Term] = []
        self.told: list[str] = []
        self._depth = 0
        self._names: dict[int, str] = {}
        self.given: dict[str, Fact] = {
            name: self._known(term, f"hypothesis: {name}") for name, term in statement.given.items()
        }
        self.elements: list[Term] = []
        self.way: list[Fact] = []
        self.goal = self._leaf(statement.says, leaf)

    def _leaf(self, term: Term, leaf: int) -> Term:
        if term.op == "and":
            count = leaves(term.args[0])
            first = leaf < count
            return self._leaf(term.args[not first], leaf if first else leaf - count)
        if term.op == "implies":
            self.way.append(self._known(term.args[0], "supposed"))
            return self._leaf(term.args[1], leaf)
        if term.op == "each":
            element, member = self._element(term.args[0])
            self.elements.append(element)
            self.way.append(member)
            return self._leaf(_at(term, element), leaf)
        return term

    def _known(self, term: Term, why: str, step: Step | None = None) -> Fact:
        premises = ", ".join(f"({number})" for number in _premises(step or {}))
        told = f"({self._count}) ${formula(term, self._names)}$, {why}"
        self.told.append("\u00b7 " * self._depth + told + (f" from {premises}" if premises else ""))
        self._count += 1
        return Fact(self._count - 1, term)

    def _element(self, many: Term) -> tuple[Term, Fact]:
        element = self._new(variable(many.sort.inner[0]))
        return element, self._known(make("in", element, many), "supposed")

    def _new(self, element: Term) -> Term:
        """A new element, and a name for it."""
        letter = LETTERS.get(element.sort.name, "s")
        count = sum(name.startswith(letter) for name in self._names.values())
        self._names[element.args[0]] = f"{letter}_{count}" if count else letter
        self._scope.append(element)
        return element

    # steps ---------------------------------------------------------------------------------------
    def algebra(self, holds: Term, uses: Uses, squares: Sequence[Any] = ()) -> Fact:
        """A relation as a combination: by a fact, or facts that are multiplied, the factor; of an
        equation the factor may be a term. squares: terms, each with factor 1, or (factor, term), or
        (factor, term, facts that it is multiplied by)."""
        items: list[Step] = []
        for use, factor in uses.items():
            facts = use if isinstance(use, tuple) else (use,)
            if len(facts) == 1 and facts[0].term.op == "eq":
                items.append({"times": self._json(factor), "equal": facts[0].number})
            else:
                items.append({"times": self._json(factor), "of": _numbers(facts)})
        for square in squares:
            one, term, *by = square if isinstance(square, tuple) else (1, square)
            item: Step = {"times": self._json(one), "squares": [self._json(term)]}
            items.append(item | ({"of": _numbers(by)} if by else {}))
        return self._step("algebra", holds, sum=items)

    def times(self, equation: Fact, factor: Coefficient) -> Fact:
        """Both sides of an equation times a factor."""
        one, other = equation.term.args
        return self.algebra(factor * one == factor * other, {equation: factor})

    def same(self, holds: Term, by: Premises, of: Fact | None = None) -> Fact:
        """Equals in place of equals."""
        more = {} if of is None else {"of": of.number}
        return self._step("same", holds, by=_numbers(by), **more)

    def rate(self, moved: Term, derivative: Any) -> Fact:
        """What the rate of a term is."""
        return self._step("rate", make("rate", moved) == derivative)

    def sum(self, of: Fact) -> Fact:
        """The sums of the two sides of a relation that holds for all elements of a list."""
        many, body = of.term.args
        one, other = (_sum(many, body, side) for side in body.term.args)
        return self._step("sum", make(body.term.op, one, other), of=of.number)

    def prod(self, of: Fact) -> Fact:
        """The products of the two sides of an equation that holds for all elements of a list, that
        of a product being the product of those of its factors; or that a product is not below 0."""
        many, body = of.term.args
        one, other = body.term.args
        right = other if body.term.op == "ge" else _prod(many, body, other)
        return self._step("prod", make(body.term.op, _prod(many, body, one), right), of=of.number)

    def places(self, over_places: Term, over_elements: Term) -> Fact:
        """A sum over the places of a list as one over the list."""
        return self._step("places", over_places == over_elements)

    def along(
        self,
        holds: Term,
        form: Callable[[Term, Term], Term],
        prove: Callable[[Term, Term, Fact, Term], Fact],
    ) -> Fact:
        """That a recursion along the network has a value, by a closed form.

        form: of a vertex and a path from there. prove: of these, the fact that the path begins at
        the vertex, and what the recursion makes there of the closed form at the vertices before,
        that it is the closed form.
        """
        end, body = holds.args[0].args
        shape = make("along", end, lambda u, path, before: form(u, path))
        told = self._json(shape)
        with self._within() as steps:
            u, path = self._new(variable(VERTEX)), self._new(variable(seq(EDGE)))
            begins = make("if", make("card", path) == 0, end, make("tail", path[1])) == u
            fact = self._known(begins, "the path begins there")

            def longer(e: Term) -> Term:
                return form(make("tail", e), make("concat", make("list", e), path))

            before = make("map", make("into", u), longer)
            found = body.term
            for one, value in zip(body.variables, (u, path, before), strict=True):
                found = substituted(found, one, value)
            prove(u, path, fact, found)
        return self._step("along", holds, form=told, steps=steps)

    def at(self, of: Fact, member: Fact) -> Fact:
        """What holds for all elements of a list, for the one that a fact says is in it."""
        element = member.term.args[0]
        more = {"of": of.number, "member": member.number, "element": self._json(element)}
        return self._step("at", _at(of.term, element), **more)

    def filtered(self, of: Fact) -> Fact:
        """Of an element of a filtered list: that it is in the list, and what is asked of it."""
        element, chosen = of.term.args
        many, body = chosen.args
        asked = substituted(body.term, body.variables[0], element)
        return self._step("filtered", make("in", element, many) & asked, of=of.number)

    def some(self, holds: Term, of: Fact) -> Fact:
        """That something is in a list, or true of an element, as that it is so at least once,
        counted; or the other way."""
        return self._step("some", holds, of=of.number)

    def values(self, every: Term, of: Fact | None = None) -> Fact:
        """Of `each(L, t == t)`, that t has a value for each of the list, as what is made of all of
        these in the leaf or in a fact has one."""
        return self._step("values", every, of="leaf" if of is None else of.number)

    def part(self, of: Fact, place: int) -> Fact:
        """One part of `and`, 0 or 1."""
        return self._step("part", of.term.args[place], of=of.number)

    def conjunct(self, of: Fact, wanted: Term) -> Fact:
        """A part of `and`, however deep, that is this term. Raises LookupError."""
        if self._json(of.term) == self._json(wanted):
            return of
        if of.term.op == "and":
            for place in (0, 1):
                whole = self._json(of.term.args[place])
                if json.dumps(self._json(wanted)) in json.dumps(whole):
                    return self.conjunct(self.part(of, place), wanted)
        raise LookupError(f"no part {wanted!r}")

    def then(self, of: Fact, condition: Fact) -> Fact:
        """What an `implies` says, its condition being a fact."""
        more = {"of": of.number, "if": condition.number}
        return self._step("then", of.term.args[1], **more)

    def branch(self, choice: Term, of: Fact) -> Fact:
        """Which branch an `if` is, as a fact is its condition, or the opposite of that."""
        condition, yes, no = choice.args
        taken = yes if self._json(condition) == self._json(of.term) else no
        return self._step("branch", choice == taken, of=of.number)

    def each(self, many: Term, prove: Callable[[Term, Fact], Fact]) -> Fact:
        """What is proved of an element, for all of a list."""
        with self._within() as steps:
            element, member = self._element(many)
            found = prove(element, member)
        holds = make("each", many, Body((element,), ("i",), found.term))
        return self._step("each", holds, steps=steps)

    def summed(self, many: Term, prove: Callable[[Term, Fact], Fact]) -> Fact:
        """What is proved of an element, a relation, summed over a list."""
        return self.sum(self.each(many, prove))

    def suppose(self, condition: Term, prove: Callable[[Fact], Fact]) -> Fact:
        """What is proved from a condition."""
        with self._within() as steps:
            found = prove(self._known(condition, "supposed"))
        return self._step("suppose", make("implies", condition, found.term), steps=steps)

    def cases(self, split: Term, yes: Callable[[Fact], Fact], no: Callable[[Fact], Fact]) -> Fact:
        """What is proved where a relation is true, and where it is not."""
        found = []
        for condition, prove in ((split, yes), (_negated(split), no)):
            with self._within() as steps:
                found.append((prove(self._known(condition, "supposed")), steps))
        (one, first), (_, second) = found
        return self._step("cases", one.term, split=self._json(split), yes=first, no=second)

    def split(
        self,
        condition: Term,
        holds: Term,
        yes: Callable[[Fact], Uses],
        no: Callable[[Fact], Uses],
    ) -> Fact:
        """A relation by algebra where a condition is true, and where it is not: what it combines,
        from the fact which of them it is."""
        return self.cases(
            condition,
            lambda known: self.algebra(holds, yes(known)),
            lambda known: self.algebra(holds, no(known)),
        )

    def both(self, one: Fact, other: Fact) -> Fact:
        """x = y from x <= y and y <= x, in this order."""
        left, right = one.term.args if one.term.op == "le" else reversed(one.term.args)
        return self._step("both", left == right, of=_numbers([one, other]))

    def absurd(self, holds: Term, *facts: Fact) -> Fact:
        """Anything, from one false fact or two opposite ones."""
        return self._step("absurd", holds, of=_numbers(facts))

    def other(self, holds: Term, either: Fact, known: Fact) -> Fact:
        """One part of `or` (or of `not` of an `and`), from a fact that the other one is false."""
        return self._step("other", holds, of=_numbers([either, known]))

    def defined(self, term: Term, of: Fact | None = None) -> Fact:
        """That a part of the leaf, or of a fact, has a value."""
        whole = "leaf" if of is None else of.number
        self._steps.append({"rule": "defined", "term": self._json(term), "of": whole})
        number = self._known(term, "has a value").number
        return Fact(number, term == term) if term.sort.name == "num" else Fact(number, term)

    def lemma(self, name: str, *premises: Fact, **values: Any) -> list[Fact]:
        """The facts of a lemma or a definition, for these values; what it makes: see `made`."""
        put = {key: self._json(value) for key, value in values.items()}
        step = {"rule": "lemma", "lemma": name, "with": put, "premises": _numbers(premises)}
        self._steps.append(step)
        self.made = variable(VEC)
        terms = FACTS[name](*map(lifted, values.values()), self.made)
        if name in MAKING:
            self._new(self.made)
        return [self._known(term, f"lemma: {name}", step) for term in terms]

    def name(self, term: Term) -> tuple[Term, Fact]:
        """A new element that is equal to a term."""
        self._steps.append({"rule": "name", "term": self._json(term)})
        named = self._new(variable(term.sort))
        return named, self._known(named == term, "a name")

    def _step(self, rule: str, holds: Term, **more: Any) -> Fact:
        step = {"rule": rule, "holds": self._json(holds), **more}
        self._steps.append(step)
        return self._known(holds, WORDS[rule], step)

    @contextmanager
    def _within(self) -> Iterator[list[Step]]:
        """The steps of a proof within the proof."""
        outer, count, scope = self._steps, self._count, list(self._scope)
        self._steps, self._depth = [], self._depth + 1
        try:
            yield self._steps
        finally:
            self._steps, self._count, self._scope = outer, count, scope
            self._depth -= 1

    def alike(self, one: Term, other: Term) -> bool:
        """Whether two terms are one, but for names of bound variables."""
        return bool(self._json(one) == self._json(other))

    def _json(self, value: Any) -> Any:
        numbers = {element.args[0]: k for k, element in enumerate(self._scope)}
        return to_json(lifted(value), numbers)

    @property
    def steps(self) -> list[Step]:
        """As in a record."""
        return self._steps


def follows(fact: Callable[[Proof], Fact], factor: Coefficient = 1) -> Callable[[Proof], Fact]:
    """A proof: the goal is a fact, or a multiple of one."""
    return lambda proof: proof.algebra(proof.goal, {fact(proof): factor})


@dataclass(frozen=True)
class Derivation:
    """A proof of a statement: the record that the checker replays, and its facts in words."""

    record: dict[str, Any]
    told: tuple[str, ...]


def certificate(statement: Statement, *proofs: Proof) -> dict[str, Any]:
    """The record of a proof, one part for each leaf."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": "proof",
        "statement": statement.to_json(),
        "proof": [proof.steps for proof in proofs],
    }


def leaves(term: Term) -> int:
    """How many leaves what a statement says has."""
    if term.op == "and":
        return leaves(term.args[0]) + leaves(term.args[1])
    if term.op == "implies":
        return leaves(term.args[1])
    return leaves(term.args[1].term) if term.op == "each" else 1


def _at(binder: Term, element: Term) -> Term:
    body = binder.args[1]
    return substituted(body.term, body.variables[0], element)


def _sum(many: Term, body: Body, side: Term) -> Term:
    return make("sum", many, Body(body.variables, body.names, side))


def _prod(many: Term, body: Body, side: Term) -> Term:
    if side.op == "mul":
        return make("mul", *(_prod(many, body, part) for part in side.args))
    return make("prod", many, Body(body.variables, body.names, side))


def _premises(step: Step) -> list[int]:
    """The numbers of the facts that a step uses."""
    found: list[int] = []
    for key in ("of", "equal", "by", "member", "if", "premises"):
        part = step.get(key, [])
        found += part if isinstance(part, list) else [part]
    for item in step.get("sum", []):
        found += _premises(item)
    return list(dict.fromkeys(found))


def _numbers(facts: Sequence[Fact]) -> list[int]:
    return [fact.number for fact in facts]


OPPOSITE = {"le": "gt", "gt": "le", "lt": "ge", "ge": "lt", "eq": "ne", "ne": "eq"}


def _negated(relation: Term) -> Term:
    if relation.op == "not":
        inner: Term = relation.args[0]
        return inner
    opposite = OPPOSITE.get(relation.op)
    return ~relation if opposite is None else make(opposite, *relation.args)
