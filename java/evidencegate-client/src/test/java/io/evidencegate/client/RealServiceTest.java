package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.BindingCheck;
import io.evidencegate.v1.ComposeRequest;
import io.evidencegate.v1.ComposerOutput;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.JudgeResponse;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.ParseStatus;
import io.evidencegate.v1.RetrievalDetails;
import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.InvocationStatus;
import io.evidencegate.v1.ToolInvocation;
import io.evidencegate.v1.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The client against the service as it is. */
class RealServiceTest {
    private static EvidenceGateServer server;
    private static EvidenceGateClient client;

    @BeforeAll
    static void start() {
        server = EvidenceGateServer.start();
        client = EvidenceGateClient.builder(server.target()).deadlines(Deadlines.all(Duration.ofSeconds(60))).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    static List<Path> sessions() {
        return Repository.json("examples/sessions");
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void everyExampleGetsTheVerdictThatItExpects(Path file) {
        String json = Repository.read(file);
        EvaluationResult result = client.evaluate(SessionFile.judgeRequest(json));
        String expected = JsonParser.parseString(json).getAsJsonObject().getAsJsonObject("expect").get("verdict").getAsString();
        assertEquals("VERDICT_" + expected, result.verdict().name());
        assertFalse(result.isFallback());
        assertTrue(result.isAsRead());
        assertEquals(result.route().name().equals("ROUTE_RETRY"), result.retryContext().isPresent());
        assertEquals(
                InputDigest.of(EvidenceGateClient.validateRequest(SessionFile.judgeRequest(json))),
                result.validation().gatekeeperResult().getInputDigest());
    }

    @ParameterizedTest
    @MethodSource("sessions")
    void everyAnswerReadsBackFromStoredJson(Path file) {
        JudgeResponse judged = client.judge(SessionFile.judgeRequest(Repository.read(file)));
        assertEquals(judged, StoredJson.read(StoredJson.write(judged), JudgeResponse.getDefaultInstance()));
    }

    @Test
    void spansQuoteTheExcerptBehindAnEmoji() {
        String line = "🚨👩‍💻 𠮷野 pod killed, Reason: OOMKilled";
        String output = """
                {"answer_version":"executor_evidence_v2","claims":[{"claim_id":"c1","claim_type":"root_cause","claim_text":"Reason: OOMKilled",\
                "support_level":"direct","evidence_bindings":[{"tool_name":"kubectl_describe","source_invocation_id":"1","raw_path":"lines[0]",\
                "evidence_excerpt":"Reason: OOMKilled"}]}],"hypotheses":[],"recommended_actions":[],"missing_info":[]}""";
        JudgeRequest request = JudgeRequest.newBuilder()
                .setRound(1)
                .setExecutorOutput(ModelTexts.executorOutput(output))
                .addToolInvocations(ToolInvocation.newBuilder()
                        .setId("1")
                        .setToolName("kubectl_describe")
                        .setStatus(InvocationStatus.INVOCATION_STATUS_SUCCESS)
                        .setOutput(line)
                        .setRetrievalDetails(RetrievalDetails.newBuilder()
                                .addEvidenceRefs(EvidenceRef.newBuilder().setRawPath("lines[0]").setText(line))))
                .build();
        BindingCheck binding = client.evaluate(request).validation().gatekeeperResult().getBindings(0);
        assertTrue(binding.getVerified());
        assertEquals("Reason: OOMKilled", Spans.quote(line, binding.getSpans(0)));
    }

    @Test
    void aLoneSurrogateIsAResultThatNamesItself() {
        JudgeRequest request = JudgeRequest.newBuilder()
                .setRound(1)
                .setExecutorOutput(ExecutorOutput.newBuilder().setText("{\"a\": \"\ud800\"}"))
                .setOriginalQuery("why \udc00?")
                .build();
        Evaluation evaluation = client.evaluate(request).evaluation();
        assertEquals(ParseStatus.PARSE_STATUS_MALFORMED, evaluation.getExecutorOutputParseStatus().getStatus());
        assertEquals("invalid_unicode", evaluation.getExecutorOutputParseStatus().getReason());
        assertEquals(
                List.of("input.replacement_character"),
                evaluation.getWarningsList().stream().map(notice -> notice.getId()).toList());
    }

    @Test
    void noOutputIsAResultToo() {
        EvaluationResult result = client.evaluate(JudgeRequest.newBuilder().setRound(1).build());
        assertEquals(Verdict.VERDICT_LOW_CONFID, result.verdict());
        assertEquals(ParseStatus.PARSE_STATUS_MISSING, result.validation().parseReport().orElseThrow().getStatus());
    }

    @Test
    void theAnswerIsComposedInBothLanguages() {
        Evaluation evaluation = client.evaluate(SessionFile.judgeRequest(Repository.session("01"))).evaluation();
        ComposeRequest request = ComposeRequest.newBuilder().setEvaluation(evaluation).build();
        ComposerOutput chinese = client.compose(request).getComposerOutput();
        assertEquals(Language.LANGUAGE_ZH, chinese.getLanguage());
        assertTrue(chinese.getText().codePoints().anyMatch(point -> Character.UnicodeScript.of(point) == Character.UnicodeScript.HAN));
        ComposerOutput english =
                client.compose(request.toBuilder().setLanguage(Language.LANGUAGE_EN).build()).getComposerOutput();
        assertEquals(Language.LANGUAGE_EN, english.getLanguage());
    }
}
