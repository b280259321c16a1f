"""Reading a pull request's diff: as GitHub makes it, or rebuilt from its list of files.

Nothing of it is kept between calls: a page by its offset is read anew, in bounded memory, and the
mesh's cache holds whole results.
"""

from dataclasses import dataclass, replace
from typing import Literal

from trunkline_issues.diff_files import DiffFile, DiffFiles, Wanted
from trunkline_issues.diff_rebuilding import rebuilt
from trunkline_issues.diff_sink import DiffSink
from trunkline_shared.clock import Clock
from trunkline_shared.errors import (
    InvalidInput,
    NetworkError,
    TooLarge,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pull_models import PullFile
from trunkline_shared.github.pulls import MOST_FILES, PER_PAGE, get_diff, list_files
from trunkline_shared.github.repository import Repository

Source = Literal["diff", "files"]

_PASSING = (NetworkError, UpstreamUnavailable)
_LASTING = (InvalidInput, TooLarge, Unsupported, UpstreamTimeout)
_PAUSE_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffReading:
    """Reads the diff of one pull request."""

    github: GitHub
    clock: Clock
    repository: Repository
    number: int

    async def read(self, wanted: Wanted) -> tuple[DiffFiles, Source]:
        """Return what is wanted of the diff, and where it comes from.

        A diff that GitHub fails to make is asked for once more; one that it refuses, or makes for
        too long, is not: either may last for as long as the head stays. Raises a TrunklineError.
        """
        try:
            return await self._streamed(wanted), "diff"
        except _PASSING:
            await self.clock.sleep(_PAUSE_S)
        except _LASTING:
            return await self._from_files(wanted), "files"
        try:
            return await self._streamed(wanted), "diff"
        except (*_PASSING, *_LASTING):
            return await self._from_files(wanted), "files"

    async def _streamed(self, wanted: Wanted) -> DiffFiles:
        endpoint = get_diff(self.repository, self.number)
        return await self.github.stream(endpoint, lambda: DiffSink(wanted))

    async def _from_files(self, wanted: Wanted) -> DiffFiles:
        """Feed a diff that is rebuilt page by page of the list of files."""
        sink = DiffSink(wanted)
        endpoint = list_files(self.repository, self.number)
        for _ in range(-(-MOST_FILES // PER_PAGE)):
            page = await self.github.fetch(endpoint)
            for file in page.items:
                _feed(sink, file)
            if page.next_url is None:
                break
            following = replace(endpoint.request, path=page.next_url, query=())
            endpoint = replace(endpoint, request=following)
        return sink.result()


def _feed(sink: DiffSink, file: PullFile) -> None:
    text = rebuilt(file)
    if text is not None:
        sink.feed(text.encode(errors="replace"))
        sink.end_file()
    elif sink.wanted.has(file.filename, file.previous_filename):
        sink.files.entries.append(_missing(file, sink.files.size))


def _missing(file: PullFile, at: int) -> DiffFile:
    return DiffFile(
        path=file.filename,
        previous=file.previous_filename,
        status=file.status,
        begin=at,
        end=at,
        additions=file.additions,
        deletions=file.deletions,
        missing=True,
    )
