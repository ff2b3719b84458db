"""Two processes write both channels of the same sessions, one is killed, and nothing is lost or half written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from evidencegate_server.store.model import Channel, StoreOptions, Write
from evidencegate_server.store.store import Store

from tests.store.conftest import run
from tests.store.writers import content
from tests.support import ROOT

CHANNELS = {"rules": Channel.RULE_EVALUATION, "verifier": Channel.VERIFIER_EVALUATION}


@contextmanager
def writer(url: str, name: str, sessions: int, writes: int, how: str = "store") -> Iterator[subprocess.Popen[str]]:
    """A process that is ready to write and waits to be told."""
    command = [sys.executable, "-m", "tests.store.writers", url, name, str(sessions), str(writes), how]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        try:
            yield process
        finally:
            process.kill()


def go(*processes: subprocess.Popen[str]) -> None:
    """Lets them write."""
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def answered(process: subprocess.Popen[str]) -> list[tuple[str, int]]:
    """The writes that were answered from here on, each with its session."""
    assert process.stdout is not None
    found = []
    for line in process.stdout:
        session, number = line.split()
        found.append((session, int(number)))
    return found


def check(url: str, done: dict[str, list[tuple[str, int]]], in_flight: dict[str, int]) -> None:
    """Compares what is stored with what was answered; a write in flight at the kill may be there or not."""
    latest: dict[tuple[str, str], int] = {}
    for name, writes in done.items():
        latest |= {(session, name): number for session, number in writes}
    with Store(StoreOptions(url)) as store:
        revisions = 0
        for session in {session for session, _ in latest}:
            stored = store.get(session)
            value = json.loads(stored.text)
            revisions += stored.revision
            for name, channel in CHANNELS.items():
                number = latest.get((session, name))
                if number is None and channel not in value:
                    continue
                held = value[channel]["number"]
                assert held == number or held == in_flight.get(name), (session, name)
                assert value[channel] == json.loads(content(name, channel, held)), "half written"
        listed, token = [], ""
        while True:
            page = store.page(100, token)
            listed += page.sessions
            token = page.next_page_token
            if not token:
                break
    requests = run(url, "SELECT count(*) FROM evidencegate_write_request")[0][0]
    count = sum(map(len, done.values()))
    assert count <= int(str(requests)) <= count + len(in_flight)
    assert sum(each.revision for each in listed) == requests, (
        "a write was counted and its effect is gone, or the reverse"
    )


def both_write_and_one_is_killed(url: str, sessions: int, writes: int) -> None:
    """Runs the two writers, kills one of them in the middle, and lets a third finish its work."""
    Store(StoreOptions(url)).close()
    with writer(url, "rules", sessions, writes) as one, writer(url, "verifier", sessions, writes) as other:
        go(one, other)
        assert one.stdout is not None
        before = [one.stdout.readline().split() for _ in range(writes // 2)]
        one.kill()
        killed = [(session, int(number)) for session, number in before] + answered(one)
        survived = answered(other)
        assert other.wait(60) == 0
    assert len(survived) == writes
    assert writes // 2 <= len(killed) < writes, "it was not killed in the middle"
    check(url, {"rules": killed, "verifier": survived}, {"rules": len(killed)})
    # The same writer again: what it did before is known, so that it ends where it would have ended.
    with writer(url, "rules", sessions, writes) as again:
        go(again)
        finished = answered(again)
        assert again.wait(600) == 0
    check(url, {"rules": finished, "verifier": survived}, {})


@pytest.mark.req("SE-01")
@pytest.mark.timeout(300)
def test_two_writers_lose_nothing_where_one_is_killed(url: str) -> None:
    both_write_and_one_is_killed(url, sessions=10, writes=150)


@pytest.mark.slow
@pytest.mark.req("SE-01")
@pytest.mark.timeout(1800)
def test_ten_thousand_writes_to_a_hundred_sessions_lose_nothing_where_one_writer_is_killed(url: str) -> None:
    both_write_and_one_is_killed(url, sessions=100, writes=5_000)


@pytest.mark.req("SE-01")
@pytest.mark.timeout(300)
def test_a_naive_read_modify_write_does_lose_writes(url: str) -> None:
    """Shows that the test above can fail: the same harness with programs that read, change and write back."""
    with Store(StoreOptions(url)) as store:
        store.write(Write("s0", "first", Channel.RULE_EVALUATION, "{}", "first"))
    writes = 400
    with writer(url, "rules", 1, writes, "naive") as one, writer(url, "verifier", 1, writes, "naive") as other:
        go(one, other)
        assert one.wait(250) == other.wait(250) == 0
    with Store(StoreOptions(url)) as store:
        assert store.get("s0").revision < 1 + 2 * writes
