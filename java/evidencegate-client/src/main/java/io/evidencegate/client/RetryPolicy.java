package io.evidencegate.client;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * When a call is sent again: on UNAVAILABLE alone, with growing pauses, inside the call's deadline. RESOURCE_EXHAUSTED is never
 * among the codes: the same request is too large the next time as well. Every method of the service may be sent again; a write
 * carries its request ID for that.
 *
 * @param maxAttempts how often a call is sent in all, from 1 (never again) to 5, which is the most that gRPC takes
 * @param initialBackoff the longest first pause, at least 10 ms
 * @param maxBackoff the longest pause
 * @param backoffMultiplier by how much the pause grows, at least 1
 */
public record RetryPolicy(int maxAttempts, Duration initialBackoff, Duration maxBackoff, double backoffMultiplier) {
    // gRPC takes no more attempts than this, whatever a policy says.
    private static final int MOST_ATTEMPTS = 5;
    // The bound of the Python client, so that one set of figures serves both.
    private static final Duration SHORTEST_BACKOFF = Duration.ofMillis(10);

    /** Refuses what gRPC would ignore, or fail at, without a word. */
    public RetryPolicy {
        Objects.requireNonNull(initialBackoff, "initialBackoff");
        Objects.requireNonNull(maxBackoff, "maxBackoff");
        if (maxAttempts < 1 || maxAttempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException("maxAttempts is " + maxAttempts + "; it must be from 1 to " + MOST_ATTEMPTS);
        }
        if (initialBackoff.compareTo(SHORTEST_BACKOFF) < 0 || initialBackoff.compareTo(maxBackoff) > 0) {
            throw new IllegalArgumentException("initialBackoff is " + initialBackoff + "; it must be at least "
                    + SHORTEST_BACKOFF + " and at most maxBackoff, which is " + maxBackoff);
        }
        if (!(backoffMultiplier >= 1) || Double.isInfinite(backoffMultiplier)) {
            throw new IllegalArgumentException("backoffMultiplier is " + backoffMultiplier + "; it must be at least 1");
        }
    }

    /** Returns the policy that suits a service in the same data centre: four attempts, pauses of up to 0.1, 0.2 and 0.4 s. */
    public static RetryPolicy defaults() {
        return new RetryPolicy(4, Duration.ofMillis(100), Duration.ofSeconds(2), 2.0);
    }

    /** Returns a policy that sends each call once. */
    public static RetryPolicy none() {
        return new RetryPolicy(1, Duration.ofMillis(100), Duration.ofSeconds(2), 2.0);
    }

    /** Returns the gRPC service config that holds the policy for every method, in the form that grpc-java takes. */
    Map<String, ?> serviceConfig() {
        Map<String, Object> method = new HashMap<>();
        // One empty name means every method; an empty list of names would switch the policy off without a word.
        method.put("name", List.of(Map.of()));
        if (maxAttempts > 1) { // gRPC refuses a policy with a single attempt
            method.put(
                    "retryPolicy",
                    Map.of(
                            "maxAttempts", (double) maxAttempts,
                            "initialBackoff", seconds(initialBackoff),
                            "maxBackoff", seconds(maxBackoff),
                            "backoffMultiplier", backoffMultiplier,
                            "retryableStatusCodes", List.of("UNAVAILABLE")));
        }
        return Map.of("methodConfig", List.of(method));
    }

    /** Returns a duration as protobuf's JSON writes it: at most nine digits after the point, never an exponent. */
    private static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString() + "s";
    }
}
