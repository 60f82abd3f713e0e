"""Fingerprints change with everything a result depends on, and with nothing else."""

import importlib.util
import linecache
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

import pytest

from tests.repository import ROOT
from verify.cases.flow_observables import LimitObservable
from verify.cases.hypotheses import Hypothesis, by_case
from verify.cases.pool import Pool
from verify.core import code_hashes
from verify.core.claim import Claim, Kind, Source
from verify.core.code_hashes import digest_of, functions_inside, versions
from verify.kinds.statistics.rate import Claimed, Rate
from verify.papers.registry import find
from verify.runs.fingerprint import claim_fingerprint, files_of

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
    "what is watched": {"observable": LimitObservable(planner, "excess")},
    "what else is watched": {"observable": LimitObservable(planner, "ratio")},
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
    "graphs/paths.py": "from graphs.network import V\n",
    "graphs/network.py": "V = 1\n",
    "graphs/families.py": "F = 1\n",
    "numerics/kernels.py": "K = 1\n",
    "verify/papers/registry.py": "import verify.papers.p.claims\nimport verify.papers.q\n",
    "verify/papers/q.py": "x = 1\n",
    "verify/checker/__init__.py": "from .statements import check\n",
    "verify/checker/statements.py": "from . import terms\ncheck = len\n",
    "verify/checker/terms.py": "T = 1\n",
    "verify/methods/pointwise.py": (
        "import verify.papers.registry\nimport numerics.kernels\nfrom verify.checker import check\n"
    ),
    "verify/methods/flow.py": "from numerics import kernels\n",
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
    monkeypatch.setattr(code_hashes, "ROOT", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget():
    linecache.checkcache()
    for known in ("source", "with_imports", "_from", "digest_of", "in_papers"):
        getattr(code_hashes, known).cache_clear()


def claim_of(house) -> Claim:
    spec = importlib.util.spec_from_file_location("claims", house / "verify/papers/p/claims.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return replace(BASE, measure=module.measure, pool=None, hypotheses=())


def fingerprints(house) -> tuple[str, ...]:
    """Of the claim, and what keys its tasks by two methods, as a new process would find them."""
    forget()
    claim = claim_of(house)
    methods = [code_hashes.module_file(f"verify.methods.{name}") for name in ("pointwise", "flow")]
    keyed = [digest_of(files_of(claim) | {method}) for method in methods]
    return claim_fingerprint(claim), *keyed


@pytest.mark.parametrize(
    ("changed", "differs"),
    [
        ("graphs/paths.py", (False, True, True)),
        ("graphs/network.py", (False, True, True)),
        ("graphs/families.py", (False, False, False)),
        ("numerics/kernels.py", (False, True, True)),
        ("verify/checker/terms.py", (False, True, False)),
        ("verify/methods/pointwise.py", (False, True, False)),
        ("verify/papers/registry.py", (False, True, False)),
        ("verify/papers/p/claims.py", (True, True, True)),
        ("verify/papers/p/near.py", (True, True, True)),
        ("verify/papers/p/far.py", (True, True, True)),
        ("verify/papers/p/unrelated.py", (False, False, False)),
        ("verify/papers/q.py", (False, False, False)),
    ],
)
def test_a_changed_file_shows_where_it_is_used(house, changed, differs):
    before = fingerprints(house)
    assert before == fingerprints(house)
    with (house / changed).open("a") as file:
        file.write("y = 2\n")
    after = fingerprints(house)
    assert tuple(a != b for a, b in zip(after, before, strict=True)) == differs


@pytest.mark.parametrize("changed", MODULES)
def test_comments_and_docstrings_show_nowhere(house, changed):
    """So a text that is edited in one paper runs nothing again, there or elsewhere."""
    before = fingerprints(house)
    text = MODULES[changed].replace("(scene):\n", "(scene):  # said\n    # more\n")
    (house / changed).write_text(f'"""What it is."""\n\n\n{text}\n# the end\n')
    assert fingerprints(house) == before


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x = 1  # one\n", "x = 1\n", True),
        ("x = '#1'  # one\n", "x = '#1'\n", True),
        ("x = '#1'\n", "x = '#2'\n", False),
        ("x = 'é'  # '#'\n", "x = 'é'\n", True),
        ("x = f'{1}#a'\n", "x = f'{1}#b'\n", False),
        ('x = """\n# a\n"""\n', 'x = """\n# b\n"""\n', False),
        ("def f():\n    '''A.\n\n    B.'''\n    return 1\n", "def f():\n    return 1\n", True),
        ("def f():\n    return 1\n", "def f():\n    return 2\n", False),
        ("if x:\n    y\nz\n", "if x:\n    y\n    z\n", False),
        ("if x:\n\n    y\n", "if x:\n    y\n", True),
        ("x = '''a\n\nb'''\n", "x = '''a\nb'''\n", False),
        ("x = '''a \nb'''\n", "x = '''a\nb'''\n", False),
        ("def f(a): ...\n", "def f(b): ...\n", False),
        ("def f(): 'A.'; return 1\n", "def f(): 'A.'; return 2\n", False),
        ("x = '\x0c'  # a\ny = 1\n", "x = '\x0c'\ny = 1\n", True),
        ("x = ('a'  # a\n     'b')\n", "x = ('a'\n     'c')\n", False),
    ],
)
def test_what_is_code(tmp_path, one, other, same):
    found = []
    for folder, text in (("a", one), ("b", other)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.py").write_text(text, encoding="utf-8")
        found.append(code_hashes.source(str(tmp_path / folder / "m.py")).line)
    assert (found[0] == found[1]) is same


def test_what_is_imported_for_types_alone_does_not_count(house):
    (house / "graphs/paths.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from graphs.families import F\n"
    )
    before = fingerprints(house)
    (house / "graphs/families.py").write_text("F = 2\n")
    assert fingerprints(house) == before


def test_a_renamed_file_shows(house):
    before = fingerprints(house)
    (house / "numerics/kernels.py").rename(house / "numerics/others.py")
    for method in ("pointwise", "flow"):
        file = house / f"verify/methods/{method}.py"
        file.write_text(file.read_text().replace("kernels", "others"))
    assert all(a != b for a, b in zip(fingerprints(house)[1:], before[1:], strict=True))


def test_imports_that_go_round_in_a_circle_come_to_an_end(house):
    (house / "verify/papers/p/far.py").write_text("import verify.papers.p.near\n")
    assert fingerprints(house) == fingerprints(house)


OWN_PACKAGE = {
    "mine/__init__.py": "from mine import claims\n",
    "mine/claims.py": "from .steps import step\nimport alike\nimport json\n",
    "mine/steps.py": "import mine.deeper.sums\nstep = len\n",
    "mine/deeper/__init__.py": "",
    "mine/deeper/sums.py": "x = 1\n",
    "mine/unrelated.py": "x = 1\n",
    "alike.py": "x = 1\n",
    "other.py": "x = 1\n",
}


@pytest.mark.parametrize(
    ("changed", "shows"),
    [
        ("mine/claims.py", True),
        ("mine/steps.py", True),
        ("mine/deeper/sums.py", True),
        ("alike.py", True),
        ("mine/unrelated.py", False),
        ("other.py", False),
    ],
)
def test_what_a_file_of_ones_own_imports_beside_it_counts(tmp_path, changed, shows):
    """So a step that a proof takes from another file of its package runs that proof again."""
    for name, text in OWN_PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    files = frozenset({str(tmp_path / "mine/claims.py")})
    forget()
    before = digest_of(files)
    (tmp_path / changed).write_text("y = 2\n")
    forget()
    assert (digest_of(files) != before) is shows


def test_predicates_of_other_modules_count():
    # the test that by_case returns stands in verify.cases.hypotheses, the predicate in it does not
    alike = replace(find("dkbhl20.def_chain.b"), pool=None)
    elsewhere = Hypothesis("tree", "$G$ is a tree", by_case(lambda case: True))
    files = code_hashes.with_imports(files_of(replace(alike, hypotheses=(elsewhere,))))
    assert str(ROOT / HERE) in files
    assert str(ROOT / "verify/papers/dkbhl20/chain.py") in files
    assert str(ROOT / "verify/papers/dkbhl20/sources.py") in files  # imported there


# versions --------------------------------------------------------------------------------------
def test_a_function_that_calls_itself_is_made_of_itself_once():
    def down(number):
        return down(number - 1) if number else 0

    def predicate(case):
        return down(2) == case

    assert functions_inside(predicate) == [predicate, down]


def test_versions_name_what_results_depend_on():
    found = versions()
    assert found["python"] == sys.version.split()[0]
    assert {"numpy", "torch", "sympy", "python-flint", "numba", "hypothesis"} <= set(found)
    assert all(isinstance(value, str) and value for value in found.values())


def test_a_package_that_is_not_there_is_absent(monkeypatch):
    monkeypatch.setattr(code_hashes, "PACKAGES", ("numpy", "no-such-package"))
    assert versions()["no-such-package"] == "absent"
    assert versions()["numpy"] != "absent"


def test_fingerprints_load_nothing_heavy():
    code = (
        "import sys; from verify.papers.registry import all_claims\n"
        "from verify.runs.fingerprint import *\n"
        "from verify.core.code_hashes import digest_of, versions\n"
        "claim = all_claims()[0]\n"
        "claim_fingerprint(claim), digest_of(files_of(claim)), versions()\n"
        "print(sorted({'torch', 'sympy', 'numba', 'sklearn'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
