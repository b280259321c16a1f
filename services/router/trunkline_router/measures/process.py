"""Instruments of the process, under the names of OpenTelemetry and, on `/metrics`, Prometheus'."""

from typing import Final

from trunkline_router.measures.instrument import Instrument, Kind

_MEASURED: Final = (
    ("process.cpu.time", Kind.COUNTER, "s", "process_cpu_seconds",
     "Seconds of processor time that the router has used."),
    ("process.memory.usage", Kind.UP_DOWN_COUNTER, "By", "process_resident_memory_bytes",
     "Memory that the router holds."),
    ("process.memory.virtual", Kind.UP_DOWN_COUNTER, "By", "process_virtual_memory_bytes",
     "Memory that the router has asked for."),
    ("process.unix.file_descriptor.count", Kind.UP_DOWN_COUNTER, "", "process_open_fds",
     "Files and sockets that the router has open."),
    ("process.unix.file_descriptor.limit", Kind.GAUGE, "", "process_max_fds",
     "Files and sockets that the router may have open."),
    ("process.start_time", Kind.GAUGE, "s", "process_start_time_seconds",
     "When the router was started, in seconds since the epoch."),
)  # fmt: skip
INSTRUMENTS: Final = tuple(
    Instrument(name=name, kind=kind, unit=unit, habit=habit, description=told)
    for name, kind, unit, habit, told in _MEASURED
)
