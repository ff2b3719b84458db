package io.evidencegate.client;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.evidencegate.v1.ComposerGrpc;
import io.evidencegate.v1.GatekeeperGrpc;
import io.evidencegate.v1.PromptsGrpc;
import io.evidencegate.v1.SelfEvaluationsGrpc;
import io.evidencegate.v1.VerifierGrpc;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A service whose answers a test decides, on a real port, so that the client is tested through a real channel. */
final class FakeService extends HandlerRegistry implements AutoCloseable {
    /** The calls that came, by method, in their order. */
    final Map<String, List<Message>> calls = new ConcurrentHashMap<>();

    /** The headers of the calls that came. */
    final List<Metadata> headers = Collections.synchronizedList(new ArrayList<>());

    /** Opened with the first call. */
    final CountDownLatch arrived = new CountDownLatch(1);

    private final Map<String, Queue<Object>> scripts = new ConcurrentHashMap<>();
    private final Map<String, MethodDescriptor<?, ?>> methods = new HashMap<>();
    private final Server server;
    private final int port;
    private volatile boolean silent;
    private volatile String wantedToken;

    FakeService() {
        this(InsecureServerCredentials.create());
    }

    FakeService(ServerCredentials credentials) {
        Stream.of(
                        GatekeeperGrpc.getServiceDescriptor(),
                        VerifierGrpc.getServiceDescriptor(),
                        ComposerGrpc.getServiceDescriptor(),
                        PromptsGrpc.getServiceDescriptor(),
                        SelfEvaluationsGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream())
                .forEach(method -> methods.put(method.getFullMethodName(), method));
        try {
            server = Grpc.newServerBuilderForPort(0, credentials)
                    .maxInboundMessageSize(Integer.MAX_VALUE)
                    .fallbackHandlerRegistry(this)
                    .build()
                    .start();
            port = server.getPort();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Puts what comes back next from a method: a message, a Status, or a google.rpc.Status. Then it answers with empty messages. */
    FakeService then(String method, Object... steps) {
        scripts.computeIfAbsent("evidencegate.v1." + method, name -> new ArrayDeque<>()).addAll(List.of(steps));
        return this;
    }

    /** Makes the service take calls and never answer. */
    FakeService silent() {
        silent = true;
        return this;
    }

    /** Makes the service take calls with this bearer token alone. */
    FakeService wantsToken(String token) {
        wantedToken = token;
        return this;
    }

    int count(String method) {
        return calls.getOrDefault("evidencegate.v1." + method, List.of()).size();
    }

    Message last(String method) {
        List<Message> came = calls.get("evidencegate.v1." + method);
        return came.get(came.size() - 1);
    }

    String target() {
        return "localhost:" + port;
    }

    static com.google.rpc.Status status(Status.Code code, String message, Message... details) {
        return com.google.rpc.Status.newBuilder()
                .setCode(code.value())
                .setMessage(message)
                .addAllDetails(Stream.of(details).map(Any::pack).toList())
                .build();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
        MethodDescriptor<?, ?> method = methods.get(name);
        return method == null ? null : definition(method);
    }

    private <Q, A> ServerMethodDefinition<Q, A> definition(MethodDescriptor<Q, A> method) {
        ServerCallHandler<Q, A> handler = (call, metadata) -> {
            call.request(1);
            return new ServerCall.Listener<>() {
                private Q request;

                @Override
                public void onMessage(Q message) {
                    request = message;
                }

                @Override
                public void onHalfClose() {
                    headers.add(metadata);
                    calls.computeIfAbsent(method.getFullMethodName(), name -> Collections.synchronizedList(new ArrayList<>()))
                            .add((Message) request);
                    arrived.countDown();
                    if (!silent) {
                        answer(method, call, metadata);
                    }
                }
            };
        };
        return ServerMethodDefinition.create(method, handler);
    }

    private <Q, A> void answer(MethodDescriptor<Q, A> method, ServerCall<Q, A> call, Metadata metadata) {
        if (wantedToken != null) {
            String sent = metadata.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            if (!("Bearer " + wantedToken).equals(sent)) {
                call.close(Status.UNAUTHENTICATED.withDescription("this token is not known"), new Metadata());
                return;
            }
        }
        Queue<Object> script = scripts.getOrDefault(method.getFullMethodName(), new ArrayDeque<>());
        Object step;
        synchronized (script) {
            step = script.poll();
        }
        if (step instanceof Status status) {
            call.close(status, new Metadata());
        } else if (step instanceof com.google.rpc.Status status) {
            var error = StatusProto.toStatusException(status);
            call.close(error.getStatus(), error.getTrailers());
        } else if (step instanceof Metadata trailers) {
            call.close(Status.INTERNAL.withDescription("odd"), trailers);
        } else {
            call.sendHeaders(new Metadata());
            @SuppressWarnings("unchecked") // a script holds answers of its method
            A answer = step != null
                    ? (A) step
                    : ((MethodDescriptor.PrototypeMarshaller<A>) method.getResponseMarshaller()).getMessagePrototype();
            call.sendMessage(answer);
            call.close(Status.OK, new Metadata());
        }
    }
}
