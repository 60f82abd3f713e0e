"""Twenty true claims about numbers and arrays, written from the public names alone: none may be
called false. False neighbours of many stand in false_arrays."""

from lemmata import (
    Each,
    Fold,
    Matrix,
    Max,
    Number,
    Prod,
    Rate,
    Some,
    Sum,
    Vector,
    Whole,
    between,
    card,
    claim,
    det,
    dim,
    dot,
    eigenvalues,
    frob2,
    implies,
    inverse,
    kron,
    norm,
    paper,
    rank,
    rows,
    sigmoid,
    softplus,
    sqrt,
    subsets,
    tanh,
    upto,
)

paper("planted", "Planted claims")

A, B, C = Matrix("A", "m", "n"), Matrix("B", "n", "k"), Matrix("C", "m", "n")
S, T, K = Matrix("S", "n", "n"), Matrix("T", "n", "n"), Matrix("K", "k", "k")
a, g = Vector("a", "n"), Vector("g", "n")
b, c, d = Number("b"), Number("c"), Number("d")
k, n = Whole("k"), Whole("n", 2, 100)
symmetric = {"S is symmetric": S == S.T, "T is symmetric": T == T.T}

claim("planted.t01", frob2(A + C) <= 2 * frob2(A) + 2 * frob2(C))
claim("planted.t02", sqrt(frob2(A @ B)) <= norm(A) * sqrt(frob2(B)))
claim("planted.t03", rank(A.T @ A) == rank(A))
claim("planted.t04", det(kron(S, K)) == det(S) ** rows(K) * det(K) ** rows(S))
claim("planted.t05", T @ S @ T @ S == 0 * S, given={"S T = 0": S @ T == 0 * S})
claim(
    "planted.t06",
    Each(upto(rows(S)), lambda i: eigenvalues(S + T)[i] <= eigenvalues(S)[i] + eigenvalues(T)[1]),
    given=symmetric,
)
claim(
    "planted.t07",
    eigenvalues(S)[1] <= Max(upto(rows(S)), lambda i: Sum(upto(rows(S)), lambda j: abs(S[i, j]))),
    given={"S is symmetric": S == S.T},
)
claim(
    "planted.t08",
    Some(eigenvalues(S), lambda value: rows(S) * value <= Sum(upto(rows(S)), lambda i: S[i, i])),
    given={"S is symmetric": S == S.T},
)
claim("planted.t09", dot(a, g) ** 2 <= dot(a, a) * dot(g, g))
claim("planted.t10", 27 * b**2 * c <= (2 * b + c) ** 3, given=[b >= 0, c >= 0])
p, q = (5 * b / 7) ** 2, (3 * c / 4) ** 2
claim("planted.t11", p**2 * q + p * q**2 + 1 >= 3 * p * q, "Motzkin's polynomial.")
claim(
    "planted.t12",
    2 * Sum(upto(dim(a)), lambda i: a[i] * (1 - a[i % dim(a) + 1])) <= dim(a),
    given={"between 0 and 1": Each(upto(dim(a)), lambda i: (a[i] >= 0) & (a[i] <= 1))},
)
claim(
    "planted.t13",
    Sum(subsets(upto(k)), lambda s: (-1) ** card(s)) == 0,
    given={"k is not 0": k >= 1},
)
claim(
    "planted.t14",
    implies(
        Each(between(2, n - 1), lambda i: n % i != 0),
        Fold(upto(n), 1, lambda power, i: 2 * power % n) == 2 % n,
    ),
    "If $n$ is a prime, the remainder of $2^n$ is that of $2$.",
)


def choose(n, j):
    """The binomial coefficient."""
    return Prod(upto(j), lambda i: (n - j + i) / i)


claim("planted.t15", Sum(between(0, k), lambda j: j * choose(k, j)) == k * 2 ** (k - 1))
W1, W2, W3 = Matrix("W1", "h", "d"), Matrix("W2", "g", "h"), Matrix("W3", "p", "g")
error = W3 @ W2 @ W1 - Matrix("Y", "p", "d")
claim(
    "planted.t16",
    Rate(W2 @ W2.T) == Rate(W3.T @ W3),
    flow={
        "W1": -(W2.T @ W3.T @ error),
        "W2": -(W3.T @ error @ W1.T),
        "W3": -(error @ W1.T @ W2.T),
    },
)
claim(
    "planted.t17",
    Rate(inverse(S)) == -(inverse(S) @ T @ inverse(S)),
    given={"S is invertible": det(S) != 0},
    flow={"S": T},
)

# Smooth functions -----------------------------------------------------------------------------
claim("planted.t18", tanh(c + d) * (1 + tanh(c) * tanh(d)) == tanh(c) + tanh(d))
claim("planted.t19", sigmoid(c) * sigmoid(d) <= sigmoid(c + d))
claim("planted.t20", (softplus(c) - softplus(-c) == c) & (sigmoid(c) + sigmoid(-c) == 1))
