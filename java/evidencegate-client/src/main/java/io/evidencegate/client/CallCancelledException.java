package io.evidencegate.client;

/** Thrown for CANCELLED: the thread was interrupted, or the caller's {@code io.grpc.Context} was cancelled. */
public final class CallCancelledException extends ServiceException {
    private static final long serialVersionUID = 1L;

    CallCancelledException(CallFailure failure) {
        super(failure);
    }
}
