"""What verdicts rest on; nothing that is argued for rests on what is not settled."""

from dataclasses import replace

from verify.core.evidence import Evidence, Outcome
from verify.core.foundations import foundations, settled
from verify.core.verdict import Verdict, decide
from verify.papers.registry import find

BASE = find("lj22.gflow")


def claims(**cites):
    """Claims by name, with an argument each that cites others, and cases that agree."""
    found = []
    for name, others in cites.items():
        argument = Evidence(
            "schema", Outcome.ARGUES, "an argument", rests_on=("a fact",), cites=tuple(others)
        )
        cases = Evidence("pointwise", Outcome.SUPPORTS, "cases", instances=9)
        found.append((replace(BASE, id=name), [argument, cases], None))
    return found


def verdicts(deciding, known=None):
    decisions, unproved = settled(deciding, known or {})
    return {name: one.verdict for name, one in decisions.items()}, unproved


def test_an_argument_stands_on_arguments():
    found, unproved = verdicts(claims(a="b", b="c", c=""))
    assert set(found.values()) == {Verdict.ARGUED}
    assert set(unproved.values()) == {()}


def test_what_falls_takes_along_all_that_rests_on_it():
    deciding = claims(a="b", b="c", c="", d="")
    claim, _, _ = deciding[2]
    deciding[2] = (claim, [Evidence("pointwise", Outcome.SUPPORTS, "cases", instances=9)], None)
    found, _ = verdicts(deciding)
    assert found == {
        "a": Verdict.SUPPORTED,
        "b": Verdict.SUPPORTED,
        "c": Verdict.SUPPORTED,
        "d": Verdict.ARGUED,
    }
    decisions, _ = settled(deciding, {})
    assert "rests on c (supported)" in decisions["b"].beside


def test_nothing_rests_on_itself():
    """Neither at once nor in a circle; what merely cites a circle falls with it."""
    found, _ = verdicts(claims(a="a", b="c", c="b", d="c", e=""))
    assert found == {**dict.fromkeys("abcd", Verdict.SUPPORTED), "e": Verdict.ARGUED}
    decisions, _ = settled(claims(a="b", b="a"), {})
    assert "rests on itself, through b" in decisions["a"].beside


def test_what_this_run_is_not_about_is_known_or_listed():
    found, unproved = verdicts(claims(a="z"))
    assert (found["a"], unproved["a"]) == (Verdict.ARGUED, ("z",))
    found, _ = verdicts(claims(a="z"), {"z": Verdict.REFUTED})
    assert found["a"] is Verdict.SUPPORTED
    found, unproved = verdicts(claims(a="z"), {"z": Verdict.PROVED})
    assert (found["a"], unproved["a"]) == (Verdict.ARGUED, ())


def test_a_verdict_names_what_it_rests_on():
    argued = Evidence(
        "schema",
        Outcome.ARGUES,
        "",
        rests_on=("a fact",),
        section="docs/mathematics/j23.md#theorem-6",
        cites=("lj22.risk",),
    )
    other = Evidence(
        "expanded",
        Outcome.ARGUES_ON_SCOPE,
        "",
        rests_on=("another",),
        section="docs/mathematics/engine.md#flows",
    )
    claim = replace(BASE, trusted=("cited",), through="a lemma")
    found = foundations(claim, decide(claim, [argued, other]), [argued, other], None, ())
    assert found.trusted == ("a lemma", "cited", "a fact")
    assert (found.section, found.cites) == ("docs/mathematics/j23.md#theorem-6", ("lj22.risk",))
    refuted = [Evidence("search", Outcome.REFUTES, "")]
    assert foundations(claim, decide(claim, refuted), refuted, None, ()).trusted == ("a lemma",)
    assert foundations(BASE, decide(BASE, refuted), refuted, None, ()).trusted == ()
