"""Runs a small agent through both rounds: planner, executor with tools, evidencegate, and the answer in Chinese.

Planner and executor are scripted here; in a real agent each asks a model. The tools give back what was recorded of real
ones. Ends with 1 where the flow does not come out as it must.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

from evidencegate.v1.evaluation_pb2 import Verification
from evidencegate_client import (
    ChatAnswer,
    ClientConfig,
    EvidenceGateClient,
    ExecutorInput,
    ExecutorRun,
    Orchestrator,
    PlannerInput,
    Round,
)
from evidencegate_client.vocabulary import word
from evidencegate_server.cli.own_server import own_server
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

QUESTION = "checkout 为什么一直重启？"

# What the tools returned, to the letter.
RECORDED = {
    "query_logs": (
        {"query": '{app="checkout"}', "start": "2026-03-11T02:10:00Z", "end": "2026-03-11T02:20:00Z", "limit": 100},
        "2026-03-11T02:14:03.118Z INFO  checkout starting, version 2.31.4\n"
        "2026-03-11T02:14:09.560Z INFO  checkout loading price table into cache\n"
        "2026-03-11T02:15:41.027Z INFO  checkout starting, version 2.31.4",
    ),
    "kubectl_describe": (
        {"kind": "pod", "name": "checkout-7c9d5b6f4-x2lqp", "namespace": "shop"},
        "Name:         checkout-7c9d5b6f4-x2lqp\n"
        "Namespace:    shop\n"
        "Containers:\n"
        "  checkout:\n"
        "    State:          Waiting\n"
        "      Reason:       CrashLoopBackOff\n"
        "    Last State:     Terminated\n"
        "      Reason:       OOMKilled\n"
        "      Exit Code:    137\n"
        "    Restart Count:  6\n"
        "    Limits:\n"
        "      memory:  512Mi",
    ),
}
STYLES = {"ok": "green", "fallback": "yellow", "failed": "red", "skipped": "dim"}


@dataclass
class Tools:
    """Runs tools and keeps each call as a row, as a real agent's database does."""

    next_id: int = 7301

    def run(self, name: str) -> dict[str, Any]:
        """Returns the stored call: input, output, and each line of the output under its address."""
        arguments, output = RECORDED[name]
        row = {
            "id": str(self.next_id),
            "tool_name": name,
            "status": "SUCCESS",
            "input": json.dumps(arguments, ensure_ascii=False),
            "output": output,
            "retrieval_details": {
                "evidence_refs": [
                    {"raw_path": f"lines[{number}]", "text": line} for number, line in enumerate(output.split("\n"))
                ]
            },
        }
        self.next_id += 1
        return row


class Agent:
    """The caller's side: a planner that picks tools and an executor that runs them and writes the contract."""

    def __init__(self) -> None:
        self._tools = Tools()

    def plan(self, given: PlannerInput) -> list[str]:
        """Picks the tools: logs first, and what the first round lacked in the second."""
        if given.retry_context is None:
            return ["query_logs"]
        lacking = " ".join(given.retry_context.missing_info)
        return ["kubectl_describe"] if "上次退出" in lacking else ["query_logs"]

    def execute(self, given: ExecutorInput) -> ExecutorRun:
        """Runs the tools of the plan and writes what a model might write about their output."""
        calls = [self._tools.run(name) for name in given.plan]
        write = _first_output if given.retry_context is None else _second_output
        return ExecutorRun(write(calls[0]), calls)


def _first_output(call: dict[str, Any]) -> str:
    """Guesses: the log shows restarts and says nothing of their cause."""
    return _output(
        [_claim("c1", "root_cause", "checkout 因内存泄漏而重启", call, 1, "loading price table into cache")],
        hypotheses=["价格表缓存可能占用了过多内存"],
        missing_info=["checkout 容器上次退出的原因和退出码"],
        recommended_actions=["查看 checkout 容器上次退出的状态"],
    )


