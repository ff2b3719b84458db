"""Every kind of written value is found where it stands, in base units; what only looks like one is not."""

from __future__ import annotations

from functools import partial

import pytest
import yaml
from evidencegate_server.judge.values.model import Quantity
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge.values.support import one, reader, short, shorts
from tests.support import ROOT, count_calls, words_of

AMOUNTS = {
    "1,245,678 rows": ["1245678"],
    "the list 1,2,3": ["1", "2", "3"],
    "接受路由为 ０，２０３ 条丢弃": ["0", "203"],
    "[100,200,300]": ["100", "200", "300"],
    "max=50, active=0": ["50", "0"],
    "９２％": ["0.92 share"],
    "-67 dBm": ["-67 decibel"],
    "1.5e+06 bytes": ["1500000 size"],
    "失败订单为九十二笔": ["92"],
    "两千零五条": ["2005"],
    "约 2.25 万个连接": ["~22500"],
    "12 万条": ["120000"],
    "3 亿行": ["300000000"],
    "百分之五": ["0.05 share"],
    "丢包四成": ["0.4 share"],
    "大约五分半钟后": ["~330 time"],
    "一个半小时": ["5400 time"],
    "约一个半 CPU 核": ["~1.5"],
    "一个半核": ["1.5 cores"],
    "两个半 GB": ["2500000000 size"],
    "x .5 y": ["0.5"],
    ".1.3.6": [],
    "x .3.5 y": ["3.5"],
    "3 小时半": ["12600 time"],
    "半小时": ["1800 time"],
    "3 分 12 秒": ["192 time"],
    "几十个": ["~[20,100)"],
    "数百条": ["~[200,1000)"],
    "1.2k requests": ["1200"],
    "4.75 million rows": ["4750000"],
    "5M rows": ["5000000"],
    "512M": ["512000000 size"],
    "Two pods": ["2"],
    "a dozen hosts": ["12"],
    "ten thousand keys": ["10000"],
    "two hundred and five rows": ["205"],
    "twenty-five pods": ["25"],
    "half an hour": ["1800 time"],
    "an hour and a half": ["5400 time"],
    "half the pods": ["0.5 share"],
    "more than half of the pods": ["(0.5,] share"],
    "two thirds of the pods": ["0.6667 share"],
    "三分之一的节点": ["0.3333 share"],
    "一半的节点": ["0.5 share"],
    "the third of five pods": ["5"],
    "dozens of pods": ["~[24,99]"],
    "over in minutes": [],
    "3m7s": ["187 time"],
    "1h30m": ["5400 time"],
    "5 days 3:02": ["442920 time"],
    "uptime 00:03:12": ["192 time"],
    "2 minutes 30 seconds": ["150 time"],
    "a 5-minute window": ["300 time"],
    "20 kB": ["20000 size"],
    "1.95 GiB": ["2093796556.8 size"],
    "512Mi": ["536870912 size"],
    "100 Mbps": ["100000000 bits/time"],
    "6.0 Gb/s": ["6000000000 bits/time"],
    "205B/s": ["205 size/time"],
    "12 MB of logs per second": ["12000000 size/time"],
    "5 req/s": ["5 count/time"],
    "300 QPS": ["300 count/time"],
    "30 次/秒": ["30 count/time"],
    "每秒 12 MB": ["12000000 size/time"],
    "每秒发布 9.9 条、确认 11.2 条": ["9.9 count/time", "11.2 count/time"],
    "1,200 requests a minute": ["20 count/time"],
    "3 restarts in a minute": ["3", "60 time"],
    "12 millicores": ["0.012 cores"],
    "0.012 CPU cores": ["0.012 cores"],
    "cpu: 116m": ["0.116 cores"],
    "30 个核": ["30 cores"],
    "12 per cent": ["0.12 share"],
    "5 percentage points": ["5 points"],
    "3 个百分点": ["3 points"],
    "1000 / 1000": ["1000", "1000"],
    "Buffer pool hit rate 998 / 1000": ["0.998 share"],
    "min/avg/max = 0.3/0.4/0.5 ms": ["0.0003 time", "0.0004 time", "0.0005 time"],
    "10/100 Mbps": ["10000000 bits/time", "100000000 bits/time"],
    "2/3 pods for 5 min": ["2", "3", "300 time"],
    "恢复得好几个": [],
    "好几": [],
    "45°C": ["45 celsius"],
    "$1,200": ["1200 money:usd"],
    "12 元": ["12 money:cny"],
    "500 日志": ["500"],
}

