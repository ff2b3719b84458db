"""Finds the machine identifiers that claims assert and that occur nowhere in the session.

An error code, host, address, pod, metric, version, trace ID or path that no tool returned and nobody asked about was
made up. Both mistakes cost: a false alarm rejects a true answer, a miss lets an invented name through. The extraction
in `identifier_forms` therefore takes only tokens whose form no ordinary word has, and the search here forgives the ways
in which one name is written differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.model import Claim
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.identifier_forms import Form, Identifier, IdentifierReader, plain_signs
from evidencegate_server.lexicon.judge_words import IdentifierWords
from evidencegate_server.words import InvocationStatus

# Bounds for what a model wrote to exhaust the search with; true answers stay far below. What is beyond is not looked
# at, so it is never called invented.
_MAX_PER_CLAIM: Final = 40
_MAX_PER_SESSION: Final = 500

# Farther apart than any two parts of one name, so that a name is never put together from two texts.
_BETWEEN_TEXTS: Final = "\n\n\n\n\n\n"

_ESCAPE: Final = re.compile(r'(?<!\\)\\+(?:[nrtbf"/]|u[0-9A-Fa-f]{4})')
# A pattern costs more to make than a few looks in Python, and less than thousands: `pod-1` among many `pod-10`.
_LOOKS_BEFORE_PATTERN: Final = 64
_HEX_PREFIX_LENGTH: Final = 7  # the length of an abbreviated commit or container ID


def fabricated_identifiers(
    claims: Sequence[Claim], invocations: Iterable[Invocation], query: str, words: IdentifierWords
) -> dict[int, tuple[str, ...]]:
    """Returns, by claim index, the identifiers that the session does not have, as the claims write them.

    The session is every ref, output and error, guidance included, the inputs of calls that did not fail, and the query.
    """
    reader = _reader(words)
    by_claim = {claim.index: reader.read(claim.claim_text)[:_MAX_PER_CLAIM] for claim in claims}
    wanted = list(dict.fromkeys(identifier for found in by_claim.values() for identifier in found))[:_MAX_PER_SESSION]
    if not wanted:
        return {}
    session = SessionText(_texts(invocations, query))
    aliases = {alias.name: alias.phrases for alias in words.aliases}
    missing = {
        identifier
        for identifier in wanted
        if not session.has(identifier) and not session.has_phrase(aliases.get(identifier.key, ()))
    }
    if not missing:
        return {}
    fabricated = {
        index: tuple(dict.fromkeys(identifier.text for identifier in found if identifier in missing))
        for index, found in by_claim.items()
    }
    return {index: names for index, names in fabricated.items() if names}


@dataclass(frozen=True, slots=True)
class Fabrications:
    names: Mapping[int, tuple[str, ...]]
    not_examined: frozenset[int]


def find_fabricated(
    claims: Sequence[Claim], invocations: Iterable[Invocation], query: str, words: IdentifierWords
) -> Fabrications:
    return Fabrications(fabricated_identifiers(claims, invocations, query, words), frozenset())


@lru_cache(maxsize=4)
def _reader(words: IdentifierWords) -> IdentifierReader:
    return IdentifierReader(words)


def _texts(invocations: Iterable[Invocation], query: str) -> Iterator[str]:
    yield query
    for invocation in invocations:
        yield invocation.tool_name
        if invocation.status is not InvocationStatus.FAILED:
            yield invocation.input
            yield from invocation.queries
        yield invocation.output
        yield invocation.error
        yield from invocation.source_documents
        for ref in invocation.refs:
            yield ref.raw_path
            yield ref.source_document
            yield ref.text


class SessionText:
    """All texts of a session as one, to be searched for identifiers.

    Nearly every identifier of a true answer stands in the text as it is. Only for one that does not is the text made
    plain (full-width letters, terminal colours), and then rid of its escapes, whose letters touch the word after them.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._variants = [_Variant(_BETWEEN_TEXTS.join(texts))]
        self._complete = False

    def has(self, identifier: Identifier) -> bool:
        """Returns whether the session has the identifier as a whole token or as a part that ends at a joiner."""
        spellings = _spellings(identifier)
        return any(_occurs(name, identifier, variant) for variant in self._each_variant() for name in spellings)

    def has_phrase(self, phrases: Iterable[str]) -> bool:
        """Returns whether one of the phrases occurs."""
        return any(phrase in self._variants[0].lowered for phrase in phrases)

    def _each_variant(self) -> Iterator[_Variant]:
        yield self._variants[0]
        if not self._complete:
            self._complete = True
            plain = plain_signs(self._variants[0].cased)
            for text in (plain, _ESCAPE.sub(" ", plain)):
                if text != self._variants[-1].cased:
                    self._variants.append(_Variant(text))
        yield from self._variants[1:]


