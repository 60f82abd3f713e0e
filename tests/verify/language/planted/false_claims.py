"""Thirty false claims, written from the public names alone: each has to be refuted.

Above each: why it is false, and the nearest true statement.
"""

from lemmata import (
    Each,
    Matrix,
    Number,
    Prod,
    Rate,
    Sum,
    Vector,
    Whole,
    between,
    card,
    claim,
    cols,
    definite,
    det,
    dot,
    edges,
    edges_on,
    eigenvalues,
    examples,
    eye,
    floor,
    frob2,
    grad,
    hidden,
    implies,
    inputs,
    into,
    inverse,
    kron,
    learnable,
    loss_slope,
    minus,
    norm,
    nu,
    nuclear,
    out_of,
    outer,
    paper,
    paths,
    rank,
    rows,
    schatten,
    slope,
    slope_left,
    slope_right,
    start,
    subsets,
    trace,
    upto,
    users,
    vertices,
    w,
    x,
    y,
    z,
)

paper("planted", "Planted claims")

A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
same = Matrix("B", "m", "n")
S, T, V = Matrix("S", "n", "n"), Matrix("T", "n", "n"), Matrix("V", "n", "n")
K = Matrix("K", "k", "k")
a, b = Vector("a", "n"), Vector("b", "n")
c, d = Number("c"), Number("d")
k = Whole("k")
symmetric = {"S is symmetric": S == S.T, "T is symmetric": T == T.T}

# Arrays and numbers -------------------------------------------------------------------------------
# A = (1 0), B = (0 1)^T: 1 + 1 - 1 > 0. True with n, the columns of A, for its rows (Sylvester).
claim("planted.f01", rank(A) + rank(B) - rows(A) <= rank(A @ B))

# (1 0)^T and (0 1)^T: sqrt 2, not 2. True if A B^T = 0 as well.
claim(
    "planted.f02",
    nuclear(A + same) == nuclear(A) + nuclear(same),
    given={"orthogonal columns": A.T @ same == 0 * (A.T @ same)},
)

# Equal where the rank is 1. True with <=, or with the hypothesis that the rank is above 1.
claim("planted.f03", norm(A) ** 2 < frob2(A), given={"A is not 0": frob2(A) != 0})

# Nilpotent 3 x 3 matrices have S^3 = 0, not S^2 = 0. True up to 2 x 2.
claim("planted.f04", implies((trace(S) == 0) & (det(S) == 0), S @ S == 0 * S))

# The exponents are exchanged; false only for two sizes. True: det(S)^rows(K) det(K)^rows(S).
claim("planted.f05", det(kron(S, K)) == det(S) ** rows(S) * det(K) ** rows(K))

# a and b are exchanged; false only for S that is not symmetric. True: b^T S^-1 a.
claim(
    "planted.f06",
    det(S + outer(a, b)) == det(S) * (1 + dot(a, inverse(S) @ b)),
    given={"S is invertible": det(S) != 0},
)

# diag(1, 0) + diag(0, 1) has 1 twice, not at most 0. True with eigenvalues(T)[1] (Weyl).
claim(
    "planted.f07",
    Each(upto(rows(S)), lambda i: eigenvalues(S + T)[i] <= eigenvalues(S)[i] + eigenvalues(T)[i]),
    given=symmetric,
)

# S = (1/2): 1/2 > 1/4. True for the power of the norm: schatten(A, 2) <= nuclear(A)^2.
claim("planted.f08", nuclear(A) <= schatten(A, 2))

# ((1 0) (1 0)) is idempotent. True if it is symmetric, or if S S^T = S.
claim("planted.f09", S == S.T, given={"S is idempotent": S @ S == S})

# Equal for whole c. True: floor(-c) = -ceil(c).
claim("planted.f10", floor(-c) == -floor(c) - 1)

# The empty set has one subset: 1 for k = 0. True from k = 1 on.
claim("planted.f11", Sum(subsets(upto(k)), lambda s: (-1) ** card(s)) == 0)

# 10^2 + 10 + 11 = 11^2. True up to k = 9.
ten = Whole("k", 0, 10)
claim(
    "planted.f12",
    Each(between(2, ten + 10), lambda i: (ten**2 + ten + 11) % i != 0),
    "$k^2 + k + 11$ is a prime.",
)

# Equal where c = d. True with <=, or if c is not d.
claim("planted.f13", 4 * c * d < (c + d) ** 2, given={"c is above 0": c > 0, "d is above 0": d > 0})

# A = (1 0)^T. True for square A.
claim(
    "planted.f14",
    eye(rows(A)) == A @ A.T,
    given={"orthonormal columns": eye(cols(A)) == A.T @ A},
)

