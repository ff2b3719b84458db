package io.evidencegate.client;

/** Thrown when stored JSON does not fit the message that it is read into, or a message has no stored form. */
public final class StoredJsonException extends EvidenceGateException {
    private static final long serialVersionUID = 1L;

    StoredJsonException(String message) {
        super(message, null);
    }

    StoredJsonException(String message, Throwable cause) {
        super(message, cause);
    }
}
