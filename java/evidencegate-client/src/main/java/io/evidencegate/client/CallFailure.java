package io.evidencegate.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;

/** One call that failed, and the sentence that tells a person of it. */
record CallFailure(
        Status.Code code, String method, String target, String message, FailureDetails details, Throwable cause) {

    // No chain of causes is deeper but one that a library ties into a circle.
    private static final int MOST_CAUSES = 8;

    static CallFailure of(StatusRuntimeException error, String method, String target) {
        Status status = error.getStatus();
        String message = status.getDescription() == null ? "" : status.getDescription();
        String root = rootCause(status.getCause());
        // gRPC says "io exception" and leaves what happened to the cause.
        String told = root.isEmpty() || message.contains(root) ? message : (message + ": " + root);
        return new CallFailure(status.getCode(), method, target, told, FailureDetails.of(error.getTrailers()), error);
    }

    /** Returns the exception for this failure's code. */
    ServiceException exception() {
        return switch (code) {
            case INVALID_ARGUMENT -> new InvalidRequestException(this);
            case RESOURCE_EXHAUSTED -> new LimitExceededException(this);
            case FAILED_PRECONDITION -> new PreconditionException(this);
            case NOT_FOUND -> new NotFoundException(this);
            case ABORTED -> new ConflictException(this);
            case UNAUTHENTICATED, PERMISSION_DENIED -> new AccessException(this);
            case UNAVAILABLE -> new UnavailableException(this);
            case DEADLINE_EXCEEDED -> new DeadlineException(this);
            case INTERNAL, UNKNOWN -> new ServerFaultException(this);
            case CANCELLED -> new CallCancelledException(this);
            default -> new ServiceException(this);
        };
    }

    String sentence() {
        String head = details.reason().isEmpty() ? code.name() : code.name() + " (" + details.reason() + ")";
        List<String> parts = new ArrayList<>();
        parts.add(head + ": " + told());
        String advice = Advice.of(this);
        if (!advice.isEmpty()) {
            parts.add(advice);
        }
        return String.join(" | ", parts);
    }

    private String told() {
        List<FieldViolation> violations = details.fieldViolations();
        if (violations.isEmpty()) {
            return message.isEmpty() ? "the failure carried no text" : message;
        }
        String places = String.join("; ", violations.stream().map(FieldViolation::toString).toList());
        // The service's message repeats the first place; a proxy's or another version's may not.
        return message.isEmpty() || message.startsWith(violations.get(0).toString()) ? places : message + " [" + places + "]";
    }

    private static String rootCause(Throwable cause) {
        String found = "";
        Throwable next = cause;
        for (int depth = 0; next != null && depth < MOST_CAUSES; depth++) {
            found = next.getMessage() == null ? found : next.getMessage();
            next = next.getCause();
        }
        return found;
    }
}
