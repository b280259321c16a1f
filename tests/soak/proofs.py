"""The long proofs as functions: run at any size, judged alike, and written down as Markdown."""

import asyncio
import os
import platform
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from tests.soak.freshness import Plan, Run, prove_freshness
from tests.soak.fuzzing import Findings, Fuzzing
from tests.soak.load import Tally, load
from tests.soak.subject import running_subject

SLACK_BYTES = 12 * 1024 * 1024
"""What memory may grow by between two collections: caches that fill, and a heap in pieces."""
WARM_SHARE = 0.2
WRITTEN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is done, of 500 clients for 60 s, 100,000 hostile requests, 200,000 operations."""

    share: float
    seed: int

    @property
    def clients(self) -> int:
        return max(int(500 * min(self.share * 5, 1)), 20)

    @property
    def seconds(self) -> float:
        return max(60 * self.share, 2.0)

    @property
    def lives_s(self) -> float:
        """How long the crashing server lives each time."""
        return 5.0 if self.share >= 1 else 0.5

    @property
    def attacks(self) -> int:
        return int(100_000 * self.share)

    @property
    def histories(self) -> list[Plan]:
        """Return the histories: with a vendor that agrees with itself, and with one that lags."""
        if self.share < 1:
            return [Plan(operations=int(200_000 * self.share), seed=self.seed)]
        return [
            Plan(operations=100_000, seed=self.seed, lags=lags, warm_s=20, quiet_s=12, long_s=8)
            for lags in (False, True)
        ]


def prove_load(size: Size) -> Tally:
    """Run the clients, and return what they have seen."""
    tally, warm = Tally(), Tally()
    with running_subject(keys=False, lives_s=size.lives_s) as subject:
        asyncio.run(_load(subject.port, size, size.seconds * WARM_SHARE, warm))
        before = subject.resident()
        asyncio.run(_load(subject.port, size, size.seconds, tally))
        tally.resident = (before, subject.resident())
        tally.wrong += warm.wrong
    return tally


async def _load(port: int, size: Size, seconds: float, tally: Tally) -> None:
    await load(port, clients=size.clients, seconds=seconds, seed=size.seed, tally=tally)


def prove_fuzzing(size: Size) -> Findings:
    """Send the attacks, and return what came of them."""
    with running_subject(keys=True, lives_s=size.lives_s) as subject:
        fuzzing = Fuzzing(subject=subject, seed=size.seed)
        findings = fuzzing.findings
        warm = int(size.attacks * WARM_SHARE)
        asyncio.run(fuzzing.run(range(warm)))
        before = subject.resident()
        asyncio.run(fuzzing.run(range(warm, size.attacks)))
        findings.resident = (before, subject.resident())
        log = subject.log.read_bytes()
        findings.wrong += [f"{secret} in the log" for secret in subject.leaks(log)]
        findings.wrong += [
            line.decode("utf-8", "replace")[:400]
            for line in log.splitlines()
            if b"Traceback" in line or b'"level": "error"' in line
        ]
    return findings


def prove_histories(size: Size) -> list[Run]:
    """Run the histories, one after the other."""
    return [prove_freshness(plan) for plan in size.histories]


def grown(resident: tuple[int, int]) -> bool:
    """Say whether memory was not flat."""
    before, after = resident
    return after > before + SLACK_BYTES


def load_page(size: Size, tally: Tally) -> str:
    """Return the proof of load as Markdown."""
    ordered = sorted(tally.seconds) or [0.0]
    setting = (
        f"{size.clients} concurrent clients for {size.seconds:g} s, after a fifth of that to warm "
        "up, before five servers: three healthy ones, one that never answers a call, one that "
        f"crashes every {size.lives_s:g} s and cuts all its connections. Seed {size.seed}; "
        "`make soak` repeats it."
    )
    promise = (
        "Every call carries a nonce that must come back. A call on a healthy server may not fail; "
        "one on a sick server ends with the right answer, or with a typed error. No tool is ever "
        "missing from a list."
    )
    facts = [
        ("operations", f"{sum(tally.calls.values()):,}"),
        ("wrong, crossed or failed", f"{len(tally.wrong)}"),
        ("median, 99 %", f"{_ms(ordered, 0.5)} ms, {_ms(ordered, 0.99)} ms"),
        ("memory before, after", _memory(tally.resident)),
    ]
    tables = [
        _table("what the clients did", "times", tally.calls.items()),
        _table("typed errors of sick servers", "times", tally.refusals.items()),
        _wrong(tally.wrong),
    ]
    return _page("Load", [setting, promise], facts, tables)


def fuzzing_page(size: Size, findings: Findings) -> str:
    """Return the proof of fuzzing as Markdown."""
    setting = (
        f"{size.attacks:,} malformed or hostile requests, generated from seed {size.seed} by "
        "`tests/soak/hostile_requests.py`, at a router with API keys. `make soak` repeats it."
    )
    promise = (
        "No answer is a 5xx; no answer and no line of the log holds an inner address, a key or a "
        "token; the router neither ends nor grows, and leaves nobody without an answer for 30 s."
    )
    facts = [
        ("requests", f"{sum(sum(c.values()) for c in findings.statuses.values()):,}"),
        ("5xx, leaks, silences, errors logged", f"{len(findings.wrong)}"),
        ("memory before, after", _memory(findings.resident)),
    ]
    rows = [(kind, _statuses(counted)) for kind, counted in findings.statuses.items()]
    tables = [_table("kind", "answers", rows), _wrong(findings.wrong)]
    return _page("Hostile requests", [setting, promise], facts, tables)


def freshness_page(size: Size, runs: list[Run]) -> str:
    """Return the proof of freshness as Markdown."""
    setting = (
        "Two router processes that share one real Redis; agents that read and write at random "
        "through both, before a server whose answers tell after which write they were fetched. "
        "Meanwhile Redis is killed, stopped, flushed, filled up, rolled back to an old file, and "
        "cut off from one router or held up on the way to it, and routers are killed and started. "
        f"Seed {size.seed}; `make soak` repeats it."
    )
    promise = (
        "No read that began after a write had returned, through any router, is answered from a "
        "copy that was fetched before that. Of a vendor that lags behind its own writes by up to "
        "five seconds nothing is kept from before it has caught up; and nothing is kept while a "
        "write is in doubt."
    )
    tables = [table for run in runs for table in _history(run)]
    facts = [
        ("operations", f"{sum(run.operations for run in runs):,}"),
        ("writes", f"{sum(run.writes for run in runs):,}"),
        ("reads from before a write", f"{sum(len(run.wrong) for run in runs)}"),
    ]
    return _page("Freshness", [setting, promise], facts, tables)


def _history(run: Run) -> list[str]:
    lag = "lags by up to five seconds" if run.plan.lags else "agrees with itself"
    reads = f"reads, of a vendor that {lag}"
    rows = [(name, f"{times:,}") for name, times in run.sources.items() if name != "written"]
    failures = [(name[:80].replace("|", " "), times) for name, times in run.failures.items()]
    return [
        _table(reads, "times", rows),
        _table("faults", "times", run.faults.items()),
        _table("calls without an answer, or with a failure", "times", failures),
        _wrong(run.wrong),
    ]


def _page(title: str, words: list[str], facts: list[tuple[str, str]], tables: Iterable[str]) -> str:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python "
    machine += f"{platform.python_version()}, {date.today().isoformat()}"  # noqa: DTZ011 - a page's date
    parts = [f"# {title}", *words, _table("", "", facts), *tables, f"Measured on {machine}."]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(first: str, second: str, rows: Iterable[tuple[str, object]]) -> str:
    listed = [f"| {name} | {value} |" for name, value in sorted(rows, key=lambda row: row[0])]
    return "\n".join([f"| {first} | {second} |", "|---|---|", *listed]) if listed else ""


def _wrong(wrong: list[str]) -> str:
    shown = [f"    {line}" for line in wrong[:WRITTEN]]
    return "\n".join(["Wrong:", "", *shown]) if shown else ""


def _statuses(counted: Counter[str]) -> str:
    return ", ".join(f"{status} x {times:,}" for status, times in counted.most_common())


def _ms(ordered: list[float], share: float) -> str:
    return f"{ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000:.0f}"


def _memory(resident: tuple[int, int]) -> str:
    return ", ".join(f"{value / 1024 / 1024:.1f} MB" for value in resident)
