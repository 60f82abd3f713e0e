"""Proposition 4, part 3: the network W_l = U_l S^{1/L} U_(l-1)^T, and what it says of linear maps.

A case of the network has the diagonal t > 0 of S^{1/L} (so S = diag(t_i^L), and A = U S V^T has
singular values that are L-th powers), U_0 = V, U_L = U, and U_l = P for odd and Q for even l
between them, with widths of their own.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np

from graphs.arithmetic import as_fraction
from verify.cases.tensors import Tensors
from verify.kinds.deep.networks import tensor_of
from verify.kinds.deep.pool import rotation
from verify.language.building import (
    Each,
    Fold,
    Let,
    Matrix,
    Sum,
    Vector,
    When,
    Whole,
    cols,
    diag,
    dim,
    eye,
    frob2,
    larger,
    norm,
    pdet2,
    row,
    rows,
    schatten,
    upto,
    vector,
)
from verify.language.terms import Term
from verify.papers.j23 import root_network_proofs as proofs
from verify.papers.j23.matrix_notation import SLOPE as INSIDE
from verify.papers.j23.matrix_notation import a, activated, inside
from verify.papers.j23.second_correction import with_matrices
from verify.papers.j23.sources import printed
from verify.statements.quantities import with_entries, with_value
from verify.statements.stated import Given, pool_with, stated, unless

DEEPEST = 4
FRAMES = "UVPQ"
PLACE = "Propositions 4 and 14, part 3"


# the network --------------------------------------------------------------------------------------
t = Vector("t", "k", meaning="the diagonal of $S^{1/L}$")
U, V, P, Q = (Matrix(name, axis, "k") for name, axis in zip(FRAMES, "mnpq", strict=True))
X = Matrix("X", "N", "n", meaning="points of $\\Omega$, as rows")
L = Whole("L", 1, DEEPEST)
first, last = Whole("l", 0, DEEPEST), Whole("m", 0, DEEPEST)


def frame(layer: Term) -> Term:
    """U_l."""
    return When(layer == 0, V, When(layer == L, U, When(layer % 2 == 1, P, Q)))


def power(exponent: Term | int) -> Term:
    """S^(exponent / L)."""
    return diag(vector(dim(t), lambda i: t[i] ** exponent))


def weight(layer: Term) -> Term:
    """W_l."""
    return frame(layer) @ diag(t) @ frame(layer - 1).T


A = U @ power(L) @ V.T


def representation(layer: Term, x: Term) -> Term:
    """U_l S^{l/L} V^T x."""
    return frame(layer) @ (power(layer) @ (V.T @ x))


def network(x: Term) -> Term:
    """f_theta(x)."""

    def behind(here: Term, layer: Term) -> Term:
        return Let(weight(layer) @ here, lambda z: When(layer == L, z, activated(z)))

    return Fold(upto(L), x, behind)


def hidden(layer: Term) -> Term:
    """W_l ... W_1, the Jacobian of alpha~_l as far as no activation bends it."""
    return Fold(upto(layer), eye(rows(V)), lambda below, k: weight(k) @ below)


# making cases -------------------------------------------------------------------------------------
def _turned(rows: int, columns: int, random: Random) -> list[list[Fraction]]:
    return [line[:columns] for line in rotation(rows, random)]


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


def arranged(case: Tensors, random: Random, *, positive: bool = False) -> Tensors:
    """k at most every width; t above 0; frames, of which in most cases, or where asked for, those
    between the ends have no negative entry, and the points then images under V of such."""
    lengths = case.lengths
    k = min(lengths[axis] for axis in ("k", "m", "n", "p", "q"))
    positive = positive or random.random() < 0.7
    arrays = dict(case.arrays)
    values = [abs(entry) or Fraction(1) for entry in arrays["t"].entries[:k]]
    arrays["t"] = tensor_of(("k",), values)
    for name in FRAMES:
        height = arrays[name].shape[0]
        make = _positive if positive and name in "PQ" else _turned
        arrays[name] = tensor_of((arrays[name].axes[0], "k"), make(height, k, random))
    found = case.changing(**arrays)
    if "X" not in arrays:
        return found
    found = inside(found, random)
    if positive:
        sizes = np.abs(case.matrix("X")[:, :k])
        found = with_matrices(found, X=sizes @ found.matrix("V").T)
    return found


FACTORS = pool_with(t, U, V, P, Q, L, largest=3, adapt=arranged)
NETWORKS = pool_with(t, U, V, P, Q, X, a, L, largest=3, adapt=arranged)
PAIRS = pool_with(t, U, V, P, Q, L, first, last, largest=3, adapt=arranged)


# hypotheses ---------------------------------------------------------------------------------------
def _doubled(case: Tensors, random: Random) -> Tensors:
    name = random.choice(FRAMES)
    return with_matrices(case, **{name: 2 * case.matrix(name)})


def _reversed(case: Tensors, random: Random) -> Tensors:
    """Deeper than 1, the first point replaced by its opposite, or, where V^T is 0 there, by that of
    the first column of V."""
    array = case.arrays["X"]
    width = array.shape[1]
    point, columns = case.matrix("X")[0], case.matrix("V")
    if not (point @ columns).any():
        point = columns[:, 0]
    entries = (*(-as_fraction(v) for v in point), *array.entries[width:])
    depth = random.randint(2, DEEPEST)
    return with_value(case.changing(X=replace(array, entries=entries)), "L", depth)


def _in_order(case: Tensors, random: Random) -> Tensors:
    return with_value(with_value(case, "m", random.randint(1, case.whole("L"))), "l", 0)


SLOPE = replace(INSIDE, name="slope of the activation")
_ABOVE_0 = Each(upto(dim(t)), lambda i: t[i] > 0)
VALUES = Given(
    "singular values above 0",
    _ABOVE_0,
    "$S>0$",
    unless(_ABOVE_0, arranged),
    lambda case, random: with_entries(case, "t", [-x for x in case.arrays["t"].entries]),
)


def _orthonormal(of: Term) -> Term:
    return of.T @ of == eye(cols(of))


_ARE_FRAMES = _orthonormal(U) & _orthonormal(V) & _orthonormal(P) & _orthonormal(Q)
ORTHONORMAL = Given(
    "orthonormal columns",
    _ARE_FRAMES,
    r"$U_\ell^TU_\ell=I_k$ for $\ell=0,\dots,L$",
    unless(_ARE_FRAMES, arranged),
    _doubled,
)


def _in_orthant(x: Term) -> Term:
    return Each(upto(dim(x)), lambda i: x[i] >= 0)


_POSITIVE = Each(
    upto(L - 1),
    lambda layer: Each(upto(rows(X)), lambda n: _in_orthant(representation(layer, row(X, n)))),
)
POSITIVE = Given(
    "positive representations",
    _POSITIVE,
    r"$U_\ell S^{\ell/L}V^T\Omega\in\mathbb R_+^{n_\ell}$ for $\ell=1,\dots,L-1$",
    unless(_POSITIVE, partial(arranged, positive=True)),
    _reversed,
)
IN_ORDER = Given(
    "layers in order", (first < last) & (last <= L), r"$0\le\ell_1<\ell_2\le L$", _in_order
)

# what is said -------------------------------------------------------------------------------------
REPRESENTED = Each(
    upto(rows(X)),
    lambda n: Each(upto(rows(U)), lambda i: network(row(X, n))[i] == (A @ row(X, n))[i]),
)
TRACE = L * frob2(t)
OPTIMAL = (Sum(upto(L), lambda layer: frob2(weight(layer))) == TRACE) & (
    L * schatten(A, 2 / L) == TRACE
)
BOUNDED = Each(upto(L), lambda layer: norm(hidden(layer)) <= larger(1, norm(A)))
BETWEEN = frame(last) @ power(last - first) @ frame(first).T
AT_EVERY_DEPTH = pdet2(BETWEEN) ** L == pdet2(A) ** (last - first)

# claims -------------------------------------------------------------------------------------------
NETWORK = r"For $A=USV^T$ and $W_\ell=U_\ell S^{1/L}U_{\ell-1}^T$, $U_0=V$, $U_L=U$: "

CHAINS = (
    stated(
        "j23.prop4.3.network",
        printed(f"{PLACE}, proof"),
        "the network of powers represents the map",
        NETWORK + r"if $U_\ell S^{\ell/L}V^T\Omega\in\mathbb R_+^{n_\ell}$ for "
        r"$\ell=1,\dots,L-1$, then $f_\theta(x)=Ax$ on $\Omega$.",
        REPRESENTED,
        (SLOPE, VALUES, ORTHONORMAL, POSITIVE),
        pool=NETWORKS,
        exact_only=True,
        proof=proofs.powers_represent,
    ),
    stated(
        "j23.prop4.3.norm",
        printed(f"{PLACE}, proof"),
        "norm of the network of powers",
        NETWORK + r"$\lVert\theta\rVert^2=L\,\mathrm{Tr}[S^{2/L}]=L\sum_is_i(A)^{2/L}$, which is "
        r"the lower bound by the Jacobian.",
        OPTIMAL,
        (VALUES, ORTHONORMAL),
        depends=("j23.schatten@A", "j23.linexp.b"),
        pool=FACTORS,
        exact_only=True,
        proof=proofs.norm_of_powers,
    ),
    stated(
        "j23.r2.opnorm.hidden",
        printed("Section 3.2, last paragraph"),
        "bounded hidden representations",
        NETWORK + r"$\lVert J\tilde\alpha_\ell\rVert_{op}\le\max(1,\lVert A\rVert_{op})$ in every "
        r"layer at every depth, so the representations of optimal linear networks stay bounded.",
        BOUNDED,
        (VALUES, ORTHONORMAL),
        pool=FACTORS,
        exact_only=True,
        through="norms that stay bounded in the network of powers stand for convergence "
        "(docs/mathematics/j23.md#the-network-of-powers)",
    ),
)


TAIL_REPAIRED = stated(
    "j23.prop4.tail.first.fix",
    printed("end of the proof of Proposition 14, first display"),
    "first correction between two layers, repaired",
    NETWORK + r"$R^{(1)}(\alpha_{\ell_1}\to\alpha_{\ell_2})=\frac{\ell_2-\ell_1}LR^{(1)}(A)$ at "
    r"every depth, with $R^{(1)}=2\log|\cdot|_+$: $|\alpha_{\ell_1}\to\alpha_{\ell_2}|_+^{2L}="
    r"|A|_+^{2(\ell_2-\ell_1)}$.",
    AT_EVERY_DEPTH,
    (VALUES, ORTHONORMAL, IN_ORDER),
    pool=PAIRS,
    repairs="j23.prop4.tail.first",
    exact_only=True,
    through="along the network of powers the display holds at every depth, without a limit "
    "(docs/mathematics/j23.md#the-network-of-powers)",
)

CLAIMS = (*CHAINS, TAIL_REPAIRED)
