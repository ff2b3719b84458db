"""Writes to a store from a process of its own, so that it can be killed; run by test_writers.

Arguments: URL, the writer's name, how many sessions, how many writes, `store` or `naive`. Prints `begin` once it is
ready, and after each write that was answered its session and number.
"""

from __future__ import annotations

import json
import random
import sys

import sqlalchemy as sa
from evidencegate_server.store.connect import make_engine
from evidencegate_server.store.model import Channel, StoreOptions, Write
from evidencegate_server.store.schema import sessions
from evidencegate_server.store.store import Store


def content(name: str, channel: Channel, number: int) -> str:
    """The channel's JSON text: long enough that half of it would show."""
    return json.dumps(
        {"by": name, "channel": channel, "number": number, "filler": f"{name}{number}" * 40, "end": number}
    )


def main() -> None:
    """Writes as it is told."""
    url, name, session_count, write_count, how = sys.argv[1:]
    chance = random.Random(name)
    store = Store(StoreOptions(url, pool_size=1, timeout_seconds=30))
    engine = make_engine(StoreOptions(url, pool_size=1))
    print("begin", flush=True)
    sys.stdin.readline()
    for number in range(int(write_count)):
        session = f"s{chance.randrange(int(session_count))}"
        channel = Channel.RULE_EVALUATION if name == "rules" else Channel.VERIFIER_EVALUATION
        text = content(name, channel, number)
        if how == "store":
            store.write(Write(session, f"{name}-{number}", channel, text, f"{name}-{number}"))
        else:
            _naively(engine, session, channel, text)
        print(f"{session} {number}", flush=True)


def _naively(engine: sa.Engine, session: str, channel: Channel, text: str) -> None:
    """Reads the object, changes it and writes it back, as programs do that know nothing of each other."""
    with engine.connect().execution_options(evidencegate_reads=True) as connection:
        held = connection.execute(
            sa.select(sessions.c.self_evaluation, sessions.c.revision).where(sessions.c.session_id == session)
        ).one()
    value = json.loads(held[0]) | {channel: json.loads(text)}
    with engine.begin() as connection:
        connection.execute(
            sessions.update()
            .where(sessions.c.session_id == session)
            .values(self_evaluation=json.dumps(value), revision=held[1] + 1)
        )


if __name__ == "__main__":
    main()
