"""Asks a model: masks credentials, keeps the budgets, and tries once more after a technical failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from evidencegate_server.contract.records import record
from evidencegate_server.models.profiles import ModelProfile
from evidencegate_server.models.reply import BAD_RESPONSE, CUT_OFF, EMPTY, TIMEOUT, TRANSPORT, Reply
from evidencegate_server.text.masking import Masker
from evidencegate_server.use_cases.written import Written
from evidencegate_server.verdict.material import ModelUse

UNREADABLE: Final = "unreadable"
PROMPT_TOO_LONG: Final = "prompt_too_long"
NO_TIME: Final = "no_time"

_ATTEMPTS: Final = 2
_RETRIED: Final = frozenset({TIMEOUT, TRANSPORT, BAD_RESPONSE, CUT_OFF, EMPTY, UNREADABLE, "status_408", "status_429"})


class Endpoint(Protocol):
    """Sends one prompt."""

    async def send(self, prompt: str, seconds: float) -> Reply:
        """Returns what came of it; never raises for what the endpoint does."""
        ...

    async def close(self) -> None:
        """Closes what it holds."""
        ...


@record
class Question:
    """What a model is asked. `is_readable` says whether an answer has the form that it must have."""

    prompt: str
    is_readable: Callable[[str], bool]
    left_out_chars: int = 0


class ModelClient:
    """Asks the model of one profile."""

    def __init__(
        self,
        profile: ModelProfile,
        endpoint: Endpoint,
        masker: Masker,
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.profile = profile
        self._endpoint = endpoint
        self._masker = masker
        self._pause = pause

    async def close(self) -> None:
        """Closes its connections."""
        await self._endpoint.close()

    async def ask(self, question: Question, seconds: float | None = None) -> Written:
        """Returns what the model wrote, or a stable word for why there is nothing. Never raises but for cancellation.

        `seconds` is what the caller's deadline leaves; the profile's own budget holds beside it. One further request is
        made at most, with the same prompt: after a technical failure or a text that cannot be read, never for what the
        text says. An unreadable text is returned as well, so that its report can say what is wrong with it.
        """
        masked = self._masker.mask(question.prompt)
        tally = _Tally(self.profile, masked.count, question.left_out_chars)
        if len(masked.text.encode("utf-8", "replace")) > self.profile.max_prompt_bytes:
            return tally.written(None, PROMPT_TOO_LONG)
        clock = asyncio.get_running_loop().time
        budget = self.profile.total_seconds if seconds is None else min(self.profile.total_seconds, seconds)
        end = clock() + budget
        # No lone surrogate may keep a prompt from being sent.
        prompt = masked.text.encode("utf-8", "replace").decode()
        text: str | None = None
        failure = NO_TIME
        for attempt in range(1, _ATTEMPTS + 1):
            left = end - clock()
            if left <= 0:
                break
            reply = await self._endpoint.send(prompt, min(self.profile.timeout_seconds, left))
            tally.count(reply)
            text, failure = reply.text, reply.failure
            if text is not None and not question.is_readable(text):
                failure = UNREADABLE
            if not failure or not _is_technical(failure) or attempt == _ATTEMPTS:
                break
            wait = self.profile.retry_wait_seconds if reply.retry_after is None else reply.retry_after
            if wait >= end - clock():
                break
            await self._pause(wait)
        return tally.written(text, failure)


class _Tally:
    """Counts what asking costs."""

    def __init__(self, profile: ModelProfile, masked_secrets: int, left_out_chars: int) -> None:
        self._profile = profile
        self._masked_secrets = masked_secrets
        self._left_out_chars = left_out_chars
        self._requests = self._prompt_tokens = self._completion_tokens = 0

    def count(self, reply: Reply) -> None:
        self._requests += 1
        self._prompt_tokens += reply.prompt_tokens
        self._completion_tokens += reply.completion_tokens

    def written(self, text: str | None, failure: str) -> Written:
        use = ModelUse(
            self._profile.name,
            self._profile.model,
            self._requests,
            self._prompt_tokens,
            self._completion_tokens,
            failure,
            self._masked_secrets,
            self._left_out_chars,
        )
        return Written(text, failure if text is None else "", use)


def _is_technical(failure: str) -> bool:
    return failure in _RETRIED or failure.startswith("status_5")
