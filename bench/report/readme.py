"""The few figures that the project's README shows, in the place that it has for them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.report.figures import Measured
from bench.report.terminal import number

_PLACE = re.compile(r"(?s)(<!-- figures of make bench -->\n).*?(<!-- end of figures -->)")
HEADLINES = (
    ("ratios", "router, hit, in bare", "a kept read, traced, beside a bare aiohttp handler"),
    ("ratios", "router, relay, in bare", "a relayed call, traced, beside a bare aiohttp proxy"),
    ("ratios", "router, hit through Redis", "a kept read with a Redis that routers share"),
    (
        "peers",
        "a traced hit, in calls of Envoy",
        "a kept read, traced, beside Envoy's proxied call",
    ),
    ("peers", "a traced relay", "a relayed call, beside the best gateway in Python"),
    ("latency", "relay", "what the router adds at half its load: 99th percentile beside median"),
    ("start", "`make run`", "`make run`, once installed, until it is ready"),
    ("start", "memory", "memory of the whole mesh on a laptop"),
    ("tokens", "", "tokens of an agent's tasks, beside the vendors' own APIs"),
)
"""The part, how the limit begins there, and what README calls it."""


def show(known: Mapping[str, Measured], file: Path) -> None:
    """Put the figures in the place of those that stand there; does nothing without such a place."""
    before = file.read_text(encoding="utf-8")
    table = "\n".join(["| | found | at most |", "|---|---|---|", *_rows(known)])
    after = _PLACE.sub(lambda place: f"{place[1]}{table}\n{place[2]}", before)
    if after != before:
        file.write_text(after, encoding="utf-8")


def _rows(known: Mapping[str, Measured]) -> Iterator[str]:
    for name, begins, words in HEADLINES:
        limits = known[name].findings.limits if name in known else ()
        for limit in [one for one in limits if one.what.startswith(begins)][:1]:
            unit = f" {limit.unit}" if limit.unit else ""
            yield f"| {words} | {number(limit.value)}{unit} | {number(limit.most)}{unit} |"
