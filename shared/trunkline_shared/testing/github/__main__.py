"""`python -m trunkline_shared.testing.github`: the demo's GitHub on its own."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence

from trunkline_shared.testing.github.demo import seed_demo
from trunkline_shared.testing.github.stand_in import GitHubStandIn


async def serve(port: int, mount: str) -> None:
    """Serve the demo's data until SIGINT or SIGTERM; the URL is the only line of output."""
    end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end.set)
    async with GitHubStandIn(port=port, mount=mount) as github:
        seed_demo(github.state)
        sys.stdout.write(f"{github.url}\n")
        sys.stdout.flush()
        await end.wait()


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m trunkline_shared.testing.github",
        description="GitHub's REST API with the data of the demo; the token is demo-token.",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port on 127.0.0.1; default: a free one"
    )
    parser.add_argument("--mount", default="", help="path of the API: /api/v3 is GitHub Enterprise")
    given = parser.parse_args(argv)
    asyncio.run(serve(given.port, given.mount))


if __name__ == "__main__":
    main()
