"""Tells commands, titles and section lines from what they stand over."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.lexicon.format_words import FormatWords

_PROMPT: Final = re.compile(
    r"(?:\$|>|%|❯|➜|PS [A-Z]:\\[^>]*>|(?:[\w.-]+@)[\w.-]+[:~/\w .-]*[#$%]|\[[\w.-]+@[\w.-]+ [^\]]+\][#$%]"
    r"|mysql>|MariaDB[^>]*>|[\w.-]+:\d+>|[\w-]+[=(*!-]*[#>](?= [A-Za-z])|SQL>) +(?P<command>\S.*)"
)
_PROMPT_END: Final = re.compile(r"\S[$#>%] ")
_MARKDOWN: Final = re.compile(r"(#{1,6})\s+\S")
_RULED: Final = re.compile(r"(?P<mark>[=*~-])(?P=mark){1,}\s*>?\s*(?P<title>[^\s=*~-].*?)\s*(?:<?\s*(?P=mark){2,})?")
_UNDERLINE: Final = re.compile(r"[=-]{3,}|[=~*_-](?: ?[=~*_-]){3,}")
_FENCE: Final = re.compile(r"```\w*|~~~\w*")
_CALL: Final = re.compile(r"(?:[A-Z_]+=\S+ |sudo )*(?P<program>[\w.-]+) +(?P<rest>.*)")
_FLAG: Final = re.compile(r"(?:^|\s)--?[A-Za-z]")
_WORD_ONLY: Final = re.compile(r"[a-z][a-z-]*(?: [\w./:@-]+){0,4}")

_LONGEST_TITLE: Final = 100
_SENTENCE: Final = 4  # blanks that a title has which is a sentence
# What an alert's block begins with; a line of that kind below it makes it a list of keys in brackets.
_BRACKETED: Final = re.compile("\u3010[^\u3010\u3011]{1,40}\u3011")
_CHINESE_PAIR: Final = re.compile("[\\w\u3400-\u9fff/()（） -]{1,20}[：:]\\S?")

# Levels: a command ends everything before it, titles nest below it.
COMMAND: Final = 0
TITLE: Final = 1


class HeadingRules:
    """Knows the programs of the lexicon."""

    def __init__(self, words: FormatWords) -> None:
        self._commands = frozenset(words.commands)

    def level(self, before: str, bare: str, following: str) -> int:
        """Returns the level of a heading, -1 for another line, -2 for a rule that says nothing.

        `before` and `following` are the lines beside it, empty where there is none.
        """
        first = bare[0]
        if first in "-=~*_#`+":
            if is_rule(bare):
                return -2
            marks = _MARKDOWN.match(bare)
            if marks is not None:
                return TITLE + len(marks[1])
            if first in "=*~-":
                ruled = _RULED.fullmatch(bare)
                if ruled is not None and (first != "-" or bare.startswith("---") or bare.endswith("--")):
                    return TITLE + (2 if _says(ruled["title"]) else 1)
        if self._is_command(bare):
            return COMMAND
        if first == "\u3010" and _heads_pairs(bare, following):
            return TITLE + 1
        underlined = following and following[0] in "=-~" and len(following) > 3 and _UNDERLINE.fullmatch(following)
        if before and not is_rule(before):
            return -1
        if underlined and "  " not in bare and "|" not in bare and len(bare) <= _LONGEST_TITLE:
            return TITLE + 1
        return -1

    def _is_command(self, bare: str) -> bool:
        first = bare[0]
        if first in "$>%❯➜" or _PROMPT_END.search(bare, 0, 60) is not None:
            prompt = _PROMPT.fullmatch(bare)
            if prompt is not None:
                return first != ">" or self._is_call(prompt["command"]) or not prompt["command"].endswith(".")
        return self._is_call(bare)

    def _is_call(self, bare: str) -> bool:
        word = bare.partition(" ")[0]
        if word not in self._commands and word != "sudo" and "=" not in word:
            return False
        call = _CALL.fullmatch(bare)
        if call is None or call["program"] not in self._commands:
            return False
        rest = call["rest"]
        return _FLAG.search(rest) is not None or _WORD_ONLY.fullmatch(rest) is not None


def _says(title: str) -> bool:
    """Returns whether a title is a sentence about what it stands under (TRX HAS BEEN WAITING ... TO BE GRANTED:)."""
    return title.endswith(":") and title.count(" ") >= _SENTENCE


def _heads_pairs(bare: str, following: str) -> bool:
    """Tells whether a title in Chinese brackets stands over keys and values, as in the text of an alert."""
    if _BRACKETED.match(bare) is None or len(bare) > _LONGEST_TITLE:
        return False
    return not following.startswith("\u3010") and _CHINESE_PAIR.match(following) is not None


def is_rule(bare: str) -> bool:
    """Tells whether a line only separates."""
    return bare[0] in "-=~*_`" and (_UNDERLINE.fullmatch(bare) is not None or _FENCE.fullmatch(bare) is not None)
