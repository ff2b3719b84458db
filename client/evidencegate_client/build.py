"""Builds requests from what a program or a session file holds, and says exactly what is wrong where it cannot.

Text that UTF-8 cannot carry (lone surrogates, which JSON escapes can make) is dealt with here: what a model wrote
travels as bytes, so that the service can name the fault; in evidence and query each such character becomes U+FFFD.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evidencegate.v1.evaluation_pb2 import JudgeEngine, RetryContext
from evidencegate.v1.executor_output_pb2 import ExecutorOutput
from evidencegate.v1.gatekeeper_pb2 import ValidateRequest
from evidencegate.v1.invocation_pb2 import (
    EvidenceKind,
    EvidenceRef,
    InvocationStatus,
    RetrievalDetails,
    ToolInvocation,
)
from evidencegate.v1.prompt_pb2 import PromptVersion
from evidencegate.v1.text_pb2 import ModelText
from evidencegate.v1.verifier_pb2 import JudgeRequest

from evidencegate_client import vocabulary
from evidencegate_client.errors import SessionError, VocabularyError
from evidencegate_client.free_object import FreeObjectError, fill_object
from evidencegate_client.reader import SURROGATES, Reader, clean, enum_value
from evidencegate_client.vocabulary import kind_of

_ROUNDS = (1, 2)

# `title`, `source` and `expect` are for people and for checks; no request carries them.
SESSION_KEYS = (
    "session_id",
    "title",
    "round",
    "original_query",
    "executor_output",
    "verifier_output",
    "retry_context",
    "narrow_question",
    "tool_invocations",
    "source",
    "expect",
)
# A stored call has the fields of its message under the same names.
_INVOCATION_KEYS = tuple(ToolInvocation.DESCRIPTOR.fields_by_name)
_DETAILS_KEYS = tuple(RetrievalDetails.DESCRIPTOR.fields_by_name)
_REF_KEYS = tuple(EvidenceRef.DESCRIPTOR.fields_by_name)


def executor_output(content: str | bytes | Mapping[str, Any] | None) -> ExecutorOutput:
    """Returns the executor's output in the form that loses nothing.

    A text travels as text, or as bytes where it has lone surrogates; None is an output that never came. A mapping
    travels as a JSON object: for probing by hand, since integers above 2^53 lose digits.
    """
    if isinstance(content, Mapping):
        output = ExecutorOutput()
        try:
            fill_object(output.object, content)
        except FreeObjectError as error:
            raise SessionError("executor_output", f"no JSON object: {error}") from error
        return output
    return ExecutorOutput(**_text_or_raw(content, "executor_output"))


def model_text(content: str | bytes | None) -> ModelText:
    """Returns what a caller's own model wrote in the form that loses nothing; None is a text that never came."""
    return ModelText(**_text_or_raw(content, "verifier_output"))


def validate_request(request: JudgeRequest) -> ValidateRequest:
    """Returns what the Gatekeeper is asked about the same output."""
    return ValidateRequest(
        session_id=request.session_id,
        executor_output=request.executor_output if request.HasField("executor_output") else None,
        tool_invocations=request.tool_invocations,
        narrow_question=request.narrow_question,
        expected_rule_set_version=request.expected_rule_set_version,
    )


def judge_request(
    *,
    executor_output: str | bytes | Mapping[str, Any] | ExecutorOutput | None,
    tool_invocations: Iterable[ToolInvocation | Mapping[str, Any]],
    original_query: str = "",
    round: int = 1,  # noqa: A002  the field's name in the contract
    session_id: str = "",
    narrow_question: bool = False,
    engine: str | None = None,
    verifier_output: str | bytes | ModelText | None = None,
    retry_context: RetryContext | Mapping[str, Any] | None = None,
    expected_rule_set_version: str = "",
    prompts_used: Sequence[PromptVersion] = (),
) -> JudgeRequest:
    """Returns one request from a program's own values.

    `engine` is a word (`deterministic`, `llm`, `hybrid`, `supplied`), None for the service's default. Invocations and
    the retry context may be mappings with the names of the session format. Raises SessionError, with the place, for
    what does not fit, unknown keys among it.
    """
    if isinstance(round, bool) or round not in _ROUNDS:
        raise SessionError("round", f"is {round!r}; it must be 1 or 2")
    if isinstance(tool_invocations, str | bytes | Mapping) or not isinstance(tool_invocations, Iterable):
        raise SessionError("tool_invocations", f"a list is wanted, not {kind_of(tool_invocations)}")
    output = executor_output if isinstance(executor_output, ExecutorOutput) else _output(executor_output)
    request = JudgeRequest(
        session_id=_text(session_id, "session_id"),
        round=round,
        original_query=_text(original_query, "original_query"),
        executor_output=output,
        tool_invocations=[
            item if isinstance(item, ToolInvocation) else tool_invocation(item, f"tool_invocations[{index}]")
            for index, item in enumerate(tool_invocations)
        ],
        narrow_question=narrow_question,
        expected_rule_set_version=expected_rule_set_version,
        prompts_used=prompts_used,
    )
    if engine is not None:
        request.engine = enum_value(JudgeEngine, engine, "engine")  # type: ignore[assignment]  # numbers are enum values
    if verifier_output is not None:
        text = verifier_output if isinstance(verifier_output, ModelText) else model_text(verifier_output)
        request.verifier_output.CopyFrom(text)
    if retry_context is not None:
        request.retry_context.CopyFrom(_retry_context(retry_context))
    return request


