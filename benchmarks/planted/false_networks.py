"""Ten false claims about networks, written from the public names alone: see false_arrays."""

from lemmata import (
    After,
    Each,
    Prod,
    Rate,
    Sum,
    card,
    claim,
    edges,
    edges_on,
    examples,
    grad,
    hidden,
    implies,
    inputs,
    into,
    loss_slope,
    nu,
    out_of,
    paper,
    paths,
    slope,
    slope_left,
    slope_right,
    step_size,
    users,
    w,
    x,
    y,
    z,
)

paper("planted", "Planted claims")

own = {"every edge has a weight of its own": Each(edges(), lambda e: card(users(e)) == 1)}


def squares(some):
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


def euler(some, j):
    """The sum of weight times derivative."""
    return Sum(some, lambda e: w(e) * grad(e, j))


# tanh is not homogeneous. True of piecewise linear activations.
claim(
    "planted.f21",
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    given=own,
    activations="tanh",
    place="difficulty 1",
)

# A weight that is used at two vertices moves for both. True where no edges share a weight.
claim(
    "planted.f22",
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    place="difficulty 1",
)

# A step is no flow: the squares of the gradients remain. True to first order in the step size.
claim(
    "planted.f23",
    Each(
        hidden(),
        lambda v: (
            After(1, squares(into(v)) - squares(out_of(v))) == squares(into(v)) - squares(out_of(v))
        ),
    ),
    given=own,
    place="difficulty 1",
)

# A pre-activation 0: the slope is 1/4. True with 1/4.
claim(
    "planted.f24",
    Each(hidden(), lambda v: Each(examples(), lambda j: 4 * slope(v, j) < 1)),
    activations="sigmoid",
    place="difficulty 2",
)

# Two hidden vertices side by side: twice nu, not three times. True for a chain.
claim(
    "planted.f25",
    Each(examples(), lambda j: euler(edges(), j) == (card(hidden()) + 1) * nu(j)),
    given={
        "all paths have one length": Each(
            paths(), lambda p: card(edges_on(p)) == card(edges_on(paths()[1]))
        )
    },
    place="difficulty 2",
)

# Two paths from one input: 4, not 2. True if each input starts one path.
claim(
    "planted.f26",
    Each(
        examples(),
        lambda j: (
            nu(j) ** 2
            <= Sum(inputs(), lambda v: x(v, j) ** 2)
            * Sum(paths(), lambda p: Prod(edges_on(p), lambda e: w(e) ** 2))
        ),
    ),
    activations=["linear", "relu"],
    place="difficulty 2",
)

# A kink: the slope there is the right one. True: z >= 0.
claim(
    "planted.f27",
    Each(hidden(), lambda v: Each(examples(), lambda j: implies(slope(v, j) == 1, z(v, j) > 0))),
    given={"ReLU": Each(hidden(), lambda v: (slope_left(v) == 0) & (slope_right(v) == 1))},
    place="difficulty 3",
)

# All of two inputs, three hidden vertices in a row, one output: 14 edges, 16 paths. True without
# hidden vertices.
claim("planted.f28", card(paths()) <= card(edges()), place="difficulty 3")

# Weights 10^8. True of weights of at most 1 in small networks.
claim(
    "planted.f29",
    Each(examples(), lambda j: nu(j) ** 2 <= 10**30),
    given={"short inputs": Each(examples(), lambda j: Sum(inputs(), lambda v: x(v, j) ** 2) <= 1)},
    place="difficulty 3",
)

# Too long a step, where there is a hidden vertex. True of short ones.
claim(
    "planted.f30",
    Each(examples(), lambda j: After(1, y(j) * nu(j)) >= y(j) * nu(j)),
    given={
        "one example": card(examples()) == 1,
        "its loss falls": Each(examples(), lambda j: loss_slope(j) < 0),
        "a step forward": step_size(0) > 0,
    },
    place="difficulty 3",
)
