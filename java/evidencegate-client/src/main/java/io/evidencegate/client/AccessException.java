package io.evidencegate.client;

/** Thrown for UNAUTHENTICATED and PERMISSION_DENIED: a missing or wrong token or certificate. Never a fallback. */
public final class AccessException extends ServiceException {
    private static final long serialVersionUID = 1L;

    AccessException(CallFailure failure) {
        super(failure);
    }
}