NO_VALUES = [
    "0x09", "v2.3.0", "3.5.13", "10.12.3.44:8080", "pod-1", "jbd2/sda-8", "TLSv1.3", "http2", "K8S", "es-data-2",
    "7f96a3b82700", "conn962", "550e8400-e29b-41d4-a716-446655440000", "x86_64", "ksoftirqd/0", "ip-10-0-0-1",
    "75dd4d49d5", "一直", "统一", "三方", "第三次", "the two of them", "one of the pods", "i-0f76fade", "725be470",
    "10.example.com", "r5714", "UTC+8",
]  # fmt: skip

BOUNDS = {
    "at least 5": ("[5,]", "at least 5"),
    "more than 3 pods": ("(3,]", "more than 3"),
    "not more than 7": ("[,7]", "not more than 7"),
    "up to about 1.5 s": ("~[,1.5] time", "up to about 1.5 s"),
    "exceeded 90%": ("(0.9,] share", "exceeded 90%"),
    "under 1 second": ("[,1) time", "under 1 second"),
    ">= 5 ms": ("[0.005,] time", ">= 5 ms"),
    "took <5s": ("[,5) time", "<5s"),
    "超过 10 秒": ("(10,] time", "超过 10 秒"),
    "不到 10 秒": ("[,10) time", "不到 10 秒"),
    "没有超过 8 个": ("[,8]", "没有超过 8"),
    "不低于 99%": ("[0.99,] share", "不低于 99%"),
    "140 秒以上": ("[140,] time", "140 秒以上"),
    "10 秒以内": ("[,10] time", "10 秒以内"),
    "30 多个": ("[30,40)", "30 多"),
    "8 MB 多": ("[8000000,9000000) size", "8 MB 多"),
    "100 余次": ("[100,200)", "100 余"),
    "nearly 7,000 hits": ("~7000", "nearly 7,000"),
    "44 毫秒左右": ("~0.044 time", "44 毫秒左右"),
    "5 to 10 seconds": ("[5,10] time", "5 to 10 seconds"),
    "between 5 and 10": ("[5,10]", "5 and 10"),
    "5~10 个": ("[5,10]", "5~10"),
    "5-10 ms": ("[0.005,0.01] time", "5-10 ms"),
    "below its 80 % target": ("0.8 share", "80 %"),
    "高于 90% 的阈值": ("0.9 share", "90%"),
    "最近 5 次": ("5", "5"),
    "50 -> 60": ("50", "50"),
}

