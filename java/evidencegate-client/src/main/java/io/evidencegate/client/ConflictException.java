package io.evidencegate.client;

/** Thrown for ABORTED: somebody else wrote in between, so the stored revision is another; read again. */
public final class ConflictException extends ServiceException {
    private static final long serialVersionUID = 1L;

    ConflictException(CallFailure failure) {
        super(failure);
    }
}
