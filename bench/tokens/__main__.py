"""Measures in a process of its own, whose environment holds the stand-ins' secrets."""

import asyncio
import sys

import orjson

from bench.tokens.measuring import measured

sys.stdout.buffer.write(orjson.dumps(asyncio.run(measured())))
