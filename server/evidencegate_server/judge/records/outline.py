"""Keeps what a line stands under: headings, the log line before it, and blocks by indentation."""

from __future__ import annotations

from collections.abc import Callable

from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.model import RecordKind


class Block:
    """Lines with one indentation.

    `level` is twice the indentation, one more for a list, whose dashes may stand as far left as the key above it.
    `draft` takes the pairs; a list has none and names its members by `label`. `is_headed` says that each record has a
    head of its own (a commented line), so that sentences below are a part of it.
    """

    __slots__ = (
        "colon",
        "draft",
        "first_key",
        "group",
        "is_headed",
        "is_list",
        "label",
        "level",
        "outer",
        "owner",
        "scalars",
        "sub_group",
    )

    def __init__(self, level: int, draft: Draft | None, owner: int, label: str, *, is_list: bool, group: int) -> None:
        self.level = level
        self.draft = draft
        self.owner = owner
        self.label = label
        self.is_list = is_list
        self.group = group
        self.is_headed = False
        self.first_key = ""
        self.colon = -1
        self.sub_group = -1
        # The level of what it stands under: a line between both still belongs to it, as where keys are set flush right.
        self.outer = level
        self.scalars: Draft | None = None


class _Opener:
    """A key whose value may follow on deeper lines. `cells` is how many cells its record had before it."""

    __slots__ = ("block", "cells", "colon", "end", "has_value", "key", "level", "owner", "start")

    def __init__(
        self, key: str, start: int, end: int, level: int, owner: int, block: Block | None, *, has_value: bool
    ) -> None:
        self.key = key
        self.start = start
        self.end = end
        self.level = level
        self.owner = owner
        self.block = block
        self.has_value = has_value
        self.colon = -1
        self.cells = len(block.draft.cells) if block is not None and block.draft is not None else 0


