package io.evidencegate.client;

import io.evidencegate.v1.ComposerOutput;
import io.evidencegate.v1.ComposerWriter;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.EvaluationSource;
import io.evidencegate.v1.FallbackReason;
import io.evidencegate.v1.GatekeeperResult;
import io.evidencegate.v1.GatekeeperStatus;
import io.evidencegate.v1.Language;
import io.evidencegate.v1.Notice;
import io.evidencegate.v1.PromptAudit;
import io.evidencegate.v1.PromptRole;
import io.evidencegate.v1.PromptVersion;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.Severity;
import io.evidencegate.v1.Verdict;
import java.util.List;

/**
 * Makes up what a client goes on with when the service cannot be reached, marked as such and never a PASS. It is what the Python
 * client makes up, field by field.
 */
public final class Fallbacks {
    /** The catalog that this client was released with. No server says which one is in use when none can be reached. */
    public static final String DEFAULT_RULE_SET_VERSION = "1.0.0";

    // The form of an evaluation that this client knows, which the service writes as well.
    static final String TRACEABILITY_VERSION = "evaluation_v1";

    // The version of the texts below, where a result names one.
    private static final String SAFE_TEXT_VERSION = "client_1";

    private static final String UNCHECKED_ZH =
            "本次诊断的结论暂时无法核验：证据校验服务没有响应。为避免误导，这里不展示未经核验的内容。请稍后重试，或直接查看原始日志和监控数据。";
    private static final String UNCHECKED_EN = "The findings of this diagnosis could not be checked: the service that compares them"
            + " with the evidence did not answer. Nothing unchecked is shown here. Please try again later, or look at the logs and"
            + " metrics themselves.";
    private static final String UNFINISHED_ZH =
            "本次诊断没有完成：其中一个步骤出错或超时。为避免误导，这里不展示未经核验的内容。请稍后重试，或直接查看原始日志和监控数据。";
    private static final String UNFINISHED_EN = "This diagnosis did not come to an end: one of its steps failed or took too long."
            + " Nothing unchecked is shown here. Please try again later, or look at the logs and metrics themselves.";

    private static final List<PromptVersion> DEFAULT_PROMPTS = List.of(
            prompt(PromptRole.PROMPT_ROLE_PLANNER, "planner"),
            prompt(PromptRole.PROMPT_ROLE_EXECUTOR, "executor"),
            prompt(PromptRole.PROMPT_ROLE_VERIFIER, "verifier"),
            prompt(PromptRole.PROMPT_ROLE_COMPOSER, "composer"));

    private Fallbacks() {}

    /** Why the client speaks itself. */
    public enum Cause {
        /** The checking service did not answer. */
        SERVICE,
        /** Planner or executor failed, so that there was nothing to check. */
        DIAGNOSIS
    }

    /**
     * Returns what the user may read when nothing was judged: nothing of what the executor wrote. English for {@code LANGUAGE_EN},
     * else Chinese.
     */
    public static String safeText(Language language, Cause cause) {
        boolean english = language == Language.LANGUAGE_EN;
        return switch (cause) {
            case SERVICE -> english ? UNCHECKED_EN : UNCHECKED_ZH;
            case DIAGNOSIS -> english ? UNFINISHED_EN : UNFINISHED_ZH;
        };
    }

    /** Returns the result that stands in for the Gatekeeper's: a pass that is marked as fallback, with no rules. */
    public static GatekeeperResult gatekeeperResult(String ruleSetVersion) {
        return GatekeeperResult.newBuilder()
                .setStatus(GatekeeperStatus.GATEKEEPER_STATUS_PASS)
                .setSeverity(Severity.SEVERITY_NONE)
                .addWarnings(notice(
                        "gatekeeper.fallback",
                        "The Gatekeeper could not be reached, so no rule has looked at this output."))
                .setRuleSetVersion(ruleSetVersion)
                .setFallback(true)
                .build();
    }

    /**
     * Returns the evaluation that stands in for the Verifier's: LOW_CONFID, score 0, no label, in either round. The user is shown
     * {@link #safeText} and no claim of the executor's.
     */
    public static Evaluation evaluation(int round, List<PromptVersion> promptsUsed) {
        return unjudged(
                round,
                "The Verifier could not be reached: nothing was judged, and no claim may be shown as confirmed.",
                List.of(notice("judge.fallback", "The Verifier could not be reached, so no claim has a label.")),
                promptsUsed);
    }

    /** Returns the evaluation of a round that came to no output, so that there was nothing to judge; in the form of a fallback. */
    public static Evaluation unjudged(
            int round, String rationale, List<Notice> warnings, List<PromptVersion> promptsUsed) {
        return Evaluation.newBuilder()
                .setVerdict(Verdict.VERDICT_LOW_CONFID)
                .setEngineVerdict(Verdict.VERDICT_LOW_CONFID)
                .setRoute(Route.ROUTE_COMPOSE_WITH_UNCERTAINTY)
                .setRationale(rationale)
                .addAllWarnings(warnings)
                .setPromptAudit(audit(promptsUsed))
                .setTraceabilityVersion(TRACEABILITY_VERSION)
                .setSource(EvaluationSource.EVALUATION_SOURCE_CLIENT_FALLBACK)
                .setRound(round)
                .build();
    }

    /** Returns the output that stands in for the Composer's: the safe text, marked as a fallback. */
    public static ComposerOutput composerOutput(
            Language language, Cause cause, ComposerWriter requestedWriter, String detail, List<PromptVersion> promptsUsed) {
        return ComposerOutput.newBuilder()
                .setText(safeText(language, cause))
                .setLanguage(language == Language.LANGUAGE_EN ? Language.LANGUAGE_EN : Language.LANGUAGE_ZH)
                .setRequestedWriter(requestedWriter)
                .setWriter(ComposerWriter.COMPOSER_WRITER_TEMPLATE)
                .setFallbackReason(FallbackReason.FALLBACK_REASON_UNAVAILABLE)
                .setFallbackDetail(detail)
                .setPromptAudit(audit(promptsUsed))
                .setTemplateVersion(SAFE_TEXT_VERSION)
                .build();
    }

    private static PromptAudit audit(List<PromptVersion> promptsUsed) {
        return PromptAudit.newBuilder()
                .setVersion(DEFAULT_RULE_SET_VERSION)
                .addAllPrompts(DEFAULT_PROMPTS)
                .setDeclared(!promptsUsed.isEmpty())
                .addAllPromptsUsed(promptsUsed)
                .build();
    }

    private static PromptVersion prompt(PromptRole role, String name) {
        return PromptVersion.newBuilder().setRole(role).setName(name).setVersion("1.0.0").build();
    }

    private static Notice notice(String id, String message) {
        return Notice.newBuilder().setId(id).setMessage(message).build();
    }
}