# The sign: W1 W1^T - W2^T W2 is kept, not the sum. True with + on the right.
W1, W2 = Matrix("W1", "h", "d"), Matrix("W2", "p", "h")
error = W2 @ W1 - Matrix("Y", "p", "d")
claim(
    "planted.f15",
    Rate(W1 @ W1.T) == -Rate(W2.T @ W2),
    flow={"W1": -(W2.T @ error), "W2": -(error @ W1.T)},
)

# S = -I of even size has determinant 1, and the norm grows. True for definite(S).
claim(
    "planted.f16",
    Rate(frob2(a)) <= 0,
    given={"S is symmetric": S == S.T, "its determinant is above 0": det(S) > 0},
    flow={"a": -(S @ a)},
)

# The traces of powers are kept, not the norm. True where V^T = -V, or for trace(S @ S).
claim("planted.f17", Rate(frob2(S)) == 0, flow={"S": V @ S - S @ V})

# S^-1 and V need not commute; 1 x 1 is no counterexample. True: -S^-1 V S^-1.
claim(
    "planted.f18",
    Rate(inverse(S)) == -(V @ inverse(S) @ inverse(S)),
    given={"S is invertible": det(S) != 0},
    flow={"S": V},
)

# diag(1, 0) and the matrix of ones: ((2 1) (1 0)) has determinant -1. True if they commute.
claim(
    "planted.f19",
    definite(S @ T + T @ S),
    given={"S has no eigenvalue below 0": definite(S), "nor has T": definite(T)},
)

# The identity. True: with >=.
claim(
    "planted.f20",
    Each(upto(rows(S) - 1), lambda i: eigenvalues(S)[i] > eigenvalues(S)[i + 1]),
    given={"S is symmetric": S == S.T, "S is invertible": det(S) != 0},
)

# Networks -----------------------------------------------------------------------------------------
own = {"every edge has a weight of its own": Each(edges(), lambda e: card(users(e)) == 1)}
acting = minus(vertices(), inputs())  # the hidden vertices and the output


def through(p, j):
    """What comes along a path, were all vertices linear."""
    return x(start(p), j) * Prod(edges_on(p), lambda e: w(e))


def squares(some):
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


def euler(some, j):
    """The sum of weight times derivative."""
    return Sum(some, lambda e: w(e) * grad(e, j))


# A weight that is used at two vertices moves for both. True where no edges share a weight.
claim(
    "planted.f21",
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    given={"all weights are learnt": Each(edges(), learnable)},
)

# Two hidden vertices side by side: twice nu, not three times. True for a chain.
claim(
    "planted.f22",
    Each(examples(), lambda j: euler(edges(), j) == (card(hidden()) + 1) * nu(j)),
    given={
        "all paths have one length": Each(
            paths(), lambda p: card(edges_on(p)) == card(edges_on(paths()[1]))
        )
    },
)

# A ReLU that is shut. True if all vertices are linear, the output too.
claim("planted.f23", Each(examples(), lambda j: nu(j) == Sum(paths(), lambda p: through(p, j))))

# All of two inputs, three hidden vertices in a row, one output: 14 edges, 16 paths. True without
# hidden vertices.
claim("planted.f24", card(paths()) <= card(edges()))

# Pre-activation 0: the slope there is the right one. True: z >= 0.
claim(
    "planted.f25",
    Each(hidden(), lambda v: Each(examples(), lambda j: implies(slope(v, j) == 1, z(v, j) > 0))),
    given={"ReLU": Each(hidden(), lambda v: (slope_left(v) == 0) & (slope_right(v) == 1))},
)

# Critical points. True with <=.
claim(
    "planted.f26",
    Sum(examples(), lambda j: loss_slope(j) * y(j) * Rate(nu(j))) < 0,
    given={"there is a loss": Each(examples(), lambda j: loss_slope(j) != 0)},
)

# A weight that two edges share moves for both. True where no edges share a weight.
claim(
    "planted.f27",
    Each(
        edges(),
        lambda e: (
            Rate(w(e)) * card(examples())
            == -Sum(examples(), lambda j: loss_slope(j) * y(j) * grad(e, j))
        ),
    ),
    given={"all weights are learnt": Each(edges(), learnable)},
)

# For all where for some is right: another path may have a weight 0. True with Some paths.
claim(
    "planted.f28",
    Each(paths(), lambda p: Each(edges_on(p), lambda e: w(e) != 0)),
    given={"the output is not 0": Each(examples(), lambda j: nu(j) != 0)},
)

# The exponent: the cubes are not kept, the squares are.
claim(
    "planted.f29",
    Each(
        hidden(),
        lambda v: (
            Rate(Sum(into(v), lambda e: w(e) ** 3)) == Rate(Sum(out_of(v), lambda e: w(e) ** 3))
        ),
    ),
    given=own,
)

# At the output nothing goes out, and what comes in moves. True for hidden vertices.
claim(
    "planted.f30",
    Each(acting, lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    given=own,
)
