"""What a pull request changes: whole files before and after, and the diff between them.

Patches come from the contents, and the lines that may be commented from the comparison, never
from reading a patch: so they can prove those who do.
"""

import difflib
import io
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Side = Literal["LEFT", "RIGHT"]
Operation = tuple[str, int, int, int, int]

CONTEXT = 3
NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, kw_only=True)
class ChangedFile:
    """A file of a pull request; `before` None is added, `after` None removed.

    A binary file and one that is `too_large` have no patch.
    """

    path: str
    before: str | None = None
    after: str | None = None
    previous_path: str | None = None
    binary: bool = False
    too_large: bool = False

    @property
    def status(self) -> str:
        if self.previous_path is not None:
            return "renamed"
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "modified"

    @cached_property
    def _old(self) -> list[str]:
        return _lines(self.before)

    @cached_property
    def _new(self) -> list[str]:
        return _lines(self.after)

    @cached_property
    def groups(self) -> list[list[Operation]]:
        """The hunks, each as operations between lines of the old and the new file."""
        matcher = difflib.SequenceMatcher(None, self._old, self._new, autojunk=False)
        return [list(group) for group in matcher.get_grouped_opcodes(CONTEXT)]

    @property
    def additions(self) -> int:
        return sum(b2 - b1 for kind, _, _, b1, b2 in self._operations if kind != "equal")

    @property
    def deletions(self) -> int:
        return sum(a2 - a1 for kind, a1, a2, _, _ in self._operations if kind != "equal")

    @property
    def _operations(self) -> list[Operation]:
        return [operation for group in self.groups for operation in group]

    @cached_property
    def patch(self) -> str | None:
        """The patch as GitHub's list of files has it: hunks only, no line end after the last."""
        if self.binary or self.too_large or not self.groups:
            return None
        return "".join(line for group in self.groups for line in self._hunk(group)).removesuffix(
            "\n"
        )

    def _hunk(self, group: list[Operation]) -> list[str]:
        first, last = group[0], group[-1]
        shown = [f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"]
        for kind, a1, a2, b1, b2 in group:
            if kind == "equal":
                shown += [_line(" ", line) for line in self._old[a1:a2]]
            else:
                shown += [_line("-", line) for line in self._old[a1:a2]]
                shown += [_line("+", line) for line in self._new[b1:b2]]
        return shown

    def hunk_of(self, side: Side, line: int) -> int | None:
        """Return the hunk that shows a line, counted from 0; None when none does."""
        if self.binary or self.too_large:
            return None
        for number, group in enumerate(self.groups):
            _, old_begin, _, new_begin, _ = group[0]
            _, _, old_end, _, new_end = group[-1]
            begin, end = (old_begin, old_end) if side == "LEFT" else (new_begin, new_end)
            if begin < line <= end:
                return number
        return None

    def diff(self) -> str:
        """Return the file's part of `git diff`."""
        old = self.previous_path or self.path
        head = [f"diff --git a/{old} b/{self.path}"]
        if self.before is None:
            head.append("new file mode 100644")
        if self.after is None:
            head.append("deleted file mode 100644")
        if self.previous_path is not None:
            head += ["similarity index 90%", f"rename from {old}", f"rename to {self.path}"]
        if self.binary:
            head.append(f"Binary files a/{old} and b/{self.path} differ")
        elif self.groups:
            head += [
                f"--- {'/dev/null' if self.before is None else f'a/{old}'}",
                f"+++ {'/dev/null' if self.after is None else f'b/{self.path}'}",
                "".join(line for group in self.groups for line in self._hunk(group)).rstrip("\n"),
            ]
        return "\n".join(head) + "\n"


def _lines(text: str | None) -> list[str]:
    """Split as git does: a line feed alone ends a line."""
    return list(io.StringIO(text or "", newline="\n"))


def _range(begin: int, end: int) -> str:
    count = end - begin
    start = begin + 1 if count else begin
    return str(start) if count == 1 else f"{start},{count}"


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n{NO_NEWLINE}\n"
