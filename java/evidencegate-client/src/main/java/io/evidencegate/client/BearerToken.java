package io.evidencegate.client;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Sends a bearer token with each call. The token is asked for each time, so that a new one counts from the next call on. */
final class BearerToken extends CallCredentials {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    // What RFC 6750 allows in a token; a line end inside of one is mostly that of its file.
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private final Supplier<String> token;

    BearerToken(Supplier<String> token) {
        this.token = token;
    }

    @Override
    public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
        // On the executor, since the supplier may read a file.
        executor.execute(() -> {
            Metadata headers = new Metadata();
            try {
                headers.put(AUTHORIZATION, "Bearer " + checked(token.get()));
            } catch (RuntimeException error) {
                // Never UNKNOWN or UNAVAILABLE: a token that cannot be had must not lead to a fallback.
                applier.fail(Status.UNAUTHENTICATED.withDescription("no token to send: " + error.getMessage()));
                return;
            }
            applier.apply(headers);
        });
    }

    /** Returns the token as it is; the complaint about another never repeats it. */
    static String checked(String value) {
        if (value == null || !TOKEN.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a bearer token is a line of letters, digits and ._~+/- with = at its end alone; this one is "
                            + (value == null || value.isBlank() ? "empty" : "none"));
        }
        return value;
    }
}
