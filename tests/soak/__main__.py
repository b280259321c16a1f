"""`python -m tests.soak`: the long proofs, whole or a share of them; their pages on request."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from tests.soak.proofs import (
    Size,
    freshness_page,
    fuzzing_page,
    grown,
    load_page,
    prove_fuzzing,
    prove_histories,
    prove_load,
)

PAGES = Path(__file__).parents[2] / "docs" / "proofs"


def _load(size: Size) -> tuple[str, bool]:
    tally = prove_load(size)
    return load_page(size, tally), not tally.wrong and not grown(tally.resident)


def _fuzzing(size: Size) -> tuple[str, bool]:
    findings = prove_fuzzing(size)
    return fuzzing_page(size, findings), not findings.wrong and not grown(findings.resident)


def _freshness(size: Size) -> tuple[str, bool]:
    runs = prove_histories(size)
    return freshness_page(size, runs), not any(run.wrong for run in runs)


PROOFS: dict[str, Callable[[Size], tuple[str, bool]]] = {
    "load": _load,
    "fuzzing": _fuzzing,
    "freshness": _freshness,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("proofs", nargs="*", choices=[*PROOFS, []], help="all of them by default")
    parser.add_argument("--share", type=float, default=1.0, help="of the whole size")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write the pages in {PAGES.name}/")
    given = parser.parse_args()
    size, good = Size(share=given.share, seed=given.seed), True
    for name in given.proofs or PROOFS:
        page, held = PROOFS[name](size)
        sys.stdout.write(page + "\n")
        good &= held
        if given.write:
            PAGES.mkdir(parents=True, exist_ok=True)
            (PAGES / f"{name}.md").write_text(page, encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
