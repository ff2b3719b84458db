"""Prints tables that stay readable in 80 columns: words are never broken, and only the last column wraps."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

# Where nothing says how wide the output is, as in a file.
_WIDTH_ELSEWHERE = 120
# Far over what any table here needs.
_WIDEST = 1000
# A session's or a row's ID is as long as somebody made it; longer ones are folded.
_MOST_OF_AN_ID = 36

_VERDICT_STYLES = {"PASS": "green", "LOW_CONFID": "yellow"}
_RULE_STYLE = "red"
# What is left of 80 columns beside the session and the verdict.
_MESSAGE_WIDTH = 34


def print_sessions(rows: Sequence[Mapping[str, Any]]) -> None:
    """Prints what came of each session, from the objects that `--json` prints."""
    from rich.text import Text

    names = [Text(f"{_plain(row['session_id'])}\n{row['route']}") for row in rows]
    found = [_found(row) for row in rows]
    table = _table()
    table.add_column("session\nnext step", min_width=_least(names), max_width=_MOST_OF_AN_ID, overflow="fold")
    table.add_column("verdict\nscore", no_wrap=True)
    table.add_column("gatekeeper and its rules\nclaims and their labels", min_width=_least(found), overflow="fold")
    for row, name, what in zip(rows, names, found, strict=True):
        verdict = Text(row["verdict"], style=_VERDICT_STYLES.get(row["verdict"], "red"))
        table.add_row(name, Text.assemble(verdict, f"\n{row['score']:.4g}"), what)
    _print(table)


def print_wrong_pairs(rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Prints the rows that the judge was wrong about: ID, what kind of mistake it is, the label and the right ones."""
    from rich.text import Text

    most = _MOST_OF_AN_ID // 2
    names = [Text(_plain(row[0])) for row in rows]
    expected = [Text(row[3]) for row in rows]
    table = _table()
    table.add_column("wrong", min_width=_least(names, most), max_width=most, overflow="fold")
    for title in ("mistake", "got"):
        table.add_column(title, no_wrap=True)
    table.add_column("expected", min_width=_least(expected), overflow="fold")
    for name, row, right in zip(names, rows, expected, strict=True):
        table.add_row(name, row[1], row[2], right)
    _print(table)


def print_confusion(labels: Sequence[str], short: Sequence[str], counts: Sequence[Sequence[int]]) -> None:
    """Prints how often each label was given (columns, headed by its short name) where each was expected (rows)."""
    table = _table(lines=False)
    table.add_column("expected \\ given", no_wrap=True)
    for name in short:
        table.add_column(name, justify="right", no_wrap=True)
    for label, row in zip(labels, counts, strict=True):
        table.add_row(label, *(str(count) if count else "." for count in row))
    _print(table)


def print_figures(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a name and its figures a row."""
    from rich.text import Text

    names = [Text(_plain(row[0])) for row in rows]
    table = _table(lines=False)
    table.add_column(titles[0], min_width=_least(names), max_width=_MOST_OF_AN_ID, overflow="fold")
    for title in titles[1:]:
        table.add_column(title, justify="right", min_width=max(map(len, title.split())))
    for name, row in zip(names, rows, strict=True):
        table.add_row(name, *row[1:])
    _print(table)


def without_controls(text: str) -> str:
    """Returns lines of text without what could steer a terminal."""
    return "\n".join(_plain(line.expandtabs()) for line in text.split("\n"))


def _found(row: Mapping[str, Any]) -> Text:
    from rich.text import Text

    gatekeeper = row["gatekeeper"]
    lines = [Text(f"{gatekeeper['status']}, {row['parse_status']}")]
    if row["parse_reason"]:
        lines[0].append(f" ({row['parse_reason']})")
    first: dict[str, str] = {}
    for finding in gatekeeper["findings"]:
        told = textwrap.wrap(_plain(finding["message"]), _MESSAGE_WIDTH, break_long_words=False, break_on_hyphens=False)
        first.setdefault(finding["rule_id"], "".join(f"\n  {line}" for line in told))
    lines += [Text.assemble((rule, _RULE_STYLE), first.get(rule, "")) for rule in gatekeeper["failed_rules"]]
    lines += [Text(rule, style="yellow") for rule in gatekeeper["warning_rules"]]
    lines += [Text(f"{_plain(claim['claim_id'])} {claim['verification']}") for claim in row["claims"]]
    return Text("\n").join(lines)


def _least(cells: Sequence[Text], most: int = _MOST_OF_AN_ID) -> int:
    """Returns the width in which no word of the cells is broken, or `most` where one is longer."""
    from rich.cells import cell_len

    return min(most, max((cell_len(word) for cell in cells for word in cell.plain.split()), default=1))


def _table(*, lines: bool = True) -> Table:
    from rich import box
    from rich.table import Table

    return Table(box=box.HORIZONTALS, show_edge=False, show_lines=lines, padding=(0, 1, 0, 0), pad_edge=False)


def _print(table: Table) -> None:
    from rich.console import Console
    from rich.measure import Measurement

    console = Console(highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDTH_ELSEWHERE
    # Lines that the terminal wraps are easier to read than words that the table breaks.
    unbounded = console.options.update(max_width=_WIDEST)
    # One more, since rich leaves the last column's padding out when it measures and not when it prints.
    console.width = max(console.width, Measurement.get(console, unbounded, table).minimum + 1)
    console.print(table)


def _plain(text: str) -> str:
    """Returns an ID without what could steer a terminal: an LLM or a stranger may have written it."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
