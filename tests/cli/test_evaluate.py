"""`evidencegate evaluate`: what it prints, what it compares and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, run
from tests.support import ROOT

GOOD = EXAMPLES / "01-good-answer.json"
KEYS = [
    "session_id",
    "parse_status",
    "parse_reason",
    "gatekeeper",
    "claims",
    "verdict",
    "engine_verdict",
    "score",
    "route",
    "millis",
]


def changed(tmp_path: Path, name: str, **values: object) -> Path:
    """Writes the good example with some values changed."""
    session = json.loads(GOOD.read_text(encoding="utf-8")) | values
    path = tmp_path / name
    path.write_text(json.dumps(session), encoding="utf-8")
    return path


def test_the_examples_come_out_as_they_say(server: str) -> None:
    ran = run("evaluate", EXAMPLES, "--server", server, "--check", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.lines) == 8


def test_json_has_exactly_these_keys_in_this_order(server: str) -> None:
    (line,) = run("evaluate", GOOD, "--server", server, "--json").lines
    millis = line.pop("millis")
    assert [*line, "millis"] == KEYS
    assert isinstance(millis, float)
    details = [claim.pop("detail") for claim in line["claims"]]
    assert all(details)
    assert line == {
        "session_id": "01-good-answer",
        "parse_status": "valid",
        "parse_reason": "",
        "gatekeeper": {"status": "pass", "severity": "none", "failed_rules": [], "warning_rules": [], "findings": []},
        "claims": [
            {"index": index, "claim_id": f"c{index + 1}", "verification": "direct_observation"} for index in range(3)
        ],
        "verdict": "PASS",
        "engine_verdict": "PASS",
        "score": 1.0,
        "route": "COMPOSE",
    }


def test_a_failed_rule_says_where_and_what_in_json_and_what_in_the_table(server: str) -> None:
    path = ROOT / "examples" / "sessions" / "03-cropped-not.json"
    (line,) = run("evaluate", path, "--server", server, "--json").lines
    assert line["gatekeeper"]["failed_rules"]
    found = line["gatekeeper"]["findings"]
    assert {finding["rule_id"] for finding in found} >= set(line["gatekeeper"]["failed_rules"])
    assert all(finding[key] for finding in found for key in ("place", "message", "fix"))
    shown = run("evaluate", path, "--server", server).out
    assert " ".join(found[0]["message"].split()[:3]) in " ".join(shown.split())


@pytest.mark.parametrize("columns", [None, 80, 40, 200])
def test_people_get_a_table_whose_words_are_whole(server: str, columns: int | None) -> None:
    ran = run("evaluate", EXAMPLES, "--server", server, columns=columns)
    assert ran.code == 0
    words = ran.out.split()
    for word in ("01-good-answer", "02-chinese-answer-english-logs", "COMPOSE", "DEGRADE", "LOW_CONFID"):
        assert word in words
    for word in ("evidence.invocation_status", "schema.executor_v2", "direct_observation", "(truncated)"):
        assert word in words
    assert max(map(len, ran.out.splitlines())) <= 80


def test_an_id_cannot_steer_the_terminal(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "steering.json", session_id="a\x1b[2Jb" + "x" * 100)
    out = run("evaluate", path, "--server", server, columns=80).out
    assert "\x1b" not in out
    assert "a\ufffd[2Jbxxx" in out
    assert max(map(len, out.splitlines())) <= 80


def test_there_is_no_progress_where_there_is_no_terminal(server: str) -> None:
    assert run("evaluate", GOOD, "--server", server).err == ""


def test_without_a_server_one_is_started_for_the_run() -> None:
    ran = run("evaluate", GOOD, "--json")
    assert (ran.code, [line["verdict"] for line in ran.lines]) == (0, ["PASS"])


@pytest.mark.req("RC-03")
def test_a_changed_severity_changes_the_verdict(tmp_path: Path, server: str) -> None:
    session = EXAMPLES / "06-missing-path.json"
    rules = tmp_path / "rules"
    shutil.copytree(ROOT / "rules", rules)
    rule = rules / "evidence" / "raw_path_missing.yaml"
    text = rule.read_text(encoding="utf-8")
    rule.write_text(text.replace("severity: low_confid", "severity: reject"), encoding="utf-8")
    (before,) = run("evaluate", session, "--server", server, "--json").lines
    (after,) = run("evaluate", session, "--rules", rules, "--json").lines
    assert (before["verdict"], before["gatekeeper"]["severity"]) == ("LOW_CONFID", "low_confid")
    assert (after["verdict"], after["gatekeeper"]["severity"]) == ("REJECT", "reject")


def test_a_catalog_that_is_refused_is_told_and_ends_with_2(tmp_path: Path) -> None:
    ran = run("evaluate", GOOD, "--rules", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"evidencegate: {tmp_path}: the folder has no catalog.yaml\n"
        "(the server that was started for this run ended with code 1)\n"
    )


def test_a_fault_inside_a_catalog_is_told_first_and_with_its_folder(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    shutil.copytree(ROOT / "rules", rules)
    rule = rules / "evidence" / "raw_path_missing.yaml"
    rule.write_text(rule.read_text(encoding="utf-8").replace("severity:", "severty:"), encoding="utf-8")
    ran = run("evaluate", GOOD, "--rules", rules)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"evidencegate: {rules}: evidence/raw_path_missing.yaml:1: severity: the key is missing")


def test_a_difference_ends_with_1_and_says_what_differs(tmp_path: Path, server: str) -> None:
    expect = {"verdict": "REJECT", "claims": {"c1": ["unsupported"], "c9": ["unsupported"]}, "score": 0.5}
    path = changed(tmp_path, "other.json", expect=expect)
    ran = run("evaluate", path, GOOD, "--server", server, "--check")
    assert ran.code == 1
    assert f"{path}: verdict: expected REJECT, got PASS" in ran.out
    assert f"{path}: score: expected 0.5, got 1.0" in ran.out
    assert f"{path}: claims.c1: expected [unsupported], got direct_observation" in ran.out
    assert f"{path}: claims.c9: expected [unsupported], but there is no such claim" in ran.out
    assert "2 sessions, 4 differences" in ran.out
    ran = run("evaluate", changed(tmp_path, "other.json", expect={"score": 0.5}), "--server", server, "--check")
    assert ran.out.endswith("\n1 session, 1 difference\n")


def test_with_json_the_differences_leave_stdout_alone(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "other.json", expect={"verdict": "REJECT"})
    ran = run("evaluate", path, "--server", server, "--check", "--json")
    assert (ran.code, len(ran.lines)) == (1, 1)
    assert ran.err == f"{path}: verdict: expected REJECT, got PASS\n"


def test_without_check_nothing_is_compared(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "other.json", expect={"verdict": "REJECT"})
    assert run("evaluate", path, "--server", server, "--json").code == 0


@pytest.mark.parametrize("expect", [None, {}])
def test_a_check_that_compares_nothing_is_not_passed(tmp_path: Path, server: str, expect: object) -> None:
    path = changed(tmp_path, "other.json", expect=expect)
    ran = run("evaluate", path, "--server", server, "--check", "--json")
    assert (ran.code, len(ran.lines)) == (1, 1)
    assert "nothing to compare with" in ran.err
    assert ran.err.endswith("\n1 session, 0 of 1 compared, 0 differences\n")


def test_a_check_says_how_many_it_compared(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "other.json", expect=None)
    ran = run("evaluate", path, GOOD, "--server", server, "--check")
    assert ran.code == 0
    assert ran.out.endswith("\n2 sessions, 1 of 2 compared, 0 differences\n")
    assert ran.err == f"evidencegate: {path}: nothing to compare with, it has no `expect`\n"


def test_a_misspelt_key_is_told_with_its_place_and_the_nearest_one(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "misspelt.json", narow_question=True)
    ran = run("evaluate", path, "--server", server, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f'evidencegate: {path}: narow_question: unknown key; did you mean "narrow_question"?\n'


def test_a_file_that_is_no_session_is_named_with_its_place_and_the_others_run(tmp_path: Path, server: str) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{\n "session_id": "s",\n "round": 1,,\n}', encoding="utf-8")
    lacking = tmp_path / "lacking.json"
    lacking.write_text('{"session_id": "s", "executor_output": "{}", "tool_invocations": [{"id": "1"}]}', "utf-8")
    ran = run("evaluate", broken, lacking, tmp_path / "none.json", GOOD, "--server", server, "--json")
    assert ran.code == 2
    assert [line["session_id"] for line in ran.lines] == ["01-good-answer"]
    assert f"{broken}: line 3 column 13: no JSON" in ran.err
    assert f"{lacking}: tool_invocations[0].tool_name: this key is missing" in ran.err
    assert f"{tmp_path / 'none.json'}: cannot be read: No such file or directory" in ran.err


def test_an_unusable_file_outweighs_a_difference(tmp_path: Path, server: str) -> None:
    other = changed(tmp_path, "other.json", expect={"verdict": "REJECT"})
    assert run("evaluate", other, tmp_path / "none.json", "--server", server, "--check").code == 2


def test_a_folder_without_sessions_is_told(tmp_path: Path) -> None:
    ran = run("evaluate", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "no *.json file in this folder" in ran.err


def test_a_file_that_is_named_twice_runs_once(server: str) -> None:
    ran = run("evaluate", EXAMPLES, GOOD, "--server", server, "--json")
    assert len(ran.lines) == 8


@pytest.mark.req("IO-05")
def test_a_session_that_the_service_refuses_is_named_and_the_others_run(tmp_path: Path, server: str) -> None:
    calls = [{"id": "7", "tool_name": "t", "status": "SUCCESS"}] * 2
    path = changed(tmp_path, "twice.json", tool_invocations=calls)
    ran = run("evaluate", path, GOOD, "--server", server, "--json")
    assert (ran.code, len(ran.lines)) == (2, 1)
    assert f"{path}: INVALID_ARGUMENT" in ran.err
    assert ran.err.count("tool_invocations[1].id: ") == 1


def test_a_server_that_is_not_there_ends_the_run_with_2_and_says_what_to_do() -> None:
    ran = run("evaluate", EXAMPLES, "--server", "127.0.0.1:1", "--check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(
        "evidencegate: no server answers at 127.0.0.1:1; start one with `evidencegate serve`, or leave out --server; "
        "where it serves TLS, give --tls-ca FILE (and --tls-cert and --tls-key for mutual TLS) ("
    )
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:50051", "127.0.0.1:0"])
def test_an_address_that_no_server_has_is_a_usage_error(address: str) -> None:
    ran = run("evaluate", GOOD, "--server", address)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: ")
    assert f"{address!r} is no address of a server: HOST:PORT is wanted" in ran.err


def test_a_rules_folder_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    for command in (["evaluate", str(GOOD)], ["judge-pairs", str(ROOT / "examples" / "pairs.jsonl")]):
        ran = run(*command, "--rules", tmp_path / "none")
        assert (ran.code, "does not exist" in ran.err) == (2, True)


def test_serve_tells_a_mistake_in_a_rule_with_the_folder_that_was_asked_for(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    shutil.copytree(ROOT / "rules", rules)
    path = rules / "evidence" / "raw_path_missing.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("severity:", "severit:"), encoding="utf-8")
    ran = run("serve", "--port", "0", "--rules", rules)
    assert ran.code == 1
    assert ran.err.startswith(f"Error: {rules}: evidence/raw_path_missing.yaml:1: severity: the key is missing")


def test_rules_are_for_a_server_of_ones_own() -> None:
    assert run("evaluate", GOOD, "--server", "127.0.0.1:1", "--rules", "rules").code == 2


@pytest.mark.req("IO-07")
def test_the_engine_supplied_needs_what_the_model_wrote(tmp_path: Path, server: str) -> None:
    verifier = {
        "verdict": "PASS",
        "groundedness_score": 1.0,
        "critical_fact_count": 2,
        "rationale": "r",
        "claim_checks": [
            {"claim_id": f"c{number}", "verification": "reasonable_inference", "detail": "d", "evidence_refs": []}
            for number in (1, 2, 3)
        ],
    }
    path = changed(tmp_path, "supplied.json", verifier_output=json.dumps(verifier))
    (line,) = run("evaluate", path, "--server", server, "--engine", "supplied", "--json").lines
    assert {claim["verification"] for claim in line["claims"]} == {"reasonable_inference"}
    (line,) = run("evaluate", path, "--server", server, "--json").lines
    assert {claim["verification"] for claim in line["claims"]} == {"direct_observation"}
    ran = run("evaluate", GOOD, "--server", server, "--engine", "supplied")
    assert (ran.code, "verifier_output" in ran.err) == (2, True)


@pytest.mark.req("IO-07")
def test_an_engine_that_the_server_has_not_is_a_failure_of_the_call(server: str) -> None:
    ran = run("evaluate", EXAMPLES, "--server", server, "--engine", "llm")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("evidencegate: FAILED_PRECONDITION (ENGINE_UNAVAILABLE)")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.req("IO-06", "EX-04")
def test_a_lone_surrogate_in_the_output_is_a_result(tmp_path: Path, server: str) -> None:
    path = changed(tmp_path, "lone.json", executor_output='{"a": "\ud800"}', original_query="\udc00", expect=None)
    (line,) = run("evaluate", path, "--server", server, "--json").lines
    assert (line["parse_status"], line["parse_reason"]) == ("malformed", "invalid_unicode")


def test_every_recorded_session_is_printed_and_its_checks_hold(shared: Path, server: str) -> None:
    """Parse status and rules must be right for all; labels that need a stronger judge may differ."""
    ran = run("evaluate", shared / "sessions", "--server", server, "--json", "--check")
    assert len(ran.lines) == len(list((shared / "sessions").glob("*.json")))
    by_rules = [line for line in ran.err.splitlines() if ": gatekeeper" in line or ": parse_" in line]
    assert by_rules == []
