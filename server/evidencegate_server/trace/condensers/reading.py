"""Reads a text into lines, JSON or not, with those that claims speak of taken in already."""

from __future__ import annotations

from collections.abc import Callable

from evidencegate_server.contract.records import record
from evidencegate_server.trace.condensers.json_text import JsonKeys, is_json, lay_out, writer
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Focus
from evidencegate_server.trace.condensers.pick import Write, tidy_line


@record
class Reading:
    """The lines of a text, how one is written, and whether the text is JSON."""

    lines: Lines
    write: Write
    is_json: bool


def read(
    text: str,
    focus: Focus,
    keys: JsonKeys,
    *,
    plain: Callable[[str], str] = lambda text: text,
    write: Write = tidy_line,
) -> Reading:
    """Returns the lines of a text; `plain` prepares text that is no JSON, `write` writes a line of it."""
    json = is_json(text)
    lines = Lines(lay_out(text) if json else plain(text))
    lines.add_focus(focus)
    return Reading(lines, writer(keys, focus.quotes) if json else write, json)
