"""Compiled kernels that are kept on disk are compiled once, whoever needs them first."""

import os
import subprocess
import sys

import pytest

from tests.repository import ROOT

pytest.importorskip("numba", reason="numba is not installed")

MODULE = """
import sys
import time
from pathlib import Path

from numerics.kernels import kept


def total(values):
    found = 0.0
    for value in values:
        found += value * value
    return found


total = kept(total)
if __name__ == "__main__":
    import numpy as np

    Path(sys.argv[1]).touch()
    while len(list(Path(sys.argv[1]).parent.glob("ready*"))) < int(sys.argv[2]):
        time.sleep(0.01)
    print(total(np.arange(4.0)), sum(total.stats.cache_hits.values()))
"""


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    module = tmp_path / "squares.py"
    module.write_text(MODULE)
    commands = [[sys.executable, module, tmp_path / f"ready{k}", "3"] for k in range(3)]
    told_where = {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "stdout": subprocess.PIPE}
    running = [subprocess.Popen(command, **told_where) for command in commands]
    told = sorted(one.communicate()[0].split() for one in running)
    assert told == [[b"14.0", b"0"], [b"14.0", b"1"], [b"14.0", b"1"]]