INSTANTS = {
    "2024-05-01T10:05:00+08:00": "2024-5-1 36300/1 +480",
    "2016-12-09T22:21:02.443689Z": "2016-12-9 80462.443689/0.000001 +0",
    "[2018-10-17 12:58:47,490] INFO": "2018-10-17 46727.49/0.001",
    "25/Feb/2019:16:19:48.143 +0000": "2019-2-25 58788.143/0.001 +0",
    "Feb 22 16:47:54 host": "2-22 60474/1",
    "x\nSep  6 09:57:21 host": "9-6 35841/1",
    "Tue, 11 Jun 2024 09:42:18 +0800": "2024-6-11 34938/1 +480",
    "Wed Apr 20 09:50:19 2022 -0400": "2022-4-20 35419/1 -240",
    "2024-10-23 14:29:35 CST": "2024-10-23 52175/1",
    "10:05 EST": "36300/60 -300",
    "at 04:10:31 UTC on 21 October 2025": "2025-10-21 15031/1 +0",
    "on 7 August 2020.": "2020-8-7",
    "October 21, 2025": "2025-10-21",
    "16 September 2021 PDT": "2021-9-16 -420",
    "3:15 pm": "54900/60",
    "3 PM": "54000/3600",
    "UTC 08:27 记录": "30420/60 +0",
    "北京时间 3 月 14 日 01:10，": "3-14 4200/60 +480",
    "3 月 7 日 23:12:36": "3-7 83556/1",
    "2018-09-22 晚上": "2018-9-22 64800/21600",
    "2018-09-22 evening": "2018-9-22 61200/25200",
    "on the evening of 22 September": "9-22 61200/25200",
    "9 月 22 日晚上 8 点": "9-22 72000/3600",
    "2024-05-01 上午 10:21": "2024-5-1 37260/60",
    "Thu Sep 16 20:33:13 PDT 2021": "2021-9-16 73993/1 -420",
    "上午 10:21": "37260/60",
    "下午 3 点": "54000/3600",
    "10 点 5 分": "36300/60",
    "around 10:05": "~ 36300/60",
    "11:00:42 左右": "~ 39642/1",
    "before 10:05": "36300/60 before",
    "10:05 之后": "36300/60 after",
    "since 3 May": "5-3 since",
    "自北京时间 7 月 29 日 18:35 起": "7-29 66900/60 +480 since",
}

CELLS = [
    ("durationMillis", "120", "0.12 time"),
    ("avg-rt(ms)", "3.5", "0.0035 time"),
    ("耗时（毫秒）", "44", "0.044 time"),
    ("MEMORY(bytes)", "116", "116 size"),
    ("node_memory_bytes", "1024", "1024 size"),
    ("process_cpu_seconds_total", "12.5", "12.5 time"),
    ("request_seconds_count", "7", "7"),
    ("elapsed_ms", '"44"', "0.044 time"),
    ("latency_us", "44", "0.000044 time"),
    ("us", "44", "44"),
    ("wkB/s", "12.5", "12500 size/time"),
    ("r/s", "5", "5 count/time"),
    ("requests_per_second", "5", "5 count/time"),
    ("hitrate %", "96", "0.96 share"),
    ("%util", "98.2", "0.982 share"),
    ("cpu_usage_ratio", "0.92", "0.92 share"),
    ("HITRATIO", "0.98", "0.98 share"),
    ("duration", "0.92", "0.92"),
    ("KiB Mem", "16384", "16777216 size"),
    ("CPU(cores)", "116m", "0.116 cores"),
    ("memory", "512Mi", "536870912 size"),
    ("startTime", "1601626042162", "2020-10-2 29242.162/0.001 +0"),
    ("$date", "1601626042162", "2020-10-2 29242.162/0.001 +0"),
    ("id", "1601626042162", "1601626042162"),
    ("duration", "00:03:12", "192 time"),
    ("ELAPSED", "1-02:03:04", "93784 time"),
    ("r_await", "41.27", "0.04127 time"),
    ("wareq-sz", "129.83", "132945.92 size"),
    ("rMB/s", "0.74", "740000 size/time"),
    ("aqu-sz", "39.81", "39.81"),
    ("swap so", "4412", "4517888 size/time"),
    ("memory swpd", "204800", "209715200 size"),
    ("cpu wa", "18", "0.18 share"),
    ("RES", "301224", "308453376 size"),
    ("RES", "11.4g", "11400000000 size"),
    ("res", "200", "200"),
    ("Time", "402", "402 time"),
    ("Time", "1714521600", "2024-5-1 0/1 +0"),
    ("time", "402", "402"),
    ("mean_exec_time", "12.5", "0.0125 time"),
    ("AVG_TIMER_WAIT", "2500000000", "0.0025 time"),
    ("urt", "0.040", "0.04 time"),
    ("rt", "35", "35"),
    ("Tr", "1457", "1.457 time"),
    ("target_processing_time", "0.038", "0.038 time"),
    ("time_total", "3.421", "3.421 time"),
    ("averageUtilization", "6", "0.06 share"),
    ("heap.percent", "94", "0.94 share"),
    ("active_shards_percent_as_number", "100.0", "1 share"),
    ("Use%", "98", "0.98 share"),
    ("cpu_utilization", "0.85", "0.85 share"),
    ("mem_fragmentation_ratio", "1.53", "1.53"),
    ("rate", "11.2", "11.2 count/time"),
    ("Power On Hours", "6,038", "21736800 time"),
    ("durationMillis", "120", "0.12 time"),
    ("uptime_in_seconds", "59", "59 time"),
]
SEVERAL = [
    ("READY", "0/1", ["0 share", "0", "1"]),
    ("READY", "4/3", ["4", "3"]),
    ("Buffer pool hit rate", "1000 / 1000", ["1 share", "1000", "1000"]),
    ("CPU %", "212.44%", ["2.1244 share", "2.1244 cores"]),
    ("%CPU", "388.2", ["3.882 share", "3.882 cores"]),
    ("CPU Limits", "1 (52%)", ["1 cores", "0.52 share"]),
]


