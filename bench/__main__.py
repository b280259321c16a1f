"""All that is measured, by one command: tables here, and a page with charts in bench/results."""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.findings import Bars, Chart
from bench.parts import PARTS, part
from bench.report import readme
from bench.report.charts import draw
from bench.report.figures import Measured, read, write
from bench.report.machine import circumstances
from bench.report.page import page
from bench.report.terminal import show, told

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"
PEERS = ROOT / ".tools" / "peers"


def main() -> None:
    """Measure the parts; fail when a limit is missed, naming it."""
    options = _options()
    results = options.results or (None if options.quick else RESULTS)
    measured: dict[str, Measured] = {}
    started = time.monotonic()
    for name in options.parts or PARTS:
        began = time.monotonic()
        print(f"\n{name} ...", flush=True)
        findings = part(name, options.peers)(options.quick)
        on = {**circumstances(), **({"rounds": "few"} if options.quick else {})}
        measured[name] = Measured(on=on, findings=findings)
        show(findings)
        print(f"{name} took {time.monotonic() - began:.0f} s", flush=True)
        if results is not None:
            known = _keep(results, name, measured[name])
            if results == RESULTS:
                readme.show(known, ROOT / "README.md")
    print(f"\nall of it took {(time.monotonic() - started) / 60:.0f} minutes")
    _judge(list(measured.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--quick",
        action="store_true",
        help="few rounds, to see how it stands; writes nothing unless --results says where",
    )
    parser.add_argument("--results", type=Path, help="the folder of the page, bench/results")
    parser.add_argument(
        "--peers", type=Path, default=PEERS, help="where python -m bench.peers.install put them"
    )
    options = parser.parse_args()
    for name in options.parts:
        if name not in PARTS:
            parser.error(f"{name} is no part; there are {', '.join(PARTS)}")
    return options


def _keep(folder: Path, name: str, measured: Measured) -> Mapping[str, Measured]:
    """Put a part's findings in place of its last ones, and write the page with all others."""
    known = read(folder)
    before = known.get(name)
    known[name] = measured
    write(folder, {one: known[one] for one in PARTS if one in known})
    drawn = {draw(chart, folder) for chart in measured.findings.charts}
    for chart in before.findings.charts if before else ():
        _remove(chart, folder, drawn)
    (folder / "README.md").write_text(page(known, PARTS), encoding="utf-8")
    return known


def _remove(chart: Chart | Bars, folder: Path, drawn: set[Path]) -> None:
    file = folder / f"{chart.name}.svg"
    if file not in drawn:
        file.unlink(missing_ok=True)


def _judge(measured: Sequence[Measured]) -> None:
    limits = [limit for one in measured for limit in one.findings.limits]
    missed = [limit for limit in limits if not limit.met]
    print(f"\n{len(limits) - len(missed)} of {len(limits)} limits are met")
    for limit in missed:
        print(told(limit))
    if missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
