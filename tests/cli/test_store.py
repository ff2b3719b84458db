"""`evidencegate store`, `show` and `evaluate --store`: what a person gets, and what they are told where it fails."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from evidencegate_server.store.model import Channel, StoreOptions, Write
from evidencegate_server.store.store import Store

from tests.cli.conftest import EXAMPLES, run


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a store in a file that is not there yet."""
    return f"sqlite:///{tmp_path}/e.db"


@pytest.mark.req("SE-01", "SE-02")
def test_an_evaluation_is_kept_with_its_input_and_shown_to_a_person(url: str, server: str) -> None:
    evaluated = run("evaluate", EXAMPLES / "03-cropped-not.json", "--store", url, "--server", server)
    assert evaluated.code == 0
    output = {"text": "\u7ed3\u8bba\n1. x\x1b[31m", "writer": "template", "requested_writer": "model"}
    output |= {"fallback_reason": "leak", "fallback_detail": "a number", "leaks": [{"kind": "number", "quote": "42"}]}
    with Store(StoreOptions(url)) as store:
        write = Write("03-cropped-not", "r1", Channel.VERIFIER_EVALUATION, json.dumps(output), "d", is_part=True)
        store.write(write)
        store.write(Write("03-cropped-not", "r2", Channel.RULE_EVALUATION, '{"ok":true}', "e"))
    shown = run("show", "03-cropped-not", "--store", url)
    assert shown.code == 0
    for told in (
        "asked: Why is search-index-0 pending?",
        "verdict REJECT, score 0 over 1 critical fact, route DEGRADE, round 1",
        "the engine deterministic said REJECT",
        "  c1 [contradicted] (symptom, critical)",
        "      search-index-0 is Pending, 0/1 ready.",
        "      why: The evidence conflicts with it",
        "evidence.excerpt_mismatch at claims[1]",
        "the user was told, by the template instead of the model:",
        "  | 1. x\ufffd[31m",
        "  why: leak: a number",
        "  not let through: number 42",
        '  {"ok": true}',
    ):
        assert told in shown.out
    as_json = run("show", "03-cropped-not", "--store", url, "--json")
    assert as_json.lines[0]["verifier_evaluation"]["verdict"] == "REJECT"


@pytest.mark.req("SE-04", "SE-05")
def test_a_parse_failure_and_facts_without_claims_are_shown(url: str) -> None:
    stored = {
        "verdict": "LOW_CONFID",
        "executor_output_parse_status": {"status": "malformed", "reason": "not_object", "message": "a list"},
        "facts_checked": [{"fact": "f1: the pool is full", "verification": "no_evidence", "detail": "nothing says so"}],
        "composer_output": {
            "text": "safe",
            "parse_status": {"status": "missing", "reason": "empty", "message": "no text"},
        },
    }
    with Store(StoreOptions(url)) as store:
        store.write(Write("s1", "r1", Channel.VERIFIER_EVALUATION, json.dumps(stored), "d"))
    shown = run("show", "s1", "--store", url).out
    assert "the executor's output was malformed (not_object): a list" in shown
    assert "  [no_evidence] f1: the pool is full" in shown
    assert "the composer's output was missing (empty): no text" in shown
    assert "asked: (not kept)" in shown


@pytest.mark.parametrize(
    "held", ['{"verifier_evaluation": 7}', '{"verifier_evaluation": {"claim_checks": [1, {}], "round": []}}']
)
def test_what_somebody_else_stored_is_shown_as_far_as_it_goes(url: str, held: str, tmp_path: Path) -> None:
    with Store(StoreOptions(url)) as store:
        store.write(Write("s1", "r1", Channel.RULE_EVALUATION, "{}", "d"))
    with sqlite3.connect(tmp_path / "e.db") as connection:
        connection.execute("UPDATE diagnosis_session SET self_evaluation = ?", (held,))
    connection.close()
    assert run("show", "s1", "--store", url).code == 0


def test_a_session_that_is_not_there_is_told(url: str) -> None:
    shown = run("show", "nothing", "--store", url)
    assert (shown.code, shown.out) == (1, "")
    assert "nothing is stored of this session" in shown.err


def test_a_server_without_a_store_is_told(server: str) -> None:
    shown = run("show", "s1", "--server", server)
    assert shown.code == 2
    assert "STORE_UNAVAILABLE" in shown.err


@pytest.mark.parametrize(
    "arguments", [("show", "s1"), ("show", "s1", "--store", "x", "--server", "y:1"), ("store", "migrate")]
)
def test_a_command_without_one_place_to_look_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 2


WRONG = {
    "no-url": "cannot be read",
    "oracle://h/d": "one of sqlite, postgresql, mysql, mariadb",
    "sqlite://": "needs a file",
    "sqlite:////nowhere/at/all/e.db": "cannot be reached",
    "postgresql://u:hunter22@127.0.0.1:1/d": "cannot be reached",
    "mysql://u:hunter22@127.0.0.1:1/d": "cannot be reached",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_store_that_cannot_be_used_is_told_without_its_password(wrong: str) -> None:
    for command in (
        ("store", "migrate"),
        ("show", "s1"),
        ("store", "purge", "--older-than", "1"),
        ("serve", "--port", "0"),
    ):
        ran = run(*command, "--store", wrong)
        assert ran.code == 1
        assert WRONG[wrong] in ran.err
        assert "hunter22" not in ran.err


def test_migrate_says_what_it_did_and_purge_how_many_went(url: str) -> None:
    assert run("store", "migrate", "--store", url).out == "the store's tables are of version 0001 (before: None)\n"
    assert run("store", "migrate", "--store", url).out == "the store's tables are of version 0001\n"
    with Store(StoreOptions(url)) as store:
        store.write(Write("s1", "r1", Channel.RULE_EVALUATION, "{}", "d"))
    assert run("store", "purge", "--older-than", "1", "--store", url).out == "deleted 0 sessions\n"
    assert run("store", "purge", "--older-than", "0", "--store", url).out == "deleted 1 session\n"


def test_a_server_with_a_column_and_no_table_does_not_start(url: str) -> None:
    assert "--store-table, which is not given" in run("serve", "--store", url, "--store-key", "id").err
    assert "--store, which is not given" in run("serve", "--store-table", "t").err
    assert "there is no table t" in run("serve", "--store", url, "--store-table", "t", "--port", "0").err


def test_without_the_extra_a_store_says_what_to_install_and_a_server_without_a_store_needs_none(url: str) -> None:
    """The library is hidden from a process of its own."""
    hide = "import sys; sys.modules['sqlalchemy'] = None; from evidencegate_server.cli.main import cli; cli()"
    for arguments in (["serve", "--port", "0", "--store", url], ["store", "migrate", "--store", url]):
        done = subprocess.run([sys.executable, "-c", hide, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "pip install 'evidencegate[store]'" in done.stderr
    check = "import sys, evidencegate_server.service.server; print({'sqlalchemy', 'alembic'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
