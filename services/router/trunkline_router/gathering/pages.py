"""Operators' pages of several workers as those of one router."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_Json = dict[str, Any]
_PERCENTILES = ("p50_ms", "p95_ms", "p99_ms")
_STATES = ("open", "half-open", "closed")


def cache(workers: Sequence[_Json]) -> _Json:
    """Return `/api/cache`: what was counted is added, and it is on where all use it."""
    first, *_ = workers
    told = first | _sums(workers, [name for name, value in first.items() if type(value) is int])
    told["on"] = all(one["on"] for one in workers)
    for name in ("routers", "silent"):
        told[name] = sorted({each for one in workers for each in one[name]})
    for name in ("memory", "hits"):
        told[name] = _sums([one[name] for one in workers], first[name])
    asked = told["calls_saved"] + told["misses"] + told["passed"]
    return told | {"hit_ratio": round(told["calls_saved"] / asked, 4) if asked else None}


def status(workers: Sequence[_Json]) -> _Json:
    """Return `/status`, or the state that the live feed tells."""
    first, *_ = workers
    told = first | {
        "servers": {
            server: _server([one["servers"][server] for one in workers if server in one["servers"]])
            for server in first["servers"]
        },
        "cache": cache([one["cache"] for one in workers]),
        "quota": _quotas(each for one in workers for each in one["quota"]),
    }
    if "point" in first:
        told["point"] = _point([one["point"] for one in workers])
    return told


def series(workers: Sequence[_Json]) -> _Json:
    """Return `/api/series`: of percentiles those of the slowest worker."""
    points: dict[float, list[_Json]] = {}
    for one in workers:
        for point in one["points"]:
            points.setdefault(point["at"], []).append(point)
    names = {
        name: sorted({each for one in workers for each in one[name]})
        for name, value in workers[0].items()
        if isinstance(value, list) and name != "points"
    }
    return workers[0] | names | {"points": [_point(points[at]) for at in sorted(points)]}


def tokens(workers: Sequence[_Json]) -> _Json:
    """Return `/api/tokens`: all of it is added."""
    rows: dict[tuple[str, ...], list[_Json]] = {}
    for one in workers:
        for row in one["rows"]:
            rows.setdefault((row["agent"], row["server"], row["tool"]), []).append(row)
    summed = [each[0] | _sums(each, ("calls", "tokens_in", "tokens_out")) for each in rows.values()]
    return workers[0] | {
        "rows": sorted(
            summed, key=lambda row: (-row["tokens_out"], row["agent"], row["server"], row["tool"])
        ),
        "saved": _sums([one["saved"] for one in workers], workers[0]["saved"]),
        "from_cache": sum(one["from_cache"] for one in workers),
    }


def audit(workers: Sequence[_Json], limit: int) -> _Json:
    """Return `/api/audit`: the newest records of all."""
    records = [each for one in workers for each in one["records"]]
    return {"records": sorted(records, key=lambda one: str(one["time"]), reverse=True)[:limit]}


def traces(workers: Sequence[_Json], limit: int) -> _Json:
    """Return `/api/traces`: each trace once, by its earliest request, with all its spans."""
    rows: dict[str, list[_Json]] = {}
    for one in workers:
        for row in one["traces"]:
            rows.setdefault(row["trace_id"], []).append(row)
    found = [_row(each) for each in rows.values()]
    newest = sorted(found, key=lambda row: float(row["started"]), reverse=True)
    sums = _sums(workers, ("kept", "limit", "lost_spans"))
    return workers[0] | sums | {"traces": newest[:limit]}


def _row(parts: Sequence[_Json]) -> _Json:
    first = min(parts, key=lambda row: float(row["started"]))
    return first | {"spans": sum(row["spans"] for row in parts)}


def _server(workers: Sequence[_Json]) -> _Json:
    """Return a server's entry: it is available where each worker reaches it."""
    first, *_ = workers
    worst = min(workers, key=lambda one: _rank(one["breaker"]["state"]))
    errors = [one["last_error"] for one in workers if "last_error" in one]
    told = first | _sums(workers, ("in_flight", "queued")) | {"breaker": worst["breaker"]}
    told["available"] = all(one["available"] for one in workers)
    told["tools"] = max(one["tools"] for one in workers)
    told["latency_ms"] = {
        name: _greatest(one["latency_ms"][name] for one in workers) for name in first["latency_ms"]
    }
    return told | ({"last_error": errors[0]} if errors else {})


def _rank(state: str) -> int:
    return _STATES.index(state) if state in _STATES else len(_STATES)


def _quotas(every: Iterable[_Json]) -> Sequence[_Json]:
    """Return each quota once: as the worker knows it that has seen least of it left."""
    least: dict[tuple[object, object], _Json] = {}
    for one in every:
        key = one.get("credential"), one.get("resource")
        if key not in least or one.get("remaining", 0) < least[key].get("remaining", 0):
            least[key] = one
    return list(least.values())


def _point(workers: Sequence[_Json]) -> _Json:
    first, *_ = workers
    counts = [name for name in first if name not in {"at", *_PERCENTILES}]
    slowest = {name: _greatest(one[name] for one in workers) for name in _PERCENTILES}
    return first | _sums(workers, counts) | slowest


def _greatest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _sums(workers: Iterable[Mapping[str, Any]], names: Iterable[str]) -> _Json:
    total: Counter[str] = Counter()
    wanted = tuple(names)
    for one in workers:
        for name in wanted:
            total[name] += one[name]
    return {name: total[name] for name in wanted}
