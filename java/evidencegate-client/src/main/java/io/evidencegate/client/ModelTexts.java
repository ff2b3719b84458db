package io.evidencegate.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.ModelText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Carries text that UTF-8 cannot: lone surrogates, which JSON escapes such as {@code \}{@code ud800} make. Java would send each as
 * {@code ?} without a word. What a model wrote travels as bytes instead, so that the service can name the fault; in evidence and query
 * each such character becomes U+FFFD.
 *
 * <p>The client does this to every request that it sends. The methods here are for programs that want to see it.
 */
public final class ModelTexts {
    private static final char REPLACEMENT = '\ufffd';

    private ModelTexts() {}

    /** Returns what an executor wrote in the form that loses nothing; null is an output that never came. */
    public static ExecutorOutput executorOutput(String text) {
        ExecutorOutput.Builder output = ExecutorOutput.newBuilder();
        if (text == null) {
            return output.build();
        }
        return isWellFormed(text) ? output.setText(text).build() : output.setRaw(bytes(text)).build();
    }

    /** Returns what another model wrote in the form that loses nothing; null is a text that never came. */
    public static ModelText modelText(String text) {
        ModelText.Builder written = ModelText.newBuilder();
        if (text == null) {
            return written.build();
        }
        return isWellFormed(text) ? written.setText(text).build() : written.setRaw(bytes(text)).build();
    }

    /** Returns evidence or a query with each lone surrogate replaced by U+FFFD; code point offsets stay as they are. */
    public static String clean(String text) {
        if (isWellFormed(text)) {
            return text;
        }
        StringBuilder cleaned = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (isSurrogate(point)) {
                cleaned.append(REPLACEMENT);
            } else {
                cleaned.appendCodePoint(point);
            }
        });
        return cleaned.toString();
    }

    /** Returns the request in a form that UTF-8 can carry: the same one where it is already. */
    static <T extends Message> T carried(T request) {
        Message changed = changed(request);
        @SuppressWarnings("unchecked") // a message of the same type
        T result = changed == null ? request : (T) changed;
        return result;
    }

    /** Returns the message with every text made fit to be sent, null where nothing had to be done. */
    private static Message changed(Message message) {
        Message.Builder builder = null;
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            Object value = changedField(message, entry.getKey(), entry.getValue());
            if (value != null) {
                builder = builder == null ? message.toBuilder() : builder;
                if (value instanceof ByteString) { // the sibling of `text` in its oneof, which clears `text`
                    builder.setField(message.getDescriptorForType().findFieldByName("raw"), value);
                } else {
                    builder.setField(entry.getKey(), value);
                }
            }
        }
        return builder == null ? null : builder.build();
    }

    private static Object changedField(Message message, FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            return changedList(message, field, (List<?>) value);
        }
        return changedValue(message, field, value);
    }

    private static List<Object> changedList(Message message, FieldDescriptor field, List<?> values) {
        List<Object> result = null;
        for (int index = 0; index < values.size(); index++) {
            Object changed = changedValue(message, field, values.get(index));
            if (changed != null) {
                result = result == null ? new ArrayList<>(values) : result;
                result.set(index, changed);
            }
        }
        return result;
    }

    private static Object changedValue(Message message, FieldDescriptor field, Object value) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            return changed((Message) value);
        }
        if (field.getJavaType() != FieldDescriptor.JavaType.STRING || isWellFormed((String) value)) {
            return null;
        }
        return isModelText(message.getDescriptorForType(), field) ? bytes((String) value) : clean((String) value);
    }

    private static boolean isModelText(Descriptor kind, FieldDescriptor field) {
        return field.getName().equals("text")
                && (kind.equals(ExecutorOutput.getDescriptor()) || kind.equals(ModelText.getDescriptor()));
    }

    /** Says whether UTF-8 can carry the text: it has no surrogate without its other half. */
    static boolean isWellFormed(String text) {
        int length = text.length();
        for (int index = 0; index < length; index++) {
            char unit = text.charAt(index);
            if (Character.isSurrogate(unit)) {
                if (Character.isLowSurrogate(unit) || index + 1 == length || !Character.isLowSurrogate(text.charAt(index + 1))) {
                    return false;
                }
                index++;
            }
        }
        return true;
    }

    /** Returns the text's bytes with each lone surrogate as its three bytes (ED A0 80 to ED BF BF). */
    private static ByteString bytes(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (isSurrogate(point)) {
                out.write(0xE0 | point >> 12);
                out.write(0x80 | point >> 6 & 0x3F);
                out.write(0x80 | point & 0x3F);
            } else {
                out.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return ByteString.copyFrom(out.toByteArray());
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
