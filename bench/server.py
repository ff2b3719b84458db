"""Serves evidencegate with an echo method beside it, behind the same interceptor, for measurements.

Prints the port once it serves and ends with its standard input. `--memo-bytes 0` makes every call a cold one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

import grpc
import uvloop
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.service.engine_process import EngineProcess, has_second_core, order_of
from evidencegate_server.service.process import tune_process
from evidencegate_server.service.server import assemble
from evidencegate_server.service.settings import ServerSettings


async def _echo(request: bytes, _context: Any) -> bytes:
    return request


ECHO = grpc.method_handlers_generic_handler(
    "evidencegate.bench.Echo", {"Echo": grpc.unary_unary_rpc_method_handler(_echo)}
)


async def _serve(memo_bytes: int, *, engine_process: bool) -> None:
    settings = ServerSettings(memo_bytes=memo_bytes, metrics=False, port=0, max_in_flight=1024)
    catalog = load_catalog(find_rules(None))
    assembly = assemble(catalog, settings, [ECHO])
    tune_process()
    port = assembly.server.add_insecure_port("127.0.0.1:0")
    await assembly.start()
    if engine_process:
        assembly.lanes.engine = EngineProcess(order_of(settings, catalog), assembly.logger)
        await assembly.lanes.engine.decided()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await assembly.server.stop(None)
    if assembly.lanes.engine is not None:
        await assembly.lanes.engine.close()


def main() -> None:
    """Serves until standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memo-bytes", type=int, required=True)
    parser.add_argument("--engine-process", action=argparse.BooleanOptionalAction, default=has_second_core())
    arguments = parser.parse_args()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(arguments.memo_bytes, engine_process=arguments.engine_process))


if __name__ == "__main__":
    main()
