"""For each alert: numbers that raise it, numbers that do not, and how long it takes."""

from dataclasses import dataclass

Series = dict[str, str]
"""Values by series, one each minute, in promtool's notation: `0+5x60` is 0, 5, 10 … for an hour."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """An alert that must be there when it is `raised`, and not when it is `too_early`."""

    fires: Series
    stays_quiet: Series
    raised: str
    too_early: str | None = None
    every: str = "1m"


JOB = 'job="trunkline"'
SERVED = f'mcp_server_operation_duration_seconds_count{{{JOB}, mcp_method_name="tools/call", %s}}'
GITHUB = 'trunkline_server="github", gen_ai_tool_name="%s"'
_GET, _WAIT = GITHUB % "get_issue", GITHUB % "wait_for_ci"
_RARE = 'trunkline_server="jira", gen_ai_tool_name="search_jira"'


def _took(within: str, tool: str, *, slow: str, quick: str) -> Series:
    """Return a histogram of calls: how many ended `within` 10 s, and how many within 30."""
    bucket = SERVED.replace("_count", "_bucket") % f'{tool}, le="%s"'
    return {
        bucket % within: quick,
        bucket % "30": slow,
        bucket % "+Inf": slow,
        SERVED % tool: slow,
    }


def _read(hits: str, misses: str, job: str = "trunkline", *, on: str = "1") -> Series:
    none = {
        f'trunkline_cache_{name}_total{{job="{job}"}}': "0x350"
        for name in ("coalesced", "stale", "passed")
    }
    return none | {
        f'trunkline_cache_hits_total{{job="{job}", tier="process"}}': hits,
        f'trunkline_cache_misses_total{{job="{job}"}}': misses,
        f'trunkline_cache_on{{job="{job}"}}': f"{on}x350",
    }


def _server(name: str, value: str, **labels: str) -> Series:
    given = ", ".join(f'{key}="{text}"' for key, text in labels.items())
    return {f'trunkline_server_{name}{{{JOB}, server="github", {given}}}': value}


def _quota(left: str) -> Series:
    of = f'{JOB}, credential="0123", resource="core"'
    return {
        f"trunkline_quota_remaining{{{of}}}": left,
        f"trunkline_quota_limit{{{of}}}": "5000x60",
    }


_OPEN, _CLOSED = (_server("breaker_state", f"{value}x60", state="open") for value in (1, 0))
_FAILING = {SERVED % _GET: "0+40x60", SERVED % f'{_GET}, error_type="tool_error"': "0+20x60"}

CASES = {
    "TrunklineRouterDown": Case(
        fires={f'up{{{JOB}, instance="10.0.0.7:8470"}}': "1x5 0x60"},
        stays_quiet={
            f'up{{{JOB}, instance="10.0.0.7:8470"}}': "1x5 0 1x60",
            'up{job="other"}': "0x60",
        },
        too_early="6m",
        raised="8m",
    ),
    "TrunklineMetricsMissing": Case(
        fires={'trunkline_build_info{job="trunkline-pushed", instance="a"}': "1x5 stale"},
        # One of two replicas has gone, in order.
        stays_quiet={
            'trunkline_build_info{job="trunkline", instance="a"}': "1x5 stale",
            'trunkline_build_info{job="trunkline", instance="b"}': "1x60",
        },
        too_early="7m",
        raised="12m",
    ),
    "TrunklineErrorRatioHigh": Case(
        fires=_FAILING,
        # One in eleven fails; all fail, of a call now and then.
        stays_quiet={
            SERVED % _GET: "0+40x60",
            SERVED % f'{_GET}, error_type="tool_error"': "0+4x60",
            SERVED % 'trunkline_server="jira", error_type="tool_error"': "0+1x60",
        },
        too_early="9m",
        raised="20m",
    ),
    "TrunklineLatencyHigh": Case(
        fires=_took("10", _GET, slow="0+40x60", quick="0+30x60"),
        # Waiting for CI takes as long as CI does; a slow call now and then is no trend.
        stays_quiet=_took("10", _WAIT, slow="0+40x60", quick="0x60")
        | _took("10", _GET, slow="0+40x60", quick="0+39x60")
        | _took("10", _RARE, slow="0+1x60", quick="0x60"),
        too_early="9m",
        raised="20m",
    ),
    "TrunklineServerUnavailable": Case(
        fires=_server("available", "0x60", instance="a") | _CLOSED,
        # Its breaker is open, which is an alert of its own; another one came back.
        stays_quiet=_server("available", "0x60", instance="a")
        | _OPEN
        | {f'trunkline_server_available{{{JOB}, server="jira"}}': "0x3 1x60"},
        too_early="4m",
        raised="6m",
    ),
    "TrunklineBreakerOpen": Case(
        fires=_OPEN,
        stays_quiet=_CLOSED | _server("breaker_state", "1x60", state="closed"),
        too_early="1m",
        raised="3m",
    ),
    "TrunklineQueueRefusing": Case(
        fires={f'trunkline_refusals_total{{{JOB}, server="github", code="OVERLOADED"}}': "0+3x60"},
        stays_quiet={
            f'trunkline_refusals_total{{{JOB}, server="github", code="OVERLOADED"}}': "7x60",
            f'trunkline_refusals_total{{{JOB}, server="github", code="CIRCUIT_OPEN"}}': "0+3x60",
        },
        too_early="4m",
        raised="8m",
    ),
    "TrunklineQuotaNearlyExhausted": Case(
        fires=_quota("450x60"),
        stays_quiet=_quota("501x60"),
        too_early="4m",
        raised="6m",
    ),
    "TrunklineCacheOff": Case(
        fires={f"trunkline_cache_on{{{JOB}}}": "0x60"},
        stays_quiet={f"trunkline_cache_on{{{JOB}}}": "1x3 0x2 1x60"},
        too_early="4m",
        raised="6m",
    ),
    "TrunklineRouterSilent": Case(
        fires={f"trunkline_cache_silent_routers{{{JOB}}}": "1x60"},
        stays_quiet={f"trunkline_cache_silent_routers{{{JOB}}}": "0x60"},
        too_early="0m",
        raised="2m",
    ),
    "TrunklineHitRatioCollapsed": Case(
        fires=_read("0+450x300 135000x50", "0+50x300 15000+500x50"),
        # As ever; the cache is off, which is an alert of its own; a read now and then.
        stays_quiet=_read("0+450x350", "0+50x350")
        | _read("0+450x300 135000x50", "0+50x300 15000+500x50", "off", on="0")
        | _read("0+9x300 2700x50", "0+1x300 300+10x50", "idle"),
        every="5m",
        too_early="1530m",
        raised="1600m",
    ),
    "TrunklineAuditRecordsLost": Case(
        fires={f'trunkline_audit_records_total{{{JOB}, outcome="lost"}}': "0x5 1x60"},
        stays_quiet={
            f'trunkline_audit_records_total{{{JOB}, outcome="lost"}}': "3x60",
            f'trunkline_audit_records_total{{{JOB}, outcome="written"}}': "0+5x60",
        },
        too_early="4m",
        raised="8m",
    ),
    "TrunklineSpansDropped": Case(
        fires={f"trunkline_spans_dropped_total{{{JOB}}}": "0+100x60"},
        stays_quiet={f"trunkline_spans_dropped_total{{{JOB}}}": "512x60"},
        too_early="4m",
        raised="8m",
    ),
    "TrunklineCollectorDown": Case(
        fires={'up{job="collector"}': "1x5 0x60"},
        stays_quiet={'up{job="collector"}': "1x60"},
        too_early="9m",
        raised="12m",
    ),
    "TrunklineCollectorDropping": Case(
        fires={
            'otelcol_exporter_send_failed_spans_total{exporter="otlp_grpc/jaeger"}': "0+9x60",
            'otelcol_exporter_enqueue_failed_spans_total{exporter="otlp_grpc/jaeger"}': "0x60",
        },
        stays_quiet={
            'otelcol_exporter_send_failed_spans_total{exporter="otlp_grpc/jaeger"}': "9x60",
            'otelcol_exporter_enqueue_failed_spans_total{exporter="otlp_grpc/jaeger"}': "0x60",
        },
        too_early="4m",
        raised="8m",
    ),
}
