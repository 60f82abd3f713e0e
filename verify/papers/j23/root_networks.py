"""Proposition 4, part 3: the network W_l = U_l S^{1/L} U_(l-1)^T, and what it says of linear maps.

A case of the network has the diagonal t > 0 of S^{1/L} (so S = diag(t_i^L), and A = U S V^T has
singular values that are L-th powers), U_0 = V, U_L = U, and U_l = P for odd and Q for even l
between them, with widths of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import numpy as np

from graphs import reals
from graphs.arithmetic import as_fraction, rational
from graphs.rationals import RATIONALS
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.real_arrays import RealTensors
from verify.cases.tensor_pool import TensorPool
from verify.cases.tensors import Tensors
from verify.core.claim import Claim, Kind
from verify.kinds.deep.networks import Matrix, tensor_of
from verify.kinds.deep.pool import rotation
from verify.papers.j23 import root_network_proofs as proofs
from verify.papers.j23.affine_cases import SLOPE as INSIDE
from verify.papers.j23.rows import exact
from verify.papers.j23.second_correction import unless, with_matrices
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_value
from verify.statements.sides import Side, by_numbers

DEEPEST = 4
FRAMES = "UVPQ"
SLOPE = replace(INSIDE, name="slope of the activation")
PLACE = "Propositions 4 and 14, part 3"


# the network --------------------------------------------------------------------------------------
def frame_of(case: Tensors, layer: int) -> Matrix:
    """U_l: (n_l, k)."""
    if layer == 0:
        return exact(case, "V")
    if layer == case.whole("L"):
        return exact(case, "U")
    return exact(case, "P" if layer % 2 else "Q")


def power_of(case: Tensors, exponent: int) -> Matrix:
    """(k, k): S^(exponent / L)."""
    return np.asarray(np.diag(exact(case, "t") ** exponent))


def weight(case: Tensors, layer: int) -> Matrix:
    """W_l."""
    return np.asarray(frame_of(case, layer) @ power_of(case, 1) @ frame_of(case, layer - 1).T)


def target(case: Tensors) -> Matrix:
    """A = U S V^T."""
    return np.asarray(exact(case, "U") @ power_of(case, case.whole("L")) @ exact(case, "V").T)


def representation(case: Tensors, layer: int) -> Matrix:
    """(N, n_l): U_l S^{l/L} V^T x at the points."""
    below = power_of(case, layer) @ exact(case, "V").T
    return np.asarray(exact(case, "X") @ below.T @ frame_of(case, layer).T)


def _deep_enough(case: Tensors) -> bool:
    return 1 <= case.whole("L") <= DEEPEST


def outputs(case: Tensors) -> Iterator[Side]:
    """f_theta(x) against A x at the points, every coordinate."""
    if not _deep_enough(case):
        return
    here, slope = exact(case, "X"), exact(case, "a").reshape(-1)[0]
    for layer in range(1, case.whole("L") + 1):
        here = here @ weight(case, layer).T
        if layer < case.whole("L"):
            here = np.where(here < 0, here * slope, here)
    told = exact(case, "X") @ target(case).T
    for (point, output), value in np.ndenumerate(here):
        yield {"point": point, "coordinate": output}, value, told[point, output]


def norm(case: Tensors) -> Iterator[Side]:
    """|theta|^2 against L Tr S^{2/L}, and this against L sum_i s_i(A)^(2/L)."""
    if not _deep_enough(case):
        return
    depth = case.whole("L")
    trace = (exact(case, "t") ** 2).sum() * depth
    square = sum(((weight(case, layer) ** 2).sum() for layer in range(1, depth + 1)), rational(0))
    yield {"part": "norm"}, square, trace
    found = reals.squared_singular_values(target(case))
    least = sum((reals.power(s, Fraction(1, depth)) for s in found), rational(0)) * depth
    yield {"part": "optimal"}, trace, least


def squared_norm(matrix: Matrix) -> Any:
    """|M|_op^2."""
    found = reals.squared_singular_values(matrix)
    return found[0] if found else rational(0)


def hidden_norms(case: Tensors) -> Iterator[Side]:
    """max(1, |A|_op^2) - |J alpha~_l|_op^2 for every layer."""
    if not _deep_enough(case):
        return
    bound = reals.larger(rational(1), squared_norm(target(case)))
    product = weight(case, 1)
    for layer in range(1, case.whole("L") + 1):
        product = weight(case, layer) @ product if layer > 1 else product
        yield {"layer": layer}, bound, squared_norm(product)


def first_between(case: Tensors) -> Iterator[Side]:
    """|h|_+^(2 L) against |A|_+^(2 (m - l)) for h = alpha_l -> alpha_m: of R^(1) = 2 log |.|_+ that
    R^(1)(h) is (m - l)/L of R^(1)(A)."""
    depth, start, end = (case.whole(name) for name in ("L", "l", "m"))
    if not _deep_enough(case) or not 0 <= start < end <= depth:
        return
    between = frame_of(case, end) @ power_of(case, end - start) @ frame_of(case, start).T
    one = reals.pseudo_determinant_squared(between) ** depth
    yield {}, one, reals.pseudo_determinant_squared(target(case)) ** (end - start)


# making cases -------------------------------------------------------------------------------------
def _orthonormal(matrix: Matrix) -> bool:
    gram = matrix.T @ matrix
    return bool((gram == RATIONALS.array(np.eye(len(gram), dtype=int).tolist())).all())


def _turned(rows: int, columns: int, random: Random) -> list[list[Fraction]]:
    return [row[:columns] for row in rotation(rows, random)]


def _positive(rows: int, columns: int, random: Random) -> list[list[Fraction]]:
    """Orthonormal columns with no negative entry: each has rows of its own, one or two."""
    places = random.sample(range(rows), rows)
    found = [[Fraction(0)] * columns for _ in range(rows)]
    for column in range(columns):
        spare = len(places) - (columns - column)
        pair = spare > 0 and random.random() < 0.5
        for size in (Fraction(3, 5), Fraction(4, 5)) if pair else (Fraction(1),):
            found[places.pop()][column] = size
    return found


def arranged(case: Tensors, random: Random, *, positive: bool = False) -> RealTensors:
    """k at most every width; t above 0; frames, of which in most cases, or where asked for, those
    between the ends have no negative entry, and the points then images under V of such."""
    lengths = case.lengths
    k = min(lengths[axis] for axis in ("k", "m", "n", "p", "q"))
    positive = positive or random.random() < 0.7
    arrays = dict(case.arrays)
    values = [abs(entry) or Fraction(1) for entry in arrays["t"].entries[:k]]
    arrays["t"] = tensor_of(("k",), values)
    for name in FRAMES:
        rows = arrays[name].shape[0]
        make = _positive if positive and name in "PQ" else _turned
        arrays[name] = tensor_of((arrays[name].axes[0], "k"), make(rows, k, random))
    found = RealTensors(arrays, case.choice, case.family)
    if "X" not in arrays:
        return found
    changed: Tensors = SLOPE.repair(found, random)
    if positive:
        inside = np.abs(exact(case, "X")[:, :k])
        changed = with_matrices(changed, X=inside @ exact(found, "V").T)
    return RealTensors(changed.arrays, changed.choice, changed.family)


ARRAYS = (
    ("t", ("k",)),
    ("U", ("m", "k")),
    ("V", ("n", "k")),
    ("P", ("p", "k")),
    ("Q", ("q", "k")),
    ("X", ("N", "n")),
    ("a", ()),
)
DEPTH = (("L", 1, DEEPEST),)
NETWORKS = TensorPool(ARRAYS, integers=DEPTH, largest=3, adapt=arranged)
FACTORS = replace(NETWORKS, arrays=ARRAYS[:5])
PAIRS = replace(FACTORS, integers=(*DEPTH, ("l", 0, DEEPEST), ("m", 0, DEEPEST)))


# hypotheses ---------------------------------------------------------------------------------------
def _are_frames(case: Tensors) -> bool:
    return all(_orthonormal(exact(case, name)) for name in FRAMES)


def _doubled(case: Tensors, random: Random) -> Tensors:
    name = random.choice(FRAMES)
    return with_matrices(case, **{name: 2 * exact(case, name)})


def _values_positive(case: Tensors) -> bool:
    return all(entry > 0 for entry in case.arrays["t"].entries)


def _positive_between(case: Tensors) -> bool:
    return _deep_enough(case) and all(
        bool((representation(case, layer) >= 0).all()) for layer in range(1, case.whole("L"))
    )


def _reversed(case: Tensors, random: Random) -> Tensors:
    """Deeper than 1, the first point replaced by its opposite, or, where V^T is 0 there, by that of
    the first column of V."""
    array = case.arrays["X"]
    width = array.shape[1]
    first, frame = exact(case, "X")[0], exact(case, "V")
    if not (first @ frame).any():
        first = frame[:, 0]
    entries = (*(-as_fraction(v) for v in first), *array.entries[width:])
    depth = random.randint(2, DEEPEST)
    return with_value(case.changing(X=replace(array, entries=entries)), "L", depth)


VALUES = Hypothesis(
    "singular values above 0",
    "$S>0$",
    by_case(_values_positive),
    unless(_values_positive, arranged),
)
ORTHONORMAL = Hypothesis(
    "orthonormal columns",
    r"$U_\ell^TU_\ell=I_k$ for $\ell=0,\dots,L$",
    by_case(_are_frames),
    unless(_are_frames, arranged),
    _doubled,
)
POSITIVE = Hypothesis(
    "positive representations",
    r"$U_\ell S^{\ell/L}V^T\Omega\in\mathbb R_+^{n_\ell}$ for $\ell=1,\dots,L-1$",
    by_case(_positive_between),
    unless(_positive_between, partial(arranged, positive=True)),
    _reversed,
)
IN_ORDER = Hypothesis(
    "layers in order",
    r"$0\le\ell_1<\ell_2\le L$",
    by_case(lambda case: 0 <= case.whole("l") < case.whole("m") <= case.whole("L")),
    lambda case, random: with_value(
        with_value(case, "m", random.randint(1, case.whole("L"))), "l", 0
    ),
)
NETWORK = r"For $A=USV^T$ and $W_\ell=U_\ell S^{1/L}U_{\ell-1}^T$, $U_0=V$, $U_L=U$: "

CHAINS = (
    Claim(
        "j23.prop4.3.network",
        Kind.IDENTITY,
        printed(f"{PLACE}, proof"),
        "the network of powers represents the map",
        NETWORK + r"if $U_\ell S^{\ell/L}V^T\Omega\in\mathbb R_+^{n_\ell}$ for "
        r"$\ell=1,\dots,L-1$, then $f_\theta(x)=Ax$ on $\Omega$.",
        (SLOPE, VALUES, ORTHONORMAL, POSITIVE),
        measure=by_numbers(outputs),
        pool=NETWORKS,
        exact_only=True,
        proof=proofs.powers_represent,
    ),
    Claim(
        "j23.prop4.3.norm",
        Kind.IDENTITY,
        printed(f"{PLACE}, proof"),
        "norm of the network of powers",
        NETWORK + r"$\lVert\theta\rVert^2=L\,\mathrm{Tr}[S^{2/L}]=L\sum_is_i(A)^{2/L}$, which is "
        r"the lower bound by the Jacobian.",
        (VALUES, ORTHONORMAL),
        ("j23.schatten@A", "j23.linexp.b"),
        measure=by_numbers(norm),
        pool=FACTORS,
        exact_only=True,
        proof=proofs.norm_of_powers,
    ),
    Claim(
        "j23.r2.opnorm.hidden",
        Kind.INEQUALITY,
        printed("Section 3.2, last paragraph"),
        "bounded hidden representations",
        NETWORK + r"$\lVert J\tilde\alpha_\ell\rVert_{op}\le\max(1,\lVert A\rVert_{op})$ in every "
        r"layer at every depth, so the representations of optimal linear networks stay bounded.",
        (VALUES, ORTHONORMAL),
        measure=by_numbers(hidden_norms),
        pool=FACTORS,
        exact_only=True,
        through="norms that stay bounded in the network of powers stand for convergence "
        "(docs/mathematics/j23.md#the-network-of-powers)",
    ),
)


TAIL_REPAIRED = Claim(
    "j23.prop4.tail.first.fix",
    Kind.IDENTITY,
    printed("end of the proof of Proposition 14, first display"),
    "first correction between two layers, repaired",
    NETWORK + r"$R^{(1)}(\alpha_{\ell_1}\to\alpha_{\ell_2})=\frac{\ell_2-\ell_1}LR^{(1)}(A)$ at "
    r"every depth, with $R^{(1)}=2\log|\cdot|_+$: $|\alpha_{\ell_1}\to\alpha_{\ell_2}|_+^{2L}="
    r"|A|_+^{2(\ell_2-\ell_1)}$.",
    (VALUES, ORTHONORMAL, IN_ORDER),
    measure=by_numbers(first_between),
    pool=PAIRS,
    repairs="j23.prop4.tail.first",
    exact_only=True,
    through="along the network of powers the display holds at every depth, without a limit "
    "(docs/mathematics/j23.md#the-network-of-powers)",
)

CLAIMS = (*CHAINS, TAIL_REPAIRED)
