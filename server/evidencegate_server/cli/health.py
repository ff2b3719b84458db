"""Holds `evidencegate health`: what a probe asks, for those that have no gRPC."""

from __future__ import annotations

from typing import Any

import click
import grpc
from evidencegate_client import ClientConfig, TargetError
from evidencegate_client.target import check_target
from grpc_health.v1 import health_pb2, health_pb2_grpc

from evidencegate_server.cli.server_options import calls_a_server, client_config, why_nobody_answers

_EXIT_NO_ANSWER = 2


@click.command()
@click.argument("server", metavar="HOST:PORT")
@click.argument("service", required=False, default="")
@click.option("--timeout-seconds", type=click.FloatRange(min=0.1, max=600), default=5.0, show_default=True)
@calls_a_server
def health(server: str, service: str, timeout_seconds: float, **access: Any) -> None:
    """Asks the server at HOST:PORT whether it serves, as a whole or one SERVICE, and prints the answer.

    Works on the port for calls and on that of `serve --health-address`, which needs neither TLS nor a token.

    Exit status: 0 where it serves, 1 where it does not, 2 where nobody answers or the service is not known.
    """
    try:
        config = client_config(check_target(server), access)
    except TargetError as error:
        raise click.BadParameter(str(error)) from error
    try:
        with _channel(server, config) as channel:
            request = health_pb2.HealthCheckRequest(service=service)
            answer = health_pb2_grpc.HealthStub(channel).Check(
                request, timeout=timeout_seconds, metadata=config.call_metadata()
            )
    except grpc.RpcError as error:
        call: Any = error
        click.echo(f"evidencegate: {_problem(server, service, call, config)}", err=True)
        raise SystemExit(_EXIT_NO_ANSWER) from error
    state = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    click.echo(state)
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise SystemExit(1)


def _problem(server: str, service: str, call: Any, config: ClientConfig) -> str:
    """Returns why there is no answer, and what to do."""
    told = f"{server}: {call.code().name}: {call.details()}"
    if call.code() is grpc.StatusCode.NOT_FOUND:
        from evidencegate_server.service.self_evaluations import SELF_EVALUATIONS
        from evidencegate_server.service.servicers import SERVICE_NAMES

        names = ", ".join((*SERVICE_NAMES, SELF_EVALUATIONS))
        return f"{told}: there is no service {service!r}; known are {names}, and none for the whole"
    if call.code() is grpc.StatusCode.UNAVAILABLE:
        return f"{told}; start one with `evidencegate serve`; {why_nobody_answers(config)}"
    return told


def _channel(server: str, config: ClientConfig) -> grpc.Channel:
    credentials = config.channel_credentials(server)
    options = config.channel_options()
    if credentials is None:
        return grpc.insecure_channel(server, options=options)
    return grpc.secure_channel(server, credentials, options=options)
