package io.evidencegate.client;

/** Thrown for DEADLINE_EXCEEDED: no answer in the time that the call was given. */
public final class DeadlineException extends ServiceException {
    private static final long serialVersionUID = 1L;

    DeadlineException(CallFailure failure) {
        super(failure);
    }
}
