package io.evidencegate.client;

import io.evidencegate.v1.ClaimCheck;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.EvaluationSource;
import io.evidencegate.v1.GatekeeperResult;
import io.evidencegate.v1.GatekeeperStatus;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.Verdict;
import io.evidencegate.v1.Verification;

/**
 * Reads answers on the safe side: a value that is not set, or that this version does not know, is never better than what the
 * contract says of it. Use it wherever an answer is read without {@link EvaluationResult}.
 */
public final class Readings {
    private Readings() {}

    /** Returns PASS, LOW_CONFID or REJECT; REJECT for any other value. A pass that no service gave is LOW_CONFID. */
    public static Verdict verdict(Evaluation evaluation) {
        Verdict found = known(evaluation.getVerdict());
        return found == Verdict.VERDICT_PASS && isUnchecked(evaluation) ? Verdict.VERDICT_LOW_CONFID : found;
    }

    /**
     * Returns COMPOSE, COMPOSE_WITH_UNCERTAINTY, RETRY or DEGRADE; DEGRADE for any other value and beside a verdict that is not
     * known.
     */
    public static Route route(Evaluation evaluation) {
        if (known(evaluation.getVerdict()) != evaluation.getVerdict()) {
            return Route.ROUTE_DEGRADE;
        }
        return switch (evaluation.getRoute()) {
            case ROUTE_COMPOSE ->
                isUnchecked(evaluation) ? Route.ROUTE_COMPOSE_WITH_UNCERTAINTY : Route.ROUTE_COMPOSE;
            case ROUTE_COMPOSE_WITH_UNCERTAINTY -> Route.ROUTE_COMPOSE_WITH_UNCERTAINTY;
            case ROUTE_RETRY -> Route.ROUTE_RETRY;
            default -> Route.ROUTE_DEGRADE;
        };
    }

    /** Returns one of the six labels; UNSUPPORTED for any other value. */
    public static Verification label(ClaimCheck check) {
        return switch (check.getVerification()) {
            case VERIFICATION_UNSPECIFIED, UNRECOGNIZED -> Verification.VERIFICATION_UNSUPPORTED;
            default -> check.getVerification();
        };
    }

    /** Says whether the rules themselves found nothing wrong: a client's fallback, or a value that is not known, is no such result. */
    public static boolean passedRules(GatekeeperResult result) {
        return !result.getFallback()
                && (result.getStatus() == GatekeeperStatus.GATEKEEPER_STATUS_PASS
                        || result.getStatus() == GatekeeperStatus.GATEKEEPER_STATUS_WARN);
    }

    /** Says whether an evaluation is a client's own, so that nothing was judged. */
    public static boolean isFallback(Evaluation evaluation) {
        return evaluation.getSource() != EvaluationSource.EVALUATION_SOURCE_SERVER;
    }

    private static boolean isUnchecked(Evaluation evaluation) {
        return isFallback(evaluation) || evaluation.getGatekeeperResult().getFallback();
    }

    private static Verdict known(Verdict verdict) {
        return switch (verdict) {
            case VERDICT_PASS, VERDICT_LOW_CONFID -> verdict;
            default -> Verdict.VERDICT_REJECT;
        };
    }
}
