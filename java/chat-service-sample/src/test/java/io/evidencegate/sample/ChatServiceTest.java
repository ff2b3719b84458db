package io.evidencegate.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evidencegate.client.Deadlines;
import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.client.InvalidRequestException;
import io.evidencegate.client.RetryPolicy;
import io.evidencegate.client.SessionFile;
import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.ToolInvocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The flow over planners and executors that a test decides, against the real service. */
class ChatServiceTest {
    private static final EvidenceGateProperties PROPERTIES = new EvidenceGateProperties(
            "", Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(60), 4, false, null, null, null, null);
    private static final Path SESSIONS = Path.of(System.getProperty("evidencegate.repository", "../.."), "examples", "sessions");

    private static EvidenceGateServer server;
    private static EvidenceGateClient client;

    private final List<Optional<RetryContext>> told = new ArrayList<>();

    @BeforeAll
    static void start() {
        server = EvidenceGateServer.start();
        client = EvidenceGateClient.builder(server.target()).deadlines(Deadlines.all(Duration.ofSeconds(60))).build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private ChatService chat(Planner planner, Executor executor) {
        Executor watched = (question, plan, context) -> {
            told.add(context);
            return executor.run(question, plan, context);
        };
        return new ChatService(client, planner, watched, new EvaluationStore(client, PROPERTIES));
    }

    private static Executor of(String session) throws IOException {
        JudgeRequest request = SessionFile.judgeRequest(Files.readString(SESSIONS.resolve(session)));
        return (question, plan, context) -> new Executor.Run(request.getExecutorOutput().getText(), request.getToolInvocationsList());
    }

    @Test
    void aWeakFirstRoundIsFollowedByASecondThatIsToldWhatIsMissing() {
        ChatAnswer answer = chat(new ScriptedPlanner(), new ScriptedExecutor()).answer("s1", "checkout 为什么一直重启？");
        assertThat(answer.verdict()).isEqualTo("PASS");
        assertThat(answer.route()).isEqualTo("COMPOSE");
        assertThat(answer.rounds()).isEqualTo(2);
        assertThat(answer.checked()).isTrue();
        assertThat(answer.text()).contains("OOMKilled").contains("137").doesNotContain("内存泄漏");
        assertThat(told.get(0)).isEmpty();
        assertThat(told.get(1).orElseThrow().getMissingInfoList()).containsExactly("checkout 容器上次退出的原因和退出码");
    }

    @Test
    void aPassNeedsNoSecondRound() throws IOException {
        ChatAnswer answer = chat((question, context) -> List.of(), of("01-good-answer.json")).answer("s2", "Why?");
        assertThat(answer).extracting(ChatAnswer::verdict, ChatAnswer::route, ChatAnswer::rounds).containsExactly("PASS", "COMPOSE", 1);
    }

    @Test
    void aRejectDegradesAtOnceAndShowsNothingOfTheFalseClaim() throws IOException {
        ChatAnswer answer = chat((question, context) -> List.of(), of("04-digit-swap.json")).answer("s3", "Why?");
        assertThat(answer).extracting(ChatAnswer::verdict, ChatAnswer::route, ChatAnswer::rounds).containsExactly("REJECT", "DEGRADE", 1);
    }

    @Test
    void whereTheFirstRoundFailsTheUserReadsTheSafeText() {
        Planner broken = (question, context) -> {
            throw new IllegalStateException("the model is gone");
        };
        ChatAnswer answer = chat(broken, new ScriptedExecutor()).answer("s4", "Why?");
        assertThat(answer.text()).startsWith("本次诊断没有完成");
        assertThat(answer).extracting(ChatAnswer::verdict, ChatAnswer::checked).containsExactly("LOW_CONFID", false);
    }

    @Test
    void whereTheSecondRoundFailsTheAnswerRestsOnTheFirst() {
        Executor once = (question, plan, context) -> {
            if (context.isPresent()) {
                throw new IllegalStateException("the tool is gone");
            }
            return new ScriptedExecutor().run(question, plan, context);
        };
        ChatAnswer answer = chat(new ScriptedPlanner(), once).answer("s5", "checkout 为什么一直重启？");
        assertThat(answer).extracting(ChatAnswer::verdict, ChatAnswer::route, ChatAnswer::rounds, ChatAnswer::checked)
                .containsExactly("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY", 2, true);
    }

    @Test
    void withoutTheServiceTheUserReadsTheSafeTextAndNoClaim() {
        EvidenceGateServer gone = EvidenceGateServer.start();
        gone.close();
        try (EvidenceGateClient alone = EvidenceGateClient.builder(gone.target()).retryPolicy(RetryPolicy.none()).build()) {
            ChatService service = new ChatService(
                    alone, new ScriptedPlanner(), new ScriptedExecutor(), new EvaluationStore(alone, PROPERTIES));
            ChatAnswer answer = service.answer("s6", "checkout 为什么一直重启？");
            assertThat(answer.text()).startsWith("本次诊断的结论暂时无法核验").doesNotContain("内存泄漏");
            assertThat(answer).extracting(ChatAnswer::verdict, ChatAnswer::route, ChatAnswer::checked)
                    .containsExactly("LOW_CONFID", "COMPOSE_WITH_UNCERTAINTY", false);
        }
    }

    @Test
    void aMistakeOfTheProgramIsThrownWithItsField() {
        Executor twice = (question, plan, context) -> {
            ToolInvocation call = new RecordedTools().run(RecordedTools.LOGS);
            return new Executor.Run("{}", List.of(call, call));
        };
        assertThatThrownBy(() -> chat(new ScriptedPlanner(), twice).answer("s7", "Why?"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("tool_invocations[1].id");
    }
}
