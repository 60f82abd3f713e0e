"""The cost R(f; Omega, L) of affine functions f(x) = H x + e on convex hulls of points, R^(0) and
R^(1), from both sides, as terms. X holds the points, a is the slope.

Lower bounds, of every network of depth L with sigma_a, |a| <= 1, that is the function on Omega:
- by the Jacobian: L sum_i s_i(H P_T)^(2/L), P_T the projection to the directions of Omega. (On a
  piece of Omega where all layers are affine the Jacobian along Omega is a product of L matrices and
  of diagonals of size at most 1; Horn's inequality and the means.)
- by folding: where x, -x are in Omega and L >= 2. A neuron with weights w and bias b moves by p
  from -x to 0 and by q from 0 to x, p^2 + q^2 <= (1 + |a|) (w.x)^2 + (1 - |a|) b^2, with equality
  at b = 0 for a = 0: a neuron has a large slope on one side of 0 alone. So the two moves of the
  first layer have squares that sum to at most kappa |theta_1|^2, kappa the larger of 1 - |a| and
  (1 + |a|) |x|^2; the other layers must stretch one of them by at least the quotient of the sums,
  and the means give R >= L (2 |H x|^2 / kappa)^(1/L).
- by the radius: where 0 is in Omega. |alpha_l|^2 <= |theta_l|^2 (1 + |alpha_(l-1)|^2) at 0, so the
  cost is at least the least sum of u_l / (1 + u_(l-1)) with u_0 = 0, u_L = |e|^2: |e|^2 where that
  is at most 1, 2 |e| - 1 up to 4, at least 3 beyond.

Upper bounds, of explicit networks, each neuron rescaled:
- a constant by the last bias;
- through the outputs, made positive by a shift that the last bias takes back;
- through the inputs, likewise;
- along kernels, of linear maps on completely positive domains.

R^(0) is the rank of H P_T: at least by the Jacobian, at most by a network through R^k (see
domains). The bounds on R^(1) are the limits of those on R, less L R^(0).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from verify.language.building import (
    Count,
    Each,
    Filter,
    Let,
    Matrix,
    Max,
    Min,
    Prod,
    Some,
    Sum,
    When,
    beside,
    cols,
    column,
    dim,
    dot,
    eye,
    frob2,
    inverse,
    item,
    larger,
    list_,
    log,
    matrix,
    pdet2,
    rank,
    row,
    rows,
    schatten,
    smaller,
    sqrt,
    trace,
    tuple_,
    upto,
    vector,
)
from verify.language.terms import Term, written
from verify.papers.j23.matrix_notation import a, projection

X = Matrix("X", "N", "n", meaning=r"points, as rows, whose hull is $\Omega$")
POINTS = upto(rows(X))


# hulls --------------------------------------------------------------------------------------------
def differences(points: Term) -> Term:
    """From the first point to each."""
    return matrix(rows(points), cols(points), lambda n, i: points[n, i] - points[1, i])


def has_origin(points: Term) -> Term:
    """Whether 0 is seen to be in the domain: a point, or between two opposite ones."""
    over = upto(rows(points))
    return Some(over, lambda m: Some(over, lambda n: frob2(row(points, m) + row(points, n)) == 0))


def not_obtuse(points: Term, over: Term = POINTS) -> Term:
    """No two rows have a negative inner product. over: their numbers."""
    return Each(over, lambda m: Each(over, lambda n: dot(row(points, m), row(points, n)) >= 0))


def acute(linear: Term, points: Term = X) -> Term:
    """Whether Rank A <= 2 and the points, projected to Im A^T, and their images under A have no
    negative inner product. A set in a plane whose angles are all at most right is turned into the
    positive quadrant: so both sets are completely positive."""

    def right_angles(some: Term) -> Term:
        return not_obtuse(some, upto(rows(points)))

    in_image = Let(points @ projection(linear.T), right_angles)
    return (rank(linear) <= 2) & in_image & Let(points @ linear.T, right_angles)


# the parts of both bounds -------------------------------------------------------------------------
def by_radius(radius: Term) -> Term:
    """The bound by |f(0)|^2."""
    return When(radius <= 1, radius, When(radius <= 4, 2 * sqrt(radius) - 1, 3))


def kernel_network(linear: Term, depth: Term) -> Term:
    """The norm of the explicit network of a linear map on a completely positive domain.

    With G_l = (1 - l/L) P + (l/L) A^T A, P the projection to Im A^T, it is the sum of
    Tr G_l G_(l-1)^+. (The paper's K_p has the roles of P and A^T A the other way round.)
    """
    size = cols(linear)

    def raised(layer: Term) -> Term:
        """G_l + I - P."""
        return eye(size) + layer / depth * (linear.T @ linear - projection(linear.T))

    def norm(layer: Term) -> Term:
        whole = trace(raised(layer) @ inverse(raised(layer - 1)))
        return whole - (size - rank(linear))

    return Sum(upto(depth), norm)


@dataclass(frozen=True)
class Affine:
    """x -> H x + e on the hull of points. free_end: whether the bias of the last layer is not
    counted (then at depth 2 and more)."""

    linear: Term
    shift: Term
    points: Term = X
    free_end: bool = False

    @property
    def _numbers(self) -> Term:
        """Of the points."""
        return upto(rows(self.points))

    @property
    def along(self) -> Term:
        """H P_T, the derivative along the domain."""
        return self.linear @ projection(differences(self.points).T)

    @property
    def on_span(self) -> Term:
        """H P_V with V the span of the points; the same function there."""
        return self.linear @ projection(self.points.T)

    @property
    def order(self) -> Term:
        """R^(0)."""
        return rank(self.along)

    @property
    def values(self) -> Term:
        """At the points, as rows."""
        return matrix(rows(self.points), dim(self.shift), lambda n, i: self.value(n)[i])

    def after(self, inner: Affine) -> Affine:
        """This function, on g(Omega), after g."""
        return replace(
            inner,
            linear=self.linear @ inner.linear,
            shift=self.linear @ inner.shift + self.shift,
        )

    def plus(self, other: Affine) -> Affine:
        """The sum of two functions on one domain."""
        return replace(self, linear=self.linear + other.linear, shift=self.shift + other.shift)

    def _end(self, bias: Term) -> Term:
        """What the bias of the last layer costs."""
        return (0 if self.free_end else 1) * frob2(bias)

    def value(self, n: Term | int) -> Term:
        """At a point."""
        return self.linear @ row(self.points, n) + self.shift

    def _at_origin(self, radius: Term) -> Term:
        return When(has_origin(self.points), by_radius(radius), 0)

    def _fold(self) -> Term:
        """The largest 2 |H x|^2 / kappa for a pair x, -x of points; 0 where there is none."""

        def quotient(x: Term, y: Term) -> Term:
            kappa = larger((1 + abs(a)) * frob2(x), 1 - abs(a))
            opposite = (frob2(x) > 0) & (frob2(x + y) == 0)
            return When(opposite, 2 * frob2(self.linear @ x) / kappa, 0)

        def with_each(m: Term) -> Term:
            return Max(self._numbers, lambda n: quotient(row(self.points, m), row(self.points, n)))

        return Max(self._numbers, with_each)

    def _one_layer(self) -> Term:
        """The least norm of a network of one layer: of (H, e) on the span of all (x, 1)."""
        whole = beside(self.linear, matrix(dim(self.shift), 1, lambda i, j: self.shift[i]))
        places = beside(self.points, matrix(rows(self.points), 1, lambda i, j: 1))
        return frob2(whole @ projection(places.T))

    def _through_outputs(self) -> tuple[Term, Term]:
        """q chains, the first layer with the rows of H and e + s, the last bias -s: the squares of
        the products along them, and what that bias costs."""
        shift = vector(
            dim(self.shift), lambda i: larger(0, Max(self._numbers, lambda n: -self.value(n)[i]))
        )
        squares = vector(
            dim(self.shift), lambda i: frob2(row(self.linear, i)) + (self.shift[i] + shift[i]) ** 2
        )
        return squares, self._end(shift)

    def _through_inputs(self) -> tuple[Term, Term]:
        """n chains, the first layer with x_j + s_j, the last with the columns of H and e - H s:
        likewise."""
        size = cols(self.points)
        shift = vector(size, lambda j: larger(0, Max(self._numbers, lambda n: -self.points[n, j])))
        squares = vector(size, lambda j: frob2(column(self.linear, j)) * (1 + shift[j] ** 2))
        return squares, self._end(self.shift - self.linear @ shift)

    # both sides -----------------------------------------------------------------------------------
    def cost_at_least(self, depth: Term) -> Term:
        """Of R(f; Omega, L)."""
        return _COST_AT_LEAST[self.free_end](self.linear, self.shift, self.points, depth)

    def cost_at_most(self, depth: Term) -> Term:
        """Of R(f; Omega, L)."""
        return _COST_AT_MOST[self.free_end](self.linear, self.shift, self.points, depth)

    def correction_at_least(self) -> Term:
        """Of R^(1)(f; Omega)."""
        return _CORRECTION_AT_LEAST[self.free_end](self.linear, self.shift, self.points)

    def correction_at_most(self) -> Term:
        """Of R^(1)(f; Omega); undefined where no network of cost L R^(0) + O(1) is at hand."""
        return _CORRECTION_AT_MOST[self.free_end](self.linear, self.shift, self.points)

    def _at_points(self, value: Callable[[Affine], Term]) -> Term:
        """With a name for the points where they are an image."""
        if self.points is X or self.points.op == "var":
            return value(self)
        return Let(self.points, lambda points: value(replace(self, points=points)))

    def _cost_at_least(self, depth: Term) -> Term:
        def deep(J: Term) -> Term:
            found = larger(depth * schatten(J, 2 / depth), depth * self._fold() ** (1 / depth))
            found = found if self.free_end else larger(found, self._at_origin(frob2(self.shift)))
            return When(rank(J) == 0, self._at_origin(self._end(self.value(1))), found)

        return When(depth == 1, self._one_layer(), Let(self.along, deep))

    def _cost_at_most(self, depth: Term) -> Term:
        def chains(squares: Term, last: Term) -> Term:
            return depth * Sum(upto(dim(squares)), lambda i: squares[i] ** (1 / depth)) + last

        def kernels(S: Term) -> Term:
            chain = depth * frob2(S) ** (1 / depth)
            network = When(rank(S) == 1, chain, kernel_network(S, depth))
            return network + self._end(self.shift)

        plain = smaller(chains(*self._through_outputs()), chains(*self._through_inputs()))
        deep = Let(
            self.on_span,
            lambda S: When(acute(S, self.points), smaller(plain, kernels(S)), plain),
        )
        constant = When(self.order == 0, self._end(self.value(1)), deep)
        return When(depth == 1, self._one_layer(), constant)

    def _correction_at_least(self) -> Term:
        def known(J: Term) -> Term:
            folded = Let(
                self._fold(), lambda fold: When(fold > 0, larger(fold, pdet2(J)), pdet2(J))
            )
            constant = self._at_origin(self._end(self.value(1)))
            return When(rank(J) == 0, constant, log(When(rank(J) == 1, folded, pdet2(J))))

        return Let(self.along, known)

    def _correction_at_most(self) -> Term:
        def chains(squares: Term, last: Term) -> Term:
            """How many of them are not 0, and what is left of their cost."""
            alive = Filter(upto(dim(squares)), lambda i: squares[i] != 0)
            number = Count(upto(dim(squares)), lambda i: squares[i] != 0)
            return tuple_(number, log(Prod(alive, lambda i: squares[i])) + last)

        def kernels(S: Term) -> Term:
            number = When(acute(S, self.points), rank(S), 0)
            return tuple_(number, log(pdet2(S)) + self._end(self.shift))

        networks = list_(
            chains(*self._through_outputs()),
            chains(*self._through_inputs()),
            Let(self.on_span, kernels),
        )
        of_this_order = Filter(networks, lambda one: item(one, 1) == self.order)
        least = Min(of_this_order, lambda one: item(one, 2))
        return When(self.order == 0, self._end(self.value(1)), least)


# as they are written ------------------------------------------------------------------------------
def _at_depth(bound: str, of: Callable[[Affine, Term], Term]) -> list[Callable[..., Term]]:
    """A bound on R(f; Omega, L), and the one in which the last bias is not counted."""

    def one(free_end: bool) -> Callable[..., Term]:
        def at(H: Term, e: Term, X: Term, L: Term) -> Term:
            return Affine(H, e, X, free_end)._at_points(lambda f: of(f, L))

        return written(bound + ("^-" if free_end else "") + "({0},{1};{2},{3})")(at)

    return [one(False), one(True)]


def _in_the_limit(bound: str, of: Callable[[Affine], Term]) -> list[Callable[..., Term]]:
    """A bound on R^(1)(f; Omega), likewise."""

    def one(free_end: bool) -> Callable[..., Term]:
        def at(H: Term, e: Term, X: Term) -> Term:
            return Affine(H, e, X, free_end)._at_points(of)

        return written(bound + ("-" if free_end else "") + "}({0},{1};{2})")(at)

    return [one(False), one(True)]


_COST_AT_LEAST = _at_depth(r"\underline R", Affine._cost_at_least)
_COST_AT_MOST = _at_depth(r"\overline R", Affine._cost_at_most)
_CORRECTION_AT_LEAST = _in_the_limit(r"\underline R^{(1)", Affine._correction_at_least)
_CORRECTION_AT_MOST = _in_the_limit(r"\overline R^{(1)", Affine._correction_at_most)
