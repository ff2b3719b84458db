package io.evidencegate.client;

import java.util.OptionalLong;

/** Thrown for RESOURCE_EXHAUSTED: the request is over a limit and never fits later. */
public final class LimitExceededException extends ServiceException {
    private static final long serialVersionUID = 1L;

    LimitExceededException(CallFailure failure) {
        super(failure);
    }

    /** Returns the most that is accepted; empty where the failure named no number. */
    public OptionalLong limit() {
        return number("limit");
    }

    /** Returns what was sent; empty where the failure named no number. */
    public OptionalLong actual() {
        return number("actual");
    }

    private OptionalLong number(String key) {
        String text = metadata().getOrDefault(key, "");
        // Nineteen digits and more may not fit, and no limit has them.
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