class Outline:
    """What is open at the line that is read."""

    def __init__(self, builder: Builder, is_flush_right: Callable[[int], bool]) -> None:
        """`is_flush_right` tells whether the lines around the one being read have their colons in a column."""
        self._builder = builder
        self._is_flush_right = is_flush_right
        self._headings: list[tuple[int, Draft]] = []
        self.blocks: list[Block] = []
        self.line: Draft | None = None
        self._caption: Draft | None = None
        self._opener: _Opener | None = None

    def heading(self, level: int, start: int, end: int) -> Draft:
        """Opens a heading; those of the same or a deeper level are over, and so is every block."""
        self.settle()
        self.blocks.clear()
        self.line = None
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        parent = self._headings[-1][1].index if self._headings else -1
        text = self._builder.text[start:end]
        draft = self._builder.open(RecordKind.HEADING, parent, text if len(text) <= 200 else "", start)
        self._builder.prose(draft, "", start, end)
        self._headings.append((level, draft))
        return draft

    def blank(self) -> None:
        """Notes an empty line: what stood as far left as it goes is over."""
        self._caption = None
        if self.blocks and (self.blocks[-1].level == 0 or (len(self.blocks) == 1 and self.blocks[0].colon < -1)):
            self.settle()
            self.blocks.clear()

    def base(self) -> int:
        """Returns the record that holds everything at the left margin."""
        if self.line is not None:
            return self.line.index
        return self._headings[-1][1].index if self._headings else -1

    def top(self) -> int:
        """Returns the innermost heading, whatever log line or block is open, and closes these."""
        self.settle()
        self.blocks.clear()
        self.line = None
        return self._headings[-1][1].index if self._headings else -1

    def inner(self) -> int:
        """Returns the innermost record that is open."""
        if self.blocks:
            block = self.blocks[-1]
            return block.draft.index if block.draft is not None else block.owner
        return self.base()

    def settle(self) -> None:
        """Gives a key that no deeper line followed its empty value, or makes it a heading."""
        opener = self._opener
        self._opener = None
        self._caption = None
        if opener is None or opener.has_value:
            return
        block = opener.block
        if block is not None and block.draft is not None:
            self._builder.plain(block.draft, opener.key, opener.end, opener.end)
        else:
            draft = self._builder.open(RecordKind.HEADING, opener.owner, opener.key, opener.start)
            self._builder.prose(draft, "", opener.start, opener.end)
            self._caption = draft

    def under(self, indent: int, *, beside: bool = False) -> int:
        """Returns what holds a table, a sentence or an object that is indented so far.

        A line that is as far left as a block of pairs stands in their record, or `beside` it.
        """
        level = 2 * indent
        self._close_to(level)
        opener = self._opener
        if opener is not None and not opener.has_value:
            if opener.level < level:
                return self._child(level).index
            self.settle()
        if self._caption is not None:
            return self._caption.index
        if beside and self.blocks and self.blocks[-1].level >= level and (draft := self.blocks[-1].draft) is not None:
            return draft.index if self.blocks[-1].is_headed or not draft.cells else draft.parent
        return self.inner()

    def _close_to(self, level: int) -> None:
        blocks = self.blocks
        while blocks and blocks[-1].level > level and blocks[-1].outer >= level:
            blocks.pop()
        if self._opener is not None and self._opener.level > level:
            self.settle()

    def _child(self, level: int) -> Draft:
        """Opens the record that an opener above names."""
        opener = self._opener
        assert opener is not None
        self._opener = None
        builder = self._builder
        block = opener.block
        draft = builder.open(RecordKind.OBJECT, opener.owner, opener.key, opener.start)
        draft.end = opener.end
        if opener.has_value and block is not None and block.draft is not None:
            # `State: Terminated` above `Reason: ...` is a part of what it opens.
            draft.cells = block.draft.cells[opener.cells :]
            del block.draft.cells[opener.cells :]
        child = Block(level, draft, opener.owner, "", is_list=False, group=-1)
        child.outer = opener.level
        self.blocks.append(child)
        return draft

    def member(self, indent: int, colon: int, key: str, start: int) -> Block:
        """Returns the block that takes a pair, with a record in `draft`."""
        level = 2 * indent
        blocks = self.blocks
        builder = self._builder
        level = self._aligned(level, colon)
        self._close_to(level)
        block = blocks[-1] if blocks else None
        if block is None or block.level < level or block.draft is None:
            opener = self._opener
            if opener is not None and opener.level < level:
                self._child(level)
            else:
                aligned = (
                    opener is not None and not opener.has_value and opener.level == level and opener.colon == colon
                )
                if not aligned:
                    self.settle()  # a key that nothing followed is a heading, and heads this block
                parent = self.inner() if self._caption is None else self._caption.index
                draft = builder.open(RecordKind.OBJECT, parent, "", opener.start if opener and aligned else start)
                if opener is not None and aligned:
                    builder.plain(draft, opener.key, opener.end, opener.end)
                    self._opener = None
                self.settle()
                blocks.append(Block(level, draft, draft.parent, "", is_list=False, group=-1))
                blocks[-1].first_key = opener.key if opener is not None and aligned else key
            block = blocks[-1]
        else:
            self.settle()
            self._again(block, key, start)
        block.colon = colon
        if not block.first_key:
            block.first_key = key
        return block

    def _aligned(self, level: int, colon: int) -> int:
        """Returns the level of a pair, which is that of the one above where both have keys that are set flush right."""
        if colon == -1:
            return level
        block = self.blocks[-1] if self.blocks else None
        opener = self._opener
        if block is not None and block.colon == colon and not block.is_list:
            above = block.level
        elif opener is not None and not opener.has_value and opener.colon == colon:
            above = opener.level
        else:
            return level
        return above if above == level or colon < 0 or self._is_flush_right(colon) else level

    def begins_anew(self, indent: int, start: int) -> None:
        """Begins the next record of the block that is open there, whatever its first key."""
        level = 2 * indent
        self._close_to(level)
        if self.blocks and self.blocks[-1].level == level:
            self.settle()
            self._next(self.blocks[-1], start)
            self.blocks[-1].is_headed = True

    def _again(self, block: Block, key: str, start: int) -> None:
        """Begins the next of several like records where their first key comes round again."""
        if key == block.first_key:
            self._next(block, start)

    def _next(self, block: Block, start: int) -> None:
        """Begins the next of several like records."""
        draft = block.draft
        if draft is None or not draft.cells:
            return
        if draft.group < 0:
            draft.group = self._builder.group()
        block.draft = self._builder.open(RecordKind.OBJECT, draft.parent, draft.label, start, draft.group)
        block.sub_group = -1

    def pair_opens(self, block: Block, key: str, start: int, end: int, cells: int) -> None:
        """Notes a pair as one that deeper lines may belong to."""
        assert block.draft is not None
        self._opener = _Opener(key, start, end, block.level, block.draft.index, block, has_value=True)
        self._opener.cells = cells

    def is_below(self, indent: int, start: int) -> bool:
        """Tells whether a line is deeper than the pair that began at `start` and is the last one read."""
        opener = self._opener
        return opener is not None and opener.start == start and opener.level < 2 * indent

    def opens(self, indent: int, key: str, start: int, end: int, colon: int = -1) -> None:
        """Notes a key without a value, whose colon stands in the column `colon`."""
        level = self._aligned(2 * indent, colon)
        self._close_to(level)
        opener = self._opener
        if opener is not None and opener.level < level:
            self._child(level)
        else:
            self.settle()
        block = self.blocks[-1] if self.blocks else None
        if block is not None and (block.level < level or block.draft is None):
            draft = self._builder.open(RecordKind.OBJECT, self.inner(), "", start)
            block = Block(level, draft, draft.parent, "", is_list=False, group=-1)
            self.blocks.append(block)
        if block is not None and block.level == level:
            self._again(block, key, start)
        owner = block.draft.index if block is not None and block.draft is not None else self.base()
        self._opener = _Opener(key, start, end, level, owner, block, has_value=False)
        self._opener.colon = colon

    def dash(self, indent: int, *, only_known: bool) -> Block | None:
        """Returns the list that an item stands in; None where it would be one without a key and `only_known`."""
        level = 2 * indent + 1
        self._close_to(level)
        blocks = self.blocks
        if blocks and blocks[-1].level == level and blocks[-1].is_list:
            self.settle()
            return blocks[-1]
        opener = self._opener
        if opener is not None and not opener.has_value and opener.level <= level:
            self._opener = None
            block = Block(level, None, opener.owner, opener.key, is_list=True, group=self._builder.group())
            if opener.block is None or opener.block.draft is None:
                block.draft = None
            blocks.append(block)
            return block
        if only_known:
            return None
        self.settle()
        block = Block(level, None, self.inner(), "", is_list=True, group=self._builder.group())
        blocks.append(block)
        return block

    def item(self, block: Block, indent: int, start: int) -> None:
        """Opens the record of a list's item, whose members are indented so far."""
        self.settle()
        draft = self._builder.open(RecordKind.OBJECT, block.owner, block.label, start, block.group)
        self.blocks.append(Block(2 * indent, draft, block.owner, "", is_list=False, group=-1))

    def holds(self, indent: int) -> bool:
        """Tells whether a line that is indented so far goes on with a block of pairs."""
        if self._opener is not None and self._opener.level < 2 * indent:
            return True
        return any(block.level == 2 * indent and block.draft is not None for block in self.blocks[-3:])

    def continues(self, indent: int) -> tuple[Draft, int] | None:
        """Returns the record and the cell of it that a deeper line goes on with, None where there is none."""
        opener = self._opener
        if opener is None or not opener.has_value or opener.level >= 2 * indent or opener.block is None:
            return None
        draft = opener.block.draft
        return None if draft is None or len(draft.cells) <= opener.cells else (draft, opener.cells)
