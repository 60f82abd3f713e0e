"""Laws proved by normal forms: the rate of change with free slopes is the zero polynomial.

For small networks only. This looks at nothing but the network function: it confirms what
graphs.laws.mixing finds, and decides candidates that no symmetry of the vertices explains.
"""

from __future__ import annotations

import numpy as np

from graphs.laws.law import ONE, Term
from graphs.laws.plan import Plan
from graphs.laws.silence import PATHS
from graphs.paths import count_paths
from graphs.polynomials import Symbols
from graphs.rings import Polynomial


def small_enough(plan: Plan) -> bool:
    """Whether the polynomials of the network are small."""
    return bool(count_paths(plan.network).total <= PATHS)


def vanishes(plan: Plan, terms: tuple[Term, ...]) -> bool:
    """Whether dQ/dw . dnu_o/dw is the zero polynomial for every output o, on the plan's region.

    Slopes that are not known are symbols, so True proves that Q is conserved on every activation
    region; False refutes it where every choice of free slopes occurs.
    """
    network = plan.network
    known = {
        v: [slope]
        for v, slope in enumerate(plan.slopes)
        if slope is not None and v not in network.inputs and network.activations[v].kind != "linear"
    }
    symbols = Symbols.of(network, slopes=known, symbolic_scales=True)
    evaluation = symbols.evaluation
    weight = {p: symbols.edge_weights[k[0]] for p, k in enumerate(network.edges_of_parameter)}
    gradient_of_law: dict[int, Polynomial] = {}
    for e, f, c in terms:
        for p, other in ((f, e), (e, f)) if e != ONE else ((f, ONE),):
            part = symbols.convert(c) * (symbols.convert(1) if other == ONE else weight[other])
            gradient_of_law[p] = gradient_of_law.get(p, symbols.convert(0)) + part
    for output in network.outputs:
        back = evaluation.sensitivities(np.array([output]))
        total = symbols.convert(0)
        for p, part in gradient_of_law.items():
            for edge in network.edges_of_parameter[p]:
                tail, head = network.tails[edge], network.heads[edge]
                carried = evaluation.slopes[head, 0] * back[head, 0] * evaluation.scales[head, 0]
                total = total + part * evaluation.post[tail, 0] * carried
        if not symbols.is_zero(total):
            return False
    return True
