"""The steps of a proof as Rocq tactics: each becomes a proposition, which its premises give.

Fact k of the proof is called `fk`, element k `vk`. Where the checker compares normal forms, Rocq
shows the equation of the two, by the tactics of `ordered_fields.v`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from verify.checker.blocks import COLUMN
from verify.checker.budget import Budget
from verify.checker.instances import Instances
from verify.checker.known import Fact, Known
from verify.checker.lemmas import Lemma
from verify.checker.nodes import negation, node, replaced
from verify.checker.polynomials import number_in
from verify.checker.reading import Statement
from verify.checker.relations import ORDERS, STRICT, Relations
from verify.checker.sorts import BOOL, INT, MAT, NUM, VEC, Sort
from verify.checker.terms import Node
from verify.rocq.combinations import Combinations
from verify.rocq.fields import ONE, Fields
from verify.rocq.names import identifier
from verify.rocq.source import NotExported

Step = dict[str, Any]


class Script(Known):
    """Writes the proof of one leaf. used: the lemmas that are used, by name."""

    def __init__(self, statement: Statement, place: int, used: dict[str, Lemma]) -> None:
        budget = Budget()
        super().__init__(budget, statement)
        self._used, self._fields = used, Fields(statement.domain.fields)
        self._relations = Relations(budget, self._normal)
        self._instances = Instances(budget, self._normal, {})
        self._by = Combinations(self._normal, self._fields)
        self.take_apart(statement.says, place)

    def prove(self, goal: Node, steps: Sequence[Step]) -> list[str]:
        """Sentences that prove a goal, from the facts so far. Raises NotExported."""
        lines = []
        for step in steps:
            rule = step["rule"]
            if rule not in RULES:
                raise NotExported(f"no Rocq form of the rule {rule} of a proof is known here")
            lines += RULES[rule](self, step)
        last = len(self._facts) - 1
        return [*lines, f"{self._by.restated(f'f{last}', self._facts[last].term, goal)}."]

    def _shown(self, holds: Node, *proof: str) -> list[str]:
        """A new fact and its proof."""
        lines = [f"have f{len(self._facts)} : {self._fields.says(holds)}.", "{"]
        lines += [*(f"  {line}" for line in proof), "}"]
        self._facts.append(Fact(holds))
        return lines

    def _nested(self, condition: Node, goal: Node, steps: Sequence[Step]) -> list[str]:
        """A proof within the proof, where a condition is the next fact."""
        facts, scope = list(self._facts), self._scope
        self._facts.append(Fact(condition))
        lines = self.prove(goal, steps)
        self._facts, self._scope = facts, scope
        return ["{", *(f"  {line}" for line in lines), "}"]

    # rules ---------------------------------------------------------------------------------------
    def algebra(self, step: Step) -> list[str]:
        """The sum of the items."""
        holds, items = self._term(step["holds"], "a step", BOOL), []
        multipliers = [self._term(record["times"], "a multiplier") for record in step["sum"]]
        whole = 1  # so many times the multipliers are whole, where they are literals
        if holds.arguments[0].sort in (INT, NUM):
            literals = [t.literal for t in multipliers if t.operator == "literal"]
            whole = lcm(*(Fraction(literal).denominator for literal in literals))
        for record, multiplier in zip(step["sum"], multipliers, strict=True):
            times = _multiple(whole, multiplier)
            if "equal" in record:
                k = record["equal"]
                items.append(self._by.equation(times, f"f{k}", self._facts[k].term, holds))
                continue
            facts = [(f"f{k}", self._facts[k].term) for k in record.get("of", [])]
            squares = [self._term(term, "a square") for term in record.get("squares", [])]
            items.append(self._by.product(times, facts, squares))
        return self._shown(holds, f"{self._by.combination(holds, items, whole)}.")

    def same(self, step: Step) -> list[str]:
        """Equals in place of equals."""
        holds = after = self._term(step["holds"], "a step", BOOL)
        by = [self._facts[k].term for k in step["by"]]
        rewrite = "".join(f"; try rewrite f{k}" for k in step["by"])
        for fact in by:
            after = replaced(after, *fact.arguments)
        if "of" not in step:
            return self._shown(holds, f"idtac{rewrite}; {self._by.combination(after, [])}.")
        found = self._facts[step["of"]].term
        for fact in by:
            found = replaced(found, *fact.arguments)
        return self._shown(
            holds,
            f"have r : {self._fields.says(found)} by move: f{step['of']}{rewrite}.",
            f"idtac{rewrite}; {self._by.restated('r', found, after)}.",
        )

    def part(self, step: Step) -> list[str]:
        """One of two."""
        holds = self._term(step["holds"], "a step", BOOL)
        for k, part in enumerate(self._facts[step["of"]].term.arguments, start=1):
            if self._normal.same(part, holds):
                proof = self._by.restated(f"(proj{k} f{step['of']})", part, holds)
                return self._shown(holds, f"{proof}.")
        raise AssertionError("the checker found the part")

    def cases(self, step: Step) -> list[str]:
        """Two proofs."""
        holds, split = (self._term(step[key], "a step", BOOL) for key in ("holds", "split"))
        if split.operator not in ORDERS:
            raise NotExported("no Rocq form of cases that no inequality tells is known here")
        kind = "lt_cases" if split.operator in STRICT else "le_cases"
        either = " \\/ ".join(map(self._fields.says, (split, negation(split))))
        name = f"f{len(self._facts)}"
        first = f"have [{name}|{name}] : {either} by apply: {kind}."
        yes = self._nested(split, holds, step["yes"])
        no = self._nested(negation(split), holds, step["no"])
        return self._shown(holds, first, *yes, *no)

    def both(self, step: Step) -> list[str]:
        """From <= and >=."""
        holds = self._term(step["holds"], "a step", BOOL)
        one, other = holds.arguments
        wanted = (node("le", one, other, sort=BOOL), node("le", other, one, sort=BOOL))
        parts = [
            self._by.restated(f"f{k}", self._facts[k].term, least)
            for k, least in zip(step["of"], wanted, strict=True)
        ]
        return self._shown(holds, f"apply: both_ways; [{' | '.join(parts)}].")

    def absurd(self, step: Step) -> list[str]:
        """From an inequality that is false: then 0 < 0."""
        holds, facts = self._term(step["holds"], "a step", BOOL), step["of"]
        if len(facts) != 1 or self._facts[facts[0]].term.operator not in ORDERS:
            raise NotExported("no Rocq form of a contradiction of two facts is known here")
        fact, zero = self._facts[facts[0]].term, node("literal", sort=INT)
        value = number_in(self._relations.slack(fact, "a step")) or Fraction(0)
        items = [self._by.product(_literal(Fraction(1)), [(f"f{facts[0]}", fact)], [])]
        if value:
            items.append(self._by.product(_literal(-value), [], []))
        false = self._by.combination(node("lt", zero, zero, sort=BOOL), items)
        return self._shown(holds, f"apply: never; {false}.")

    def branch(self, step: Step) -> list[str]:
        """The branch of `if` that a fact tells."""
        holds = self._term(step["holds"], "a step", BOOL)
        choice, value = holds.arguments
        (condition, yes, no), fact = choice.arguments, self._facts[step["of"]].term
        so = self._normal.same(condition, fact)
        told = condition if so else negation(condition)
        known = self._by.restated(f"f{step['of']}", fact, told)
        if not so:
            known = f"apply: not_{'lt' if condition.operator in STRICT else 'le'}; {known}"
        says = f"{'' if so else '~~ '}{self._fields.says(condition)}"
        left = node("eq", yes if so else no, value, sort=BOOL)
        return self._shown(
            holds,
            f"have c : {says} by {known}.",
            f"rewrite [LHS](if_{'so' if so else 'not'} _ _ c); {self._by.combination(left, [])}.",
        )

    def name(self, step: Step) -> list[str]:
        """A new element."""
        term = self._term(step["term"], "a step")
        variable = self._variable(term.sort, True)
        if term.sort in (VEC, MAT):
            self._shape(variable, term)
        equation = node("eq", variable, term, sort=BOOL)
        name, fact = f"v{variable.literal}", f"f{len(self._facts)}"
        self._facts.append(Fact(equation))
        exists = f"exists {name} : {self._fields.type_of(term)}, {self._fields.says(equation)}"
        return [f"have [{name} {fact}] : {exists} by exists {self._fields.term(term)}."]

    def _shape(self, variable: Node, term: Node) -> None:
        grid = self._normal.matrices.grid(term)
        assert grid is not None, "it has a shape in Rocq"
        self._fields.shapes[int(variable.literal)] = self._fields.shape(term)
        self._normal.matrices.shapes[int(variable.literal)] = self._normal.matrices.shape(grid)

    def lemma(self, step: Step) -> list[str]:
        """An instance of a lemma."""
        name, lemma = step["lemma"], self._instances.lemma(step["lemma"])
        if lemma.defined:
            raise NotExported(
                f"no Rocq form of a lemma about having a value, {name}, is known here"
            )
        self._used[name] = lemma
        taken = {key: self._term(value, "a step") for key, value in step["with"].items()}
        axes = self._axes(lemma, taken)
        made = []
        sizes = self._instances.fresh(name, taken, "a step")
        for size, of in zip(sizes, lemma.makes.values(), strict=True):
            made.append(self._variable(VEC, True))
            self._fields.shapes[int(made[-1].literal)] = axes[of[0]], ONE
            self._normal.matrices.shapes[int(made[-1].literal)] = size, COLUMN
        premises = self._premises(step["premises"], "a step")
        values = [*(taken[key] for key in lemma.takes), *made]
        needs = [self._need(self._instances.instance(t, lemma, values), step) for t in lemma.needs]
        facts = self._instances.gives(name, taken, made, premises, "a step")
        names = [f"f{len(self._facts) + k}" for k in range(len(facts))]
        self._facts += map(Fact, facts)
        arguments = ["_" for _ in axes]
        arguments += [self._fields.term(value) for value in values[: len(taken)]]
        arguments += ["ltac:(sizes)" for _ in axes]
        pattern = nested_pattern([*(f"v{one.literal}" for one in made), *names])
        proof = " ".join([identifier("by", name), *arguments, *needs])
        return [f"have {pattern} := {proof}."]

    def _axes(self, lemma: Lemma, taken: dict[str, Node]) -> dict[str, str]:
        """The sizes that a lemma is about, by its names of them."""
        found: dict[str, str] = {}
        for key, axes in lemma.takes.items():
            if not isinstance(axes, Sort):
                found |= zip(axes, self._fields.shape(taken[key]), strict=False)
        return found

    def _need(self, wanted: Node, step: Step) -> str:
        for k in step["premises"]:
            if self._normal.same(self._facts[k].term, wanted):
                return f"ltac:({self._by.restated(f'f{k}', self._facts[k].term, wanted)})"
        return f"ltac:({self._by.combination(wanted, [])})"


def nested_pattern(names: Sequence[str]) -> str:
    """A pattern for what `exists` and `and` join, from the right."""
    *before, found = names
    for name in reversed(before):
        found = f"[{name} {found}]"
    return found


def _multiple(whole: int, term: Node) -> Node:
    if term.operator == "literal":
        return _literal(whole * Fraction(term.literal))
    if whole == 1:
        return term
    return node("mul", _literal(Fraction(whole)), term, sort=term.sort)


def _literal(value: Fraction) -> Node:
    return Node("literal", (), value, NUM, False)


RULES: dict[str, Callable[[Script, Step], list[str]]] = {
    name: getattr(Script, name)
    for name in ["algebra", "same", "part", "cases", "both", "absurd", "branch", "name", "lemma"]
}
