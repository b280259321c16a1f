"""Logs and traces of a process, set up once at its start."""

from trunkline_shared.telemetry.setting_up import (
    at_end,
    dropped_spans,
    exporting,
    flush,
    set_up,
    set_up_log,
)

__all__ = ["at_end", "dropped_spans", "exporting", "flush", "set_up", "set_up_log"]
