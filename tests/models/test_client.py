"""Asking a model over the real protocol: what is sent, what counts as a failure, and when it is tried again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from evidencegate_server.models.client import ModelClient, Question
from evidencegate_server.use_cases.compose import Written

from tests.models.endpoint import KEY, FakeEndpoint, Pauses, Script, asking, endpoint

SHORT = {"timeout_seconds": 0.2, "total_seconds": 0.5}
BOTH = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def question(prompt: str = "is it so?", word: str = "") -> Question:
    """Returns a question whose answer must hold a word."""
    return Question(prompt, lambda text: word in text)


def used(written: Written) -> tuple[int, str]:
    """Returns how many requests there were, and the failure."""
    assert written.use is not None
    return written.use.requests, written.use.failure


@BOTH
@pytest.mark.req("VO-11")
async def test_the_text_and_the_tokens_come_back(stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say("the pool is exhausted")
        written = await client.ask(question())
    assert written.text == "the pool is exhausted"
    assert written.use is not None
    assert (written.use.profile, written.use.model, written.failure) == ("test", "m", "")
    assert (written.use.requests, written.use.prompt_tokens, written.use.completion_tokens) == (1, 11, 7)


async def test_what_leaves_is_the_profile_and_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Secret: secret")
    async with endpoint() as fake, asking(fake, max_output_tokens=99) as client:
        await client.ask(question("Frage"))
        (received,) = fake.requests
    assert received.path == "/v1/chat/completions"
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert set(received.headers) <= {
        "host",
        "content-type",
        "content-length",
        "accept",
        "user-agent",
        "accept-encoding",
        "authorization",
    }
    assert received.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Frage"}],
        "temperature": 0.0,
        "max_tokens": 99,
    }


@BOTH
@pytest.mark.parametrize("status", [500, 503, 429])
async def test_a_busy_or_broken_endpoint_is_asked_once_more(status: int, stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say(Script(status=status, body=b"{}"), "now")
        written = await client.ask(question())
    assert written.text == "now"
    assert used(written) == (2, "")


@pytest.mark.parametrize("status", [400, 401, 403, 404, 302])
async def test_a_refusal_of_the_endpoint_is_not_asked_again(status: int) -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say(Script(status=status, body=b"{}", headers={"Location": "http://127.0.0.1:1/"}))
        written = await client.ask(question())
    assert (written.text, written.failure) == (None, f"status_{status}")
    assert used(written) == (1, f"status_{status}")


async def test_two_failures_are_the_end() -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say(Script(status=500, body=b"{}"), Script(status=502, body=b"{}"), "too late")
        written = await client.ask(question())
        assert len(fake.requests) == 2
    assert used(written) == (2, "status_502")


@pytest.mark.parametrize(("said", "pause"), [("2", 2.0), ("0.25", 0.25), ("Wed, 21 Oct 2026 07:28:00 GMT", 0.5)])
async def test_the_wait_is_the_one_that_the_endpoint_asks_for(said: str, pause: float) -> None:
    pauses = Pauses()
    async with endpoint() as fake, asking(fake, pauses) as client:
        fake.say(Script(status=429, body=b"{}", headers={"Retry-After": said}), "now")
        written = await client.ask(question())
    assert written.text == "now"
    assert pauses.seconds == [pause]


async def test_a_wait_over_the_budget_is_not_waited() -> None:
    pauses = Pauses()
    async with endpoint() as fake, asking(fake, pauses, total_seconds=30.0) as client:
        fake.say(Script(status=429, body=b"{}", headers={"Retry-After": "31"}), "never")
        written = await client.ask(question())
    assert used(written) == (1, "status_429")
    assert pauses.seconds == []


@BOTH
async def test_a_slow_endpoint_is_a_timeout(stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream, **SHORT) as client:
        fake.say(Script(hang=True))
        written = await client.ask(question())
        await fake.hung_up.wait()
    assert written.failure == "timeout"
    assert used(written)[1] == "timeout"


async def test_the_deadline_of_the_caller_bounds_the_budget() -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say(Script(hang=True))
        written = await client.ask(question(), seconds=0.05)
    assert written.failure == "timeout"
    assert used(await client.ask(question(), seconds=0.0)) == (0, "no_time")


@BOTH
async def test_a_cancelled_question_hangs_up(stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say(Script(hang=True))
        task = asyncio.ensure_future(client.ask(question()))
        await fake.arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await fake.hung_up.wait()


@BOTH
async def test_an_answer_that_breaks_off_is_a_failure_of_transport(stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say(Script("a long answer", drop_after=20), Script("a long answer", drop_after=150))
        written = await client.ask(question())
    assert used(written) == (2, "transport")
    assert written.text is None


async def test_a_stream_without_its_last_word_is_cut_off() -> None:
    async with endpoint() as fake, asking(fake, stream=True) as client:
        fake.say(Script("half of", finish=None), "whole")
        assert (await client.ask(question())).text == "whole"


@BOTH
@pytest.mark.parametrize(
    ("script", "failure", "requests"),
    [
        (Script("x", finish="length"), "cut_off", 2),
        (Script("x", finish="content_filter"), "filtered", 1),
        (Script("  "), "empty", 2),
    ],
)
async def test_how_an_answer_ends_is_seen(script: Script, failure: str, requests: int, stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say(script)
        assert used(await client.ask(question())) == (requests, failure)


@pytest.mark.parametrize(
    "script",
    [
        Script(body=b"<html>proxy</html>", content_type="text/html"),
        Script(body=b"{not json"),
        Script(body=b"[]"),
        Script(body=b'{"choices": []}'),
        Script(body=b'{"choices": [{"message": null}]}'),
        Script(body=b'{"choices": 7}'),
        Script(body=b'"text"'),
    ],
    ids=lambda script: (script.body or b"").decode()[:20],
)
async def test_a_response_of_another_protocol_is_no_answer(script: Script) -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say(script)
        assert used(await client.ask(question())) == (2, "bad_response")


@BOTH
async def test_an_unreadable_text_is_asked_for_once_more_and_handed_on(stream: bool) -> None:
    async with endpoint() as fake, asking(fake, stream=stream) as client:
        fake.say("nonsense", "a good one")
        assert (await client.ask(question(word="good"))).text == "a good one"
        fake.say("nonsense", "more nonsense", "a good one")
        written = await client.ask(question(word="good"))
    assert written.text == "more nonsense"
    assert used(written) == (2, "unreadable")


async def test_tokens_of_both_requests_are_counted() -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say("nonsense", "a good one")
        written = await client.ask(question(word="good"))
    assert written.use is not None
    assert (written.use.prompt_tokens, written.use.completion_tokens) == (22, 14)


async def test_an_endless_answer_is_cut() -> None:
    body = json.dumps({"choices": [], "pad": "x" * 200_000}).encode()
    async with endpoint() as fake, asking(fake, max_output_tokens=16) as client:
        fake.say(Script(body=body))
        assert used(await client.ask(question())) == (1, "too_long")


async def test_a_compressed_answer_is_refused() -> None:
    async with endpoint() as fake, asking(fake) as client:
        fake.say(Script(body=b"x", headers={"Content-Encoding": "gzip"}))
        assert used(await client.ask(question())) == (1, "too_long")


async def test_a_prompt_over_its_bound_is_not_sent() -> None:
    async with endpoint() as fake, asking(fake, max_prompt_bytes=4_096) as client:
        assert used(await client.ask(question("错" * 2_000))) == (0, "prompt_too_long")
        assert not fake.requests


async def test_credentials_are_masked_before_they_leave() -> None:
    secret = "ghp_" + "a1B2" * 9
    async with endpoint() as fake, asking(fake) as client:
        written = await client.ask(question(f"token {secret}, DB_PASSWORD=hunter22x"))
        (received,) = fake.requests
    assert secret not in received.prompt
    assert "hunter22x" not in received.prompt
    assert written.use is not None
    assert written.use.masked_secrets == 2


async def test_a_lone_surrogate_does_not_keep_a_prompt_from_being_sent() -> None:
    async with endpoint() as fake, asking(fake) as client:
        assert (await client.ask(question("a\ud800b"))).text == "ok"


async def test_nobody_at_the_address_is_a_failure_of_transport() -> None:
    async with endpoint() as fake:
        pass
    async with asking(fake) as client:
        assert used(await client.ask(question())) == (2, "transport")


async def test_the_key_is_in_no_listing() -> None:
    fake: Any = FakeEndpoint()
    async with asking(fake) as client:
        assert isinstance(client, ModelClient)
        assert KEY not in repr(vars(client))
        assert KEY not in repr(client.profile)
