package io.evidencegate.client;

import io.evidencegate.v1.EvidenceKind;
import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.InvocationStatus;
import io.evidencegate.v1.ToolInvocation;
import io.evidencegate.v1.ValidateRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Computes {@code GatekeeperResult.input_digest}: one name for what was validated, equal in every language. A program that stores
 * results can tell by it whether a result belongs to an output and its tool calls.
 *
 * <p>SHA-256 over fields in a fixed order, each an 8-byte big-endian length and that many bytes; an absent output is length 2^64 - 1
 * without bytes. Never over serialized protobuf, whose bytes differ between libraries.
 */
public final class InputDigest {
    private static final String TAG = "evidencegate.input.v1";
    private static final byte[] ABSENT = {-1, -1, -1, -1, -1, -1, -1, -1};
    // Beyond it neighbouring integers share a double, and exact digits would be made up.
    private static final double EXACT_BELOW = 9_007_199_254_740_992.0;

    private static final FreeObject OBJECT = new FreeObject(InputDigest::number, () -> {
        throw new IllegalArgumentException("executor_output.object has a Value with nothing set; set null_value for null");
    });

    private final MessageDigest sha256;

    private InputDigest() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /**
     * Returns the digest in lower-case hex. Text is taken as it would be sent: lone surrogates are carried as {@link ModelTexts} says.
     *
     * @throws IllegalArgumentException for a request that the service refuses as well: a call without a known status, a ref of an
     *     unknown kind, a Value with nothing set
     */
    public static String of(ValidateRequest request) {
        InputDigest digest = new InputDigest();
        digest.add(ModelTexts.carried(request));
        return HexFormat.of().formatHex(digest.sha256.digest());
    }

    private void add(ValidateRequest request) {
        text(TAG);
        output(request.getExecutorOutput());
        flag(request.getNarrowQuestion());
        List<ToolInvocation> invocations = request.getToolInvocationsList().stream()
                .sorted(Comparator.comparing(ToolInvocation::getId, FreeObject::byCodePoints))
                .toList();
        count(invocations.size());
        invocations.forEach(this::invocation);
    }

    private void output(ExecutorOutput output) {
        switch (output.getContentCase()) {
            case TEXT -> {
                text("text");
                text(output.getText());
            }
            case RAW -> {
                text("raw");
                field(output.getRaw().toByteArray());
            }
            case OBJECT -> {
                text("object");
                StringBuilder json = new StringBuilder();
                OBJECT.append(json, output.getObject());
                text(json.toString());
            }
            case CONTENT_NOT_SET -> {
                text("none");
                sha256.update(ABSENT);
            }
        }
    }

    private void invocation(ToolInvocation call) {
        text(call.getId());
        text(call.getToolName());
        text(status(call));
        count(call.getRound());
        text(call.getTopicDomain());
        text(call.getInput());
        text(call.getOutput());
        text(call.getError());
        List<EvidenceRef> refs = call.getRetrievalDetails().getEvidenceRefsList();
        count(refs.size());
        for (EvidenceRef ref : refs) {
            text(ref.getRawPath());
            text(ref.getText());
            text(kind(ref));
            text(ref.getSourceDocument());
            flag(ref.getTruncated());
        }
    }

    private static String status(ToolInvocation call) {
        InvocationStatus status = call.getStatus();
        if (status == InvocationStatus.INVOCATION_STATUS_UNSPECIFIED || status == InvocationStatus.UNRECOGNIZED) {
            throw new IllegalArgumentException("the call " + call.getId() + " has no known status; set one");
        }
        return StoredJson.word(status.getValueDescriptor());
    }

    private static String kind(EvidenceRef ref) {
        return switch (ref.getKind()) {
            // A kind that is not set is decided by the catalog, after the digest is made.
            case EVIDENCE_KIND_UNSPECIFIED, EVIDENCE_KIND_OBSERVATION ->
                StoredJson.word(EvidenceKind.EVIDENCE_KIND_OBSERVATION.getValueDescriptor());
            case EVIDENCE_KIND_GUIDANCE -> StoredJson.word(ref.getKind().getValueDescriptor());
            case UNRECOGNIZED ->
                throw new IllegalArgumentException("the ref " + ref.getRawPath() + " has an unknown kind: " + ref.getKindValue());
        };
    }

    private static String number(double number) {
        boolean exact = number == Math.rint(number) && Math.abs(number) < EXACT_BELOW;
        return exact ? Long.toString((long) number) : JsonText.number(number);
    }

    private void text(String text) {
        field(text.getBytes(StandardCharsets.UTF_8));
    }

    private void count(int number) {
        text(Integer.toString(number));
    }

    private void flag(boolean value) {
        text(value ? "1" : "0");
    }

    private void field(byte[] bytes) {
        sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(bytes.length).array());
        sha256.update(bytes);
    }
}
