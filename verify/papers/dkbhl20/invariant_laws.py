"""Definition 2, and what the paper supposes of invariant distributions: that there is one, and
that it is unique (Appendices A, E).

Judged on the chains of signs (verify.papers.dkbhl20.sign_states), the whole chain for N = 1. A law
on {-1, 1}^d has support points `states`, (m, d), and probabilities `mass`, (m,).
"""

from __future__ import annotations

from fractions import Fraction

from verify.cases.scenes import Entries
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.normalised.hypotheses import (
    MEAN_ZERO,
    PROBABILITIES,
    SYMMETRIC_LAW,
    VARIANCE_ONE,
)
from verify.kinds.normalised.scene import ChainScene
from verify.papers.dkbhl20.invariance import POSITIVE, SUPPORT, law_pool
from verify.papers.dkbhl20.invariant_laws_proofs import (
    all_states_are_fixed,
    lines_are_apart,
    means_follow,
    there_is_one,
)
from verify.papers.dkbhl20.laws_on_signs import (
    DEFINED,
    INVARIANT,
    LAWS_ON_SIGNS,
    ON_SIGNS,
    SEVERAL,
    SMALL,
    law_on_signs,
)
from verify.papers.dkbhl20.sign_states import sign_chain_of, step_of_matrices
from verify.papers.dkbhl20.sources import printed

ZERO = Fraction(0)
LAWS = law_pool(bounded=False)
BOUNDED_LAWS = law_pool()
SMALL_LAWS = law_pool(bounded=False, largest=2)  # two rows are enough, and quick


# measures -----------------------------------------------------------------------------------------
def _change_of_means(case: Tensors) -> list[Fraction]:
    chain, law = sign_chain_of(case), law_on_signs(case)
    if chain is None or law is None:
        return [ZERO] * case.lengths["d"]
    after = chain.after(law)
    return [chain.mean(after, i) - chain.mean(law, i) for i in range(case.lengths["d"])]


def change_of_means(scene: ChainScene) -> Entries:
    """(10) in row i: E u_i after a step less E u_i."""
    found = [_change_of_means(case) for case in scene.cases]
    zero = scene.constant(0)
    rows = range(scene.width)
    return scene.parts([({"row": i}, scene.numbers([f[i] for f in found]), zero) for i in rows])


def change_beside_the_means(scene: ChainScene) -> Entries:
    """The largest change of a probability in one step, where no E u_i changes; else 0."""
    found = []
    for case in scene.cases:
        chain, law = sign_chain_of(case), law_on_signs(case)
        worst = ZERO
        if chain is not None and law is not None and not any(_change_of_means(case)):
            pairs = zip(chain.after(law), law, strict=True)
            worst = max(abs(after - before) for after, before in pairs)
        found.append(worst)
    return scene.compare(scene.numbers(found), scene.constant(0))


def _count(case: Tensors) -> Fraction:
    """Of the extreme invariant laws on the states u v^T of one v."""
    chain = sign_chain_of(case)
    return ZERO if chain is None else Fraction(len(chain.laws))


def some_invariant_law(scene: ChainScene) -> Entries:
    """The number of extreme invariant laws on the states u v^T of one v."""
    return scene.compare(scene.numbers([_count(c) for c in scene.cases]), scene.constant(0))


def laws_beside_one(scene: ChainScene) -> Entries:
    """That number less 1."""
    return scene.compare(scene.numbers([_count(c) for c in scene.cases]), scene.constant(1))


def laws_beside_two(scene: ChainScene) -> Entries:
    """That number less 2."""
    return scene.compare(scene.numbers([_count(c) for c in scene.cases]), scene.constant(2))


def laws_on_two_lines(scene: ChainScene) -> Entries:
    """On H = u v^T with v = (1, ..., 1), then with v = (1, ..., 1, -1): the largest change, in one
    step of H, of the probabilities of an invariant law; at last how many matrices both laws have in
    common."""
    zero, found = scene.constant(0), [_two_lines(case) for case in scene.cases]
    parts = []
    for k, name in enumerate(("first", "second", "third")):
        parts.append(({"part": name}, scene.numbers([f[k] for f in found]), zero))
    return scene.parts(parts)


def _two_lines(case: Tensors) -> tuple[Fraction, Fraction, Fraction]:
    chain = sign_chain_of(case)
    if chain is None or not chain.laws:
        return ZERO, ZERO, ZERO
    last = [1] * (case.lengths["N"] - 1)
    supports, changes = [], []
    for line in ([*last, 1], [*last, -1]):
        law = {
            tuple(tuple(Fraction(x * y) for y in line) for x in u): mass
            for u, mass in zip(chain.states, chain.laws[0], strict=True)
            if mass
        }
        after = step_of_matrices(case, law)
        keys = set(law) | set(after)
        changes.append(max(abs(after.get(h, ZERO) - law.get(h, ZERO)) for h in keys))
        supports.append(set(law))
    return changes[0], changes[1], Fraction(len(supports[0] & supports[1]))


