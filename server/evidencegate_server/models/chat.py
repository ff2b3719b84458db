"""Makes one request to an endpoint and says in one word what came of it."""

from __future__ import annotations

import asyncio
import math
from typing import Any, Final

import httpx2
import openai

from evidencegate_server.models.profiles import KeyedProfile
from evidencegate_server.models.reply import (
    BAD_RESPONSE,
    CUT_OFF,
    EMPTY,
    FILTERED,
    INTERNAL,
    TIMEOUT,
    TOO_LONG,
    TRANSPORT,
    Reply,
)
from evidencegate_server.models.transport import BoundedTransport, TooLongError

# An endpoint's frame around each token of a stream has some 300 bytes.
_BYTES_A_TOKEN: Final = 1_024
_BYTES_AROUND: Final = 65_536


class _Draft:
    """What has come so far, from one message or from the pieces of a stream."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.finish = ""
        self.refused = False
        self.tokens = (0, 0)

    def usage(self, usage: Any) -> None:
        counts = (getattr(usage, "prompt_tokens", 0), getattr(usage, "completion_tokens", 0))
        if all(isinstance(count, int) and count >= 0 for count in counts):
            self.tokens = counts

    def choice(self, choice: Any, message: Any) -> None:
        content = getattr(message, "content", None)
        if isinstance(content, str):
            self.parts.append(content)
        self.refused = self.refused or bool(getattr(message, "refusal", None))
        self.finish = getattr(choice, "finish_reason", None) or self.finish

    def reply(self) -> Reply:
        text = "".join(self.parts)
        if self.refused or self.finish == "content_filter":
            return Reply(None, FILTERED, *self.tokens)
        if self.finish == "length":
            return Reply(None, CUT_OFF, *self.tokens)
        if not text.strip():
            return Reply(None, EMPTY, *self.tokens)
        return Reply(text, "", *self.tokens)


class ChatEndpoint:
    """One profile's endpoint. Never raises for what the endpoint does; cancelling it closes the request."""

    def __init__(self, keyed: KeyedProfile) -> None:
        self._profile = profile = keyed.profile
        max_bytes = _BYTES_AROUND + _BYTES_A_TOKEN * profile.max_output_tokens
        self._http = httpx2.AsyncClient(
            transport=BoundedTransport(keyed.key, max_bytes), follow_redirects=False, trust_env=False
        )
        self._client = openai.AsyncOpenAI(
            api_key="sent-by-the-transport", base_url=profile.base_url, max_retries=0, http_client=self._http
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def send(self, prompt: str, seconds: float) -> Reply:
        """Returns what one request came to within so many seconds."""
        draft = _Draft()
        try:
            async with asyncio.timeout(seconds):
                return await self._send(prompt, seconds, draft)
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException):
            return Reply(None, TIMEOUT, *draft.tokens)
        except openai.APIStatusError as error:
            return Reply(None, f"status_{error.status_code}", retry_after=_retry_after(error.response))
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            return Reply(None, TOO_LONG if _is_too_long(error) else TRANSPORT, *draft.tokens)
        except (openai.OpenAIError, ValueError, TypeError, AttributeError):
            # A body that is no JSON, or JSON of another form than the protocol's.
            return Reply(None, BAD_RESPONSE, *draft.tokens)
        except Exception:  # noqa: BLE001  # whatever a library does, a judgement must come of it
            return Reply(None, INTERNAL, *draft.tokens)

    async def _send(self, prompt: str, seconds: float, draft: _Draft) -> Reply:
        profile = self._profile
        options: dict[str, Any] = {
            "model": profile.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": profile.temperature,
            "timeout": seconds,
            profile.max_tokens_field: profile.max_output_tokens,
        }
        if profile.stream:
            return await self._streamed(options, draft)
        completion = await self._client.chat.completions.create(**options)
        draft.usage(completion.usage)
        first = completion.choices[0] if completion.choices else None
        if first is None or first.message is None:
            return Reply(None, BAD_RESPONSE, *draft.tokens)
        draft.choice(first, first.message)
        return draft.reply()

    async def _streamed(self, options: dict[str, Any], draft: _Draft) -> Reply:
        stream = await self._client.chat.completions.create(
            **options, stream=True, stream_options={"include_usage": True}
        )
        async with stream:
            async for chunk in stream:
                draft.usage(chunk.usage)
                for choice in (chunk.choices or ())[:1]:
                    draft.choice(choice, choice.delta)
        # A stream that ends without its last word was cut off on the way.
        return draft.reply() if draft.finish else Reply(None, TRANSPORT, *draft.tokens)


def _retry_after(response: httpx2.Response) -> float | None:
    """Returns the seconds of a Retry-After header; a date is not read, since clocks differ."""
    try:
        seconds = float(response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _is_too_long(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, TooLongError):
            return True
        error = error.__cause__ or error.__context__
    return False