class _Variant:
    """One form of the text, in lower case beside the case it has."""

    __slots__ = ("cased", "lowered")

    def __init__(self, cased: str) -> None:
        self.cased = cased
        self.lowered = cased.lower()

    def new_part_at(self, position: int) -> bool:
        """Returns whether a capital letter begins a new part there: the I of `OrderControllerImpl`."""
        # Where lower case has another length, positions in the two do not correspond.
        return len(self.cased) == len(self.lowered) and self.cased[position].isupper()


def _occurs(name: str, identifier: Identifier, variant: _Variant) -> bool:
    text = variant.lowered
    start = text.find(name)
    looks = 0
    while start >= 0:
        if _is_bounded(variant, start, start + len(name), identifier.form):
            return True
        looks += 1
        if looks == _LOOKS_BEFORE_PATTERN:
            return _bounded(name, identifier.form).search(text, start + 1) is not None
        start = text.find(name, start + 1)
    return len(identifier.parts) > 1 and any(
        _is_bounded(variant, match.start(), match.end(), identifier.form)
        for match in _loose(identifier.parts).finditer(text)
    )


def _is_bounded(variant: _Variant, start: int, end: int, form: Form) -> bool:
    text = variant.lowered
    before = text[start - 1] if start else " "
    # A path begins with its joiner, so a host may stand right before it; so may the v of a version.
    is_v = form is Form.VERSION and before == "v" and not _glued(text[max(0, start - 2) : start - 1])
    if _glued(before) and form is not Form.PATH and not is_v:
        return False
    if form in (Form.ADDRESS, Form.VERSION) and _number_goes_on(text, start, end, form):
        return False
    if not _glued(text[end : end + 1]):
        return True
    if form is Form.HEX and end - start >= _HEX_PREFIX_LENGTH:
        return True
    return form is Form.CAMEL and variant.new_part_at(end)


def _spellings(identifier: Identifier) -> tuple[str, ...]:
    name = identifier.key
    spellings = [name]
    if identifier.form is Form.VERSION and name.startswith("v"):
        spellings.append(name[1:])
    if identifier.form is Form.ADDRESS and name.count(".") == 3:
        spellings.append(name.replace(".", "-"))  # cloud hosts are named after their address
    if identifier.form not in (Form.HEX, Form.ADDRESS, Form.VERSION) and name.endswith("s") and len(name) > 4:
        spellings.append(name[:-1])
    return tuple(spellings)


@lru_cache(maxsize=512)
def _loose(parts: tuple[str, ...]) -> re.Pattern[str]:
    """Returns the pattern of a name whose parts may be joined otherwise: `max_connections`, `max connections`."""
    return re.compile(r"[^a-z0-9]{0,3}".join(re.escape(part) for part in parts))


@lru_cache(maxsize=64)
def _bounded(name: str, form: Form) -> re.Pattern[str]:
    """Returns the pattern that finds a name between boundaries: it begins with the name, which makes it fast."""
    literal = re.escape(name)
    before = "" if form is Form.PATH else f"(?<![a-z0-9]{literal})"
    if form is Form.VERSION:
        before = f"(?:{before}|(?<=[^a-z0-9]v{literal}))"
    if form in (Form.ADDRESS, Form.VERSION):
        before += rf"(?<![0-9]\.{literal})"
    after = "" if form is Form.HEX and len(name) >= _HEX_PREFIX_LENGTH else "(?![a-z0-9])"
    if form is Form.ADDRESS:
        after += r"(?!\.[0-9])"
    return re.compile(literal + before + after)


def _glued(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _number_goes_on(text: str, start: int, end: int, form: Form) -> bool:
    """Returns whether the digits belong to a longer dotted number: 10.0.0.1 in 10.0.0.1.7, 0.2.3 in 1.0.2.3."""
    if start >= 2 and text[start - 1] == "." and text[start - 2].isdigit():
        return True
    return form is Form.ADDRESS and text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit()
