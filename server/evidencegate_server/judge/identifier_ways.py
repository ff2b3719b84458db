"""Says in which ways a session can have a name that a claim uses.

One thing is written differently by a tool and by a person: with other joiners, in camel case, in the plural, with its
leading zeros. Some names only put words of the evidence together: a product with its version, the path of a field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evidencegate_server.judge.identifier_names import FOREIGN_LETTERS, Form, Identifier
from evidencegate_server.judge.identifier_search import (
    COLON_ADDRESS,
    HEX_BEGINNING,
    NUMBER,
    PHRASE,
    WHOLE_NUMBER,
    Found,
    SearchPlan,
    Sign,
    Ways,
)
from evidencegate_server.lexicon.judge_words import IdentifierWords

_VERSION_NUMBER: Final = re.compile(r"^v?(\d+(?:\.\d+)+)(.*)$")
_PRODUCT: Final = re.compile(r"^([a-z]+)(\d+(?:\.\d+)*)$")
_NUMBERED_CODE: Final = re.compile(r"^([a-z]{2,6})-?0*([1-9]\d+)$")  # ORA-00600
_VERSION_WORDS: Final = ("v", "version", "server", "release")
_CODE_WIDTHS: Final = range(3, 7)
_PIECES: Final = re.compile(f"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[{FOREIGN_LETTERS}]+")


class Searcher:
    """Finds identifiers with one set of words."""

    def __init__(self, words: IdentifierWords) -> None:
        self._common = frozenset(words.common_terms)
        self._fields = frozenset(words.field_words)
        self._files = frozenset(words.file_endings)
        self._types = frozenset(words.type_endings)
        self._aliases = {alias.name: alias.phrases for alias in words.aliases}

    def search(self, identifiers: Iterable[Identifier], texts: Iterable[str]) -> Found:
        """Returns which of the identifiers none of the texts has."""
        plan = SearchPlan()
        ways = {identifier: self._ways(identifier, plan) for identifier in identifiers}
        return plan.run(ways, texts)

    def _ways(self, identifier: Identifier, plan: SearchPlan) -> Ways:
        """Returns in which ways the session can have an identifier, and puts on the plan what has to be looked up."""
        key = identifier.key
        match identifier.form:
            case Form.HEX:
                return (((plan.sign(HEX_BEGINNING, key),),),)
            case Form.ADDRESS if ":" in key:
                return (((plan.sign(COLON_ADDRESS, key.split("%")[0]),),),)
            case Form.ADDRESS:
                # Cloud hosts are named after their address.
                return (((plan.sign(WHOLE_NUMBER, key), plan.sign(WHOLE_NUMBER, key.replace(".", "-"))),),)
            case Form.VERSION:
                return self._version(identifier, plan)
            case Form.PATH:
                return (((plan.name(pieces(identifier.name), opening="/"),),),)
        names = [plan.name(spelling) for spelling in _spellings(identifier)]
        if identifier.form in (Form.NAME, Form.CAMEL):
            names += [plan.humps(name) for name in names]
        names += [plan.sign(PHRASE, phrase) for phrase in self._aliases.get(key, ())]
        ways: list[tuple[tuple[Sign, ...], ...]] = [(tuple(names),)]
        apart = self._apart(identifier, plan)
        if apart:
            ways.append(apart)
        return tuple(ways)

    def _version(self, identifier: Identifier, plan: SearchPlan) -> Ways:
        match = _VERSION_NUMBER.match(identifier.key)
        if match is None:
            return (((plan.name(pieces(identifier.name)),),),)
        number = plan.sign(NUMBER, match[1])
        if not any(map(str.isalnum, match[2])):
            return (((number,),),)
        rest = pieces(identifier.name)
        both = [plan.name(rest), plan.name(["v", *rest] if rest[0] != "v" else rest[1:])]
        return (((number,), tuple(both)),)

    def _apart(self, identifier: Identifier, plan: SearchPlan) -> tuple[tuple[Sign, ...], ...]:
        """Returns what must be there, wherever, for a name that only puts words of the evidence together.

        A product with its version, the path of a field, a field in camel case. Words that such a path adds by itself
        (`spec`, `count`) need not be there.
        """
        if identifier.form is Form.PRODUCT:
            match = _PRODUCT.match(identifier.key)
            if match is None or match[1] not in self._common:
                return ()
            if "." in match[2]:
                return ((plan.name([match[1]]),), (plan.sign(NUMBER, match[2]),))
            # `redis2` can be a host as well, so something has to say that the product's version is meant.
            beside = tuple(plan.name([match[1], word]) for word in _VERSION_WORDS)
            return (beside, (plan.sign(NUMBER, match[2]),))
        words: list[list[str]] = []
        if identifier.form is Form.DOTTED:
            parts = identifier.name.split(".")
            if not all(len(part) > 1 and part.isalpha() for part in parts) or parts[-1].lower() in self._files:
                return ()
            words = [pieces(part) for part in parts]
        elif identifier.form is Form.CAMEL and identifier.name[0].islower():
            humps = pieces(identifier.name)
            if humps[-1] in self._types or "".join(humps[-2:]) in self._types:
                return ()
            words = [[hump] for hump in humps]
        needed = [word for word in words if "".join(word) not in self._fields] or words
        return tuple(tuple(plan.name(form) for form in _numbers(word)) for word in needed)


def pieces(name: str) -> list[str]:
    """Returns the parts of which a name is made, in lower case: words, humps, numbers."""
    return [piece.lower() for piece in _PIECES.findall(name)]


def _numbers(word: list[str]) -> list[list[str]]:
    """Returns a word and its other number: limits, limit."""
    last = word[-1]
    other = last[:-1] if last.endswith("s") and len(last) > 3 else last + "s"
    return [word, [*word[:-1], other]]


def _spellings(identifier: Identifier) -> Iterator[list[str]]:
    name = pieces(identifier.name)
    yield name
    if name and len(identifier.key) > 4 and name[-1].endswith("s"):
        yield [*name[:-1], name[-1][:-1]] if len(name[-1]) > 1 else name[:-1]
    if identifier.form is Form.WORD:
        code = _NUMBERED_CODE.match(identifier.key)
        if code is not None:
            # Codes of one vendor are written with and without their leading zeros.
            for width in _CODE_WIDTHS:
                yield [code[1], code[2].zfill(width)]
