"""Appendix F of the earlier version: gradient descent, one step and vertices, (72) to (80)."""

from dataclasses import replace
from functools import partial
from random import Random

from verify.cases.case import Case
from verify.cases.pool import Pool
from verify.cases.step_choices import choose_few_steps, choose_steps
from verify.core.claim import Claim, Kind
from verify.papers.lj22 import descent_terms as terms
from verify.papers.lj22.descent_proofs import balances_in_steps, one_step, telescoping
from verify.papers.lj22.path_terms import DERIVATIVE_OF_TREE
from verify.papers.lj22.quotients import BY_VALUES, ONE_POLYNOMIAL_LOSS, with_its_loss
from verify.papers.lj22.sources import earlier
from verify.statements.descent_hypotheses import NONZERO_STEPS, ONE_LOSS, SMOOTH_STEPS, STEPS
from verify.statements.network_hypotheses import (
    BIAS_FREE,
    DATA,
    FEEDFORWARD,
    HOMOGENEOUS,
    OWN_PARAMETERS,
)
from verify.statements.stated import stated

POOL = Pool(
    families=(
        "fully connected",
        "random DAG",
        "layered DAG",
        "tree",
        "dense",
        "residual",
        "dropped edges",
        "bottleneck",
    ),
    examples=(1, 2, 3),
    losses=("prescribed", "squared"),
    largest=4,
    adapt=choose_steps,
)


def _few_steps(case: Case, random: Random) -> Case:
    """One or two steps, and a polynomial loss with their slopes."""
    return with_its_loss(choose_few_steps(case, random), random)


FEW_STEPS = replace(
    POOL,
    families=("fully connected", "random DAG", "layered DAG", "tree"),
    losses=("prescribed",),
    largest=2,
    examples=(1,),
    adapt=_few_steps,
)
DESCENT = (STEPS, SMOOTH_STEPS, ONE_LOSS, FEEDFORWARD, HOMOGENEOUS, DATA)
PATHS = (NONZERO_STEPS, BIAS_FREE, OWN_PARAMETERS, *DESCENT)
COORDINATES = (STEPS, SMOOTH_STEPS, ONE_LOSS, FEEDFORWARD)

SCHEME = (
    r"With step sizes $\eta:\mathbb N\to\mathbb R_{\ge0}$ the weight trajectory solves "
    r"$$w(t+1)-w(t)=-\eta(t)d(w(t))\tag{72}$$ for some sequence of subgradient choices "
    r"$d(w(t))\in\partial\mathcal R(w(t))$. "
)
D_TERM = (
    r"$d_{j,p}(w)=\ell'(y_j\nu(x_j;w))\,y_j\,[\alpha]_p\,(x_j)_p\prod_{f\in p}|w_f|$ with "
    r"$\alpha\in\partial\mu'(h'(w))$, the absolute-valued decomposition of Lemma 5"
)
OUT_EDGES = r"the sum over $b$ runs over the edges that the summand names, $vb\in E$"
LEFT_IN = (
    r"\sum_{u\in\mathrm{IN}_v}w_{uv}(t+1)^2-w_{uv}(0)^2-\sum_{\tau=0}^t\eta(\tau)^2"
    r"[d(w(\tau))]_{uv}^2"
)
RIGHT_OUT = (
    r"\sum_{b\in\mathrm{IN}_v}w_{vb}(t+1)^2-w_{vb}(0)^2-\sum_{\tau=0}^t\eta(\tau)^2"
    r"[d(w(\tau))]_{vb}^2"
)
VERTEX_PATHS = (
    r"-2\sum_{\tau=0}^t\eta(\tau)\sum_{p\in\mathcal P|v\in p}\frac1n\sum_{j=1}^nd_{j,p}(w(\tau))"
)


def _one_step(number: str, left: str, right: str) -> Claim:
    return stated(
        f"lj22v1.gd-75.{number}",
        earlier(f"Appendix F, ({number})"),
        f"one step of gradient descent, ({number})",
        f"In each coordinate, $${left}={right}$$",
        terms.ONE_STEP[number],
        COORDINATES,
        depends=("lj22v1.gd",),
        pool=POOL,
        proof=partial(one_step, number),
    )


