"""Appendix D, Lemma 11: the two arrangements of the weights of a ResNetFree block.

As a statement about matrices: (U, Y, Z) is arbitrary, and U^T U - Y Y^T stands in place of its
initial value. That is what the lemma says at the start, where every (U, Y, Z) can be, and by the
invariance of Theorem 1 also later. lambda(X) is the largest eigenvalue. The printed displays
(75)-(82) square it where B and A have their squared norms; each display is a claim as printed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from graphs.arithmetic import Array
from verify.claim import Claim, Kind
from verify.hypotheses import Hypothesis, by_case, random_rational
from verify.matrices import MatrixScene
from verify.papers.lj22 import block_proofs as proofs
from verify.papers.lj22 import gram_proofs as grams
from verify.papers.lj22.sources import both, final
from verify.tensor_pool import TensorPool
from verify.tensors import Tensors
from verify.vocabulary import Entries

AXES = {"U": ("c", "b"), "Y": ("b", "a"), "Z": ("c", "a")}
POOL = TensorPool(tuple(AXES.items()), largest=4)
QUARTER, EIGHTH = Fraction(1, 4), Fraction(1, 8)


def _without_zeros(case: Tensors, random: Random) -> Tensors:
    arrays = {
        name: replace(
            array, entries=tuple(entry or random_rational(random) for entry in array.entries)
        )
        for name, array in case.arrays.items()
    }
    return case.changing(**arrays)


def _with_a_zero(case: Tensors, random: Random) -> Tensors:
    name = random.choice(sorted(case.arrays))
    array = case.arrays[name]
    return case.changing(**{name: replace(array, entries=(Fraction(0), *array.entries[1:]))})


NONZERO = Hypothesis(
    "stable signs (Assumption 1)",
    r"signs of the weights constant near the start: no entry is 0",
    by_case(lambda case: all(all(array.entries) for array in case.arrays.values())),
    _without_zeros,
    _with_a_zero,
)


# what the displays speak of -------------------------------------------------------------------
def defect(scene: MatrixScene) -> Array:
    """U^T U - Y Y^T, constant along the flow."""
    return scene.gram(scene["U"]) - scene.gram(scene.transpose(scene["Y"]))


def printed_constant(scene: MatrixScene) -> Array:
    """D = |U^T U - Y Y^T|_2^2."""
    return scene.norm_squared(defect(scene))


def top(scene: MatrixScene, name: str) -> Array:
    """lambda(M^T M) of one of the matrices, which is lambda(M M^T)."""
    return scene.largest_eigenvalue(scene.gram(scene[name]))


def top_outer(scene: MatrixScene, name: str) -> Array:
    """lambda(M M^T) of one of the matrices."""
    return scene.largest_eigenvalue(scene.gram(scene.transpose(scene[name])))


def wide(scene: MatrixScene) -> Array:
    """A = [U Z]."""
    return scene.beside(scene["U"], scene["Z"])


def tall(scene: MatrixScene) -> Array:
    """B, Y on top of Z."""
    return scene.above(scene["Y"], scene["Z"])


def inner_sum(scene: MatrixScene) -> Array:
    """lambda(Y^T Y + Z^T Z)."""
    return scene.largest_eigenvalue(scene.gram(scene["Y"]) + scene.gram(scene["Z"]))


def outer_sum(scene: MatrixScene) -> Array:
    """lambda(U U^T + Z Z^T)."""
    outer = (scene.gram(scene.transpose(scene[name])) for name in "UZ")
    return scene.largest_eigenvalue(sum(outer, start=scene.constant(0)[:, None, None]))


def shuffled(scene: MatrixScene, constant: Array) -> Entries:
    """|B|^2 - (|A|^2/8 - D')."""
    share = scene.share(scene.norm_squared(wide(scene)), EIGHTH)
    return scene.compare(scene.norm_squared(tall(scene)), share - constant)


def some_constant(scene: MatrixScene) -> Entries:
    """The slack with D' = |U^T U - Y Y^T|_2 / 8."""
    return shuffled(scene, scene.share(scene.symmetric_norm(defect(scene)), EIGHTH))


def step74(scene: MatrixScene) -> Entries:
    """|Y|^2 - (|U|^2 - D)."""
    norms = scene.norm_squared(scene["Y"]), scene.norm_squared(scene["U"])
    return scene.compare(norms[0], norms[1] - printed_constant(scene))


def step74_repaired(scene: MatrixScene) -> Entries:
    """|Y|^2 - (|U|^2 - |U^T U - Y Y^T|_2)."""
    norms = scene.norm_squared(scene["Y"]), scene.norm_squared(scene["U"])
    return scene.compare(norms[0], norms[1] - scene.symmetric_norm(defect(scene)))


def step75(scene: MatrixScene) -> Entries:
    """|B|^2 - lambda(B^T B)^2."""
    eigenvalue = scene.largest_eigenvalue(scene.gram(tall(scene)))
    return scene.compare(scene.norm_squared(tall(scene)), eigenvalue * eigenvalue)


def step75_repaired(scene: MatrixScene) -> Entries:
    """lambda(B B^T) - lambda(B^T B): either is |B|^2."""
    matrix = tall(scene)
    sides = (scene.gram(scene.transpose(matrix)), scene.gram(matrix))
    return scene.compare(*map(scene.largest_eigenvalue, sides))


def step76(scene: MatrixScene) -> Entries:
    """lambda(B^T B)^2 - lambda(Y^T Y + Z^T Z)^2."""
    eigenvalue, other = scene.largest_eigenvalue(scene.gram(tall(scene))), inner_sum(scene)
    return scene.compare(eigenvalue * eigenvalue, other * other)


def step77(scene: MatrixScene) -> Entries:
    """lambda(Y^T Y + Z^T Z)^2 - (lambda(Y^T Y) + lambda(Z^T Z))^2 / 4."""
    together, apart = inner_sum(scene), top(scene, "Y") + top(scene, "Z")
    return scene.compare(together * together, scene.share(apart * apart, QUARTER))


def step78(scene: MatrixScene) -> Entries:
    """(lambda(Y^T Y) + lambda(Z^T Z))^2 / 4 - (lambda(Y^T Y)^2 + lambda(Z^T Z)^2) / 4."""
    y, z = top(scene, "Y"), top(scene, "Z")
    return scene.compare(scene.share((y + z) * (y + z), QUARTER), quarter_squares(scene, y, z))


def quarter_squares(scene: MatrixScene, one: Array, other: Array) -> Array:
    """(one^2 + other^2) / 4."""
    return scene.share(one * one + other * other, QUARTER)


def step79(scene: MatrixScene) -> Entries:
    """(lambda(Y^T Y)^2 + lambda(Z^T Z)^2)/4 - ((lambda(U U^T)^2 + lambda(Z Z^T)^2)/4 - D/4)."""
    left = quarter_squares(scene, top(scene, "Y"), top(scene, "Z"))
    right = quarter_squares(scene, top_outer(scene, "U"), top_outer(scene, "Z"))
    return scene.compare(left, right - scene.share(printed_constant(scene), QUARTER))


def step79_repaired(scene: MatrixScene) -> Entries:
    """The same without squares: of the eigenvalues, and of the norm in D."""
    left = scene.share(top(scene, "Y") + top(scene, "Z"), QUARTER)
    right = scene.share(top_outer(scene, "U") + top_outer(scene, "Z"), QUARTER)
    return scene.compare(left, right - scene.share(scene.symmetric_norm(defect(scene)), QUARTER))


def step80(scene: MatrixScene) -> Entries:
    """(lambda(U U^T)^2 + lambda(Z Z^T)^2)/4 - (lambda(U U^T) + lambda(Z Z^T))^2 / 8; -D/4 on both
    sides."""
    u, z = top_outer(scene, "U"), top_outer(scene, "Z")
    return scene.compare(quarter_squares(scene, u, z), scene.share((u + z) * (u + z), EIGHTH))


def step81(scene: MatrixScene) -> Entries:
    """(lambda(U U^T) + lambda(Z Z^T))^2 / 8 - lambda(U U^T + Z Z^T)^2 / 8; -D/4 on both sides."""
    apart, together = top_outer(scene, "U") + top_outer(scene, "Z"), outer_sum(scene)
    return scene.compare(
        scene.share(apart * apart, EIGHTH), scene.share(together * together, EIGHTH)
    )


def step82_first(scene: MatrixScene) -> Entries:
    """lambda(U U^T + Z Z^T)^2 / 8 - lambda(A A^T)^2 / 8; -D/4 on both sides."""
    eigenvalue = scene.largest_eigenvalue(scene.gram(scene.transpose(wide(scene))))
    together = outer_sum(scene)
    return scene.compare(
        scene.share(together * together, EIGHTH), scene.share(eigenvalue * eigenvalue, EIGHTH)
    )


def step82_second(scene: MatrixScene) -> Entries:
    """lambda(A A^T)^2 / 8 - |A|^2 / 8; -D/4 on both sides."""
    matrix = wide(scene)
    eigenvalue = scene.largest_eigenvalue(scene.gram(scene.transpose(matrix)))
    norm = scene.norm_squared(matrix)
    return scene.compare(scene.share(eigenvalue * eigenvalue, EIGHTH), scene.share(norm, EIGHTH))


def step82_repaired(scene: MatrixScene) -> Entries:
    """lambda(A A^T) - lambda(A^T A): either is |A|^2."""
    matrix = wide(scene)
    sides = (scene.gram(scene.transpose(matrix)), scene.gram(matrix))
    return scene.compare(*map(scene.largest_eigenvalue, sides))


# the claims -----------------------------------------------------------------------------------
stacked = grams.same_matrix(
    "step76",
    "B^T B = Y^T Y + Z^T Z",
    AXES,
    lambda scene: scene.gram(tall(scene)),
    lambda scene: scene.gram(scene["Y"]) + scene.gram(scene["Z"]),
)
side_by_side = grams.same_matrix(
    "step82_first",
    "A A^T = U U^T + Z Z^T",
    AXES,
    lambda scene: scene.gram(scene.transpose(wide(scene))),
    lambda scene: scene.gram(scene.transpose(scene["U"])) + scene.gram(scene.transpose(scene["Z"])),
)
BLOCK = (
    r"For a ResNetFree block $r(U,Y,Z)$ with $Y\in\mathbb R^{b\times a}$, "
    r"$U\in\mathbb R^{c\times b}$, $Z\in\mathbb R^{c\times a}$, let $A=[U\ \ Z]$ and "
    r"$B=\begin{bmatrix}Y\\Z\end{bmatrix}$. "
)
LEMMA = (
    r"$\lVert B\rVert_2^2\ge\frac18\lVert A\rVert_2^2-D'$, where $D'\ge0$ is fixed at "
    "initialisation. "
)
INVARIANT = r"U^\top(0)U(0)-Y(0)Y^\top(0)"
AS_LONG = r"(At the start, and as long as $U^\top U-YY^\top$ keeps its initial value.)"
Y, Z, U, W = (r"\lambda(Y^\top Y)", r"\lambda(Z^\top Z)", r"\lambda(UU^\top)", r"\lambda(ZZ^\top)")
STEPS = tuple(f"lj22.lemma11-{k}" for k in ("74", "77", "78", "79", "80", "81"))
STEPS += ("lj22.lemma11-75.a", "lj22.lemma11-75.b", "lj22.lemma11-82.a", "lj22.lemma11-82.b")


CLAIMS = (
    Claim(
        "lj22.lemma11@B",
        Kind.INEQUALITY,
        final("Lemma 11"),
        "shuffling a ResNetFree block, with some constant",
        BLOCK + LEMMA + rf"(Measured with $D'=\frac18\lVert {INVARIANT}\rVert_2$.) " + AS_LONG,
        (),
        ("lj22.thm1-3@A", "lj22.weyl.b", *STEPS),
        measure=some_constant,
        pool=POOL,
        reading="B",
        reading_text=r"some $D'\ge0$ that depends on the initial values alone does it",
        proof=proofs.shuffling,
        through=r"the constant $D'=\frac18\lVert U^\top U-YY^\top\rVert_2$ of the start does it, "
        "as a linear block keeps that matrix (docs/mathematics.md, 9)",
    ),
    Claim(
        "lj22.lemma11-74",
        Kind.INEQUALITY,
        both("(74); earlier (61)"),
        "the norm of Y against that of U",
        rf"$\lVert Y\rVert_2^2\ge\lVert U\rVert_2^2-D$ with $D=\lVert {INVARIANT}\rVert_2^2$ fixed "
        "at initialisation.",
        (NONZERO,),
        ("lj22.thm1-3@A",),
        measure=step74,
        pool=POOL,
        why=r"$D$ is the square of a norm: where $\lVert U^\top U-YY^\top\rVert_2<1$ it is "
        r"smaller than that norm, and the norm is what $\lVert U\rVert_2^2$ and $\lVert "
        r"Y\rVert_2^2$ can differ by",
    ),
    Claim(
        "lj22.lemma11-74.fix",
        Kind.INEQUALITY,
        both("(74); earlier (61)"),
        "the norm of Y against that of U, with the norm in D",
        rf"$\lVert Y\rVert_2^2\ge\lVert U\rVert_2^2-D$ with $D=\lVert {INVARIANT}\rVert_2$.",
        depends=("lj22.thm1-3@A", "lj22.weyl.b"),
        measure=step74_repaired,
        pool=POOL,
        repairs="lj22.lemma11-74",
        proof=proofs.norm_of_y,
    ),
    Claim(
        "lj22.lemma11-75.a",
        Kind.IDENTITY,
        both("(75); earlier (62)"),
        "the squared norm as a squared eigenvalue",
        r"$\lVert B\rVert_2^2=(\lambda(B^\top B))^2$, where $\lambda(X)$ is the maximum eigenvalue "
        "of a positive semidefinite matrix.",
        measure=step75,
        pool=POOL,
        why=r"$\lVert B\rVert_2^2$ is $\lambda(B^\top B)$, not its square",
    ),
    Claim(
        "lj22.lemma11-75.a.fix",
        Kind.IDENTITY,
        both("(75); earlier (62)"),
        "the squared norm as an eigenvalue",
        r"$\lVert B\rVert_2^2=\lambda(BB^\top)=\lambda(B^\top B)$.",
        measure=step75_repaired,
        pool=POOL,
        repairs="lj22.lemma11-75.a",
        proof=grams.swapped("step75_repaired"),
    ),
    Claim(
        "lj22.lemma11-75.b",
        Kind.IDENTITY,
        both("(76); earlier (63)"),
        "the Gram matrix of a stack",
        r"$(\lambda(B^\top B))^2=(\lambda(Y^\top Y+Z^\top Z))^2$.",
        measure=step76,
        pool=POOL,
        proof=stacked,
    ),
    Claim(
        "lj22.lemma11-77",
        Kind.INEQUALITY,
        both("(77); earlier (64)"),
        "the eigenvalue of a sum from below",
        rf"$(\lambda(Y^\top Y+Z^\top Z))^2\ge\frac14({Y}+{Z})^2$.",
        depends=("lj22.weyl.a",),
        measure=step77,
        pool=POOL,
        proof=proofs.sum_from_below,
    ),
    Claim(
        "lj22.lemma11-78",
        Kind.INEQUALITY,
        both("(78); earlier (65)"),
        "a square of a sum from below",
        rf"$\frac14({Y}+{Z})^2\ge\frac14({Y})^2+\frac14({Z})^2$.",
        measure=step78,
        pool=POOL,
        proof=proofs.square_of_a_sum,
    ),
    Claim(
        "lj22.lemma11-79",
        Kind.INEQUALITY,
        both("(79); earlier (66)"),
        "from Y to U",
        rf"$\frac14({Y})^2+\frac14({Z})^2\ge\frac14({U})^2+\frac14({W})^2-\frac D4$, a consequence "
        rf"of (74), with its $D=\lVert {INVARIANT}\rVert_2^2$.",
        (NONZERO,),
        ("lj22.lemma11-74",),
        measure=step79,
        pool=POOL,
        why=r"(74) compares $\lambda(Y^\top Y)$ with $\lambda(UU^\top)$, not their squares, "
        r"whose difference grows with both of them while $D$ does not",
    ),
    Claim(
        "lj22.lemma11-79.fix",
        Kind.INEQUALITY,
        both("(79); earlier (66)"),
        "from Y to U, without squares",
        rf"$\frac14{Y}+\frac14{Z}\ge\frac14{U}+\frac14{W}-\frac D4$ with "
        rf"$D=\lVert {INVARIANT}\rVert_2$.",
        depends=("lj22.lemma11-74.fix",),
        measure=step79_repaired,
        pool=POOL,
        repairs="lj22.lemma11-79",
        proof=proofs.from_y_to_u,
    ),
    Claim(
        "lj22.lemma11-80",
        Kind.INEQUALITY,
        both("(80); earlier (67)"),
        "a sum of squares from below",
        rf"$\frac14({U})^2+\frac14({W})^2-\frac D4\ge\frac18({U}+{W})^2-\frac D4$.",
        measure=step80,
        pool=POOL,
        proof=proofs.sum_of_squares,
    ),
    Claim(
        "lj22.lemma11-81",
        Kind.INEQUALITY,
        both("(81); earlier (68)"),
        "the eigenvalue of a sum from above",
        rf"$\frac18({U}+{W})^2-\frac D4\ge\frac18(\lambda(UU^\top+ZZ^\top))^2-\frac D4$.",
        depends=("lj22.weyl.b",),
        measure=step81,
        pool=POOL,
        proof=proofs.sum_from_above,
    ),
    Claim(
        "lj22.lemma11-82.a",
        Kind.IDENTITY,
        both("(82); earlier (69)"),
        "the Gram matrix of two blocks side by side",
        r"$\frac18(\lambda(UU^\top+ZZ^\top))^2-\frac D4=\frac18(\lambda(AA^\top))^2-\frac D4$.",
        measure=step82_first,
        pool=POOL,
        proof=side_by_side,
    ),
    Claim(
        "lj22.lemma11-82.b",
        Kind.IDENTITY,
        both("(82); earlier (69)"),
        "a squared eigenvalue as the squared norm",
        r"$\frac18(\lambda(AA^\top))^2-\frac D4=\frac18\lVert A\rVert_2^2-\frac D4$.",
        measure=step82_second,
        pool=POOL,
        why=r"$\lVert A\rVert_2^2$ is $\lambda(AA^\top)$, not its square",
    ),
    Claim(
        "lj22.lemma11-82.b.fix",
        Kind.IDENTITY,
        both("(82); earlier (69)"),
        "an eigenvalue as the squared norm",
        r"$\lVert A\rVert_2^2=\lambda(AA^\top)=\lambda(A^\top A)$.",
        measure=step82_repaired,
        pool=POOL,
        repairs="lj22.lemma11-82.b",
        proof=grams.swapped("step82_repaired"),
    ),
)
