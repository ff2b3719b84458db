package io.evidencegate.client;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says how a client calls. The defaults suit a service in the same data centre. */
public final class ClientBuilder {
    /** The largest request that the service accepts by default, 32 MiB; an answer carries quotations and may be as large. */
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

    // What all calls in flight may keep for their retries: so many of the largest requests.
    private static final int MESSAGES_KEPT_FOR_RETRY = 8;

    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(30);

    private final String target;
    private final List<ClientInterceptor> interceptors = new ArrayList<>();
    private Deadlines deadlines = Deadlines.defaults();
    private RetryPolicy retryPolicy = RetryPolicy.defaults();
    private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
    private Duration keepAlive = Duration.ofSeconds(60);
    private Duration keepAliveTimeout = Duration.ofSeconds(10);
    private String defaultRuleSetVersion = Fallbacks.DEFAULT_RULE_SET_VERSION;
    private TlsChannelCredentials.Builder tls;
    private String overrideAuthority;
    private Supplier<String> token;
    private boolean tokenInPlainText;

    ClientBuilder(String target) {
        this.target = target;
    }

    /** Sets how long each method may take. */
    public ClientBuilder deadlines(Deadlines value) {
        deadlines = Objects.requireNonNull(value, "deadlines");
        return this;
    }

    /** Sets when a call is sent again. */
    public ClientBuilder retryPolicy(RetryPolicy value) {
        retryPolicy = Objects.requireNonNull(value, "retryPolicy");
        return this;
    }

    /** Sets the largest request that is sent and the largest answer that is taken, in bytes. */
    public ClientBuilder maxMessageBytes(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxMessageBytes is " + value + "; it must be at least 1");
        }
        maxMessageBytes = value;
        return this;
    }

    /**
     * Sets after how long a silence the connection is probed while a call waits, and how long the probe may take. A server closes the
     * connection of a client that probes it a fourth time within five minutes of silence, so that the first must be at least a third of
     * the longest call; less than thirty seconds is refused.
     */
    public ClientBuilder keepAlive(Duration time, Duration timeout) {
        if (time.compareTo(SHORTEST_KEEP_ALIVE) < 0 || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException(
                    "keepAlive is " + time + " and " + timeout + "; the first must be at least " + SHORTEST_KEEP_ALIVE
                            + ", the second above zero");
        }
        keepAlive = time;
        keepAliveTimeout = timeout;
        return this;
    }

    /** Sets the rule set version that a fallback carries, since no server says which rules are in use. */
    public ClientBuilder defaultRuleSetVersion(String value) {
        defaultRuleSetVersion = Objects.requireNonNull(value, "defaultRuleSetVersion");
        return this;
    }

    /** Makes the channel a TLS one that trusts what the Java runtime trusts. */
    public ClientBuilder tls() {
        tls = tls == null ? TlsChannelCredentials.newBuilder() : tls;
        return this;
    }

    /** Makes the channel a TLS one that trusts the certificates of this PEM file alone. */
    public ClientBuilder trustCertificates(Path pem) {
        tls();
        try {
            tls.trustManager(pem.toFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the trusted certificates " + pem, unreadable);
        }
        return this;
    }

    /** Makes the channel a TLS one that shows this certificate (mutual TLS); both are PEM files, the key in PKCS#8. */
    public ClientBuilder clientCertificate(Path chain, Path key) {
        tls();
        try {
            tls.keyManager(chain.toFile(), key.toFile());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the client certificate " + chain + " or its key " + key, unreadable);
        }
        return this;
    }

    /** Sets the name that the server's certificate must have, where it is another than the host of the target. */
    public ClientBuilder overrideAuthority(String value) {
        overrideAuthority = Objects.requireNonNull(value, "overrideAuthority");
        return this;
    }

    /** Sends this bearer token with each call. */
    public ClientBuilder bearerToken(String value) {
        String checked = BearerToken.checked(value);
        return bearerToken(() -> checked);
    }

    /**
     * Sends a bearer token with each call, and asks for it each time. One that throws, or gives no token, makes the call end in an
     * {@link AccessException}, never in a fallback.
     */
    public ClientBuilder bearerToken(Supplier<String> value) {
        token = Objects.requireNonNull(value, "bearerToken");
        return this;
    }

    /** Sends the bearer token that stands in a file, and reads the file for each call, so that a new token counts at once. */
    public ClientBuilder bearerTokenFile(Path file) {
        Objects.requireNonNull(file, "bearerTokenFile");
        return bearerToken(() -> {
            try {
                return Files.readString(file).strip();
            } catch (IOException unreadable) {
                throw new UncheckedIOException("cannot read the token file " + file, unreadable);
            }
        });
    }

    /**
     * Sends the token without TLS to an address that is not this machine. Only where something else keeps the connection secret, for
     * example a mesh.
     */
    public ClientBuilder allowTokenInPlainText() {
        tokenInPlainText = true;
        return this;
    }

    /** Adds an interceptor to each call, for example one that passes on a {@code traceparent}. */
    public ClientBuilder interceptor(ClientInterceptor value) {
        interceptors.add(Objects.requireNonNull(value, "interceptor"));
        return this;
    }

    /**
     * Returns the client. It connects with the first call.
     *
     * @throws IllegalStateException where a token would travel in plain text to another machine
     */
    public EvidenceGateClient build() {
        if (token != null && tls == null && !tokenInPlainText && !Targets.isLocal(target)) {
            throw new IllegalStateException("the bearer token would travel in plain text to " + target
                    + ": call tls() or trustCertificates(...), or allowTokenInPlainText() where the network is secret already");
        }
        return new EvidenceGateClient(this);
    }

    ManagedChannel newChannel() {
        ChannelCredentials credentials = tls == null ? InsecureChannelCredentials.create() : tls.build();
        ManagedChannelBuilder<?> channel = Grpc.newChannelBuilder(target, credentials)
                .defaultServiceConfig(retryPolicy.serviceConfig())
                // A policy that DNS could change would be nobody's.
                .disableServiceConfigLookUp()
                .maxInboundMessageSize(maxMessageBytes)
                // A request over these buffers is sent once and never again; gRPC's own 1 MiB would switch retries off for every
                // session with much evidence.
                .perRpcBufferLimit(maxMessageBytes)
                .retryBufferSize((long) maxMessageBytes * MESSAGES_KEPT_FOR_RETRY)
                // Pings go only while a call waits, so an idle client is no load.
                .keepAliveTime(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(keepAliveTimeout.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveWithoutCalls(false)
                .intercept(interceptors);
        if (retryPolicy.maxAttempts() > 1) {
            channel.enableRetry();
        } else {
            channel.disableRetry();
        }
        if (overrideAuthority != null) {
            channel.overrideAuthority(overrideAuthority);
        }
        return channel.build();
    }

    Channel withCredentials(Channel channel) {
        if (token == null) {
            return channel;
        }
        CallCredentials credentials = new BearerToken(token);
        return ClientInterceptors.intercept(channel, new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                return next.newCall(method, options.withCallCredentials(credentials));
            }
        });
    }

    String target() {
        return target;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    int maxMessageBytes() {
        return maxMessageBytes;
    }

    String defaultRuleSetVersion() {
        return defaultRuleSetVersion;
    }
}
