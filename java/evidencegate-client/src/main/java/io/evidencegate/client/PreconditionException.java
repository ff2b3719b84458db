package io.evidencegate.client;

/** Thrown for FAILED_PRECONDITION: another rule set than expected, an engine that is not configured, or no store. */
public final class PreconditionException extends ServiceException {
    private static final long serialVersionUID = 1L;

    PreconditionException(CallFailure failure) {
        super(failure);
    }
}
