"""`python -m trunkline_shared.testing.jira`: the demo's Jira on its own."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence

from trunkline_shared.testing.jira.demo import seed_demo
from trunkline_shared.testing.jira.stand_in import JiraStandIn
from trunkline_shared.testing.jira.state import FlavourName

FLAVOURS: tuple[FlavourName, ...] = ("cloud", "data_center")


async def serve(flavour: FlavourName, port: int, mount: str) -> None:
    """Serve the demo's data until SIGINT or SIGTERM; the URL is the only line of output."""
    end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end.set)
    async with JiraStandIn(flavour=flavour, port=port, mount=mount) as jira:
        seed_demo(jira.state)
        sys.stdout.write(f"{jira.url}\n")
        sys.stdout.flush()
        await end.wait()


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m trunkline_shared.testing.jira",
        description="Jira's REST API with the data of the demo; log in as demo with demo-token.",
    )
    parser.add_argument("--flavour", choices=FLAVOURS, default="cloud")
    parser.add_argument(
        "--port", type=int, default=0, help="port on 127.0.0.1; default: a free one"
    )
    parser.add_argument("--mount", default="", help="context path, such as /jira")
    given = parser.parse_args(argv)
    asyncio.run(serve(given.flavour, given.port, given.mount))


if __name__ == "__main__":
    main()
