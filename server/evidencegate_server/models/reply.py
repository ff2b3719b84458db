"""Names what one request to an endpoint can come to."""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.records import record

TIMEOUT: Final = "timeout"
TRANSPORT: Final = "transport"
BAD_RESPONSE: Final = "bad_response"
TOO_LONG: Final = "too_long"
CUT_OFF: Final = "cut_off"
FILTERED: Final = "filtered"
EMPTY: Final = "empty"
INTERNAL: Final = "internal"


@record
class Reply:
    """What one request came to: a text, or the word for why there is none.

    `retry_after` is in seconds, None where the endpoint did not say.
    """

    text: str | None
    failure: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retry_after: float | None = None
