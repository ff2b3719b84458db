package io.evidencegate.client;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Thrown when a call ended with a status other than OK; the subclasses say which. The message names the code, what is wrong and
 * what to change.
 */
public class ServiceException extends EvidenceGateException {
    private static final long serialVersionUID = 1L;

    // A fallback for any other code would hide a fault of the set-up: a wrong token, a wrong address, a request too large.
    private static final Set<Status.Code> FALLBACK_CODES =
            Set.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.INTERNAL, Status.Code.UNKNOWN);

    private final Status.Code code;
    private final String method;
    private final transient FailureDetails details;

    ServiceException(CallFailure failure) {
        super(failure.sentence(), failure.cause());
        this.code = failure.code();
        this.method = failure.method();
        this.details = failure.details();
    }

    /** Returns the gRPC code. */
    public Status.Code code() {
        return code;
    }

    /** Returns the method that was called, {@code evidencegate.v1.Verifier/Judge}. */
    public String method() {
        return method;
    }

    /**
     * Returns the stable word for what happened, in UPPER_SNAKE; empty where the failure carried none, as those of the network and
     * of proxies do.
     */
    public String reason() {
        return details == null ? "" : details.reason();
    }

    /** Returns who gave the reason, {@code evidencegate} for the service itself; empty where the failure carried none. */
    public String domain() {
        return details == null ? "" : details.domain();
    }

    /** Returns the values beside the reason, for example {@code limit} and {@code actual}. */
    public Map<String, String> metadata() {
        return details == null ? Map.of() : details.metadata();
    }

    /** Returns the fields that the service refused, at most twenty and then how many more there are. */
    public List<FieldViolation> fieldViolations() {
        return details == null ? List.of() : details.fieldViolations();
    }

    /** Returns how long the service asked to wait before the call is sent again; empty where it did not ask. */
    public Optional<Duration> retryDelay() {
        return details == null ? Optional.empty() : details.retryDelay();
    }

    /** Says whether a client may go on without the service. */
    public boolean fallbackAllowed() {
        return FALLBACK_CODES.contains(code);
    }
}
