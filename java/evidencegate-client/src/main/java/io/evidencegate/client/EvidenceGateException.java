package io.evidencegate.client;

/** Anything that this client throws by itself. */
public abstract class EvidenceGateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EvidenceGateException(String message, Throwable cause) {
        super(message, cause);
    }
}
