"""Puts together what the caller's functions returned, and names the one that returned what it must not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evidencegate.v1.executor_output_pb2 import ExecutorOutput
from evidencegate.v1.invocation_pb2 import ToolInvocation
from evidencegate.v1.text_pb2 import ModelText, ParseReport

from evidencegate_client.build import model_text, tool_invocation
from evidencegate_client.errors import ChatResultError, SessionError
from evidencegate_client.reader import clean
from evidencegate_client.vocabulary import kind_of

_REASONING_OPEN = re.compile(r"\s*<think>", re.IGNORECASE)
_REASONING_CLOSE = re.compile(r"</think>", re.IGNORECASE)
# The parse report's word for a block that the service cut off.
_STRIPPED = "parse.reasoning_stripped"


def merged(
    before: Sequence[ToolInvocation], added: Iterable[ToolInvocation | Mapping[str, Any]], round_number: int
) -> list[ToolInvocation]:
    """Returns the calls of both rounds. A call that is there already is taken once; one without a round gets this one.

    Raises ChatResultError where these are no calls, or an ID came before with other content.
    """
    if isinstance(added, str | bytes | Mapping) or not isinstance(added, Iterable):
        raise ChatResultError(f"the executor's tool_invocations must be a list, not {kind_of(added)}")
    result = list(before)
    known = {call.id: call for call in before}
    for index, item in enumerate(added):
        call = _invocation(item, index)
        if call.id in known and _same(known[call.id], call):
            continue
        if call.id in known:
            raise ChatResultError(f"the executor's tool_invocations[{index}] has the ID {call.id!r} of another call")
        if call.round == 0:
            call.round = round_number
        known[call.id] = call
        result.append(call)
    return result


def model_text_of(name: str, written: object) -> ModelText:
    """Returns what a model of the caller's wrote; raises ChatResultError where that is no text."""
    if written is not None and not isinstance(written, str | bytes):
        raise ChatResultError(f"the {name} must return the raw text of a model, not {kind_of(written)}")
    return model_text(written)


def final_answer(output: object, report: ParseReport | None) -> str:
    """Returns the executor's text without a reasoning block at its front: no judge gets that."""
    if isinstance(output, ExecutorOutput):
        output = output.raw if output.WhichOneof("content") == "raw" else output.text
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
    if not isinstance(text, str):
        return "" if text is None else str(text)
    opening = _REASONING_OPEN.match(text)
    closing = _REASONING_CLOSE.search(text)
    if opening is not None:
        text = "" if closing is None else text[closing.end() :]
    elif closing is not None and (_was_stripped(report) or "{" not in text[: closing.start()]):
        # Some servers send the opening tag as part of the prompt, so that only the closing one comes back.
        text = text[closing.end() :]
    return clean(text)


def _was_stripped(report: ParseReport | None) -> bool:
    return report is not None and any(warning.id == _STRIPPED for warning in report.warnings)


def _invocation(item: object, index: int) -> ToolInvocation:
    if isinstance(item, ToolInvocation):
        copy = ToolInvocation()
        copy.CopyFrom(item)
        return copy
    if not isinstance(item, Mapping):
        raise ChatResultError(f"the executor's tool_invocations[{index}] must be a call, not {kind_of(item)}")
    try:
        return tool_invocation(item, f"tool_invocations[{index}]")
    except SessionError as error:
        raise ChatResultError(f"of the executor: {error}") from error


def _same(one: ToolInvocation, other: ToolInvocation) -> bool:
    """Whether two are the same call; a round that is not known is no difference."""
    copy = ToolInvocation()
    copy.CopyFrom(other)
    copy.round = other.round or one.round
    return one == copy
