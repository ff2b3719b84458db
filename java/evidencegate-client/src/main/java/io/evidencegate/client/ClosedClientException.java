package io.evidencegate.client;

/** Thrown when a client is used after it was closed, or was closed while a call waited. */
public final class ClosedClientException extends EvidenceGateException {
    private static final long serialVersionUID = 1L;

    ClosedClientException(Throwable cause) {
        super("this client was closed; build a new one, and close it when the program ends and not after each call", cause);
    }
}