# claims -------------------------------------------------------------------------------------------
LAW = (PROBABILITIES, MEAN_ZERO, VARIANCE_ONE, POSITIVE)
IF_UNIQUE = r"the chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits a unique invariant distribution"
READINGS = {
    "A": r"(10): $\int\mathrm{BN}(H+\gamma WH)\,\mu(dW)\,\nu(dH)=\int\mathrm{BN}(H)\,\nu(dH)$",
    "B": r"(38): $\int g(\mathrm{BN}_{0,\mathbf 1_d}(H+\gamma WH))\,\mu(dW)\,\nu(dH)=\int "
    r"g(H)\,\nu(dH)$ for every bounded Borel function $g$",
}

DEFINITIONS = tuple(
    Claim(
        f"dkbhl20.def2@{reading}",
        Kind.DEFINITION,
        printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
        "invariant distribution",
        r"$\nu$ is an invariant distribution of the hidden representations if " + text + ".",
        reading=reading,
        reading_text=text,
    )
    for reading, text in READINGS.items()
)
FROM_THE_OTHER = Claim(
    "dkbhl20.def2.means",
    Kind.IDENTITY,
    printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
    "(38) gives (10)",
    "Not printed: a law that meets (38) meets (10).",
    (*LAW, DEFINED, ON_SIGNS, INVARIANT),
    ("dkbhl20.def2@A", "dkbhl20.def2@B"),
    change_of_means,
    LAWS_ON_SIGNS,
    exact_only=True,
    proof=means_follow,
)
NOT_BACK = Claim(
    "dkbhl20.def2.unlike",
    Kind.EXISTENCE,
    printed("Definition 2, eq. (10), Appendix A; eq. (38), Appendix E"),
    "(10) does not give (38)",
    "Not printed: some law meets (10) and not (38).",
    (*LAW[:-1], SYMMETRIC_LAW, POSITIVE, DEFINED, ON_SIGNS),
    ("dkbhl20.def2@A", "dkbhl20.def2@B"),
    change_beside_the_means,
    LAWS_ON_SIGNS,
    negated="every law that meets (10) meets (38)",
    exact_only=True,
)
ADMITS = Claim(
    "dkbhl20.hyp_unique.a",
    Kind.EXISTENCE,
    printed("Appendix A, before Definition 2"),
    "an invariant distribution",
    r"Under mild assumptions the Markov chain $\{H_\ell^{(\gamma)}\}_{\ell\ge1}$ admits an "
    "invariant distribution: for some law of the weights it does.",
    LAW,
    ("dkbhl20.def2@B",),
    some_invariant_law,
    LAWS,
    negated="no chain of the setting has an invariant distribution",
    exact_only=True,
)
AT_LEAST_ONE = Claim(
    "dkbhl20.hyp_unique.b",
    Kind.INEQUALITY,
    printed("proof sketch of Theorem 14, eq. (38), Appendix E"),
    "at least one invariant distribution",
    r"$\{H_\ell^{(\gamma)}\}$ is a Markov chain in a compact space and admits at least one "
    r"invariant distribution $\nu$, for which (38) holds.",
    (*LAW, DEFINED),
    ("dkbhl20.def2@B",),
    laws_beside_one,
    LAWS,
    exact_only=True,
    proof=there_is_one,
)
ASSUMED = Claim(
    "dkbhl20.hyp_unique.c",
    Kind.ASSUMPTION,
    printed("Lemmas 4, 5 and 10, Theorem 14, Corollary 15; footnote 11"),
    "unique invariant distribution",
    rf"The assumption of the lemmas: {IF_UNIQUE} $\nu_\gamma$.",
)
MANY = Claim(
    "dkbhl20.hyp_unique.c.samples",
    Kind.IDENTITY,
    printed("the assumption of Lemmas 4, 5 and 10, Theorem 14, Corollary 15"),
    "several samples have several invariant distributions",
    r"Not printed: for $N\ge2$ the chain admits two invariant distributions, one on each of the "
    r"sets "
    r"$\{uv^\top:u\in\{-1,1\}^d\}$ with $v=(1,\dots,1)$ and $v=(1,\dots,1,-1)$, which have no "
    "matrix in common.",
    (*LAW, DEFINED, SEVERAL),
    ("dkbhl20.hyp_unique.b", "dkbhl20.hyp_unique.c"),
    laws_on_two_lines,
    SMALL_LAWS,
    exact_only=True,
    proof=lines_are_apart,
)
FEW = Claim(
    "dkbhl20.hyp_unique.c.small",
    Kind.INEQUALITY,
    printed("the assumption of Lemmas 4, 5 and 10, Theorem 14, Corollary 15"),
    "for small gamma several invariant distributions",
    r"Not printed: for weights with support in $[-B,B]$ and $0<\gamma<1/(dB)$ the chain admits at "
    r"least two invariant distributions, whatever $N$.",
    (*LAW, SUPPORT, SMALL),
    ("dkbhl20.hyp_unique.b", "dkbhl20.hyp_unique.c"),
    laws_beside_two,
    BOUNDED_LAWS,
    exact_only=True,
    proof=all_states_are_fixed,
)

CLAIMS = (*DEFINITIONS, FROM_THE_OTHER, NOT_BACK, ADMITS, AT_LEAST_ONE, ASSUMED, MANY, FEW)
