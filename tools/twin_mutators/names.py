"""Puts other names into a claim, or swaps two of its names."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Final

from tools.twin_mutators.clauses import clause
from tools.twin_mutators.model import TrueClaim, first_few, scattered
from tools.twin_mutators.rows import stands_in, told_apart

_TOKEN: Final = re.compile(r"(?<![A-Za-z0-9_./@-])[A-Za-z0-9/][A-Za-z0-9_./:@-]*[A-Za-z0-9]")
_IPV4: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_PORT: Final = re.compile(r":\d{2,5}$")
# Numbers with units, percentiles, ordinals, times and dates, sizes: values and no names.
_VALUE: Final = re.compile(
    r"[\d.,]+[A-Za-z]{0,6}(?:/[a-z]+)?|p\d{1,4}|v?\d+(?:\.\d+)+|\d+(?:st|nd|rd|th)|[\d:.]+Z?|\d{4}-\d\d-\d\d\S*|\d+/\d+"
    r"|(?:\d+(?:ms|[smhdw]))+|(?:self|non|pre|post|re|co)-[a-z]+"
)
_HEX: Final = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}")
_CAMEL: Final = re.compile(r"[A-Za-z]*[a-z][A-Z][A-Za-z]*")

# Between two names of one list no role tells them apart.
LIST: Final = re.compile(
    r"\s*(?:,|、|/|，)?\s*(?:and|or|nor|与|和|及|以及|或|同|跟|、|,|，|/)\s*(?:the\s+|on\s+)?", re.IGNORECASE
)
# Two names of the same thing, or of the two ends of something that has no direction.
_SAME: Final = re.compile(
    r"\s*(?:[(（\[\"“]|=|is|was|aka|alias|also known as|即|是|为|named|called)\s*[\"“]?", re.IGNORECASE
)
_UNDIRECTED: Final = re.compile(
    r"\bbetween\b|\bconnected (?:to|with)\b|\bsame as\b|\beach other\b|\bboth\b|\btogether\b"
    r"|之间|互相|彼此|相互|两者|都|均|也",
    re.IGNORECASE,
)
_RESPECTIVELY: Final = re.compile(r"respectively|分别", re.IGNORECASE)


def names_of(text: str) -> list[tuple[int, int]]:
    """Returns the places of the names in a text: tokens whose form no ordinary word has."""
    found = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if _shape(token):
            found.append((match.start(), match.end()))
    return found


def other_identifier(case: TrueClaim) -> Iterator[str]:
    """Puts another name of the same shape from the same evidence in the place of one of the claim's.

    Left out where the evidence does not set the two apart: a second pod can be in the state of the first.
    """
    candidates = scattered((case.evidence[start:end] for start, end in names_of(case.evidence)), case.id)

    def twins() -> Iterator[str]:
        for old in _own_names(case):
            for new in candidates:
                if (
                    _shape(new) == _shape(old)
                    and not _akin(old, new)
                    and not stands_in(new, case.claim)
                    and told_apart(case.claim, old, new, case.texts)
                ):
                    yield _renamed(case.claim, old, new)
                    break

    return first_few(twins(), case.claim)


def invented_identifier(case: TrueClaim) -> Iterator[str]:
    """Puts a name that stands nowhere in the place of one of the claim's."""

    def twins() -> Iterator[str]:
        for old in _own_names(case):
            new = _invented(old)
            if new != old and new.lower() not in case.evidence.lower() and new not in case.claim:
                yield _renamed(case.claim, old, new)

    return first_few(twins(), case.claim)


def swapped_roles(case: TrueClaim) -> Iterator[str]:
    """Swaps two names around. Left out in lists, between two names of one thing and where no direction is told."""
    text = case.claim

    def twins() -> Iterator[str]:
        places = [(start, end) for start, end in names_of(text) if stands_in(text[start:end], case.evidence)]
        for at, (start, end) in enumerate(places):
            for start2, end2 in places[at + 1 :]:
                one, other = text[start:end], text[start2:end2]
                between = text[end:start2]
                # What is said of other things in other clauses is no matter.
                said = clause(text, start, end)[0] + between + clause(text, start2, end2)[1]
                listed = LIST.fullmatch(between) is not None and not _RESPECTIVELY.search(text)
                if (
                    one != other
                    and _role_kind(one) == _role_kind(other)
                    and not _akin(one, other)
                    and not listed
                    and not _SAME.fullmatch(between)
                    and not _UNDIRECTED.search(said)
                    and not _says_the_same_of_both(text[:start], between, text[end2:])
                ):
                    yield f"{text[:start]}{other}{between}{one}{text[end2:]}"

    return first_few(twins(), text)