ONE_STEP = (
    _one_step("73", "w(t+1)w(t)-w(t)^2", r"-\eta(t)w(t)d(w(t))"),
    _one_step("74", "w(t+1)^2+w(t)^2-2w(t+1)w(t)", r"\eta(t)^2d(w(t))^2"),
    _one_step("75", r"w(t+1)^2-w(t)^2-\eta(t)^2d(w(t))^2", r"-2\eta(t)w(t)d(w(t))"),
)


CLAIMS = (
    stated(
        "lj22v1.gd",
        earlier("Appendix F, (72)"),
        "gradient descent",
        SCHEME + r"Judged: the $d$ computed at each step is the derivative of the risk, taken from "
        "values of the risk alone.",
        terms.SCHEME,
        (
            *(STEPS, SMOOTH_STEPS, ONE_LOSS, FEEDFORWARD, HOMOGENEOUS, DATA, NONZERO_STEPS),
            *(BIAS_FREE, OWN_PARAMETERS, ONE_POLYNOMIAL_LOSS),
        ),
        kind=Kind.DEFINITION,
        pool=FEW_STEPS,
        through=BY_VALUES,
        exact_only=True,
    ),
    *ONE_STEP,
    stated(
        "lj22v1.gd-76",
        earlier("Appendix F, (76)"),
        "telescoped squares",
        r"In each coordinate, $$w(t+1)^2-w(0)^2-\sum_{\tau=0}^t\eta(\tau)^2d(w(\tau))^2="
        r"-2\sum_{\tau=0}^t\eta(\tau)w(\tau)d(w(\tau))$$",
        terms.TELESCOPED,
        COORDINATES,
        depends=("lj22v1.gd-75.75",),
        pool=POOL,
        proof=telescoping,
    ),
    stated(
        "lj22v1.gd-77@B1",
        earlier("Appendix F, (77)"),
        "weight times subgradient as a path sum",
        r"For all $s\in\mathbb N$, $$w_e(s)[d(w(s))]_e=\sum_{p\in\mathcal P|e\in p}\frac1n"
        r"\sum_{j=1}^nd_{j,p}(w(s))$$ with $d_{j,p}$ of (35).",
        terms.BY_PATHS,
        PATHS,
        depends=("lj22v1.gd", "lj22.lemma1", "lj22.lemma5"),
        pool=POOL,
        through=DERIVATIVE_OF_TREE,
        reading="B1",
        reading_text=D_TERM,
    ),
    stated(
        "lj22v1.gd-79@B1",
        earlier("Appendix F, (78) = (79)"),
        "vertex-wise form, in-edges",
        rf"For a vertex $v$ all of whose edges are learnable, $${LEFT_IN}={VERTEX_PATHS}$$ (all "
        r"terms on the left under the sum over $u$).",
        terms.AT_VERTEX["79"],
        PATHS,
        depends=("lj22v1.gd-76", "lj22v1.gd-77@B1"),
        pool=POOL,
        through=DERIVATIVE_OF_TREE,
        reading="B1",
        reading_text=D_TERM,
    ),
    stated(
        "lj22v1.gd-80@BB1",
        earlier("Appendix F, (79) = (80)"),
        "vertex-wise form, second side",
        rf"For a vertex $v$ all of whose edges are learnable, $${VERTEX_PATHS}={RIGHT_OUT}$$",
        terms.AT_VERTEX["80"],
        PATHS,
        depends=("lj22v1.gd-76", "lj22v1.gd-77@B1"),
        pool=POOL,
        through=DERIVATIVE_OF_TREE,
        reading="BB1",
        reading_text=f"{OUT_EDGES}; {D_TERM}",
    ),
    stated(
        "lj22v1.gd-80.b@B",
        earlier("Appendix F, (78) = (80)"),
        "vertex-wise invariance with slack terms",
        rf"For a vertex $v$ all of whose edges are learnable, $${LEFT_IN}={RIGHT_OUT}$$ which "
        "recovers a vertex-wise invariance with some slack terms.",
        terms.AT_VERTEX["80.b"],
        (BIAS_FREE, *DESCENT),
        depends=("lj22v1.gd-79@B1", "lj22v1.gd-80@BB1"),
        pool=POOL,
        reading="B",
        reading_text=OUT_EDGES,
        proof=balances_in_steps,
    ),
)
