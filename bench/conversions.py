"""CPU of turning what vendors keep texts in into Markdown, each text through tree and writer."""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.atlassian_document import atlassian_document, count
from bench.basecamp_text import LENGTH, basecamp_text
from trunkline_jira.adf.conversion import to_document as from_atlassian
from trunkline_project_reader.html.conversion import to_document as from_basecamp
from trunkline_shared.markdown.writer import to_markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """A text's way to Markdown, and the milliseconds of CPU that it may take."""

    label: str
    convert: Callable[[], str]
    most_ms: float

    def cost(self) -> float:
        """Milliseconds of CPU of one conversion."""
        begun = time.process_time()
        markdown = self.convert()
        spent = (time.process_time() - begun) * 1000
        if not markdown:
            raise RuntimeError(f"{self.label}: nothing came out")
        return spent


def conversions() -> tuple[Conversion, ...]:
    text, document = basecamp_text(), atlassian_document()
    return (
        Conversion(
            label=f"Basecamp HTML, {LENGTH // 1000} kB",
            convert=lambda: to_markdown(from_basecamp(text).blocks),
            most_ms=60,
        ),
        Conversion(
            label=f"Jira document, {count(document)} nodes",
            convert=lambda: to_markdown(from_atlassian(document).blocks),
            most_ms=20,
        ),
    )


def main() -> None:
    """Print the table; fail when a conversion costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m bench.conversions", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    too_slow = False
    print(f"{'':30}{'ms of CPU':>16}{'min':>8}{'max':>8}{'at most':>9}")
    for conversion in conversions():
        costs = [conversion.cost() for _ in range(rounds + 1)][1:]
        median = statistics.median(costs)
        too_slow |= median > conversion.most_ms
        print(
            f"{conversion.label:30}{median:16.1f}{min(costs):8.1f}{max(costs):8.1f}"
            f"{conversion.most_ms:9.0f}"
        )
    if too_slow:
        sys.exit(1)


if __name__ == "__main__":
    main()