def request_from_session(session: Any, *, engine: str | None = None) -> JudgeRequest:
    """Returns the request for one session object, as a session file holds it.

    `title`, `source` and `expect` are left alone. Raises SessionError, with the place, for a missing key, an unknown
    one or a value of the wrong form.
    """
    if not isinstance(session, Mapping):
        raise SessionError("", f"a session is a JSON object, not {kind_of(session)}")
    read = Reader(session, "", SESSION_KEYS)
    invocations = read.objects("tool_invocations", required=True)
    return judge_request(
        session_id=read.text("session_id", required=True),
        executor_output=read.optional_text("executor_output", required=True),
        tool_invocations=[
            tool_invocation(item, f"tool_invocations[{index}]") for index, item in enumerate(invocations)
        ],
        original_query=read.text("original_query"),
        round=read.whole("round", 1),
        narrow_question=read.flag("narrow_question"),
        engine=engine,
        verifier_output=read.optional_text("verifier_output"),
        retry_context=read.optional_object("retry_context"),
    )


def tool_invocation(row: Mapping[str, Any], place: str = "") -> ToolInvocation:
    """Returns one persisted tool call; raises SessionError, with places under `place`, where it is none."""
    read = Reader(row, place, _INVOCATION_KEYS)
    details = read.optional_object("retrieval_details")
    return ToolInvocation(
        id=read.identifier("id"),
        tool_name=clean(read.text("tool_name", required=True)),
        status=read.word("status", InvocationStatus),  # type: ignore[arg-type]  # numbers are enum values
        round=read.whole("round", 0),
        topic_domain=clean(read.text("topic_domain")),
        input=clean(read.text("input")),
        output=clean(read.text("output")),
        error=clean(read.text("error")),
        retrieval_details=None if details is None else _retrieval_details(details, read.at("retrieval_details")),
    )


def _retrieval_details(row: Mapping[str, Any], place: str) -> RetrievalDetails:
    read = Reader(row, place, _DETAILS_KEYS)
    refs = read.objects("evidence_refs")
    return RetrievalDetails(
        evidence_refs=[_evidence_ref(ref, f"{read.at('evidence_refs')}[{index}]") for index, ref in enumerate(refs)],
        queries=read.texts("queries"),
        retrieval_layers=read.texts("retrieval_layers"),
        relevance_levels=read.texts("relevance_levels"),
        source_documents=read.texts("source_documents"),
    )


def _evidence_ref(row: Mapping[str, Any], place: str) -> EvidenceRef:
    read = Reader(row, place, _REF_KEYS)
    return EvidenceRef(
        raw_path=clean(read.text("raw_path", required=True)),
        text=clean(read.text("text", required=True)),
        kind=read.word("kind", EvidenceKind, default=0),  # type: ignore[arg-type]  # numbers are enum values
        source_document=clean(read.text("source_document")),
        truncated=read.flag("truncated"),
    )


def _output(content: str | bytes | Mapping[str, Any] | None) -> ExecutorOutput:
    return executor_output(content)  # the parameter of `judge_request` hides the function's name there


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise SessionError(place, f"a text is wanted, not {kind_of(value)}")
    return clean(value)


def _text_or_raw(content: str | bytes | None, place: str) -> dict[str, Any]:
    if content is None:
        return {}
    if isinstance(content, bytes):
        return {"raw": content}
    if not isinstance(content, str):
        raise SessionError(place, f"the raw text of a model is wanted, not {kind_of(content)}")
    if SURROGATES.search(content) is None:
        return {"text": content}
    return {"raw": content.encode("utf-8", "surrogatepass")}


def _retry_context(value: RetryContext | Mapping[str, Any]) -> RetryContext:
    if isinstance(value, RetryContext):
        return value
    try:
        return vocabulary.from_dict(RetryContext, value)
    except VocabularyError as error:
        raise SessionError("retry_context", str(error)) from error
