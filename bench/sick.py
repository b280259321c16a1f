"""The process of the servers that are ill: prints their URLs, and serves until it is ended."""

import asyncio

from trunkline_shared.testing.sick_servers import sick_servers


async def main() -> None:
    async with sick_servers() as urls:
        print(*(f"{url}/mcp" for url in urls.values()), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
