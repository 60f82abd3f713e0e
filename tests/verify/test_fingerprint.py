"""Fingerprints change with everything a result depends on, and with nothing else."""

import importlib.util
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest

from tests.repository import ROOT
from verify import code_hashes, fingerprint
from verify.claim import Claim, Kind, Source
from verify.code_hashes import engine_fingerprint, versions
from verify.fingerprint import claim_fingerprint
from verify.hypotheses import Hypothesis, by_case
from verify.pool import Pool
from verify.rate import Claimed, Rate
from verify.registry import find
from verify.watch import Watch

HERE = "tests/verify/test_fingerprint.py"


def measure(scene):
    return scene


def other_measure(scene):
    return scene


def experiment(setting):
    return setting


def samples(size, count, generator):
    return {"v": generator.random(count)}


RATE = Rate("N", ((1, 2, 3),) * 3, (2, 2, 2), samples, (Claimed("v", Fraction(0), None),), ())


def planner(random, large):
    return random


def adapt(case, random):
    return case


def measure_of(reading):
    def inner(scene):
        return (scene, reading)

    return inner


BIAS_FREE = Hypothesis(
    "bias-free", "no biases at all", by_case(lambda case: not case.network.has_bias, "network")
)
HOMOGENEOUS = Hypothesis("homogeneous", "", by_case(lambda case: case.network.homogeneous))
BASE = Claim(
    "a.b",
    Kind.IDENTITY,
    Source("a", "final", "Lemma 1"),
    "title",
    "$x=y$",
    (BIAS_FREE,),
    ("a.c",),
    measure=measure,
    pool=Pool(),
)

CHANGES = {
    "nothing": {},
    "id": {"id": "a.d"},
    "kind": {"kind": Kind.LAW},
    "statement": {"statement": "$x=z$"},
    "depends": {"depends": ()},
    "an experiment": {"experiment": experiment},
    "a rate": {"rate": RATE},
    "another range": {"rate": replace(RATE, claimed=(Claimed("v", Fraction(1), None),))},
    "another ladder": {"rate": replace(RATE, ladders=((1, 2, 4),) * 3)},
    "what is watched": {"watch": Watch(planner, "excess")},
    "what else is watched": {"watch": Watch(planner, "ratio")},
    "another function of the same file": {"measure": other_measure},
    "made with A": {"measure": measure_of("A")},
    "made with B": {"measure": measure_of("B")},
    "partial A": {"measure": partial(measure, "A")},
    "partial B": {"measure": partial(measure, "B")},
    "partial by name": {"measure": partial(measure, reading="A")},
    "another lambda": {"measure": lambda scene: scene},
    "one lambda": {
        "measure": lambda scene: scene,
    },
    "pool": {"pool": Pool(largest=3)},
    "no pool": {"pool": None},
    "adapted": {"pool": Pool(adapt=adapt)},
    "one hypothesis more": {"hypotheses": (BIAS_FREE, HOMOGENEOUS)},
    "no hypothesis": {"hypotheses": ()},
    "hypothesis in other words": {"hypotheses": (replace(BIAS_FREE, statement="no biases"),)},
    "hypothesis by another test": {
        "hypotheses": (replace(BIAS_FREE, test=by_case(lambda case: True)),)
    },
    "hypothesis repaired otherwise": {"hypotheses": (replace(BIAS_FREE, repair=adapt),)},
    "hypothesis broken so": {"hypotheses": (replace(BIAS_FREE, break_=adapt),)},
    "proof": {"proof": other_measure},
    "exact": {"exact_only": True},
    "trusted": {"trusted": ("a theorem",)},
}


def test_every_part_of_a_claim_shows():
    prints = {name: claim_fingerprint(replace(BASE, **change)) for name, change in CHANGES.items()}
    assert all(len(found) == 64 for found in prints.values())
    same = [(a, b) for a, b in combinations(prints, 2) if prints[a] == prints[b]]
    assert same == []


def test_the_same_claim_made_again_is_the_same():
    once = replace(BASE, measure=measure_of("A"), pool=Pool(adapt=adapt))
    again = replace(BASE, measure=measure_of("A"), pool=Pool(adapt=adapt))
    assert once.measure is not again.measure
    assert claim_fingerprint(once) == claim_fingerprint(again)


def test_what_is_only_shown_does_not_count():
    for change in (
        {"title": "other"},
        {"reading_text": "other"},
        {"source": find("lj22.risk").source},
    ):
        assert claim_fingerprint(replace(BASE, **change)) == claim_fingerprint(BASE)


