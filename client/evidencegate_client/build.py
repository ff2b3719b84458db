"""Builds requests from what a program or a session file holds, and says exactly what is wrong where it cannot.

Text that UTF-8 cannot carry (lone surrogates, which JSON escapes can make) is dealt with here: what a model wrote
travels as bytes, so that the service can name the fault; in evidence and query each such character becomes U+FFFD.
"""

from __future__ import annotations

import re
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
from google.protobuf import json_format
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from evidencegate_client import vocabulary
from evidencegate_client.errors import SessionError, VocabularyError
from evidencegate_client.vocabulary import kind_of

_SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """Returns evidence or a query with each lone surrogate replaced by U+FFFD; offsets stay as they are."""
    return _SURROGATES.sub(_REPLACEMENT, text)


def executor_output(content: str | bytes | Mapping[str, Any] | None) -> ExecutorOutput:
    """Returns the executor's output in the form that loses nothing.

    A text travels as text, or as bytes where it has lone surrogates; None is an output that never came. A mapping
    travels as a JSON object: for probing by hand, since integers above 2^53 lose digits.
    """
    if isinstance(content, Mapping):
        output = ExecutorOutput()
        try:
            json_format.ParseDict(dict(content), output.object)
        except (json_format.ParseError, UnicodeEncodeError) as error:
            raise SessionError("executor_output", f"no JSON object: {error}") from error
        return output
    return ExecutorOutput(**_text_or_raw(content))


def model_text(content: str | bytes | None) -> ModelText:
    """Returns what a caller's own model wrote in the form that loses nothing; None is a text that never came."""
    return ModelText(**_text_or_raw(content))


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
    the retry context may be mappings with the names of the session format. Raises SessionError for a wrong one.
    """
    output = executor_output if isinstance(executor_output, ExecutorOutput) else _output(executor_output)
    request = JudgeRequest(
        session_id=clean(session_id),
        round=round,
        original_query=clean(original_query),
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
        request.engine = _enum(JudgeEngine, engine, "engine")  # type: ignore[assignment]  # numbers are enum values
    if verifier_output is not None:
        text = verifier_output if isinstance(verifier_output, ModelText) else model_text(verifier_output)
        request.verifier_output.CopyFrom(text)
    if retry_context is not None:
        request.retry_context.CopyFrom(_retry_context(retry_context))
    return request


def request_from_session(session: Any, *, engine: str | None = None) -> JudgeRequest:
    """Returns the request for one session object, as a session file holds it.

    Keys that the format does not know are left alone. Raises SessionError, with the place, for a missing key or a
    value of the wrong form.
    """
    if not isinstance(session, Mapping):
        raise SessionError("", f"a session is a JSON object, not {kind_of(session)}")
    read = _Reader(session, "")
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
    read = _Reader(row, place)
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
    read = _Reader(row, place)
    refs = read.objects("evidence_refs")
    return RetrievalDetails(
        evidence_refs=[_evidence_ref(ref, f"{read.at('evidence_refs')}[{index}]") for index, ref in enumerate(refs)],
        queries=read.texts("queries"),
        retrieval_layers=read.texts("retrieval_layers"),
        relevance_levels=read.texts("relevance_levels"),
        source_documents=read.texts("source_documents"),
    )


def _evidence_ref(row: Mapping[str, Any], place: str) -> EvidenceRef:
    read = _Reader(row, place)
    return EvidenceRef(
        raw_path=clean(read.text("raw_path", required=True)),
        text=clean(read.text("text", required=True)),
        kind=read.word("kind", EvidenceKind, default=0),  # type: ignore[arg-type]  # numbers are enum values
        source_document=clean(read.text("source_document")),
        truncated=read.flag("truncated"),
    )


def _output(content: str | bytes | Mapping[str, Any] | None) -> ExecutorOutput:
    return executor_output(content)  # the parameter of `judge_request` hides the function's name there


def _text_or_raw(content: str | bytes | None) -> dict[str, Any]:
    if content is None:
        return {}
    if isinstance(content, bytes):
        return {"raw": content}
    if _SURROGATES.search(content) is None:
        return {"text": content}
    return {"raw": content.encode("utf-8", "surrogatepass")}


def _retry_context(value: RetryContext | Mapping[str, Any]) -> RetryContext:
    if isinstance(value, RetryContext):
        return value
    try:
        return vocabulary.from_dict(RetryContext, value)
    except VocabularyError as error:
        raise SessionError("retry_context", str(error)) from error


def _enum(enum: EnumTypeWrapper, text: str, place: str) -> int:
    if text in vocabulary.words(enum):
        return vocabulary.number(enum, text)
    raise SessionError(place, f"{text!r} is none of {', '.join(vocabulary.words(enum))}")


class _Reader:
    """Reads the keys of one object and names the place of what does not fit. An absent or null key is the default."""

    def __init__(self, row: Any, place: str) -> None:
        if not isinstance(row, Mapping):
            raise SessionError(place, f"an object is wanted, not {kind_of(row)}")
        self._row = row
        self._place = place

    def at(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key

    def text(self, key: str, *, required: bool = False) -> str:
        value = self._get(key, required)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"a text is wanted, not {kind_of(value)}")
        return value

    def optional_text(self, key: str, *, required: bool = False) -> str | None:
        value = self._get(key, required)
        if value is not None and not isinstance(value, str):
            raise SessionError(self.at(key), f"the raw text of a model is wanted, not {kind_of(value)}")
        return value

    def identifier(self, key: str) -> str:
        value = self._get(key, required=True)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"an ID is a text or a whole number, not {kind_of(value)}")
        return clean(value)

    def whole(self, key: str, default: int) -> int:
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not -(2**31) <= value < 2**31:
            raise SessionError(self.at(key), f"a whole number is wanted, not {kind_of(value)}")
        return value

    def flag(self, key: str) -> bool:
        value = self._get(key)
        if value is not None and not isinstance(value, bool):
            raise SessionError(self.at(key), f"true or false is wanted, not {kind_of(value)}")
        return bool(value)

    def word(self, key: str, enum: EnumTypeWrapper, *, default: int | None = None) -> int:
        value = self._get(key, required=default is None)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"a text is wanted, not {kind_of(value)}")
        return _enum(enum, value, self.at(key))

    def texts(self, key: str) -> list[str]:
        items = self._list(key)
        for index, item in enumerate(items):
            if not isinstance(item, str):
                raise SessionError(f"{self.at(key)}[{index}]", f"a text is wanted, not {kind_of(item)}")
        return [clean(item) for item in items]

    def objects(self, key: str, *, required: bool = False) -> list[Any]:
        return self._list(key, required)

    def optional_object(self, key: str) -> Mapping[str, Any] | None:
        value = self._get(key)
        if value is not None and not isinstance(value, Mapping):
            raise SessionError(self.at(key), f"an object is wanted, not {kind_of(value)}")
        return value

    def _list(self, key: str, required: bool = False) -> list[Any]:
        value = self._get(key, required)
        if value is None and not required:
            return []
        if not isinstance(value, list | tuple):
            raise SessionError(self.at(key), f"a list is wanted, not {kind_of(value)}")
        return list(value)

    def _get(self, key: str, required: bool = False) -> Any:
        if required and key not in self._row:
            raise SessionError(self.at(key), "this key is missing")
        return self._row.get(key)
