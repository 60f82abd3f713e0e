"""Steps of the builder that stand for several of the checker: what they say, and that it holds."""

from verify.checker import ACCEPTED, REJECTED, check
from verify.language.building import Each, Number, Sum, Whole, upto
from verify.language.proofs import Proof, certificate, follows
from verify.language.statements import Statement

X, Y, N = Number("x"), Number("y"), Whole("n", 1, 4)


def judged(says, prove, given=None):
    statement = Statement("mine", says, given or {})
    proof = Proof(statement)
    prove(proof)
    return check(certificate(statement, proof)).code


def test_a_relation_in_either_case():
    def prove(proof):
        proof.split(
            X >= 0,
            proof.goal,
            lambda yes: {proof.lemma("absolute", yes, x=X)[0]: 1, yes: 2},
            lambda no: {
                proof.lemma("absolute of a negative", proof.algebra(X <= 0, {no: 1}), x=X)[0]: 1
            },
        )

    assert judged(abs(X) >= -X, prove) == ACCEPTED
    assert judged(abs(X) >= 1 - X, prove) == REJECTED


def test_an_equation_times_a_factor():
    def prove(proof):
        found = proof.times(proof.given["equal"], X + 1)
        proof.algebra(proof.goal, {found: 1})

    equal = {"equal": X == 2 * Y}
    assert judged((X + 1) * X == (X + 1) * (2 * Y), prove, equal) == ACCEPTED
    assert judged((X + 1) * X == (X + 2) * (2 * Y), prove, equal) == REJECTED


def test_a_relation_summed_over_a_list():
    def prove(proof):
        known = proof.given["positive"]
        proof.summed(upto(N), lambda k, member: proof.at(known, member))

    given = {"positive": Each(upto(N), lambda k: k * X >= Y)}
    sides = Sum(upto(N), lambda k: k * X), Sum(upto(N), lambda k: Y)
    assert judged(sides[0] >= sides[1], prove, given) == ACCEPTED
    assert judged(sides[0] >= sides[1] + 1, prove, given) == REJECTED


def test_a_goal_that_is_a_multiple_of_a_fact():
    equal = {"equal": X == Y}
    assert judged(2 * X == 2 * Y, follows(lambda p: p.given["equal"], 2), equal) == ACCEPTED
    assert judged(2 * X == 2 * Y, follows(lambda p: p.given["equal"]), equal) == REJECTED
