"""Certificates that miss by a hair, each beside one that does not: a table by what is touched.

`NEAR` maps a name to a certificate that must be rejected and to what the checker says of it; `KEPT`
to certificates just on the other side, which are genuine: they show that the limit is where it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.verify import certificates as c
from tests.verify import norms
from tests.verify.certificate_edits import at, choosing, claiming, on, valued, weighing
from tests.verify.corruptions import DELETED, changed

V = c.STATED
CONTROLS = ("control.false", "control.planted", "control.planted, h on and off")
SPECTRUM = c.VALID["control.planted.dkbhl20"]
PLANTED = V["control.planted"]
TWO = on(PLANTED, c.network(["x1>h", "x2>h", "h>o"], weights=[1, 1, 1]))
BENT = on(PLANTED, c.network(c.CHAIN, {"h": "relu"}, weights=[1, 1]))
Table = dict[str, tuple[Any, str]]
HAIRS = [Fraction(1, 10**k) for k in (3, 12, 60, 400)]
KEPT: dict[str, c.Certificate] = {}


def sided(certificate: c.Certificate, left: Any, right: Any) -> c.Certificate:
    """The same with other sides."""
    return changed(certificate, "value", to={"left": str(left), "right": str(right)})


def shown(number: Fraction) -> str:
    """A number in a name."""
    power = len(str(number.denominator)) - 1
    return f"{number.numerator}e-{power}" if power < 20 else f"{float(number):g} (1e-{power})"


def values() -> Table:
    """A side is off by a hair, or by a sign, or is an interval where a number is known."""
    table: Table = {}
    for name in CONTROLS:
        sides = {side: Fraction(told) for side, told in V[name]["value"].items()}
        for side, exact in sides.items():
            where = f"{name}, {side}"
            for hair in HAIRS:
                for sign in (1, -1):
                    wrong = changed(V[name], "value", side, to=str(exact + sign * hair))
                    table[f"{where} off by {shown(sign * hair)}"] = wrong, ", not "
            wrong = changed(V[name], "value", side, to=str(3 * exact + 1))
            table[f"{where} trebled, and 1"] = wrong, ", not "
            table[f"{where}, an enclosure of a number that is known"] = (
                changed(V[name], "value", side, to=[str(exact - HAIRS[1]), str(exact - HAIRS[2])]),
                ", not ",
            )
            unreduced = f"{7 * exact.numerator}/{7 * exact.denominator}"
            KEPT[f"{where} not reduced"] = changed(V[name], "value", side, to=unreduced)
        table[f"{name}, sides exchanged"] = sided(V[name], sides["right"], sides["left"]), ", not "
    exact = Fraction(SPECTRUM["value"])
    for hair in HAIRS:
        for sign in (1, -1):
            wrong = valued(SPECTRUM, str(exact + sign * hair))
            table[f"a spectrum, value off by {shown(sign * hair)}"] = wrong, ", not "
    KEPT["a spectrum, value not reduced"] = valued(SPECTRUM, "-14/7")
    return table


def data() -> Table:
    """Norms just above 1, labels just beside 1, slopes just different at equal margins."""
    table: Table = {}
    not_met = "'data' is not met"
    for hair in HAIRS:
        size = shown(hair)
        over = str(1 + hair)
        table[f"norm above 1 by {size}"] = at(PLANTED, c.example(over)), not_met
        table[f"norm above 1 by {size}, in the second coordinate"] = (
            at(TWO, c.example("3/5", str(Fraction(4, 5) + hair))),
            not_met,
        )
        for label in (over, str(1 - hair), str(hair - 1), str(hair)):
            wrong = changed(PLANTED, "case", "examples", 0, "y", to=label)
            table[f"label {label[:40]}"] = wrong, not_met
        slopes = at(PLANTED, c.example(1), c.example(1, slope=over))
        table[f"slopes at equal margins differ by {size}"] = slopes, "different slopes"
    for label in ("0", "2", "-2", "1/2", "100"):
        wrong = changed(PLANTED, "case", "examples", 0, "y", to=label)
        table[f"label {label}"] = wrong, not_met
    # the margins are x, kappa is half the slope, and minus a velocity is the sum of kappa x
    for hair in HAIRS[:2]:
        x = 1 - hair
        speed = Fraction(1, 2) + Fraction(3, 2) * x
        KEPT[f"margins that differ by {shown(hair)}, two slopes"] = sided(
            at(PLANTED, c.example(1), c.example(str(x), slope=3)), -2 * speed, -4 * speed
        )
    # the velocities are -x
    for hair in HAIRS:
        x = 1 - hair
        there = at(PLANTED, c.example(str(x)))
        KEPT[f"norm below 1 by {shown(hair)}"] = sided(there, -2 * x, -4 * x)
    return table


def kinks() -> Table:
    """Pre-activations and weights that are 0, or nearly so."""
    table: Table = {}
    two = c.network(["x1>h", "x2>h", "h>o"], {"h": "relu"}, weights=[1, -1, 1])
    for hair in HAIRS:
        # h is on: velocities -1 and -hair, so 2 hair (-1) and 4 (-hair); or off: nothing moves
        there = weighing(BENT, str(hair), 1)
        KEPT[f"an in-weight of {shown(hair)}"] = sided(there, -2 * hair, -4 * hair)
        table[f"an in-weight of {shown(-hair)}"] = (
            sided(weighing(BENT, str(-hair), 1), 0, 0),
            "what the statement says is true",
        )
        # velocities -w for the in-edge and -1: -2 w and -4 w
        there = weighing(BENT, 1, str(hair))
        KEPT[f"an out-weight of {shown(hair)}"] = sided(there, -2 * hair, -4 * hair)
        # z = hair: velocities -1/2, hair - 1/2 and -hair, so -1 - 2 (hair - 1/2) and -4 hair
        near = c.example("1/2", str(Fraction(1, 2) - hair))
        KEPT[f"a kink by cancellation but for {shown(hair)}"] = sided(
            at(on(PLANTED, two), near), -2 * hair, -4 * hair
        )
    signs, kink = "'stable signs (Assumption 1)' is not met", "'differentiable' is not met"
    for zero in (0, "-0", "0/7"):
        table[f"an out-weight of {zero}"] = weighing(BENT, 1, zero), signs
        table[f"an in-weight of {zero}"] = weighing(PLANTED, zero, 1), signs
        table[f"an in-weight of {zero}, a kink"] = weighing(BENT, zero, 1), kink
    table["an example at the kink"] = at(BENT, c.example(1), c.example(0)), kink
    table["a kink by cancellation"] = at(on(PLANTED, two), c.example("1/2", "1/2")), kink
    behind = c.network(c.CHAIN, {"h": "relu", "o": "relu"}, weights=[-1, 1])
    table["a kink behind a vertex that is off"] = on(PLANTED, behind), kink
    for name in ("selection", "dormant", "direction", "sign_at_zero"):
        table[f"{name} is chosen"] = choosing(BENT, **{name: "sliding"}), ""
    return table


def places() -> Table:
    """Places that are none: inputs, outputs, other names, examples."""
    table: Table = {}
    for vertex in ("x", "o", "h ", "H", "\u04bb", "h\u200b", "", "h\x00"):
        table[f"balance at {vertex!r}"] = {**PLANTED, "at": [vertex]}, ""
    for j in (0, 2, 10**30, -1, True, "1"):
        wrong = {**V["control.false"], "at": [j]}
        table[f"example {j!r} of 1"] = wrong, ""
    table["not a place of this claim"] = {**V["control.false"], "at": ["h"]}, ""
    return table


def kinds_and_claims() -> Table:
    """What shows existence does not refute, and what refutes does not show existence."""
    table: Table = {}
    table["a spectrum as a witness"] = (
        changed(SPECTRUM, "kind", to="witness"),
        "speaks of all cases",
    )
    for kind in ("balance", "polynomial", "proof"):
        for name, valid in (("a spectrum", SPECTRUM), ("a balance", PLANTED)):
            table[f"{name} of the kind {kind}"] = changed(valid, "kind", to=kind), ""
    for name in CONTROLS[:2]:
        table[f"{name} as a witness"] = changed(V[name], "kind", to="witness"), ""
        for key in ("network", "identities", "examples", "without", "claims"):
            table[f"{name} with {key}"] = {**V[name], key: []}, ""
        for key in ("case", "at", "value", "statement", "kind", "version", "format"):
            table[f"{name} without {key}"] = changed(V[name], key, to=DELETED), ""
    for key in ("network", "identities", "examples", "without", "claims"):
        table[f"a spectrum with {key}"] = {**SPECTRUM, key: []}, "unknown key"
    for key in ("case", "entry", "value", "claim", "kind", "version", "format"):
        table[f"a spectrum without {key}"] = changed(SPECTRUM, key, to=DELETED), ""
    for claim in ("control.planted.j23", "control.planted.zlb22"):
        table[f"a spectrum for {claim}"] = claiming(SPECTRUM, claim), ""
    return table


def graphs() -> Table:
    """Cycles, loops, islands, and vertices that nothing reaches."""
    table: Table = {}
    island = [{"name": name, "activation": "linear"} for name in ("p", "q")]
    cycle = [{"tail": "p", "head": "q", "fixed": "1"}, {"tail": "q", "head": "p", "fixed": "1"}]
    for name in CONTROLS:
        net = V[name]["case"]["network"]
        vertices, edges = [*net["vertices"], *island], net["edges"]
        start, end = net["inputs"][0], "o"
        for what, more, reason in (
            ("a cycle apart", cycle, "cycle"),
            ("a cycle on the way", [*cycle, _fixed(start, "p"), _fixed("q", end)], "cycle"),
            ("a loop", [_fixed("p", "p"), _fixed(start, "p"), *cycle[:1]], "cycle"),
            ("out of nothing", [*cycle[:1], _fixed("q", end)], "no edge that ends there"),
            ("into nothing", [_fixed(start, "p"), *cycle[:1]], "'feedforward, one output'"),
            ("back into the input", [*cycle[:1], _fixed("q", start), _fixed(end, "p")], ""),
            ("beyond the output", [_fixed(end, "p"), *cycle[:1]], ""),
        ):
            wrong = {**net, "vertices": vertices, "edges": [*edges, *more]}
            table[f"{name}: {what}"] = changed(V[name], "case", "network", to=wrong), reason
    long = [f"c{k}" for k in range(300)]
    ring = [_fixed(a, b) for a, b in zip(long, [*long[1:], long[0]], strict=True)]
    net = PLANTED["case"]["network"]
    names = [{"name": name, "activation": "linear"} for name in long]
    wrong = {**net, "vertices": [*net["vertices"], *names], "edges": [*net["edges"], *ring]}
    table["a cycle of 300"] = changed(PLANTED, "case", "network", to=wrong), "cycle"
    return table


def _fixed(tail: str, head: str) -> dict[str, str]:
    return {"tail": tail, "head": head, "fixed": "1"}


def arrays() -> Table:
    """Enclosures that hold 0 or not the number; arrays of other shapes than the claim's."""
    table: Table = {}
    for value, reason in (
        (["-1", "0"], ""),
        (["0", "1"], "nothing is violated"),
        (["-1", "1"], "nothing is violated"),
        (["1", "-1"], "not in order"),
        (["-1"], "length 2"),
        (["-2", "-1", "0"], "length 2"),
        ([], "length 2"),
        ("0", "nothing is violated"),
        ("1", "nothing is violated"),
        ("-1", ", not "),
        (["-3", f"-{2 + HAIRS[2]}"], ", not "),
        ([str(-2 + HAIRS[2]), "-1"], ", not "),
    ):
        table[f"|M|^2 - |M|_F^2 = -2 is {value}"[:80]] = {**NORMS, "value": value}, reason
    for what, entries, reason in (
        ("ragged", [["1", "0"], ["0"]], "length"),
        ("empty", [], "empty"),
        ("an empty row", [[], []], "empty"),
        ("a row", ["1", "0"], "no JSON array"),
        ("a number", "1", "no JSON array"),
        ("three axes", [[["1"], ["0"]], [["0"], ["1"]]], "integer"),
        ("null inside", [["1", None], ["0", "1"]], "integer"),
        ("a Boolean inside", [["1", True], ["0", "1"]], "integer"),
        ("a float inside", [["1", 0.5], ["0", "1"]], "integer"),
        ("an object", {"0": ["1", "0"]}, "no JSON array"),
    ):
        wrong = changed(NORMS, "case", "arrays", "M", "entries", to=entries)
        table[f"M is {what}"] = wrong, reason
    for axes in (["columns", "rows"], ["rows"], [], ["rows", "columns", "depth"], "rows", None):
        wrong = changed(NORMS, "case", "arrays", "M", "axes", to=axes)
        table[f"axes {axes}"] = wrong, "the axes of"
    table["another array"] = (
        changed(NORMS, "case", "arrays", "N", to={"axes": [], "entries": "1"}),
        "unknown key",
    )
    table["the array under another name"] = (
        changed(NORMS, "case", "arrays", to={"m": NORMS["case"]["arrays"]["M"]}),
        "lacks 'M'",
    )
    KEPT["a wide enclosure"] = {**NORMS, "value": ["-1000", "-1/1000"]}
    KEPT["an enclosure that ends at the number"] = {**NORMS, "value": ["-2", "-1"]}
    return table


# |M|^2 - |M|_F^2 for M = diag(1, 1, 1): 1 - 3
NORMS = c.certificate(
    "counterexample",
    norms.FALSE,
    case={
        "format": "tensors",
        "arrays": {
            "M": {
                "axes": ["rows", "columns"],
                "entries": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
            }
        },
    },
    entry={},
    value="-2",
)
KEPT["norms"] = NORMS
TABLES = (
    values,
    data,
    kinks,
    places,
    kinds_and_claims,
    graphs,
    arrays,
)

NEAR: Table = {}
for table in TABLES:
    found = table()
    assert not found.keys() & NEAR.keys()
    NEAR |= found
