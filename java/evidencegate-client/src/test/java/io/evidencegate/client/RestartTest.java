package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.InvocationStatus;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.JudgeResponse;
import io.evidencegate.v1.RetrievalDetails;
import io.evidencegate.v1.ToolInvocation;
import io.evidencegate.v1.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that is killed and comes back while calls are in flight. */
class RestartTest {
    private static final int CALLS = 200;
    private static final Duration DEADLINE = Duration.ofSeconds(45);

    /** One policy that waits for the new server, and the usual one, which is mostly done before it is there. */
    static List<RetryPolicy> policies() {
        return List.of(new RetryPolicy(5, Duration.ofSeconds(2), Duration.ofSeconds(8), 2.0), RetryPolicy.defaults());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void everyCallEndsInAResultOrTheMarkedFallback(RetryPolicy policy) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLS);
        EvidenceGateServer first = EvidenceGateServer.start();
        EvidenceGateServer second = null;
        try (EvidenceGateClient client = EvidenceGateClient.builder(first.target())
                .deadlines(Deadlines.all(DEADLINE))
                .retryPolicy(policy)
                .build()) {
            JudgeResponse expected = client.judge(request(0));
            CountDownLatch answered = new CountDownLatch(3);
            CountDownLatch asked = new CountDownLatch(CALLS);
            List<Future<JudgementOutcome>> calls = new ArrayList<>();
            for (int number = 1; number <= CALLS; number++) {
                JudgeRequest request = request(number);
                calls.add(threads.submit(() -> {
                    asked.countDown();
                    JudgementOutcome outcome = client.judgeOrFallBack(request);
                    answered.countDown();
                    return outcome;
                }));
            }
            assertTrue(asked.await(60, TimeUnit.SECONDS));
            assertTrue(answered.await(60, TimeUnit.SECONDS));
            first.kill();
            long inFlight = calls.stream().filter(call -> !call.isDone()).count();
            assertTrue(inFlight > 0, "no call was in flight when the server was killed");
            second = EvidenceGateServer.startOn(first.port());
            int results = 0;
            for (Future<JudgementOutcome> call : calls) {
                // The guard against a call that hangs; no call may take longer than its deadline.
                JudgementOutcome outcome = call.get(DEADLINE.toSeconds() + 30, TimeUnit.SECONDS);
                if (Readings.isFallback(outcome.evaluation())) {
                    assertTrue(outcome.failure().orElseThrow().fallbackAllowed());
                    assertEquals(Verdict.VERDICT_LOW_CONFID, Readings.verdict(outcome.evaluation()));
                } else {
                    assertEquals(expected.getEvaluation(), outcome.evaluation());
                    results++;
                }
            }
            System.out.println(inFlight + " calls in flight at the kill; " + results + " results, " + (CALLS - results) + " fallbacks");
            assertTrue(results >= CALLS - inFlight, "a call that was answered before the kill lost its result");
            assertTrue(reachesTheNewServer(client), "the client did not find the server that came back");
        } finally {
            threads.shutdownNow();
            first.close();
            if (second != null) {
                second.close();
            }
        }
    }

    /** Says whether a call gets a result; each one that does not has the connection tried again. */
    private static boolean reachesTheNewServer(EvidenceGateClient client) {
        for (int attempt = 0; attempt < 50; attempt++) {
            if (!Readings.isFallback(client.judgeOrFallBack(request(0)).evaluation())) {
                return true;
            }
        }
        return false;
    }

    /** Returns a request that takes the judge a while; the session ID alone differs, which is part of no result. */
    private static JudgeRequest request(int number) {
        RetrievalDetails.Builder refs = RetrievalDetails.newBuilder();
        for (int line = 0; line < 400; line++) {
            refs.addEvidenceRefs(EvidenceRef.newBuilder().setRawPath("lines[" + line + "]").setText("line " + line + ": pod checkout-" + line + " restarted"));
        }
        return SessionFile.judgeRequest(Repository.session("01")).toBuilder()
                .setSessionId("restart-" + number)
                .addToolInvocations(ToolInvocation.newBuilder()
                        .setId("999999")
                        .setToolName("query_logs")
                        .setStatus(InvocationStatus.INVOCATION_STATUS_SUCCESS)
                        .setOutput("many lines")
                        .setRetrievalDetails(refs))
                .build();
    }
}
