package io.evidencegate.sample;

import io.evidencegate.client.EvaluationResult;
import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.client.Fallbacks;
import io.evidencegate.client.Fallbacks.Cause;
import io.evidencegate.client.ModelTexts;
import io.evidencegate.client.ServiceException;
import io.evidencegate.client.StoredJson;
import io.evidencegate.v1.ComposeRequest;
import io.evidencegate.v1.ComposerOutput;
import io.evidencegate.v1.ComposerWriter;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.ToolInvocation;
import io.evidencegate.v1.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * One chat turn: plan, execute, evaluate, at most one more round, compose. The route that Judge returns decides; nothing here looks at
 * verdict and score to decide it again.
 *
 * <p>A status after which a client must not go on (a wrong token, a request over a limit) is thrown as {@link ServiceException}.
 */
@Service
public class ChatService {
    private static final Logger LOG = LoggerFactory.getLogger(ChatService.class);
    private static final Language LANGUAGE = Language.LANGUAGE_ZH;

    private final EvidenceGateClient client;
    private final Planner planner;
    private final Executor executor;
    private final EvaluationStore store;

    public ChatService(EvidenceGateClient client, Planner planner, Executor executor, EvaluationStore store) {
        this.client = client;
        this.planner = planner;
        this.executor = executor;
        this.store = store;
    }

    /** Answers one question. */
    public ChatAnswer answer(String sessionId, String question) {
        Turn turn = new Turn(sessionId, question, UUID.randomUUID().toString());
        Optional<Round> first = round(turn, 1, Optional.empty());
        Optional<Round> basis = first;
        int rounds = 1;
        if (first.isPresent() && first.get().result().route() == Route.ROUTE_RETRY) {
            rounds = 2;
            // Where round 2 fails, the answer rests on round 1.
            basis = round(turn, 2, first.get().result().retryContext())
                    .filter(second -> !second.result().isFallback())
                    .or(() -> first);
        }
        ComposerOutput output = compose(turn, basis);
        boolean stored = basis.isPresent() && store.keep(turn.sessionId, turn.requestId, basis.get().request(), basis.get().result(), output);
        return answer(basis, output, rounds, stored);
    }

    /** Runs one round; empty where planner or executor failed, so that there is nothing to judge. */
    private Optional<Round> round(Turn turn, int number, Optional<RetryContext> retryContext) {
        Executor.Run run;
        try {
            run = executor.run(turn.question, planner.plan(turn.question, retryContext), retryContext);
        } catch (RuntimeException failed) {
            // Its text may hold a secret; its type tells enough.
            LOG.warn("round {} of {}: planner or executor failed with {}", number, turn.sessionId, failed.getClass().getName());
            return Optional.empty();
        }
        turn.calls.addAll(run.toolInvocations());
        JudgeRequest.Builder request = JudgeRequest.newBuilder()
                .setSessionId(turn.sessionId)
                .setRound(number)
                .setOriginalQuery(turn.question)
                .setExecutorOutput(ModelTexts.executorOutput(run.output()))
                .addAllToolInvocations(turn.calls); // those of both rounds
        retryContext.ifPresent(request::setRetryContext); // unchanged
        EvaluationResult result = client.evaluate(request.build());
        result.judgement().failure().ifPresent(failure -> LOG.warn("round {} of {} was not judged: {}", number, turn.sessionId, failure.getMessage()));
        return Optional.of(new Round(request.build(), result));
    }

    /** Returns what the user reads: never a word of the executor's that the service did not let through. */
    private ComposerOutput compose(Turn turn, Optional<Round> basis) {
        if (basis.isEmpty()) {
            return own(Cause.DIAGNOSIS, "Planner or executor failed, so nothing was judged.");
        }
        EvaluationResult result = basis.get().result();
        if (result.isFallback() || !result.isAsRead()) {
            return own(Cause.SERVICE, "The Verifier gave no answer that this client trusts.");
        }
        try {
            ComposerOutput output = client.compose(ComposeRequest.newBuilder()
                            .setSessionId(turn.sessionId)
                            .setEvaluation(result.evaluation())
                            .setOriginalQuery(turn.question)
                            .setLanguage(LANGUAGE)
                            .build())
                    .getComposerOutput();
            return output.getText().isBlank() ? own(Cause.SERVICE, "The Composer gave no text.") : output;
        } catch (ServiceException failure) {
            // A catalog that was reloaded between Judge and Compose is nobody's mistake.
            if (!failure.fallbackAllowed() && !failure.reason().equals("EVALUATION_INCONSISTENT")) {
                throw failure;
            }
            LOG.warn("{} was not composed: {}", turn.sessionId, failure.getMessage());
            return own(Cause.SERVICE, "The Composer gave no answer.");
        }
    }

    private static ComposerOutput own(Cause cause, String detail) {
        return Fallbacks.composerOutput(LANGUAGE, cause, ComposerWriter.COMPOSER_WRITER_TEMPLATE, detail, List.of());
    }

    private static ChatAnswer answer(Optional<Round> basis, ComposerOutput output, int rounds, boolean stored) {
        Verdict verdict = basis.map(round -> round.result().verdict()).orElse(Verdict.VERDICT_LOW_CONFID);
        Route route = basis.map(round -> round.result().route())
                .filter(found -> found != Route.ROUTE_RETRY) // no further round comes
                .orElse(Route.ROUTE_COMPOSE_WITH_UNCERTAINTY);
        return new ChatAnswer(
                output.getText(),
                StoredJson.word(verdict.getValueDescriptor()),
                StoredJson.word(route.getValueDescriptor()),
                basis.map(round -> round.result().score()).orElse(0.0),
                rounds,
                basis.isPresent() && !basis.get().result().isFallback(),
                stored);
    }

    private record Round(JudgeRequest request, EvaluationResult result) {}

    /** What one turn works with; the tool calls of both rounds gather here. */
    private static final class Turn {
        private final String sessionId;
        private final String question;
        private final String requestId;
        private final List<ToolInvocation> calls = new ArrayList<>();

        Turn(String sessionId, String question, String requestId) {
            this.sessionId = sessionId;
            this.question = question;
            this.requestId = requestId;
        }
    }
}
