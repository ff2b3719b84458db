"""Names an input by one value that every language can recompute.

SHA-256 over fields in a fixed order, each an 8-byte big-endian length and that many bytes: text as UTF-8, numbers,
booleans and counts as decimal ASCII (`true` is 1), an absent optional field as length 2^64 - 1 without bytes. The only
optional field is the output, which the variant `none` leaves out. The order:

1. the tag `evidencegate.input.v1`
2. the variant (`text`, `raw`, `object`, `none`), then the output: text as UTF-8, raw as it came, an object as its
   canonical JSON
3. `narrow_question`
4. the number of invocations, then each, sorted by the code points of its ID: id, tool_name, status, round,
   topic_domain, input, output, error, the number of refs, then each ref as sent: raw_path, text, kind,
   source_document, truncated

Implied refs were not sent and do not count. Nothing here is serialized protobuf, whose bytes differ between libraries.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from operator import attrgetter
from typing import Final

from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant

_TAG: Final = "evidencegate.input.v1"
_ABSENT: Final = b"\xff" * 8
_SHORT: Final = tuple(length.to_bytes(8, "big") for length in range(2_048))  # most fields are shorter than that
_BY_ID: Final = attrgetter("id")


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big") + data


_STATUS: Final = {status: _field(status.value.encode()) for status in InvocationStatus}
_KIND: Final = {kind: _field(kind.value.encode()) for kind in EvidenceKind}
_BOOLEAN: Final = {False: _field(b"0"), True: _field(b"1")}
_EMPTY: Final = _field(b"")


def input_digest(
    variant: OutputVariant, output: str | bytes | None, invocations: Iterable[Invocation], narrow_question: bool
) -> str:
    """Returns the digest in lower-case hex.

    `output` is the text, the raw bytes or the canonical JSON text of the object; it is not looked at for the variant
    `none`. Lone surrogates, which no transport carries, are written as UTF-8 would write any other code point.
    """
    parts = [_text(_TAG), _text(variant.value), _output(variant, output), _BOOLEAN[narrow_question]]
    ordered = sorted(invocations, key=_BY_ID)
    parts.append(_number(len(ordered)))
    for invocation in ordered:
        _add_invocation(parts, invocation)
    return sha256(b"".join(parts)).hexdigest()


def _output(variant: OutputVariant, output: str | bytes | None) -> bytes:
    if variant is OutputVariant.NONE or output is None:
        return _ABSENT
    return _text(output) if isinstance(output, str) else _field(output)


def _text(text: str) -> bytes:
    return _field(text.encode("utf-8", "surrogatepass"))


def _number(number: int) -> bytes:
    return _field(b"%d" % number)


def _add_invocation(parts: list[bytes], invocation: Invocation) -> None:
    parts += (
        _text(invocation.id),
        _text(invocation.tool_name),
        _STATUS[invocation.status],
        _number(invocation.round),
        _text(invocation.topic_domain),
        _text(invocation.input),
        _text(invocation.output),
        _text(invocation.error),
    )
    sent = [ref for ref in invocation.refs if not ref.implied]
    parts.append(_number(len(sent)))
    for ref in sent:
        _add_ref(parts, ref)


def _add_ref(parts: list[bytes], ref: EvidenceRef) -> None:
    """Appends one ref. Sessions have hundreds of them, so lengths come from a table where they can."""
    path = ref.raw_path.encode("utf-8", "surrogatepass")
    text = ref.text.encode("utf-8", "surrogatepass")
    path_length, text_length = len(path), len(text)
    parts += (
        _SHORT[path_length] if path_length < len(_SHORT) else path_length.to_bytes(8, "big"),
        path,
        _SHORT[text_length] if text_length < len(_SHORT) else text_length.to_bytes(8, "big"),
        text,
        _KIND[ref.kind],
        _text(ref.source_document) if ref.source_document else _EMPTY,
        _BOOLEAN[ref.truncated],
    )
