package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.DeleteSessionRequest;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.ValidateRequest;
import io.evidencegate.v1.WriteChannelRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class RetryTest {
    // For a machine that is busy with something else.
    private static final Deadlines PATIENT = Deadlines.all(java.time.Duration.ofSeconds(60));
    private static final RetryPolicy QUICK = new RetryPolicy(4, Duration.ofMillis(10), Duration.ofMillis(20), 1.5);

    private final FakeService fake = new FakeService();

    @AfterEach
    void stop() {
        fake.close();
    }

    private EvidenceGateClient client(RetryPolicy policy) {
        return EvidenceGateClient.builder(fake.target()).retryPolicy(policy).deadlines(PATIENT).build();
    }

    @Test
    void unavailableIsSentAgainUntilItIsAnswered() {
        fake.then("Gatekeeper/Validate", Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE);
        try (EvidenceGateClient client = client(QUICK)) {
            client.validate(ValidateRequest.getDefaultInstance());
        }
        assertEquals(4, fake.count("Gatekeeper/Validate"));
    }

    @Test
    void afterTheLastAttemptTheFailureIsThrown() {
        fake.then("Gatekeeper/Validate", Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE);
        try (EvidenceGateClient client = client(QUICK)) {
            assertThrows(UnavailableException.class, () -> client.validate(ValidateRequest.getDefaultInstance()));
        }
        assertEquals(4, fake.count("Gatekeeper/Validate"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            mode = Mode.EXCLUDE,
            names = {"OK", "UNAVAILABLE"})
    void nothingElseIsEverSentAgain(Status.Code code) {
        fake.then("Gatekeeper/GetRuleCatalog", code.toStatus());
        try (EvidenceGateClient client = client(QUICK)) {
            assertThrows(ServiceException.class, client::getRuleCatalog);
        }
        assertEquals(1, fake.count("Gatekeeper/GetRuleCatalog"));
    }

    @Test
    void writesAreSentAgainWithTheirRequestId() {
        fake.then("SelfEvaluations/WriteChannel", Status.UNAVAILABLE).then("SelfEvaluations/DeleteSession", Status.UNAVAILABLE);
        WriteChannelRequest write = WriteChannelRequest.newBuilder().setSessionId("s").setRequestId("r").build();
        try (EvidenceGateClient client = client(QUICK)) {
            client.writeChannel(write);
            client.deleteSession(DeleteSessionRequest.newBuilder().setSessionId("s").build());
        }
        assertEquals(List.of(write, write), fake.calls.get("evidencegate.v1.SelfEvaluations/WriteChannel"));
        assertEquals(2, fake.count("SelfEvaluations/DeleteSession"));
    }

    @Test
    void aSessionWithMuchEvidenceIsSentAgainToo() {
        fake.then("Gatekeeper/Validate", Status.UNAVAILABLE);
        ValidateRequest large = ValidateRequest.newBuilder()
                .setExecutorOutput(ExecutorOutput.newBuilder().setText("x".repeat(4_000_000)))
                .build();
        try (EvidenceGateClient client = client(QUICK)) {
            client.validate(large);
        }
        assertEquals(2, fake.count("Gatekeeper/Validate"));
    }

    @Test
    void aPolicyOfOneAttemptSendsOnce() {
        fake.then("Gatekeeper/GetRuleCatalog", Status.UNAVAILABLE);
        try (EvidenceGateClient client = client(RetryPolicy.none())) {
            assertThrows(UnavailableException.class, client::getRuleCatalog);
        }
        assertEquals(1, fake.count("Gatekeeper/GetRuleCatalog"));
    }

    @Test
    void theServiceConfigNamesEveryMethodAndOneCode() {
        Map<?, ?> method = (Map<?, ?>) ((List<?>) RetryPolicy.defaults().serviceConfig().get("methodConfig")).get(0);
        assertEquals(List.of(Map.of()), method.get("name"));
        Map<?, ?> policy = (Map<?, ?>) method.get("retryPolicy");
        assertEquals(List.of("UNAVAILABLE"), policy.get("retryableStatusCodes"));
        assertEquals("0.1s", policy.get("initialBackoff"));
        assertEquals("2s", policy.get("maxBackoff"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 100, 2000, 2, maxAttempts is 0", "6, 100, 2000, 2, maxAttempts is 6", "4, 9, 2000, 2, initialBackoff is PT0.009S",
        "4, 300, 200, 2, initialBackoff is PT0.3S", "4, 100, 200, 0.5, backoffMultiplier is 0.5", "4, 100, 200, NaN, backoffMultiplier is NaN",
    })
    void aPolicyThatGrpcWouldIgnoreIsRefused(int attempts, long first, long most, double multiplier, String start) {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> new RetryPolicy(attempts, Duration.ofMillis(first), Duration.ofMillis(most), multiplier))
                .getMessage();
        assertTrue(message.startsWith(start), message);
    }
}
