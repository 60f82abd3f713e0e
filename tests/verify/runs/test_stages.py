"""The course of a run: what is done is a function of the results, whatever was kept of them."""

from hypothesis import given
from hypothesis import strategies as st

from verify.core.evidence import Evidence, Outcome
from verify.runs.stages import Course
from verify.runs.tasks import METHODS, STAGES, Task

STAGE = {method: k for k, stage in enumerate(STAGES) for method in stage}


def task(claim: str, method: str) -> Task:
    return Task(claim, method, "smoke", 0, "cpu")


def piece(method: str, outcome: Outcome | None) -> Evidence | None:
    return None if outcome is None else Evidence(method, outcome, "")


@st.composite
def courses(draw):
    """Claims with some methods each, outcomes, what the journal kept, and an order."""
    tasks = [
        task(name, method)
        for name in ("a", "b", "c")
        for method in draw(st.lists(st.sampled_from(METHODS), unique=True))
    ]
    chosen = st.sampled_from((Outcome.SUPPORTS, Outcome.PROVES, Outcome.REFUTES, None))
    outcomes = {t: draw(chosen) for t in tasks}
    kept = set(draw(st.lists(st.sampled_from(tasks), unique=True))) if tasks else set()
    return tasks, outcomes, kept, draw(st.randoms(use_true_random=False))


def wanted(tasks, outcomes) -> set[Task]:
    """The tasks that are done: by each claim those up to the first stage that refutes it, but for
    an expansion of what was proved before."""
    done: set[Task] = set()
    for t in sorted(tasks, key=lambda t: STAGE[t.method]):
        earlier = {u for u in done if u.claim == t.claim and STAGE[u.method] < STAGE[t.method]}
        before = {outcomes[u] for u in earlier}
        idle = t.method == "expanded" and Outcome.PROVES in before
        if Outcome.REFUTES not in before and not idle:
            done.add(t)
    return done


@given(courses())
def test_what_is_done_depends_on_the_results_alone(course):
    tasks, outcomes, kept, random = course
    results = {t: piece(t.method, outcomes[t]) for t in tasks}
    subject = Course(tasks, {t: results[t] for t in kept})
    waiting, begun = subject.begin(), []
    while waiting:
        assert {*subject.done, *subject.ahead(), *subject.skipped} >= set(tasks) - kept
        assert set(subject.ahead()[: len(waiting)]) == set(waiting)  # these run now
        assert subject.total == len(set(tasks) - subject.skipped)
        t = waiting.pop(random.randrange(len(waiting)))
        assert t not in subject.done
        earlier = [u for u in tasks if u.claim == t.claim and STAGE[u.method] < STAGE[t.method]]
        assert all(u in subject.done or u in subject.skipped for u in earlier)
        begun.append(t)
        waiting += subject.finish(t, results[t])
    done = wanted(tasks, outcomes)
    assert subject.done == {t: results[t] for t in done}
    assert subject.skipped == set(tasks) - done
    assert len(begun) == len(set(begun))
    assert set(begun) == done - kept
    assert subject.total == len(done)
    assert subject.ahead() == []


def test_a_kept_refutation_leaves_the_rest_of_its_stage_to_do():
    first, second = STAGES[0][:2]
    refuting, open_ = task("a", first), task("a", second)
    course = Course(
        [refuting, open_, task("a", STAGES[1][0])], {refuting: piece(first, Outcome.REFUTES)}
    )
    assert course.begin() == [open_]
    assert course.finish(open_, piece(second, Outcome.PROVES)) == []
    assert {p.outcome for p in course.done.values()} == {Outcome.REFUTES, Outcome.PROVES}


def test_what_was_kept_of_a_stage_that_is_not_reached_is_left_aside():
    first, later = STAGES[0][0], STAGES[2][0]
    course = Course(
        [task("a", first), task("a", later)], {task("a", later): piece(later, Outcome.SUPPORTS)}
    )
    (begun,) = course.begin()
    assert course.finish(begun, piece(first, Outcome.REFUTES)) == []
    assert list(course.done) == [task("a", first)]


def test_a_claim_does_not_wait_for_another_one():
    first, last = STAGES[0][0], STAGES[-1][0]
    tasks = [task("slow", first), task("quick", first), task("quick", last)]
    course = Course(tasks, {})
    assert course.begin() == tasks[:2]
    assert course.finish(tasks[1], piece(first, Outcome.SUPPORTS)) == [tasks[2]]
