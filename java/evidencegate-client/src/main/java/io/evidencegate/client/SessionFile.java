package io.evidencegate.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.evidencegate.v1.EvidenceKind;
import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.InvocationStatus;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.RetrievalDetails;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.ToolInvocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Reads a session as a file holds it: one question, what the LLM wrote, and the tool calls. The keys stand in
 * {@code examples/README.md}; {@code title}, {@code source} and {@code expect} are left alone. An unknown key is refused: it is mostly a
 * misspelt one.
 */
public final class SessionFile {
    private static final List<String> KEYS = List.of(
            "session_id", "title", "round", "original_query", "executor_output", "verifier_output", "retry_context",
            "narrow_question", "tool_invocations", "source", "expect");
    private static final Collection<String> INVOCATION_KEYS = names(ToolInvocation.getDescriptor());
    private static final Collection<String> DETAILS_KEYS = names(RetrievalDetails.getDescriptor());
    private static final Collection<String> REF_KEYS = names(EvidenceRef.getDescriptor());

    private SessionFile() {}

    /**
     * Returns the request for one session.
     *
     * @throws InvalidSessionException with the place, for a missing key, an unknown one or a value of the wrong form
     */
    public static JudgeRequest judgeRequest(String json) {
        Row row = Row.of(JsonReading.parse(json, (message, cause) -> new InvalidSessionException("", message)), "", KEYS);
        JudgeRequest.Builder request = JudgeRequest.newBuilder()
                .setSessionId(ModelTexts.clean(row.text("session_id", true)))
                .setExecutorOutput(ModelTexts.executorOutput(row.modelText("executor_output", true)))
                .setOriginalQuery(ModelTexts.clean(row.text("original_query", false)))
                .setRound(round(row))
                .setNarrowQuestion(row.flag("narrow_question"));
        for (Row call : row.rows("tool_invocations", true, INVOCATION_KEYS)) {
            request.addToolInvocations(invocation(call));
        }
        String verifier = row.modelText("verifier_output", false);
        if (verifier != null) {
            request.setVerifierOutput(ModelTexts.modelText(verifier));
        }
        JsonElement context = row.get("retry_context", false);
        if (context != null) {
            request.setRetryContext(retryContext(context));
        }
        return request.build();
    }

    private static int round(Row row) {
        int round = row.whole("round", 1);
        if (round != 1 && round != 2) {
            throw new InvalidSessionException("round", "is " + round + "; it must be 1 or 2");
        }
        return round;
    }

    private static RetryContext retryContext(JsonElement context) {
        try {
            return StoredJson.read(context.toString(), RetryContext.getDefaultInstance());
        } catch (StoredJsonException unfit) {
            throw new InvalidSessionException("retry_context", unfit.getMessage());
        }
    }

    private static ToolInvocation invocation(Row row) {
        ToolInvocation.Builder call = ToolInvocation.newBuilder()
                .setId(row.identifier("id"))
                .setToolName(ModelTexts.clean(row.text("tool_name", true)))
                .setStatus(InvocationStatus.valueOf(row.word("status", InvocationStatus.getDescriptor(), true)))
                .setRound(row.whole("round", 0))
                .setTopicDomain(ModelTexts.clean(row.text("topic_domain", false)))
                .setInput(ModelTexts.clean(row.text("input", false)))
                .setOutput(ModelTexts.clean(row.text("output", false)))
                .setError(ModelTexts.clean(row.text("error", false)));
        Row details = row.row("retrieval_details", DETAILS_KEYS);
        if (details != null) {
            call.setRetrievalDetails(details(details));
        }
        return call.build();
    }

    private static RetrievalDetails details(Row row) {
        RetrievalDetails.Builder details = RetrievalDetails.newBuilder()
                .addAllQueries(row.texts("queries"))
                .addAllRetrievalLayers(row.texts("retrieval_layers"))
                .addAllRelevanceLevels(row.texts("relevance_levels"))
                .addAllSourceDocuments(row.texts("source_documents"));
        for (Row ref : row.rows("evidence_refs", false, REF_KEYS)) {
            String kind = ref.word("kind", EvidenceKind.getDescriptor(), false);
            details.addEvidenceRefs(EvidenceRef.newBuilder()
                    .setRawPath(ModelTexts.clean(ref.text("raw_path", true)))
                    .setText(ModelTexts.clean(ref.text("text", true)))
                    .setKind(kind == null ? EvidenceKind.EVIDENCE_KIND_UNSPECIFIED : EvidenceKind.valueOf(kind))
                    .setSourceDocument(ModelTexts.clean(ref.text("source_document", false)))
                    .setTruncated(ref.flag("truncated")));
        }
        return details.build();
    }