def _second_output(call: dict[str, Any]) -> str:
    """Says what the second tool shows."""
    killed = "checkout 容器因内存不足被终止（OOMKilled）"
    return _output(
        [
            _claim("c1", "root_cause", killed, call, 7, "Reason:       OOMKilled"),
            _claim("c2", "symptom", "checkout 的 Exit Code 是 137", call, 8, "Exit Code:    137"),
            _claim("c3", "symptom", "checkout 的 Restart Count 是 6", call, 9, "Restart Count:  6"),
        ],
        hypotheses=["价格表缓存可能占用了过多内存"],
        missing_info=[],
        recommended_actions=["检查 checkout 的内存上限 512Mi 是否够用"],
    )


def _claim(claim_id: str, claim_type: str, text: str, call: dict[str, Any], line: int, excerpt: str) -> dict[str, Any]:
    binding = {
        "tool_name": call["tool_name"],
        "source_invocation_id": call["id"],
        "raw_path": f"lines[{line}]",
        "evidence_excerpt": excerpt,
    }
    return {
        "claim_id": claim_id,
        "claim_type": claim_type,
        "claim_text": text,
        "support_level": "direct",
        "evidence_bindings": [binding],
    }


def _output(claims: list[dict[str, Any]], **lists: list[str]) -> str:
    return json.dumps({"answer_version": "executor_evidence_v2", "claims": claims, **lists}, ensure_ascii=False)


def main() -> int:
    """Asks one question and prints what happened; returns the exit code."""
    console = Console(highlight=False, soft_wrap=True)
    agent = Agent()
    with own_server() as target:
        console.print(f"evidencegate serves on {target}, in a process of its own\n")
        with EvidenceGateClient(target, ClientConfig(use_http_proxy=False)) as client:
            chat = Orchestrator(client, planner=agent.plan, executor=agent.execute)
            answer = chat.run(QUESTION, session_id="chat-flow-1", deadline_seconds=60)
    console.print(Text.assemble(("asked   ", "dim"), (QUESTION, "bold")))
    for one in answer.rounds:
        tell_round(console, one)
    tell_trace(console, answer)
    console.print(Rule("answer", align="left", style="dim"))
    console.print(Text(answer.text))
    routes = [one.result.route for one in answer.rounds if one.result is not None]
    return 0 if (routes, answer.verdict) == (["RETRY", "COMPOSE"], "PASS") else 1


def tell_round(console: Console, one: Round) -> None:
    """Prints what one round came to."""
    console.print(Rule(f"round {one.number}", align="left", style="dim"))
    if one.result is None:
        console.print("nothing was judged")
        return
    for check in one.result.evaluation.claim_checks:
        label = word(Verification, check.verification)
        console.print(Text.assemble((f"{check.claim_id}  ", "bold"), check.claim_text, (f"  {label}", "cyan")))
        console.print(Text(f"    {check.detail}", style="dim"))
    console.print(f"{one.result.verdict}, score {one.result.score:.2f}, next: {one.result.route}")
    if one.result.retry_context is not None:
        for weak in one.result.retry_context.weak_claims:
            console.print(Text(f"told to round 2: {weak.claim_id} {weak.missing_evidence}", style="yellow"))
        for lacking in one.result.retry_context.missing_info:
            console.print(Text(f"told to round 2: missing: {lacking}", style="yellow"))


def tell_trace(console: Console, answer: ChatAnswer) -> None:
    """Prints each step and how it ended."""
    console.print(Rule("steps", align="left", style="dim"))
    for step in answer.trace:
        where = f"round {step.round}" if step.round else "       "
        said = " ".join(part for part in (step.detail, step.fault) if part)
        outcome = (f"{step.outcome:9}", STYLES[step.outcome])
        console.print(Text.assemble((f"{where}  ", "dim"), f"{step.name:22}", outcome, (said, "dim")))


if __name__ == "__main__":
    sys.exit(main())
