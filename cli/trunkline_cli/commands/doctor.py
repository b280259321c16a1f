"""`trunkline doctor`: what works, what does not, and how to mend it."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict

from trunkline_branch_context.checkout import git_at
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_cli import terminal
from trunkline_cli.checks.basecamp_access import check_basecamp
from trunkline_cli.checks.checkout import check_checkout, check_remote
from trunkline_cli.checks.finding import Finding, Level
from trunkline_cli.checks.github_access import check_github
from trunkline_cli.checks.jira_access import check_jira
from trunkline_cli.checks.machine import check_git, check_python
from trunkline_cli.checks.router import check_router
from trunkline_cli.checks.runner import check_runner
from trunkline_cli.default_repository import name_default_repository
from trunkline_cli.environment import router_address
from trunkline_cli.failure import FAILED, OK, USAGE, CommandFailed
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import ConfigurationError, load

COLOURS: dict[Level, terminal.Colour] = {"ok": "green", "warn": "yellow", "fail": "red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the output format."""
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print a line per finding; fails when one of them is a failure."""
    try:
        findings = asyncio.run(_collected(shown=not arguments.json))
    except ConfigurationError as error:
        raise CommandFailed(str(error), USAGE) from None
    if arguments.json:
        print(terminal.as_json([asdict(finding) for finding in findings]))
    return FAILED if any(finding.level == "fail" for finding in findings) else OK


async def _collected(*, shown: bool) -> list[Finding]:
    findings = []
    async for finding in _findings():
        findings.append(finding)
        if shown:
            _show(finding)
    return findings


async def _findings() -> AsyncIterator[Finding]:
    for finding in check_python():
        yield finding
    here = load(BranchContextSettings)
    git = git_at(here)
    yield await check_git(git)
    yield await check_checkout(git)
    async for finding in check_remote(here.repo_path, load(GitHubSettings)):
        yield finding
    await name_default_repository()
    settings = load(GitHubSettings)
    async for finding in check_github(settings, settings.github_repository):
        yield finding
    async for finding in check_basecamp():
        yield finding
    async for finding in check_jira():
        yield finding
    for finding in check_runner():
        yield finding
    for finding in await asyncio.to_thread(lambda: list(check_router(router_address()))):
        yield finding


def _show(finding: Finding) -> None:
    mark = terminal.paint(f"{finding.level:4}", COLOURS[finding.level])
    terminal.say(f"{mark}  {finding.about:14} {finding.text}")
    if finding.mend and finding.level != "ok":
        terminal.say(f"{'':20} {terminal.paint('mend:', 'bold')} {finding.mend}")
