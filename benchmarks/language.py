"""Statements in the language against the measures that are written in code for the same claims.

Both are put before the same batches of cases, in rationals, on fresh scenes; the values must agree.
CPU seconds, and the ratio of language to code: below 1 the language is faster.

Run: python -m benchmarks.language [--cases N]
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

from graphs.arithmetic import RATIONALS
from tests.verify.language.test_as_before import WRITTEN
from verify.language.statements import Statement
from verify.methods.context import draw
from verify.mutants.draws import batches
from verify.registry import find


def spent(measure: Any, groups: list[Any]) -> tuple[float, list[float]]:
    """CPU seconds of a measure on batches, and the values."""
    values: list[float] = []
    seconds = 0.0
    for group in groups:
        scene = type(group[0]).scene(group, RATIONALS)
        start = time.process_time()
        entries = measure(scene)
        seconds += time.process_time() - start
        values += map(float, entries.values)
    return seconds, values


def main() -> None:
    """Print a line for each statement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=400)
    count = parser.parse_args().cases
    total = [0.0, 0.0]
    print(f"{'statement':18} {'code':>8} {'language':>9} {'ratio':>6}   CPU s, {count} cases")
    for name, term in WRITTEN.items():
        claim, statement, random = find(name), Statement(name, term), Random(0)
        n = claim.pool.examples
        cases = [
            draw(claim, random, n=n[k % len(n)], loss="prescribed", large=False)
            for k in range(count)
        ]
        groups = list(batches(cases))
        for measure in (claim.measure, statement.measure):  # what is made once is made
            spent(measure, groups[:1])
        seconds, answers = zip(
            *(spent(measure, groups) for measure in (claim.measure, statement.measure)),
            strict=True,
        )
        if sorted(answers[0]) != sorted(answers[1]):
            worst = max(
                abs(a - b) for a, b in zip(sorted(answers[0]), sorted(answers[1]), strict=True)
            )
            assert worst < 1e-9, f"{name}: the values differ by {worst}"
        total = [a + b for a, b in zip(total, seconds, strict=True)]
        print(f"{name:18} {seconds[0]:8.3f} {seconds[1]:9.3f} {seconds[1] / seconds[0]:6.2f}")
    print(f"{'all':18} {total[0]:8.3f} {total[1]:9.3f} {total[1] / total[0]:6.2f}")


if __name__ == "__main__":
    main()
