"""Claims of a run record written by hand: how a network is made of its paths.

The statements are those of a paper; the exact values of the counterexamples were computed by hand.
"""

from __future__ import annotations

from tests.reports.sample_parts import (
    HOMOGENEOUS,
    REPLAYED,
    Record,
    chain,
    claim,
    counterexample,
    evidence,
    example,
    residual_block,
)

PATH_SUM = r"\sum_{p\in\mathcal P}Z_p(x;w)\prod_{e\in p}w_e"


def decomposition() -> list[Record]:
    """Of the network into paths."""
    sign = ("H1", "labels", r"$y_i\in\{-1,1\}$")
    relu = ("H1", "ReLU or linear", "every activation is ReLU or linear")
    no_kink = ("H2", "differentiable", r"$\nu$ and the $Z_p$ are differentiable at $w$")
    return [
        claim(
            "lj22.def1",
            "Definition 1",
            "feedforward network",
            "definition",
            "definition",
            "Definitions are not judged; other claims use this one.",
            statement="A network $\\nu$ with graph $G$ is a feedforward network if $G$ is a "
            "directed acyclic graph.",
        ),
        claim(
            "lj22.risk",
            "Section 2, unnumbered display",
            "two expressions of the empirical risk",
            "identity",
            "refuted",
            "A ReLU chain with one example of label −1 tells the two expressions apart.",
            statement=r"$\displaystyle\mathcal R(w)=\frac1n\sum_{i=1}^n\ell(y_i\nu(x_i))"
            r"=\frac1n\sum_{i=1}^n\ell(\nu(y_ix_i)).$",
            hypotheses=(sign, ("H2", "homogeneity", r"every $\sigma_v$ is positively homogeneous")),
            records=(
                evidence("trials", "refutes", "Most networks with a label −1 violate it.", n=4000),
                evidence(*REPLAYED, residual="-1"),
            ),
            scope="as printed",
            worst="−1",
            cert=counterexample("lj22.risk", chain("1", "1"), [example(["1"], "-1", "0")], [1]),
        ),
        claim(
            "lj22.eq1.a",
            "equation (1), first part",
            "sum over paths with 0–1 activations",
            "identity",
            "refuted",
            "The displayed sum leaves out the input coordinate of each path.",
            statement=rf"$\displaystyle\nu(x;w)={PATH_SUM},$ where $Z_p(x;w)=1$ iff all ReLUs on "
            r"path $p$ are active and $0$ otherwise.",
            hypotheses=(relu,),
            records=(evidence(*REPLAYED, residual="1/10"),),
            scope="as printed",
            worst="1/10",
            cert=counterexample(
                "lj22.eq1.a",
                residual_block(),
                [example(["3/5", "4/5"])],
                [1],
            ),
        ),
        claim(
            "lj22.eq1.b",
            "equation (1), second part",
            "inner product with $h(x;w)$",
            "identity",
            "proved on scope",
            "The residual is the zero polynomial on every activation region of the graphs listed.",
            statement=r"$\nu(x;w)=\big\langle(Z_p(x;w))_{p\in\mathcal P},\,h(x;w)"
            r"\big\rangle_{\mathbb R^\rho}$.",
            hypotheses=(relu,),
            records=(evidence("expanded", "proves on scope", "Normal forms agree.", regions=312),),
            scope="all DAGs with at most 3 hidden vertices",
            depends=["lj22.def4"],
        ),
        claim(
            "lj22.eq3",
            "equation (3)",
            "partial derivative through $Z_p$",
            "identity",
            "refuted",
            "The sum leaves out the factor $x_p$.",
            statement=r"where the derivative exists and in the limit where weight signs are "
            r"constant, $\displaystyle\frac{\partial\nu}{\partial w_e}=\sum_{p\in\mathcal P\,|\,"
            r"e\in p}\Big(w_e\,\frac{\partial Z_p(x;w)}{\partial w_e}+Z_p(x;w)\Big)"
            r"\prod_{f\in p,f\ne e}w_f.$",
            hypotheses=(relu, no_kink, ("H3", "no zero weight", r"$w_e\ne0$ for all $e\in E$")),
            records=(evidence(*REPLAYED, residual="-3/2"),),
            scope="as printed",
            worst="−3/2",
            depends=["lj22.eq1.a"],
            cert=counterexample(
                "lj22.eq3",
                chain("2", "3"),
                [example(["1/2"])],
                [0, 1],
            ),
        ),
        claim(
            "lj22.lemma1",
            "Lemma 1",
            r"decomposition $\nu=\mu\circ h$",
            "existence",
            "supported",
            "No violation in 20,000 random networks.",
            statement=r"Let $\nu:\mathbb R^d\to\mathbb R$ be a feedforward network with $\rho$ "
            r"distinct maximal paths. Then there exists a tree network $\mu:\mathbb R^\rho\to"
            r"\mathbb R$ such that $\nu=\mu\circ h$; all weights in $\mu$ are either $-1$ or $+1$.",
            hypotheses=(HOMOGENEOUS,),
            records=(
                evidence(
                    "trials",
                    "supports",
                    "Every residual lies within its rounding bound.",
                    instances=20000,
                    worst_residual="3.1e-16",
                    violation_rate="at most 1.5e-4 (95 %)",
                ),
            ),
            scope="random DAGs with at most 2,000 paths; linear, ReLU, leaky ReLU",
            worst="3.1e−16",
            trusted=("IEEE 754 rounding of the platform's multiply and add",),
        ),
        claim(
            "lj22.eq16@A",
            "(16)",
            "pre- and post-activation in the appendix",
            "identity",
            "refuted",
            "The sum as displayed multiplies by the vertex's own post-activation.",
            statement=r"$(G[\mathrm{PRE}](v))(x)=x_j$ if $v\equiv i_j^G$ for some $j\in[d]$, and "
            r"$\sum_{u\in\mathrm{IN}_v}\mathrm{POST}_v(x)\,w_{uv}$ otherwise.",
            reading_text="the sum as displayed in (16)",
            records=(evidence(*REPLAYED, residual="-6"),),
            scope="as printed",
            worst="−6",
            cert=counterexample(
                "lj22.eq16@A",
                chain("2", "3"),
                [example(["1/2"])],
                [1, "o", 1],
            ),
        ),
        claim(
            "lj22.lemma5-iter@A2B2",
            "proof of Lemma 5",
            "invariants of the iteration",
            "identity",
            "vacuous",
            "No network meets the hypotheses: in this reading the edges carry no weight.",
            statement=r"$M_G[w](\pi_kq)=\mathrm{sgn}(G[w](e_{\pi_k}))$ for all $k\le j$.",
            reading_text="paths as sets of vertices, edges by the proof of Lemma 6",
            hypotheses=(("H1", "tree", "$T_G$ is a tree"),),
        ),
        claim(
            "lj22.hg",
            "Appendix B, notation",
            "paths from all vertices",
            "identity",
            "open",
            "The budget ended after 1,200 of 4,096 graphs; --budget full would settle it.",
            statement=r"if $G$ has more than 2 vertices then $\mathcal H_G\supset\mathcal P_G$.",
            records=(evidence("expanded", "inconclusive", "Enumeration unfinished.", n=1200),),
            scope="1,200 graphs with at most 5 vertices",
        ),
    ]
