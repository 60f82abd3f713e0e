"""Have Rocq check exported source, where it is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

CLOSED = "Closed under the global context"
ABSENT = "no coqc here: on Debian `apt install coq` brings it"
NO_MATHCOMP = "no MathComp 1 here: on Debian `apt install libcoq-mathcomp-algebra` brings it"
# Additive maps are declared like this in MathComp 1, and not in MathComp 2.
MATHCOMP = """From mathcomp Require Import all_ssreflect all_algebra.
Lemma minus_is_additive (V : zmodType) : additive (@GRing.opp V).
Proof. by move=> a b; rewrite GRing.opprD. Qed.
Canonical minus (V : zmodType) := GRing.Additive (minus_is_additive V).
Print Assumptions eqxx.
"""


class Answer(NamedTuple):
    """Whether Rocq accepts the source, all theorems without axioms; and what it said if not."""

    accepted: bool
    message: str


def compiler() -> Sequence[str] | None:
    """The command that compiles a file, or None where there is none."""
    if shutil.which("coqc"):
        return ("coqc",)
    return ("rocq", "compile") if shutil.which("rocq") else None


def lacking(source: str) -> str | None:
    """What has to be installed before the source can be compiled; None if nothing has."""
    command = compiler()
    if command is None:
        return ABSENT
    return None if "From mathcomp " not in source or _has_mathcomp(command) else NO_MATHCOMP


@cache
def _has_mathcomp(command: Sequence[str]) -> bool:
    del command  # with another one the answer may be another
    return compile_source(MATHCOMP).accepted


def compile_source(source: str, seconds: float = 1800) -> Answer:
    """Compile exported source in a folder of its own.

    Accepted: the compiler succeeds, and says of each theorem named in `Print Assumptions` that it
    has no axioms. Raises FileNotFoundError where no compiler is installed.
    """
    command = compiler()
    if command is None:
        raise FileNotFoundError(ABSENT)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.v"
        file.write_text(source, encoding="ascii")
        try:
            finished = subprocess.run(
                [*command, "-q", str(file)],
                capture_output=True,
                text=True,
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired:
            return Answer(False, f"not done in {seconds:g} seconds")
    if finished.returncode != 0:
        return Answer(False, (finished.stdout + finished.stderr).strip())
    theorems = source.count("\nPrint Assumptions ")
    closed = finished.stdout.count(CLOSED)
    if theorems == 0 or closed != theorems or "Axioms:" in finished.stdout:
        return Answer(False, f"{closed} of {theorems} theorems are without axioms")
    return Answer(True, f"theorems without axioms: {theorems}")
