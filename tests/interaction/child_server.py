"""A server on standard streams, run as a program: `python child_server.py WORD...`.

It speaks 2025-11-25, by hand; each word gives it a bad habit.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Message = dict[str, Any]

TOOLS = ("pid", "count", "env", "ask", "die", "late", "say", "endless")
HABITS = frozenset(sys.argv[1:])
LOCK = threading.Lock()
ANSWERS: dict[object, Message] = {}
ANSWERED = threading.Condition()
CALLS: list[str] = []
ENV = dict(os.environ)  # noqa: TID251 - what the router gave it is what a test asks for


def send(message: Mapping[str, object]) -> None:
    with LOCK:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def text(said: object) -> Message:
    return {"content": [{"type": "text", "text": str(said)}], "isError": False}


def call(request: Message) -> None:
    name, arguments = request["params"]["name"], request["params"].get("arguments", {})
    CALLS.append(name)
    if name == "die":
        os._exit(3)
    if name == "endless":
        with LOCK:
            sys.stdout.write("x" * 3_000_000)
            sys.stdout.flush()
        return
    if name == "late":
        # A second process of the group, which a kill of the first alone would leave behind.
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for stream in (0, 1, 2):
                os.close(stream)
            signal.pause()
        send({"id": request["id"], "result": text(child)})
        return
    said: Mapping[str, object] = {
        "pid": os.getpid(),
        "count": len(CALLS),
        "env": json.dumps(ENV),
        "say": arguments.get("text"),
    }
    result = text(said[name]) if name in said else text(ask(request))
    if name == "say" and "progressToken" in request["params"].get("_meta", {}):
        token = request["params"]["_meta"]["progressToken"]
        params = {"progressToken": token, "progress": 1, "message": arguments.get("text")}
        send({"method": "notifications/progress", "params": params})
    send({"id": request["id"], "result": result})


def ask(request: Message) -> str:
    id_ = f"ask-{request['id']}"
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    params = {"message": "Who is there?", "requestedSchema": schema}
    send({"id": id_, "method": "elicitation/create", "params": params})
    with ANSWERED:
        ANSWERED.wait_for(lambda: id_ in ANSWERS, timeout=10)
    answer = ANSWERS[id_]
    return str(answer.get("result", {}).get("content", {}).get("name", answer.get("error")))


def initialized(request: Message) -> None:
    capabilities: Message = {"tools": {"listChanged": True}}
    send({
        "id": request["id"],
        "result": {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "serverInfo": {"name": "child", "version": "1"},
        },
    })


def serve(request: Message) -> None:
    method = request.get("method")
    if method is None:
        with ANSWERED:
            ANSWERS[request["id"]] = request
            ANSWERED.notify_all()
    elif method == "initialize":
        initialized(request)
    elif method == "server/discover" and "dies-of-discover" in HABITS:
        os._exit(4)
    elif method == "tools/list":
        schema = {"type": "object"}
        tools = [{"name": name, "inputSchema": schema} for name in TOOLS]
        send({"id": request["id"], "result": {"tools": tools}})
    elif method == "tools/call":
        threading.Thread(target=call, args=(request,), daemon=True).start()
    elif "id" in request:
        send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})


def main() -> None:
    if "dies-at-once" in HABITS:
        os._exit(3)
    if "ignores-sigterm" in HABITS:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "garbage" in HABITS:
        sys.stdout.write("Starting…\n{}\n[1]\n\x1b[1mnot json\n\n")
        sys.stdout.flush()
    if "PID_FILE" in ENV:
        Path(ENV["PID_FILE"]).write_text(str(os.getpid()), encoding="utf-8")
    if "floods" in HABITS:
        sys.stderr.write(f"token {ENV.get('CHILD_TOKEN', '')}\n" * 5000)
        sys.stderr.write("x" * 300_000 + "\n")
    for line in sys.stdin:
        serve(json.loads(line))
    while "ignores-sigterm" in HABITS:
        signal.pause()


if __name__ == "__main__":
    main()
