package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.ComposeRequest;
import io.evidencegate.v1.ComposerGrpc;
import io.evidencegate.v1.DeleteSessionRequest;
import io.evidencegate.v1.GatekeeperGrpc;
import io.evidencegate.v1.GetRuleCatalogRequest;
import io.evidencegate.v1.GetSessionRequest;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.ListPromptsRequest;
import io.evidencegate.v1.ListSessionsRequest;
import io.evidencegate.v1.PromptsGrpc;
import io.evidencegate.v1.RenderPromptRequest;
import io.evidencegate.v1.SelfEvaluationsGrpc;
import io.evidencegate.v1.SummarizeTraceRequest;
import io.evidencegate.v1.ValidateRequest;
import io.evidencegate.v1.VerifierGrpc;
import io.evidencegate.v1.WriteChannelRequest;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method: a good call, each wrong argument with its exact violations, too large, too late, nobody there, cancelled. */
class ContractTest {
    private static final Deadlines PATIENT = Deadlines.all(Duration.ofSeconds(60));

    /** How each method is called. */
    private static final Map<String, Method<?>> METHODS = new LinkedHashMap<>();

    private static final Map<String, CallTable.Row> TABLE = CallTable.load();

    static {
        put("evidencegate.v1.Gatekeeper/Validate", ValidateRequest.getDefaultInstance(), EvidenceGateClient::validate);
        put("evidencegate.v1.Gatekeeper/GetRuleCatalog", GetRuleCatalogRequest.getDefaultInstance(), (client, request) -> client.getRuleCatalog());
        put("evidencegate.v1.Verifier/Judge", JudgeRequest.getDefaultInstance(), EvidenceGateClient::judge);
        put("evidencegate.v1.Verifier/SummarizeTrace", SummarizeTraceRequest.getDefaultInstance(), EvidenceGateClient::summarizeTrace);
        put("evidencegate.v1.Composer/Compose", ComposeRequest.getDefaultInstance(), EvidenceGateClient::compose);
        put("evidencegate.v1.Prompts/ListPrompts", ListPromptsRequest.getDefaultInstance(), (client, request) -> client.listPrompts());
        put("evidencegate.v1.Prompts/RenderPrompt", RenderPromptRequest.getDefaultInstance(), EvidenceGateClient::renderPrompt);
        put("evidencegate.v1.SelfEvaluations/WriteChannel", WriteChannelRequest.getDefaultInstance(), EvidenceGateClient::writeChannel);
        put("evidencegate.v1.SelfEvaluations/GetSession", GetSessionRequest.getDefaultInstance(), EvidenceGateClient::getSession);
        put("evidencegate.v1.SelfEvaluations/ListSessions", ListSessionsRequest.getDefaultInstance(), EvidenceGateClient::listSessions);
        put("evidencegate.v1.SelfEvaluations/DeleteSession", DeleteSessionRequest.getDefaultInstance(), EvidenceGateClient::deleteSession);
    }

    @TempDir
    static Path folder;

    private static EvidenceGateServer server;
    private static EvidenceGateClient client;

    private record Method<Q extends Message>(Q prototype, BiFunction<EvidenceGateClient, Q, Message> function) {
        @SuppressWarnings("unchecked") // a table's requests are of its method
        Message call(EvidenceGateClient client, Message request) {
            return function.apply(client, (Q) request);
        }
    }

    private static <Q extends Message> void put(String name, Q prototype, BiFunction<EvidenceGateClient, Q, Message> function) {
        METHODS.put(name, new Method<>(prototype, function));
    }

