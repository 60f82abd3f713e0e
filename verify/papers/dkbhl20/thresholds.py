"""Figure 1, footnote 2: the threshold sigma_max d 1e-7 against those of the libraries.

What a library counts as zero is read off the library itself: the least singular value that its
default still counts, on matrices with singular values 1, t, 0, ..., 0, by bisection in t. Matlab's
rank is documented as max(size(A)) eps(norm(A)), which is the same formula as NumPy's at norm 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verify.core.claim import Claim, Kind
from verify.core.experiment import Measured, Setting
from verify.papers.dkbhl20.sources import printed

FACTOR = 2.0  # thresholds within it count as consistent
SHAPES = (
    ((4, 4), (8, 32)),
    ((32, 32), (128, 128), (128, 512)),
    ((32, 32), (128, 128), (128, 1024)),
)
PRECISIONS: dict[str, type[np.floating]] = {"float32": np.float32, "float64": np.float64}
Ranker = Callable[[np.ndarray], int]


def footnote(matrix: np.ndarray) -> int:
    """The numerical rank by footnote 2: d is the number of rows."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return int((values > values.max() * matrix.shape[0] * 1e-7).sum())


def documented(rows: int, columns: int, precision: str) -> float:
    """max(m, n) eps, by the documentation of Matlab and NumPy, over sigma_max = 1."""
    return max(rows, columns) * float(np.finfo(PRECISIONS[precision]).eps)


def threshold(rank: Ranker, shape: tuple[int, int], precision: str) -> float:
    """The least second singular value (of sigma_max = 1) that counts, within a millionth of it.

    >>> round(threshold(lambda H: int((np.diag(H) > 0.25).sum()), (2, 2), "float64"), 5)
    0.25
    """
    low, high = -20.0, 0.0  # of the logarithm to base 10
    for _ in range(45):
        middle = (low + high) / 2
        matrix = np.zeros(shape, dtype=PRECISIONS[precision])
        matrix[0, 0], matrix[1, 1] = 1, 10**middle
        if rank(matrix) > 1:
            high = middle
        else:
            low = middle
    return float(10**high)


def thresholds_agree(
    setting: Setting, shapes: tuple[tuple[int, int], ...] | None = None
) -> Measured:
    """(e): the libraries' thresholds over that of footnote 2."""
    import torch

    def by_torch(matrix: np.ndarray) -> int:
        return int(torch.linalg.matrix_rank(torch.from_numpy(matrix)))

    rankers: dict[str, Ranker] = {
        "NumPy": lambda matrix: int(np.linalg.matrix_rank(matrix)),
        "PyTorch": by_torch,
    }
    shapes = shapes or SHAPES[setting.scale]
    figures: dict[str, int | float | str] = {}
    ratios: dict[str, list[float]] = {precision: [] for precision in PRECISIONS}
    for shape in shapes:
        for precision in PRECISIONS:
            printed_one = threshold(footnote, shape, precision)
            found = {name: threshold(rank, shape, precision) for name, rank in rankers.items()}
            found["Matlab, documented"] = documented(*shape, precision)
            for name, value in found.items():
                place = f"{name}, {shape[0]} x {shape[1]}, {precision}"
                figures[place] = f"{value:.4g}, by footnote 2 {printed_one:.4g}"
                ratios[precision].append(value / printed_one)
    everything = [ratio for values in ratios.values() for ratio in values]
    said = "; ".join(
        f"{precision}: {min(values):.4g} to {max(values):.4g}"
        for precision, values in ratios.items()
    )
    return Measured(
        all(1 / FACTOR <= ratio <= FACTOR for ratio in everything),
        f"default thresholds of the libraries over that of footnote 2, least and largest, in "
        f"{said} (criterion: within a factor of {FACTOR:g} in both precisions).",
        (f"shapes d x N: {', '.join(f'{d} x {n}' for d, n in shapes)}",),
        figures,
        instances=len(everything),
    )


CLAIMS = (
    Claim(
        "dkbhl20.fig1.e",
        Kind.EXPERIMENT,
        printed("footnote 2"),
        "the threshold of the libraries",
        r"Taking singular values below $\sigma_{\max}\times d\times10^{-7}$ as zero is consistent "
        "with both Matlab and NumPy.",
        experiment=thresholds_agree,
    ),
)
