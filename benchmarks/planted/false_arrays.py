"""Twenty false claims about numbers and arrays, written from the public names alone.

Above each: where it is false, and the nearest true statement. The difficulty was judged before
anything was run: 1 where almost every case shows it false, to 4 where a thin set or a large case
does.
"""

from lemmata import (
    Each,
    Matrix,
    Number,
    Rate,
    Sum,
    Vector,
    Whole,
    card,
    claim,
    cols,
    definite,
    det,
    dim,
    eigenvalues,
    frob2,
    implies,
    kron,
    matrix,
    norm,
    paper,
    rank,
    rows,
    sigmoid,
    softplus,
    sqrt,
    subsets,
    tanh,
    trace,
    upto,
)

paper("planted", "Planted claims")

A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
S, T, K = Matrix("S", "n", "n"), Matrix("T", "n", "n"), Matrix("K", "k", "k")
a = Vector("a", "n")
b, c, d, e = Number("b"), Number("c"), Number("d"), Number("e")
symmetric = {"S is symmetric": S == S.T, "T is symmetric": T == T.T}
positive = {"b is at least 0": b >= 0, "c is at least 0": c >= 0}

# The identity, 2 by 2: sqrt 2, not 1. True with the Frobenius norm of B.
claim("planted.f01", sqrt(frob2(A @ B)) <= norm(A) * norm(B), place="difficulty 1")

# b = 2, c = 1: 4, not 27/8. True: ((2 b + c)/3)^3.
claim("planted.f02", b**2 * c <= ((b + c) / 2) ** 3, given=positive, place="difficulty 1")

# The sign: W1 W1^T - W2^T W2 is kept, not the sum. True with + on the right.
W1, W2 = Matrix("W1", "h", "d"), Matrix("W2", "p", "h")
error = W2 @ W1 - Matrix("Y", "p", "d")
claim(
    "planted.f03",
    Rate(W1 @ W1.T) == -Rate(W2.T @ W2),
    flow={"W1": -(W2.T @ error), "W2": -(error @ W1.T)},
    place="difficulty 1",
)

# c = d = -1. True for c and d at least 0.
claim("planted.f04", tanh(c + d) <= tanh(c) + tanh(d), place="difficulty 1")

# A neuron b tanh(c), fitted to d. True for b c, without the tanh.
neuron = b * tanh(c)
claim(
    "planted.f05",
    Rate(b**2) == Rate(c**2),
    flow={"b": (d - neuron) * tanh(c), "c": (d - neuron) * b * (1 - tanh(c) ** 2)},
    place="difficulty 1",
)

# The exponents are exchanged; false only for two sizes. True: det(S)^rows(K) det(K)^rows(S).
claim("planted.f06", det(kron(S, K)) == det(S) ** rows(S) * det(K) ** rows(K), place="difficulty 2")

# diag(1, 0) + diag(0, 1) has 1 twice, not at most 0. True with eigenvalues(T)[1] (Weyl).
claim(
    "planted.f07",
    Each(upto(rows(S)), lambda i: eigenvalues(S + T)[i] <= eigenvalues(S)[i] + eigenvalues(T)[i]),
    given=symmetric,
    place="difficulty 2",
)

# (1, 0, 1, 0): 2, not 1. True up to three entries, or with half their number.
claim(
    "planted.f08",
    Sum(upto(dim(a)), lambda i: a[i] * (1 - a[i % dim(a) + 1])) <= 1,
    given={"between 0 and 1": Each(upto(dim(a)), lambda i: (a[i] >= 0) & (a[i] <= 1))},
    place="difficulty 2",
)

# The empty set has one subset: 1 for k = 0. True from k = 1 on.
k = Whole("k")
claim("planted.f09", Sum(subsets(upto(k)), lambda s: (-1) ** card(s)) == 0, place="difficulty 2")

# c = 1, d = 0. True up to 0: there the sigmoid is convex.
claim(
    "planted.f10",
    sigmoid((c + d) / 2) <= (sigmoid(c) + sigmoid(d)) / 2,
    given={"c is at most 1": c <= 1, "d is at most 1": d <= 1},
    place="difficulty 2",
)

# c = 0: log 2 = 0.69314... True with log 2 for 0.693.
claim("planted.f11", softplus(c) <= (693 + 500 * c + 125 * c**2) / 1000, place="difficulty 2")

# ((1 1) (1 -1)): the signs are lost. True of a rank of 1.
claim(
    "planted.f12",
    rank(matrix(rows(A), cols(A), lambda i, j: A[i, j] ** 2)) >= rank(A),
    place="difficulty 3",
)

# ((0 1) (0 0)) and ((1 0) (0 0)). True: (T S)^2 = 0.
claim("planted.f13", T @ S == 0 * S, given={"S T = 0": S @ T == 0 * S}, place="difficulty 3")

# b = 7, c = 11: 0. True without the right side.
claim("planted.f14", (11 * b - 7 * c) ** 2 >= b * c / 100, given=positive, place="difficulty 3")

# diag(1, 0) and the matrix of ones: ((2 1) (1 0)) has determinant -1. True if they commute.
claim(
    "planted.f15",
    definite(S @ T + T @ S),
    given={"S has no eigenvalue below 0": definite(S), "nor has T": definite(T)},
    place="difficulty 3",
)

# c = 7/5, d = 1: 1/4, not 0.2499. True with 2500 in place of 2499.
shifted = sigmoid(c - 7 * d / 5)
claim(
    "planted.f16",
    shifted * (1 - shifted) <= (2499 + (d - 1) ** 2) / 10000,
    place="difficulty 3",
)

# Motzkin's polynomial is 0 at four points, here where b = 7/5 and c = 4/3. True with 0.
p, q = (5 * b / 7) ** 2, (3 * c / 4) ** 2
claim("planted.f17", 500 * (p**2 * q + p * q**2 + 1 - 3 * p * q) >= 1, place="difficulty 4")

# All three squares are 0 on one line, through (135, 175, 504, 315). True without the right side.
claim(
    "planted.f18",
    (b - 3 * e / 7) ** 2 + (c - 5 * e / 9) ** 2 + (d - 8 * e / 5) ** 2 >= e**2 / 1000,
    place="difficulty 4",
)

# 649^2 = 13 * 180^2 + 1. True of 12 in place of 13 up to 6: the least solution is small there.
x, y = Whole("x", 1, 1000), Whole("y", 1, 1000)
claim("planted.f19", x**2 != 13 * y**2 + 1, place="difficulty 4")

# Nilpotent 3 x 3 matrices have S^3 = 0, not S^2 = 0. True up to 2 x 2.
claim(
    "planted.f20",
    implies((trace(S) == 0) & (det(S) == 0), S @ S == 0 * S),
    place="difficulty 4",
)
