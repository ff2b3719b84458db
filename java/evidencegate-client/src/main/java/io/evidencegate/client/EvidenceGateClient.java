package io.evidencegate.client;

import com.google.protobuf.Message;
import io.evidencegate.v1.ComposeRequest;
import io.evidencegate.v1.ComposeResponse;
import io.evidencegate.v1.ComposerGrpc;
import io.evidencegate.v1.ComposerWriter;
import io.evidencegate.v1.DeleteSessionRequest;
import io.evidencegate.v1.DeleteSessionResponse;
import io.evidencegate.v1.GatekeeperGrpc;
import io.evidencegate.v1.GetRuleCatalogRequest;
import io.evidencegate.v1.GetRuleCatalogResponse;
import io.evidencegate.v1.GetSessionRequest;
import io.evidencegate.v1.GetSessionResponse;
import io.evidencegate.v1.JudgeEngine;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.JudgeResponse;
import io.evidencegate.v1.ListPromptsRequest;
import io.evidencegate.v1.ListPromptsResponse;
import io.evidencegate.v1.ListSessionsRequest;
import io.evidencegate.v1.ListSessionsResponse;
import io.evidencegate.v1.PromptsGrpc;
import io.evidencegate.v1.RenderPromptRequest;
import io.evidencegate.v1.RenderPromptResponse;
import io.evidencegate.v1.SelfEvaluationsGrpc;
import io.evidencegate.v1.SummarizeTraceRequest;
import io.evidencegate.v1.SummarizeTraceResponse;
import io.evidencegate.v1.ValidateRequest;
import io.evidencegate.v1.ValidateResponse;
import io.evidencegate.v1.VerifierGrpc;
import io.evidencegate.v1.WriteChannelRequest;
import io.evidencegate.v1.WriteChannelResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls evidencegate and waits for each answer. Safe to share between threads: build one for the whole program and close it at the end.
 *
 * <p>The methods named like those of the service throw a {@link ServiceException} for each failure. {@link #evaluate} and the two
 * {@code ...OrFallBack} methods go on with a marked fallback where the service cannot be reached, and throw for every other failure.
 *
 * <p>A thread that is interrupted while it waits gets a {@link CallCancelledException}, and so does one whose {@code io.grpc.Context} is
 * cancelled.
 */
public final class EvidenceGateClient implements AutoCloseable {
    // Long enough for a call by rules; one that asks a model is cut.
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

    // So many calls beside a server that is gone do not become so many attempts to connect.
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);

    private final ManagedChannel managed;
    private final Channel channel;
    private final String target;
    private final Deadlines deadlines;
    private final int maxMessageBytes;
    private final String defaultRuleSetVersion;
    private final AtomicLong lastReconnect = new AtomicLong(System.nanoTime() - RECONNECT_PAUSE.toNanos());
    private volatile boolean closed;

    EvidenceGateClient(ClientBuilder builder) {
        this.managed = builder.newChannel();
        this.channel = builder.withCredentials(managed);
        this.target = builder.target();
        this.deadlines = builder.deadlines();
        this.maxMessageBytes = builder.maxMessageBytes();
        this.defaultRuleSetVersion = builder.defaultRuleSetVersion();
    }

    /**
     * Returns a builder for a client of the server at that address.
     *
     * @param target HOST:PORT, or a target in gRPC's own form ({@code dns:///...})
     * @throws IllegalArgumentException for what is no address, for example with {@code http://} or without a port
     */
    public static ClientBuilder builder(String target) {
        return new ClientBuilder(Targets.checked(target));
    }

    /** Returns a client with all defaults: no TLS, no token. */
    public static EvidenceGateClient connect(String target) {
        return builder(target).build();
    }

    /** Checks one output by the rules. */
    public ValidateResponse validate(ValidateRequest request) {
        return call(GatekeeperGrpc.getValidateMethod(), request, deadlines.validate());
    }

    /** Checks one output by the rules; a marked pass stands in where the service cannot be reached. */
    public ValidationOutcome validateOrFallBack(ValidateRequest request) {
        try {
            ValidateResponse response = validate(request);
            return new ValidationOutcome(
                    response.getGatekeeperResult(), Optional.of(response.getExecutorOutputParseStatus()), Optional.empty());
        } catch (ServiceException failure) {
            if (!failure.fallbackAllowed()) {
                throw failure;
            }
            String pinned = request.getExpectedRuleSetVersion();
            String version = pinned.isEmpty() ? defaultRuleSetVersion : pinned;
            return new ValidationOutcome(Fallbacks.gatekeeperResult(version), Optional.empty(), Optional.of(failure));
        }
    }

    /** Returns the version, the enabled rules and the limits in use. */
    public GetRuleCatalogResponse getRuleCatalog() {
        return call(GatekeeperGrpc.getGetRuleCatalogMethod(), GetRuleCatalogRequest.getDefaultInstance(), deadlines.ruleCatalog());
    }

    /** Labels every claim of one output and derives verdict and route. Read the answer by {@link Readings}. */
    public JudgeResponse judge(JudgeRequest request) {
        boolean byModel = request.getEngine() == JudgeEngine.JUDGE_ENGINE_LLM || request.getEngine() == JudgeEngine.JUDGE_ENGINE_HYBRID;
        return call(VerifierGrpc.getJudgeMethod(), request, byModel ? deadlines.judgeByModel() : deadlines.judge());
    }

    /** Labels every claim of one output; a marked LOW_CONFID stands in where the service cannot be reached. */
    public JudgementOutcome judgeOrFallBack(JudgeRequest request) {
        try {
            JudgeResponse response = judge(request);
            return new JudgementOutcome(
                    response.getEvaluation(),
                    response.hasRetryContext() ? Optional.of(response.getRetryContext()) : Optional.empty(),
                    Optional.empty());
        } catch (ServiceException failure) {
            if (!failure.fallbackAllowed()) {
                throw failure;
            }
            return new JudgementOutcome(
                    Fallbacks.evaluation(request.getRound(), request.getPromptsUsedList()), Optional.empty(), Optional.of(failure));
        }
    }

    /** Checks one output by the rules, then labels its claims, each with its fallback. This is what most programs call. */
    public EvaluationResult evaluate(JudgeRequest request) {
        ValidationOutcome validation = validateOrFallBack(validateRequest(request));
        JudgeRequest checked = request.toBuilder().setGatekeeperResult(validation.gatekeeperResult()).build();
        return new EvaluationResult(validation, judgeOrFallBack(checked));
    }

    /** Returns what the Gatekeeper is asked about the same output. */
    public static ValidateRequest validateRequest(JudgeRequest request) {
        ValidateRequest.Builder builder = ValidateRequest.newBuilder()
                .setSessionId(request.getSessionId())
                .addAllToolInvocations(request.getToolInvocationsList())
                .setNarrowQuestion(request.getNarrowQuestion())
                .setExpectedRuleSetVersion(request.getExpectedRuleSetVersion());
        if (request.hasExecutorOutput()) {
            builder.setExecutorOutput(request.getExecutorOutput());
        }
        return builder.build();
    }

    /** Returns what the tools of a session came back with, in short. */
    public SummarizeTraceResponse summarizeTrace(SummarizeTraceRequest request) {
        return call(VerifierGrpc.getSummarizeTraceMethod(), request, deadlines.summarizeTrace());
    }

    /** Returns the answer to one evaluation, which is what the user reads. */
    public ComposeResponse compose(ComposeRequest request) {
        boolean byModel = request.getWriter() == ComposerWriter.COMPOSER_WRITER_MODEL;
        return call(ComposerGrpc.getComposeMethod(), request, byModel ? deadlines.composeByModel() : deadlines.compose());
    }

    /** Returns the prompts of the service's catalog, for a caller that runs its own models. */
    public ListPromptsResponse listPrompts() {
        return call(PromptsGrpc.getListPromptsMethod(), ListPromptsRequest.getDefaultInstance(), deadlines.prompts());
    }

    /** Returns one prompt with its values put in. */
    public RenderPromptResponse renderPrompt(RenderPromptRequest request) {
        return call(PromptsGrpc.getRenderPromptMethod(), request, deadlines.prompts());
    }

    /** Writes one channel of a stored session and leaves the other as it is; safe to repeat with its request ID. */
    public WriteChannelResponse writeChannel(WriteChannelRequest request) {
        return call(SelfEvaluationsGrpc.getWriteChannelMethod(), request, deadlines.store());
    }

    /** Returns what is stored of a session; throws {@link NotFoundException} where nothing is. */
    public GetSessionResponse getSession(GetSessionRequest request) {
        return call(SelfEvaluationsGrpc.getGetSessionMethod(), request, deadlines.store());
    }

    /** Returns a page of the stored sessions, the latest written first. */
    public ListSessionsResponse listSessions(ListSessionsRequest request) {
        return call(SelfEvaluationsGrpc.getListSessionsMethod(), request, deadlines.store());
    }

    /** Deletes what is stored of a session; the answer says whether there was something. */
    public DeleteSessionResponse deleteSession(DeleteSessionRequest request) {
        return call(SelfEvaluationsGrpc.getDeleteSessionMethod(), request, deadlines.store());
    }

    /**
     * Says whether the server takes calls, false while it drains.
     *
     * @param service the full name of a service, {@code evidencegate.v1.Verifier}; empty for the server as a whole
     * @throws ServiceException where it does not answer, {@link NotFoundException} for a service that it does not know
     */
    public boolean isServing(String service) {
        HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
        return call(HealthGrpc.getCheckMethod(), request, deadlines.health()).getStatus() == ServingStatus.SERVING;
    }

    /**
     * Returns the channel under this client, with its retries and credentials, for generated stubs: an asynchronous call, or a method of
     * a newer service. Those calls throw {@code StatusRuntimeException} and have the deadline that the stub is given.
     */
    public Channel channel() {
        return channel;
    }

    /** Returns the address that this client calls. */
    public String target() {
        return target;
    }

    /** Lets calls in flight finish, for five seconds at most, and ends the connection. */
    @Override
    public void close() {
        closed = true;
        managed.shutdown();
        try {
            managed.awaitTermination(CLOSE_GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            managed.shutdownNow();
        }
    }

    private <Q extends Message, A> A call(MethodDescriptor<Q, A> method, Q request, Duration deadline) {
        Objects.requireNonNull(request, "request");
        if (closed) {
            throw new ClosedClientException(null);
        }
        Q carried = ModelTexts.carried(request);
        reconnectAfterOutage();
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
        try {
            checkSize(carried);
            return ClientCalls.blockingUnaryCall(channel, method, options, carried);
        } catch (StatusRuntimeException error) {
            if (closed && error.getStatus().getCode() == Status.Code.UNAVAILABLE) {
                throw new ClosedClientException(error);
            }
            throw CallFailure.of(error, method.getFullMethodName(), target).exception();
        }
    }

    /**
     * Has a connection that failed tried again now. gRPC alone waits longer after each failure, for two minutes in the end, and a client
     * would fall back all that time beside a server that is long back.
     */
    private void reconnectAfterOutage() {
        if (managed.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
            return;
        }
        long now = System.nanoTime();
        long last = lastReconnect.get();
        if (now - last >= RECONNECT_PAUSE.toNanos() && lastReconnect.compareAndSet(last, now)) {
            managed.resetConnectBackoff();
        }
    }

    /** Refuses a request that no server takes before it is sent, with both numbers. */
    private void checkSize(Message request) {
        int size = request.getSerializedSize();
        if (size > maxMessageBytes) {
            throw Limits.tooLarge(maxMessageBytes, size);
        }
    }
}
