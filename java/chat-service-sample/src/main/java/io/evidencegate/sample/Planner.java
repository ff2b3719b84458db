package io.evidencegate.sample;

import io.evidencegate.v1.RetryContext;
import java.util.List;
import java.util.Optional;

/** Decides which tools run. A real one asks a model. */
public interface Planner {
    /**
     * Returns the names of the tools to run.
     *
     * @param question what the user asked
     * @param retryContext in round 2: which claims were weak and what is missing; never the first answer
     */
    List<String> plan(String question, Optional<RetryContext> retryContext);
}
