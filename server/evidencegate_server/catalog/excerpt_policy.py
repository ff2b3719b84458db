"""Makes the policy of comparing excerpts from the word lists and from the parameters of the rules that compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evidencegate_server.excerpts.policy import ExcerptParameters, ExcerptPolicy
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.rules.model import RuleParameters

_COMPARING_RULES: Final = ("evidence.excerpt_mismatch", "evidence.excerpt_uninformative")


def build_excerpt_policy(lexicon: Lexicon, parameters: Mapping[str, RuleParameters]) -> ExcerptPolicy:
    """Returns the policy; a number that no rule has as a parameter keeps its default.

    Raises ValueError where words or numbers do not fit together.
    """
    numbers: dict[str, Any] = {}
    for rule_id in _COMPARING_RULES:
        if rule_id in parameters:
            values = parameters[rule_id].model_dump()
            numbers.update({name: values[name] for name in values.keys() & ExcerptParameters.model_fields.keys()})
    return ExcerptPolicy.from_lexicon(lexicon, ExcerptParameters(**numbers))
