"""Writes a stored evaluation as lines for a person.

What is stored may come from another version or from somebody else's hand, so nothing of it is taken for granted: what
has another form than expected is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evidencegate_server.cli.tables import without_controls

_Json = Mapping[str, Any]


def lines_of(session: str, stored: _Json, query: str | None) -> Iterator[str]:
    """Returns the lines; `query` is what the user asked, None where it was not kept."""
    yield f"session {_text(session)}"
    yield f"asked: {_text(query) if query else '(not kept)'}"
    evaluation = _object(stored, "verifier_evaluation")
    if evaluation:
        yield from _verdict(evaluation)
        yield from _claims(evaluation)
        yield from _gatekeeper(_object(evaluation, "gatekeeper_result"))
        yield from _parsing(evaluation)
        yield from _prompts(_object(evaluation, "prompt_audit"))
    else:
        yield "no verifier evaluation is stored"
    yield from _answer(_object(evaluation, "composer_output"))
    rules = stored.get("rule_evaluation")
    if rules is not None:
        yield ""
        yield "rule evaluation:"
        yield f"  {_text(json.dumps(rules, ensure_ascii=False))}"


def _verdict(evaluation: _Json) -> Iterator[str]:
    score = evaluation.get("groundedness_score")
    told = f"{score:.4g}" if isinstance(score, int | float) else "none"
    yield ""
    facts = evaluation.get("critical_fact_count", 0)
    yield (
        f"verdict {_word(evaluation, 'verdict')}, score {told} over {facts} critical fact{'' if facts == 1 else 's'}, "
        f"route {_word(evaluation, 'route')}, round {_word(evaluation, 'round')}"
    )
    if evaluation.get("source") == "CLIENT_FALLBACK":
        yield "  nothing was judged: the service could not be reached"
    yield f"  the engine {_word(evaluation, 'engine')} said {_word(evaluation, 'engine_verdict')}"
    for step in _objects(evaluation, "verdict_steps"):
        way = f"{_word(step, 'from_verdict')} to {_word(step, 'to_verdict')}"
        yield f"  {way} ({_word(step, 'reason')}): {_of(step, 'message')}"
    if _of(evaluation, "rationale"):
        yield f"  {_of(evaluation, 'rationale')}"
    yield from _model(_object(evaluation, "model_use"), "  the engine")
    for warning in _objects(evaluation, "warnings"):
        yield f"  warning {_of(warning, 'id')}: {_of(warning, 'message')}"


def _model(use: _Json, who: str) -> Iterator[str]:
    """Tells which model was asked, how often, and what came of it where nothing usable did."""
    if not use:
        return
    tokens = f"{_word(use, 'prompt_tokens')} and {_word(use, 'completion_tokens')} tokens"
    failure = f"; it gave nothing that can be used: {_of(use, 'failure')}" if use.get("failure") else ""
    name = f"{_of(use, 'model')} (profile {_of(use, 'profile')})"
    yield f"{who} asked the model {name}: requests {_word(use, 'requests')}, {tokens}{failure}"


def _claims(evaluation: _Json) -> Iterator[str]:
    checks = _objects(evaluation, "claim_checks")
    if checks:
        yield ""
        yield "claims:"
    for check in checks:
        yield from _claim(check, is_mixed=evaluation.get("engine") == "hybrid")
    if checks:
        return
    facts = _objects(evaluation, "facts_checked")
    if facts:
        yield ""
        yield "facts:"
    for fact in facts:
        yield f"  [{_word(fact, 'verification')}] {_of(fact, 'fact')}"
        yield f"      why: {_of(fact, 'detail')}"


def _claim(check: _Json, *, is_mixed: bool) -> Iterator[str]:
    """Tells one claim; `is_mixed` says that code and a model labelled together."""
    critical = ", critical" if check.get("is_critical") else ""
    yield f"  {_of(check, 'claim_id')} [{_word(check, 'verification')}] ({_of(check, 'claim_type')}{critical})"
    yield f"      {_of(check, 'claim_text')}"
    yield f"      why: {_of(check, 'detail')}"
    if is_mixed:
        yield f"      labelled by: {_word(check, 'engine')}"
    if check.get("engine") == "llm":
        for witness in _objects(check, "witnesses"):
            yield f"      quoted: {_of(witness, 'evidence_quote')}"
    for step in _objects(check, "label_steps"):
        yield f"      lowered to {_word(step, 'to_label')} ({_word(step, 'reason')}): {_of(step, 'message')}"
    refs = [_of(ref, "trace_ref") for ref in _objects(check, "evidence_refs")]
    if refs:
        yield f"      evidence: {', '.join(refs)}"


def _gatekeeper(result: _Json) -> Iterator[str]:
    if not result:
        return
    yield ""
    bindings = result.get("checked_bindings", 0)
    fallback = ", a client's fallback" if result.get("fallback") else ""
    yield (
        f"gatekeeper {_word(result, 'status')}, severity {_word(result, 'severity')}, {bindings} bindings checked, "
        f"rule set {_of(result, 'rule_set_version')}{fallback}"
    )
    errors = result.get("errors")
    for error in errors if isinstance(errors, list) else ():
        yield f"  {_text(error)}"
    for warning in _objects(result, "warnings"):
        yield f"  warning {_of(warning, 'id')}: {_of(warning, 'message')}"


def _parsing(evaluation: _Json) -> Iterator[str]:
    for name, whose in (("executor_output_parse_status", "executor"), ("verifier_output_parse_status", "verifier")):
        yield from _parse_report(_object(evaluation, name), whose)


def _parse_report(report: _Json, whose: str) -> Iterator[str]:
    if report and report.get("status") != "valid":
        reason = f" ({_of(report, 'reason')})" if report.get("reason") else ""
        yield f"the {whose}'s output was {_word(report, 'status')}{reason}: {_of(report, 'message')}"


def _prompts(audit: _Json) -> Iterator[str]:
    named = [
        f"{_word(prompt, 'role')} {_of(prompt, 'name')} {_of(prompt, 'version')}"
        for prompt in _objects(audit, "prompts_used") or _objects(audit, "prompts")
    ]
    if named:
        yield f"prompts{'' if audit.get('declared') else ' of the catalog (not declared)'}: {', '.join(named)}"


def _answer(output: _Json) -> Iterator[str]:
    yield ""
    if not output:
        yield "no answer is stored"
        return
    writer, requested = _word(output, "writer"), _word(output, "requested_writer")
    yield f"the user was told, by the {writer}" + ("" if writer == requested else f" instead of the {requested}") + ":"
    for line in str(output.get("text", "")).splitlines():
        yield f"  | {_text(line)}"
    yield from _model(_object(output, "model_use"), "  the composer")
    if output.get("fallback_detail"):
        yield f"  why: {_word(output, 'fallback_reason')}: {_of(output, 'fallback_detail')}"
    for leak in _objects(output, "leaks"):
        yield f"  not let through: {_word(leak, 'kind')} {_of(leak, 'quote')}"
    yield from _parse_report(_object(output, "parse_status"), "composer")


def _object(value: _Json, key: str) -> _Json:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _objects(value: _Json, key: str) -> list[_Json]:
    found = value.get(key)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def _word(value: _Json, key: str) -> str:
    return _text(value.get(key, "none"))


def _of(value: _Json, key: str) -> str:
    return _text(value.get(key, ""))


def _text(value: object) -> str:
    """Returns one line without what could steer a terminal: an LLM or a stranger may have written it."""
    return without_controls(" ".join(str(value).split()))
