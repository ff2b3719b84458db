"""Holds what the catalog says of condensing: which words make a line telling, which keys come first."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


def _lower(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank: every line would be telling")
    if text != text.lower():
        raise ValueError(f'must be in lower case, not "{text}": lines are compared in lower case')
    return text


Word = Annotated[str, AfterValidator(_lower), Field(max_length=60)]
Key = Annotated[str, Field(min_length=1, max_length=100)]
Words = Annotated[tuple[Word, ...], Field(max_length=60)]
Keys = Annotated[tuple[Key, ...], Field(max_length=60)]


class LogWords(BaseModel):
    """`telling`: words of lines that tell of a fault. `first_keys`: what comes first of a JSON line."""

    model_config = _STRICT

    telling: Words = ()
    first_keys: Keys = ()
    dropped_keys: Keys = ()


class MetricWords(BaseModel):
    """`first_keys`: what an alert or sample is, before its other labels. `telling`: as for logs, where it is text."""

    model_config = _STRICT

    telling: Words = ()
    first_keys: Keys = ()
    dropped_keys: Keys = ()


class KnowledgeWords(BaseModel):
    """`first_keys`: what a found document is, before its text."""

    model_config = _STRICT

    first_keys: Keys = ()
    dropped_keys: Keys = ()


class KubectlWords(BaseModel):
    """`telling`: words of lines that tell of a fault or of a state that is none of the usual ones."""

    model_config = _STRICT

    telling: Words = ()
    first_keys: Keys = ()
    dropped_keys: Keys = ()


class CondenseWords(BaseModel):
    """What each condenser needs to know. A kind that is no list here (SQL, plain text) needs no words."""

    model_config = _STRICT

    logs: LogWords = LogWords()
    metrics: MetricWords = MetricWords()
    knowledge: KnowledgeWords = KnowledgeWords()
    kubectl: KubectlWords = KubectlWords()
