package io.evidencegate.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.GetSessionRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The program as it is started, over HTTP. */
class ChatServiceApplicationTest {
    @TempDir
    Path folder;

    private static ConfigurableApplicationContext application(String... properties) {
        return new SpringApplicationBuilder(ChatServiceApplication.class)
                .properties("spring.main.banner-mode=off")
                .run(java.util.stream.Stream.concat(
                                java.util.stream.Stream.of("--server.port=0"), java.util.Arrays.stream(properties))
                        .toArray(String[]::new));
    }

    private static HttpResponse<String> send(ConfigurableApplicationContext application, HttpRequest.Builder request, String path)
            throws IOException, InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + path);
        return HttpClient.newHttpClient().send(request.uri(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder chat(String body) {
        return HttpRequest.newBuilder().header("content-type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void aQuestionIsAnsweredInChineseAndKeptAndHealthFollowsTheService() throws Exception {
        try (EvidenceGateServer server = EvidenceGateServer.start("--store", "sqlite:///" + folder.resolve("chat.db"));
                ConfigurableApplicationContext application =
                        application("--evidencegate.target=" + server.target(), "--evidencegate.store=true", "--evidencegate.judge-deadline=60s")) {
            HttpResponse<String> answer =
                    send(application, chat("{\"sessionId\": \"chat-1\", \"question\": \"checkout 为什么一直重启？\"}"), "/chat");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"verdict\":\"PASS\"", "\"rounds\":2", "\"stored\":true", "OOMKilled");
            String stored = application.getBean(EvidenceGateClient.class)
                    .getSession(GetSessionRequest.newBuilder().setSessionId("chat-1").setIncludeInput(true).build())
                    .getSession()
                    .getSelfEvaluationJson();
            assertThat(stored).contains("\"verdict\":\"PASS\"", "\"composer_output\":");

            HttpResponse<String> health = send(application, HttpRequest.newBuilder(), "/actuator/health");
            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"evidenceGate\":{").contains(server.target());

            HttpResponse<String> unnamed = send(application, chat("{\"question\": \"x\"}"), "/chat");
            assertThat(unnamed.statusCode()).isEqualTo(400);
            assertThat(unnamed.body()).contains("sessionId is missing or blank");
            HttpResponse<String> unasked = send(application, chat("{\"sessionId\": \"s\", \"question\": \" \"}"), "/chat");
            assertThat(unasked.statusCode()).isEqualTo(400);
            assertThat(unasked.body()).contains("question is missing or blank");

            server.kill();
            HttpResponse<String> down = send(application, HttpRequest.newBuilder(), "/actuator/health");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(down.body()).contains("UNAVAILABLE");
            assertThat(send(application, HttpRequest.newBuilder(), "/actuator/health/readiness").statusCode()).isEqualTo(200);
            HttpResponse<String> safe = send(application, chat("{\"sessionId\": \"chat-2\", \"question\": \"checkout 为什么一直重启？\"}"), "/chat");
            assertThat(safe.statusCode()).isEqualTo(200);
            assertThat(safe.body()).contains("无法核验", "\"checked\":false", "\"stored\":false");
        }
    }

    @Test
    void anAddressThatNoServerCanHaveStopsTheStart() {
        assertThatThrownBy(() -> application("--evidencegate.target=http://localhost:50051"))
                .hasStackTraceContaining("HOST:PORT is wanted, for example 127.0.0.1:50051");
    }

    @Test
    void aCertificateWithoutItsKeyStopsTheStart() {
        assertThatThrownBy(() -> application("--evidencegate.client-certificate=/nowhere/me.pem"))
                .hasStackTraceContaining("belong together: set both or neither");
    }
}
