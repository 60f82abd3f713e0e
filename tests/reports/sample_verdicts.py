"""Claims of a run record written by hand: the verdicts that the other samples do not have."""

from __future__ import annotations

from typing import Any

from tests.reports.sample_parts import Record, claim, evidence

BOUND = r"$\|Jf_\theta(x)\|_{\mathrm{op}}\ge L$ for every $x$."
POSITIVE = ("H1", "depth", r"$L\ge1$")
NEEDED = {"hypothesis": "depth", "needed": True, "text": "an exact case", "case": None}


def verdicts() -> list[Record]:
    """One claim for each of them, of one paper."""
    grade = {
        "cases": 1000,
        "failed": 412,
        "low": 0.381,
        "high": 0.443,
        "scope": "rational weights",
        "corner_only": False,
        "near": None,
        "nature": "",
    }
    return [
        _claim(
            "thm1",
            "refuted by argument",
            "an exact order along a family",
            through="the order of a norm is that of its largest term "
            "(docs/mathematics/zlb22.md#norms-of-gaussian-products)",
            why=r"for $L=0$ the bound reads $0\le-1$",
            grade=grade,
            hypotheses=(POSITIVE,),
        ),
        _claim(
            "thm1.fix",
            "argued",
            "an argument by induction",
            statement=BOUND.replace("every $x$", "every $x$ of norm 1"),
            hypotheses=(POSITIVE, ("H2", "norm", r"$\|x\|=1$")),
            repairs="j23.thm1",
            trusted=("a theorem that is cited",),
        ),
        _claim("rate", "contradicted", "the slope is -0.5, and 0 is claimed"),
        _claim(
            "corner",
            "refuted",
            "an exact counterexample at weight 0",
            grade=grade | {"failed": 0, "corner_only": True},
        ),
        _claim("empty", "untested", "every entry is identically 0"),
        _claim("listed", "argued on scope", "for depth 2", scope="depth 2"),
        _claim(
            "cor2",
            "argued",
            "a sum over pairs",
            trusted=("Jensen's inequality",),
            rests_on={
                "trusted": [
                    "Jensen's inequality (docs/mathematics/zlb22.md#degrees-of-at-most-1)",
                ],
                "section": "docs/mathematics/lj22.md#rest",
                "cites": ["j23.listed"],
                "unproved": ["j23.rate"],
            },
            depends=["j23.listed"],
        ),
        _claim("known", "proved", "a replayed proof", from_baseline=True),
        _claim(
            "thm3",
            "supported",
            "no violation in 900 cases",
            hypotheses=(POSITIVE,),
            records=(evidence("necessity", "supports", "1 of 1 is needed.") | {"needs": [NEEDED]},),
            beside="proved on scope: depth 2",
            not_run=["flow"],
        ),
        _claim(
            "thm3.wide", "supported", "no violation either", role="variant", statement_id="j23.thm3"
        ),
    ]


def _claim(name: str, verdict: str, reason: str, statement: str = BOUND, **other: Any) -> Record:
    place = name.removesuffix(".fix").replace("thm", "Theorem ").replace("cor", "Corollary ")
    fields: dict[str, Any] = {"statement": statement, **other}
    return claim(
        f"j23.{name}",
        place,
        f"a bound on the Jacobian, {name}",
        "inequality",
        verdict,
        reason,
        **fields,
    )
