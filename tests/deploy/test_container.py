"""Proves the container file as far as that goes without a container runtime."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from evidencegate_server.service.settings import ServerSettings, read_settings
from pydantic import ValidationError

from tests.certificates import files_of, server_certificate
from tests.support import ROOT

CONTAINERFILE = ROOT / "deploy" / "Containerfile"
SOME_USER = 65532


def instructions() -> list[tuple[str, str]]:
    """Returns each instruction and its arguments, with continued lines joined."""
    text = "\n".join(line for line in CONTAINERFILE.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
    joined = re.sub(r"\\\n\s*", " ", text)
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line.strip())]


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, "--strict-labels", CONTAINERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def copied() -> set[str]:
    """Returns what the image is built of."""
    copies = [rest.split() for word, rest in instructions() if word == "COPY"]
    return {source for words in copies if not words[0].startswith("--from") for source in words[:-1]}


def test_it_copies_what_is_there_and_what_the_ignore_file_lets_through() -> None:
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert copied() == {line.removeprefix("!") for line in ignore if line.startswith("!")}
    assert all((ROOT / source).exists() for source in copied())


@pytest.mark.slow
def test_the_wheel_can_be_built_of_what_is_copied(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), "."]
    subprocess.run(command, check=True, cwd=source)
    names = set(zipfile.ZipFile(next(tmp_path.glob("evidencegate-*.whl"))).namelist())
    assert {"evidencegate_server/workers/parent.py", "evidencegate_server/packaged_rules/catalog.yaml"} <= names


def test_the_extras_are_those_of_the_project() -> None:
    (extras,) = (rest.partition("=")[2].split(",") for word, rest in instructions() if rest.startswith("EXTRAS="))
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(re.search(rf"^{extra} = \[", text, re.MULTILINE) for extra in extras)


def test_it_runs_as_nobody_and_starts_only_with_tls_and_known_callers(tmp_path: Path) -> None:
    found = instructions()
    assert ("USER", f"{SOME_USER}:{SOME_USER}") in found
    (variables,) = (rest for word, rest in found if word == "ENV")
    environment = dict(part.split("=", 1) for part in variables.split())
    with pytest.raises(ValidationError, match=r"no TLS .* and no way to know callers"):
        read_settings({}, environment)
    files = files_of(server_certificate(), tmp_path)
    given = {"tls_cert": files.cert, "tls_key": files.key, "tokens": tmp_path / "tokens"}
    settings: ServerSettings = read_settings(given, environment)
    exposed = next(rest for word, rest in found if word == "EXPOSE").split()
    assert settings.health_at is not None
    assert exposed == [str(port) for port in (settings.port, settings.health_at[1], settings.metrics_port)]


@pytest.mark.skipif(os.getuid() != 0 or shutil.which("unshare") is None, reason="needs the right to mount")
def test_the_server_needs_nothing_that_it_can_write_to() -> None:
    """The file system is read-only, as in the container of the Kubernetes manifest."""
    python = f"{sys.executable} -m evidencegate_server serve --port 0 --no-metrics --drain-pause-seconds 0"
    # The second line shows that nothing can be written, before the server starts in the same place.
    script = f"mount -o remount,bind,ro / || exit 77\ntouch /written 2>/dev/null && exit 78\nexec {python}\n"
    environment = os.environ | {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script], cwd="/", stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line and process.wait(30) == 77:
            pytest.skip("no right to mount here")
        assert line.startswith("evidencegate serves on 127.0.0.1:")
        process.terminate()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()