@pytest.mark.parametrize("text", AMOUNTS)
def test_amounts_come_in_base_units(text: str) -> None:
    assert shorts(reader().mentions(text)) == AMOUNTS[text]


@pytest.mark.parametrize("text", NO_VALUES)
def test_a_digit_or_numeral_inside_a_name_is_no_value(text: str) -> None:
    assert shorts(reader().mentions(f"see {text} here")) == []


@pytest.mark.parametrize("text", BOUNDS)
def test_words_beside_a_number_make_it_a_bound(text: str) -> None:
    mention = reader().mentions(text)[0]

    assert (short(mention.value), text[mention.outer_start : mention.outer_end]) == BOUNDS[text]


def test_a_change_is_no_range() -> None:
    assert shorts(reader().mentions("raised from 0 to 3 pods")) == ["0", "3"]
    assert shorts(reader().mentions("由 430% 回落到 52%")) == ["4.3 share", "0.52 share"]


@pytest.mark.parametrize("text", INSTANTS)
def test_instants_are_read_as_far_as_they_are_written(text: str) -> None:
    assert short(one(text)) == INSTANTS[text]


def test_a_window_shares_date_and_zone() -> None:
    assert shorts(reader().mentions("16:47:54 至 16:48:03 之间")) == ["60474/1 since", "60483/1 until"]
    assert shorts(reader().mentions("between 10:02 and 10:05 UTC")) == ["36120/60 +0 since", "36300/60 +0 until"]
    assert shorts(reader().mentions("10:02-10:05 37 次")) == ["36120/60 since", "36300/60 until", "37"]
    assert shorts(reader().mentions("19:50 to 20:50 on 22 September 2018")) == [
        "2018-9-22 71400/60 since",
        "2018-9-22 75000/60 until",
    ]


@pytest.mark.parametrize(("key", "text", "expected"), CELLS)
def test_a_bare_number_takes_its_unit_from_the_key(key: str, text: str, expected: str) -> None:
    assert shorts(reader().cell(key, text)) == [expected]


@pytest.mark.parametrize(("key", "text", "expected"), SEVERAL)
def test_a_cell_that_can_be_meant_in_two_ways_has_both(key: str, text: str, expected: list[str]) -> None:
    assert shorts(reader().cell(key, text)) == expected


@pytest.mark.parametrize(
    ("text", "counted"), [("37 request timeouts", "request timeouts"), ("3 个副本的上限", "个副本")]
)
def test_what_is_counted_stands_beside_the_number(text: str, counted: str) -> None:
    assert reader().mentions(text)[0].counted == counted


def test_places_are_those_of_the_whole_text() -> None:
    text = "p99 rose to 12.7 s"
    (mention,) = reader().mentions(text, 100)

    assert text[mention.start - 100 : mention.end - 100] == "12.7 s"
    assert [m.start for m in reader().cell("elapsed_ms", " 44", 100)] == [101]


