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
from tests.service.test_store_faults import full_disk


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
        "verdict REJECT, score 1 over 1 critical fact, route DEGRADE, round 1",
        "the engine deterministic said PASS",
        "  PASS to REJECT (gatekeeper): ",
        "  c1 [direct_observation] (symptom, critical)",
        "      search-index-0 is Pending, 0/1 ready.",
        "      why: The evidence states it",
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


@pytest.mark.req("VO-11", "SE-02")
def test_who_labelled_and_what_the_models_came_to_is_shown(url: str) -> None:
    use = {"model": "qwen", "profile": "local", "requests": 2, "prompt_tokens": 11, "completion_tokens": 7}
    check = {"claim_id": "c1", "verification": "direct_observation", "detail": "it says so"}
    witness = {"relation": "stated", "evidence_quote": "pool exhausted\u001b[2J"}
    stored = {
        "verdict": "LOW_CONFID",
        "engine": "hybrid",
        "claim_checks": [check | {"engine": "llm", "witnesses": [witness]}, check | {"engine": "deterministic"}],
        "warnings": [{"id": "judge.model_failed", "message": "nothing usable"}],
        "model_use": use | {"failure": "timeout"},
        "composer_output": {"text": "t", "writer": "model", "requested_writer": "model", "model_use": use},
    }
    with Store(StoreOptions(url)) as store:
        store.write(Write("s1", "r1", Channel.VERIFIER_EVALUATION, json.dumps(stored), "d"))
    shown = run("show", "s1", "--store", url).out
    asked = "asked the model qwen (profile local): requests 2, 11 and 7 tokens"
    for told in (
        f"  the engine {asked}; it gave nothing that can be used: timeout\n",
        f"  the composer {asked}\n",
        "  warning judge.model_failed: nothing usable\n",
        "      labelled by: llm\n      quoted: pool exhausted\ufffd[2J\n",
        "      labelled by: deterministic\n",
    ):
        assert told in shown


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


def test_a_file_that_is_not_there_is_told_and_not_made(url: str, tmp_path: Path) -> None:
    for command in (("show", "nothing"), ("store", "purge", "--older-than", "1")):
        ran = run(*command, "--store", url)
        assert (ran.code, ran.err) == (
            1,
            f"Error: the store at {tmp_path}/e.db cannot be reached: there is no such file\n",
        )
    assert not (tmp_path / "e.db").exists()


def test_a_session_that_is_not_there_is_told(url: str) -> None:
    assert run("store", "migrate", "--store", url).code == 0
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


TABLE = "CREATE TABLE agent_run (run_no TEXT PRIMARY KEY, note TEXT, self_eval TEXT)"
FOREIGN = ("--store-table", "agent_run", "--store-column", "self_eval", "--store-key", "run_no")


def foreign(tmp_path: Path, *sessions: str) -> None:
    """Makes a table of somebody else's with a row for each session."""
    with sqlite3.connect(tmp_path / "e.db") as connection:
        connection.execute(TABLE)
        connection.executemany("INSERT INTO agent_run VALUES (?, 'mine', NULL)", [(one,) for one in sessions])
    connection.close()


@pytest.mark.req("SE-01")
def test_a_table_of_ones_own_is_written_and_shown(url: str, server: str, tmp_path: Path) -> None:
    foreign(tmp_path, "04-digit-swap", "another")
    path = EXAMPLES / "04-digit-swap.json"
    evaluated = run("evaluate", path, "--store", url, *FOREIGN, "--server", server)
    assert (evaluated.code, evaluated.err) == (0, "")
    shown = run("show", "04-digit-swap", "--store", url, *FOREIGN)
    assert (shown.code, "verdict REJECT" in shown.out, "asked: (not kept)" in shown.out) == (0, True, True)
    (stored,) = run("show", "04-digit-swap", "--store", url, *FOREIGN, "--json").lines
    with sqlite3.connect(tmp_path / "e.db") as connection:
        rows = dict(connection.execute("SELECT run_no, self_eval FROM agent_run"))
        notes = {note for (note,) in connection.execute("SELECT note FROM agent_run")}
    connection.close()
    assert (json.loads(rows["04-digit-swap"]), rows["another"], notes) == (stored, None, {"mine"})
    assert run("show", "another", "--store", url, *FOREIGN).code == 1
    assert run("show", "04-digit-swap", "--store", url).code == 1  # the product's own table has nothing of it


def test_the_table_can_come_from_the_environment_as_for_the_server(
    url: str, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign(tmp_path, "04-digit-swap")
    run("evaluate", EXAMPLES / "04-digit-swap.json", "--store", url, *FOREIGN, "--server", server)
    for name, value in (("", url), ("_TABLE", "agent_run"), ("_COLUMN", "self_eval"), ("_KEY", "run_no")):
        monkeypatch.setenv(f"EVIDENCEGATE_STORE{name}", value)
    assert run("show", "04-digit-swap").code == 0
    assert "STORE_UNAVAILABLE" in run("show", "04-digit-swap", "--server", server).err


@pytest.mark.req("SE-01")
def test_a_session_without_a_row_is_told_and_the_others_are_kept(url: str, server: str, tmp_path: Path) -> None:
    foreign(tmp_path, "04-digit-swap")
    paths = [EXAMPLES / "01-good-answer.json", EXAMPLES / "04-digit-swap.json"]
    ran = run("evaluate", *paths, "--store", url, *FOREIGN, "--server", server, "--json")
    assert (ran.code, [line["verdict"] for line in ran.lines]) == (2, ["PASS", "REJECT"])
    assert f"evidencegate: {paths[0]}: " in ran.err
    assert len(ran.err.splitlines()) == 1
    assert run("show", "04-digit-swap", "--store", url, *FOREIGN).code == 0


@pytest.mark.req("SE-01")
@pytest.mark.parametrize("fault", ["SQLITE_FULL", "SQLITE_READONLY"])
def test_a_store_that_takes_nothing_leaves_the_verdicts_and_names_the_fault(
    url: str, server: str, tmp_path: Path, fault: str
) -> None:
    assert run("store", "migrate", "--store", url).code == 0
    if fault == "SQLITE_READONLY":
        url = f"sqlite:///file:{tmp_path}/e.db?mode=ro&uri=true"
    with full_disk(tmp_path / "e.db"):
        ran = run("evaluate", EXAMPLES, "--store", url, "--server", server, "--json")
    assert (ran.code, len(ran.lines)) == (2, 8)
    (told,) = ran.err.splitlines()
    assert fault in told
    assert told.endswith("this session and those after it are judged and not kept")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--store-table", "t"), "--store, which is missing"),
        (("--store", "sqlite:///x.db", "--store-key", "id"), "--store-table, which is missing"),
    ],
)
def test_a_table_without_its_store_is_a_usage_error(options: tuple[str, ...], message: str) -> None:
    ran = run("evaluate", EXAMPLES, *options)
    assert (ran.code, message in ran.err) == (2, True)
