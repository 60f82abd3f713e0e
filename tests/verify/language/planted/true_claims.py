"""Thirty true claims, written from the public names alone: none may be refuted.

Twenty on arrays and numbers, ten on networks. False neighbours of many stand in `false_claims`.
"""

from lemmata import (
    Each,
    Matrix,
    Number,
    Prod,
    Rate,
    Some,
    Sum,
    Vector,
    Whole,
    between,
    card,
    ceil,
    claim,
    cols,
    definite,
    det,
    dot,
    edges,
    edges_on,
    eigenvalues,
    element,
    examples,
    exp,
    floor,
    frob2,
    grad,
    head,
    hidden,
    implies,
    inputs,
    into,
    inverse,
    kron,
    loss_slope,
    minus,
    norm,
    nu,
    nuclear,
    out_of,
    outer,
    paper,
    paths,
    post,
    rank,
    rows,
    schatten,
    slope,
    slope_left,
    slope_right,
    start,
    subsets,
    tail,
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
invertible = {"S is invertible": det(S) != 0, "T is invertible": det(T) != 0}


def choose(n, j):
    """The binomial coefficient."""
    return Prod(upto(j), lambda i: (n - j + i) / i)


# Arrays and numbers -------------------------------------------------------------------------------
claim("planted.t01", rank(A) + rank(B) - cols(A) <= rank(A @ B))
claim("planted.t02", nuclear(A) ** 2 <= rank(A) * frob2(A))
claim("planted.t03", norm(A) ** 2 <= frob2(A))
claim("planted.t04", implies((trace(S) == 0) & (det(S) == 0) & (rows(S) <= 2), S @ S == 0 * S))
claim("planted.t05", det(kron(S, K)) == det(S) ** rows(K) * det(K) ** rows(S))
claim(
    "planted.t06",
    det(S + outer(a, b)) == det(S) * (1 + dot(b, inverse(S) @ a)),
    given={"S is invertible": det(S) != 0},
)
claim(
    "planted.t07",
    Each(upto(rows(S)), lambda i: eigenvalues(S + T)[i] <= eigenvalues(S)[i] + eigenvalues(T)[1]),
    given=symmetric,
)
claim("planted.t08", schatten(A, 4) <= schatten(A, 2) ** 2)
claim("planted.t09", inverse(S @ T) == inverse(T) @ inverse(S), given=invertible)
claim("planted.t10", ceil(c) == -floor(-c))
claim(
    "planted.t11",
    Sum(subsets(upto(k)), lambda s: (-1) ** card(s)) == 0,
    given={"k is not 0": k >= 1},
)
claim("planted.t12", Sum(between(0, k), lambda j: j * choose(k, j)) == k * 2 ** (k - 1))
claim("planted.t13", 4 * c * d <= (c + d) ** 2)
claim("planted.t14", rank(A.T @ A) == cols(A), given={"A has full column rank": rank(A) == cols(A)})
W1, W2, W3 = Matrix("W1", "h", "d"), Matrix("W2", "g", "h"), Matrix("W3", "p", "g")
error = W3 @ W2 @ W1 - Matrix("Y", "p", "d")
claim(
    "planted.t15",
    Rate(W2 @ W2.T) == Rate(W3.T @ W3),
    flow={
        "W1": -(W2.T @ W3.T @ error),
        "W2": -(W3.T @ error @ W1.T),
        "W3": -(error @ W1.T @ W2.T),
    },
)
claim(
    "planted.t16",
    Rate(frob2(a)) <= 0,
    given={"S is symmetric, with no eigenvalue below 0": definite(S)},
    flow={"a": -(S @ a)},
)
claim("planted.t17", Rate(trace(S @ S @ S)) == 0, flow={"S": V @ S - S @ V})
claim(
    "planted.t18",
    Rate(inverse(S)) == -(inverse(S) @ V @ inverse(S)),
    given={"S is invertible": det(S) != 0},
    flow={"S": V},
)
claim(
    "planted.t19",
    Some(eigenvalues(S), lambda value: rows(S) * value <= trace(S)),
    given={"S is symmetric": S == S.T},
)
claim("planted.t20", (nuclear(A + same) <= nuclear(A) + nuclear(same)) & (1 + c <= exp(c)))

# Networks -----------------------------------------------------------------------------------------
own = {"every edge has a weight of its own": Each(edges(), lambda e: card(users(e)) == 1)}
acting = minus(vertices(), inputs())  # the hidden vertices and the output
linear = {"all is linear": Each(acting, lambda v: (slope_left(v) == 1) & (slope_right(v) == 1))}


def through(p, j):
    """What comes along a path, were all vertices linear."""
    return x(start(p), j) * Prod(edges_on(p), lambda e: w(e))


def squares(some):
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


def euler(some, j):
    """The sum of weight times derivative."""
    return Sum(some, lambda e: w(e) * grad(e, j))


claim(
    "planted.t21",
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    given=own,
)
claim(
    "planted.t22",
    Each(hidden(), lambda v: Each(examples(), lambda j: euler(into(v), j) == euler(out_of(v), j))),
)
claim(
    "planted.t23",
    Each(examples(), lambda j: nu(j) == Sum(paths(), lambda p: through(p, j))),
    given=linear,
)
claim(
    "planted.t24",
    Each(
        examples(),
        lambda j: (
            nu(j)
            == Sum(
                paths(),
                lambda p: through(p, j) * Prod(edges_on(p), lambda e: slope(head(e), j)),
            )
        ),
    ),
)
claim(
    "planted.t25",
    Sum(examples(), lambda j: loss_slope(j) * y(j) * Rate(nu(j))) <= 0,
    "The loss never rises.",
)
claim(
    "planted.t26",
    Each(examples(), lambda j: euler(edges(), j) == card(edges_on(paths()[1])) * nu(j)),
    given={
        "all paths have one length": Each(
            paths(), lambda p: card(edges_on(p)) == card(edges_on(paths()[1]))
        )
    },
)
claim(
    "planted.t27",
    Each(edges(), lambda e: Each(users(e), lambda f: (Rate(w(e)) == Rate(w(f))) & (w(e) == w(f)))),
)
claim(
    "planted.t28",
    Some(paths(), lambda p: Each(edges_on(p), lambda e: w(e) != 0)),
    given={"the output is not 0": Some(examples(), lambda j: nu(j) != 0)},
)
claim(
    "planted.t29",
    Each(
        acting, lambda v: Each(examples(), lambda j: abs(post(v, j)) == abs(slope(v, j) * z(v, j)))
    ),
)
claim(
    "planted.t30",
    (Sum(vertices(), lambda v: card(into(v))) == card(edges()))
    & Each(edges(), lambda e: element(e, out_of(tail(e))) & element(e, into(head(e))))
    & (Sum(vertices(), lambda v: card(out_of(v))) == card(edges())),
)