def _says_the_same_of_both(before: str, between: str, after: str) -> bool:
    """Returns whether what follows the second name also follows the first: `A is down, B is down`."""
    words = re.findall(r"\w+", after.lower())[:2]
    return bool(words) and re.findall(r"\w+", between.lower())[: len(words)] == words and not before.strip()


def _own_names(case: TrueClaim) -> list[str]:
    """Returns the claim's names that stand in the evidence, once each."""
    found = [case.claim[start:end] for start, end in names_of(case.claim)]
    return [name for name in dict.fromkeys(found) if stands_in(name, case.evidence)]


def _renamed(text: str, old: str, new: str) -> str:
    edge = r"(?![A-Za-z0-9_]|[.:/-][A-Za-z0-9])"
    return re.sub(rf"(?<![A-Za-z0-9_]){re.escape(old)}{edge}", lambda _: new, text)


def _akin(one: str, other: str) -> bool:
    """Returns whether one name can be short for the other: a pod's prefix, a host without its domain."""
    one, other = one.lower(), other.lower()
    return one in other or other in one


def _shape(token: str) -> str:
    """Returns what kind of name a token is, empty where it is none."""
    bare = _PORT.sub("", token)
    port = ":" if bare != token else ""
    if _IPV4.fullmatch(bare):
        return f"address{port}"
    if _VALUE.fullmatch(token) or not re.search("[A-Za-z]", token):
        return ""
    if _HEX.fullmatch(token):
        return f"hex{len(token)}"
    if "/" in bare:
        # Two English words with a slash between them are a choice.
        return "path" if bare.startswith("/") or re.search(r"\d|/.*/", bare) else ""
    if "_" in bare:
        return f"underscored{port}"
    if "." in bare:
        return f"dotted{port}" if re.fullmatch(r"[A-Za-z0-9-]{2,}(?:\.[A-Za-z0-9-]{2,})+", bare) else ""
    if "-" in bare:
        return f"hyphenated{'1' if re.search('[0-9]', bare) else ''}{port}" if len(bare) > 5 else ""
    if _CAMEL.fullmatch(bare):
        return "camel" if len(bare) > 5 else ""  # GiB, dBm
    if re.fullmatch(r"[A-Za-z]+\d+[a-z]?", bare):
        return f"numbered{port}"
    return f"mixed{port}" if port or re.search(r"\d[A-Za-z]+\d", bare) else ""


# Words that names are made of; no tool prints them by itself.
_MADE_OF: Final = ("harbor", "falcon", "quartz", "maple", "orchid", "copper", "willow", "saffron", "tundra", "lantern")


def _invented(name: str) -> str:
    """Returns a name of the same shape: its longest word becomes another, or its last number does."""
    digest = hashlib.sha256(name.encode())
    if _IPV4.search(name):
        return re.sub(r"(\d{1,3})((?::\d+)?)$", lambda m: f"{(int(m[1]) * 7 + 41) % 200 + 31}{m[2]}", name)
    if _HEX.fullmatch(name):
        return digest.hexdigest()[: len(name)]
    parts = re.split(r"([-_./:@])", name)
    longest = max((part for part in parts if part.isalpha()), key=len, default="")
    if len(longest) > 3:
        made = _MADE_OF[digest.digest()[0] % len(_MADE_OF)]
        made = made.upper() if longest.isupper() else made.capitalize() if longest[0].isupper() else made
        return "".join(made if part == longest else part for part in parts)
    return re.sub(r"\d(?=\D*$)", lambda m: str((int(m[0]) * 3 + 5) % 10), name)


def _role_kind(name: str) -> str:
    """Returns which names can stand in for each other in a sentence: hosts and services, addresses, classes, paths."""
    shape = _shape(name)
    return "name" if shape.startswith(("hyphenated", "numbered", "underscored", "mixed")) else shape
