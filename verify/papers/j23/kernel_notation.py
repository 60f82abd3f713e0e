"""The tangent kernel of a fully connected network, at points given by their numbers.

The outputs of f are affine in the parameters of a single layer: the derivatives of all of them by
the weights W_l, row by row, are J(alpha~_l -> f)(x) x alpha_(l-1)(x)^T, where x between matrices is
Kronecker's product, and those by b_l are J(alpha~_l -> f)(x).
"""

from __future__ import annotations

from verify.language.building import Sum, dim, frob2, kron, matrix
from verify.language.terms import Term, written
from verify.papers.j23.network_notation import ALL, Index, activations, from_pre


def as_row(u: Term) -> Term:
    """u^T."""
    return matrix(1, dim(u), lambda _, j: u[j])


@written(r"\partial_{W_{{0}}}f(x_{{1}})")
def by_weights(m: Index, p: Index) -> Term:
    """The derivatives of f(x) by the entries of W_l, row by row."""
    return kron(from_pre(m, p), as_row(activations(m - 1, p)))


def by_biases(m: Index, p: Index) -> Term:
    """The derivatives of f(x) by the entries of b_l."""
    return from_pre(m, p)


@written(r"\operatorname{Tr}\Theta_W(x_{{0}},x_{{0}})")
def trace_over_weights(p: Index) -> Term:
    """Tr Theta(x, x), the kernel summed over the weights alone."""
    return Sum(ALL, lambda m: frob2(by_weights(m, p)))


@written(r"\operatorname{Tr}\Theta(x_{{0}},x_{{0}})")
def trace_over_all(p: Index) -> Term:
    """Tr Theta(x, x), the kernel summed over all parameters."""
    return Sum(ALL, lambda m: frob2(by_weights(m, p)) + frob2(by_biases(m, p)))


def trace_by_layers(p: Index, at: Index, *, mended: bool = False) -> Term:
    """sum_l |alpha_(l-1)(x)|^2 |J(alpha~_l -> f)(at)|_F^2; mended with |alpha_(l-1)(x)|^2 + 1."""

    def of_layer(m: Term) -> Term:
        size = frob2(activations(m - 1, p))
        return (size + 1 if mended else size) * frob2(from_pre(m, at))

    return Sum(ALL, of_layer)


@written(r"\Theta(x_{{0}},x_{{1}})")
def kernel(p: Index, q: Index) -> Term:
    """Theta(x, y), summed over all parameters."""

    def of_layer(m: Term) -> Term:
        weights = by_weights(m, p) @ by_weights(m, q).T
        return weights + by_biases(m, p) @ by_biases(m, q).T

    return Sum(ALL, of_layer)
