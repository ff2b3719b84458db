package io.evidencegate.client;

/** Thrown for INVALID_ARGUMENT: the request is wrong, and {@link #fieldViolations()} names where. */
public final class InvalidRequestException extends ServiceException {
    private static final long serialVersionUID = 1L;

    InvalidRequestException(CallFailure failure) {
        super(failure);
    }
}
