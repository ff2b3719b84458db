package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.JudgeResponse;
import io.evidencegate.v1.ValidateRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest {
    // For a machine that is busy with something else.
    private static final Deadlines PATIENT = Deadlines.all(java.time.Duration.ofSeconds(60));
    private final FakeService fake = new FakeService();
    private final EvidenceGateClient client =
            EvidenceGateClient.builder(fake.target()).retryPolicy(RetryPolicy.none()).deadlines(PATIENT).build();

    @AfterEach
    void stop() {
        client.close();
        fake.close();
    }

    @Test
    void detailsAreReadAndTheMessageNamesWhatToChange() {
        fake.then("Verifier/Judge", FakeService.status(
                Status.Code.INVALID_ARGUMENT,
                "round: is 0; the round is 1 or 2 (and 1 more)",
                ErrorInfo.newBuilder().setReason("INVALID_REQUEST").setDomain("evidencegate").putMetadata("a", "b").build(),
                BadRequest.newBuilder()
                        .addFieldViolations(violation("round", "is 0; the round is 1 or 2"))
                        .addFieldViolations(violation("tool_invocations[3].id", "is blank"))
                        .build()));
        InvalidRequestException error =
                assertThrows(InvalidRequestException.class, () -> client.judge(JudgeRequest.getDefaultInstance()));
        assertEquals("INVALID_REQUEST", error.reason());
        assertEquals("evidencegate", error.domain());
        assertEquals(Map.of("a", "b"), error.metadata());
        assertEquals(
                List.of(
                        new FieldViolation("round", "is 0; the round is 1 or 2"),
                        new FieldViolation("tool_invocations[3].id", "is blank")),
                error.fieldViolations());
        assertEquals(
                "INVALID_ARGUMENT (INVALID_REQUEST): round: is 0; the round is 1 or 2; tool_invocations[3].id: is blank"
                        + " | change the named fields of the request",
                error.getMessage());
        assertFalse(error.fallbackAllowed());
    }

    @Test
    void aLimitHasBothNumbersAndADelayItsLength() {
        fake.then(
                "Gatekeeper/Validate",
                FakeService.status(
                        Status.Code.RESOURCE_EXHAUSTED,
                        "evidence_bytes: 12 is over the limit of 5",
                        ErrorInfo.newBuilder().setReason("LIMIT_EXCEEDED").putMetadata("limit", "5").putMetadata("actual", "12").build()),
                FakeService.status(
                        Status.Code.UNAVAILABLE,
                        "busy",
                        ErrorInfo.newBuilder().setReason("OVERLOADED").build(),
                        RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setNanos(100_000_000)).build()));
        LimitExceededException limit = assertThrows(LimitExceededException.class, this::validate);
        assertEquals(OptionalLong.of(5), limit.limit());
        assertEquals(OptionalLong.of(12), limit.actual());
        UnavailableException busy = assertThrows(UnavailableException.class, this::validate);
        assertEquals(Optional.of(java.time.Duration.ofMillis(100)), busy.retryDelay());
        assertTrue(busy.getMessage().contains("--max-in-flight"), busy.getMessage());
    }

    @Test
    void aRequestOverTheClientsOwnLimitIsNeverSent() {
        try (EvidenceGateClient small = EvidenceGateClient.builder(fake.target()).maxMessageBytes(100).build()) {
            ValidateRequest request = ValidateRequest.newBuilder().setSessionId("s".repeat(200)).build();
            LimitExceededException error = assertThrows(LimitExceededException.class, () -> small.validate(request));
            assertEquals(OptionalLong.of(100), error.limit());
            assertEquals(OptionalLong.of(request.getSerializedSize()), error.actual());
            assertEquals(0, fake.count("Gatekeeper/Validate"));
        }
    }

    @Test
    void anAnswerOverTheClientsOwnLimitSaysWhichLimitToRaise() {
        fake.then("Verifier/Judge", JudgeResponse.newBuilder().setEvaluation(Evaluation.newBuilder().setRationale("x".repeat(500))).build());
        try (EvidenceGateClient small = EvidenceGateClient.builder(fake.target()).maxMessageBytes(100).deadlines(PATIENT).build()) {
            String message = assertThrows(LimitExceededException.class, () -> small.judge(JudgeRequest.getDefaultInstance())).getMessage();
            assertTrue(message.contains("raise maxMessageBytes"), message);
        }
    }

    @Test
    void whatAProxyPutsThereIsNoReasonToFail() {
        Metadata.Key<byte[]> key = Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
        Metadata garbage = new Metadata();
        garbage.put(key, new byte[] {1, 2, 3, -1});
        Metadata brokenItem = new Metadata();
        Any broken = Any.newBuilder()
                .setTypeUrl("type.googleapis.com/google.rpc.ErrorInfo")
                .setValue(ByteString.copyFrom(new byte[] {-1, -1}))
                .build();
        brokenItem.put(key, com.google.rpc.Status.newBuilder().setCode(13).addDetails(broken).build().toByteArray());
        fake.then("Gatekeeper/Validate", garbage, brokenItem, Status.INTERNAL);
        for (int call = 0; call < 3; call++) {
            ServerFaultException error = assertThrows(ServerFaultException.class, this::validate);
            assertEquals("", error.reason());
            assertEquals(List.of(), error.fieldViolations());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FAILED_PRECONDITION, STORE_UNAVAILABLE, PreconditionException, --store",
        "FAILED_PRECONDITION, ENGINE_UNAVAILABLE, PreconditionException, JUDGE_ENGINE_DETERMINISTIC",
        "FAILED_PRECONDITION, RULE_SET_VERSION_MISMATCH, PreconditionException, expected_rule_set_version",
        "INVALID_ARGUMENT, GATEKEEPER_RESULT_MISMATCH, InvalidRequestException, without gatekeeper_result",
        "INVALID_ARGUMENT, EVALUATION_INCONSISTENT, InvalidRequestException, as Judge returned it",
        "NOT_FOUND, SESSION_NOT_FOUND, NotFoundException, session_id",
        "ABORTED, REVISION_CONFLICT, ConflictException, expected_revision",
        "UNAUTHENTICATED, '', AccessException, bearerToken",
        "PERMISSION_DENIED, '', AccessException, clientCertificate",
        "UNAVAILABLE, STORE_FAILED, UnavailableException, request_id",
        "UNAVAILABLE, '', UnavailableException, evidencegate serve",
        "DEADLINE_EXCEEDED, '', DeadlineException, evidencegate.v1.Gatekeeper/Validate",
        "INTERNAL, INTERNAL, ServerFaultException, log",
        "UNKNOWN, '', ServerFaultException, log",
        "UNIMPLEMENTED, '', ServiceException, is it an evidencegate",
        "RESOURCE_EXHAUSTED, '', LimitExceededException, cut evidence in whole refs",
        "CANCELLED, '', CallCancelledException, said so",
    })
    void everyFailureHasItsTypeAndSaysWhatToChange(Status.Code code, String reason, String type, String advice) {
        fake.then("Gatekeeper/Validate", reason.isEmpty()
                ? FakeService.status(code, "the server said so")
                : FakeService.status(code, "the server said so", ErrorInfo.newBuilder().setReason(reason).build()));
        ServiceException error = assertThrows(ServiceException.class, this::validate);
        assertEquals(type, error.getClass().getSimpleName());
        assertEquals(reason, error.reason());
        assertTrue(error.getMessage().contains("the server said so"), error.getMessage());
        assertTrue(error.getMessage().contains(advice), error.getMessage());
    }

    @Test
    void theCauseOfABrokenConnectionIsTold() {
        String target = fake.target();
        fake.close();
        try (EvidenceGateClient dead = EvidenceGateClient.builder(target).retryPolicy(RetryPolicy.none()).deadlines(PATIENT).build()) {
            String message = assertThrows(UnavailableException.class, dead::getRuleCatalog).getMessage();
            assertTrue(message.contains("Connection refused"), message);
            assertTrue(message.contains("is a server at " + target + "?"), message);
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "localhost", "http://localhost:50051", "localhost:0", "localhost:70000", "a b:50051", "dns:///", ":50051"})
    void anAddressThatNoServerCanHaveIsRefusedAtOnce(String target) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> EvidenceGateClient.builder(target)).getMessage();
        assertTrue(message.contains("HOST:PORT is wanted, for example 127.0.0.1:50051"), message);
    }

    @Test
    void settingsThatCannotWorkAreRefusedAtOnce() {
        ClientBuilder builder = EvidenceGateClient.builder("localhost:1");
        java.time.Duration second = java.time.Duration.ofSeconds(1);
        assertThrows(IllegalArgumentException.class, () -> builder.keepAlive(second, second));
        assertThrows(IllegalArgumentException.class, () -> builder.keepAlive(second.multipliedBy(30), java.time.Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> builder.maxMessageBytes(0));
        assertThrows(IllegalArgumentException.class, () -> Deadlines.all(java.time.Duration.ZERO));
        assertThrows(NullPointerException.class, () -> client.judge(null));
        builder.keepAlive(second.multipliedBy(30), second).build().close();
    }

    @Test
    void aClosedClientSaysSo() {
        client.close();
        assertThrows(ClosedClientException.class, client::getRuleCatalog);
        assertThrows(ClosedClientException.class, () -> client.evaluate(JudgeRequest.getDefaultInstance()));
    }

    private void validate() {
        client.validate(ValidateRequest.getDefaultInstance());
    }

    private static BadRequest.FieldViolation violation(String field, String description) {
        return BadRequest.FieldViolation.newBuilder().setField(field).setDescription(description).build();
    }
}
