"""Turns the messages of SelfEvaluations into writes, and what is stored into messages."""

from __future__ import annotations

import hashlib
import math
from typing import Any

from evidencegate.v1 import composer_pb2, evaluation_pb2, self_evaluation_pb2, verifier_pb2
from evidencegate_client import vocabulary
from evidencegate_client.errors import VocabularyError
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from evidencegate_server.catalog.model import StoreLimits
from evidencegate_server.store.mask_message import mask_message
from evidencegate_server.store.model import Channel, Listed, Stored, Summary, Write, Written
from evidencegate_server.store.splice import JsonTextError, checked_object
from evidencegate_server.text.masking import Masker
from evidencegate_server.use_cases.errors import FieldViolation, InvalidRequestError, LimitExceededError

# As in the tables of the store.
SESSION_ID_BYTES = 1_024
REQUEST_ID_BYTES = 200

_CHANNELS = {
    self_evaluation_pb2.CHANNEL_RULE_EVALUATION: Channel.RULE_EVALUATION,
    self_evaluation_pb2.CHANNEL_VERIFIER_EVALUATION: Channel.VERIFIER_EVALUATION,
}
# Any: the generated stubs give each enum a type of its own.
_VERDICTS: dict[str, Any] = {vocabulary.word(evaluation_pb2.Verdict, n): n for n in evaluation_pb2.Verdict.values()}
_ROUTES: dict[str, Any] = {vocabulary.word(evaluation_pb2.Route, n): n for n in evaluation_pb2.Route.values()}
_CHANNEL_OF = {
    "rule_evaluation_json": Channel.RULE_EVALUATION,
    "evaluation": Channel.VERIFIER_EVALUATION,
    "composer_output": Channel.VERIFIER_EVALUATION,
}


def read_write(
    message: self_evaluation_pb2.WriteChannelRequest, limits: StoreLimits, masker: Masker, *, keep_input: bool
) -> Write:
    """Returns the write; raises InvalidRequestError or LimitExceededError where it cannot be done as it was sent.

    Credentials in an evaluation, a composer output and an input are overwritten; a rule evaluation is kept as it came.
    """
    content = message.WhichOneof("content")
    channel = _check(message, content)
    digest = _digest(message)
    if content == "rule_evaluation_json":
        text = _rule_evaluation(message.rule_evaluation_json, limits.max_rule_evaluation_bytes)
        return Write(message.session_id, message.request_id, channel, text, digest, False, _expected(message))
    if content == "composer_output":
        output = composer_pb2.ComposerOutput()
        output.CopyFrom(message.composer_output)
        masked = mask_message(output, masker)
        text = _json("composer_output", output, limits.max_composer_output_bytes)
        return Write(
            message.session_id, message.request_id, channel, text, digest, True, _expected(message), None, None, masked
        )
    evaluation = evaluation_pb2.Evaluation()
    evaluation.CopyFrom(message.evaluation)
    masked = mask_message(evaluation, masker)
    judge_input = None
    if keep_input and message.HasField("judge_request") and message.judge_request.ByteSize() <= limits.max_input_bytes:
        request = verifier_pb2.JudgeRequest()
        request.CopyFrom(message.judge_request)
        masked += mask_message(request, masker)
        judge_input = request.SerializeToString(deterministic=True)
    return Write(
        message.session_id,
        message.request_id,
        channel,
        _json("evaluation", evaluation, limits.max_evaluation_bytes),
        digest,
        False,
        _expected(message),
        _summary(evaluation),
        judge_input,
        masked,
    )


def check_session_id(session_id: str) -> None:
    """Raises InvalidRequestError for an ID under which nothing can be stored."""
    violations = _id_faults("session_id", session_id, SESSION_ID_BYTES)
    if violations:
        raise InvalidRequestError(violations)


def write_response(written: Written) -> self_evaluation_pb2.WriteChannelResponse:
    """Returns the message of what a write did."""
    return self_evaluation_pb2.WriteChannelResponse(
        revision=written.revision,
        replayed=written.replayed,
        masked_secrets=written.masked_secrets,
        input_kept=written.input_kept,
    )


def stored_session(stored: Stored) -> self_evaluation_pb2.StoredSession:
    """Returns the message of what is stored."""
    message = self_evaluation_pb2.StoredSession(
        session_id=stored.session_id,
        revision=stored.revision,
        self_evaluation_json=stored.text,
        create_time=_timestamp(stored.create_time),
        update_time=_timestamp(stored.update_time),
    )
    if stored.judge_input is not None:
        message.judge_request.MergeFromString(stored.judge_input)
    return message


