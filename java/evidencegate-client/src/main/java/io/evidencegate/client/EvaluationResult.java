package io.evidencegate.client;

import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.Verdict;
import java.util.Optional;

/**
 * What came of Validate and Judge for one output, read on the safe side. {@link #verdict()} and {@link #route()} are what a program
 * acts on; they are never better than what the service said, and never a pass where a fallback took part.
 *
 * @param validation what came of Validate
 * @param judgement what came of Judge
 */
public record EvaluationResult(ValidationOutcome validation, JudgementOutcome judgement) {

    /** Returns the evaluation, the service's or the client's own. */
    public Evaluation evaluation() {
        return judgement.evaluation();
    }

    /** Returns what the next round is told; empty where there is none. */
    public Optional<RetryContext> retryContext() {
        return judgement.retryContext();
    }

    /** Returns PASS, LOW_CONFID or REJECT. */
    public Verdict verdict() {
        Verdict found = Readings.verdict(evaluation());
        return found == Verdict.VERDICT_PASS && validation.isFallback() ? Verdict.VERDICT_LOW_CONFID : found;
    }

    /** Returns COMPOSE, COMPOSE_WITH_UNCERTAINTY, RETRY or DEGRADE: what to do next. */
    public Route route() {
        Route found = Readings.route(evaluation());
        return found == Route.ROUTE_COMPOSE && validation.isFallback() ? Route.ROUTE_COMPOSE_WITH_UNCERTAINTY : found;
    }

    /** Returns the share of the critical facts that the evidence carries, from 0 to 1. */
    public double score() {
        return evaluation().getGroundednessScore();
    }

    /** Says whether nothing was judged, so that the user is shown {@link #safeText} alone. */
    public boolean isFallback() {
        return Readings.isFallback(evaluation());
    }

    /** Says whether verdict and route are those of the evaluation, so that nothing had to be read on the safe side. */
    public boolean isAsRead() {
        return verdict() == evaluation().getVerdict() && route() == evaluation().getRoute();
    }

    /**
     * Returns what the user may read when nothing was judged. Empty where the service did judge: then the text, which says that it
     * did not answer, would be untrue.
     */
    public Optional<String> safeText(Language language) {
        return isFallback() ? Optional.of(Fallbacks.safeText(language, Fallbacks.Cause.SERVICE)) : Optional.empty();
    }
}
