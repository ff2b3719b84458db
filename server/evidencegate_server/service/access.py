"""Decides who may call, from a call's metadata alone: before its request is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from evidencegate_server.service.errors import Refusal, token_invalid, token_missing
from evidencegate_server.service.origin import NOWHERE, TRACEPARENT, Origin, read_traceparent

if TYPE_CHECKING:
    from evidencegate_server.service.tokens import Tokens

_AUTHORIZATION: Final = "authorization"
_HEALTH: Final = "/grpc.health."
_REFLECTION: Final = "/grpc.reflection."

# A name from a certificate is the certificate authority's free text.
_MAX_NAME_CHARS: Final = 128


class Access:
    """Admits calls. Without tokens everybody is admitted, and is nobody unless a certificate names the caller.

    Health needs no token: a probe has none, and learns no more than whether there is a server.
    """

    def __init__(
        self,
        tokens: Callable[[], Tokens] | None = None,
        *,
        open_reflection: bool = True,
        by_certificate: bool = False,
    ) -> None:
        self.by_certificate = by_certificate  # whether callers have one that can name them
        self._tokens = tokens
        self._open = (_HEALTH, _REFLECTION) if open_reflection else (_HEALTH,)
        self._missing = token_missing()
        self._invalid = token_invalid()

    def admit(self, method: str, metadata: Iterable[tuple[str, Any]] | None) -> Origin | Refusal:
        """Returns where a call of this method comes from, or why it is refused."""
        if self._tokens is None or method.startswith(self._open):
            caller = ""
        else:
            authorizations = [value for key, value in metadata or () if key == _AUTHORIZATION]
            if not authorizations:
                return self._missing
            known = self._caller_of(authorizations, self._tokens())
            if known is None:
                return self._invalid
            caller = known
        for key, value in metadata or ():
            if key == TRACEPARENT and isinstance(value, str):
                trace_id, span_id = read_traceparent(value)
                return Origin(caller, trace_id, span_id)
        return Origin(caller) if caller else NOWHERE

    def _caller_of(self, authorizations: list[Any], tokens: Tokens) -> str | None:
        if len(authorizations) != 1 or not isinstance(authorizations[0], str):
            return None
        scheme, _, token = authorizations[0].partition(" ")
        return tokens.caller_of(token.strip(" ")) if scheme.lower() == "bearer" else None


def name_in_certificate(identities: Iterable[bytes] | None) -> str:
    """Returns the first name in a caller's certificate (its alternative names, else its common name), made printable.

    `identities` are those of gRPC's context, None without a certificate.
    """
    for identity in identities or ():
        text = identity.decode("utf-8", "replace")[:_MAX_NAME_CHARS]
        return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return ""
