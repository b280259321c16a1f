"""Jobs by their names: which ones a caller means, and what a matrix put into them."""

import difflib
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from trunkline_ci_status.job_endpoints import SentJob, SentStep
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.untrusted import sanitize

_MATRIX = re.compile(r"(?P<job>.*\S)\s*\((?P<values>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*")
_GLOB = re.compile(r"[*?\[]")
_NAMED = 20


def named(jobs: Sequence[SentJob], wanted: str) -> list[SentJob]:
    """Return the jobs whose name matches: exactly, else as a glob, else as a part of it.

    Letters' case does not matter; an empty name matches all.
    """
    name = wanted.casefold()
    exact = [job for job in jobs if job.name.casefold() == name]
    if exact or not name:
        return exact or list(jobs)
    if _GLOB.search(name):
        return [job for job in jobs if fnmatchcase(job.name.casefold(), name)]
    return [job for job in jobs if name in job.name.casefold()]


def only_one(jobs: Sequence[SentJob], wanted: str, run_id: int) -> SentJob:
    """Return the one job of a run that a name means.

    Raises NotFound and InvalidInput, each with the names there are.
    """
    found = named(jobs, wanted)
    if len(found) == 1:
        return found[0]
    if not found:
        names = _listed(jobs)
        nearest = difflib.get_close_matches(wanted, [job.name for job in jobs], n=1, cutoff=0.4)
        hint = f"Did you mean {sanitize(nearest[0])!r}?" if nearest else f"Its jobs: {names}."
        raise NotFound(
            f"Run {run_id} has no job named {wanted[:200]!r}.",
            hint=hint,
            details={"reason": "no_such_job", "jobs": names},
        )
    raise InvalidInput(
        f"job_name {wanted[:200]!r} means {len(found)} jobs of run {run_id}.",
        hint="Pass the whole name of one of them, or its job_id.",
        details={
            "reason": "ambiguous_job",
            "jobs": [{"id": job.id, "name": sanitize(job.name)} for job in found[:_NAMED]],
            "field_errors": [{"field": "job_name", "problem": "is ambiguous"}],
        },
    )


def matrix_of(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a job's name without its matrix, and the matrix' values: `build (ubuntu, 3.12)`."""
    match = _MATRIX.fullmatch(name)
    if match is None:
        return name, ()
    return match["job"], tuple(value.strip() for value in match["values"].split(","))


def _listed(jobs: Sequence[SentJob]) -> list[str]:
    return [sanitize(job.name) for job in jobs[:_NAMED]]


def listed_steps(steps: Sequence[SentStep]) -> list[dict[str, object]]:
    """Return steps by number and name, for a caller to choose from."""
    return [{"number": step.number, "name": sanitize(step.name)} for step in steps[:_NAMED]]
