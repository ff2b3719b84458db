"""The command `evidencegate serve`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
from pydantic import ValidationError

from evidencegate_server.service.process import loading
from evidencegate_server.service.settings import ServerSettings, read_settings


@click.command()
@click.option("--host", help="IP address to listen on; see --insecure.  [default: 127.0.0.1]")
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one.  [default: 50051]")
@click.option("--port-file", type=click.Path(path_type=Path), help="File to write the port to once the server serves.")
@click.option("--rules", type=click.Path(path_type=Path), help="Folder of the catalog.  [default: the packaged one]")
@click.option("--models", type=click.Path(path_type=Path), help="Models file, for the model engines.  [default: none]")
@click.option(
    "--max-in-flight", type=int, help="Calls at work at once, for each worker, before UNAVAILABLE.  [default: 256]"
)
@click.option("--workers", type=int, help="Processes that serve on the port.  [default: 1]")
@click.option(
    "--engine-process/--no-engine-process",
    default=None,
    help="Whether a second process works on heavy calls, and on light ones that overlap."
    "  [default: with one worker and two cores or more]",
)
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate chain (PEM) of the port.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its key (PEM).")
@click.option("--tls-client-ca", type=click.Path(path_type=Path), help="Authorities (PEM) of callers' certificates.")
@click.option("--tokens", type=click.Path(path_type=Path), help="File of callers and digests of their tokens.")
@click.option("--insecure/--no-insecure", default=None, help="Serves others without TLS or without knowing them.")
@click.option("--health-address", metavar="HOST:PORT", help="Where health alone is answered too, in plain text.")
@click.option("--metrics-host", help="Address for Prometheus.  [default: --host where that is loopback]")
@click.option("--metrics-port", type=int, help="Port for Prometheus; 0 takes a free one.  [default: 9464]")
@click.option("--metrics/--no-metrics", default=None, help="Whether to offer metrics.  [default: --metrics]")
@click.option(
    "--max-connection-age-seconds", type=float, help="Age of a connection before it is renewed.  [default: 0]"
)
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), help="[default: info]")
@click.option("--grace-seconds", type=float, help="Time for calls in flight to finish at the end.  [default: 10]")
@click.option("--drain-pause-seconds", type=float, help="Time between NOT_SERVING and refusing calls.  [default: 0.3]")
@click.option("--store", metavar="URL", help="Database for evaluations: sqlite:///FILE, postgresql://..., mysql://...")
@click.option("--store-table", metavar="NAME", help="A table of your own to write instead of the product's.")
@click.option("--store-column", metavar="NAME", help="Its column.  [default: self_evaluation]")
@click.option("--store-key", metavar="NAME", help="Its column with the session ID.  [default: session_id]")
@click.option("--store-keep-input/--no-store-keep-input", default=None, help="Whether judged input is kept as well.")
@click.option("--store-connections", type=int, help="Connections to the store.  [default: 8]")
@click.option("--store-timeout-seconds", type=float, help="Time for a lock or statement of the store.  [default: 5]")
def serve(**options: Any) -> None:
    """Serves evidencegate over gRPC until SIGTERM or SIGINT.

    Each option can also come from the environment: EVIDENCEGATE_PORT and so on. Prints one line to stdout when it
    serves; logs go to stderr as JSON. A second signal ends the server without waiting. SIGHUP reads the files of TLS
    and tokens again; they are looked at every second as well.

    Exit status: 0 after a signal, 1 where it cannot start (a file refused, a port taken) or workers keep dying, 2 for a
    wrong option.
    """
    try:
        settings = read_settings({name: value for name, value in options.items() if value is not None}, os.environ)
    except ValidationError as error:
        raise click.UsageError(_settings_problems(error)) from error

    with loading():  # here, so that a wrong option is told at once
        from evidencegate_server.catalog.problems import CatalogError
        from evidencegate_server.models.profiles import ModelsError
        from evidencegate_server.service.ports import StartError

    try:
        (_serve_alone if settings.workers == 1 else _serve_by_workers)(settings)
    except CatalogError as error:
        raise click.ClickException(_in_folder(str(error), settings.rules)) from error
    except (ModelsError, StartError) as error:
        raise click.ClickException(str(error)) from error


def _serve_alone(settings: ServerSettings) -> None:
    with loading():
        from evidencegate_server.service.configuration import load_configuration
        from evidencegate_server.service.run import run

    catalog, profiles = load_configuration(settings)
    run(catalog, settings, profiles)


def _serve_by_workers(settings: ServerSettings) -> None:
    with loading():  # neither gRPC nor the engine: the workers have them
        from evidencegate_server.workers.parent import run_workers

    run_workers(settings)


def _in_folder(problem: str, rules: Path | None) -> str:
    """Returns a catalog's complaint, which names a file inside its folder, with the folder that was asked for."""
    return problem if rules is None or problem.startswith(str(rules)) else f"{rules}: {problem}"


def _settings_problems(error: ValidationError) -> str:
    """Returns one line for each wrong setting, by the names of its flag and its variable."""
    lines = []
    for problem in error.errors():
        message = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:  # of several settings, which it names
            lines.append(message)
            continue
        name = str(problem["loc"][0])
        lines.append(f"--{name.replace('_', '-')} (EVIDENCEGATE_{name.upper()}): {message}")
    return "\n".join(lines)