    private static Collection<String> names(Descriptor kind) {
        return kind.getFields().stream().map(FieldDescriptor::getName).toList();
    }

    /** One object, and the place where it stands. An absent or null key is the default. */
    private record Row(JsonObject object, String place) {
        private static final int MOST_DIGITS = 9;

        static Row of(JsonElement element, String place, Collection<String> known) {
            if (!element.isJsonObject()) {
                String wanted = place.isEmpty() ? "a session is a JSON object" : "an object is wanted";
                throw new InvalidSessionException(place, wanted + ", not " + JsonReading.kindOf(element));
            }
            Row row = new Row(element.getAsJsonObject(), place);
            for (String key : row.object.keySet()) {
                if (!known.contains(key)) {
                    throw new InvalidSessionException(row.at(key), JsonReading.unknownKey(key, known));
                }
            }
            return row;
        }

        String at(String key) {
            return place.isEmpty() ? key : place + "." + key;
        }

        /** Returns the value; null where it is absent or null. */
        JsonElement get(String key, boolean required) {
            JsonElement value = object.get(key);
            if (value == null && required) {
                throw new InvalidSessionException(at(key), "this key is missing");
            }
            return value == null || value.isJsonNull() ? null : value;
        }

        String text(String key, boolean required) {
            JsonElement value = get(key, required);
            if (value == null && !required) {
                return "";
            }
            if (value == null || !JsonReading.isText(value)) {
                throw misfit(key, "a text is wanted", value);
            }
            return value.getAsString();
        }

        /** Returns what a model wrote; null where it wrote nothing. */
        String modelText(String key, boolean required) {
            JsonElement value = get(key, required);
            if (value != null && !JsonReading.isText(value)) {
                throw misfit(key, "the raw text of a model is wanted", value);
            }
            return value == null ? null : value.getAsString();
        }

        /** Returns an ID as text; a whole number is one as well, with all its digits. */
        String identifier(String key) {
            JsonElement value = get(key, true);
            if (value == null || !(JsonReading.isText(value) || JsonReading.isWhole(value))) {
                throw misfit(key, "an ID is a text or a whole number", value);
            }
            return ModelTexts.clean(value.getAsString());
        }

        int whole(String key, int otherwise) {
            JsonElement value = get(key, false);
            if (value == null) {
                return otherwise;
            }
            // Ten digits and more may not fit, and no number of a session has them.
            if (!JsonReading.isWhole(value) || value.getAsString().length() > MOST_DIGITS) {
                throw misfit(key, "a whole number is wanted", value);
            }
            return Integer.parseInt(value.getAsString());
        }

        boolean flag(String key) {
            JsonElement value = get(key, false);
            if (value != null && !JsonReading.isBoolean(value)) {
                throw misfit(key, "true or false is wanted", value);
            }
            return value != null && value.getAsBoolean();
        }

        /** Returns the name of the enum value for a word; null where it is absent and not required. */
        String word(String key, EnumDescriptor kind, boolean required) {
            JsonElement value = get(key, required);
            if (value == null && !required) {
                return null;
            }
            List<EnumValueDescriptor> values = kind.getValues().subList(1, kind.getValues().size());
            for (EnumValueDescriptor item : values) {
                if (value != null && JsonReading.isText(value) && StoredJson.word(item).equals(value.getAsString())) {
                    return item.getName();
                }
            }
            String words = String.join(", ", values.stream().map(StoredJson::word).toList());
            throw new InvalidSessionException(at(key), value + " is none of " + words);
        }

        List<String> texts(String key) {
            List<String> result = new ArrayList<>();
            for (JsonElement item : list(key, false)) {
                if (!JsonReading.isText(item)) {
                    throw new InvalidSessionException(
                            at(key) + "[" + result.size() + "]", "a text is wanted, not " + JsonReading.kindOf(item));
                }
                result.add(ModelTexts.clean(item.getAsString()));
            }
            return result;
        }

        Row row(String key, Collection<String> known) {
            JsonElement value = get(key, false);
            return value == null ? null : of(value, at(key), known);
        }

        List<Row> rows(String key, boolean required, Collection<String> known) {
            List<Row> result = new ArrayList<>();
            for (JsonElement item : list(key, required)) {
                result.add(of(item, at(key) + "[" + result.size() + "]", known));
            }
            return result;
        }

        private Iterable<JsonElement> list(String key, boolean required) {
            JsonElement value = get(key, required);
            if (value == null && !required) {
                return List.of();
            }
            if (value == null || !value.isJsonArray()) {
                throw misfit(key, "a list is wanted", value);
            }
            return value.getAsJsonArray();
        }

        private InvalidSessionException misfit(String key, String wanted, JsonElement value) {
            return new InvalidSessionException(at(key), wanted + ", not " + JsonReading.kindOf(value));
        }
    }
}
