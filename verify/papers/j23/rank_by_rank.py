"""Section 3.1, after Theorem 3: minimisation rank by rank.

The rearrangement of the minima is one. But near a matrix A of rank k there are matrices of rank
k + 1 with R^(1) = 2 log |A'|_+ as low as one likes, lambda L + 2 lambda log e -> -infinity for a
new singular value e -> 0: of linear maps no inner minimum is a local minimum of C + lambda L R^(0)
+ lambda R^(1). The one for k = 0 is attained, at 0.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealScene, RealTensors, as_real
from verify.cases.scenes import Entries
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.papers.j23.rows import Row, entries_of, exact, number
from verify.papers.j23.sources import printed


def rearranged_residual(scene: RealScene) -> Entries:
    """min_f C + lambda L R0 + lambda R1 minus min over k = 0, 1, ... of lambda L k + the minimum of
    C + lambda R1 over the f with R0 = k."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight, depth = number(case, "lambda"), case.whole("L")
        errors, ranks, firsts = (exact(case, name) for name in ("C", "R0", "R1"))
        inner = errors + firsts * weight
        left = min(inner + ranks * (weight * depth))
        groups = [
            weight * depth * k + min(inner[i] for i in range(len(ranks)) if ranks[i] == k)
            for k in {
                int(as_fraction(r)) for r in ranks if r >= 0 and as_fraction(r).denominator == 1
            }
        ]
        if groups:
            rows.append((place, {}, left - min(groups)))
    return entries_of(rows)


def _are_ranks(case: Tensors) -> bool:
    return all(value >= 0 and value.denominator == 1 for value in case.arrays["R0"].entries)


def _to_ranks(case: Tensors, random: Random) -> Tensors:
    array = case.arrays["R0"]
    entries = tuple(Fraction(round(abs(value))) for value in array.entries)
    return case.changing(R0=replace(array, entries=entries))


def _half_ranks(case: Tensors, random: Random) -> Tensors:
    """One of them becomes a half, with little cost."""
    ranks, errors = case.arrays["R0"], case.arrays["C"]
    return case.changing(
        R0=replace(ranks, entries=(Fraction(1, 2), *ranks.entries[1:])),
        C=replace(errors, entries=(errors.entries[0] - 4, *errors.entries[1:])),
    )


INTEGER = Hypothesis(
    "integer ranks",
    r"$R^{(0)}$ takes integer values (at least $0$)",
    by_case(_are_ranks),
    _to_ranks,
    _half_ranks,
)
WHERE = "Section 3.1, after Theorem 3"


def _weighted(case: Tensors, random: Random) -> RealTensors:
    """lambda above 0."""
    array = case.arrays["lambda"]
    value = abs(array.entries[0]) or Fraction(1, random.choice((1, 10, 1000)))
    return as_real(case.changing(**{"lambda": replace(array, entries=(value,))}), random)


REARRANGED = Claim(
    "j23.rankmin.a",
    Kind.IDENTITY,
    printed(WHERE),
    "minimisation rank by rank",
    r"If $R^{(0)}$ only takes integer values, $\min_fC(f(X))+\lambda LR^{(0)}(f)+"
    r"\lambda R^{(1)}(f)$ is $\min_{k=0,1,\dots}\lambda Lk+\min_{f:R^{(0)}(f)=k}C(f(X))+"
    r"\lambda R^{(1)}(f)$. (Over finite families of functions.)",
    (INTEGER,),
    ("j23.expansion",),
    measure=rearranged_residual,
    pool=TensorPool(
        (("C", ("f",)), ("R0", ("f",)), ("R1", ("f",)), ("lambda", ())),
        (("L", 1, 20),),
        largest=5,
        adapt=_weighted,
    ),
    exact_only=True,
    through="finite families of functions stand for all functions "
    "(docs/mathematics/j23.md#minima-rank-by-rank)",
)


def local_minimum_slack(scene: RealScene) -> Entries:
    """What C + lambda L Rank + 2 lambda log |.|_+ gains at most, with C(A) = |A - Y|_F^2, from 0 to
    a matrix with one entry of size e and to all smaller ones, at the first e = 1/2, 1/4, ... where
    that is below 0: 2 |Y_11| e + e^2 + lambda L + 2 lambda log e, which grows with e."""
    rows: list[Row] = []
    for place, case in enumerate(scene.cases):
        weight, depth = number(case, "lambda"), case.whole("L")
        first = abs(exact(case, "Y").reshape(-1)[0])
        if weight <= 0 or depth < 1:
            continue
        for power in range(1, 65):
            e = rational(Fraction(1, 2**power))
            plain = first * e * 2 + e * e + weight * depth
            gain = reals.log(e) * weight * 2 + plain
            if gain < 0:
                rows.append((place, {}, gain))
                break
    return entries_of(rows)


LOCAL = Claim(
    "j23.rankmin.b",
    Kind.INEQUALITY,
    printed(WHERE),
    "inner minima are local minima",
    r"Every inner minimisation that is attained inside $\{f:R^{(0)}(f)=k\}$ corresponds to a "
    r"different local minimum. (Linear maps, $R^{(0)}=\mathrm{Rank}$, $R^{(1)}=2\log|A|_+$, "
    r"$C(A)=\lVert A-Y\rVert_F^2$, $k=0$, attained at $0$: no $e$ makes all matrices with the one "
    r"entry $e'\le e$ cheaper than $0$.)",
    depends=("j23.rankmin.a", "j23.linexp.b"),
    measure=local_minimum_slack,
    pool=TensorPool(
        (("Y", ("m", "n")), ("lambda", ())), (("L", 1, 20),), largest=3, adapt=_weighted
    ),
    exact_only=True,
    through=r"of linear maps $R^{(0)}=\mathrm{Rank}A$ and $R^{(1)}=2\log|A|_+$ are known, and all "
    "smaller entries gain more (docs/mathematics/j23.md#minima-rank-by-rank)",
    why=r"Beside a minimum of rank $k$ lie functions of rank $k+1$ with one more singular value "
    r"$e$: "
    r"$C$ moves by $O(e)$, while $\lambda L+2\lambda\log e\to-\infty$ as $e\to0$.",
)

CLAIMS = (REARRANGED, LOCAL)
