"""Debian's Prometheus on a port of its own, with the profile's configuration and rules."""

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml

from tests.interaction.looking import look_again
from tests.interaction.wire import get
from tests.observability import FOLDER
from tests.prometheus_programs import program
from trunkline_shared.testing.loopback import free_socket

NOBODY = "127.0.0.1:9"
PACE = "250ms"


@dataclass(frozen=True, kw_only=True)
class Prometheus:
    """One that runs."""

    port: int

    async def ask(self, path: str, **given: str) -> Any:
        """Return what an endpoint of its API answers; any complaint fails the test."""
        reply = await get(self.port, f"/api/v1/{path}?{urlencode(given)}")
        assert reply.json["status"] == "success", (given, reply.json)
        return reply.json["data"]

    async def query(self, expression: str) -> Sequence[Mapping[str, Any]]:
        """Return the series of an expression, as they are now."""
        return list((await self.ask("query", query=expression))["result"])

    async def value(self, expression: str) -> float:
        """Return the one value of an expression; not a number without one."""
        found = await self.query(expression)
        return float(found[0]["value"][1]) if len(found) == 1 else math.nan

    async def scrapes(self, number: int) -> None:
        """Wait until the router has been scraped so often from now on, with success."""
        counted = 'sum_over_time(up{job="trunkline"}[1h])'
        before = await self.value(counted)
        before = 0 if math.isnan(before) else before
        while not await self.value(counted) >= before + number:
            pass

    async def judged(self) -> list[Mapping[str, Any]]:
        """Wait until each rule has been evaluated, and return them."""
        while True:
            groups = (await self.ask("rules"))["groups"]
            rules = [rule for group in groups for rule in group["rules"]]
            if all(rule["health"] != "unknown" for rule in rules):
                return rules


@asynccontextmanager
async def scraping(target: str, folder: Path, key: str = "") -> AsyncIterator[Prometheus]:
    """Run it for the block: it scrapes one router, four times a second, and shows it a key."""
    with free_socket() as on:
        port = int(on.getsockname()[1])
    (folder / "key").write_text(key, encoding="utf-8")
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(_configuration(target, folder)))
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program("prometheus"),
            f"--config.file={folder / 'prometheus.yaml'}",
            f"--storage.tsdb.path={folder / 'data'}",
            "--enable-feature=exemplar-storage",
            f"--web.listen-address=127.0.0.1:{port}",
            stderr=log,
        )
        try:
            async with asyncio.timeout(20):
                await _ready(port)
            yield Prometheus(port=port)
        finally:
            process.terminate()
            await process.wait()


async def _ready(port: int) -> None:
    while True:
        try:
            if (await get(port, "/-/ready")).status == 200:
                return
        except OSError:
            await look_again()


def _configuration(target: str, folder: Path) -> Any:
    """Return the profile's own, hurried, with this machine's addresses and paths."""
    given = yaml.safe_load((FOLDER / "prometheus.yaml").read_text(encoding="utf-8"))
    given["global"] = dict.fromkeys(given["global"], PACE) | {"scrape_timeout": PACE}
    given["rule_files"] = [str(FOLDER / name) for name in given["rule_files"]]
    for job in given["scrape_configs"]:
        if job.pop("dns_sd_configs", None):
            job["authorization"]["credentials_file"] = str(folder / "key")
            job["static_configs"] = [{"targets": [target]}]
        else:
            job["static_configs"] = [{"targets": [NOBODY]}]
    return given
