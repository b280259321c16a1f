"""CPU of turning what vendors keep texts in into Markdown, each text through tree and writer."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.atlassian_document import atlassian_document, count
from bench.basecamp_text import LENGTH, basecamp_text
from bench.findings import Findings, Limit, Table
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


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure each conversion."""
    costs = {one: [one.cost() for _ in range(4 if quick else 26)][1:] for one in conversions()}
    medians = {one: statistics.median(taken) for one, taken in costs.items()}
    return Findings(
        title="Vendors' texts as Markdown",
        about="Each text through its tree and the one writer of Markdown.",
        tables=[
            Table(
                title="Milliseconds of CPU per text",
                columns=("", "median", "least", "most"),
                rows=[
                    (
                        one.label,
                        *(round(cost, 1) for cost in (medians[one], min(taken), max(taken))),
                    )
                    for one, taken in costs.items()
                ],
            )
        ],
        limits=[
            Limit(what=one.label, value=median, most=one.most_ms, unit="ms of CPU")
            for one, median in medians.items()
        ],
    )
