"""Certificates that miss by a hair, each beside one that does not: a table by what is touched.

`NEAR` maps a name to a certificate that must be rejected and to what the checker says of it; `KEPT`
to certificates just on the other side, which are genuine: they show that the limit is where it is.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.verify import certificates as c
from tests.verify.certificate_edits import at, choosing, claiming, on, tied, valued, weighing
from tests.verify.corruptions import DELETED, changed

V = c.VALID
Table = dict[str, tuple[Any, str]]
HAIRS = [Fraction(1, 10**k) for k in (3, 12, 60, 400)]
KEPT: dict[str, c.Certificate] = {}


def shown(number: Fraction) -> str:
    """A number in a name."""
    power = len(str(number.denominator)) - 1
    return f"{number.numerator}e-{power}" if power < 20 else f"{float(number):g} (1e-{power})"


def values() -> Table:
    """The value is off by a hair, or by a sign, or is an interval where a number is known."""
    table: Table = {}
    for name in ("control.false", "lemma3@A", "v1.eq8.b@A", "lemma4"):
        exact = Fraction(V[name]["value"])
        for hair in HAIRS:
            for sign in (1, -1):
                wrong = valued(V[name], str(exact + sign * hair))
                table[f"{name}, value off by {shown(sign * hair)}"] = wrong, ", not "
        table[f"{name}, reciprocal or double"] = (
            valued(V[name], str(1 / exact if abs(exact) != 1 else 2 * exact)),
            ", not ",
        )
        table[f"{name}, an enclosure of a number that is known"] = (
            {**V[name], "value": [str(exact - HAIRS[1]), str(exact + HAIRS[1])]},
            "",
        )
        table[f"{name}, 0"] = valued(V[name], 0), ""
        KEPT[f"{name}, value not reduced"] = valued(
            V[name], f"{7 * exact.numerator}/{7 * exact.denominator}"
        )
    return table


def data() -> Table:
    """Norms just above 1, labels just beside 1, slopes just different at equal margins."""
    table: Table = {}
    for hair in HAIRS:
        size = shown(hair)
        over = str(1 + hair)
        table[f"norm above 1 by {size}"] = at(V["v1.lemma3b"], c.example(over)), "squared norm"
        table[f"norm above 1 by {size}, in the second coordinate"] = (
            at(V["lemma3@A"], c.example("3/5", str(Fraction(4, 5) + hair))),
            "squared norm",
        )
        for label in (over, str(1 - hair), str(hair - 1), str(hair)):
            wrong = changed(V["v1.lemma3b"], "case", "examples", 0, "y", to=label)
            table[f"label {label[:40]}"] = wrong, "neither 1 nor -1"
        slopes = at(V["v1.lemma3b"], c.example(1), c.example(1, slope=over))
        table[f"slopes at equal margins differ by {size}"] = slopes, "another slope"
    for label in ("0", "2", "-2", "1/2", "100"):
        wrong = changed(V["v1.lemma3b"], "case", "examples", 0, "y", to=label)
        table[f"label {label}"] = wrong, "neither 1 nor -1"
    # the margins are x, kappa is half the slope, and D is the sum of 2 kappa x
    for hair in HAIRS[:2]:
        x = 1 - hair
        value = str(1 + 3 * x)
        KEPT[f"margins that differ by {shown(hair)}, two slopes"] = valued(
            at(V["v1.lemma3b"], c.example(1), c.example(str(x), slope=3)), value
        )
    # D = 2 x
    for hair in HAIRS:
        x = 1 - hair
        KEPT[f"norm below 1 by {shown(hair)}"] = valued(
            at(V["v1.lemma3b"], c.example(str(x))), str(2 * x)
        )
    return table


def kinks() -> Table:
    """Pre-activations that are 0 where they must not be, or nearly 0 where they must be."""
    table: Table = {}
    dormant, planted = V["lemma2b@A dormant"], V["v1.lemma3b"]
    for hair in HAIRS:
        for sign in (1, -1):
            awake = weighing(dormant, str(sign * hair), 1, 2, 3)
            table[f"asleep with in-weight {shown(sign * hair)}"] = awake, "is not 0"
        table[f"asleep by a direction of {shown(hair)}"] = (
            choosing(dormant, direction={"w[x->u]": str(hair)}),
            "does not switch",
        )
        KEPT[f"asleep by a direction of {shown(-hair)}"] = choosing(
            dormant, direction={"w[x->u]": str(-hair)}
        )
        # D is w_uo post_v = 2 whatever w_vo, as long as it is not 0
        KEPT[f"a weight of {shown(hair)}"] = weighing(dormant, 0, 1, 2, str(hair))
    table["a weight of 0"] = weighing(dormant, 0, 1, 2, 0), "need not keep its sign"
    table["a weight of -0"] = weighing(dormant, 0, 1, 2, "-0"), "need not keep its sign"
    table["a weight of 0/7"] = weighing(dormant, 0, 1, 2, "0/7"), "need not keep its sign"
    table["an example at the kink"] = at(planted, c.example(1), c.example(0)), "at a kink"
    cancelling = c.network(
        ["x1>u", "x2>u", "x1>v", "x2>v", "u>o", "v>o"], c.RELU_PAIR, weights=[1, -1, 1, 1, 1, 1]
    )
    table["a kink by cancellation"] = (
        at(on(planted, cancelling), c.example("1/2", "1/2")),
        "at a kink",
    )
    behind = c.network(["x>h", "h>o"], {"h": "relu", "o": "relu"}, weights=[-1, 1])
    table["a kink behind a vertex that is off"] = (
        at(on(claiming(V["v1.lemma3b"], "lj22.gflow.fix"), behind), c.example(1))
        | {"entry": {"edge": ["x", "h"]}},
        "at a kink",
    )
    table["both asleep, one listed"] = weighing(dormant, 0, 0, 2, 3), "at a kink"
    table["asleep twice in one example list"] = (
        at(dormant, c.example(1), c.example("-1/1000000")),
        "does not switch",
    )
    sliding = {"selection": "sliding"}
    table["sliding where nothing is at a kink"] = (
        changed(planted, "case", "choice", to=sliding),
        "0 vertices are at kinks",
    )
    table["sliding and dormant"] = choosing(dormant, selection="sliding"), "belong together"
    table["sliding along two kinks"] = (
        changed(weighing(planted, 0, 0, 1, 1), "case", "choice", to=sliding),
        "2 vertices are at kinks",
    )
    return table


def places() -> Table:
    """Entries that are none: inputs, outputs, pairs with other neighbours, edge sets, paths."""
    table: Table = {}
    two_layers = c.network(["x>g", "g>h", "h>o"], {"g": "relu"}, weights=[1, 1, 1])
    inner = c.balance("lj22.lemma2a", c.network(["x>g", "g>h", "h>o"]), ({"vertex": "h"}, {"h": 1}))
    for vertex, reason in (
        ("x", "no inner vertex"),
        ("o", "no inner vertex"),
        ("g ", "not there"),
        ("G", "not there"),
        ("\u0261", "not there"),
        ("h\u200b", "not there"),
        ("", "not there"),
        ("g\x00", "not there"),
    ):
        wrong = changed(inner, "identities", 0, "entry", to={"vertex": vertex})
        table[f"balance at {vertex!r}"] = wrong, reason
    table["balance at another vertex than the potential"] = (
        changed(inner, "identities", 0, "entry", to={"vertex": "g"}),
        "the potential grows by",
    )
    skip = c.network([*c.FORK, "x>o"], c.RELU_PAIR, weights=[1, -1, 1, 1, 1])
    for pair, reason in (
        (["u", "u"], "twice"),
        (["u", "o"], "no inner vertex"),
        (["x", "u"], "no inner vertex"),
        (["u"], "length 2"),
        (["u", "v", "u"], "length 2"),
        ({"u": "v"}, "no JSON array"),
        ("uv", "no JSON array"),
        ([["u"], "v"], "no text"),
        ([0, 1], "no text"),
    ):
        wrong = on(V["v1.lemma3b"], skip) | {"entry": {"pair": pair}}
        table[f"pair {pair}"] = wrong, reason
    chain = c.network(["x>u", "u>v", "v>o"], c.RELU_PAIR, weights=[1, -1, 1])
    table["a pair on one path"] = on(V["v1.lemma3b"], chain), "different in-vertices"
    more = c.network([*c.FORK, "u>z", "z>o"], c.RELU_PAIR, weights=[1, -1, 1, 1, 1, 1])
    table["a pair with one out-edge more"] = on(V["v1.lemma3b"], more), "different out-vertices"
    wide = c.network(["x>g", "g>h", "h>o", "x>h"])
    crossing = c.balance("lj22.lemma3@B", wide, (c.layers(["x>g"], ["h>o"]), {"g": 1, "h": 1}))
    table["a cut that misses a path"] = crossing, "not a layer"
    for first, reason in (
        (["x>g", "x>g"], "twice"),
        (["x>g", "g>h"], "not a layer"),
        ([], "not a layer"),
        (["g>x"], "no such edge"),
        (["x>h"], "not a layer"),
        (["x>g", "x>h", "h>o"], "not a layer"),
    ):
        wrong = c.balance("lj22.lemma3@B", wide, (c.layers(first, ["h>o"]), {"g": 1, "h": 1}))
        table[f"layer {first}"] = wrong, reason
    for j in (1, 2, 10**30, -1):
        wrong = changed(V["control.false"], "entry", to={"example": j})
        table[f"example {j} of 1"] = wrong, "" if j > 10**9 else "there is no example"
    table["last layer of another output"] = (
        claiming(V["balance lemma3@B"], "lj22v1.eq8.b@B")
        | {"identities": [{"entry": c.layers(["h>o"], ["x>g"]), "potential": {"g": -1, "h": -1}}]},
        "not the in-edges of o",
    )
    table["not an entry of this claim"] = (
        on(V["v1.lemma3b"], two_layers) | {"entry": {"vertex": "h"}},
        "lacks 'pair'",
    )
    return table


def balances() -> Table:
    """Potentials that are off on one edge, at one end, or by a hair; identities that fail."""
    table: Table = {}
    two = V["balance lemma2a two"]
    layered = V["balance lemma3@B"]
    for hair in [*HAIRS, Fraction(1), Fraction(-1), Fraction(1, 2)]:
        for name in ("u", "v"):
            wrong = changed(two, "identities", 0, "potential", name, to=str(hair))
            if (name, hair) != ("u", Fraction(1)):
                table[f"potential of {name} is {shown(hair)}"] = wrong, "the potential grows by"
        for name in ("x", "o"):
            wrong = changed(two, "identities", 0, "potential", name, to=str(hair))
            table[f"potential of {name} is {shown(hair)}"] = wrong, f"of {name!r} is not 0"
        wrong = changed(layered, "identities", 0, "potential", "h", to=str(1 + hair))
        table[f"potential beyond a layer is {shown(1 + hair)}"] = wrong, "the potential grows"
    table["a potential for all edges but one"] = (
        changed(layered, "identities", 0, "potential", to={"g": 1}),
        "on the edge",
    )
    table["the second identity fails"] = (
        changed(two, "identities", 1, "potential", to={}),
        "identity 1: on the edge",
    )
    table["the last of many fails"] = (
        {
            **two,
            "identities": [*two["identities"] * 50, {"entry": {"vertex": "u"}, "potential": {}}],
        },
        "identity 100: ",
    )
    table["no identity"] = {**two, "identities": []}, "no identities"
    for claim in ("lj22.lemma2b@A", "lj22.gflow.fix", "j23.schatten@A"):
        table[f"a balance for {claim}"] = claiming(two, claim), "a balance shows nothing"
    table["the planted law"] = claiming(two, "control.planted.lj22"), "the potential grows by"
    table["the planted law, its potential"] = (
        claiming(changed(two, "identities", 0, "potential", to={"u": 2}), "control.planted.lj22"),
        "the potential grows by",
    )
    table["one parameter on both sides"] = (
        tied(V["balance lemma2a"], "w[x->h]", "w[h->o]"),
        "shares its parameter",
    )
    return table


def polynomials() -> Table:
    """Entries that vanish in one activation region and not as polynomials."""
    table: Table = {}
    pair = V["polynomial lemma2b@A"]
    for name, kinds, reason in (
        ("one relu, one linear, no patterns", {"u": "relu"}, "not the zero polynomial"),
        ("two relu, no patterns", c.RELU_PAIR, "not the zero polynomial"),
        ("relu and abs, no patterns", {"u": "relu", "v": "abs"}, "not the zero polynomial"),
    ):
        wrong = c.polynomial("lj22v1.lemma3b", c.network(c.FORK, kinds), c.PAIR)
        table[name] = wrong, reason
    for claim, entry in (("lj22.eq31", c.ON_EDGE),):
        wrong = c.polynomial(claim, c.network(c.TRIANGLE), entry)
        table[f"polynomial of {claim}"] = wrong, "not the zero polynomial"
    for count, reason in ((0, "no examples"), (-1, "no examples"), (True, "no integer")):
        table[f"{count} examples"] = changed(pair, "examples", to=count), reason
    for count in ("2", 2.0, None, [2], "two"):
        table[f"examples {count!r}"] = changed(pair, "examples", to=count), "no integer"
    return table


def kinds_and_claims() -> Table:
    """What shows existence does not refute, and what refutes does not show existence."""
    table: Table = {}
    for name in ("control.false", "lemma3@A", "v1.lemma3b"):
        table[f"{name} as a witness"] = (
            changed(V[name], "kind", to="witness"),
            "speaks of all cases",
        )
    table["a witness as a counterexample"] = (
        changed(V["lemma4"], "kind", to="counterexample"),
        "no case refutes a claim that some case exists",
    )
    for name in ("control.false", "lemma3@A"):
        for key in ("network", "identities", "examples", "without", "claims"):
            table[f"{name} with {key}"] = {**V[name], key: []}, "unknown key"
        for key in ("case", "entry", "value", "claim", "kind", "version", "format"):
            table[f"{name} without {key}"] = changed(V[name], key, to=DELETED), ""
    for claim in ("j23.schatten@A", "lj22.claim1@A"):
        table[f"a network for {claim}"] = claiming(V["lemma3@A"], claim), "the case lacks"
    return table


def graphs() -> Table:
    """Cycles, loops, islands, and vertices that nothing reaches, in every kind of certificate."""
    table: Table = {}
    island = [{"name": name, "activation": "linear"} for name in ("p", "q")]
    cycle = [{"tail": "p", "head": "q", "fixed": "1"}, {"tail": "q", "head": "p", "fixed": "1"}]
    for name in ("lemma3@A", "balance lemma2a", "polynomial lemma2b@A", "v1.lemma3b"):
        where = ("case", "network") if "case" in V[name] else ("network",)
        net = V[name]["case"]["network"] if "case" in V[name] else V[name]["network"]
        vertices, edges = [*net["vertices"], *island], net["edges"]
        start, end = net["inputs"][0], "o"
        for what, more, reason in (
            ("a cycle apart", cycle, "cycle"),
            ("a cycle on the way", [*cycle, _fixed(start, "p"), _fixed("q", end)], "cycle"),
            ("a loop", [_fixed("p", "p"), _fixed(start, "p"), *cycle[:1]], "cycle"),
            ("out of nothing", [*cycle[:1], _fixed("q", end)], "has no in-edge"),
            ("into nothing", [_fixed(start, "p"), *cycle[:1]], "is a sink"),
            ("back into the input", [*cycle[:1], _fixed("q", start), _fixed(end, "p")], ""),
            ("beyond the output", [_fixed(end, "p"), *cycle[:1]], ""),
        ):
            wrong = {**net, "vertices": vertices, "edges": [*edges, *more]}
            table[f"{name}: {what}"] = changed(V[name], *where, to=wrong), reason
    long = [f"c{k}" for k in range(300)]
    ring = [_fixed(a, b) for a, b in zip(long, [*long[1:], long[0]], strict=True)]
    net = V["lemma3@A"]["case"]["network"]
    names = [{"name": name, "activation": "linear"} for name in long]
    wrong = {**net, "vertices": [*net["vertices"], *names], "edges": [*net["edges"], *ring]}
    table["a cycle of 300"] = changed(V["lemma3@A"], "case", "network", to=wrong), "cycle"
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


def general_networks() -> Table:
    """Orders, laws and sizes of networks on graphs: of less than nothing, or just no violation."""
    table: Table = {}
    laws, sizes, numbers = "zlb22.lemK.8", "zlb22.def2.7.fcn.deep@B", "zlb22.remReLU@B"
    for more in (-1, -2, -(10**6)):
        units = {"t": 1, "chance": 0, "scale": 1, "sizes": ["1"], "row": 0, "more": more}
        table[f"a series with {more} rows more"] = (
            tensors(laws, {**units, "own": 0, "size": 1}, ["-1000000", "-1/100"]),
            "fewer rows and columns",
        )
    KEPT["three layers before the output, the last one smaller"] = tensors(
        sizes, {"n": ["1", "3", "2", "1"]}, "-1/6"
    )
    for n in (["1", "2", "3", "1"], ["1", "2", "2", "1"]):
        table[f"sizes {n}"] = tensors(sizes, {"n": n}, "-1/6"), "the residual is 0"
    for n in (["1", "9", "3", "1"], ["1", "0", "1"], ["1", "5/2", "3/2", "1"], ["1"]):
        table[f"sizes {n}"] = tensors(sizes, {"n": n}, "-1/6"), ""
        made = tensors(sizes, {"n": n}, "-1/6")
        table[f"sizes {n}, of empty layers"] = (
            {**made, "kind": "necessity", "without": "layers of at least one neuron"},
            "",
        )
    # a move of m^(1 - s) neurons by m^(-s) stays in the ball from s = 1/3 on, and shows 2 s - 1 < 0
    KEPT["a move that just stays in the ball"] = tensors(numbers, {"s": "1/3"}, "-1/3")
    for hair in HAIRS:
        s = Fraction(1, 3) - hair
        table[f"a move that leaves the ball by {shown(hair)}"] = (
            tensors(numbers, {"s": str(s)}, str(2 * s - 1)),
            "the move leaves the ball",
        )
        s = Fraction(1, 2) + hair
        table[f"a move of {shown(hair)} above 1/2"] = (
            tensors(numbers, {"s": str(s)}, str(2 * s - 1)),
            "nothing is violated",
        )
        s = Fraction(1, 2) - hair
        KEPT[f"a move of {shown(hair)} below 1/2"] = tensors(numbers, {"s": str(s)}, str(2 * s - 1))
    return table


def tensors(claim: str, numbers: dict[str, Any], value: Any) -> c.Certificate:
    """A counterexample of numbers and rows of numbers, the integers among them by name."""
    axes = {"sizes": ["n"], "n": ["layers"]}
    whole = {"own", "size", "row", "more"}
    arrays = {
        name: {"axes": axes.get(name, []), "entries": number}
        | ({"integer": True} if name in whole else {})
        for name, number in numbers.items()
    }
    case = {"format": "tensors", "arrays": arrays}
    return c.certificate("counterexample", claim, case=case, entry={}, value=value)


# |M|^2 - |M|_F^2 for M = diag(1, 1, 1): 1 - 3
NORMS = c.certificate(
    "counterexample",
    "control.inequality.false",
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
    balances,
    polynomials,
    kinds_and_claims,
    graphs,
    arrays,
    general_networks,
)

NEAR: Table = {}
for table in TABLES:
    found = table()
    assert not found.keys() & NEAR.keys()
    NEAR |= found
