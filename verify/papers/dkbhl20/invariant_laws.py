"""Definition 2, and what the paper supposes of invariant distributions: that there is one, that it
is unique, that averages tend to its means (Appendices A, D, E).

Judged on the chains of signs (verify.papers.dkbhl20.sign_states), the whole chain for N = 1. A law
on {-1, 1}^d has support points `states`, (m, d), and probabilities `mass`, (m,).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from graphs.rings import ring_of
from verify.argument import Argument, Step
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case
from verify.normalised_hypotheses import (
    MEAN_ZERO,
    PROBABILITIES,
    SYMMETRIC_LAW,
    VARIANCE_ONE,
    held,
)
from verify.normalised_pool import chain_pool, rows_of, unit_rows, with_entries
from verify.normalised_scene import Chained, ChainScene
from verify.papers.dkbhl20.invariance import (
    POSITIVE,
    SUPPORT,
    UNIQUE,
    around_the_flips,
    in_the_setting,
    largest_atom,
    law_pool,
)
from verify.papers.dkbhl20.rank_one_kept import ON_LINES, ROW_SUMS, states_in_words
from verify.papers.dkbhl20.sign_states import (
    Masses,
    sign_chain_of,
    step_of_matrices,
)
from verify.papers.dkbhl20.sources import printed
from verify.papers.dkbhl20.words import EVERY_SIZE, matrix
from verify.tensors import Tensor, Tensors
from verify.vocabulary import Entries

ZERO, ONE = Fraction(0), Fraction(1)
LAWS = law_pool(bounded=False)
BOUNDED_LAWS = law_pool()
SMALL_LAWS = law_pool(bounded=False, largest=2)  # two rows are enough, and quick


# laws on signs ------------------------------------------------------------------------------------
def with_law_on_signs(case: Chained, states: list[tuple[int, ...]], masses: Masses) -> Chained:
    """The instance with another law of H."""
    entries = tuple(Fraction(x) for u in states for x in u)
    shape = (len(states), len(states[0]))
    return case.changing(
        states=Tensor(("m", "d"), shape, entries, held=True),
        mass=Tensor(("m",), (len(states),), tuple(masses), held=True),
    )


def law_on_signs(case: Tensors) -> Masses | None:
    """The probability of each state of the chain; None where these are no signs or no law."""
    chain = sign_chain_of(case)
    masses = case.arrays["mass"].entries
    if chain is None or min(masses) < 0 or sum(masses) != 1:
        return None
    found = dict.fromkeys(chain.states, ZERO)
    for row, mass in zip(rows_of(case.arrays["states"]), masses, strict=True):
        key = tuple(int(x) for x in row)
        if any(abs(x) != 1 for x in row):
            return None
        found[key] += mass
    return tuple(found.values())


def _around(case: Chained, random: Random) -> Chained:
    """Half of the laws sit on u and -u with the same probability."""
    case = in_the_setting(case, random)
    if random.random() < 0.5:
        return case
    signs = tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))
    half = Fraction(1, 2)
    return with_law_on_signs(case, [signs, tuple(-x for x in signs)], (half, half))


LAWS_ON_SIGNS = chain_pool(
    "gamma",
    "atoms",
    "probs",
    extras=(("states", ("m", "d")), ("mass", ("m",))),
    largest=3,
    last=_around,
)


def _to_signs(case: Chained, random: Random) -> Chained:
    if law_on_signs(case) is not None:
        return case
    states = [
        tuple(-1 if x < 0 or random.random() < 0.25 else 1 for x in row)
        for row in rows_of(case.arrays["states"])
    ]
    shares = [abs(x) or ONE for x in case.arrays["mass"].entries]
    return with_law_on_signs(case, states, tuple(share / sum(shares) for share in shares))


ON_SIGNS = Hypothesis(
    "law on signs",
    r"$\nu$ is a law on $\{-1,1\}^d$, the state space for $N=1$",
    by_case(lambda case: law_on_signs(case) is not None),
    _to_signs,
    thin=True,
)


def _is_invariant(case: Tensors) -> bool:
    chain, law = sign_chain_of(case), law_on_signs(case)
    return chain is not None and law is not None and chain.after(law) == law


def _to_invariant(case: Chained, random: Random) -> Chained:
    """A mixture of extreme invariant laws, if there are any."""
    chain = sign_chain_of(case)
    if chain is None or not chain.laws or _is_invariant(case):
        return case
    shares = [Fraction(random.randint(0, 2)) for _ in chain.laws]
    shares[random.randrange(len(shares))] += 1
    pairs = list(zip(shares, chain.laws, strict=True))
    mixed = [
        sum((s * law[k] for s, law in pairs), ZERO) / sum(shares) for k in range(len(chain.states))
    ]
    kept = [k for k, mass in enumerate(mixed) if mass]
    return with_law_on_signs(case, [chain.states[k] for k in kept], tuple(mixed[k] for k in kept))


INVARIANT = Hypothesis(
    "invariant law (38)",
    r"$\nu$ meets (38)",
    by_case(_is_invariant),
    _to_invariant,
    lambda case, random: with_law_on_signs(
        case, [tuple(random.choice((1, -1)) for _ in range(case.lengths["d"]))], (ONE,)
    ),
    thin=True,
)


# where the chain is defined, and what holds of it -------------------------------------------------
def _is_defined(case: Tensors) -> bool:
    chain = sign_chain_of(case)
    return chain is not None and chain.is_defined


def _to_defined(case: Chained, random: Random) -> Chained:
    for _ in range(4):
        if _is_defined(case):
            break
        case = with_entries(case, "gamma", [around_the_flips(case, random)])
    return case


DEFINED = Hypothesis(
    "BN defined on signs",
    r"no entry of $u+\gamma Wu$ is $0$, for any $u\in\{-1,1\}^d$ and any $W$ that can be drawn",
    by_case(_is_defined),
    _to_defined,
    lambda case, random: with_entries(
        case, "gamma", [1 / (random.randint(1, case.lengths["d"]) * largest_atom(case))]
    ),
    thin=True,
)
SEVERAL = Hypothesis(
    "two samples or more",
    r"$N\ge2$",
    by_case(lambda case: case.lengths["N"] >= 2),
    lambda case, random: (
        case if case.lengths["N"] >= 2 else _with_samples(case, random.randint(2, 3), random)
    ),
    lambda case, random: _with_samples(case, 1, random),
)


def _with_samples(case: Chained, count: int, random: Random) -> Chained:
    height = case.lengths["d"]
    rows = unit_rows(height, count, random)
    entries = tuple(x for row in rows for x in row)
    return held(case.changing(H=Tensor(("d", "N"), (height, count), entries)), "H")


SMALL = Hypothesis(
    "gamma below 1/(dB)",
    r"$\gamma<1/(dB)$",
    by_case(lambda case: case.number("gamma") * case.lengths["d"] * case.number("B") < 1),
    lambda case, random: (
        case
        if case.number("gamma") * case.lengths["d"] * case.number("B") < 1
        else with_entries(
            case,
            "gamma",
            [Fraction(random.randint(1, 15), 16 * case.lengths["d"]) / case.number("B")],
        )
    ),
    lambda case, random: with_entries(
        case,
        "gamma",
        [random.choice((2, 3, Fraction(9, 8))) / (case.lengths["d"] * largest_atom(case))],
    ),
)


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


def measures_of_invariant_sets(scene: ChainScene) -> Entries:
    """nu(A)(1 - nu(A)), the largest over the closed classes A, for the mean nu of all extreme
    invariant laws."""
    found = []
    for case in scene.cases:
        chain = sign_chain_of(case)
        laws = () if chain is None else chain.laws
        shares = [
            sum((m for law in laws for m, inside in zip(law, a, strict=True) if inside), ZERO)
            / len(laws)
            for a in laws
        ]
        found.append(max((share * (1 - share) for share in shares), default=ZERO))
    return scene.compare(scene.numbers(found), scene.constant(0))


def averages_of_indicators(scene: ChainScene) -> Entries:
    """The largest difference of the limit of an average of g, from any start in {-1, 1}^d, and the
    mean of g under an invariant law, g the indicator of a state. The limit is the mean of g under
    the law of the closed class that is reached."""
    found = []
    for case in scene.cases:
        chain = sign_chain_of(case)
        laws = () if chain is None else chain.laws
        gaps = (abs(x - y) for a in laws for b in laws for x, y in zip(a, b, strict=True))
        found.append(max(gaps, default=ZERO))
    return scene.compare(scene.numbers(found), scene.constant(0))


# arguments ----------------------------------------------------------------------------------------
EIGENVECTOR = "a stochastic matrix has a left eigenvector of eigenvalue 1 that is a probability law"
FINITE = "the averages of a finite chain tend to the means under the law of the class it comes to"


def means_follow() -> Argument:
    """nu P S - nu S = (nu P - nu) S."""
    law, steps, states = matrix("nu"), matrix("P"), matrix("S")
    gap = law @ steps @ states - law @ states
    return Argument(
        "the change of the mean state is (nu P - nu) S, the states in the rows of S: 0 where "
        "nu P = nu",
        (
            Step("nu P S - nu S = (nu P - nu) S", (gap - (law @ steps - law) @ states).is_zero),
            Step("it is 0 where nu P = nu", gap.replaced(("nu", "P"), ("nu",)).is_zero),
            Step("and no sum of 0 terms", not gap.is_zero),
        ),
        (EVERY_SIZE,),
        "change_of_means",
        ("law on signs", "invariant law (38)"),
    )


def there_is_one() -> Argument:
    """The chain of signs is finite."""
    return Argument(
        "a layer takes u v^T to sign(u + gamma W u) v^T, a chain on 2^d states, which has an "
        "invariant law",
        (states_in_words(),),
        (EVERY_SIZE, EIGENVECTOR),
        "laws_beside_one",
        ("BN defined on signs",),
    )


def lines_are_apart() -> Argument:
    """(1, ..., 1) and (1, ..., 1, -1) have the minor -2."""
    minor = Fraction(1) * -1 - Fraction(1) * 1
    return Argument(
        "the states u v^T of one v go to states of the same v, and no multiple of (1, ..., 1) is "
        "(1, ..., 1, -1)",
        (
            states_in_words(),
            Step("the minor 1 * (-1) - 1 * 1 of the two rows is not 0", minor != 0),
        ),
        (EVERY_SIZE, EIGENVECTOR),
        "laws_on_two_lines",
        ("BN defined on signs", "two samples or more"),
    )


def all_states_are_fixed() -> Argument:
    """u_i + gamma (W u)_i has the sign of u_i."""
    ring = ring_of(2)
    u, p = ring.generators
    gap = ring.is_zero(u * (u + p) - u * u - u * p)
    return Argument(
        "every state u v^T is fixed, as |gamma (W u)_i| <= gamma d B < 1: the laws at u v^T and "
        "-u v^T are invariant",
        (
            states_in_words(),
            Step("u_i (u_i + p_i) = u_i^2 + u_i p_i, with u_i^2 = 1 > |p_i|", gap),
            Step("u and -u are two states: 1 is not -1", Fraction(1) != Fraction(-1)),
        ),
        (ROW_SUMS, ON_LINES),
        "laws_beside_two",
        ("a law", "support in [-B, B]", "gamma above 0", "gamma below 1/(dB)"),
    )


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
    "A law that meets (38) meets (10).",
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
    "Some law meets (10) and not (38).",
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
    r"For $N\ge2$ the chain admits two invariant distributions, one on each of the sets "
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
    r"For weights with support in $[-B,B]$ and $0<\gamma<1/(dB)$ the chain admits at least two "
    r"invariant distributions, whatever $N$.",
    (*LAW, SUPPORT, SMALL),
    ("dkbhl20.hyp_unique.b", "dkbhl20.hyp_unique.c"),
    laws_beside_two,
    BOUNDED_LAWS,
    exact_only=True,
    proof=all_states_are_fixed,
)
ERGODIC = Claim(
    "dkbhl20.ergodic.a",
    Kind.IDENTITY,
    printed("footnote 11; eqs. (32), (40), (49)"),
    "uniqueness implies ergodicity",
    rf"If {IF_UNIQUE} $\nu_\gamma$, then the chain is ergodic: $\nu_\gamma(A)\in\{{0,1\}}$ for "
    r"every set $A$ that it does not leave.",
    (*LAW, UNIQUE),
    ("dkbhl20.hyp_unique.c",),
    measures_of_invariant_sets,
    LAWS,
    exact_only=True,
)
AVERAGES = Claim(
    "dkbhl20.ergodic.b",
    Kind.IDENTITY,
    printed("eqs. (32), (40), (49), (61)"),
    "averages along the chain",
    rf"If {IF_UNIQUE} $\nu_\gamma$, and so is ergodic, then $\lim_{{L\to\infty}}\frac1L\sum_{{\ell"
    r"=1}^Lg(H_\ell^{(\gamma)})=\mathbb E_{H\sim\nu_\gamma}[g(H)]$ holds almost surely for every "
    r"bounded Borel $g:\mathcal H\to\mathbb R$.",
    (*LAW, UNIQUE),
    ("dkbhl20.ergodic.a",),
    averages_of_indicators,
    LAWS,
    exact_only=True,
)

CLAIMS = (
    *DEFINITIONS,
    FROM_THE_OTHER,
    NOT_BACK,
    ADMITS,
    AT_LEAST_ONE,
    ASSUMED,
    MANY,
    FEW,
    ERGODIC,
    AVERAGES,
)
