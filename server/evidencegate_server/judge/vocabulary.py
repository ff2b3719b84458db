"""Turns words of either language into terms to compare: the lexicon's concepts, or the stems of other words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from pydantic import BaseModel

from evidencegate_server.contract.records import record
from evidencegate_server.judge.plain import JOINT
from evidencegate_server.lexicon.concept_words import NOT, TRAITS, Bond, Concept, ConceptWords, Link, Outcome
from evidencegate_server.lexicon.wording_words import Terms, WordingWords

# One pass over a text: a run of Latin letters, digits and the signs that join names, or a run of Chinese.
_RUN: Final = re.compile(r"[A-Za-z0-9_$](?:[A-Za-z0-9_.:/@#$%+\-~]*[A-Za-z0-9_%])?|[\u3400-\u9fff]+")
_WORD_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PERCENTILE: Final = re.compile(
    r"(?<![A-Za-z0-9])[pP](?:50|75|90|95|99|999)(?=_|-)|(?<=[_-])[pP](?:50|75|90|95|99|999)(?![A-Za-z0-9])"
)
_PLAIN_WORD: Final = re.compile(r"[A-Za-z]+(?:['\u2019][a-z]+)?(?:-[A-Za-z]+)*\Z")
_OPENER: Final = re.compile(r"[A-Za-z0-9]+")
_SIGNS: Final = re.compile(r"[/&]")
_HUMP: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
_LONGEST_CHINESE: Final = 8
_LONGEST_PHRASE: Final = 4  # words of an English term


def narrow(text: str) -> str:
    """Returns a text with full-width signs in their usual form, character for character."""
    return text if text.isascii() else text.translate(_WIDE)


@record
class Term:
    """A word or name where it stands.

    `names` are what it means: concept names; what it does to a statement, with `@` before it (`@negation.before`); one
    stem with `~` before it for a word that the lexicon lacks; or one lower-cased name with `=` before it for a
    machine's name (`order-db`, `3.5.13`), followed by the parts of the name as concepts and stems.
    """

    names: tuple[str, ...]
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Returns whether a machine's name stands here."""
        return self.names[0][0] == "="

    @property
    def is_unknown(self) -> bool:
        """Returns whether the lexicon lacks the word."""
        return self.names[0][0] == "~"

    def brings(self, *prefixes: str) -> bool:
        """Returns whether one of the names begins with one of the prefixes."""
        for name in self.names:  # noqa: SIM110  # asked for each word, where a generator costs twice as much
            if name.startswith(prefixes):
                return True
        return False


def meant(term: Term) -> tuple[str, ...]:
    """Returns the concepts and stems of a term, with `!` before those that the term itself denies (unready)."""
    names = tuple(name for name in term.names if name[0] not in "=+")
    return tuple("!" + name for name in names if name != NOT) if NOT in names else names


