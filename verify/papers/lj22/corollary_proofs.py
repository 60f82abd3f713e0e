"""The argument that the weights diverge where each example is classified correctly at the start."""

from fractions import Fraction

from graphs.rings import ring_of
from verify.core.argument import Argument, Step
from verify.papers.lj22.block_proofs import nonnegative

LONGEST = 6  # layers for which Euler's identity is expanded
CHAIN = (
    "the chain rule along the flow: the sum of the losses never grows, so no margin falls below "
)
CHAIN += "the number m > 0 with l(m) = sum of the losses at the start"
EULER = "nu is a sum over paths of L weights each, with activations that no small change of scale "
EULER += "turns, so Euler's identity passes from products to nu, for every L"
COMPACT = (
    "while the norm of the weights is bounded the margins are in an interval [m, M], on which "
)
COMPACT += (
    "-l'(z) z has a positive minimum: the norm grows at a rate bounded below, a contradiction"
)


def norm_grows() -> Argument:
    """d/dt |w|^2 = (2 L / n) sum_j (-l'(m_j)) m_j, a sum of positive numbers."""
    steps = []
    for layers in range(1, LONGEST + 1):
        ring = ring_of(layers)
        weights = list(ring.generators)
        whole = ring.constant(Fraction(1))
        for w in weights:
            whole = whole * w
        total = ring.constant(Fraction(0))
        for k, w in enumerate(weights):
            others = ring.constant(Fraction(1))
            for i, v in enumerate(weights):
                others = others if i == k else others * v
            total = total + w * others
        text = f"the sum of w dp/dw over the {layers} weights of a path is {layers} p"
        steps.append(Step(text, ring.is_zero(total - whole * ring.constant(Fraction(layers)))))
    ring = ring_of(3)
    slope, least, more = ring.generators
    text = "-l'(m_j) m_j with -l' = s and m_j = m + r"
    steps.append(nonnegative(ring, text, slope * (least + more)))
    return Argument(
        "by Euler's identity the squared norm grows at (2 L / n) times a sum of products of -l' "
        "and a margin, all positive; so it is unbounded",
        tuple(steps),
        (CHAIN, EULER, COMPACT),
        uses=(
            "fully connected",
            "all weights learnable",
            "own parameters",
            "bias-free",
            "margins positive",
            "gradient flow",
        ),
        section="docs/mathematics/lj22.md#divergence",
    )
