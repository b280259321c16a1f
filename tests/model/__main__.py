"""`python -m tests.model`: search everything, and tell of it; the page on request."""

import argparse
import sys
from pathlib import Path

from tests.model.page import page

PAGE = Path(__file__).parents[2] / "docs" / "proofs" / "coherence.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.model")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    given = parser.parse_args()
    told = page()
    sys.stdout.write(told)
    if given.write:
        PAGE.write_text(told, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
