"""Section 3: the factors of a matrix, by gradient flow and by steps of gradient descent."""

from lemmata import Matrix, Number, Rate, claim, frob2, norm, sqrt

M = Matrix("M", "p", "q")
U, V = Matrix("U", "p", "r"), Matrix("V", "q", "r")
eta = Number("eta")
R = U @ V.T - M


def balance(one, other):
    """How far two factors are from being balanced."""
    return one.T @ one - other.T @ other


def same_rate(proof):
    """The rate of the difference is 0."""
    moved = proof.rate(
        balance(U, V),
        -(R @ V).T @ U - U.T @ R @ V + (R.T @ U).T @ V + V.T @ R.T @ U,
    )
    proof.algebra(proof.goal, {moved: 1})


claim(
    "dhl18.factors",
    Rate(balance(U, V)) == 0 * balance(U, V),
    flow={"U": -(R @ V), "V": -(R.T @ U)},
    proof=same_rate,
)

after_step = balance(U - eta * (R @ V), V - eta * (R.T @ U))
added = after_step - balance(U, V)

claim(
    "dhl18.step.change",
    added == eta**2 * (V.T @ R.T @ R @ V - U.T @ R @ R.T @ U),
    "A step adds $\\eta^2(V^TR^TRV-U^TRR^TU)$.",
    proof=lambda proof: proof.algebra(proof.goal, {}),
)
claim(
    "dhl18.step.bound",
    sqrt(frob2(added)) <= eta**2 * frob2(R) * (norm(U) ** 2 + norm(V) ** 2),
    "What a step adds is of norm at most $\\eta^2\\|R\\|_F^2(\\|U\\|^2+\\|V\\|^2)$.",
)
claim(
    "dhl18.step.kept",
    after_step == balance(U, V),
    "A step of gradient descent keeps the balance, as the flow does.",
)
