"""Serves SelfEvaluations from threads of its own, so that a slow database holds no other call."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

import grpc
from evidencegate.v1 import self_evaluation_pb2
from google.protobuf.message import Message

from evidencegate_server.service.decode import decode
from evidencegate_server.service.facts import evaluation_facts
from evidencegate_server.service.health import ServingState
from evidencegate_server.service.interceptors import report_facts
from evidencegate_server.service.logs import Logger
from evidencegate_server.service.metrics import CallFacts
from evidencegate_server.use_cases.errors import DependencyFailedError, InvalidRequestError, PreconditionError

if TYPE_CHECKING:
    from evidencegate_server.catalog.model import Catalog
    from evidencegate_server.store.store import Store

SELF_EVALUATIONS = self_evaluation_pb2.DESCRIPTOR.services_by_name["SelfEvaluations"].full_name

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 500

# How often a store that failed is asked whether it is back.
_ASK_AGAIN_SECONDS: Final = 2.0


class NoStoreError(PreconditionError):
    """Occurs where the server has no store."""

    reason = "STORE_UNAVAILABLE"


class StoreMethods:
    """The methods over one store. Each is a function of the request's bytes; it blocks while the database works."""

    def __init__(self, store: Store, catalog: Catalog, *, keep_input: bool) -> None:
        from evidencegate_server.text.masking import Masker

        self._store = store
        self._limits = catalog.limits.store
        self._masker = Masker(catalog.masking)
        self._keep_input = keep_input and store.keeps_input

    def write_channel(self, request: bytes) -> tuple[Message, CallFacts]:
        """Answers WriteChannel."""
        from evidencegate_server.store import translate

        message = decode(self_evaluation_pb2.WriteChannelRequest, request)
        write = translate.read_write(message, self._limits, self._masker, keep_input=self._keep_input)
        facts = CallFacts(session_id=message.session_id)
        if message.HasField("evaluation"):
            facts = evaluation_facts(message.session_id, message.evaluation)
        return translate.write_response(self._store.write(write)), facts

    def get_session(self, request: bytes) -> tuple[Message, CallFacts]:
        """Answers GetSession."""
        from evidencegate_server.store import translate

        message = decode(self_evaluation_pb2.GetSessionRequest, request)
        translate.check_session_id(message.session_id)
        stored = self._store.get(message.session_id, with_input=message.include_input)
        response = self_evaluation_pb2.GetSessionResponse(session=translate.stored_session(stored))
        return response, CallFacts(session_id=message.session_id)

    def list_sessions(self, request: bytes) -> tuple[Message, CallFacts]:
        """Answers ListSessions."""
        from evidencegate_server.store import translate

        message = decode(self_evaluation_pb2.ListSessionsRequest, request)
        if message.page_size < 0:
            raise InvalidRequestError.of("page_size", f"is {message.page_size}; it cannot be below 0")
        page = self._store.page(min(message.page_size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE), message.page_token)
        sessions = [translate.session_summary(listed) for listed in page.sessions]
        response = self_evaluation_pb2.ListSessionsResponse(sessions=sessions, next_page_token=page.next_page_token)
        return response, CallFacts()

    def delete_session(self, request: bytes) -> tuple[Message, CallFacts]:
        """Answers DeleteSession."""
        from evidencegate_server.store import translate

        message = decode(self_evaluation_pb2.DeleteSessionRequest, request)
        translate.check_session_id(message.session_id)
        deleted = self._store.delete(message.session_id)
        return self_evaluation_pb2.DeleteSessionResponse(deleted=deleted), CallFacts(session_id=message.session_id)


class StoreService:
    """The service over a store, or over none. Says in health whether the store answers."""

    def __init__(self, store: Store | None, catalog: Catalog, threads: int, *, keep_input: bool) -> None:
        self._store = store
        self._methods = None if store is None else StoreMethods(store, catalog, keep_input=keep_input)
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="evidencegate-store")
        self._health: ServingState | None = None
        self._logger: Logger | None = None
        self._asking: asyncio.Task[None] | None = None

    @property
    def available(self) -> bool:
        """Whether there is a store."""
        return self._store is not None

    def report_to(self, health: ServingState, logger: Logger) -> None:
        """Says where a failing store is told."""
        self._health, self._logger = health, logger

    def handler(self) -> grpc.GenericRpcHandler[Any, Any]:
        """Returns the gRPC handler of the service."""
        names = {
            "WriteChannel": "write_channel",
            "GetSession": "get_session",
            "ListSessions": "list_sessions",
            "DeleteSession": "delete_session",
        }
        return grpc.method_handlers_generic_handler(
            SELF_EVALUATIONS,
            {name: grpc.unary_unary_rpc_method_handler(self._serving(method)) for name, method in names.items()},
        )

    def close(self) -> None:
        """Drops what is queued, and closes the connections that are not at work."""
        if self._asking is not None:
            self._asking.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._store is not None:
            self._store.close()

    def _serving(self, name: str) -> Callable[[bytes, Any], Awaitable[bytes]]:
        async def serve(request: bytes, _context: Any) -> bytes:
            if self._methods is None:
                raise NoStoreError("this server has no store; start it with --store URL")
            work: Callable[[bytes], tuple[Message, CallFacts]] = getattr(self._methods, name)
            loop = asyncio.get_running_loop()
            try:
                response, facts = await loop.run_in_executor(self._threads, work, request)
            except DependencyFailedError as error:
                await self._failed(error)
                raise
            report_facts(facts)
            return response.SerializeToString()

        return serve

    async def _failed(self, error: DependencyFailedError) -> None:
        """Tells the log and health, and asks the store until it is back."""
        if self._logger is not None:
            self._logger.error("store_failed", reason=error.reason, **error.metadata)
        if self._health is None or self._asking is not None:
            return
        self._asking = asyncio.create_task(self._ask_until_back(self._health))

    async def _ask_until_back(self, health: ServingState) -> None:
        assert self._store is not None
        try:
            await health.set_serving(SELF_EVALUATIONS, False)
            loop = asyncio.get_running_loop()
            while True:
                with contextlib.suppress(DependencyFailedError):
                    await loop.run_in_executor(self._threads, self._store.ping)
                    break
                await asyncio.sleep(_ASK_AGAIN_SECONDS)
            await health.set_serving(SELF_EVALUATIONS, True)
            if self._logger is not None:
                self._logger.info("store_is_back")
        finally:
            self._asking = None
