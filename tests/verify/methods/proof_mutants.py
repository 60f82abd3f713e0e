"""Slips in the measures of the claims of appendix C: (claim, slip, measure with the slip)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from verify.papers.lj22 import active_pair, chainrule, jagged, pathsums, ranks
from verify.papers.lj22.chainrule import each_tree
from verify.papers.lj22.pathsums import Printing
from verify.papers.lj22.subderivatives import each_pair_of_paths, swap
from verify.vocabulary import Entries, Scene

Measure = Callable[[Scene], Entries]


def shifted(measure: Measure) -> Measure:
    """Every entry is 1 too large."""

    def moved(scene: Scene) -> Entries:
        found = measure(scene)
        return replace(found, values=found.values + scene.arithmetic.array([1])[0], left=None)

    return moved


def other_sign(measure: Measure) -> Measure:
    """The right side with the other sign: left + right for left - right."""

    def turned(scene: Scene) -> Entries:
        found = measure(scene)
        return replace(found, values=found.left + found.left - found.values, left=None)

    return turned


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


def _pairs() -> list[tuple[str, str, Measure]]:
    mended = Printing("B", repaired=True)
    return [
        ("lj22.eq46-49.46@B", "the other sign", other_sign(jagged.in_side)),
        ("lj22.eq46-49.49@B", "the other sign", other_sign(jagged.out_side)),
        ("lj22.eq46-49.same.fix", "one side alone", other_sign(jagged.in_side)),
        (
            "lj22v1.eq40-43.40@A.fix",
            "the subgradient of the other half",
            lambda s: jagged.signed_in_side(s, mended, "start"),
        ),
        (
            "lj22v1.eq40-43.42@B.fix",
            "the subgradient of the other half",
            lambda s: jagged.signed_out_side(s, mended, "end"),
        ),
        (
            "lj22v1.rem-uv",
            "in-weights against out-weights",
            lambda s: s.per_vertex(s.into(s.weights * s.weights), s.out_of(s.weights * s.weights)),
        ),
        ("lj22.lemma4-65@B", "the other sign", other_sign(active_pair.in_side)),
        ("lj22.lemma4-67.67@B", "the other sign", other_sign(active_pair.out_side)),
        ("lj22.lemma4-65.rule", "off by one", shifted(active_pair.active_rule)),
        (
            "lj22.lemma4-67.compare@A",
            "a sign",
            lambda s: s.per_pair(
                -active_pair.much_larger(s).values, s.arithmetic.zeros(len(s.pairs))
            ),
        ),
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


def _smaller_bound(scene: Scene) -> Entries:
    return ranks.rank_slack(scene, 1)


RANKS = [("lj22.remark1.r2@A", "a smaller bound", _smaller_bound)]
PROOF_MUTANTS = [*_path_sums(), *_pairs(), *_trees(), *RANKS]
