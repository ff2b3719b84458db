"""A denial stands where the place that would show the thing shows that it is not there, and nowhere else."""

from __future__ import annotations

import pytest
from evidencegate_server.words import Verification

from tests.judge.test_deterministic import labelled

ACCEPTED = (Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE)
LAGS = """GROUP   TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG
fares   trips   0          7120            7120            0
fares   trips   1          -               5511            -"""
PEERS = """[
  {"name": "edge-4", "endpoint": "198.51.100.9:51820", "keepalive": 25, "handshake": "2 minutes ago"},
  {"name": "edge-7", "endpoint": "198.51.100.8:51820", "keepalive": 25}
]"""
SAMPLES = """procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2  0   8192 711204  90112 204800    0    0     4    12  310  512  3  1 96  0  0
 1  0   8192 709100  90112 204812    0    0     0     8  290  498  2  1 97  0  0"""
SWAPPING = SAMPLES.replace("204812    0    0", "204812    0   64")
CALL = """{
  "eventTime": "2026-02-03T04:05:06Z",
  "eventName": "CreateBucket",
  "userIdentity": {"userName": "svc-etl"},
  "errorCode": "AccessDenied"
}"""
MADE = CALL.replace(',\n  "errorCode": "AccessDenied"', "")
ZONE = "2026-03-01T10:00:00Z instance build-9: the zone does not have enough resources to fulfil the request"
RICH = ZONE.replace("does not have enough", "has enough")
DISKS = """Filesystem      Size  Used Avail Use% Mounted on
/dev/vda1        40G   40G     0 100% /
/dev/vdb1       200G   80G  120G  40% /srv"""
PROBES = '[{"Port": 8080, "ServerId": "i-4", "ServerHealthStatus": "abnormal"}]'
HEALTHY = PROBES.replace("abnormal", "normal")
SUDO = "Mar  3 10:11:12 web-2 sudo:   mira : user NOT in sudoers ; TTY=pts/0 ; PWD=/home/mira ; USER=root"
MAY = "Mar  3 10:11:12 web-2 sudo:   mira : TTY=pts/0 ; PWD=/home/mira ; USER=root ; COMMAND=/usr/bin/id"
CREATED = "NAME    STATUS\nmap-1   Created\nmap-2   Running"

# A claim, evidence that bears it out, and a claim or evidence that does not.
TWINS = {
    "an_empty_field": (
        ("The lag of partition 1 of trips is not known.", LAGS),
        ("The lag of partition 0 of trips is not known.", LAGS),
    ),
    "a_field_that_only_others_have": (("edge-7 has no handshake.", PEERS), ("edge-4 has no handshake.", PEERS)),
    "rows_that_all_say_none": (
        ("没有换出，CPU 空闲不低于 96%。", SAMPLES),
        ("没有换出，CPU 空闲不低于 96%。", SWAPPING),
    ),
    "a_call_with_an_error_of_its_own": (("svc-etl 的 bucket 没建成。", CALL), ("svc-etl 的 bucket 没建成。", MADE)),
    "a_contrary_that_is_denied": (
        ("The zone has insufficient resources for build-9.", ZONE),
        ("The zone has insufficient resources for build-9.", RICH),
    ),
    "a_row_that_an_idiom_names": (("根分区没有可用空间。", DISKS), ("/srv 没有可用空间。", DISKS)),
    "a_check_that_was_not_passed": (
        ("i-4 的 8080 端口健康检查未通过。", PROBES),
        ("i-4 的 8080 端口健康检查未通过。", HEALTHY),
    ),
    "a_right_that_one_has_not": (("web-2 上 mira 没有权限。", SUDO), ("web-2 上 mira 没有权限。", MAY)),
    "a_status_that_rules_another_out": (("map-1 is not running.", CREATED), ("map-2 is not running.", CREATED)),
}


@pytest.mark.parametrize("shown", [twin[0] for twin in TWINS.values()], ids=TWINS)
def test_what_the_place_for_it_shows_to_be_absent_is_denied_rightly(shown: tuple[str, str]) -> None:
    """The field, row, sibling, error or idiom that would tell says no."""
    assert labelled(*shown).verification in ACCEPTED


@pytest.mark.parametrize("false", [twin[1] for twin in TWINS.values()], ids=TWINS)
def test_what_is_there_is_not_denied(false: tuple[str, str]) -> None:
    """The same words, of another row or over another output, are refused."""
    assert labelled(*false).verification not in ACCEPTED
