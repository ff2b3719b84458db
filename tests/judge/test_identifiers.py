"""Identifiers that a claim makes up are found; identifiers that are there, and words that only look so, are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.judge.identifiers import Fabrications, find_fabricated
from evidencegate_server.words import EvidenceKind, InvocationStatus
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.helpers import call, claim, identifier_words

NOTHING = Fabrications({}, frozenset())


def made_up(text: str, *evidence: str, query: str = "") -> tuple[str, ...]:
    """Returns what the claim makes up over the evidence."""
    return find_fabricated([claim(text)], [call(*evidence)], query, identifier_words()).names.get(0, ())


# (claim, evidence, what is made up)
INVENTED = [
    ("The primary returned ETIMEDOUT.", "connection timeout", "ETIMEDOUT"),
    ("主库返回ETIMEDOUT，备库正常", "connection timeout", "ETIMEDOUT"),
    ("备库返回 ECONNREFUSED。", "ERROR: Backup database also unavailable", "ECONNREFUSED"),
    ("The disk was full (ENOSPC).", "write failed", "ENOSPC"),
    ("Oracle 报错 ORA-00600", "ORA-01555: snapshot too old", "ORA-00600"),
    ("The query failed with ORA-006.", "ORA-00600: internal error", "ORA-006"),
    ("It failed with 0x80070005.", "failed with 0x80070057", "0x80070005"),
    ("错误码 10061 导致连接失败", "错误码 10060", "10061"),
    ("The statement ended in SQLSTATE 42P01.", "SQLSTATE: 23505", "42P01"),
    ("It raised E1234.", "it raised E12345", "E1234"),
    ("The call ended with DEADLINE_EXCEEDED.", "rpc error: code = Unavailable", "DEADLINE_EXCEEDED"),
    ("浏览器报 ERR_CONNECTION_RESET", "ERR_NAME_NOT_RESOLVED", "ERR_CONNECTION_RESET"),
    ("The CVE is CVE-2021-44228.", "CVE-2021-45046", "CVE-2021-44228"),
    ("Host 10.0.0.1 is down.", "10.0.0.12 is down", "10.0.0.1"),
    ("主机10.0.0.1宕机", "110.0.0.1 宕机", "10.0.0.1"),
    ("Host 10.0.0.1 is down.", "version 10.0.0.1.7", "10.0.0.1"),
    ("10.2.5.6:3306 refused it.", "10.2.5.6:3307 refused", "10.2.5.6:3306"),
    ("It reached fe80::1 over IPv6.", "fe80::2", "fe80::1"),
    ("2001:db8:0:0:0:0:0:1 does not answer", "2001:db8:0:0:0:0:0:2", "2001:db8:0:0:0:0:0:1"),
    ("网卡 00:1a:2b:3c:4d:5e 掉线", "00:1a:2b:3c:4d:5f link down", "00:1a:2b:3c:4d:5e"),
    ("pod-1 was evicted.", "pod-10 was evicted", "pod-1"),
    ("pod-10 was evicted.", "pod-1 was evicted", "pod-10"),
    ("Pod order-api-7d9f8b6c5-x2x1z restarted.", "order-api-7d9f8b6c5-x2x1q restarted", "order-api-7d9f8b6c5-x2x1z"),
    ("order-api-7d9f8b6c5-x2x1z重启了3次", "order-api-7d9f8b6c5-a2b1c", "order-api-7d9f8b6c5-x2x1z"),
    ("redis-master-0 is the master", "redis-replicas-0", "redis-master-0"),
    ("节点 ci-agent-3 已被攻陷", "ci-agent-1, ci-agent-2", "ci-agent-3"),
    ("Node ip-172-31-40-111 is full.", "ip-172-31-40-112 is full", "ip-172-31-40-111"),
    ("db01.prod.local refused the login.", "db02.prod.local refused", "db01.prod.local"),
    ("消费者 db07 掉线", "db01 db02", "db07"),
    ("The host is web.example.com.", "web.example.org", "web.example.com"),
    ("The inventory-service is down.", "order-service is down", "inventory-service"),
    ("根因是 inventory-service 不可用", "order-service 不可用", "inventory-service"),
    ("Metric http_requests_failed_total rose.", "http_requests_total 5", "http_requests_failed_total"),
    ("指标order_errors_total升高", "order_latency_seconds", "order_errors_total"),
    ("jvm.memory.used is at its limit.", "jvm.gc.pause", "jvm.memory.used"),
    ("The setting innodb_buffer_pool_size is small.", "max_connections=100", "innodb_buffer_pool_size"),
    ("It began with v1.2.3.", "rolled out v1.2.4", "v1.2.3"),
    ("It runs 8.0.33.", "version 8.0.34", "8.0.33"),
    ("镜像 nginx:v1.25.3 有缺陷", "nginx:v1.25.4", "v1.25.3"),
    (
        "Trace 4bf92f3577b34da6a3ce929d0e0e4736 shows it.",
        "4bf92f3577b34da6a3ce929d0e0e4737",
        "4bf92f3577b34da6a3ce929d0e0e4736",
    ),
    (
        "请求 3f2504e0-4f89-11d3-9a0c-0305e82c3301 失败",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3302",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    ),
    ("Commit 728d882 broke it.", "commit 728d883", "728d882"),
    ("/var/log/app.log grew.", "/var/log/sys.log grew", "/var/log/app.log"),
    ("配置文件/etc/nginx/nginx.conf缺失", "/etc/hosts", "/etc/nginx/nginx.conf"),
    ("A NullPointerException was thrown.", "IllegalStateException thrown", "NullPointerException"),
    ("抛出了OrderNotFoundException异常", "OrderException", "OrderNotFoundException"),
    ("Pod 处于 CrashLoopBackOff", "Running", "CrashLoopBackOff"),
    ("primeFactors threw it.", "factorize threw it", "primeFactors"),
    ("The disk sda1 is full.", "/dev/sdb1 is full", "sda1"),
    ("vmss000003 is unreachable", "vmss000004", "vmss000003"),
    ("Pod l595s 拉取失败", "no-image-849c4c4958-8f5gh", "l595s"),
    ("The script create-all-backups.sh failed.", "create-backup.sh failed", "create-all-backups.sh"),
    ("Commit 9abcdef broke it.", "commit 9abcdee", "9abcdef"),
    ("Commit 12abcdef broke it.", "commit 12abcdee", "12abcdef"),
    ("trace 1234567890123456789 shows it", "trace 1234567890123456788", "1234567890123456789"),
    ("订单 202305061230459981关闭失败", "订单 202305061230459982", "202305061230459981"),
    ("The payments-v2 service fails.", "the payments service fails", "payments-v2"),
    ("It runs in ns/prod-mail.", "it runs in ns/prod-web", "prod-mail"),
    ("deploy/order-archive is down", "deploy/order-cleanup is down", "order-archive"),
    ("k8s-edge is down", "k8s is down", "k8s-edge"),
    ("pod_х9 was evicted", "pod_x9 was evicted", "pod_х9"),
    ("db_орders is full", "db_orders is full", "db_орders"),
    ("The host is dｂ－７－x.", "db-8-x", "db-7-x"),
    ("The host is 𝐝𝐛-07.", "db-08", "db-07"),
    ("The host is d\u200bb-07\u034f.", "db-08", "db-07"),
    ("pod-11 was evicted.", "pod-1 1 restart", "pod-11"),
    ("node-1 is down.", "on each node, 1 restart", "node-1"),
    ("node-01 is down.", "node-1 is down", "node-01"),
    ("ORA-600 was raised.", "ORA-06001, ORA-60000", "ORA-600"),
    ("INC12345 was opened.", "INC-123456 was opened", "INC12345"),
    ("spec.evil.phase is wrong", "spec: phase: Failed", "spec.evil.phase"),
    ("restartBudget is used up", "restart 6", "restartBudget"),
    ("web.example.com is down", "web.example.org, www.acme.com", "web.example.com"),
    ("MySQL8.0.99 fails", "mysql 8.0.33", "MySQL8.0.99"),
    ("redis2 is down", "redis has 2 replicas", "redis2"),
    ("错误码 111 导致失败", "错误码 110", "111"),
    ("/data is full", "the data disk is full", "/data"),
]

# (claim, evidence): nothing is made up, since it is there
THERE = [
    ("The primary returned ETIMEDOUT.", "errno=ETIMEDOUT"),
    ("It said etimedout, ETIMEDOUT.", "code: 'etimedout'"),
    ("连接返回ECONNRESET错误", '{"log":"first\\nECONNRESET by peer"}'),
    ("连接返回 ECONNRESET", "\x1b[31mECONNRESET\x1b[0m by peer"),
    ("连接返回 ＥＣＯＮＮＲＥＳＥＴ", "ECONNRESET by peer"),
    ("It returned ECONNRESET.", "返回ＥＣＯＮＮＲＥＳＥＴ错误"),
    ("order-api is slow.", "order-api-7d9f-x took 3 s"),
    ("The order-service is slow.", "OrderService took 3 s"),
    ("order-service 变慢", "order service took 3 s"),
    ("pod-1 was evicted.", "evicted: pod-1, pod-2"),
    ("pod-1 was evicted.", "prod/pod-1/app evicted"),
    ("POD-1 was evicted.", "pod-1 evicted"),
    ("Host 10.0.0.1 is down.", "10.0.0.1:8080 is down"),
    ("10.0.0.1:8080 refused it.", "host=10.0.0.1 port=8080"),
    ("172.31.40.111 is full.", "ip-172-31-40-111.us-east-2.compute.internal"),
    ("It began with v1.2.3.", "version: 1.2.3"),
    ("版本1.2.3有缺陷", "app:v1.2.3"),
    ("It runs v1.2.", "v1.2.7"),
    ("Commit 728d882 broke it.", "commit 728d882cf1b2a9e35d1f"),
    ("The setting max_connections is 100.", "max connections: 100"),
    ("The table is mysql.t.", "table `mysql`.`t`"),
    ("MyServlet.doPost failed.", "at com.acme.MyServlet.doPost(MyServlet.java:12)"),
    ("A NullPointerException was thrown.", "java.lang.NullPointerException"),
    ("The OrderController failed.", "OrderControllerImpl failed"),
    ("/awscfg was asked for.", "GET http://a.b:80/awscfg HTTP/1.1"),
    ("/var/log/app.log grew.", "tail /var/log/app.log.1"),
    ("Pod 处于 CrashLoopBackOff", "Back-off restarting failed container main"),
    ("网卡 00:1A:2B:3C:4D:5E 掉线", "00:1a:2b:3c:4d:5e link down"),
    ("The order-services are slow.", "order-service took 3 s"),
    ("节点node-3不可用", "node-3: NotReady"),
    ("rabbit@rabbitmq-1 is running.", '"node": "rabbit@rabbitmq-1.rabbitmq-headless"'),
    ("Node1 is NotReady.", "node-1 NotReady"),
    ("node-1 is NotReady.", "Node1 NotReady"),
    ("工单INC-12345", "INC12345 opened"),
    ("INC12345 was opened.", "INC-12345 opened"),
    ("Oracle 报错 ORA-600", "ORA-00600: internal error"),
    ("Oracle 报错 ORA-00600", "ORA-600: internal error"),
    ("web1 is down", "server web 1 is down"),
    ("The payments-v2 service fails.", "GET /payments/v2 500"),
    ("status.phase为Failed", '{"status":{"phase":"Failed"}}'),
    ("spec.containers.resources.limits.memory=1Gi", '"resources":{"limits":{"memory":"1Gi"}}'),
    ("limits.memory为512Mi", "memory limit 512Mi"),
    ("restartCount=6", "restart 6"),
    ("Ubuntu22.04系统", "os: Ubuntu 22.04"),
    ("MySQL8.0.x主从延迟", "mysql, version 8.0.33"),
    ("MySQL8主从延迟", "mysql version: 8.0.33"),
    ("TLS RST, errno104", "Connection reset by peer"),
    ("The OrderController failed.", "order controller failed"),
    ("The order-service is slow.", "com.acme.OrderServiceImpl took 3 s"),
    ("ThreadPool is exhausted; userId is set", "ThreadPoolExecutor rejected user_id=42"),
    ("pod_х9 was evicted", "evicted: pod_х9"),
    ("The host is db-07.", "host ｄｂ－07"),
    ("/var/log/app.log grew.", "x at /srv/var/log/app.log:33"),
    ("trace 1234567890123456789 shows it", "traceId=1234567890123456789,"),
]

# (claim): no identifier at all
ORDINARY = [
    "Latency rose to 500ms at p99, p95 was 200ms.",
    "CPU usage was 92.5% at 2025-02-27T07:36:22+01:00 and 10:05:33.",
    "从 10:00-10:30 起，5xx 比例约 3.2%，内存 100Mi，磁盘 2x16GB。",
    "Between 2024-01-05 and 27-Feb-2025 there were 3 restarts in 6m33s.",
    "It is a read-only, long-running, out-of-memory case; a follow-up is needed, e.g. by on-call.",
    "A 5-minute, 3-node outage hit a tier-1 service, top-5 overall, in phase-2.",
    "Kubernetes 1.29 on MySQL 8.0 and PostgreSQL 14.2 with TLS 1.3 and HTTP/2 over TCP/IP.",
    "Redis、RabbitMQ、Elasticsearch、OpenTelemetry 和 CoreDNS 都正常，QPS 约 1.2 万。",
    "The container was OOMKilled (exit code 137, SIGKILL); memory 151.6 MiB of 4 GB, 10.7 GB/s read/write.",
    "The StatefulSet and its ConfigMap are fine; the node is NotReady.",
    "1,245,678 rows, 34,621,308 bytes, 3/5 nodes, 1st and 2nd try, 10-20ms, UTC+8, UTF-8, SHA-256.",
    "The multi-node web-server is self-service; a client/server and master/slave set-up, and/or N/A.",
    "HTTP 503 and status code 429 in Q3, P0, SEV1, S3, EC2, x86_64, ipv4.",
    "It failed.The service restarted.",
    "第 3 次重试后恢复，ratio 0.92，即 92%。",
    "共 1e6 行, 1.2x10 倍, SLA99.9%, TP99 超标, inode2%, IOPS4k, an E2E test.",
    "536870912000 bytes, 约137438953472字节, 1073741824000 B, 20240506070809, 1714979289000, 1,234,567,890,123.",
    "27feb2025, 2dec2024, 1048576b, 3-jan; a prod-like, k8s-native set-up; web-сервер и JVM-куча, 5μs, Δt.",
    "vCPU, iOS, dBm, kB, IOPS, GiB/s, eBPF, mTLS, WiFi, JavaScript, GitHub.",
]


@pytest.mark.req("VD-05")
@pytest.mark.parametrize(("text", "evidence", "name"), INVENTED, ids=[case[0] for case in INVENTED])
def test_an_invented_identifier_is_found(text: str, evidence: str, name: str) -> None:
    assert made_up(text, evidence) == (name,)


@pytest.mark.req("VD-05")
@pytest.mark.parametrize(("text", "evidence"), THERE, ids=[case[0] for case in THERE])
def test_an_identifier_of_the_session_is_not_invented(text: str, evidence: str) -> None:
    assert made_up(text, evidence) == ()


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("text", ORDINARY)
def test_values_words_and_products_are_no_identifiers(text: str) -> None:
    assert made_up(text, "nothing of it") == ()


@pytest.mark.req("VD-05")
@pytest.mark.parametrize("status", [InvocationStatus.SUCCESS, InvocationStatus.NO_HIT, InvocationStatus.DEDUPED])
def test_the_input_of_a_call_that_did_not_fail_counts(status: InvocationStatus) -> None:
    asked = call("ok", status=status, asked='{"pod": "order-api-7d9f8b-x2x1z"}')
    text = claim("order-api-7d9f8b-x2x1z is not found")
    assert find_fabricated([text], [asked], "", identifier_words()) == NOTHING


@pytest.mark.req("VD-05")
def test_the_input_of_a_failed_call_does_not_count_and_its_error_does() -> None:
    text = claim("pod-7 returned ECONNREFUSED")
    failed = call(status=InvocationStatus.FAILED, asked='{"pod": "pod-7"}', error="dial: ECONNREFUSED")
    assert find_fabricated([text], [failed], "", identifier_words()).names == {0: ("pod-7",)}


@pytest.mark.req("VD-05")
def test_guidance_and_the_query_count() -> None:
    guidance = Invocation(
        "1",
        "lookup_knowledge",
        InvocationStatus.SUCCESS,
        refs=(EvidenceRef("documents[0]", "ORA-00600 means an internal error", EvidenceKind.GUIDANCE),),
    )
    text = claim("pod-7 报 ORA-00600")
    assert find_fabricated([text], [guidance], "pod-7 怎么了？", identifier_words()) == NOTHING


@pytest.mark.req("VD-05")
def test_a_name_is_never_put_together_from_two_texts() -> None:
    calls = [call("the max", call_id="1"), call("connections", call_id="2")]
    found = find_fabricated([claim("max_connections is low")], calls, "", identifier_words()).names
    assert found == {0: ("max_connections",)}


@pytest.mark.req("VD-05")
def test_each_claim_has_its_own_names_once_and_as_it_writes_them() -> None:
    claims = [claim("POD-7 and pod-7 failed", 0), claim("all is well", 1), claim("pod-7 and db09 failed", 2)]
    found = find_fabricated(claims, [call("nothing")], "", identifier_words()).names
    assert {index: tuple(name.lower() for name in names) for index, names in found.items()} == {
        0: ("pod-7",),
        2: ("pod-7", "db09"),
    }


@pytest.mark.req("VD-05")
@pytest.mark.parametrize(
    "text",
    [
        "x " * 5_000 + "host db-evil-77",
        " ".join(f"pod-a{at}x" for at in range(41)),
        "it is in " + "a" * 201 + "-7",
        "it is in " + "db-1/" * 201,
    ],
    ids=["text", "names", "name", "token"],
)
def test_what_is_too_much_to_be_looked_up_is_never_passed_over(text: str) -> None:
    found = find_fabricated([claim("all is well", 0), claim(text, 1)], [call(text)], "", identifier_words())
    assert found == Fabrications({}, frozenset({1}))


@pytest.mark.req("VD-05")
def test_claims_beyond_the_names_of_a_session_are_not_examined() -> None:
    claims = [claim(" ".join(f"pod-q{at}z{n}" for n in range(40)), at) for at in range(14)]
    found = find_fabricated(claims, [call("nothing")], "", identifier_words())
    assert sorted(found.names) == list(range(13))
    assert found.not_examined == {12, 13}


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_crashes_the_search(text: str, evidence: str) -> None:
    made_up(text, evidence, query=text)
    assert made_up(text, text) == ()


@pytest.mark.req("VD-05")
def test_supported_claims_of_the_recorded_cases_invent_nothing(shared: Path) -> None:
    """None of the labelled true claims names an identifier that its evidence lacks."""
    flagged = []
    for path in sorted((shared / "cases").glob("claims*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if case["expect"] not in {"direct_observation", "reasonable_inference"}:
                continue
            texts = [item if isinstance(item, str) else item["text"] for item in case["evidence"]]
            names = made_up(case["claim"], *texts)
            if names:
                flagged.append((case["id"], names))
    assert flagged == []


@pytest.mark.req("VD-05")
@pytest.mark.parametrize(
    ("text", "near", "there"),
    [
        ("pod-1 failed", "pod-10 ", " pod-1 "),
        ("host 10.0.0.1 failed", "10.0.0.1.7 ", "10.0.0.1:80"),
        ("v1.2.3 failed", "11.2.3 ", "v1.2.3"),
        ("1.2.3 failed", "1.2.30 ", "app:v1.2.3"),
        ("commit 728d882 failed", "0728d882 ", "728d882cf1"),
        ("/var/log failed", "/var/logs ", "a/var/log/b"),
    ],
)
def test_many_near_misses_change_nothing(text: str, near: str, there: str) -> None:
    """Behind many near misses a name is searched in another way, which must find the same."""
    assert len(made_up(text, near * 500)) == 1
    assert made_up(text, near * 500 + there) == ()
