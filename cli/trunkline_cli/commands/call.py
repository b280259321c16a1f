"""`trunkline call`: one tool call, its result on standard output."""

import argparse
import json
import sys

from trunkline_cli import terminal
from trunkline_cli.arguments import parsed
from trunkline_cli.environment import router_address
from trunkline_cli.failure import FAILED, OK, CommandFailed, unknown
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient
from trunkline_cli.trace_text import SHORT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare a tool and its arguments."""
    parser.add_argument("tool", metavar="SERVER.TOOL", help="a tool; TOOL alone will do")
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="key=value",
        help="an argument: text, a number, true, JSON; key=@file reads a file, key=- stdin",
    )
    parser.add_argument("--json", action="store_true", help="print the whole CallToolResult")


def run(arguments: argparse.Namespace) -> int:
    """Call the tool; an error of the tool goes to standard error."""
    server, _, name = arguments.tool.rpartition(".")
    with RouterClient(router_address()) as router:
        tool = _find(router, server or None, name)
        given = parsed(arguments.arguments, tool.get("inputSchema", {}), stdin=sys.stdin)
        result = router.request(
            "tools/call",
            {"name": name, "arguments": given},
            server=server or None,
            on_notification=_show_progress if sys.stderr.isatty() else None,
        )
    if arguments.json:
        print(terminal.as_json(result))
    elif result.get("isError"):
        terminal.complain(f"{arguments.tool}: {_readable(result)}{_traced(result)}")
    elif result.get("resultType") == "input_required":
        raise CommandFailed(
            f"{arguments.tool} asks the user something (elicitation), which a command cannot "
            "answer: call it from an MCP client that shows such questions"
        )
    else:
        _print_content(result)
    return FAILED if result.get("isError") else OK


def _find(router: RouterClient, server: str | None, name: str) -> Json:
    if server is not None:
        servers = router.servers()
        if server not in servers:
            raise unknown("server", server, servers)
    tools = {tool["name"]: tool for tool in router.all_pages("tools/list", "tools", server=server)}
    if name in tools:
        return tools[name]
    if server is not None:
        raise unknown("tool", f"{server}.{name}", [f"{server}.{known}" for known in tools])
    raise unknown("tool", name, tools)


def _print_content(result: Json) -> None:
    structured = result.get("structuredContent")
    if structured is not None:
        print(terminal.as_json(structured))
        return
    for block in result.get("content", []):
        text = block.get("text") if block.get("type") == "text" else None
        if text is None:
            print(terminal.as_json(block))
        else:
            print(text)


def _readable(result: Json) -> str:
    """Return our error payload as a person reads it, or a foreign one as it is."""
    texts = [block["text"] for block in result.get("content", []) if "text" in block]
    try:
        payload = json.loads(texts[0]) if texts else {}
    except ValueError:
        payload = {}
    if not isinstance(payload, dict) or "error_code" not in payload:
        return "\n".join(texts) or "the tool failed without saying why"
    lines = [f"{payload['error_code']}: {payload.get('message', '')}"]
    if payload.get("hint"):
        lines.append(f"hint: {payload['hint']}")
    if payload.get("retry_after") is not None:
        lines.append(f"try again in {payload['retry_after']:g} s")
    return "\n  ".join(lines)


def _traced(result: Json) -> str:
    """Say how to see what happened in a call; empty where the router does not tell."""
    note = (result.get("_meta") or {}).get("dev.trunkline/call") or {}
    trace_id = str(note.get("trace_id") or "")
    return f"\n  trace: trunkline trace {trace_id[:SHORT]}" if trace_id else ""


def _show_progress(message: Json) -> None:
    params = message.get("params") or {}
    if message.get("method") != "notifications/progress":
        return
    total = f"/{params['total']:g}" if params.get("total") is not None else ""
    done = f"{params.get('progress', 0):g}{total}"
    print(f"{done} {params.get('message', '')}".rstrip(), file=sys.stderr, flush=True)
