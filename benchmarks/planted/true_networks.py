"""Ten true claims about networks, or one that is written by hand, from the public names alone: none
may be called false."""

from lemmata import (
    After,
    Each,
    Number,
    Prod,
    Rate,
    Sum,
    card,
    claim,
    edges,
    edges_on,
    element,
    examples,
    grad,
    head,
    hidden,
    into,
    loss_slope,
    nu,
    out_of,
    paper,
    paths,
    post,
    slope,
    start,
    step_size,
    tail,
    tanh,
    users,
    vertices,
    w,
    x,
    y,
)

paper("planted", "Planted claims")


def squares(some):
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


claim(
    "planted.t21",
    Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v)))),
    given={"own weights": Each(edges(), lambda e: card(users(e)) == 1)},
)
claim(
    "planted.t22",
    Each(
        examples(),
        lambda j: (
            nu(j)
            == Sum(
                paths(),
                lambda p: x(start(p), j) * Prod(edges_on(p), lambda e: w(e) * slope(head(e), j)),
            )
        ),
    ),
)
claim(
    "planted.t23",
    Each(
        examples(),
        lambda j: Sum(edges(), lambda e: w(e) * grad(e, j)) == card(edges_on(paths()[1])) * nu(j),
    ),
    given={
        "all paths have one length": Each(
            paths(), lambda p: card(edges_on(p)) == card(edges_on(paths()[1]))
        )
    },
)
claim(
    "planted.t24",
    (Sum(vertices(), lambda v: card(into(v))) == card(edges()))
    & Each(edges(), lambda e: element(e, out_of(tail(e))) & element(e, into(head(e)))),
)
claim(
    "planted.t25",
    Each(edges(), lambda e: After(1, w(e)) == w(e) + step_size(0) * Rate(w(e))),
)
claim(
    "planted.t26",
    Sum(examples(), lambda j: loss_slope(j) * y(j) * Rate(nu(j))) <= 0,
    "The loss never rises.",
    activations=["tanh", "sigmoid", "relu"],
)
claim(
    "planted.t27",
    Each(hidden(), lambda v: Each(examples(), lambda j: abs(post(v, j)) < 1)),
    activations="tanh",
)
claim(
    "planted.t28",
    Each(
        hidden(), lambda v: Each(examples(), lambda j: slope(v, j) == post(v, j) * (1 - post(v, j)))
    ),
    activations="sigmoid",
)
claim(
    "planted.t29",
    Each(
        hidden(),
        lambda v: Each(examples(), lambda j: (slope(v, j) > 0) & (slope(v, j) <= 1)),
    ),
    activations=["tanh", "softplus"],
)

# One neuron b tanh(c), fitted to d by gradient flow: the error never grows.
b, c, d = Number("b"), Number("c"), Number("d")
neuron = b * tanh(c)
claim(
    "planted.t30",
    Rate((neuron - d) ** 2) <= 0,
    flow={"b": (d - neuron) * tanh(c), "c": (d - neuron) * b * (1 - tanh(c) ** 2)},
)
