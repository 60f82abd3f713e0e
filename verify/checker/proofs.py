"""Proofs: a statement is true in every case, of whatever size, by steps that are replayed here.

What is shown. There is no case of the domain that meets all hypotheses, and in it no place, at
which the leaf is false. So within the proof of a leaf it is supposed that the leaf has a value: if
it has none, it is neither for nor against the statement.

How terms without a value are dealt with. Fix for each case an interpretation in which every term
has a value: the page's where the page gives one; x/0 is 0, a gradient without a value is 0, `eq` of
different shapes is false, `ne` the opposite, and everything else without a value has any value that
depends on those of the arguments alone; a `rate` is computed operator by operator, as `derivatives`
does, also where that has no value. Facts are true in this interpretation. A leaf that is false by
the page is false in it too, so it suffices to derive the leaf. What normal forms and rules use is
true for all values; a condition, such as a divisor other than 0, has to be a fact. A fact is *met*
if it also has a value by the page: the hypotheses, the conditions on the way, and what they say of
elements. From these, and from the leaf, it may be taken that what they need for their value has
one.

How a proof runs. `each` on the way gives an element, `implies` a condition. The facts are numbered
from 0: the hypotheses, what the way gives, and what the steps give; a step uses those before it.
The last one is the leaf. A step with steps of its own (`each`, `suppose`, `cases`) sees all facts
so far, and what it gains within is gone behind it. The rules are the methods of `_Replay`, each of
which says what it does; docs/language.md, "Proofs", has them as a table.

The parts: `nodes`, terms without names of bound variables; `normal`, with `polynomials` for numbers
and `blocks` for matrices, normal forms; `relations`, the rule `algebra`; `derivatives`, the rule
`rate`; `lemmas` and `instances`, what is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from .blocks import COLUMN
from .budget import Budget
from .instances import Instances
from .known import Fact, Known, ways
from .nodes import (
    always,
    below,
    closed,
    evaluated,
    negation,
    node,
    opened,
    replaced,
    shifted,
    spelled,
    whole,
)
from .outcomes import Declined, Rejected, require
from .polynomials import number_in
from .reading import Registered, Statement, called, read
from .records import array, fields, known, shallow, text
from .relations import Relations, slack_sides
from .sorts import BOOL, EDGE, INT, NUM, VEC, VERTEX, seq
from .terms import Node

MOST_STEPS, MOST_LEAVES = 2_000, 200
OVER_ALL = ("sum", "prod", "map", "filter", "count", "maximum", "minimum", "argmax", "the")


def check_proof(certificate: dict[str, Any], registered: Registered) -> str:
    """What an accepted proof shows; rejects or declines any other."""
    keys = ("format", "version", "kind", "statement", "proof")
    top = fields(certificate, "the certificate", keys)
    shallow(top)
    budget = Budget()
    statement = read(budget, top["statement"], descends=False)
    proof = array(top["proof"], "the proof")
    try:
        used = _Replay.of_all(budget, statement, proof)
    except RecursionError as error:
        raise Declined("the proof has terms that are nested too deeply") from error
    of = called(statement.name, top["statement"], registered)
    return f"proof of {of}, for all sizes; trusted: {'; '.join(used) or 'nothing'}"


class _Replay(Known):
    """The proof of one leaf, as far as it has come."""

    @staticmethod
    def of_all(budget: Budget, statement: Statement, proof: list[Any]) -> list[str]:
        """Replay the proofs of all leaves; the words of the lemmas that are used."""
        leaves = ways(statement.says)
        told = f"the statement has {len(leaves)} leaves, the proof {len(proof)}"
        require(len(proof) == len(leaves), told)
        if len(leaves) > MOST_LEAVES:
            raise Declined(f"the statement has more than {MOST_LEAVES} leaves")
        left, used = [MOST_STEPS], dict[str, str]()
        for place in range(len(leaves)):
            replay = _Replay(budget, statement, left, used)
            replay.take_apart(statement.says, place)
            steps = array(proof[place], f"the proof of leaf {place}")
            replay.prove(replay.leaf, steps, f"the proof of leaf {place}")
        return list(used.values())

    def __init__(
        self, budget: Budget, statement: Statement, left: list[int], used: dict[str, str]
    ) -> None:
        super().__init__(budget, statement)
        self._left = left
        self._relations = Relations(budget, self._normal)
        self._instances = Instances(budget, self._normal, used)

    # steps ---------------------------------------------------------------------------------------
    def prove(self, goal: Node, steps: Sequence[Any], where: str) -> None:
        """The steps, of which the last gives the goal."""
        require(bool(steps), f"{where} has no steps")
        for number, step in enumerate(steps):
            self._left[0] -= 1
            if self._left[0] < 0:
                raise Declined(f"a proof has more than {MOST_STEPS} steps")
            rule = known(step.get("rule") if isinstance(step, dict) else None, RULES, "a rule")
            found = RULES[rule](self, step, f"{where}, step {number} ({rule})")
            self._facts = [*self._facts, *found]
        require(self._normal.same(self._facts[-1].term, goal), f"{where} ends with another fact")

    def _within(self, goal: Callable[[], Node], steps: object, where: str) -> tuple[Fact, Node]:
        """A proof within the proof: its last fact and its goal. What it gains is gone behind it."""
        facts, scope, wanted = list(self._facts), self._scope, goal()
        self.prove(wanted, array(steps, where), where)
        last = self._facts[-1]
        self._facts, self._scope = facts, scope
        return last, wanted

    # rules ---------------------------------------------------------------------------------------
    def algebra(self, step: object, where: str) -> list[Fact]:
        """A relation that is a combination of facts: see `relations`."""
        holds, record = self._read(step, where, "sum")
        items = []
        for item in array(record["sum"], where):
            keys = fields(item, f"an item of {where}", ("times",), ("of", "squares", "equal"))
            times = self._term(keys["times"], f"a multiplier of {where}")
            squares = [
                self._term(t, f"a square of {where}") for t in array(keys.get("squares", []), where)
            ]
            of = [fact.term for fact in self._premises(keys.get("of", []), where)]
            equal = self._fact(keys["equal"], where).term if "equal" in keys else None
            items.append((times, of, squares, equal))
        self._relations.check(holds, items, where)
        return [Fact(holds)]

    def same(self, step: object, where: str) -> list[Fact]:
        """Equals in place of equals, in a fact, or in an equation whose sides then agree. Nothing
        within `rate` is replaced."""
        record = fields(step, where, ("rule", "holds", "by"), ("of",))
        holds = self._term(record["holds"], where, BOOL)
        found = self._fact(record["of"], where).term if "of" in record else None
        after = holds
        for fact in self._premises(record["by"], where):
            require(fact.term.operator == "eq", f"{where}: what replaces is no equation")
            self._normal.walk(after)
            self._normal.walk(found or after)
            after = replaced(after, *fact.term.arguments)
            found = None if found is None else replaced(found, *fact.term.arguments)
        if found is None:
            require(after.operator == "eq", f"{where}: what holds is no equation")
            after, found = after.arguments
        require(self._normal.same(after, found), f"{where}: what is said to hold does not follow")
        return [Fact(holds)]

    def rate(self, step: object, where: str) -> list[Fact]:
        """That the rate of a term is its derivative by the rules."""
        holds, _ = self._read(step, where, operator="eq")
        moved, derivative = holds.arguments
        require(moved.operator == "rate", f"{where}: the first side is no rate")
        found = self._derivatives.rate(moved.arguments[0])
        require(self._normal.same(derivative, found), f"{where}: the derivative is another one")
        return [Fact(holds)]

    def sum(self, step: object, where: str) -> list[Fact]:
        """From a relation of numbers for all elements of a list that of the sums."""
        holds, record = self._read(step, where, "of")
        many, body = self._of("each", record["of"], where).term.arguments
        require(body.operator in ("eq", "le", "ge"), f"{where}: the fact is no such relation")
        slack_sides(body, where)
        both = [node("sum", many, side) for side in body.arguments]
        return self._made(holds, node(body.operator, *both, sort=BOOL), where)

    def at(self, step: object, where: str) -> list[Fact]:
        """What holds for all elements of a list holds for an element."""
        holds, record = self._read(step, where, "of", "member", "element")
        every = self._of("each", record["of"], where)
        member = self._of("in", record["member"], where)
        element = self._term(record["element"], f"the element of {where}")
        many, body = every.term.arguments
        fits = self._normal.same(member.term, node("in", element, many, sort=BOOL))
        require(fits, f"{where}: fact {record['member']} is not that the element is in the list")
        self._normal.walk(body)
        still = not self._derivatives.moves(element)
        rates = any(part.operator == "rate" for part in below(body))
        require(still or not rates, f"{where}: an element that moves, of a body with a rate")
        itself = spelled(element) == spelled(member.term.arguments[0])
        has_value = element.operator == "var" or (member.met and itself)
        met = every.met and has_value  # then the list has a value too
        return self._made(holds, opened(body, element), where, met)

    def prod(self, step: object, where: str) -> list[Fact]:
        """From an equation of numbers for all elements of a list that of the products, or from
        numbers that are not below 0 that their product is not; that of a product is the product of
        those of its factors."""
        holds, record = self._read(step, where, "of")
        many, body = self._of("each", record["of"], where).term.arguments
        require(body.operator in ("eq", "ge"), f"{where}: the fact is no such relation")
        slack_sides(body, where)
        one, other = body.arguments
        if body.operator == "ge":
            self._normal.walk(body)
            element = Node("var", (), next(self._elements), many.sort.parts[0], False)
            least = number_in(self._normal.number(opened(other, element)))
            require(least == 0, f"{where}: it is not about 0")
            both = _product(many, one), whole(0)
        else:
            both = _product(many, one), _product(many, other)
        return self._made(holds, node(body.operator, *both, sort=BOOL), where)

    def places(self, step: object, where: str) -> list[Fact]:
        """That a sum over the places of a list is one over the list, where nothing but the list
        and what is made of it element by element is asked for what stands there."""
        holds, _ = self._read(step, where, operator="eq")
        _without_rates(holds, where)
        sums = holds.arguments
        require(all(one.operator == "sum" for one in sums), f"{where}: the sides are no sums")
        (numbers, at_number), (many, at_element) = (one.arguments for one in sums)
        length = node("card", many, sort=INT)
        wanted = node("range", whole(1), length, sort=seq(INT))
        require(self._normal.same(numbers, wanted), f"{where}: these are not the list's places")
        place = Node("var", (), next(self._elements), INT, False)
        element = node("at", many, place, sort=many.sort.parts[0])
        found = opened(at_number, place)
        for part in list(below(found)):
            if part.operator != "at" or part.arguments[1] != place:
                continue
            made = part.arguments[0]
            mapped = made.operator == "map" and made.arguments[0] == many
            self._normal.walk(made)
            if mapped and shifted(made, 1) == made:  # nothing in it is bound outside of it
                self._normal.walk(found)
                found = replaced(found, part, opened(made.arguments[1], element))
        same = self._normal.same(found, opened(at_element, element))
        require(same, f"{where}: the two sums differ at a place")
        return [Fact(holds)]

    def along(self, step: object, where: str) -> list[Fact]:
        """A recursion along the network has a closed form, if that satisfies it: by induction from
        the inputs on, as all edges into a vertex come from vertices that lie before it."""
        holds, record = self._read(step, where, "form", "steps")
        form = self._term(record["form"], f"the form of {where}")
        fits = holds.operator == "eq" and holds.arguments[0].operator == "along"
        require(fits and form.operator == "along", f"{where}: it is about no recursion")
        _without_rates(holds, where)
        _without_rates(form, where)
        (end, body), shape = holds.arguments[0].arguments, form.arguments[1]
        list_of = partial(node, "list", sort=seq(EDGE))
        value = partial(self._closed_form, shape, where)
        require(
            self._normal.same(holds.arguments[1], value(end, list_of())),
            f"{where}: the closed form has another value at the end",
        )

        def goal() -> Node:
            u = self._variable(VERTEX, False)
            path = self._variable(seq(EDGE), False)
            empty = node("eq", node("card", path, sort=INT), whole(0), sort=BOOL)
            first = node("tail", node("at", path, whole(1), sort=EDGE), sort=VERTEX)
            begins = node("if", empty, end, first, sort=VERTEX)
            self._facts.append(Fact(node("eq", begins, u, sort=BOOL)))
            edge = Node("var", (), next(self._elements), EDGE, False)
            longer = node("concat", list_of(edge), path, sort=seq(EDGE))
            at_tail = value(node("tail", edge, sort=VERTEX), longer)
            into = node("into", u, sort=seq(EDGE))
            before = node("map", into, closed(at_tail, int(edge.literal)), sort=seq(NUM))
            return node("eq", opened(body, u, path, before), value(u, path), sort=BOOL)

        self._within(goal, record["steps"], where)
        return [Fact(holds)]

    def _closed_form(self, shape: Node, where: str, vertex: Node, path: Node) -> Node:
        """The value of a closed form, which asks for no values before."""
        before = Node("var", (), next(self._elements), seq(NUM), False)
        found = opened(shape, vertex, path, before)
        self._normal.walk(found)
        asks = before.literal in found.free
        require(not asks, f"{where}: the closed form speaks of the values before")
        return found

    def part(self, step: object, where: str) -> list[Fact]:
        """One of the two that are joined by `and`."""
        holds, record = self._read(step, where, "of")
        both = self._of("and", record["of"], where)
        found = [part for part in both.term.arguments if self._normal.same(holds, part)]
        require(bool(found), f"{where}: it is neither part of the fact")
        return self._made(holds, found[0], where, both.met)

    def filtered(self, step: object, where: str) -> list[Fact]:
        """That an element of those for which something is true is in the list that they are from,
        and it is true of the element; it is met if the fact is."""
        holds, record = self._read(step, where, "of")
        member = self._of("in", record["of"], where)
        element, chosen = member.term.arguments
        require(chosen.operator == "filter", f"{where}: the list is no filtered one")
        many, body = chosen.arguments
        _without_rates(body, where)
        self._normal.walk(body)
        there = node("in", element, many, sort=BOOL)
        found = node("and", there, opened(body, element), sort=BOOL)
        return self._made(holds, found, where, member.met)

    def some(self, step: object, where: str) -> list[Fact]:
        """That there is an element as that there is at least one, counted; or the other way."""
        holds, record = self._read(step, where, "of")
        fact = self._fact(record["of"], where).term
        for one, other in ((holds, fact), (fact, holds)):
            self._normal.walk(one)
            if one.operator in ("in", "some") and self._normal.same(_counted(one), other):
                return [Fact(holds)]
        raise Rejected(f"{where}: it is not what the fact says, counted")

    def then(self, step: object, where: str) -> list[Fact]:
        """From `implies` and its condition what it says."""
        holds, record = self._read(step, where, "of", "if")
        rule, condition = self._of("implies", record["of"], where), self._fact(record["if"], where)
        first, second = rule.term.arguments
        require(self._normal.same(first, condition.term), f"{where}: it is another condition")
        return self._made(holds, second, where, rule.met and condition.met)

    def branch(self, step: object, where: str) -> list[Fact]:
        """That `if` is its second argument, as the first is a fact, or its third, as the opposite
        of the first is one."""
        holds, record = self._read(step, where, "of", operator="eq")
        choice, known_one = holds.arguments[0], self._fact(record["of"], where).term
        require(choice.operator == "if", f"{where}: the first side is no if")
        condition, yes, no = choice.arguments
        if self._normal.same(condition, known_one):
            found = yes
        else:
            opposite = self._normal.same(negation(condition), known_one)
            require(opposite, f"{where}: the fact does not tell the branch")
            found = no
        return self._made(holds, node("eq", choice, found, sort=BOOL), where)

    def each(self, step: object, where: str) -> list[Fact]:
        """For all elements of a list, from a proof for one of which nothing else is known."""
        holds, record = self._read(step, where, "steps", operator="each")
        many, body = holds.arguments
        there = always(many)
        last, goal = self._within(
            partial(self._element, many, body, met=there), record["steps"], where
        )
        met = there and last.met and spelled(last.term) == spelled(goal)
        return [Fact(holds, met)]

    def suppose(self, step: object, where: str) -> list[Fact]:
        """`implies`, from a proof that may use its condition."""
        holds, record = self._read(step, where, "steps", operator="implies")

        def goal() -> Node:
            self._facts.append(Fact(holds.arguments[0]))
            return holds.arguments[1]

        self._within(goal, record["steps"], where)
        return [Fact(holds)]

    def cases(self, step: object, where: str) -> list[Fact]:
        """From one proof where something is true and another where it is not."""
        holds, record = self._read(step, where, "split", "yes", "no")
        split = self._term(record["split"], f"the split of {where}", BOOL)
        for answer, condition in (("yes", split), ("no", negation(split))):

            def goal(condition: Node = condition) -> Node:
                self._facts.append(Fact(condition))
                return holds

            self._within(goal, record[answer], f"{where}, {answer}")
        return [Fact(holds)]

    def both(self, step: object, where: str) -> list[Fact]:
        """x = y from x <= y and y <= x."""
        holds, record = self._read(step, where, "of", operator="eq")
        one, other = slack_sides(holds, where)
        facts = [fact.term for fact in self._premises(record["of"], where, 2)]
        self._relations.at_least(facts[0], other, one, where)
        self._relations.at_least(facts[1], one, other, where)
        return [Fact(holds)]

    def absurd(self, step: object, where: str) -> list[Fact]:
        """Anything, from a relation of two numbers that is false, or from two opposite facts."""
        holds, record = self._read(step, where, "of")
        facts = [fact.term for fact in self._premises(record["of"], where)]
        if len(facts) == 2:
            opposite = self._normal.same(negation(facts[0]), facts[1])
            require(opposite, f"{where}: the two facts are not opposite")
            return [Fact(holds)]
        require(len(facts) == 1, f"{where}: it is of one fact or two")
        value = number_in(self._relations.slack(facts[0], where))
        strict = facts[0].operator in ("lt", "gt")
        false = value is not None and (
            value != 0 if facts[0].operator == "eq" else value < 0 or (strict and value == 0)
        )
        require(false, f"{where}: the fact is not false")
        return [Fact(holds)]

    def other(self, step: object, where: str) -> list[Fact]:
        """One part of `or`, as the other one is false; also of `not` of an `and`."""
        holds, record = self._read(step, where, "of")
        either, known_one = (fact.term for fact in self._premises(record["of"], where, 2))
        if either.operator == "not" and either.arguments[0].operator == "and":
            parts = [negation(part) for part in either.arguments[0].arguments]
        else:
            require(either.operator == "or", f"{where}: the first fact is no or")
            parts = list(either.arguments)
        for part, rest in (parts, parts[::-1]):
            if self._normal.same(negation(part), known_one):
                return self._made(holds, rest, where)
        raise Rejected(f"{where}: it is not that one part is false")

    def name(self, step: object, where: str) -> list[Fact]:
        """A new element that is equal to a term; of a matrix of known shape it has that shape."""
        record = fields(step, where, ("rule", "term"))
        term = self._term(record["term"], where)
        grid = self._normal.matrices.grid(term)
        variable = self._variable(term.sort, True)
        if grid is not None:
            shape = self._normal.matrices.shape(grid)
            self._normal.matrices.shapes[int(variable.literal)] = shape
        return [Fact(node("eq", variable, term, sort=BOOL))]

    def defined(self, step: object, where: str) -> list[Fact]:
        """That a part of the leaf, or of a fact that is met, has a value: is equal to itself."""
        record = fields(step, where, ("rule", "term", "of"))
        term = self._term(record["term"], where)
        self._needed(record["of"], term, evaluated, where)
        return [Fact(node("eq", term, term, sort=BOOL), True)]

    def values(self, step: object, where: str) -> list[Fact]:
        """That what is made of each element of a list has a value, as a sum (or the like) over the
        list is a part that has one."""
        holds, record = self._read(step, where, "of", operator="each")
        many, equation = holds.arguments
        require(equation.operator == "eq", f"{where}: it is not that something has a value")
        one, other = equation.arguments
        require(spelled(one) == spelled(other), f"{where}: it is not that something has a value")
        self._needed(record["of"], one, partial(self._said_of_elements, spelled(many)), where)
        return [Fact(holds, True)]

    def _needed(
        self, of: object, term: Node, parts: Callable[[Node], Iterator[Node]], where: str
    ) -> None:
        """Reject a term that is no such part of the leaf or of a fact that is met."""
        whole = self.leaf
        if of != "leaf":
            fact = self._fact(of, where)
            require(fact.met, f"{where}: that fact need not have a value")
            whole = fact.term
        self._normal.walk(whole)
        needed = [part for part in parts(whole) if part.operator == term.operator]
        for part in needed:
            self._normal.walk(part)
        found = spelled(term) in map(spelled, needed)
        require(found, f"{where}: that is no part that needs a value")

    def _said_of_elements(self, many: str, whole: Node) -> Iterator[Node]:
        """What has a value for each element of a list, as something over it is looked at wherever
        the whole has a value. `each`, `some` stop early, others do not begin with the elements."""
        for part in evaluated(whole):
            if part.operator in OVER_ALL:
                self._normal.walk(part.arguments[0])
                if spelled(part.arguments[0]) == many:
                    yield from evaluated(part.arguments[1], examples=False)

    def lemma(self, step: object, where: str) -> list[Fact]:
        """An instance of a lemma or of a definition: see `lemmas`."""
        record = fields(step, where, ("rule", "lemma", "with", "premises"))
        name = text(record["lemma"], f"the lemma of {where}")
        values = fields(record["with"], f"what is put into {where}", self._instances.takes(name))
        taken = {key: self._term(value, f"{key} of {where}") for key, value in values.items()}
        premises = self._premises(record["premises"], where)
        made = []
        for size in self._instances.fresh(name, taken, where):
            made.append(self._variable(VEC, True))
            self._normal.matrices.shapes[int(made[-1].literal)] = size, COLUMN
        return [Fact(term) for term in self._instances.gives(name, taken, made, premises, where)]


def _without_rates(term: Node, where: str) -> None:
    """Rejects a term with rates: numbers that are equal need not move alike."""
    require(all(part.operator != "rate" for part in below(term)), f"{where}: there are rates in it")


def _counted(claim: Node) -> Node:
    """That there is an element for which something is true, or one that is equal to a term, as
    that the number of these is at least 1."""
    if claim.operator == "some":
        many, body = claim.arguments
    else:
        element, many = claim.arguments
        itself = Node("#bound", (), 0, many.sort.parts[0], False)
        body = node("eq", itself, shifted(element, 1), sort=BOOL)
    count = node("sum", many, node("if", body, whole(1), whole(0), sort=INT), sort=INT)
    return node("ge", count, whole(1), sort=BOOL)


def _product(many: Node, body: Node) -> Node:
    """The product over a list; of a product the product of those of its factors."""
    if body.operator == "mul":
        return node("mul", *(_product(many, part) for part in body.arguments))
    return node("prod", many, body)


_NAMES = (
    "algebra same rate sum prod places along at part filtered some then branch each suppose cases "
    "both absurd other defined values name lemma"
)
RULES: dict[str, Callable[[_Replay, object, str], list[Fact]]] = {
    rule: getattr(_Replay, rule) for rule in _NAMES.split()
}