    @BeforeAll
    static void start() {
        server = EvidenceGateServer.start("--store", "sqlite:///" + folder.resolve("shared.db"));
        client = EvidenceGateClient.builder(server.target()).deadlines(PATIENT).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    /** Runs the calls of a row: one about the store against a server whose store is empty, as the table takes for granted. */
    private static void withEmptyStore(String method, Consumer<EvidenceGateClient> work) {
        if (!method.contains("SelfEvaluations")) {
            work.accept(client);
            return;
        }
        Path database = folder.resolve(method.replace('/', '.') + System.nanoTime() + ".db");
        try (EvidenceGateServer own = EvidenceGateServer.start("--store", "sqlite:///" + database);
                EvidenceGateClient fresh = EvidenceGateClient.builder(own.target()).deadlines(PATIENT).build()) {
            work.accept(fresh);
        }
    }

    private static Message call(EvidenceGateClient with, CallTable.Call call) {
        Method<?> method = METHODS.get(call.method());
        return method.call(with, CallTable.request(call, method.prototype()));
    }

    @TestFactory
    Stream<DynamicTest> aGoodCallIsAnswered() {
        return TABLE.values().stream().map(row -> DynamicTest.dynamicTest(row.method(), () -> withEmptyStore(row.method(), with -> {
            row.before().forEach(first -> call(with, first));
            JsonElement answer = CallTable.told(call(with, new CallTable.Call(row.method(), new JsonObject())));
            for (String pointer : row.good().keySet()) {
                assertEquals(row.good().get(pointer), CallTable.at(answer, pointer), pointer);
            }
        })));
    }

    @TestFactory
    Stream<DynamicTest> aWrongCallIsRefusedWithExactlyThis() {
        return TABLE.values().stream()
                .filter(row -> !row.refused().isEmpty())
                .map(row -> DynamicTest.dynamicTest(row.method(), () -> withEmptyStore(row.method(), with -> row.refused().forEach(one -> refuse(with, row, one)))));
    }

    private static void refuse(EvidenceGateClient with, CallTable.Row row, CallTable.Refused one) {
        one.before().forEach(first -> call(with, first));
        ServiceException error =
                assertThrows(ServiceException.class, () -> call(with, new CallTable.Call(row.method(), one.changes())), one.name());
        assertEquals(one.code(), error.code().name(), one.name());
        assertEquals(one.reason(), error.reason(), one.name());
        assertEquals(one.violations(), error.fieldViolations(), one.name());
        assertEquals("evidencegate", error.domain());
        assertFalse(error.fallbackAllowed(), one.name());
        assertTrue(error.getMessage().contains(" | "), "no advice in: " + error.getMessage());
        if (one.metadata() != null) {
            JsonObject metadata = new JsonObject();
            error.metadata().forEach(metadata::addProperty);
            assertEquals(one.metadata(), metadata, one.name());
        }
    }

    @Test
    void everyMethodOfEveryServiceHasATable() {
        Set<String> generated = Stream.of(
                        GatekeeperGrpc.getServiceDescriptor(),
                        VerifierGrpc.getServiceDescriptor(),
                        ComposerGrpc.getServiceDescriptor(),
                        PromptsGrpc.getServiceDescriptor(),
                        SelfEvaluationsGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream())
                .map(MethodDescriptor::getFullMethodName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> called = new TreeSet<>(METHODS.keySet());
        assertEquals(generated, new TreeSet<>(TABLE.keySet()));
        assertEquals(generated, called);
    }

    static Stream<String> methods() {
        return METHODS.keySet().stream();
    }

    static Stream<String> methodsWithARequest() {
        return methods().filter(name -> !Set.of("evidencegate.v1.Gatekeeper/GetRuleCatalog", "evidencegate.v1.Prompts/ListPrompts").contains(name));
    }

    @ParameterizedTest
    @MethodSource("methodsWithARequest")
    void aMessageThatIsTooLargeIsRefusedByTheServerWithBothNumbers(String name) {
        Method<?> method = METHODS.get(name);
        Message large = withText(method.prototype(), 33 * 1024 * 1024);
        try (EvidenceGateClient generous =
                EvidenceGateClient.builder(server.target()).deadlines(PATIENT).maxMessageBytes(64 * 1024 * 1024).build()) {
            LimitExceededException error = assertThrows(LimitExceededException.class, () -> method.call(generous, large));
            assertTrue(error.getMessage().contains("33554432"), error.getMessage());
            assertTrue(error.getMessage().contains(Integer.toString(large.getSerializedSize())), error.getMessage());
        }
        LimitExceededException own = assertThrows(LimitExceededException.class, () -> method.call(client, large));
        assertEquals(OptionalLong.of(33554432), own.limit());
        assertEquals(OptionalLong.of(large.getSerializedSize()), own.actual());
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aDeadlineThatPassesIsThrown(String name) {
        try (FakeService silent = new FakeService().silent();
                EvidenceGateClient hasty =
                        EvidenceGateClient.builder(silent.target()).deadlines(Deadlines.all(Duration.ofMillis(150))).build()) {
            DeadlineException error = assertThrows(DeadlineException.class, () -> good(name, hasty));
            assertTrue(error.getMessage().contains(name), error.getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aServerThatIsGoneIsThrown(String name) {
        FakeService gone = new FakeService();
        gone.close();
        try (EvidenceGateClient alone =
                EvidenceGateClient.builder(gone.target()).retryPolicy(RetryPolicy.none()).deadlines(PATIENT).build()) {
            assertThrows(UnavailableException.class, () -> good(name, alone));
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aCallThatIsCancelledEndsAndIsNoFallback(String name) throws InterruptedException {
        Context.CancellableContext context = Context.current().withCancellation();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (FakeService silent = new FakeService().silent();
                EvidenceGateClient patient = EvidenceGateClient.builder(silent.target()).deadlines(PATIENT).build()) {
            Future<Message> call = thread.submit(context.wrap(() -> good(name, patient)));
            assertTrue(silent.arrived.await(30, TimeUnit.SECONDS));
            context.cancel(new CancellationException("the user went away"));
            ExecutionException failed = assertThrows(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS));
            CallCancelledException error = assertInstanceOf(CallCancelledException.class, failed.getCause());
            assertEquals(Status.Code.CANCELLED, error.code());
            assertFalse(error.fallbackAllowed());
        } finally {
            context.cancel(null);
            thread.shutdownNow();
        }
    }

    @Test
    void aThreadThatIsInterruptedStaysInterrupted() throws InterruptedException {
        try (FakeService silent = new FakeService().silent();
                EvidenceGateClient patient = EvidenceGateClient.builder(silent.target()).deadlines(PATIENT).build()) {
            boolean[] interrupted = new boolean[1];
            Throwable[] thrown = new Throwable[1];
            Thread thread = new Thread(() -> {
                thrown[0] = assertThrows(EvidenceGateException.class, () -> patient.evaluate(JudgeRequest.getDefaultInstance()));
                interrupted[0] = Thread.currentThread().isInterrupted();
            });
            thread.start();
            assertTrue(silent.arrived.await(30, TimeUnit.SECONDS));
            thread.interrupt();
            thread.join(30_000);
            assertInstanceOf(CallCancelledException.class, thrown[0]);
            assertTrue(interrupted[0]);
        }
    }

    @Test
    void withoutAStoreItsMethodsSayWhatToDo() {
        try (EvidenceGateServer bare = EvidenceGateServer.start();
                EvidenceGateClient own = EvidenceGateClient.builder(bare.target()).deadlines(PATIENT).build()) {
            storeMethods().forEach(name -> {
                PreconditionException error = assertThrows(PreconditionException.class, () -> good(name, own));
                assertEquals("STORE_UNAVAILABLE", error.reason());
                assertTrue(error.getMessage().contains("--store"), error.getMessage());
            });
            assertTrue(own.isServing(""));
            assertFalse(own.isServing("evidencegate.v1.SelfEvaluations"));
            assertThrows(NotFoundException.class, () -> own.isServing("evidencegate.v1.Nobody"));
        }
    }

    static Stream<String> storeMethods() {
        return methods().filter(name -> name.contains("SelfEvaluations"));
    }

    /** Makes the good call of a method. */
    private static Message good(String name, EvidenceGateClient with) {
        return call(with, new CallTable.Call(name, new JsonObject()));
    }

    /** Returns a request of at least so many bytes: its first text, or the first text of its first part, is that long. */
    private static Message withText(Message prototype, int size) {
        Message.Builder builder = prototype.newBuilderForType();
        for (var field : prototype.getDescriptorForType().getFields()) {
            if (!field.isRepeated() && field.getJavaType() == com.google.protobuf.Descriptors.FieldDescriptor.JavaType.STRING) {
                return builder.setField(field, "x".repeat(size)).build();
            }
        }
        for (var field : prototype.getDescriptorForType().getFields()) {
            if (field.isRepeated() && field.getJavaType() == com.google.protobuf.Descriptors.FieldDescriptor.JavaType.MESSAGE) {
                Message part = withText(builder.newBuilderForField(field).getDefaultInstanceForType(), size);
                return builder.addRepeatedField(field, part).build();
            }
        }
        throw new IllegalStateException("no text in " + prototype.getDescriptorForType().getFullName());
    }
}
