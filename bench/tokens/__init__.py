"""What an agent reads and writes for its work, by the vendors' APIs and by our tools.

The payloads are those of the stand-ins, which have GitHub's own fields, in a pull request of 30
files with 40 comments and a failing matrix build. Nothing in it depends on time or machine.
"""

import subprocess
import sys
from collections.abc import Sequence

from pydantic import TypeAdapter

from bench.findings import Cell, Findings, Limit, Table
from bench.tokens.costs import Cost, Measured, Session, total
from bench.tokens.credentials import CREDENTIALS

MOST = 25
"""Per cent of the APIs' tokens."""
_NOTE = """\
Tokens are the router's own estimate, four bytes of UTF-8 each, on both sides; the last column is
the same share as the tokenizer o200k_base counts it. Each side is what a model writes (the command,
or the call with its arguments) and what it reads (the answer's body, or the text of the result).
The APIs' side knows them well: pages of a hundred, GraphQL where REST does not say it, the diff as
text. Ours names `fields` where a list is long. Of every task the whole is counted, also what an
earlier one has read."""


def findings(quick: bool) -> Findings:  # noqa: ARG001, FBT001 - a part's signature; once is exact
    """Measure all tasks on both sides."""
    session = _measured()
    return Findings(
        title="Tokens",
        about="An agent's tasks with a pull request of 30 files, 40 comments and a failing matrix "
        "build: what it costs by the vendors' APIs (`gh api`, `curl`), and by our tools.",
        tables=(_by_task(session), _altogether(session)),
        limits=(
            _limit("our tokens of the APIs', all tasks", session.ours(), session.raw()),
            _limit(
                "our tokens of the APIs', without the logs",
                session.ours(logs=False),
                session.raw(logs=False),
            ),
            _limit(
                "our tokens, the definitions among them, of the APIs' when none is asked twice",
                total([session.ours(), session.definitions]),
                session.raw_once,
            ),
        ),
        left_out=(
            (
                "What an agent pipes through `jq` or `tail`: there the selection is its own work, "
                "and what it leaves out it does not know of."
            ),
        ),
    )


def _measured() -> Session:
    given = [f"{name}={value}" for name, value in CREDENTIALS.items()]
    done = subprocess.run(
        ["/usr/bin/env", *given, sys.executable, "-m", "bench.tokens"],
        stdout=subprocess.PIPE,
        check=True,
    )
    return TypeAdapter(Session).validate_json(done.stdout)


def _by_task(session: Session) -> Table:
    return Table(
        title="Task by task",
        columns=("task", "requests", "tokens", "calls", "our tokens", "ours", "o200k_base"),
        rows=[_row(one) for one in session.tasks],
        note=_NOTE,
    )


def _row(of: Measured) -> Sequence[Cell]:
    raw, ours = total(of.raw.values()), total(of.ours)
    return (of.name, len(of.raw), raw.tokens, len(of.ours), ours.tokens, *_shares(ours, raw))


def _altogether(session: Session) -> Table:
    with_definitions = total([session.ours(), session.definitions])
    sums = (
        ("all tasks", session.raw(), session.ours()),
        ("without the logs", session.raw(logs=False), session.ours(logs=False)),
        ("no request sent twice", session.raw_once, session.ours()),
        ("no request sent twice; our definitions read", session.raw_once, with_definitions),
        ("the threads, by one GraphQL query alone", *session.threads),
    )
    return Table(
        title="Altogether",
        columns=("what counts", "tokens", "our tokens", "ours", "o200k_base"),
        rows=[(name, raw.tokens, ours.tokens, *_shares(ours, raw)) for name, raw, ours in sums],
        note=f"The definitions of the {session.tools} tools of eight servers, the toolset "
        f"`reviews` among them, are {session.definitions.tokens:,} tokens, once per conversation; "
        "the APIs have none. In the last row the agent writes a GraphQL query for the threads and "
        "picks their fields itself.",
    )


def _shares(ours: Cost, raw: Cost) -> tuple[str, str]:
    return f"{_share(ours, raw):.1f} %", f"{100 * ours.encoded / raw.encoded:.1f} %"


def _share(ours: Cost, raw: Cost) -> float:
    return 100 * ours.tokens / raw.tokens


def _limit(what: str, ours: Cost, raw: Cost) -> Limit:
    return Limit(what=what, value=_share(ours, raw), most=MOST, unit="%")
