"""A state, a figure or a change is that of what the evidence tells it of, and not of what is only named beside it."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

POD = (
    "Name:             orders-7c8d9f-abcde\nNamespace:        shop\nNode:             node-7/10.2.0.17\n"
    "Status:           Running\nContainers:\n  orders:\n    State:          Running\n"
    "      Started:      Tue, 04 Mar 2025 10:40:02 +0000\n    Last State:     Terminated\n"
    "      Reason:       OOMKilled\n      Exit Code:    137\n    Restart Count:  4\n"
)
RING = (
    'ts=2025-03-04T10:40:12Z level=warn component=distributor msg="instance unhealthy" instance=ingester-2 '
    "last_heartbeat=74s timeout=60s\n"
)
JOURNAL = (
    "Mar 04 10:12:07 app-1 kernel: Out of memory: Killed process 20177 (java) total-vm:9120044kB\n"
    "Mar 04 10:12:08 app-1 systemd[1]: billing.service: Failed with result 'oom-kill'.\n"
)
ACCESS = (
    '10.1.4.22 - - [04/Mar/2025:10:31:07 +0000] "POST /api/v2/orders HTTP/1.1" 502 157 "-" "okhttp/4.9" rt=0.004\n'
    '10.1.4.23 - - [04/Mar/2025:10:31:07 +0000] "GET /api/v2/orders/17 HTTP/1.1" 200 5120 "-" "okhttp/4.9" rt=1.911\n'
)
JAVA = "java.sql.SQLTransientConnectionException: Connection is not available, request timed out after 30000ms.\n"
HELM = "NAME: checkout\nLAST DEPLOYED: Tue Mar  4 10:02:11 2025\nNAMESPACE: shop\nSTATUS: failed\nREVISION: 14\n"
DOCKER = (
    "CONTAINER ID   IMAGE              COMMAND     CREATED      STATUS                         NAMES\n"
    'c3d4e5f6a7b8   shop/worker:1.8.1  "/worker"   5 days ago   Restarting (1) 4 seconds ago   worker\n'
)
CHARGE = '{"level":"error","msg":"charge failed","order_id":"A-991","status":402,"duration_ms":812}\n'
PLAN = (
    "  # aws_db_instance.orders will be updated in-place\n"
    '  ~ resource "aws_db_instance" "orders" {\n      ~ instance_class = "db.r6g.large" -> "db.r6g.xlarge"\n'
    "      ~ max_connections = 200 -> 400\n    }\n  # aws_security_group.legacy will be destroyed\n\n"
    "Plan: 0 to add, 1 to change, 1 to destroy.\n"
)
CERTIFICATE = (
    "subject=CN = www.example.com\nissuer=C = US, O = Let's Encrypt, CN = R3\n"
    "notBefore=Dec  1 00:00:00 2024 GMT\nnotAfter=Mar  1 00:00:00 2025 GMT\n"
)
SOCKETS = (
    "State      Recv-Q Send-Q Local Address:Port   Peer Address:Port\n"
    "LISTEN     129    128    0.0.0.0:8080         0.0.0.0:*\n"
    "CLOSE-WAIT 1      0      10.0.1.5:44120       10.0.7.3:5432\n"
)
TOP = "NAME                     CPU(cores)   MEMORY(bytes)\nbilling-5b6c7d-klmno     23m          1204Mi\n"
PROVIDER = "Checkout latency did not change. The payment provider reported no incident."


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("node-7 was OOMKilled.", POD),
        ("node-7 is OOMKilled.", POD),
        ("The distributor is unhealthy.", RING),
        ("app-1 was killed.", JOURNAL),
        ("GET /api/v2/orders returned 502.", ACCESS),
        ("GET /api/v2/orders/17 returned 502.", ACCESS),
        ("POST /api/v2/orders took 1.911 seconds.", ACCESS),
        ("30000 requests timed out.", JAVA),
        ("checkout has 14 replicas.", HELM),
        ("worker has restarted 1 time.", DOCKER),
        ("The charge failed 402 times.", CHARGE),
        ("812 charges failed.", CHARGE),
        ("aws_security_group.legacy was destroyed.", PLAN),
        ("max_connections is 400.", PLAN),
        ("max_connections was raised to 400.", PLAN),
        ("The instance class was changed to db.r6g.xlarge.", PLAN),
        ("The certificate was renewed on Mar 1 2025.", CERTIFICATE),
        ("The certificate was installed on Dec 1 2024.", CERTIFICATE),
        ("The certificate is valid until Dec 1 2024.", CERTIFICATE),
        ("The certificate expired on Dec 1 2024.", CERTIFICATE),
        ("The orders container finished at 10:40:02.", POD),
        ("worker exited 5 days ago.", DOCKER),
        ("billing-5b6c7d-klmno requests 1204Mi of memory.", TOP),
        ("billing-5b6c7d-klmno has 1204Mi of free memory.", TOP),
        ("No connection is in CLOSE-WAIT.", SOCKETS),
        ("The payment provider reported an incident.", PROVIDER),
    ],
)
def test_what_is_told_of_another_is_refused(claim: str, text: str) -> None:
    assert not accepts(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The orders container was OOMKilled.", POD),
        ("billing-5b6c7d-klmno uses 1204Mi of memory.", TOP),
        ("The certificate is valid until Mar 1 2025.", CERTIFICATE),
        ("ingester-2 is unhealthy.", RING),
        ("billing.service failed with result oom-kill.", JOURNAL),
        ("POST /api/v2/orders returned 502.", ACCESS),
        ("The request timed out after 30000ms.", JAVA),
        ("The worker container is restarting.", DOCKER),
        ("The charge for order A-991 failed with status 402.", CHARGE),
        ("aws_security_group.legacy will be destroyed.", PLAN),
        ("The payment provider reported no incident.", PROVIDER),
    ],
)
def test_what_is_told_of_the_same_is_accepted(claim: str, text: str) -> None:
    assert accepts(claim, text)
