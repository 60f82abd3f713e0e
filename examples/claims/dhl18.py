"""Three claims on a paper that is not built in: Du, Hu and Lee (2018).

`lemmata run --claims examples/claims/dhl18.py` checks them. The third is false on purpose.
"""

from lemmata import (
    Each,
    Matrix,
    Rate,
    Sum,
    card,
    claim,
    edges,
    hidden,
    into,
    out_of,
    paper,
    users,
    w,
)

paper(
    "dhl18",
    "Algorithmic regularization in learning deep homogeneous models: layers are automatically "
    "balanced",
    authors=("Simon S. Du", "Wei Hu", "Jason D. Lee"),
    year=2018,
    venue="NeurIPS",
)

# Theorem 2.1, here for networks of any shape: w(e) is the weight of an edge.
balanced = Each(
    hidden(),
    lambda v: Rate(Sum(into(v), lambda e: w(e) ** 2)) == Rate(Sum(out_of(v), lambda e: w(e) ** 2)),
)
own_weights = {"every edge has a weight of its own": Each(edges(), lambda e: card(users(e)) == 1)}
claim(
    "dhl18.thm2_1",
    balanced,
    "Along the gradient flow of a network with homogeneous activations the squared norm of the "
    "incoming weights of a hidden neuron and that of its outgoing ones differ by a constant.",
    given=own_weights,
    place="Theorem 2.1",
)

# Theorem 2.2 for two layers: |W2 W1 X - Y|^2 / 2, and its gradient flow.
X, Y = Matrix("X", "d", "n"), Matrix("Y", "p", "n")
W1, W2 = Matrix("W1", "h", "d"), Matrix("W2", "p", "h")
error = W2 @ W1 @ X - Y
claim(
    "dhl18.thm2_2",
    Rate(W1 @ W1.T) == Rate(W2.T @ W2),
    "Along the gradient flow of a linear network $W_1 W_1^T - W_2^T W_2$ stays as it is.",
    flow={"W1": -(W2.T @ error @ X.T), "W2": -(error @ X.T @ W1.T)},
    place="Theorem 2.2",
)

# What nobody printed: the same where edges may share a weight, as in a convolution.
claim(
    "dhl18.shared",
    balanced,
    "The same holds neuron by neuron where weights are shared.",
    place="nowhere, and false on purpose",
)
