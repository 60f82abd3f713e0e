from hypothesis import given
from hypothesis import strategies as st

from verify.evidence import Evidence, Outcome
from verify.runs.stages import Course
from verify.runs.tasks import METHODS, STAGES, Task

STAGE = {method: k for k, stage in enumerate(STAGES) for method in stage}


def task(claim: str, method: str) -> Task:
    return Task(claim, method, "smoke", 0, "cpu")


def piece(method: str, outcome: Outcome) -> Evidence:
    return Evidence(method, outcome, "")


@st.composite
def courses(draw):
    """Claims with some methods each, outcomes, what the journal kept, and an order."""
    tasks = [
        task(name, method)
        for name in ("a", "b", "c")
        for method in draw(st.lists(st.sampled_from(METHODS), unique=True))
    ]
    chosen = st.sampled_from((Outcome.SUPPORTS, Outcome.SUPPORTS, Outcome.REFUTES, None))
    outcomes = {t: draw(chosen) for t in tasks}
    kept = set(draw(st.lists(st.sampled_from(tasks), unique=True))) if tasks else set()
    return tasks, outcomes, kept, draw(st.randoms(use_true_random=False))


@given(courses())
def test_every_task_is_done_once_stage_after_stage_or_left_out_for_a_refutation(course):
    tasks, outcomes, kept, random = course

    def found(t):
        return None if outcomes[t] is None else piece(t.method, outcomes[t])

    subject = Course(tasks, {t: found(t) for t in kept})
    waiting, begun = subject.begin(), []
    while waiting:
        t = waiting.pop(random.randrange(len(waiting)))
        assert t not in subject.done
        earlier = [u for u in tasks if u.claim == t.claim and STAGE[u.method] < STAGE[t.method]]
        assert all(u in subject.done for u in earlier)
        assert all(outcomes[u] is not Outcome.REFUTES for u in earlier)
        begun.append(t)
        waiting += subject.finish(t, found(t))
    assert set(subject.done) == set(tasks)
    assert len(begun) == len(set(begun))
    for t in set(tasks) - kept - set(begun):  # left out
        refuting = [u for u in tasks if u.claim == t.claim and outcomes[u] is Outcome.REFUTES]
        assert any(u in kept or STAGE[u.method] < STAGE[t.method] for u in refuting)


def test_a_claim_does_not_wait_for_another_one():
    first, last = STAGES[0][0], STAGES[-1][0]
    tasks = [task("slow", first), task("quick", first), task("quick", last)]
    course = Course(tasks, {})
    assert course.begin() == tasks[:2]
    assert course.finish(tasks[1], piece(first, Outcome.SUPPORTS)) == [tasks[2]]
