"""Is the engine process: works on the calls that the server hands over, one after the other, and ends with it."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
from pathlib import Path
from typing import IO, cast

import orjson

from evidencegate_server.service.process import loading, tune_process

with loading():
    from evidencegate_server.catalog.load import load_catalog
    from evidencegate_server.service.engine_wire import (
        ANSWER,
        HEAD,
        LOADED,
        NOT_HERE,
        EngineOrder,
        answer_bytes,
        message,
        works_of,
    )
    from evidencegate_server.service.logs import describe_fault, make_logger
    from evidencegate_server.service.rehearsal import rehearse
    from evidencegate_server.service.servicers import Answer, Methods

# Several light calls in one read.
_READ_AHEAD_BYTES = 1 << 18


def serve(connection: socket.socket) -> None:
    """Works until the server closes the connection, however it ended, and raises EOFError then."""
    reader = cast("IO[bytes]", connection.makefile("rb", _READ_AHEAD_BYTES))
    order = EngineOrder(**orjson.loads(_read(reader)[1]))
    with loading():
        catalog = load_catalog(Path(order.rules))
    methods = Methods(catalog, order.validations_bytes)
    rehearse(methods, make_logger("error"))
    tune_process()
    works = works_of(methods)
    connection.sendall(message(LOADED, catalog.digest.encode()))
    while True:
        method, request = _read(reader)
        answer = None
        with contextlib.suppress(Exception):  # the server works on it once more, and tells its caller what is wrong
            answer = works[method](request)
        if isinstance(answer, Answer):
            connection.sendall(message(ANSWER, answer_bytes(answer)))
        else:
            connection.sendall(message(NOT_HERE, b""))


def _read(reader: IO[bytes]) -> tuple[int, bytes]:
    """Returns the next message; raises EOFError where the server is gone."""
    head = reader.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    kind, length = HEAD.unpack(head)
    body = reader.read(length)
    if len(body) < length:
        raise EOFError
    return kind, body


def main() -> None:
    """Serves the socket whose descriptor is the first argument."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the server says when to end
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        try:
            serve(connection)
        except (EOFError, ConnectionError):
            return
        except Exception as error:  # noqa: BLE001  # told in a line that is JSON, as all lines of the log are
            make_logger("error").error("fault", method="engine_process", **describe_fault(error))
            sys.exit(1)


if __name__ == "__main__":
    main()
