"""Two claims: one that is proved, and one that is false as printed, which the baseline knows."""

from lemmata import Matrix, Number, claim, rank

x, y = Number("x"), Number("y")
claim(
    "toy.means",
    x**2 + y**2 >= 2 * x * y,
    "The mean of two squares is at least the product.",
    proof=lambda p: p.algebra(p.goal, {}, [x - y]),
)

A, B = Matrix("A", "m", "n"), Matrix("B", "n", "k")
claim("toy.rank", rank(A @ B) == rank(A), "The rank of $AB$ is that of $A$.")
