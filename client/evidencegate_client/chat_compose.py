"""Has the answer composed from what was judged, or gives the client's own safe text."""

from __future__ import annotations

from evidencegate.v1.composer_pb2 import ComposeRequest, ComposerOutput, ComposerWriter
from evidencegate.v1.material_pb2 import LANGUAGE_EN, LANGUAGE_ZH, AllowedMaterial
from evidencegate.v1.text_pb2 import ModelText

from evidencegate_client import calls
from evidencegate_client.chat import ComposerInput
from evidencegate_client.chat_steps import Flow, Recorder, Returned, Setting
from evidencegate_client.errors import ServiceError
from evidencegate_client.fallback import fallback_composer_output
from evidencegate_client.gather import model_text_of
from evidencegate_client.result import EvaluationResult
from evidencegate_client.vocabulary import number

_SAFE = "the client's safe text"


class Composing:
    """Gives the answer to one evaluation."""

    def __init__(self, setting: Setting, recorder: Recorder) -> None:
        self._setting = setting
        self._recorder = recorder
        self._writer: ComposerWriter = number(ComposerWriter, setting.chat.writer or "template")  # type: ignore[assignment]  # numbers are enum values

    def run(self, basis: EvaluationResult | None) -> Flow[ComposerOutput]:
        """Returns what the user reads; None as basis says that planner or executor failed, so that there is nothing."""
        own = self._own_reason(basis)
        if own is not None or basis is None:
            self._recorder.skip("compose", 0, f"nothing was judged that can be told; {_SAFE}")
            return self._own("diagnosis" if basis is None else "service", own or "")
        request = yield from self._request(basis)
        try:
            output = (yield from calls.compose(request, self._setting.client)).composer_output
        except ServiceError as failure:
            # A catalog that was reloaded between Judge and Compose is nobody's mistake.
            if not failure.fallback_allowed and failure.reason != "EVALUATION_INCONSISTENT":
                raise
            self._recorder.call("compose", 0, failure, _SAFE)
            return self._own("service", "The Composer gave no answer.")
        if not output.text.strip():
            self._recorder.fall_back("compose", 0, f"no text came; {_SAFE}")
            return self._own("service", "The Composer gave no text.")
        if output.requested_writer != output.writer:
            self._recorder.fall_back("compose", 0, "the template speaks; composer_output says why")
        else:
            self._recorder.call("compose", 0, None, "")
        return output

    def _own_reason(self, basis: EvaluationResult | None) -> str | None:
        """Returns why the client speaks itself, None where it does not."""
        if basis is None:
            return "Planner or executor failed, so nothing was judged."
        if basis.is_fallback:
            return "The Verifier could not be reached, so nothing was judged."
        if not basis.is_as_read:
            return "The evaluation has a verdict or route that this client does not trust."
        return None

    def _request(self, basis: EvaluationResult) -> Flow[ComposeRequest]:
        asked, parts, chat = self._setting.question, self._setting.parts, self._setting.chat
        request = ComposeRequest(
            session_id=asked.session_id,
            evaluation=basis.evaluation,
            original_query=asked.original_query,
            language=LANGUAGE_EN if asked.language == "en" else LANGUAGE_ZH,
            writer=self._writer,
            model_profile=chat.composer_model_profile,
            prompts_used=chat.prompts_used,
        )
        if parts.composer is None:
            return request
        written: Returned | None = None
        if basis.verdict == "REJECT":
            self._recorder.skip("composer", 0, "a REJECT is told by the template")
        else:
            material = AllowedMaterial()
            material.CopyFrom(basis.evaluation.allowed_material)
            budget = self._setting.budget
            to_tell = ComposerInput(asked.original_query, basis.verdict, material, asked.language, budget)
            written = yield from self._recorder.ask("composer", 0, parts.composer, to_tell)
        text = ModelText() if written is None else model_text_of("composer", written.value)
        request.composer_text.CopyFrom(text)
        return request

    def _own(self, cause: str, detail: str) -> ComposerOutput:
        return fallback_composer_output(
            language=self._setting.question.language,
            cause=cause,
            requested_writer=self._writer,
            detail=detail,
            prompts_used=self._setting.chat.prompts_used,
        )