class Vocabulary:
    """Reads the words of a text. Holds no state but what it has worked out once."""

    def __init__(self, words: ConceptWords, wording: WordingWords) -> None:
        # Each part of a compound is a term of its own, at the compound's place.
        self._chinese: dict[str, tuple[tuple[str, ...], ...]] = {}
        self._english: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
        # As written in the lexicon, before the stems: recovering is no recovered.
        self._exact: dict[str, tuple[tuple[str, ...], ...]] = {}
        self._seconds: dict[str, set[str]] = {}  # by the first stem of a term of several words, what can follow it
        self._relate(words)
        for name, concept in words.concepts.items():
            self._add(name, concept.zh, concept.en)
        # Before the wording: a compound takes the place of a concept's term, and the wording adds to it.
        self._read_compounds(words)
        for path, terms in _wording_terms(wording):
            self._add(path, terms.zh, terms.en)
        self._note_lengths()
        self._read_columns(words)
        self._read_links(words)
        self.bonds_by_label = {bond.label: bond for bond in words.bonds if bond.label}
        self.bonds_by_key: dict[str, list[Bond]] = {}
        for bond in words.bonds:
            for key in bond.keys:
                self.bonds_by_key.setdefault(key, []).append(bond)
        self.outcomes = _outcomes(words.outcomes)
        self._latin = lru_cache(maxsize=32_768)(self._read_latin)
        self.key_names = lru_cache(maxsize=4_096)(self._key_names)
        self.column_names = lru_cache(maxsize=1_024)(self.columns)

    def _relate(self, words: ConceptWords) -> None:
        """Notes what concepts are, and how they stand to each other."""
        concepts = words.concepts
        self.kinds: dict[str, str] = {name: concept.kind for name, concept in concepts.items()}
        self.traits: dict[str, frozenset[str]] = {trait: words.having(trait) for trait in TRAITS}
        # Any event that two are named with can go either way; what says little (occur, reach) goes no way.
        self.relations = self.traits["directed"] | {
            name for name, kind in self.kinds.items() if kind in ("event", "side") and name not in self.traits["light"]
        }
        self.verbs = frozenset(name for name, kind in self.kinds.items() if kind in ("event", "state")) - {NOT}
        self.akin = _both_ways((name, concept.akin) for name, concept in concepts.items())
        self.opposites = _both_ways((name, concept.opposite) for name, concept in concepts.items())
        self.excludes = _both_ways((name, concept.excludes) for name, concept in concepts.items())
        self.contraries = _contraries(concepts, self.opposites)
        self.implies = {name: frozenset(concept.implies) for name, concept in concepts.items()}
        self.implied_by: dict[str, tuple[str, ...]] = {}
        for name, concept in concepts.items():
            for other in concept.implies:
                self.implied_by[other] = (*self.implied_by.get(other, ()), name)

    def _read_compounds(self, words: ConceptWords) -> None:
        """Notes the terms that mean several concepts, one after the other."""
        for term, parts in words.compounds.items():
            if term.isascii():
                stems = _stems(term)
                self._english[stems] = _parts(parts)
                self._note_second(stems)
            else:
                self._chinese[term] = _parts(parts)

    def _read_columns(self, words: ConceptWords) -> None:
        """Sorts the columns of tools by name, since a name means different things in different tools."""
        self._tools = tuple(
            (columns.beside, {_column(name): tuple(parts) for name, parts in columns.names.items()})
            for columns in words.columns.values()
        )
        self._with_column: dict[str, tuple[int, ...]] = {}
        for at, (_, columns_of) in enumerate(self._tools):
            for name in columns_of:
                self._with_column[name] = (*self._with_column.get(name, ()), at)

    def _read_links(self, words: ConceptWords) -> None:
        """Sorts the idioms of tools by what finds them fast: their first word, else their text, or their column."""
        self.links_by_opener: dict[str, list[tuple[str, Link]]] = {}
        self.links_by_text: list[tuple[str, Link]] = []
        self.links_by_column: dict[str, list[Link]] = {}
        for link in words.links:
            for text in link.texts:
                opener = _OPENER.match(text)
                if opener is None:
                    self.links_by_text.append((text, link))
                else:
                    self.links_by_opener.setdefault(opener.group(), []).append((text, link))
            for column in link.columns:
                self.links_by_column.setdefault(column.lower(), []).append(link)

    def _add(self, name: str, chinese: Iterable[str], english: Iterable[str]) -> None:
        """Notes the terms of both languages for a concept or a mark."""
        for term in chinese:
            self._add_chinese(term, (name,))
        for term in english:
            self._add_english(term, (name,))

    def _add_chinese(self, term: str, names: tuple[str, ...]) -> None:
        first, *more = self._chinese.get(term, ((),))
        self._chinese[term] = (_merged(first, names), *more)

    def _add_english(self, term: str, names: tuple[str, ...]) -> None:
        stems = _stems(term)
        first, *more = self._english.get(stems, ((),))
        self._english[stems] = (_merged(first, names), *more)
        if len(stems) == 1:
            first, *more = self._exact.get(term, ((),))
            self._exact[term] = (_merged(first, names), *more)
        self._note_second(stems)

    def _note_second(self, stems: tuple[str, ...]) -> None:
        if len(stems) > 1:
            self._seconds.setdefault(stems[0], set()).add(stems[1])

    def _note_lengths(self) -> None:
        """Notes how long the Chinese terms are that begin with a sign, so that few stretches have to be tried."""
        found: dict[str, set[int]] = {}
        for term in self._chinese:
            if len(term) <= _LONGEST_CHINESE:
                found.setdefault(term[0], set()).add(len(term))
        self._lengths = {sign: tuple(sorted(lengths, reverse=True)) for sign, lengths in found.items()}

    def kind(self, name: str) -> str:
        """Returns the kind of a concept, empty for a stem or a machine's name."""
        return self.kinds.get(name, "")

    def terms(self, text: str, offset: int = 0) -> list[Term]:
        """Returns the words of a text, left to right. `offset` is added to every place. Linear in the text."""
        plain = narrow(text)
        runs = [(match.group(), match.start() + offset) for match in _RUN.finditer(plain)]
        terms: list[Term] = []
        at = 0
        while at < len(runs):
            run, start = runs[at]
            if run[0] >= "\u3400":
                terms.extend(self._chinese_terms(run, start))
                at += 1
                continue
            opener, words = self._latin(run)
            taken = self._phrase(opener, plain, offset, runs, at, terms) if opener else 0
            if taken:
                at += taken
                continue
            end = start + len(run)
            terms.append(Term(words[0], start, end))
            if len(words) > 1:  # a compound
                terms.extend(Term(names, start, end) for names in words[1:])
            at += 1
        return terms

    def _phrase(
        self, opener: str, text: str, offset: int, runs: list[tuple[str, int]], at: int, terms: list[Term]
    ) -> int:
        """Adds the longest term of several words that begins here, and returns how many runs it took."""
        stems = [opener]
        ends = [runs[at][1] + len(runs[at][0])]
        for word, start in runs[at + 1 : at + _LONGEST_PHRASE]:
            gap = start - ends[-1]
            if word[0] >= "\u3400" or (gap > 1 and text[ends[-1] + 1 - offset : start - offset].strip(JOINT)):
                break
            stems.append(stem(word.lower()))
            if len(stems) == 2 and stems[1] not in self._seconds[opener]:
                return 0
            ends.append(start + len(word))
        for length in range(len(stems), 1, -1):
            parts = self._english.get(tuple(stems[:length]))
            if parts:
                terms.extend(Term(names, runs[at][1], ends[length - 1]) for names in parts)
                return length
        return 0

    def _read_latin(self, run: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
        """Returns the stem of a run that can begin a term of several words, else nothing; and what it means alone."""
        first = stem(run.lower())
        return first if first in self._seconds else "", self._latin_names(run)

    def _latin_names(self, run: str) -> tuple[tuple[str, ...], ...]:
        """Returns what one run of Latin signs means: the names of each term that stands there."""
        lowered = run.lower()
        if _PLAIN_WORD.match(run) and not _HUMP.search(run):
            whole = self._exact.get(lowered) or self._english.get(_stems(lowered))
            if whole is not None:
                return whole
            if "-" in run:
                parts = [name for part in run.split("-") for names in self._word(part) for name in names]
                return (("+" + lowered, *parts),)
            return (("~" + stem(lowered),),)
        whole = self._english.get((stem(lowered),)) or self._english.get(tuple(_SIGNS.split(lowered)))
        if whole is not None:
            return whole
        words = [match.group().lower() for match in _WORD_PART.finditer(run) if not match.group().isdigit()]
        return (("=" + lowered, *(name for names in self._words(words) for name in names)),)

    def _words(self, words: list[str]) -> Iterator[tuple[str, ...]]:
        """Returns what the words of one name mean, the longest terms first (`restart`, `count`)."""
        stems = [stem(word) for word in words]
        at = 0
        while at < len(stems):
            for length in range(min(_LONGEST_PHRASE, len(stems) - at), 1, -1):
                parts = self._english.get(tuple(stems[at : at + length]))
                if parts is not None:
                    yield from parts
                    break
            else:
                length = 1
            # The single words count too: a claim may name the thing and the figure apart.
            for one in range(at, at + length):
                yield from self._exact.get(words[one]) or self._english.get((stems[one],)) or (("~" + stems[one],),)
            at += length

    def _word(self, word: str) -> tuple[tuple[str, ...], ...]:
        root = stem(word.lower())
        return self._exact.get(word.lower()) or self._english.get((root,)) or (("~" + root,),)

    def _chinese_terms(self, run: str, start: int) -> Iterator[Term]:
        at = 0
        unknown = -1
        while at < len(run):
            for length in self._lengths.get(run[at], ()):
                term = run[at : at + length]  # shorter at the end of the run
                parts = self._chinese.get(term)
                if parts is not None:
                    if unknown >= 0:
                        yield Term(("~" + run[unknown:at],), start + unknown, start + at)
                        unknown = -1
                    end = start + at + len(term)
                    for names in parts:
                        yield Term(names, start + at, end)
                    at += len(term)
                    break
            else:
                if unknown < 0:
                    unknown = at
                at += 1
        if unknown >= 0:
            yield Term(("~" + run[unknown:],), start + unknown, start + len(run))

    def _key_names(self, key: str) -> frozenset[str]:
        """Returns everything that a key or header names: its concepts, the stems of its other words."""
        names: set[str] = set()
        for term in self.terms(key):
            names.update(meant(term))
        for part in _PERCENTILE.findall(key):  # p95_ms: the name is split where its digits begin
            for term in self.terms(part):
                names.update(meant(term))
        return frozenset(names)

    def columns(self, keys: frozenset[str]) -> dict[str, frozenset[str]]:
        """Returns what the keys of one record or table mean by the tool that has them all, beside their own words."""
        lowered = {name for key in keys for name in _column_forms(key)}
        found: dict[str, frozenset[str]] = {}
        for key in sorted(keys):
            for name in _column_forms(key):
                for at in self._with_column.get(name, ()):
                    beside, columns = self._tools[at]
                    if (beside == 0 and name == _column(key)) or (beside and len(lowered & columns.keys()) > beside):
                        found[key] = found.get(key, frozenset()) | frozenset(columns[name])
        return found


def _wording_terms(words: BaseModel, path: str = "@") -> Iterator[tuple[str, Terms]]:
    for field in type(words).model_fields:
        value = getattr(words, field)
        if isinstance(value, Terms):
            yield path + field, value
        elif isinstance(value, BaseModel):
            yield from _wording_terms(value, f"{path}{field}.")


def _outcomes(outcomes: Iterable[Outcome]) -> dict[tuple[str, bool], frozenset[tuple[str, bool]]]:
    """Returns by what may follow, and whether that is denied, what it follows from, and whether that is denied."""
    found: dict[tuple[str, bool], set[tuple[str, bool]]] = {}
    for outcome in outcomes:
        shown = [(part[-1], len(part) > 1) for part in _parts(outcome.shown)]
        for part in _parts(outcome.likely):
            found.setdefault((part[-1], len(part) > 1), set()).update(shown)
    return {likely: frozenset(shown) for likely, shown in found.items()}


def _both_ways(pairs: Iterable[tuple[str, Iterable[str]]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, others in pairs:
        for other in others:
            found.setdefault(name, set()).add(other)
            found.setdefault(other, set()).add(name)
    return {name: frozenset(others) for name, others in found.items()}


# What makes a word of its contrary: unhealthy, insufficient, 不可用.
_DENYING_PARTS: Final = ("un", "in", "dis", "not ", "non ", "\u4e0d", "\u672a", "\u65e0", "\u975e")


def _contraries(concepts: Mapping[str, Concept], opposites: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    """Returns for each state those opposites of which one of both holds: its word is the other's with a denial."""
    found: dict[str, tuple[str, ...]] = {}
    for name, others in opposites.items():
        own = {*concepts[name].en, *concepts[name].zh}
        for other in sorted(others) if concepts[name].kind == "state" else ():
            theirs = {*concepts[other].en, *concepts[other].zh}
            if any(part + term in theirs for term in own for part in _DENYING_PARTS) or any(
                part + term in own for term in theirs for part in _DENYING_PARTS
            ):
                found[name] = (*found.get(name, ()), other)
    return found


def _stems(term: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in re.split(r"[\s\-]+", term.lower()))


def _parts(names: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Returns the parts of a compound, a denial with what it denies."""
    parts: list[tuple[str, ...]] = []
    for name in names:
        if parts and parts[-1] == (NOT,):
            parts[-1] = (NOT, name)
        else:
            parts.append((name,))
    return tuple(parts)


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _column(key: str) -> str:
    return key.strip().strip("()[]").lower()


def _column_forms(key: str) -> tuple[str, ...]:
    """Returns a column's name, and without the heading over it (`swap si`: si)."""
    name = _column(key)
    group, _, own = name.partition(" ")
    return (name, own) if group and own and " " not in own else (name,)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Returns a lower-case English word without its usual endings, the same for all forms of most words."""
    if word.endswith(("'s", "\u2019s")):
        word = word[:-2]
    if len(word) <= 3 or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)]
            if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "ls":
                root = root[:-1]
            return root.removesuffix("e")
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
