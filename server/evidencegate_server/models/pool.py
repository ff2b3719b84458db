"""Holds the models that a server may ask. Nothing that asking needs is imported before there is a profile."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING

from evidencegate_server.models.profiles import KeyedProfile, ModelsError, Profiles
from evidencegate_server.use_cases.errors import EngineUnavailableError

if TYPE_CHECKING:
    from evidencegate_server.models.client import ModelClient
    from evidencegate_server.text.masking import Masker


class Models:
    """The models that a server may ask, by profile; the first one is the default. None at all is a server without."""

    def __init__(self, clients: tuple[ModelClient, ...] = ()) -> None:
        self._default = clients[0] if clients else None
        self._by_name: Mapping[str, ModelClient] = {client.profile.name: client for client in clients}

    def of(self, name: str, what: str) -> ModelClient:
        """Returns the client of a profile, the default's for an empty name.

        `what` is what asks for it, for the message. Raises EngineUnavailableError where there is none; no other profile
        is named.
        """
        client = self._by_name.get(name) if name else self._default
        if client is not None:
            return client
        if self._default is None:
            message = f"{what} needs a model, and none is configured on this server (serve --models FILE)"
            raise EngineUnavailableError(message)
        shown = name if len(name) <= 80 else name[:79] + "…"
        raise EngineUnavailableError(f"{what} names the model profile {shown!r}, which this server does not have")

    async def close(self) -> None:
        """Closes all connections."""
        for client in self._by_name.values():
            await client.close()


def open_models(profiles: Profiles, masker: Masker) -> Models:
    """Returns the clients of these profiles. Imports the client library, so that a server without models needs none."""
    from evidencegate_server.models.chat import ChatEndpoint
    from evidencegate_server.models.client import ModelClient

    def client(keyed: KeyedProfile) -> ModelClient:
        return ModelClient(keyed.profile, ChatEndpoint(keyed), masker)

    return Models(tuple(map(client, profiles.keyed)))


def check_library() -> None:
    """Raises ModelsError where the client library is not installed."""
    missing = [name for name in ("openai", "httpx2") if importlib.util.find_spec(name) is None]
    if missing:
        raise ModelsError(
            f"asking a model needs the package {missing[0]}, which is not installed: pip install 'evidencegate[llm]'"
        )
