"""An agent for tests that does what its prompt says: a JSON list of steps, each a list of words.

It takes the arguments of `claude -p` and writes its lines; see tests/interaction/commanding.py.
"""

import json
import os
import signal
import sys
from pathlib import Path

GIVEN = dict(os.environ)  # noqa: TID251 - what it was given is what is looked at


def note(path):
    """Leave this process's number."""
    with Path(path).open("a", encoding="utf-8") as notes:
        notes.write(f"{os.getpid()}\n")


def linger(path):
    """Stay, whoever asks for the end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    note(path)
    os.write(ready[1], b".")
    while True:
        signal.pause()


def fork(path):
    """Leave a child in the group."""
    if os.fork() == 0:
        linger(path)
    os.read(ready[0], 1)


def escape(path):
    """Leave a grandchild in a session of its own, which nobody waits for."""
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            linger(path)
        os._exit(0)
    os.waitpid(child, 0)
    os.read(ready[0], 1)


def litter():
    """Leave files in every home, in a folder that cannot be written to."""
    for place in (GIVEN["HOME"], GIVEN["TMPDIR"], GIVEN["CLAUDE_CONFIG_DIR"], "."):
        below = Path(place) / "kept" / "deep"
        below.mkdir(parents=True)
        (below / "file").write_text("x", encoding="utf-8")
        below.chmod(0o500)
        below.parent.chmod(0o500)


def look(path):
    """Tell what it was given."""
    argv = sys.argv[1:]
    config = Path(argv[argv.index("--mcp-config") + 1])
    seen = {
        "argv": argv,
        "environment": GIVEN,
        "config": json.loads(config.read_bytes()),
        "modes": [config.stat().st_mode & 0o777, config.parent.stat().st_mode & 0o777],
        "folder": str(config.parent),
        "cwd": str(Path.cwd()),
        "inside": [entry.name for entry in Path.cwd().iterdir()],
        "session": [os.getsid(0), os.getpgid(0), os.getppid()],
        "open": [entry.name for entry in Path("/proc/self/fd").iterdir()],
    }
    Path(path).write_text(json.dumps(seen), encoding="utf-8")


def say(line):
    """Write a line, or what is none."""
    os.write(1, line.encode() + b"\n")


def flood():
    """Write without end."""
    while True:
        os.write(1, b"x" * 65536)


def hang():
    """Wait for ever."""
    while True:
        signal.pause()


STEPS = {
    "note": note,
    "fork": fork,
    "escape": escape,
    "litter": litter,
    "look": look,
    "say": say,
    "cut": lambda text: os.write(1, text.encode()),
    "complain": lambda text: os.write(2, text.encode()),
    "flood": flood,
    "hang": hang,
    "deaf": lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
    "silent": lambda: (os.close(1), os.close(2)),
    "die": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "exit": lambda code: os._exit(int(code)),
}

if __name__ == "__main__":
    ready = os.pipe()
    for name, *words in json.loads(sys.stdin.read()):
        STEPS[name](*words)
