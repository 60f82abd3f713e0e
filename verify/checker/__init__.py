"""The checker: whether a certificate shows what it says, with Python's standard library alone.

What an accepted certificate of a statement means. The statement is well-formed, the case is one of
its domain, and with the definitions of docs/language.md, in exact arithmetic or in enclosures that
are rounded outward:

- `counterexample`: the case meets every hypothesis; and at the place that `at` names, which
  elements of the lists of `each` and arguments of `and` lead to, through conditions of `implies`
  that are true, what the statement says there is false, and compares the numbers in `value`. So
  the statement is false. Other places are not looked at: where one of them has no value, the
  statement says nothing there.
- `witness`: the case meets every hypothesis, and what the statement says is true in it.
- `necessity`: the case meets every hypothesis but the named one, which it does not meet (it is
  false, or has no value), and what the statement says is false at the place. So the statement
  without that hypothesis would be false.
- `proof`: in no case of the domain, of whatever size, that meets every hypothesis is what the
  statement says false at any place, given the lemmas that the message names.
- `polynomial`: at the place, which the graph alone tells, the statement has an equation of two
  numbers, and its sides are one polynomial in symbols for the numbers of a case. So it is true
  there in every case on that network, with so many examples.

It says nothing on whether the statement is the one that somebody had in mind: a reader compares the
formula, or the hash, which is of the domain, the flow, the hypotheses and what is said, and of no
name. That the checker declines says nothing at all.

How it is made, for whoever writes another one from docs/language.md:

1. `records`: JSON, strictly. `sorts`: the page's table of operators. `terms`: a term is read once,
   with its sort and whether it may move; what is not well-formed is rejected before any evaluation.
2. `cases`, `networks`: the domain and the case, and a network's values on its examples.
3. `interpreter`, `operators`: one function for each operator; what has no value raises
   `Undefined`, which only a hypothesis or the conclusion as a whole catches. `arithmetic`: on
   numbers; `matrices`, `spectra`: linear algebra, with eigenvalues as real roots. `rates`: within
   `rate` numbers carry their derivatives, so the rules of differentiation are those of the numbers.
4. A number is a rational, or an enclosure (`enclosures`). Nothing is refined: what enclosures do
   not decide raises `Undecided`, and the question is asked again with longer ones; with the longest
   the certificate is declined.
5. `budget`: each operation asks for its cost before it begins, so the outcome is the same on every
   machine. `statements`: the certificate. `outcomes`: accepted, rejected, declined.
6. Proofs know no case: `proofs` replays their steps, and its docstring says what that rests on.
7. `expansion`: numbers that are polynomials. `identities`: the same interpreter with these, for a
   `polynomial`; whatever it would have to decide about one is declined.
"""

from .outcomes import ACCEPTED, DECLINED, REJECTED, Outcome
from .reading import statement_hash
from .statements import check, check_content

__all__ = [
    "ACCEPTED",
    "DECLINED",
    "REJECTED",
    "Outcome",
    "check",
    "check_content",
    "statement_hash",
]
