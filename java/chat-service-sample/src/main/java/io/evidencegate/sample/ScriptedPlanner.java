package io.evidencegate.sample;

import io.evidencegate.v1.RetryContext;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Stands in for a planner that asks a model: logs first, and what the first round lacked in the second. */
@Component
class ScriptedPlanner implements Planner {
    @Override
    public List<String> plan(String question, Optional<RetryContext> retryContext) {
        boolean lacksTheExit = retryContext
                .map(context -> context.getMissingInfoList().stream().anyMatch(lacking -> lacking.contains("上次退出")))
                .orElse(false);
        return List.of(lacksTheExit ? RecordedTools.DESCRIBE : RecordedTools.LOGS);
    }
}
