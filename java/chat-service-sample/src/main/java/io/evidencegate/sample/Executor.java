package io.evidencegate.sample;

import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.ToolInvocation;
import java.util.List;
import java.util.Optional;

/** Runs the tools and has a model write the claims. */
public interface Executor {
    /** Runs the tools of the plan; the retry context is as for the planner. */
    Run run(String question, List<String> plan, Optional<RetryContext> retryContext);

    /**
     * What an executor comes back with.
     *
     * @param output what its model wrote, to the letter
     * @param toolInvocations the tool calls of this round, as they were stored
     */
    record Run(String output, List<ToolInvocation> toolInvocations) {}
}
