package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.EvaluationSource;
import io.evidencegate.v1.GatekeeperResult;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.JudgeResponse;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.PromptRole;
import io.evidencegate.v1.PromptVersion;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.ValidateRequest;
import io.evidencegate.v1.ValidateResponse;
import io.evidencegate.v1.Verdict;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class FallbackTest {
    // For a machine that is busy with something else.
    private static final Deadlines PATIENT = Deadlines.all(java.time.Duration.ofSeconds(60));
    private static final JudgeRequest REQUEST = JudgeRequest.newBuilder().setRound(1).build();

    private final FakeService fake = new FakeService();

    @AfterEach
    void stop() {
        fake.close();
    }

    private static EvidenceGateClient client(String target) {
        return EvidenceGateClient.builder(target).retryPolicy(RetryPolicy.none()).deadlines(PATIENT).build();
    }

    /** Returns an address that nobody listens at: the port was free a moment ago. */
    private static String deadTarget() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void withoutAnyServiceNothingPasses(int round) throws IOException {
        try (EvidenceGateClient client = client(deadTarget())) {
            EvaluationResult result = client.evaluate(REQUEST.toBuilder().setRound(round).build());
            assertEquals(Verdict.VERDICT_LOW_CONFID, result.verdict());
            assertEquals(Route.ROUTE_COMPOSE_WITH_UNCERTAINTY, result.route());
            assertEquals(0.0, result.score());
            assertTrue(result.isFallback());
            assertFalse(result.validation().passed());
            assertInstanceOf(UnavailableException.class, result.validation().failure().orElseThrow());
            assertInstanceOf(UnavailableException.class, result.judgement().failure().orElseThrow());
            Evaluation evaluation = result.evaluation();
            assertEquals(Verdict.VERDICT_LOW_CONFID, evaluation.getVerdict());
            assertEquals(EvaluationSource.EVALUATION_SOURCE_CLIENT_FALLBACK, evaluation.getSource());
            assertEquals(round, evaluation.getRound());
            assertEquals(List.of(), evaluation.getClaimChecksList());
            assertFalse(evaluation.hasGatekeeperResult());
            assertFalse(evaluation.hasAllowedMaterial());
            assertEquals(Optional.empty(), result.retryContext());
            assertTrue(result.safeText(Language.LANGUAGE_ZH).orElseThrow().contains("无法核验"));
            assertTrue(result.safeText(Language.LANGUAGE_EN).orElseThrow().startsWith("The findings of this diagnosis could not"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"})
    void fourCodesLeadToAFallback(Status.Code code) {
        fake.then("Gatekeeper/Validate", code.toStatus()).then("Verifier/Judge", code.toStatus());
        try (EvidenceGateClient client = client(fake.target())) {
            EvaluationResult result = client.evaluate(REQUEST);
            assertEquals(code, result.validation().failure().orElseThrow().code());
            assertEquals(code, result.judgement().failure().orElseThrow().code());
            assertEquals(Verdict.VERDICT_LOW_CONFID, result.verdict());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = Mode.EXCLUDE,
            names = {"OK", "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "UNKNOWN"})
    void everyOtherCodeIsThrownAndNeverASilentFallback(Status.Code code) {
        try (EvidenceGateClient client = client(fake.target())) {
            fake.then("Gatekeeper/Validate", code.toStatus());
            ServiceException validate = assertThrows(ServiceException.class, () -> client.evaluate(REQUEST));
            assertEquals(code, validate.code());
            assertEquals("evidencegate.v1.Gatekeeper/Validate", validate.method());
            fake.then("Verifier/Judge", code.toStatus());
            ServiceException judge = assertThrows(ServiceException.class, () -> client.evaluate(REQUEST));
            assertEquals(code, judge.code());
            assertEquals("evidencegate.v1.Verifier/Judge", judge.method());
        }
    }

    @Test
    void aFallbackIsHandedToJudgeAndAServiceThatPassesItIsNotBelieved() {
        fake.then("Gatekeeper/Validate", Status.UNAVAILABLE)
                .then("Verifier/Judge", judged(Evaluation.newBuilder().setVerdictValue(1).setRouteValue(1).setSourceValue(1)));
        try (EvidenceGateClient client = client(fake.target())) {
            EvaluationResult result = client.evaluate(REQUEST);
            assertTrue(((JudgeRequest) fake.last("Verifier/Judge")).getGatekeeperResult().getFallback());
            assertEquals(Verdict.VERDICT_LOW_CONFID, result.verdict());
            assertEquals(Route.ROUTE_COMPOSE_WITH_UNCERTAINTY, result.route());
            assertFalse(result.isFallback());
            assertFalse(result.isAsRead());
        }
    }

    @Test
    void theGatekeepersResultGoesToJudgeAndTheAnswerComesBackAsItIs() {
        GatekeeperResult found = GatekeeperResult.newBuilder().setStatusValue(2).setSeverityValue(1).setInputDigest("abc").build();
        RetryContext context = RetryContext.newBuilder().setVerdictValue(2).setGroundednessScore(0.25).build();
        fake.then("Gatekeeper/Validate", ValidateResponse.newBuilder().setGatekeeperResult(found).build());
        Evaluation evaluation = Evaluation.newBuilder().setVerdictValue(2).setRouteValue(3).setGroundednessScore(0.25).setSourceValue(1).build();
        fake.then("Verifier/Judge", JudgeResponse.newBuilder().setEvaluation(evaluation).setRetryContext(context).build());
        try (EvidenceGateClient client = client(fake.target())) {
            EvaluationResult result = client.evaluate(REQUEST);
            assertEquals(found, ((JudgeRequest) fake.last("Verifier/Judge")).getGatekeeperResult());
            assertEquals(Route.ROUTE_RETRY, result.route());
            assertEquals(Optional.of(context), result.retryContext());
            assertEquals(Optional.empty(), result.safeText(Language.LANGUAGE_ZH));
            assertTrue(result.isAsRead());
        }
    }

    @Test
    void noAnswerWithinTheDeadlineIsAFallback() {
        fake.silent();
        Deadlines brief = Deadlines.defaults().withJudge(Duration.ofMillis(200));
        try (EvidenceGateClient client = EvidenceGateClient.builder(fake.target()).deadlines(brief).build()) {
            JudgementOutcome outcome = client.judgeOrFallBack(REQUEST);
            assertInstanceOf(DeadlineException.class, outcome.failure().orElseThrow());
            assertTrue(Readings.isFallback(outcome.evaluation()));
        }
    }

    @Test
    void aFallbackKeepsWhatTheCallerDeclared() throws IOException {
        PromptVersion used = PromptVersion.newBuilder().setRole(PromptRole.PROMPT_ROLE_EXECUTOR).setName("diagnose").setVersion("7").build();
        ValidateRequest pinned = ValidateRequest.newBuilder().setExpectedRuleSetVersion("2.7.0").build();
        try (EvidenceGateClient client =
                EvidenceGateClient.builder(deadTarget()).retryPolicy(RetryPolicy.none()).deadlines(PATIENT).defaultRuleSetVersion("1.4.0").build()) {
            Evaluation evaluation = client.judgeOrFallBack(REQUEST.toBuilder().addPromptsUsed(used).build()).evaluation();
            assertEquals(List.of(used), evaluation.getPromptAudit().getPromptsUsedList());
            assertTrue(evaluation.getPromptAudit().getDeclared());
            assertEquals("2.7.0", client.validateOrFallBack(pinned).gatekeeperResult().getRuleSetVersion());
            GatekeeperResult unpinned = client.validateOrFallBack(ValidateRequest.getDefaultInstance()).gatekeeperResult();
            assertEquals("1.4.0", unpinned.getRuleSetVersion());
            assertEquals(List.of("gatekeeper.fallback"), unpinned.getWarningsList().stream().map(notice -> notice.getId()).toList());
            assertTrue(unpinned.getFallback());
            assertEquals(List.of(), unpinned.getRulesList());
        }
    }

    private static JudgeResponse judged(Evaluation.Builder evaluation) {
        return JudgeResponse.newBuilder().setEvaluation(evaluation).build();
    }
}
