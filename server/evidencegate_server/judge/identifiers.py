"""Finds the machine identifiers that claims assert and that occur nowhere in the session.

An error code, host, address, pod, metric, version, trace ID or path that no tool returned and nobody asked about was
made up. Both mistakes cost: a false alarm rejects a true answer, a miss lets an invented name through. The extraction
in `identifier_forms` therefore takes only tokens whose form no ordinary word has, and `identifier_ways` forgives what
is only written differently. What is too much to be looked up is never called invented, and never
passed over in silence either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evidencegate_server.contract.model import Claim
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.identifier_forms import IdentifierReader, Reading
from evidencegate_server.judge.identifier_names import Identifier
from evidencegate_server.judge.identifier_ways import Searcher
from evidencegate_server.judge.kept import kept
from evidencegate_server.lexicon.judge_words import IdentifierWords
from evidencegate_server.words import InvocationStatus

# Bounds for what a model wrote to exhaust the search with; true answers stay far below.
_MAX_PER_CLAIM: Final = 40
_MAX_PER_SESSION: Final = 500
_MAX_CHARS_PER_SESSION: Final = 40_000


@record
class Fabrications:
    """What claims make up.

    `names` has, by claim index, the identifiers that the session does not have, as the claims write them;
    `not_examined` the claims of which something was not looked up: more text, more names or more cost than is bounded.
    """

    names: Mapping[int, tuple[str, ...]]
    not_examined: frozenset[int]


def find_fabricated(
    claims: Sequence[Claim], invocations: Iterable[Invocation], query: str, words: IdentifierWords
) -> Fabrications:
    """Returns what the claims make up.

    The session is every ref, output and error, guidance included, the inputs of calls that did not fail, and the query.
    """
    reader, searcher = identifier_tools(words)
    readings = {claim.index: reader.read(claim.claim_text) for claim in claims}
    wanted = _within_bounds(readings.values())
    not_examined = {
        index
        for index, reading in readings.items()
        if not reading.complete
        or len(reading.identifiers) > _MAX_PER_CLAIM
        or not wanted.issuperset(reading.identifiers)
    }
    if not wanted:
        return Fabrications({}, frozenset(not_examined))
    found = searcher.search(wanted, _texts(invocations, query))
    names: dict[int, tuple[str, ...]] = {}
    for index, reading in readings.items():
        missing = [identifier.text for identifier in reading.identifiers if identifier in found.missing]
        if missing and found.exhausted:
            not_examined.add(index)
        elif missing:
            names[index] = tuple(dict.fromkeys(missing))
    return Fabrications(names, frozenset(not_examined))


@kept
def identifier_tools(words: IdentifierWords) -> tuple[IdentifierReader, Searcher]:
    """Returns what reads identifiers out of a text and what looks them up in others; made once for some words."""
    return IdentifierReader(words), Searcher(words)


def _within_bounds(readings: Iterable[Reading]) -> set[Identifier]:
    """Returns the identifiers that are looked up: the first ones of each claim, as many as the bounds allow."""
    wanted: set[Identifier] = set()
    chars = 0
    for reading in readings:
        for identifier in reading.identifiers[:_MAX_PER_CLAIM]:
            if identifier in wanted:
                continue
            chars += len(identifier.key)
            if len(wanted) == _MAX_PER_SESSION or chars > _MAX_CHARS_PER_SESSION:
                return wanted
            wanted.add(identifier)
    return wanted


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
