"""What every test shares: the profiles of Hypothesis.

Both are given in full, so that nothing depends on the defaults of the installed Hypothesis (which
change where the variable CI is set). `dev` is the one for daily work: new examples each time, and
failures are remembered. `ci` (`--hypothesis-profile=ci`, as in `make test`) draws the same examples
on every machine.
"""

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.database import DirectoryBasedExampleDatabase

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
