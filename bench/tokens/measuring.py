"""Both sides of every task, each on stand-ins of its own: what is written on one is not read."""

import json

import aiohttp
from mcp import Client

from bench.tokens.asking import Exchange, by_api, by_tool
from bench.tokens.costs import Cost, Measured, Session
from bench.tokens.counting import cost
from bench.tokens.tasks import Request, tasks
from bench.tokens.vendors import mesh, vendors


async def measured() -> Session:
    """Measure."""
    async with vendors() as before, aiohttp.ClientSession() as session:
        ways = tasks(before.scenario, before.todo)
        raw = [
            {_name(one): _cost(await by_api(session, one, before.addresses)) for one in way.raw}
            for way in ways
        ]
    async with vendors() as before, mesh(before) as url, Client(url) as client:
        listed = (await client.list_tools()).tools
        ours = [
            [_cost(await by_tool(client, one, before.addresses)) for one in way.ours]
            for way in tasks(before.scenario, before.todo)
        ]
    return Session(
        tasks=[
            Measured(name=way.name, of_logs=way.of_logs, raw=theirs, ours=own)
            for way, theirs, own in zip(ways, raw, ours, strict=True)
        ],
        tools=len(listed),
        definitions=cost([
            json.dumps({
                "name": one.name,
                "description": one.description,
                "input_schema": one.input_schema,
            })
            for one in listed
        ]),
    )


def _name(request: Request) -> str:
    return f"{request.method} {request.path} {request.accept}"


def _cost(exchange: Exchange) -> Cost:
    return cost([exchange.written, exchange.read])
