"""A word that looks like a mark of reach claims nothing where something else is said with it."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.alignment.scope.idle import is_idle
from evidencegate_server.judge.claims.reader import ClaimReader
from evidencegate_server.judge.values.reader import ValueReader
from evidencegate_server.judge.vocabulary import Vocabulary

from tests.excerpts.support import lexicon

WORDS = Vocabulary(lexicon().concepts, lexicon().wording)
READER = ClaimReader(ValueReader(lexicon().measures), WORDS)


def idle(claim: str, mark: str) -> list[bool]:
    """Returns for each mark of a name in a claim whether it claims nothing."""
    return [
        is_idle(name, term, clause, claim, WORDS)
        for clause in READER.read(claim).clauses
        for name, term in clause.marks
        if name == mark
    ]


@pytest.mark.parametrize(
    ("claim", "mark", "claims_nothing"),
    [
        ("落库只要约 30 毫秒。", "@conditions", True),
        ("只要主节点恢复，写入就会成功。", "@conditions", False),
        ("The check took 3 times as long as the save.", "@conditions", True),
        ("The alarm blocks publishers as long as it stands.", "@conditions", False),
        ("The certificate runs out at 01:33 UTC.", "@near", True),
        ("The node is running out of memory.", "@near", False),
        ("线程没建起来。", "@time_scope.since", True),
        ("从主库重启起一直如此。", "@time_scope.since", False),
        ("元数据才用了 4%。", "@order.then", True),
        ("重启之后才出现错误。", "@quantifiers.only", True),
        ("失败的才 3 个。", "@quantifiers.only", True),
        ("只有 3 台失败。", "@quantifiers.only", True),
        ("sda was both the slowest and the busiest device.", "@quantifiers.both", True),
        ("Both nodes failed and were replaced.", "@quantifiers.both", False),
        ("Both nodes are down.", "@quantifiers.both", False),
        ("至少有一封邮件被拒收。", "@comparison.greater", True),
        ("The handshake went over port 443.", "@comparison.greater", True),
        ("db-2 restarted more often than db-1.", "@quantifiers.sometimes", True),
        ("db-2 often restarts.", "@quantifiers.sometimes", False),
        ("One metric makes up 67 % of all series.", "@quantifiers.all", True),
        ("67 % of the series of all hosts are stale.", "@quantifiers.all", False),
    ],
)
def test_what_a_mark_says_turns_on_what_stands_beside_it(claim: str, mark: str, claims_nothing: bool) -> None:
    found = idle(claim, mark)
    assert set(found) <= {claims_nothing}
    assert found or claims_nothing
