package io.evidencegate.client;

import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.RetryContext;
import java.util.Optional;

/**
 * What the Verifier said, or the fallback and the failure that led to it.
 *
 * @param evaluation the evaluation, the service's or the client's own
 * @param retryContext set exactly where one more round is to be run: hand it to that round unchanged
 * @param failure why nobody answered; empty where the service did
 */
public record JudgementOutcome(
        Evaluation evaluation, Optional<RetryContext> retryContext, Optional<ServiceException> failure) {}
