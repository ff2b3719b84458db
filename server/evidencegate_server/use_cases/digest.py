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

from collections.abc import Callable, Iterable
from hashlib import sha256
from operator import attrgetter
from typing import Final

from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant

_TAG: Final = "evidencegate.input.v1"
_ABSENT: Final = b"\xff" * 8
_BY_ID: Final = attrgetter("id")
_Encode = Callable[[str], bytes]


class _Lengths(dict[int, bytes]):
    """Writes a length as 8 bytes; those that most fields have are ready."""

    def __missing__(self, length: int) -> bytes:
        return length.to_bytes(8, "big")


_LENGTH: Final = _Lengths((length, length.to_bytes(8, "big")) for length in range(2_048))


def _field(data: bytes) -> bytes:
    return _LENGTH[len(data)] + data


class _Numbers(dict[int, bytes]):
    """Writes a number as a field; those that most counts and rounds are stand ready."""

    def __missing__(self, number: int) -> bytes:
        return _field(b"%d" % number)


_NUMBER: Final = _Numbers((number, _field(b"%d" % number)) for number in range(100))
_STATUS: Final = {status: _field(status.value.encode()) for status in InvocationStatus}
_KIND: Final = {kind: _field(kind.value.encode()) for kind in EvidenceKind}
_VARIANT: Final = {variant: _field(variant.value.encode()) for variant in OutputVariant}
_TAG_FIELD: Final = _field(_TAG.encode())
_BOOLEAN: Final = {False: _field(b"0"), True: _field(b"1")}
_OBSERVATION: Final = EvidenceKind.OBSERVATION
_PLAIN_TAIL: Final = _KIND[_OBSERVATION] + _field(b"") + _BOOLEAN[False]


def input_digest(
    variant: OutputVariant, output: str | bytes | None, invocations: Iterable[Invocation], narrow_question: bool
) -> str:
    """Returns the digest in lower-case hex.

    `output` is the text, the raw bytes or the canonical JSON text of the object; it is not looked at for the variant
    `none`. Lone surrogates, which no transport carries, are written as UTF-8 would write any other code point.
    """
    ordered = sorted(invocations, key=_BY_ID)
    parts = [_TAG_FIELD, _VARIANT[variant], _output(variant, output), _BOOLEAN[narrow_question]]
    parts.append(_NUMBER[len(ordered)])
    try:
        evidence = _invocations(ordered, str.encode)
    except UnicodeEncodeError:
        evidence = _invocations(ordered, _encode_any)
    return sha256(b"".join(parts + evidence)).hexdigest()


def _encode_any(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _output(variant: OutputVariant, output: str | bytes | None) -> bytes:
    if variant is OutputVariant.NONE or output is None:
        return _ABSENT
    return _field(_encode_any(output) if isinstance(output, str) else output)


def _invocations(ordered: list[Invocation], encode: _Encode) -> list[bytes]:
    """Returns the fields of all invocations. Sessions have hundreds of refs, so nothing here is called per field."""
    parts: list[bytes] = []
    for call in ordered:
        name, tool, topic = encode(call.id), encode(call.tool_name), encode(call.topic_domain)
        asked, came, error = encode(call.input), encode(call.output), encode(call.error)
        parts += (_LENGTH[len(name)], name, _LENGTH[len(tool)], tool, _STATUS[call.status], _NUMBER[call.round])
        parts += (_LENGTH[len(topic)], topic, _LENGTH[len(asked)], asked, _LENGTH[len(came)], came)
        refs = [ref for ref in call.refs if not ref.implied]
        parts += (_LENGTH[len(error)], error, _NUMBER[len(refs)])
        for ref in refs:
            path, text = encode(ref.raw_path), encode(ref.text)
            plain = ref.kind is _OBSERVATION and not ref.source_document and not ref.truncated
            parts += (_LENGTH[len(path)], path, _LENGTH[len(text)], text, _PLAIN_TAIL if plain else _tail(ref, encode))
    return parts


def _tail(ref: EvidenceRef, encode: _Encode) -> bytes:
    return _KIND[ref.kind] + _field(encode(ref.source_document)) + _BOOLEAN[ref.truncated]
