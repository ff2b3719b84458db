package io.evidencegate.client;

import io.evidencegate.v1.GatekeeperResult;
import io.evidencegate.v1.ParseReport;
import java.util.Optional;

/**
 * What the Gatekeeper said, or the fallback and the failure that led to it.
 *
 * @param gatekeeperResult the result; in a fallback its status is a pass, so ask {@link #passed()}
 * @param parseReport how the executor's text was read; empty in a fallback
 * @param failure why nobody answered; empty where the service did
 */
public record ValidationOutcome(
        GatekeeperResult gatekeeperResult, Optional<ParseReport> parseReport, Optional<ServiceException> failure) {

    /** Says whether the rules have looked at the output and found nothing wrong. */
    public boolean passed() {
        return Readings.passedRules(gatekeeperResult);
    }

    /** Says whether nobody answered. */
    public boolean isFallback() {
        return gatekeeperResult.getFallback();
    }
}
