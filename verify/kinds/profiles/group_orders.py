"""The order of |H_f| from above, for families of linear networks on groups
(verify.kinds.profiles.profile).

f has degree 1 in each weight. The block of the Hessian between the weights into a group g and those
into a later group k is the form (V, U) -> u . U B V a, with a the neurons that enter g, B the
derivative of those that enter k by those of g, u the derivative of f by those of k, and the factors
1/sqrt(in-degree) of both. Its norm is |u| |B| |a| times the factors, exactly. No weight enters two
of the three: one above k, and one between g and k, would have its head both above and below k. So
the mean of the square is a product of three means, of which E |a|^2 is the in-degree of g up to a
constant, and E |u|^2 is counted (group_shapes). Left is E |B|^2.

`B` is built layer by layer. For a matrix W of independent standard normal entries with n rows
E |W A|^2 <= 3 (n |A|^2 + |A|_F^2) (Chevet's inequality), and E |W A|_F^2 = n |A|_F^2. Skips choose
rows: each row a bounded number of times, where no neuron is the source of more. So exponents of
E |A|^2 and of E |A|_F^2 go up together, for any number of rows.

In the ball some factors of a product are replaced by displacements, of Frobenius norm at most R:
|A D C| <= R |A| |C|, and the bounds of A and C multiply to no more than that of A W C. Polynomials
of Gaussian numbers exceed (log m)^d times the root of their mean square with probability at most
exp(-c log^2 m) (Bonami), so |H_f| = O~(M^(x/2)) on the whole ball, x the exponent from above.
"""

from __future__ import annotations

from verify.kinds.profiles.group_shapes import Shape

Exponents = tuple[int, int]  # of E |A|^2 and of E |A|_F^2


def operator_norm(shape: Shape, g: int, j: int, rows: int | None = None) -> Exponents | None:
    """Exponents from above of the derivative of M^rows neurons of group j (None: of all) by the
    neurons of group g; None where they do not depend on it. Skips lead to groups no larger than
    their source.

    >>> narrow = Shape(((), (0,), (1,), (2,), (3,)), (0, 2, 0, 2, 0))
    >>> operator_norm(narrow, 1, 3)
    (2, 2)
    """
    size = shape.sizes[j] if rows is None else rows
    if j == g:
        return 0, size
    ways: list[Exponents] = []
    for h in shape.parents[j]:
        if (below := operator_norm(shape, g, h)) is not None:
            degree = shape.degrees[j]
            ways.append((max(below[0] + size, below[1]) - degree, below[1] + size - degree))
    source = None if shape.skips is None else shape.skips[j]
    if source is not None and (taken := operator_norm(shape, g, source, size)) is not None:
        ways.append(taken)
    if not ways:
        return None
    length = max(frobenius for _, frobenius in ways)
    return min(length, max(norm for norm, _ in ways)), length


def squared_norm_from_above(shape: Shape, *, inner: bool = False) -> int:
    """The exponent of a bound from above on |H_f|^2: the largest over blocks, between the weights
    into a hidden group and those into a group that reads what depends on it; 0 of no such block.

    inner: without the blocks of the weights into the output; what is left is the matrix variance of
    f in the recursion of Hessian blocks, the mean of H_i^2 over its incoming neurons i. Skips lead
    to groups no larger than their source, else no bound is claimed.

    >>> squared_norm_from_above(Shape(((), (0,), (1,), (2,)), (0, 2, 1, 0)))
    -1
    """
    found = [
        norm
        for g in shape.hidden
        for k, norm in block_norms(shape, g).items()
        if not (inner and k == shape.output)
    ]
    return max(found, default=0)


def block_norms(shape: Shape, g: int) -> dict[int, int]:
    """Exponents from above of the squared norms of the blocks between the weights into a hidden
    group and those into each group k that reads what depends on it.

    >>> block_norms(Shape(((), (0,), (1,), (2,)), (0, 2, 1, 0)), 1)
    {2: -2, 3: -1}
    """
    found: dict[int, int] = {}
    for k in range(g + 1, shape.count):
        total = shape.visits[k]
        between = [
            below[0] for h in shape.parents[k] if (below := operator_norm(shape, g, h)) is not None
        ]
        if total is not None and between:
            found[k] = total[0] - shape.degrees[k] + max(between)
    return found


def matrix_variance(shape: Shape) -> int | None:
    """The exponent of a bound from below on the matrix variance of f: of the mean over incoming
    neurons of f of their squared Hessians. A walk that comes by a neuron in its second step or
    later counts there; None where all incoming neurons are linear in the weights.

    >>> matrix_variance(Shape(((), (0,), (1,), (1,), (2,), (3, 4)), (0, 2, 0, 2, 1, 0)))
    -1
    """
    found = [
        total[0] - shape.degrees[j]
        for j in shape.hidden
        if (total := shape.visits[j]) is not None and any(shape.parents[j])
    ]
    return max(found, default=None)
