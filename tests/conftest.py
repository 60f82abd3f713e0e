"""What every test shares: the profiles of Hypothesis, one thread a process, what is loaded once.

Both profiles are given in full, so that nothing depends on the defaults of the installed Hypothesis
(which change where the variable CI is set). `dev` is the one for daily work: new examples each
time, and failures are remembered. `ci` (`--hypothesis-profile=ci`, as in `make test`) draws the
same examples on every machine.
"""

import gc
import os

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.database import DirectoryBasedExampleDatabase

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"  # as in the workers of a run: the others would wait for one another
os.environ["XDG_STATE_HOME"] = os.devnull  # no secret: what a test finds, no other is served

SHARED = {
    "backend": "hypothesis",
    "max_examples": 60,
    "deadline": None,  # two shared cores say little about time
    "phases": tuple(Phase),
    "report_multiple_bugs": True,
    "stateful_step_count": 30,
    "suppress_health_check": (HealthCheck.too_slow,),  # time again: it fails on a busy machine
    "verbosity": Verbosity.normal,
}

settings.register_profile(
    "dev",
    **SHARED,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
    derandomize=False,
    print_blob=False,
)
settings.register_profile("ci", **SHARED, database=None, derandomize=True, print_blob=True)
settings.load_profile("dev")


def pytest_collection_finish() -> None:
    """What was loaded for the tests stays to the end: the collector of garbage need not go through
    it again and again, and looks as seldom as in a run (verify.runs.workers)."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