# the files -------------------------------------------------------------------------------------
CLAIMS_FILE = """
def measure(scene):
    from verify.papers.p.near import f
    return f(scene)
"""
NEAR_FILE = "import verify.papers.p.far\nfrom graphs import paths\nf = len\n"
MODULES = {
    "graphs/network.py": "V = 1\n",
    "numerics/kernels.py": "K = 1\n",
    "verify/claim.py": "C = 1\n",
    "verify/papers/p/claims.py": CLAIMS_FILE,
    "verify/papers/p/near.py": NEAR_FILE,
    "verify/papers/p/far.py": "x = 1\n",
    "verify/papers/p/unrelated.py": "x = 1\n",
}


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small house with one paper, in the place of ours."""
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(fingerprint, "ROOT", tmp_path)
    return tmp_path


def claim_of(house) -> Claim:
    spec = importlib.util.spec_from_file_location("claims", house / "verify/papers/p/claims.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return replace(BASE, measure=module.measure)


def fingerprints(house) -> tuple[str, str]:
    """Of the claim and of the engine, as a new process would find them."""
    code_hashes._imported_papers.cache_clear()
    return claim_fingerprint(claim_of(house)), engine_fingerprint.__wrapped__()


@pytest.mark.parametrize(
    ("changed", "claim_differs", "engine_differs"),
    [
        ("graphs/network.py", False, True),
        ("numerics/kernels.py", False, True),
        ("verify/claim.py", False, True),
        ("verify/papers/p/claims.py", True, False),
        ("verify/papers/p/near.py", True, False),
        ("verify/papers/p/far.py", True, False),
        ("verify/papers/p/unrelated.py", False, False),
    ],
)
def test_a_changed_file_shows_where_it_is_used(house, changed, claim_differs, engine_differs):
    claim, engine = fingerprints(house)
    assert (claim, engine) == fingerprints(house)
    with (house / changed).open("a") as file:
        file.write("# changed\n")
    after = fingerprints(house)
    assert (after[0] != claim, after[1] != engine) == (claim_differs, engine_differs)


def test_a_new_or_renamed_file_of_the_engine_shows(house):
    seen = [engine_fingerprint.__wrapped__()]
    (house / "graphs/more.py").write_text("")
    seen.append(engine_fingerprint.__wrapped__())
    (house / "graphs/more.py").rename(house / "graphs/other.py")
    seen.append(engine_fingerprint.__wrapped__())
    assert len(set(seen)) == 3


def test_imports_that_go_round_in_a_circle_come_to_an_end(house):
    (house / "verify/papers/p/far.py").write_text("import verify.papers.p.near\n")
    assert fingerprints(house) == fingerprints(house)


def test_predicates_of_other_modules_count():
    # the test that by_case returns stands in verify.hypotheses, the predicate in it does not
    alike = replace(find("dkbhl20.def_chain.b"), pool=None)
    elsewhere = Hypothesis("tree", "$G$ is a tree", by_case(lambda case: True))
    here = replace(alike, hypotheses=(elsewhere,))
    files = code_hashes.with_imports(
        code_hashes.file_of(part)
        for function in fingerprint._functions(here).values()
        for part in code_hashes.parts_of(function)
        if not isinstance(part, str)
    )
    assert ROOT / HERE in files
    assert ROOT / "verify/papers/dkbhl20/chain.py" in files
    assert ROOT / "verify/papers/dkbhl20/sources.py" in files  # imported there


# versions --------------------------------------------------------------------------------------
def test_versions_name_what_results_depend_on():
    found = versions()
    assert found["python"] == sys.version.split()[0]
    assert {"numpy", "torch", "sympy", "python-flint", "numba", "hypothesis"} <= set(found)
    assert all(isinstance(value, str) and value for value in found.values())


def test_a_package_that_is_not_there_is_absent(monkeypatch):
    monkeypatch.setattr(fingerprint, "PACKAGES", ("numpy", "no-such-package"))
    assert versions()["no-such-package"] == "absent"
    assert versions()["numpy"] != "absent"


def test_fingerprints_load_nothing_heavy():
    code = (
        "import sys; from verify.registry import all_claims; from verify.fingerprint import *\n"
        "claim_fingerprint(all_claims()[0]), engine_fingerprint(), versions()\n"
        "print(sorted({'torch', 'sympy', 'numba', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
