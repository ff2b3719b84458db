"""Reads lines of key and value, with what is indented below them, and lists that begin with dashes."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.json_text import JsonReader, begins
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.outline import Block, Outline
from evidencegate_server.judge.records.source import Line

_SEPARATOR: Final = re.compile(
    r":(?=\s|$)|：|(?<=[\u3400-\u9fff)）]):|(?<=\S) ?(?<![=!<>+*|~-])=(?![=>~])(?: |(?=\S)|$)"
)
_WIDE_GAP: Final = re.compile(r" {3,}")
_KEY: Final = re.compile(r"[\w%\"'/*.(<\[-][^,;。，？！{}|\x00]{0,79}")
# redis and memcached: the colon has no blank after it, and nothing else on the line has one.
_TIGHT: Final = re.compile(r"([A-Za-z_][\w.-]*):([^\s:/][^\s]*)")
_ALL_PAIRS: Final = re.compile(
    r"(?:[\w.\[\]/-]+=(?:\"[^\"]*\"|'[^']*'|[^\s,;=]*)[,;]?(?:\s+|$))+|(?:[\w.-]+=[^\s,=]*(?:,|$))+"
)
_ONE_OF_PAIRS: Final = re.compile(r"([\w.\[\]/-]+)=(?:\"([^\"]*)\"|'([^']*)'|([^\s,;=]*))")
_COLON_PAIRS: Final = re.compile(r"(?:[A-Za-z_][\w./@-]*: +\S+(?:\s+|$)){2,}")
_TIGHT_PAIRS: Final = re.compile(r"(?:[A-Za-z_]\w*:[^\s:/][^\s:]*(?:\s+|$)){2,}")
_ONE_OF_TIGHT: Final = re.compile(r"([A-Za-z_]\w*):(\S+)")
_ONE_OF_COLONS: Final = re.compile(r"([A-Za-z_][\w./@-]*): +(\S+)")
# Pairs that bars, semicolons or commas separate, and nothing else: `zone: a | hosts: 4`, `zone: a; hosts: 4`.
_SIGNED_KEY: Final = r"[A-Za-z_%\u3400-\u9fff][\w%()/.@-]*(?: [\w%()/.@-]+){0,3}"
_SIGNED_PAIR: Final = rf"{_SIGNED_KEY} ?(?::[ ]+|：[ ]*|=[ ]*)"
_SIGNED_PAIRS: Final = {
    sign: (
        re.compile(rf"{_SIGNED_PAIR}[^{stop}\n]{{0,80}}(?:{mark}{_SIGNED_PAIR}[^{stop}\n]{{0,80}})+"),
        re.compile(rf"(?:^|{mark})({_SIGNED_KEY}) ?(?::[ ]+|：[ ]*|=[ ]*)([^{stop}\n]*?)(?=[ ]*(?:[{stop}]|$))"),
    )
    for sign, stop, mark in ((" | ", "|", r"[ ]\|[ ]"), ("; ", ";", r";[ ]"), ("；", "；", r"；[ ]?"))
}
_NEXT_KEY: Final = re.compile(
    r"(?:\s{2,}|\t)(?=[A-Za-z_][\w ./@-]{0,30}: )|(?<=[\d\])])\s?[,;] (?=[A-Za-z_][\w ./@()-]{0,30}: )"
)
# The next of several pairs in Chinese signs: `当前值：93%，阈值：80%`.
_NEXT_CHINESE_KEY: Final = re.compile(r"[，；,;、] ?(?=([\u3400-\u9fff][\w\u3400-\u9fff/()（）-]{0,11})[：:])")
_LONGEST_CHINESE_VALUE: Final = 40
# Pairs that commas separate, among other parts: `lan1: up, rx=1, tx=2`.
_LISTED: Final = re.compile(r"(?:^|, ?)[\w./-]+=[^\s,=]+(?=,|$)", re.MULTILINE)
_TWO_FIELDS: Final = re.compile(
    r"(?P<key>[A-Za-z_\u3400-\u9fff%][^\s]*(?: [^\s]+){0,6})(?:\t\s*| {2,})(?P<value>\S+(?: \S+){0,5})"
)
_REPLY: Final = re.compile(r"([A-Z]{3,8}) ([a-z][\w.:-]*) (\S+)")
# Stand for a column where lines of one kind need none.
_TABBED: Final = 10_000
_REPLIED: Final = 20_000
_DASH: Final = re.compile(r"[-*•] +(?=\S)")
_QUICK: Final = re.compile(r"([A-Za-z_][\w./-]*+(?: [A-Za-z][\w/-]*+){0,3}+) *:(?: +(?=\S)|\t\s*|$)")
# What an exception's name ends with: it is no key of its message.
_THROWN: Final = ("Exception", "Error", "Throwable")
_STRUCTURED: Final = re.compile(r"[|>][+-]?")
_ROW_MARK: Final = re.compile(r"\*{3,} *\d+\. row *\*{3,}")
_SENTENCE_END: Final = re.compile(r"[.!?。！？](?:\s|$)|[;；]")

_MOST_KEY_WORDS: Final = 8
_SURE_VALUE_WORDS: Final = 6
_SURE_VALUE_LENGTH: Final = 90


class PairReader:
    """Reads one line at a time; what a line belongs to is the outline's business."""

    def __init__(self, builder: Builder, outline: Outline, json: JsonReader, speakers: frozenset[str]) -> None:
        self._builder = builder
        self._outline = outline
        self._json = json
        self._speakers = speakers
        # The last key whose value is pairs, and their record: deeper lines of pairs go on with it.
        self._last: tuple[int, Draft] | None = None

    def read(self, line: Line, following: Line | None) -> int:
        """Reads a line where it is one of this kind. Returns where the reading ended, 0 where the line is another."""
        bare = line.bare
        if bare[0] in "-*•":
            return self._dash(line)
        return self._pair(line.left, line.end, line.indent, bare, following)

    def quick(self, line: Line, following: Line | None) -> int:
        """Reads a line that is plainly a key of few words with a colon, before anything else is tried; 0 if not."""
        found = _QUICK.match(line.bare)
        if found is None or found[1].lower() in self._speakers or found[1].endswith(_THROWN):
            return 0
        bare = line.bare
        key = found[1]
        if found.end() == len(bare):
            if "=" in key:
                return 0
            self._outline.opens(line.indent, key, line.left, line.end, line.indent + bare.index(":", found.end(1)))
            return line.end
        value = bare[found.end() :]
        if not self._is_sure(key, value, line.indent, following):
            return 0
        if ": " in value and _COLON_PAIRS.fullmatch(bare) is not None:
            return 0
        if any(sign in value and whole.fullmatch(bare) for sign, (whole, _) in _SIGNED_PAIRS.items()):
            return 0
        return self._keyed(key, value, line.left, line.end, line.indent, bare.index(":", found.end(1)))

    def _pair(self, left: int, end: int, indent: int, bare: str, following: Line | None) -> int:
        if stop := self._several(left, end, indent, bare):
            return stop
        outline = self._outline
        cut = _SEPARATOR.search(bare)
        if cut is None:
            gapped = "  " in bare or "\t" in bare
            return (self._gapped if gapped else self._replied)(left, end, indent, bare, following)
        at = cut.start()
        key = bare[:at].rstrip()
        # The query failed (tried: db-1): a colon in brackets parts no key from its value.
        if not key or len(key) > 80 or _KEY.fullmatch(key) is None or key.count("(", 1) > key.count(")"):
            return 0
        words = len(key.split()) - 1
        value = bare[cut.end() :].lstrip()
        is_equals = "=" in cut[0]
        if words >= _MOST_KEY_WORDS or (is_equals and words and not cut[0].startswith(" ")):
            return 0
        if not value:
            if not is_equals:
                outline.opens(indent, key, left, end, indent + at)
            return 0 if is_equals else end
        if not self._is_sure(key, value, indent, following):
            return 0
        gap = _WIDE_GAP.search(key)
        if gap is not None:
            # A title that stands left of its first pair.
            if key[0] not in "[(":
                outline.opens(indent, key[: gap.start()], left, left + gap.start())
            left, indent, at, key = left + gap.end(), indent + gap.end(), at - gap.end(), key[gap.end() :]
        return self._keyed(key.strip("\"'") or key, value, left, end, indent, at)

    def _several(self, left: int, end: int, indent: int, bare: str) -> int:
        """Reads a line of several pairs, or of one whose colon has no blank behind it; 0 for another."""
        if ":" in bare:
            if _TIGHT_PAIRS.fullmatch(bare) is not None:
                return self._tokens(left, indent, bare, _ONE_OF_TIGHT)
            if " " not in bare and (stop := self._tight(left, end, indent, bare)):
                return stop
            if ": " in bare and _COLON_PAIRS.fullmatch(bare) is not None:
                return self._tokens(left, indent, bare, _ONE_OF_COLONS)
        if "=" in bare and _ALL_PAIRS.fullmatch(bare) is not None:
            return self._tokens(left, indent, bare, _ONE_OF_PAIRS)
        for sign, (whole, one) in _SIGNED_PAIRS.items():
            if sign in bare and whole.fullmatch(bare) is not None:
                return self._signed(left, indent, bare, one)
        return 0

    def _signed(self, left: int, indent: int, bare: str, pattern: re.Pattern[str]) -> int:
        """Reads the pairs of a line that one sign separates; a line with the same first key is the next record."""
        found = list(pattern.finditer(bare))
        block = self._outline.member(indent, -1, found[0][1], left)
        assert block.draft is not None
        for one in found:
            if one.end(2) > one.start(2):
                self._builder.field(block.draft, one[1], left + one.start(2), left + one.end(2))
        return left + len(bare)

    def _keyed(self, key: str, value: str, left: int, end: int, indent: int, at: int) -> int:
        """Reads the value of a key, whose separator is at `at` behind `left`."""
        outline = self._outline
        if _STRUCTURED.fullmatch(value):
            outline.opens(indent, key, left, end)
            return end
        start = end - len(value)
        block = outline.member(indent, indent + at, key, left)
        draft = block.draft
        assert draft is not None
        cells = len(draft.cells)
        if value[0] in "{[" and begins(self._builder.view, start):
            return self._inner_json(draft, key, start, end)
        self._value(block, draft, key, left, start, end)
        outline.pair_opens(block, key, left, end, cells)
        return end

    def _inner_json(self, draft: Draft, key: str, start: int, end: int) -> int:
        view = self._builder.view
        if view[start] == "{":
            child = self._builder.open(RecordKind.OBJECT, draft.index, key, start)
            return max(end, self._json.read(start, len(view), draft.index, into=child))
        if view[end - 1] == "]" or view[start + 1 : end].strip() == "":
            return max(end, self._json.read(start, len(view), draft.index, label=key, into=draft))
        self._builder.field(draft, key, start, end)
        return end

    def _value(self, block: Block, draft: Draft, key: str, left: int, start: int, end: int) -> None:
        builder = self._builder
        view = builder.view
        equals = view.count("=", start, end)
        if equals and _ALL_PAIRS.fullmatch(view, start, end):
            self._sub_record(block, draft, key, left, start, end)
            return
        if equals >= 2 and len(_LISTED.findall(view, start, end)) >= 2:
            child = builder.open(RecordKind.OBJECT, draft.index, key, left, self._sub_group(block))
            builder.prose(child, key, start, end)
            return
        if _NEXT_CHINESE_KEY.search(view, start, end) is not None:
            key, start = self._chinese_pairs(draft, key, start, end)
        cut = _NEXT_KEY.search(view, start, end) if view.find(": ", start, end) >= 0 else None
        while cut is not None:
            builder.field(draft, key, start, cut.start())
            colon = view.index(":", cut.end())
            key = builder.text[cut.end() : colon].rstrip()
            start = colon + 1
            while start < end and view[start] in " \t":
                start += 1
            cut = _NEXT_KEY.search(view, start, end)
        if end - start > 2 and view[start] == view[end - 1] and view[start] in "\"'":
            start, end = start + 1, end - 1
        builder.field(draft, key, start, end)

    def _chinese_pairs(self, draft: Draft, key: str, start: int, end: int) -> tuple[str, int]:
        """Reads the pairs of a line but for the last, and returns its key and where its value begins."""
        view = self._builder.view
        cut = _NEXT_CHINESE_KEY.search(view, start, end)
        while cut is not None and cut.start() - start <= _LONGEST_CHINESE_VALUE:
            self._builder.field(draft, key, start, cut.start())
            key, start = cut[1], cut.end(1) + 1
            while start < end and view[start] == " ":
                start += 1
            cut = _NEXT_CHINESE_KEY.search(view, start, end)
        return key, start

    def _sub_group(self, block: Block) -> int:
        if block.sub_group < 0:
            block.sub_group = self._builder.group()
        return block.sub_group

    def _sub_record(self, block: Block, draft: Draft, key: str, left: int, start: int, end: int) -> None:
        child = self._builder.open(RecordKind.OBJECT, draft.index, key, left, self._sub_group(block))
        self._pieces(child, self._builder.view, start, end, _ONE_OF_PAIRS)
        self._last = (left, child)

    def _pieces(self, draft: Draft, view: str, start: int, end: int, pattern: re.Pattern[str]) -> None:
        for found in pattern.finditer(view, start, end):
            group = found.lastindex or 1
            if group > 1:
                self._builder.field(draft, found[1], found.start(group), found.end(group))

    def _tokens(self, left: int, indent: int, bare: str, pattern: re.Pattern[str]) -> int:
        """Reads a line of several short pairs; a line whose first key comes round again is the next record."""
        found = pattern.match(bare)
        if found is None:
            return 0
        if self._last is not None and self._outline.is_below(indent, self._last[0]):
            self._pieces(self._last[1], self._builder.view, left, left + len(bare), pattern)
            return left + len(bare)
        several = len(pattern.findall(bare)) > 1
        # A line with pairs of its own is a record like the lines around it, which often have the same keys.
        block = self._outline.member(indent, -1, found[1], left)
        draft = block.draft
        assert draft is not None
        cells = len(draft.cells)
        self._pieces(draft, self._builder.view, left, left + len(bare), pattern)
        if not several:
            self._outline.pair_opens(block, found[1], left, left + len(bare), cells)
        return left + len(bare)

    def _gapped(self, left: int, end: int, indent: int, bare: str, following: Line | None) -> int:
        """Reads a name and a value that blanks separate, where the line above or below is set the same way."""
        found = _TWO_FIELDS.fullmatch(bare)
        if found is None:
            return 0
        tabbed = "\t" in bare  # then values need not stand below each other
        column = _TABBED if tabbed else indent + found.start("value")
        top = self._outline.blocks[-1] if self._outline.blocks else None
        if top is None or top.colon != ~column:
            if following is None or following.indent != indent:
                return 0
            other = _TWO_FIELDS.fullmatch(following.bare)
            if other is None or not (
                "\t" in following.bare if tabbed else following.indent + other.start("value") == column
            ):
                return 0
        block = self._outline.member(indent, ~column, found["key"], left)
        assert block.draft is not None
        self._builder.field(block.draft, found["key"], left + found.start("value"), end)
        return end

    def _replied(self, left: int, end: int, indent: int, bare: str, following: Line | None) -> int:
        """Reads a name and a value behind a word that begins each line of a reply (`STAT curr_items 12`)."""
        found = _REPLY.fullmatch(bare)
        if found is None:
            return 0
        top = self._outline.blocks[-1] if self._outline.blocks else None
        if top is None or top.colon != ~_REPLIED:
            other = None if following is None else _REPLY.fullmatch(following.bare)
            if other is None or other[1] != found[1]:
                return 0
        block = self._outline.member(indent, ~_REPLIED, found[2], left)
        assert block.draft is not None
        self._builder.field(block.draft, found[2], left + found.start(3), end)
        return end

    def _tight(self, left: int, end: int, indent: int, bare: str) -> int:
        found = _TIGHT.fullmatch(bare)
        if found is None:
            return 0
        block = self._outline.member(indent, -1, found[1], left)
        assert block.draft is not None
        self._value(block, block.draft, found[1], left, left + found.start(2), end)
        return end

    def _is_sure(self, key: str, value: str, indent: int, following: Line | None) -> bool:
        """Tells whether a line is key and value rather than a sentence with a colon."""
        if key.lower() in self._speakers:
            return False
        short = len(value) <= _SURE_VALUE_LENGTH and value.count(" ") < _SURE_VALUE_WORDS and "，" not in value
        if not short and (cut := _NEXT_CHINESE_KEY.search(value)) is not None:
            short = cut.start() <= _LONGEST_CHINESE_VALUE and not {",", "，"}.intersection(value[: cut.start()])
        if short and _SENTENCE_END.search(value) is None:
            return True
        if self._outline.holds(indent):
            return True
        if following is None or following.indent < 0:
            return False
        if following.indent != indent:
            return following.indent > indent
        cut = _SEPARATOR.search(following.bare)
        return cut is not None and 0 < cut.start() <= 60 and _KEY.fullmatch(following.bare, 0, cut.start()) is not None

    def _dash(self, line: Line) -> int:
        found = _DASH.match(line.bare)
        if found is None:
            return 0
        outline = self._outline
        if line.bare[0] != "-":
            return self._pair(line.left + found.end(), line.end, line.indent, line.bare[found.end() :], None)
        left = line.left + found.end()
        inner = line.indent + found.end()
        bare = line.bare[found.end() :]
        cut = _SEPARATOR.search(bare)
        is_pair = cut is not None and " " not in bare[: cut.start()] and bare[0] != "`" and bare[0] not in "{["
        if bare[0] == "-" and _DASH.match(bare):
            is_pair = False
        block = outline.dash(line.indent, only_known=not is_pair)
        if block is None:
            return 0
        if is_pair:
            outline.item(block, inner, line.left)
            done = self._pair(left, line.end, inner, bare, None)
            if done:
                return done
            draft = outline.blocks[-1].draft
            assert draft is not None
            self._builder.prose(draft, "", left, line.end)
            return line.end
        if bare[0] in "{[" and begins(self._builder.view, left):
            return self._json.read(left, len(self._builder.view), block.owner, block.label, block.group)
        return self._scalar(block, left, line)

    def _scalar(self, block: Block, left: int, line: Line) -> int:
        """Adds a plain item to the record that has the list's key."""
        blocks = self._outline.blocks
        owner = block.scalars or next(
            (each.draft for each in blocks if each.draft is not None and each.draft.index == block.owner), None
        )
        if owner is None:
            owner = self._builder.open(RecordKind.OBJECT, block.owner, block.label, line.left)
        block.scalars = owner
        self._builder.field(owner, block.label, left, line.end)
        return line.end


def is_row_mark(bare: str) -> bool:
    """Tells whether a line is the mark that mysql sets before each row."""
    return bare[0] == "*" and _ROW_MARK.fullmatch(bare) is not None
