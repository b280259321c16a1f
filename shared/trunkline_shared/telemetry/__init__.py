"""Logs and traces of a process, set up once at its start."""

from trunkline_shared.telemetry.setting_up import exporting, flush, set_up

__all__ = ["exporting", "flush", "set_up"]
