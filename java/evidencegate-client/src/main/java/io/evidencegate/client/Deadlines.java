package io.evidencegate.client;

import java.time.Duration;
import java.util.Objects;

/**
 * How long each method may take in all, retries included. A check by rules takes milliseconds, so that five seconds mean a server in
 * trouble. A judge or composer that asks a model takes as long as the model. A deadline of the caller's {@code io.grpc.Context} that
 * ends earlier holds.
 *
 * @param validate Gatekeeper.Validate
 * @param judge Verifier.Judge by the engines {@code deterministic} and {@code supplied}
 * @param judgeByModel Verifier.Judge by the engines {@code llm} and {@code hybrid}
 * @param ruleCatalog Gatekeeper.GetRuleCatalog
 * @param summarizeTrace Verifier.SummarizeTrace
 * @param compose Composer.Compose by the writers {@code template} and {@code supplied}
 * @param composeByModel Composer.Compose by the writer {@code model}
 * @param prompts both methods of Prompts
 * @param store the methods of SelfEvaluations
 * @param health the health check
 */
public record Deadlines(
        Duration validate,
        Duration judge,
        Duration judgeByModel,
        Duration ruleCatalog,
        Duration summarizeTrace,
        Duration compose,
        Duration composeByModel,
        Duration prompts,
        Duration store,
        Duration health) {

    /** Refuses a deadline that no call can keep. */
    public Deadlines {
        positive("validate", validate);
        positive("judge", judge);
        positive("judgeByModel", judgeByModel);
        positive("ruleCatalog", ruleCatalog);
        positive("summarizeTrace", summarizeTrace);
        positive("compose", compose);
        positive("composeByModel", composeByModel);
        positive("prompts", prompts);
        positive("store", store);
        positive("health", health);
    }

    /** Returns deadlines that suit a service in the same data centre; those of the Python client. */
    public static Deadlines defaults() {
        Duration quick = Duration.ofSeconds(5);
        Duration byModel = Duration.ofSeconds(120);
        return new Deadlines(
                quick, Duration.ofSeconds(10), byModel, quick, quick, quick, byModel, quick, Duration.ofSeconds(15), Duration.ofSeconds(2));
    }

    /** Returns the same deadlines but for Validate. */
    public Deadlines withValidate(Duration value) {
        return new Deadlines(
                value, judge, judgeByModel, ruleCatalog, summarizeTrace, compose, composeByModel, prompts, store, health);
    }

    /** Returns the same deadlines but for Judge by an engine that asks no model of the server's. */
    public Deadlines withJudge(Duration value) {
        return new Deadlines(
                validate, value, judgeByModel, ruleCatalog, summarizeTrace, compose, composeByModel, prompts, store, health);
    }

    /** Returns the same deadlines but for Judge by an engine that asks a model. */
    public Deadlines withJudgeByModel(Duration value) {
        return new Deadlines(
                validate, judge, value, ruleCatalog, summarizeTrace, compose, composeByModel, prompts, store, health);
    }

    /** Returns the same deadlines but for Compose by a writer that asks no model of the server's. */
    public Deadlines withCompose(Duration value) {
        return new Deadlines(
                validate, judge, judgeByModel, ruleCatalog, summarizeTrace, value, composeByModel, prompts, store, health);
    }

    /** Returns the same deadlines but for Compose by a model. */
    public Deadlines withComposeByModel(Duration value) {
        return new Deadlines(
                validate, judge, judgeByModel, ruleCatalog, summarizeTrace, compose, value, prompts, store, health);
    }

    /** Returns the same deadlines but for the methods of SelfEvaluations. */
    public Deadlines withStore(Duration value) {
        return new Deadlines(
                validate, judge, judgeByModel, ruleCatalog, summarizeTrace, compose, composeByModel, prompts, value, health);
    }

    /** Returns one deadline for every method. */
    public static Deadlines all(Duration value) {
        return new Deadlines(value, value, value, value, value, value, value, value, value, value);
    }

    private static void positive(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative() || value.isZero()) {
            throw new IllegalArgumentException("the deadline " + name + " is " + value + "; it must be above zero");
        }
    }
}
