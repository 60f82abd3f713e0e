"""The paper's notation: the chain, its second moment matrices, and the two notions of rank."""

from __future__ import annotations

from verify.language.building import (
    Count,
    Each,
    Matrix,
    Number,
    Vector,
    cols,
    diag,
    dim,
    eigenvalues,
    frob2,
    outer,
    row,
    rows,
    sqrt,
    trace,
    upto,
    vector,
)
from verify.language.terms import Term, written

H, W = Matrix("H", "d", "N"), Matrix("W", "d", "d")
GAMMA, TAU, LAM = Number("gamma"), Number("tau"), Vector("lam", "d")


@written(r"M({0})")
def second_moment(hidden: Term) -> Term:
    """M(H) = H H^T / N, (2)."""
    return hidden @ hidden.T / cols(hidden)


@written(r"\operatorname{diag}({0})^{-1/2}")
def inverse_root(moments: Term) -> Term:
    """diag(M)^(-1/2); no diagonal entry may be 0."""
    return diag(vector(rows(moments), lambda i: 1 / sqrt(moments[i, i])))


@written(r"\mathrm{BN}({0})")
def batch_normalised(hidden: Term) -> Term:
    """BN_(0, 1)(H) = diag(M(H))^(-1/2) H, (2); no row of H may be 0."""
    return inverse_root(second_moment(hidden)) @ hidden


def shifted_and_scaled(hidden: Term, alpha: Term, beta: Term) -> Term:
    """BN_(alpha, beta)(H) = beta o diag(M(H))^(-1/2) H + alpha 1_N^T, (2)."""
    ones = vector(cols(hidden), lambda j: 1)
    return diag(beta) @ batch_normalised(hidden) + outer(alpha, ones)


def before_norm(hidden: Term, weights: Term, gamma: Term) -> Term:
    """H + gamma W H, which BN normalises in (1)."""
    return hidden + gamma * weights @ hidden


def increment(moments: Term, weights: Term, gamma: Term) -> Term:
    """Delta M = gamma W M + gamma M W^T + gamma^2 W M W^T, (37)."""
    once = gamma * weights @ moments
    return once + gamma * moments @ weights.T + gamma**2 * weights @ moments @ weights.T


@written(r"\mathrm{rank}_{{1}}({0})")
def soft_rank(hidden: Term, tau: Term) -> Term:
    """rank_tau(H), (3): the sigma_i^2/N, i = 1, ..., d, are the eigenvalues of M(H)."""
    return Count(eigenvalues(second_moment(hidden)), lambda value: value >= tau)


@written(r"r({0})")
def surrogate(hidden: Term) -> Term:
    """r(H) = Tr(M(H))^2 / |M(H)|_F^2, (4)."""
    return trace(second_moment(hidden)) ** 2 / frob2(second_moment(hidden))


def rows_of_norm_root_n(hidden: Term) -> Term:
    """Every row has norm sqrt(N): its square is N."""
    return Each(upto(rows(hidden)), lambda i: frob2(row(hidden, i)) == cols(hidden))


def no_row_vanishes(hidden: Term) -> Term:
    """No row is 0, so that diag(M)^(-1/2) is defined."""
    return Each(upto(rows(hidden)), lambda i: frob2(row(hidden, i)) > 0)


def entries(vec: Term) -> Term:
    """The indices of a vector."""
    return upto(dim(vec))
