package io.evidencegate.client;

/** Thrown for NOT_FOUND: nothing is stored of that session. */
public final class NotFoundException extends ServiceException {
    private static final long serialVersionUID = 1L;

    NotFoundException(CallFailure failure) {
        super(failure);
    }
}
