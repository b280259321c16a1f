"""Programs of others that are measured or needed where they are installed: nginx and Redis."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import Subject, listening
from bench.readiness import free_port

_NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr crit;
events {{ worker_connections 256; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream said {{ server 127.0.0.1:{upstream}; keepalive 32; keepalive_requests 1000000000; }}
    server {{
        listen 127.0.0.1:{port};
        location = /constant {{
            default_type application/json;
            return 200 '{constant}';
        }}
        location = /mcp {{
            proxy_pass http://said;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }}
    }}
}}
"""
_CONSTANT = (
    '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text",'
    '"text":"{\\\\"said\\\\":\\\\"hello\\\\"}"}],"structuredContent":{"said":"hello"},"isError":false}}'
)


def installed(program: str) -> str | None:
    """Return where a program is, also where only an administrator's PATH leads."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")


@contextmanager
def nginx(program: str, upstream: int) -> Iterator[Subject]:
    """Run nginx: `/constant` answers without asking anybody, `/mcp` asks the upstream's port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nginx.conf"
        text = _NGINX.format(folder=folder, upstream=upstream, port=port, constant=_CONSTANT)
        file.write_text(text, encoding="utf-8")
        with listening("nginx", [program, "-p", folder, "-c", str(file)], port) as subject:
            yield subject


@contextmanager
def redis(program: str) -> Iterator[str]:
    """Run a Redis that writes nothing to the disk; yields its URL."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        with listening("redis", [*command, "--dir", folder], port):
            yield f"redis://127.0.0.1:{port}/0"
