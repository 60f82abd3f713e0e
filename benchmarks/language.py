"""A statement in the language against the same in code, with the vectors of a scene.

Both are put before the same batches of cases, in rationals, on fresh scenes; the values must agree.
CPU seconds, and the ratio of language to code: below 1 the language is faster.

Run: python -m benchmarks.language [--cases N]
"""

from __future__ import annotations

import argparse
import time
from random import Random
from typing import Any

from graphs.rationals import RATIONALS
from tests.verify.language.test_as_before import BALANCE, by_code
from verify.language.statements import Statement
from verify.papers.registry import find
from verify.search.drawing import draw
from verify.search.mutants.draws import batches


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
    """Print the seconds of both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=400)
    count = parser.parse_args().cases
    claim, random, n = find("lj22.lemma2a"), Random(0), (1, 2, 3)
    cases = [
        draw(claim, random, n=n[k % len(n)], loss="prescribed", large=False) for k in range(count)
    ]
    groups = list(batches(cases))
    measures = (by_code, Statement("-", BALANCE).measure)
    for measure in measures:  # what is made once is made
        spent(measure, groups[:1])
    (code, before), (language, now) = (spent(measure, groups) for measure in measures)
    if [abs(a) for a in before] != [abs(a) for a in now]:
        raise SystemExit("the values differ")
    print(
        f"vertex balance of {count} cases, CPU s: code {code:.2f}, language {language:.2f}, ",
        end="",
    )
    print(f"ratio {language / code:.2f}")


if __name__ == "__main__":
    main()
