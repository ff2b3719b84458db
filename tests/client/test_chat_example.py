"""The example agent runs as it is, through both rounds, to an answer in Chinese."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import ROOT


@pytest.mark.req("RT-01", "RT-04")
def test_the_example_agent_ends_with_a_confirmed_answer_in_chinese() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "chat_flow.py")],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    rounds, answer = done.stdout.split("answer ", 1)
    assert "LOW_CONFID, score 0.00, next: RETRY" in rounds
    assert "told to round 2: missing: checkout 容器上次退出的原因和退出码" in rounds
    assert "PASS, score 1.00, next: COMPOSE" in rounds
    assert [line.split()[2] for line in rounds.splitlines() if line.startswith(("round 1  ", "round 2  "))] == [
        "planner",
        "executor",
        "validate",
        "judge",
    ] * 2
    assert "checkout 容器因内存不足被终止（OOMKilled）" in answer
    assert "内存泄漏" not in answer
    assert "价格表缓存" not in answer
    assert "claim_id" not in answer
