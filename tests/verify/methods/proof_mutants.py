"""Slips in the measures of the claims of appendix C: (claim, slip, measure with the slip)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from verify.papers.lj22 import chainrule, pathsums
from verify.papers.lj22.chainrule import each_tree
from verify.papers.lj22.subderivatives import each_pair_of_paths, swap
from verify.vocabulary import Entries, Scene

Measure = Callable[[Scene], Entries]


def shifted(measure: Measure) -> Measure:
    """Every entry is 1 too large."""

    def moved(scene: Scene) -> Entries:
        found = measure(scene)
        return replace(found, values=found.values + scene.arithmetic.array([1])[0], left=None)

    return moved


def by_name(module: Any) -> dict[str, Measure]:
    """The measures of a module's claims."""
    return {claim.id: claim.measure for claim in module.CLAIMS}


def _path_sums() -> list[tuple[str, str, Measure]]:
    """What is printed stands for what is repaired, and has the wrong sign."""
    printed = by_name(pathsums)
    return [
        (claim.id, "the printed sign", printed[str(claim.repairs)])
        for claim in pathsums.CLAIMS
        if claim.repairs and claim.terms is None
    ]


def _trees() -> list[tuple[str, str, Measure]]:
    def both(tree: Any, j: int, p: int, q: int) -> Any:
        return tree.corners[j][0][p] ** 2 + tree.corners[j][0][q] ** 2

    def added(tree: Any, j: int, p: int, q: int) -> Any:
        here, swapped = swap(tree, j, p, q)
        return tree.evaluate(here)[0] + tree.evaluate(swapped)[0]

    lemma8 = [
        (f"lj22.lemma8@{tree}B1.fix", "a sum of squares", each_pair_of_paths(both, absolute=a))
        for tree, a in (("A1", False), ("A2", True))
    ]
    return [
        *lemma8,
        (
            "lj22.eq32.a@A",
            "the predicate turned",
            shifted(each_tree(chainrule.inclusion, absolute=False)),
        ),
        ("lj22.lemma8-sym@BA2.fix", "a sum", each_pair_of_paths(added, absolute=True)),
    ]


PROOF_MUTANTS = [*_path_sums(), *_trees()]
