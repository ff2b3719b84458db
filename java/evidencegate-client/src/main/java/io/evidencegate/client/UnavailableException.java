package io.evidencegate.client;

/** Thrown for UNAVAILABLE after the retries: no server there, a shutdown, or too many calls in flight. */
public final class UnavailableException extends ServiceException {
    private static final long serialVersionUID = 1L;

    UnavailableException(CallFailure failure) {
        super(failure);
    }
}
