package io.evidencegate.client;

/** Says for each failure what to change. */
final class Advice {
    // How grpc-java begins to tell of an answer over the client's own limit.
    private static final String ANSWER_TOO_LARGE = "gRPC message exceeds maximum size";

    private Advice() {}

    /** Returns one sentence; empty where there is nothing to change. */
    static String of(CallFailure failure) {
        String byReason = ofReason(failure.details().reason());
        return byReason.isEmpty() ? ofCode(failure) : byReason;
    }

    private static String ofReason(String reason) {
        return switch (reason) {
            case "GATEKEEPER_RESULT_MISMATCH" ->
                "send the request again without gatekeeper_result, or with the one that Validate returned for the same input";
            case "EVALUATION_INCONSISTENT" -> "hand in the evaluation as Judge returned it, or judge again";
            case "ENGINE_UNAVAILABLE" ->
                "use the engine JUDGE_ENGINE_DETERMINISTIC and the template writer, or have the server started with --models";
            case "RULE_SET_VERSION_MISMATCH" ->
                "test with the server's rule set and set expected_rule_set_version to it, or leave it empty";
            case "STORE_UNAVAILABLE" -> "have the server started with --store URL";
            case "STORE_FAILED" -> "send the same request again with the same request_id; nothing is half written";
            case "REVISION_CONFLICT" -> "read the session again and set expected_revision to what is stored now";
            case "OVERLOADED" -> "send fewer calls at once, or have the server started with a larger --max-in-flight";
            default -> "";
        };
    }

    private static String ofCode(CallFailure failure) {
        return switch (failure.code()) {
            case INVALID_ARGUMENT -> "change the named fields of the request";
            case RESOURCE_EXHAUSTED -> failure.message().startsWith(ANSWER_TOO_LARGE)
                    ? "the answer is larger than this client takes: raise maxMessageBytes in the builder"
                    : "the same request never fits: cut evidence in whole refs, or cut a text and mark its ref truncated";
            case UNAVAILABLE ->
                "is a server at " + failure.target() + "? Start one with `evidencegate serve`; TLS must be on at both sides or at none";
            case DEADLINE_EXCEEDED ->
                "give " + failure.method() + " more time (Deadlines), or look at the server's load and network";
            case UNAUTHENTICATED, PERMISSION_DENIED ->
                "set a valid token (bearerToken) or client certificate (clientCertificate) in the builder";
            case UNIMPLEMENTED ->
                "what listens at " + failure.target() + " has no " + failure.method() + ": is it an evidencegate of this version?";
            case NOT_FOUND -> "check session_id; a session is there once a channel of it was written";
            case INTERNAL, UNKNOWN -> "a fault of the service: its log has more";
            default -> "";
        };
    }
}
