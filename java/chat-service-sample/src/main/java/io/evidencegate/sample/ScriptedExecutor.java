package io.evidencegate.sample;

import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.ToolInvocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Stands in for an executor that asks a model: guesses in round 1, and says in round 2 what the second tool shows. */
@Component
class ScriptedExecutor implements Executor {
    private final RecordedTools tools = new RecordedTools();
    private final JsonMapper json = new JsonMapper();

    @Override
    public Run run(String question, List<String> plan, Optional<RetryContext> retryContext) {
        List<ToolInvocation> calls = plan.stream().map(tools::run).toList();
        ToolInvocation call = calls.get(0);
        return new Run(retryContext.isEmpty() ? guess(call) : observed(call), calls);
    }

    private String guess(ToolInvocation call) {
        return output(
                List.of(claim("c1", "root_cause", "checkout 因内存泄漏而重启", call, 1, "loading price table into cache")),
                List.of("查看 checkout 容器上次退出的状态"),
                List.of("checkout 容器上次退出的原因和退出码"));
    }

    private String observed(ToolInvocation call) {
        return output(
                List.of(
                        claim("c1", "root_cause", "checkout 容器因内存不足被终止（OOMKilled）", call, 7, "Reason:       OOMKilled"),
                        claim("c2", "symptom", "checkout 的 Exit Code 是 137", call, 8, "Exit Code:    137"),
                        claim("c3", "symptom", "checkout 的 Restart Count 是 6", call, 9, "Restart Count:  6")),
                List.of("检查 checkout 的内存上限 512Mi 是否够用"),
                List.of());
    }

    private String output(List<Map<String, Object>> claims, List<String> actions, List<String> missing) {
        return json.writeValueAsString(Map.of(
                "answer_version", "executor_evidence_v2",
                "claims", claims,
                "hypotheses", List.of("价格表缓存可能占用了过多内存"),
                "recommended_actions", actions,
                "missing_info", missing));
    }

    private static Map<String, Object> claim(
            String id, String type, String text, ToolInvocation call, int line, String excerpt) {
        return Map.of(
                "claim_id", id,
                "claim_type", type,
                "claim_text", text,
                "support_level", "direct",
                "evidence_bindings", List.of(Map.of(
                        "tool_name", call.getToolName(),
                        "source_invocation_id", call.getId(),
                        "raw_path", "lines[" + line + "]",
                        "evidence_excerpt", excerpt)));
    }
}
