"""Normal forms of matrices and vectors: blocks of noncommutative polynomials.

A matrix whose shape is known is a grid of blocks; a block is a sum of products of letters, each a
matrix or a vector, or its transpose, with polynomials of numbers in front. A vector is a matrix of
one column. Known is the shape of a field, by the names of its axes; of a vector that a lemma gives,
or a matrix that a proof names; of `eye` and `zeros` of sizes that are sums of lengths of axes and
of numbers of at least 1; and of sums, products, transposes, `outer`, `beside`, `above` and rates
of these, where the shapes fit. So what has a shape here is defined wherever the numbers and rates
in it are. Any other matrix has no form but that of its arguments.

`beside` and `above` are multiplied block by block where the blocks fit; where not, the whole is a
letter. A trace is a sum of traces of words, which may be turned around and transposed; between a
column and a row, x y^T, it is cut: tr(A x y^T B) = y^T B A x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from .cases import Field
from .nodes import node
from .polynomials import Monomial, Polynomial, Size, constant, plus, size_of, times, total_of
from .sorts import INT, MAT, VEC
from .terms import Node

if TYPE_CHECKING:
    from .normal import Normal

Letter = tuple[str, bool]  # the name of a matrix, and whether it is transposed
Word = tuple[Letter, ...]
Block = dict[Word, Polynomial]  # no polynomial is 0

LARGEST = 2**32  # of a number in a size
COLUMN: Size = size_of(constant(1))


class Grid(NamedTuple):
    """A matrix in blocks: the heights of its rows, the widths of its columns, the blocks by row."""

    heights: tuple[Size, ...]
    widths: tuple[Size, ...]
    blocks: tuple[tuple[Block, ...], ...]


class Matrices:
    """Makes the grids."""

    def __init__(self, normal: Normal, domain: Mapping[str, Field]) -> None:
        self._normal, self._domain = normal, domain
        self.shapes: dict[int, tuple[Size, Size]] = {}  # of elements that are matrices, by number
        self._columns: set[str] = set()  # the names of the letters that are vectors

    # shapes --------------------------------------------------------------------------------------
    def axis(self, name: str) -> Size:
        """The length of an axis."""
        return size_of(self._normal.atom(node("#axis", sort=INT, literal=name)))

    def shape(self, grid: Grid) -> tuple[Size, Size]:
        """How many rows and columns."""
        return self._total(grid.heights), self._total(grid.widths)

    def _total(self, sizes: tuple[Size, ...]) -> Size:
        return size_of(total_of(self._normal.budget, map(dict, sizes)))

    def _size(self, term: Node) -> Size | None:
        """A size that is at least 1 in every case."""
        found = self._normal.number(term)
        axes = all(
            self._normal.meant(name).operator == "#axis" for monomial in found for name in monomial
        )
        whole = all(0 < value < LARGEST and value.denominator == 1 for value in found.values())
        return size_of(found) if found and axes and whole else None

    # numbers of matrices -------------------------------------------------------------------------
    def number(self, term: Node) -> Polynomial | None:
        """A number that is made of matrices of known shapes; None for anything else."""
        if term.operator not in ("dot", "frob2", "trace", "rows", "cols", "dim"):
            return None
        grids = [self.grid(argument) for argument in term.arguments]
        one = grids[0]
        if one is None:
            return None
        height, width = self.shape(one)
        if term.operator in ("rows", "cols", "dim"):
            return dict(width if term.operator == "cols" else height)
        if term.operator == "trace":
            return self.trace(one) if height == width else None
        other = grids[-1]
        if other is None or self.shape(other) != (height, width):
            return None
        return self.inner(one, other)

    def inner(self, one: Grid, other: Grid) -> Polynomial:
        """The sum of the products of the entries of two of one shape."""
        product = self.product(self.transposed(one), other)
        assert product is not None, "they have one shape"
        return self.trace(product)

    def trace(self, grid: Grid) -> Polynomial:
        """The trace of a square matrix."""
        if grid.heights != grid.widths:
            grid = self._whole(grid)
        budget, total = self._normal.budget, dict[Monomial, Fraction]()
        for k, size in enumerate(grid.heights):
            for word, factor in grid.blocks[k][k].items():
                one = self._trace(word) if word else dict(size)
                total = plus(budget, total, times(budget, factor, one))
        return total

    def _trace(self, word: Word) -> Polynomial:
        turns = [word[k:] + word[:k] for k in range(len(word))]
        self._normal.budget.items(len(word) ** 2)
        for turn in turns:
            if self._cut(turn[-1], turn[0]):
                total = constant(1)
                for piece in self._pieces(turn):
                    total = times(self._normal.budget, total, self._scalar(piece))
                return total
        return self._named_trace(min(turn for one in turns for turn in (one, _turned(one))))

    def _scalar(self, word: Word) -> Polynomial:
        """y^T A x, a number."""
        return self._named_trace(min(word, _turned(word)))

    def _named_trace(self, word: Word) -> Polynomial:
        self._normal.budget.items(self._normal.letters(name for name, _ in word) // 16 + 1)
        return self._normal.atom(node("#trace", *map(self._letter, word)))

    def _letter(self, letter: Letter) -> Node:
        meant = self._normal.meant(letter[0])
        return node("#transpose", meant, sort=MAT) if letter[1] else meant

    def _cut(self, one: Letter, other: Letter) -> bool:
        """Whether between two letters a column ends and a row begins."""
        return one[0] in self._columns and other[0] in self._columns and not one[1] and other[1]

    def _pieces(self, word: Word) -> list[Word]:
        """A word, cut wherever it can be."""
        cuts = [k for k in range(1, len(word)) if self._cut(word[k - 1], word[k])]
        return [word[i:j] for i, j in zip([0, *cuts], [*cuts, len(word)], strict=True)]

    # grids ---------------------------------------------------------------------------------------
    def grid(self, term: Node) -> Grid | None:
        """The normal form of a matrix or vector; None if its shape is not known."""
        self._normal.visit()
        if term.sort not in (VEC, MAT):
            return None
        if term.operator == "field":
            axes = self._domain[str(term.literal)].axes
            sizes = [self.axis(name) for name in axes]
            return self._single(term, sizes[0], sizes[1] if len(sizes) > 1 else COLUMN)
        if term.operator == "var":
            shape = self.shapes.get(int(term.literal))
            return None if shape is None else self._single(term, *shape)
        if term.operator == "rate":  # of what is of a shape: the derivative of it is of that one
            moved = self.grid(term.arguments[0])
            return None if moved is None else self._single(term, *self.shape(moved))
        if term.operator in ("eye", "zeros"):
            sizes_of = [self._size(argument) for argument in term.arguments]
            height, width = sizes_of[0], sizes_of[-1]
            if height is None or width is None:
                return None
            identity: Block = {(): constant(1)} if term.operator == "eye" else {}
            return Grid((height,), (width,), ((identity,),))
        return self._combined(term)

    def _combined(self, term: Node) -> Grid | None:
        """That of an operator of matrices."""
        scalar, arguments = None, list(term.arguments)
        if term.operator == "mul":
            scalar = self._normal.number(arguments.pop(0))
        elif term.operator == "div":
            scalar = self._normal.reciprocal(self._normal.number(arguments.pop()))
        elif term.operator == "neg":
            scalar = constant(-1)
        elif term.operator not in ("add", "sub", "matmul", "transpose", "outer", "beside", "above"):
            return None
        grids = [self.grid(argument) for argument in arguments]
        one, other = grids[0], grids[-1]
        if one is None or other is None:
            return None
        if scalar is not None:
            return self.scaled(one, scalar)
        if term.operator == "transpose":
            return self.transposed(one)
        if term.operator == "matmul":
            return self.product(one, other)
        if term.operator == "outer":
            return self.product(one, self.transposed(other))
        if term.operator == "beside":
            return self._beside(one, other)
        if term.operator == "above":
            wide = self._beside(self.transposed(one), self.transposed(other))
            return None if wide is None else self.transposed(wide)
        return self.sum(one, other, 1 if term.operator == "add" else -1)

    def _single(self, term: Node, height: Size, width: Size) -> Grid:
        name = self._normal.named(term)
        if term.sort == VEC:
            self._columns.add(name)
        return Grid((height,), (width,), (({((name, False),): constant(1)},),))

    def scaled(self, grid: Grid, factor: Polynomial) -> Grid:
        """A multiple."""
        return self._mapped(grid, lambda block: self._added({}, block, factor))

    def sum(self, one: Grid, other: Grid, factor: int = 1) -> Grid | None:
        """One and a multiple of another; None if the shapes differ."""
        if self.shape(one) != self.shape(other):
            return None
        if one[:2] != other[:2]:
            one, other = self._whole(one), self._whole(other)
        rows = tuple(
            tuple(self._added(a, b, constant(factor)) for a, b in zip(x, y, strict=True))
            for x, y in zip(one.blocks, other.blocks, strict=True)
        )
        return Grid(one.heights, one.widths, rows)

    def product(self, one: Grid, other: Grid) -> Grid | None:
        """The product; None if the shapes do not fit."""
        if self.shape(one)[1] != self.shape(other)[0]:
            return None
        if one.widths != other.heights:
            one, other = self._whole(one), self._whole(other)
        rows = []
        for row in one.blocks:
            made = [dict[Word, Polynomial]() for _ in other.widths]
            for k, a in enumerate(row):
                for j, b in enumerate(other.blocks[k]):
                    made[j] = self._added(made[j], self._multiplied(a, b), constant(1))
            rows.append(tuple(made))
        return Grid(one.heights, other.widths, tuple(rows))

    def transposed(self, grid: Grid) -> Grid:
        """The transpose."""
        turned = self._mapped(grid, lambda b: {_turned(word): value for word, value in b.items()})
        return Grid(grid.widths, grid.heights, tuple(zip(*turned.blocks, strict=True)))

    def _beside(self, one: Grid, other: Grid) -> Grid | None:
        if self.shape(one)[0] != self.shape(other)[0]:
            return None
        if one.heights != other.heights:
            one, other = self._whole(one), self._whole(other)
        rows = tuple((*x, *y) for x, y in zip(one.blocks, other.blocks, strict=True))
        return Grid(one.heights, (*one.widths, *other.widths), rows)

    def _whole(self, grid: Grid) -> Grid:
        """The same in one block."""
        if len(grid.heights) == len(grid.widths) == 1:
            return grid
        return self._single(self.reified(grid), *self.shape(grid))

    def _mapped(self, grid: Grid, change: Callable[[Block], Block]) -> Grid:
        rows = tuple(tuple(map(change, row)) for row in grid.blocks)
        return Grid(grid.heights, grid.widths, rows)

    # blocks --------------------------------------------------------------------------------------
    def _added(self, one: Block, other: Block, factor: Polynomial) -> Block:
        """One block and a multiple of another."""
        budget, total = self._normal.budget, dict(one)
        for word, value in other.items():
            budget.items(1 + len(word))
            total[word] = plus(budget, total.get(word, {}), times(budget, value, factor))
            if not total[word]:
                del total[word]
        return total

    def _multiplied(self, one: Block, other: Block) -> Block:
        """The product of two; y^T A x between a column and a row is a number in front."""
        budget, total = self._normal.budget, dict[Word, Polynomial]()
        for x, a in one.items():
            for y, b in other.items():
                budget.items(len(x) + len(y))
                factor, word = times(budget, a, b), x + y
                pieces = self._pieces(word)
                numbers = [piece for piece in pieces if self._is_number(piece)]
                if len(numbers) == len(pieces):  # a matrix of one row and one column
                    word, numbers = numbers[-1], numbers[:-1]
                else:
                    word = tuple(letter for p in pieces if p not in numbers for letter in p)
                for piece in numbers:
                    factor = times(budget, factor, self._scalar(piece))
                total = self._added(total, {word: factor}, constant(1))
        return total

    def _is_number(self, word: Word) -> bool:
        """Whether it is y^T A x."""
        if not word:
            return False
        (first, row), (last, transposed) = word[0], word[-1]
        return first in self._columns and row and last in self._columns and not transposed

    # terms ---------------------------------------------------------------------------------------
    def reified(self, grid: Grid) -> Node:
        """A grid as a term."""
        every = [block for row in grid.blocks for block in row]
        words = [word for block in every for word in block]
        letters = self._normal.letters(name for word in words for name, _ in word)
        self._normal.budget.items(letters // 16 + len(every))
        blocks = [self._block(block) for block in every]
        sort = VEC if grid.widths == (COLUMN,) and self._is_vector(grid) else MAT
        if len(blocks) == 1 and blocks[0].operator not in ("#polynomial",):
            return blocks[0]
        literal = f"{grid.heights}{grid.widths}"
        return node("#blocks", *blocks, sort=sort, literal=literal)

    def _is_vector(self, grid: Grid) -> bool:
        """Whether it is a vector, or 0 of its shape."""
        words = [word for row in grid.blocks for block in row for word in block]
        return all(word and word[-1][0] in self._columns and not word[-1][1] for word in words)

    def _block(self, block: Block) -> Node:
        terms = []
        for word, factor in sorted(block.items()):
            letters = node("#word", *map(self._letter, word), sort=MAT)
            alone = list(block) == [word] and len(word) == 1 and factor == constant(1)
            if alone and not word[0][1]:
                return self._normal.meant(word[0][0])
            terms.append(node("#multiple", self._normal.reified(factor), letters, sort=MAT))
        return node("#polynomial", *terms, sort=MAT)


def _turned(word: Word) -> Word:
    """The transpose of a word."""
    return tuple((name, not transposed) for name, transposed in reversed(word))
