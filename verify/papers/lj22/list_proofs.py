"""Proofs about lists: how often something is in one, sums over one as sums over another.

That something is in a list says that it is there at least once, counted; and where sums are equal
whose summands are, one by one, at least as large, these are equal. So what is counted on both sides
can be put in another order, and a list that is full has nothing else in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verify.language.building import Filter, Some, Sum, When, card, concat, element, upto
from verify.language.proofs import Fact, Proof, Uses
from verify.language.terms import Term, number

Elements = tuple[Term, ...]
Facts = tuple[Fact, ...]
Lists = Sequence[Callable[..., Term]]
"""Lists, each by the elements of those before."""
OfElement = Callable[[Term], Term]


def count(many: Term, x: Term) -> Term:
    """How often something is in a list."""
    return Sum(many, lambda i: When(i == x, 1, 0))


def along(fact: Fact, proof: Proof, *members: Fact) -> Fact:
    """What is true for all elements of some lists, for these."""
    for member in members:
        fact = proof.at(fact, member)
    return fact


def every(proof: Proof, lists: Lists, prove: Callable[[Elements, Facts], Fact]) -> Fact:
    """What is proved of elements, for all of their lists."""
    return _nested(proof, lists, prove, lambda fact: fact)


def over(proof: Proof, lists: Lists, prove: Callable[[Elements, Facts], Fact]) -> Fact:
    """A relation of elements, summed over all of their lists."""
    return _nested(proof, lists, prove, proof.sum)


def _nested(
    proof: Proof,
    lists: Lists,
    prove: Callable[[Elements, Facts], Fact],
    done: Callable[[Fact], Fact],
    elements: Elements = (),
    members: Facts = (),
) -> Fact:
    if not lists:
        return prove(elements, members)

    def one(x: Term, member: Fact) -> Fact:
        return _nested(proof, lists[1:], prove, done, (*elements, x), (*members, member))

    return done(proof.each(lists[0](*elements), one))


def total(lists: Lists, summand: Callable[..., Term], elements: Elements = ()) -> Term:
    """The sum over all elements of the lists."""
    if not lists:
        return summand(*elements)
    return Sum(lists[0](*elements), lambda x: total(lists[1:], summand, (*elements, x)))


# conditions as 0 and 1 ---------------------------------------------------------------------------
def is_one(proof: Proof, known: Fact) -> Fact:
    """Of something true that it counts as 1."""
    return proof.branch(When(known.term, 1, 0), known)


def is_none(proof: Proof, condition: Term, known: Fact) -> Fact:
    """Of something whose opposite is known that it counts as 0."""
    return proof.branch(When(condition, 1, 0), known)


def from_0(proof: Proof, condition: Term) -> Fact:
    """What is counted is not below 0."""
    return proof.split(
        condition,
        When(condition, 1, 0) >= 0,
        lambda yes: {is_one(proof, yes): 1, (): 1},
        lambda no: {is_none(proof, condition, no): 1},
    )


def up_to_1(proof: Proof, condition: Term) -> Fact:
    """What is counted is at most 1."""
    return proof.split(
        condition,
        When(condition, 1, 0) <= 1,
        lambda yes: {is_one(proof, yes): -1},
        lambda no: {is_none(proof, condition, no): -1, (): 1},
    )


def at_least(proof: Proof, larger: Term, smaller: Term, prove: Callable[[Fact], Fact]) -> Fact:
    """[larger] >= [smaller], as one follows from the other."""
    return proof.split(
        smaller,
        When(larger, 1, 0) >= When(smaller, 1, 0),
        lambda known: {is_one(proof, prove(known)): 1, is_one(proof, known): -1},
        lambda known: {from_0(proof, larger): 1, is_none(proof, smaller, known): -1},
    )


def where_equal(proof: Proof, a: Term, b: Term, value: OfElement) -> Fact:
    """[a = b] f(a) = [a = b] f(b)."""
    met = When(a == b, 1, 0)
    return proof.split(
        a == b,
        met * value(a) == met * value(b),
        lambda equal: {proof.same(value(a) == value(b), [equal]): met},
        lambda other: {is_none(proof, a == b, other): value(a) - value(b)},
    )


# what is in a list -------------------------------------------------------------------------------
def occurs(proof: Proof, member: Fact) -> Fact:
    """What is in a list is there at least once."""
    x, many = member.term.args
    return proof.some(count(many, x) >= 1, member)


def once(proof: Proof, member: Fact, distinct: Fact) -> Fact:
    """What is in a list without repetition is there once."""
    x, many = member.term.args
    return proof.both(
        proof.lemma("once", distinct, some=many, x=x)[0],
        proof.algebra(count(many, x) >= 1, {occurs(proof, member): 1}),
    )


def into_filter(proof: Proof, member: Fact, known: Fact, says: OfElement) -> Fact:
    """What is in a list, and of which something is true, is in the filtered list."""
    x, many = member.term.args
    chosen = Filter(many, says)

    def one(i: Term, _: Fact) -> Fact:
        here, met = When(i == x, 1, 0), When(says(i), 1, 0)
        return proof.split(
            i == x,
            met * here == here,
            lambda equal: {is_one(proof, proof.same(says(i), [equal], of=known)): here},
            lambda other: {is_none(proof, i == x, other): met - 1},
        )

    same = proof.summed(many, one)
    positive = proof.algebra(count(chosen, x) >= 1, {occurs(proof, member): 1, same: 1})
    return proof.some(element(x, chosen), positive)


def counted_at(proof: Proof, member: Fact, known: Fact, says: OfElement) -> Fact:
    """That something is true of one element of a list at least, as it is of this one."""
    x, many = member.term.args

    def one(i: Term, _: Fact) -> Fact:
        return at_least(
            proof, says(i), i == x, lambda equal: proof.same(says(i), [equal], of=known)
        )

    more = proof.summed(many, one)
    counted = Sum(many, lambda i: When(says(i), 1, 0))
    return proof.algebra(counted >= 1, {more: 1, occurs(proof, member): 1})


def witness(proof: Proof, member: Fact, known: Fact, says: OfElement) -> Fact:
    """That something is true of some element of a list, as it is of this one."""
    some = Some(member.term.args[1], says)
    return proof.some(some, counted_at(proof, member, known, says))


def in_joined(proof: Proof, member: Fact, joined: Term) -> Fact:
    """What is in a list is in that with others before or behind it."""
    x, many = member.term.args
    if joined.op != "concat":
        return member
    others = next(part for part in joined.args if not proof.alike(part, many))
    rest = proof.summed(others, lambda i, _: from_0(proof, i == x))
    more = proof.algebra(count(joined, x) >= 1, {occurs(proof, member): 1, rest: 1})
    return proof.some(element(x, joined), more)


def none_of(proof: Proof, absent: Fact) -> Fact:
    """What is not in a list is there 0 times."""
    x, many = absent.term.args[0].args

    def one(i: Term, at: Fact) -> Fact:
        none = When(i == x, 1, 0) == 0

        def yes(equal: Fact) -> Fact:
            return proof.absurd(none, proof.same(element(x, many), [equal], of=at), absent)

        return proof.cases(i == x, yes, lambda other: is_none(proof, i == x, other))

    return proof.summed(many, one)


def joined(proof: Proof, one: Fact, other: Fact) -> Fact:
    """What is true of the elements of two lists is true of them joined."""
    some, others = one.term.args[0], other.term.args[0]

    def of_either(x: Term, member: Fact) -> Fact:
        def outside(absent: Fact) -> Fact:
            none = none_of(proof, absent)
            inside = proof.algebra(count(others, x) >= 1, {occurs(proof, member): 1, none: -1})
            return proof.at(other, proof.some(element(x, others), inside))

        return proof.cases(element(x, some), lambda yes: proof.at(one, yes), outside)

    return proof.each(concat(some, others), of_either)


def by_index(proof: Proof, found: Fact, many: Term, says: OfElement) -> Fact:
    """What is true of each element by its place is true of each."""

    def one(x: Term, member: Fact) -> Fact:
        def no(wrong: Fact) -> Fact:
            def at(k: Term, place: Fact) -> Fact:
                none = When(many[k] == x, 1, 0) == 0

                def yes(equal: Fact) -> Fact:
                    known = proof.at(found, place)
                    return proof.absurd(none, proof.same(says(x), [equal], of=known), wrong)

                return proof.cases(
                    many[k] == x, yes, lambda other: is_none(proof, many[k] == x, other)
                )

            never = proof.summed(upto(card(many)), at)
            by_place = proof.places(
                Sum(upto(card(many)), lambda k: When(many[k] == x, 1, 0)), count(many, x)
            )
            wrong = proof.algebra(
                number(0) >= 1, {occurs(proof, member): 1, never: -1, by_place: 1}
            )
            return proof.absurd(says(x), wrong)

        return proof.cases(says(x), lambda yes: proof.same(says(x), [], of=yes), no)

    return proof.each(many, one)


def first_of(proof: Proof, some: Fact) -> tuple[Fact, Fact]:
    """That a list which is not empty has a first place."""
    length = some.term.args[0]
    (many,) = length.args[0].args if length.op == "real" else length.args
    strict = proof.algebra(number(1) < card(many) + 1, {some: 1})
    return proof.algebra(number(1) >= 1, {}), strict


# sums --------------------------------------------------------------------------------------------
def bounded(proof: Proof, value: OfElement, least: Fact, member: Fact) -> Fact:
    """A summand is at most the sum, where none is below 0."""
    x, many = member.term.args

    def one(i: Term, among: Fact) -> Fact:
        def yes(equal: Fact) -> Uses:
            same = proof.same(value(i) == value(x), [equal])
            return {same: 1, is_one(proof, equal): -value(x)}

        return proof.split(
            i == x,
            When(i == x, 1, 0) * value(x) <= value(i),
            yes,
            lambda other: {proof.at(least, among): 1, is_none(proof, i == x, other): -value(x)},
        )

    most = proof.summed(many, one)
    here, there = proof.at(least, member), occurs(proof, member)
    return proof.algebra(value(x) <= Sum(many, value), {most: 1, (here, there): 1})


def each_zero(proof: Proof, many: Term, value: OfElement, least: Fact, none: Fact) -> Fact:
    """Where a sum is 0 and no summand below 0, all are 0."""

    def one(_: Term, member: Fact) -> Fact:
        x = member.term.args[0]
        most = proof.algebra(value(x) <= 0, {bounded(proof, value, least, member): 1, none: -1})
        return proof.both(most, proof.at(least, member))

    return proof.each(many, one)


def moved(
    proof: Proof,
    many: Term,
    lists: Lists,
    to: Callable[..., Term],
    value: OfElement,
    placed: Callable[[Elements, Facts], Fact],
    reached: Callable[[Term, Fact], Fact],
) -> Fact:
    """The sum over a list as one over elements of others, each of which stands for one of it.

    placed: of such elements, that what they stand for is once in the list; reached: of one in the
    list, that one of them stands for it.
    """

    def there(e: Term, member: Fact) -> Fact:
        found = reached(e, member)
        return proof.algebra(value(e) * found.term.args[0] == value(e), {found: value(e)})

    def here(elements: Elements, members: Facts) -> Fact:
        target = to(*elements)
        same = proof.summed(many, lambda e, _: where_equal(proof, e, target, value))
        whole = Sum(many, lambda e: When(e == target, 1, 0) * value(e))
        return proof.algebra(
            whole == value(target), {same: 1, placed(elements, members): value(target)}
        )

    first, second = proof.summed(many, there), over(proof, lists, here)
    found = total(lists, lambda *elements: value(to(*elements)))
    return proof.algebra(Sum(many, value) == found, {first: -1, second: 1})


def filled(
    proof: Proof,
    many: Term,
    lists: Lists,
    to: Callable[..., Term],
    placed: Callable[[Elements, Facts], Fact],
    most: Callable[[Term, Fact], Fact],
    size: Fact,
) -> Fact:
    """Elements stand for different ones of a list, and are as many: each of it has one, so the
    number of these less 1 is 0. size: an equation of the two numbers."""

    def missing(e: Term) -> Term:
        return 1 - total(lists, lambda *elements: When(to(*elements) == e, 1, 0))

    least = proof.each(many, lambda e, member: proof.algebra(missing(e) >= 0, {most(e, member): 1}))
    counted = over(proof, lists, placed)
    none = proof.algebra(Sum(many, missing) == 0, {counted: -1, size: 1})
    return each_zero(proof, many, missing, least, none)
