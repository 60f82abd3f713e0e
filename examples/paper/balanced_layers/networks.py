"""Section 2: gradient flow of deep networks.

w(e) is the weight of an edge. Over the edges into a neuron its square sums to the squared norm of a
row of W^(h), over those out of it to that of a column of W^(h+1).
"""

from lemmata import (
    Chosen,
    Each,
    Matrix,
    Rate,
    Sum,
    activation,
    card,
    claim,
    distinct,
    edges,
    element,
    examples,
    head,
    hidden,
    into,
    out_of,
    slope,
    tail,
    users,
    w,
    z,
)

OWN_WEIGHTS = {"every edge has a weight of its own": Each(edges(), lambda e: card(users(e)) == 1)}

claim(
    "dhl18.homogeneous",
    Each(
        hidden(),
        lambda v: Each(examples(), lambda j: activation(v, z(v, j)) == slope(v, j) * z(v, j)),
    ),
)


def squares(some):
    """The sum of the squared weights of edges."""
    return Sum(some, lambda e: w(e) ** 2)


balanced = Each(hidden(), lambda v: Rate(squares(into(v))) == Rate(squares(out_of(v))))
claim("dhl18.thm2_1", balanced, given=OWN_WEIGHTS)

# A layer is a list of hidden neurons, each once; the next layer's weights are those that leave it.
layer = Chosen("layer", "seq[vertex]")
LAYER = {
    "the neurons of a layer are hidden": Each(layer, lambda v: element(v, hidden())),
    "each is in it once": distinct(layer) == layer,
}
claim(
    "dhl18.cor2_1",
    Rate(Sum(layer, lambda v: squares(into(v)))) == Rate(Sum(layer, lambda v: squares(out_of(v)))),
    given=LAYER | OWN_WEIGHTS,
    depends=["dhl18.thm2_1"],
)


# Where weights are shared, each weight is counted once: by its share at each of its edges.
def squares_once(some):
    """The sum of the squares of the weights of edges, of each weight once."""
    return Sum(some, lambda e: w(e) ** 2 / card(users(e)))


within = Each(
    layer,
    lambda v: (
        Each(into(v), lambda e: Each(users(e), lambda f: element(head(f), layer)))
        & Each(out_of(v), lambda e: Each(users(e), lambda f: element(tail(f), layer)))
    ),
)
claim(
    "dhl18.thm2_3",
    Rate(Sum(layer, lambda v: squares_once(into(v))))
    == Rate(Sum(layer, lambda v: squares_once(out_of(v)))),
    given=LAYER | {"weights are shared within a layer only": within},
)

# What nobody printed: the same neuron by neuron. A channel of a convolution is balanced, not each
# of its neurons.
claim("dhl18.thm2_3.neurons", balanced, "Neuron by neuron, where weights are shared.")

# Theorem 2.2: two layers that follow each other, W2 W1 X, with X what comes before and G the slope
# of the loss at what comes out, both whatever they are.
X, G = Matrix("X", "d", "n"), Matrix("G", "p", "n")
W1, W2 = Matrix("W1", "h", "d"), Matrix("W2", "p", "h")
V1, V2 = -(W2.T @ G @ X.T), -(G @ (W1 @ X).T)


def same_rate(proof):
    """Both rates are the same polynomial in the matrices."""
    one = proof.rate(W1 @ W1.T, V1 @ W1.T + W1 @ V1.T)
    two = proof.rate(W2.T @ W2, V2.T @ W2 + W2.T @ V2)
    proof.algebra(proof.goal, {one: 1, two: -1})


claim(
    "dhl18.thm2_2",
    Rate(W1 @ W1.T) == Rate(W2.T @ W2),
    flow={"W1": V1, "W2": V2},
    proof=same_rate,
)
