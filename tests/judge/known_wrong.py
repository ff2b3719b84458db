"""Claims that the engine in the box accepts today and should not, by what it passes over.

A row goes when it is mended.
"""

from __future__ import annotations

ACCEPTED: dict[str, list[tuple[str, str]]] = {
    "another time or entity is taken for the one claimed": [
        ("The pod is down.", "The pod was down"),
        ("Pod a is down.", "Pod b is down"),
        ("restart count was 16 yesterday", "Restart Count: 16"),
    ],
    "a question or a condition is taken for a fact": [
        ("The pod is down.", "Is the pod down?"),
        ("the data disk is full", "the data disk is full ?"),
        ("is the disk full", "is the disk full?\nyes no"),
        ("The data disk is full.", "Suppose this happens. The data disk is full. What next?"),
    ],
    "a bound in the evidence is taken for a value": [
        ("memory usage of api 90%", "memory usage of api > 90%"),
        ("memory usage of api is 90%", "memory usage of api >= 90%"),
        ("latency of api is 5 ms", "latency of api < 5 ms"),
        ("latency of api is 5 ms", "latency of api ≤ 5 ms"),
        ("worker exit_status 1", "worker exit_status ≠ 1"),
    ],
    "a rough value in the evidence is taken for a firm one": [
        ("latency of api 5 ms", "latency of api ~5 ms"),
        ("latency of api 5 ms", "latency of api ±5 ms"),
        ("latency of api 5 ms", "latency of api ≈ 5 ms"),
    ],
    "another number or name is read as the same": [
        ("connection count 10", "connection count 10²"),
        ("connection count 5", "connection count 5½"),
        ("nginx version 1.1", "nginx version 1.10"),
        ("open ports 80443", "open ports 80,443"),
        ("invocation id 394", "invocation id 0394"),
        ("db.prod.a is down", "db.prod.A is down"),
    ],
    "other scripts and signs are passed over": [
        ("データベース接続が停止している", "データベース接続が停止していない"),
        ("the database crashed", "the database не crashed"),
        ("the database crashed", "the database \u202ecrashed"),
        ("the database crashed", "the database \x1b[8mnever\x1b[0m crashed"),
        ("the database crashed", "the database crash̶ed"),
    ],
    "an example, a quotation or what is struck out is taken for a fact": [
        ("the data disk is full", "Possible causes, e.g. the data disk is full. Check first."),
        ("the data disk is full", "This is a runbook template, i.e. the data disk is full"),
        ("The data disk is full", "See the notes, e.g. The data disk is full"),
        ("Data disk is full", "Look at Fig. Data disk is full"),
        ("The data disk is full.", "This is an example. The data disk is full."),
        ("磁盘已满", "可能的情况如下。磁盘已满。"),
        ("the database crashed", "## Examples\n\nthe database crashed\n"),
        ("the database crashed", "Examples\n\nthe database crashed\n"),
        ("db_state: down", "<!--\ndb_state: down\n-->"),
        ("db_state is down", "# db_state: down"),
        ("db_state is down", "~~db_state: down~~"),
        ("The database crashed.", 'The operator wrote "Hello. The database crashed. Bye."'),
        ("The database crashed.", "The drop-down holds two entries (All is well. The database crashed. Done)."),
        ("crashes of db are rare", "Fatal crashes of db are rare"),
    ],
    "a denial on the line before is passed over": [
        ("db_state: down", "The following did not happen:\nmode: slow\nData:\ndb_state: down"),
        ("the database crashed", "Checks that did NOT fire:\nthe database crashed\n"),
        ("the database crashed", "Checks that did NOT fire:\n\nthe database crashed\n"),
        ("the database crashed", "Checks that did NOT fire:\nDatabase:\nthe database crashed\n"),
        ("the database crashed", "We have no indication whatsoever that\nthe database crashed\n"),
        ("the database crashed", "12:00:01 INFO refuted:\nthe database crashed"),
        ("数据库已停止", "未触发的检查：\n数据库已停止"),
        ("数据库已停止", "目前没有任何迹象表明\n数据库已停止"),
    ],
    "what is wanted, expected or rehearsed is taken for what is": [
        ("the database crashed", "the database crashed\nis what the alert would say\n"),
        ("the database crashed", "12:00:01 INFO the database crashed\n  in the drill of today"),
        ("the database crashed", "[dry-run] 12:00:01 ERROR the database crashed"),
        ("the database crashed", "12:00:01 [dry-run] the database crashed"),
        ("The database crashed.", "12:00:01 INFO Simulation started. The database crashed."),
        ("db_state down", '{\n "desired": {\n  "db_state": "down"\n }\n}'),
        ("db_state down", '{\n"desired": {\n"db_state": "down"\n}\n}'),
        ("db_state down", '{"desired": {"db_state": "down"}}'),
        ("db_state is down", '{"mode": "dry-run", "db_state": "down"}'),
        ("db_state is down", '{\n  "mode": "dry-run",\n  "db_state": "down"\n}'),
        ("replicas is 3", "spec:\n  replicas: 3\nstatus:\n  replicas: 1\n"),
        ("db_state is down", "db_state: down\nis what we expected"),
        ("db_state is down", "Expected state\ndb_state: down"),
        ("db_state: down", "Expected:\n}\ndb_state: down"),
        ("db_state is down", "[desired]\ndb_state=down"),
        ("db_state is down", '"desired": {\n' + "{\n" * 200 + "}\n" * 200 + "db_state: down"),
    ],
}
