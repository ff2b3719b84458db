package io.evidencegate.client;

import com.google.protobuf.Message;
import io.evidencegate.v1.ComposeRequest;
import io.evidencegate.v1.ComposerWriter;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.SummarizeTraceRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Prints what the service says of session files, one stored-JSON object a line, so that another client's answers can be compared.
 *
 * <p>Arguments: HOST:PORT, then files. For each file a line for each of: the request that was read, the answers of Validate, Judge, Judge
 * after Validate, SummarizeTrace and Compose. Then the client's fallbacks.
 */
final class SessionReplies {
    private SessionReplies() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (EvidenceGateClient client = EvidenceGateClient.builder(arguments[0])
                .deadlines(Deadlines.all(Duration.ofSeconds(60)))
                .build()) {
            for (String file : Arrays.asList(arguments).subList(1, arguments.length)) {
                JudgeRequest request = SessionFile.judgeRequest(Files.readString(Path.of(file)));
                print(out, request);
                out.println(InputDigest.of(EvidenceGateClient.validateRequest(request)));
                print(out, client.validate(EvidenceGateClient.validateRequest(request)));
                print(out, client.judge(request));
                EvaluationResult result = client.evaluate(request);
                print(out, result.evaluation());
                out.println(StoredJson.word(result.verdict().getValueDescriptor()) + " "
                        + StoredJson.word(result.route().getValueDescriptor()) + " " + result.isFallback());
                print(out, client.summarizeTrace(SummarizeTraceRequest.newBuilder()
                        .addAllToolInvocations(request.getToolInvocationsList())
                        .build()));
                print(out, client.compose(ComposeRequest.newBuilder()
                        .setEvaluation(result.evaluation())
                        .setOriginalQuery(request.getOriginalQuery())
                        .build()));
            }
        }
        fallbacks(out);
    }

    private static void fallbacks(PrintStream out) {
        print(out, Fallbacks.gatekeeperResult(Fallbacks.DEFAULT_RULE_SET_VERSION));
        print(out, Fallbacks.evaluation(2, List.of()));
        for (Language language : List.of(Language.LANGUAGE_ZH, Language.LANGUAGE_EN)) {
            for (Fallbacks.Cause cause : Fallbacks.Cause.values()) {
                print(out, Fallbacks.composerOutput(
                        language, cause, ComposerWriter.COMPOSER_WRITER_TEMPLATE, "why", List.of()));
            }
        }
    }

    private static void print(PrintStream out, Message message) {
        out.println(StoredJson.write(message));
    }
}
