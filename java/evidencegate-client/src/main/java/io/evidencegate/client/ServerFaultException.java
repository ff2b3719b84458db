package io.evidencegate.client;

/** Thrown for INTERNAL and UNKNOWN: a fault of the service; the message has an incident ID where it knows one. */
public final class ServerFaultException extends ServiceException {
    private static final long serialVersionUID = 1L;

    ServerFaultException(CallFailure failure) {
        super(failure);
    }
}
