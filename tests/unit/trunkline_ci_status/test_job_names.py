"""Jobs by name: what a matrix put there, and whom a caller means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_ci_status.job_endpoints import SentJob
from trunkline_ci_status.job_names import matrix_of, named, only_one
from trunkline_shared.errors import InvalidInput, NotFound

JOBS = tuple(
    SentJob(id=number, run_id=1, name=name)
    for number, name in enumerate(("build", "build (a, b)", "Test [x]", "deploy / prod"), 1)
)


@pytest.mark.parametrize(
    ("name", "job", "values"),
    [
        ("build", "build", ()),
        ("build (ubuntu-latest, 3.12)", "build", ("ubuntu-latest", "3.12")),
        ("caller / build (x)", "caller / build", ("x",)),
        ("build (a (b), c)", "build", ("a (b)", "c")),
        ("build (a) then", "build (a) then", ()),
        ("(alone)", "(alone)", ()),
        ("build ()", "build", ("",)),
        ("", "", ()),
    ],
)
def test_a_matrix_is_read_from_the_name(name: str, job: str, values: tuple[str, ...]) -> None:
    """What stands in the parentheses at its end; a name without them has no matrix."""
    assert matrix_of(name) == (job, values)


@given(st.text("(a, )", max_size=2000))
def test_no_name_takes_long_to_read(name: str) -> None:
    """Names come from strangers' workflow files."""
    job, values = matrix_of(name)
    assert len(job) + sum(map(len, values)) <= len(name)


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        ("", [1, 2, 3, 4]),
        ("BUILD", [1]),
        ("build (", [2]),
        ("Test [x]", [3]),
        ("*[ab]*)", [2]),
        ("/ prod", [4]),
        ("[", []),
        ("nothing", []),
    ],
)
def test_a_name_means_the_whole_a_glob_or_a_part(wanted: str, ids: list[int]) -> None:
    """In this order, so that a name with a bracket in it is found as it stands."""
    assert [job.id for job in named(JOBS, wanted)] == ids


def test_one_job_is_meant_or_the_others_are_told() -> None:
    """None and several are answered with names to choose from."""
    assert only_one(JOBS, "deploy", 1).id == 4
    with pytest.raises(NotFound, match="no job named") as missing:
        only_one(JOBS, "biuld", 1)
    assert missing.value.hint == "Did you mean 'build'?"
    with pytest.raises(InvalidInput, match="means 2 jobs"):
        only_one(JOBS, "*build*", 1)
