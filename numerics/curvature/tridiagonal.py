"""The ends of the spectrum of one tridiagonal matrix, by LAPACK, called from compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding
from numba import njit, types
from numba.extending import get_cython_function_address

from numerics.kernels import OPTIONS

UNIT = 2.0**-53

summed: Any = njit(**{**OPTIONS, "fastmath": {"contract", "reassoc"}})
"""Sums are taken in any order; nothing else is relaxed."""

# SciPy hands out the addresses of LAPACK; a name is what a compiled kernel on disk can look up
binding.add_symbol(
    "lemmata_dstevx", get_cython_function_address("scipy.linalg.cython_lapack", "dstevx")
)
dstevx: Any = types.ExternalFunction("lemmata_dstevx", types.void(*[types.voidptr] * 18))
VECTORS, BY_INDEX = np.array([ord("V")], np.uint8), np.array([ord("I")], np.uint8)
ZERO = np.zeros(1)


@summed
def end_of_spectrum(alphas, betas, k, number, vector):
    """The eigenvalue number 1 to k from below, and a unit eigenvector in `vector`, of the matrix
    with alphas[:k] on the diagonal and betas[: k - 1] beside it: bisection and inverse iteration.
    """
    diagonal, beside, values = alphas[:k].copy(), betas[:k].copy(), np.zeros(k)
    size, chosen, found = (
        np.array([k], np.int32),
        np.array([number], np.int32),
        np.zeros(2, np.int32),
    )
    work, integers, failed = np.zeros(5 * k), np.zeros(5 * k, np.int32), np.zeros(k, np.int32)
    dstevx(
        VECTORS.ctypes,
        BY_INDEX.ctypes,
        size.ctypes,
        diagonal.ctypes,
        beside.ctypes,
        ZERO.ctypes,
        ZERO.ctypes,
        chosen.ctypes,
        chosen.ctypes,
        ZERO.ctypes,
        found.ctypes,
        values.ctypes,
        vector.ctypes,
        size.ctypes,
        work.ctypes,
        integers.ctypes,
        failed.ctypes,
        found[1:].ctypes,
    )
    return values[0]