def session_summary(listed: Listed) -> self_evaluation_pb2.SessionSummary:
    """Returns the message of one session in a list; a word of another version is UNSPECIFIED."""
    message = self_evaluation_pb2.SessionSummary(
        session_id=listed.session_id, revision=listed.revision, update_time=_timestamp(listed.update_time)
    )
    if listed.summary is not None:
        message.verdict = _VERDICTS.get(listed.summary.verdict, evaluation_pb2.VERDICT_UNSPECIFIED)
        message.route = _ROUTES.get(listed.summary.route, evaluation_pb2.ROUTE_UNSPECIFIED)
        message.groundedness_score = listed.summary.score
    return message


def _check(message: self_evaluation_pb2.WriteChannelRequest, content: str | None) -> Channel:
    violations = [
        *_id_faults("session_id", message.session_id, SESSION_ID_BYTES),
        *_id_faults("request_id", message.request_id, REQUEST_ID_BYTES),
    ]
    channel = _CHANNELS.get(message.channel)
    if channel is None:
        problem = "is not set" if message.channel == 0 else f"has the unknown number {message.channel}"
        violations.append(FieldViolation("channel", f"{problem}; rule_evaluation or verifier_evaluation is wanted"))
    if content is None:
        violations.append(FieldViolation("content", "is not set"))
    elif channel is not None and _CHANNEL_OF[content] is not channel:
        violations.append(FieldViolation(content, f"is no content of the channel {channel}"))
    if message.HasField("judge_request") and content != "evaluation":
        violations.append(FieldViolation("judge_request", "belongs to an evaluation alone"))
    if message.HasField("expected_revision") and message.expected_revision < 0:
        violations.append(FieldViolation("expected_revision", f"is {message.expected_revision}; 0 is the first"))
    if content == "evaluation" and not math.isfinite(message.evaluation.groundedness_score):
        violations.append(FieldViolation("evaluation.groundedness_score", "is no number"))
    if violations or channel is None:
        raise InvalidRequestError(violations)
    return channel


def _id_faults(field: str, value: str, most_bytes: int) -> list[FieldViolation]:
    if not value.strip():
        return [FieldViolation(field, "is blank")]
    if "\0" in value:
        return [FieldViolation(field, "holds the character U+0000, which no database keeps")]
    size = len(value.encode())
    return [FieldViolation(field, f"has {size} bytes; at most {most_bytes} are kept")] if size > most_bytes else []


def _expected(message: self_evaluation_pb2.WriteChannelRequest) -> int | None:
    return message.expected_revision if message.HasField("expected_revision") else None


def _digest(message: self_evaluation_pb2.WriteChannelRequest) -> str:
    """Returns what tells a repeated write from another one under the same ID: all but the ID and the revision."""
    content = self_evaluation_pb2.WriteChannelRequest()
    content.CopyFrom(message)
    content.ClearField("request_id")
    content.ClearField("expected_revision")
    return hashlib.sha256(content.SerializeToString(deterministic=True)).hexdigest()


def _rule_evaluation(text: str, limit: int) -> str:
    size = len(text.encode())
    if size > limit:
        raise LimitExceededError("rule_evaluation_json", limit, size)
    try:
        return checked_object(text)
    except JsonTextError as error:
        raise InvalidRequestError.of("rule_evaluation_json", f"is not one JSON object: {error}") from error


def _json(field: str, message: Message, limit: int) -> str:
    try:
        text = vocabulary.to_json(message)
    except (VocabularyError, ValueError) as error:
        raise InvalidRequestError.of(field, f"has no stored form: {error}") from error
    size = len(text.encode())
    if size > limit:
        raise LimitExceededError(field, limit, size)
    return text


def _summary(evaluation: evaluation_pb2.Evaluation) -> Summary:
    verdict = vocabulary.word(evaluation_pb2.Verdict, evaluation.verdict)
    return Summary(verdict, vocabulary.word(evaluation_pb2.Route, evaluation.route), evaluation.groundedness_score)


def _timestamp(micros: int | None) -> Timestamp | None:
    if micros is None:
        return None
    return Timestamp(seconds=micros // 1_000_000, nanos=micros % 1_000_000 * 1_000)
