"""Which statements of the two versions correspond, and what the final one changed.

Ledger ids. A statement of the final version may stand against several of the earlier one, and the
earlier version has some that the final one left out (no id on the right).
"""

from __future__ import annotations

from verify.core.ledger import Counterpart

MATRIX = (
    "the final version gives the rate of change, and speaks of neurons that are active on every "
    "example; the earlier one gives the integrated law, with no condition on the activations"
)
BEHIND = (
    "the final version supposes that the layers behind the arbitrary network are linear; the "
    "earlier one supposes nothing of their activations"
)
ITEMS = range(1, 8)

COUNTERPARTS = (
    Counterpart(
        "Pairs of neurons with equal neighbourhoods, (5)",
        ("lj22v1.lemma3b",),
        ("lj22.lemma2b",),
        "the final version adds that both neurons have the same activation pattern",
    ),
    Counterpart(
        "Path sums over jagged paths",
        ("lj22v1.eq40-43",),
        ("lj22.eq46-49",),
        "the earlier version carries signs of the weights through the sums, the final one does not",
    ),
    *(
        Counterpart(f"Theorem 1, item {k}", (f"lj22v1.thm1-{k}",), (f"lj22.thm1-{k}",), MATRIX)
        for k in ITEMS
    ),
    Counterpart("What is drawn from Theorem 1", ("lj22v1.sig1",), ("lj22.sig1",), MATRIX),
    Counterpart(
        "Layers against the in-edges of the output",
        ("lj22v1.eq8",),
        ("lj22.lemma3",),
        "the earlier version names the second layer, the final one takes any two",
    ),
    Counterpart(
        "Weight sharing",
        ("lj22v1.lemma8",),
        ("lj22.lemma9",),
        "the earlier version takes absolute values of the products and any neurons, the final one "
        "linear neurons",
    ),
    Counterpart(
        "Path sums in the proof of the invariance under weight sharing",
        ("lj22v1.lemma8.53", "lj22v1.lemma8.54"),
        ("lj22.lemma9-60",),
        "the earlier version takes absolute values, the final one does not",
    ),
    Counterpart(
        "Shuffling a residual block",
        ("lj22v1.lemma10",),
        ("lj22.lemma11",),
        "the final version supposes a linear block",
    ),
    *(
        Counterpart(f"Theorem 2, ({k})", (f"lj22v1.thm2-{k}",), (f"lj22.thm2-{k}",), BEHIND)
        for k in (13, 14, 15)
    ),
    Counterpart(
        "Corollary 1",
        ("lj22v1.cor1",),
        ("lj22.cor1",),
        "the earlier version speaks of all layers of a ReLU network, the final one of the last "
        "ones, which are linear",
    ),
    Counterpart(
        "Theorem 1, Theorem 2 and Corollary 1 with absolute values",
        ("lj22v1.abs",),
        (),
        "left out of the final version",
    ),
    Counterpart(
        "The chain rule along arcs", ("lj22v1.lemma1",), ("lj22.eq30",), "cited and used in both"
    ),
    Counterpart("(5) at u = v and (4)", ("lj22v1.rem-uv",), (), "a remark of the earlier proof"),
    Counterpart(
        "Gradient descent (appendix F)",
        tuple(
            f"lj22v1.gd{part}"
            for part in ("", *(f"-{k}" for k in (75, 76, 77, 79, 80, *range(82, 91))))
        ),
        (),
        "left out of the final version",
    ),
)
