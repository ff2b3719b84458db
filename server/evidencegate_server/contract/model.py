"""Holds what an executor said, with the place of everything, once its text has been parsed.

Values keep what the model wrote: nothing is dropped, and a field of the wrong type is kept in `raw` so that the
Gatekeeper can name it. Places are paths from the root (`claims[2].evidence_bindings[0].tool_name`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from evidencegate_server.contract.records import record
from evidencegate_server.words import ParseReason, ParseStatus


@record
class Notice:
    """A remark that fails nothing: a note (informational) or a warning (someone should look).

    `id` is stable (`parse.fence_stripped`); `place` is a path into the output, empty for the whole.
    """

    id: str
    message: str
    place: str = ""


@record
class ParseReport:
    """How an LLM's text was read.

    `line` and `column` count from 1, `offset` counts code points of the raw text from 0; all are None where no place
    is known. `raw_sha256` is the hex digest of the raw text's UTF-8 bytes (lone surrogates by surrogatepass), and
    `raw_length` its length in code points.
    """

    status: ParseStatus
    raw_sha256: str
    raw_length: int
    reason: ParseReason | None = None
    message: str = ""
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    notes: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()


@record
class InvocationId:
    """An invocation ID as a model wrote it.

    `value` is the text to compare (a JSON integer's digits, a string trimmed), None where the written value can be no
    ID (boolean, list, fractional number); `written` is the JSON text of what was written, for messages.
    """

    value: str | None
    written: str


@record
class Binding:
    """One evidence binding of a claim. Absent, null, blank, wrongly typed fields are None or empty; `raw` has all."""

    place: str
    index: int
    tool_name: str | None
    invocation_id: InvocationId | None
    legacy_ids: tuple[InvocationId, ...]
    raw_path: str | None
    evidence_excerpt: str | None
    source_type: str | None
    source_id: str | None
    raw: Mapping[str, Any]


@record
class Claim:
    """One claim. `index` is its position in the output, which stays its identity where claim IDs repeat.

    `declared_unsupported` is True where the older contract lets the claim say of itself that nothing supports it: it
    needs no binding then, and none counts for it.
    """

    place: str
    index: int
    claim_id: str
    claim_type: str
    claim_text: str
    support_level: str
    bindings: tuple[Binding, ...]
    raw: Mapping[str, Any]
    declared_unsupported: bool = False


@record
class SideItem:
    """One item of `hypotheses`, `recommended_actions` or `missing_info`: its text, or None where it has none."""

    place: str
    index: int
    text: str | None
    raw: Any


@record
class ExecutorOutput:
    """A parsed executor output. `raw` is the JSON object as decoded, integers exact."""

    answer_version: str
    claims: tuple[Claim, ...]
    hypotheses: tuple[SideItem, ...]
    recommended_actions: tuple[SideItem, ...]
    missing_info: tuple[SideItem, ...]
    raw: Mapping[str, Any]


@record
class ParsedOutput:
    """The result of parsing: the report always, the output exactly when the status is valid.

    `final_answer` is the text that engines may see: the raw text without its reasoning block.
    """

    report: ParseReport
    output: ExecutorOutput | None
    final_answer: str = field(default="", repr=False)