PIECES = st.sampled_from(
    [
        "12", "1,245", "0.5", " ", " ms", "%", "万", "约", "at least ", "不到", "10:05", "2024-05-01", " UTC",
        "two ", "五", "分", "半", "-", "/", ":", ",", "x", "多", "Feb 3", "\n", "每秒", " to ", "MB", "３", "by ",
        "between ", " and ", "月", "日", "点", "E+", "$", "a", "k", "个",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=24).map("".join))
def test_any_text_gives_ordered_mentions_inside_it(text: str) -> None:
    end = 0
    for mention in reader().mentions(text):
        assert end <= mention.start < mention.end <= len(text)
        assert 0 <= mention.outer_start <= mention.start
        assert mention.end <= mention.outer_end <= len(text)
        end = mention.end
        if isinstance(mention.value, Quantity) and mention.value.low is not None and mention.value.high is not None:
            assert mention.value.low <= mention.value.high
    assert reader().mentions(text) == reader().mentions(text)


MEASURE_WORDS = sorted(words_of(yaml.safe_load((ROOT / "rules/lexicon/measures.yaml").read_text(encoding="utf-8"))))
SIGNS = ["1", "3.5", ".01", "1,000", "9", "-", ".", ",", "/", ":", "%", "\t", "10:00", "2024-13-45", "("]


@settings(max_examples=400)
@given(
    st.lists(st.tuples(st.sampled_from(MEASURE_WORDS) | st.sampled_from(SIGNS), st.sampled_from(["", " "])), max_size=9)
)
def test_no_salad_of_its_own_words_crashes_the_reader(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in pieces)
    reader().mentions(text)
    reader().cell(text[:20], text)


@given(st.text(max_size=80))
def test_no_text_crashes_the_reader(text: str) -> None:
    reader().mentions(text)
    reader().cell(text[:20], text)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,234,",
        "1-",
        "1.",
        "1:",
        "十",
        "1h",
        "two ",
        "a-1 ",
        "/1",
        "9 9",
        "百分之",
        "Feb 3 ",
        "10:05-",
        "月1",
        "1 to ",
    ],
)
def test_work_is_linear(piece: str) -> None:
    """Four times as much of the same takes four times as many calls; `make bench` prints how the time grows."""
    reader().mentions(piece * 10)
    small, large = (count_calls(partial(reader().mentions, piece * (size // len(piece)))) for size in (4_000, 16_000))
    assert large < 4.5 * small + 1_000


def test_a_time_has_the_zone_that_its_key_names() -> None:
    assert shorts(reader().cell("Ref time (UTC)", "Mon Mar 02 06:10:05 2026")) == ["2026-3-2 22205/1 +0"]
    assert shorts(reader().cell("start_utc", "2026-03-02 06:10:05")) == ["2026-3-2 22205/1 +0"]
    assert shorts(reader().cell("start", "2026-03-02 06:10:05")) == ["2026-3-2 22205/1"]
    assert shorts(reader().cell("start_utc", "2026-03-02T06:10:05+08:00")) == ["2026-3-2 22205/1 +480"]


def test_a_month_in_small_letters_counts_under_a_key_for_times() -> None:
    assert shorts(reader().cell("time", "mar 02 06:10:05")) == ["3-2 22205/1"]


def test_seconds_since_the_kernel_came_up() -> None:
    assert shorts(reader().cell("time", "4241.557909")) == ["4241.557909 time"]


def test_numbers_joined_by_of_share_the_unit_behind_the_last() -> None:
    assert shorts(reader().mentions("1.5 of 6 GiB")) == ["1610612736 size", "6442450944 size"]
    assert shorts(reader().mentions("2 of 3 pods")) == ["2", "3"]


def test_parts_of_an_hour() -> None:
    assert shorts(reader().mentions("three quarters of an hour")) == ["2700 time"]
    assert shorts(reader().mentions("three quarters of the calls")) == ["0.75 share"]
    assert shorts(reader().mentions("三刻钟")) == ["2700 time"]
