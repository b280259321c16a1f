"""Which checks a branch requires before a merge: its rules and its protection.

https://docs.github.com/rest/repos/rules · https://docs.github.com/rest/branches/branch-protection
"""

from dataclasses import dataclass

from trunkline_shared.errors import NotFound, PermissionDenied
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import Sent
from trunkline_shared.github.reading import one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

MOST_RULES = 1_000
_RULES = "/repos/{owner}/{repo}/rules/branches/{branch}"
_PROTECTION = "/repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks"


class Context(Sent):
    """The name of a check run or of a status."""

    context: str


class Parameters(Sent):
    """What a rule of the type `required_status_checks` requires."""

    required_status_checks: tuple[Context, ...] = ()


class Rule(Sent):
    """A rule that applies to a branch."""

    type: str
    parameters: Parameters | None = None


class Protection(Sent):
    """The required checks of a protected branch; servers differ in which of the two they fill."""

    contexts: tuple[str, ...] = ()
    checks: tuple[Context, ...] = ()


_read_rules = page(Rule)
_read_protection = one(Protection)


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """The names that a branch requires; `known` is false when they could not be found out."""

    contexts: frozenset[str]
    known: bool


async def required_checks(github: GitHub, repository: Repository, branch: str) -> Required:
    """Ask the branch's rules, then its protection, which only administrators may read.

    Where protection stays hidden, the rules alone count when they require anything.
    """
    ruled = await _asked_rules(github, repository, branch)
    try:
        protected = await github.fetch(_protection(repository, branch))
    except (NotFound, PermissionDenied):
        return Required(contexts=ruled, known=bool(ruled))
    named = {*protected.contexts, *(one.context for one in protected.checks)}
    return Required(contexts=ruled | named, known=True)


async def _asked_rules(github: GitHub, repository: Repository, branch: str) -> frozenset[str]:
    try:
        rules = await github.collect(_rules(repository, branch), limit=MOST_RULES)
    except (NotFound, PermissionDenied):
        return frozenset()
    return frozenset(
        each.context
        for rule in rules.items
        if rule.type == "required_status_checks" and rule.parameters is not None
        for each in rule.parameters.required_status_checks
    )


def _rules(repository: Repository, branch: str) -> Endpoint[Page[Rule]]:
    request = Request(
        method="GET",
        path=path(_RULES, repository, branch=branch),
        query=(("per_page", "100"),),
        template=_RULES,
    )
    return Endpoint(request=request, read=_read_rules, repeatable=True)


def _protection(repository: Repository, branch: str) -> Endpoint[Protection]:
    request = Request(
        method="GET", path=path(_PROTECTION, repository, branch=branch), template=_PROTECTION
    )
    return Endpoint(request=request, read=_read_protection, repeatable=True)
