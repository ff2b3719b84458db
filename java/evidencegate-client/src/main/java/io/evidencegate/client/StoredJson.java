package io.evidencegate.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes every message as the JSON that leaves the product, and reads it back: the form of the service's store, of {@code --json} and of
 * the Python client, character by character.
 *
 * <p>Keys are the proto field names in the order of the fields. Enum values are words without their prefix: upper case for verdicts,
 * routes, invocation states and evaluation sources ({@code REJECT}), lower case for the rest ({@code direct_observation}). Defaults are
 * written out, an {@code optional} or message field that is absent is left out. {@link JsonFormat} has other words: do not mix the two.
 */
public final class StoredJson {
    private static final Set<String> UPPER_CASE = Set.of("Verdict", "Route", "InvocationStatus", "EvaluationSource");
    private static final String UNSET = "_UNSPECIFIED";
    private static final FreeObject OBJECT = new FreeObject(number -> number(number, "an object has "), () -> "null");

    private StoredJson() {}

    /** Returns the message as JSON text on one line: the same message gives the same text. */
    public static String write(Message message) {
        StringBuilder out = new StringBuilder();
        append(out, message);
        return out.toString();
    }

    /**
     * Reads back what {@link #write} wrote. A missing key is the default.
     *
     * @param prototype the default instance of the message that is wanted, for example {@code Evaluation.getDefaultInstance()}
     * @throws StoredJsonException with the place, for an unknown key, an unknown word or a value of the wrong type
     */
    public static <T extends Message> T read(String json, T prototype) {
        Message.Builder builder = prototype.newBuilderForType();
        fill(builder, JsonReading.parse(json, StoredJsonException::new), "");
        @SuppressWarnings("unchecked") // a builder gives its own type
        T result = (T) builder.build();
        return result;
    }

    /** Returns the word for an enum value; a number that this version does not know gives its digits. */
    public static String word(EnumValueDescriptor value) {
        EnumDescriptor kind = value.getType();
        // Of a number that is not known, protobuf makes a value that its enum does not have.
        return kind.findValueByNumber(value.getNumber()) == null
                ? Integer.toString(value.getNumber())
                : word(kind, value.getName());
    }

    private static String word(EnumDescriptor kind, String name) {
        String first = kind.getValues().get(0).getName();
        String prefix = first.substring(0, first.length() - UNSET.length()) + "_";
        String word = name.substring(prefix.length());
        return UPPER_CASE.contains(kind.getName()) ? word : word.toLowerCase(Locale.ROOT);
    }

    private static void append(StringBuilder out, Message message) {
        if (message instanceof Struct object) {
            OBJECT.append(out, object);
            return;
        }
        Descriptor kind = message.getDescriptorForType();
        out.append('{');
        boolean first = true;
        for (FieldDescriptor field : kind.getFields()) {
            if (field.isMapField()) {
                throw new StoredJsonException(field.getFullName() + " is a map, whose order nothing fixes");
            }
            if (field.isRepeated() || !field.hasPresence() || message.hasField(field)) {
                out.append(first ? "" : ",");
                first = false;
                JsonText.appendText(out, field.getName());
                out.append(':');
                appendField(out, field, message.getField(field));
            }
        }
        out.append('}');
    }

    private static void appendField(StringBuilder out, FieldDescriptor field, Object value) {
        if (!field.isRepeated()) {
            appendValue(out, field, value);
            return;
        }
        out.append('[');
        List<?> items = (List<?>) value;
        for (int index = 0; index < items.size(); index++) {
            out.append(index == 0 ? "" : ",");
            appendValue(out, field, items.get(index));
        }
        out.append(']');
    }

    private static void appendValue(StringBuilder out, FieldDescriptor field, Object value) {
        switch (field.getJavaType()) {
            case MESSAGE -> append(out, (Message) value);
            case ENUM -> {
                EnumValueDescriptor item = (EnumValueDescriptor) value;
                // A value that a newer service added has no word here; its number survives the way out and back.
                if (field.getEnumType().findValueByNumber(item.getNumber()) == null) {
                    out.append(item.getNumber());
                } else {
                    JsonText.appendText(out, word(item));
                }
            }
            case BYTE_STRING -> JsonText.appendText(out, Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
            case STRING -> JsonText.appendText(out, (String) value);
            case DOUBLE, FLOAT -> out.append(number(((Number) value).doubleValue(), field.getFullName() + " is "));
            default -> out.append(value);
        }
    }

    private static String number(double number, String place) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new StoredJsonException(place + number + ", which JSON cannot carry");
        }
        return JsonText.number(number);
    }

    private static void fill(Message.Builder builder, JsonElement element, String place) {
        Descriptor kind = builder.getDescriptorForType();
        if (!element.isJsonObject()) {
            throw misfit(place.isEmpty() ? kind.getName() : place, "an object is wanted, not " + JsonReading.kindOf(element));
        }
        if (kind.getFullName().equals(Struct.getDescriptor().getFullName())) {
            fillStruct(builder, element, place);
            return;
        }
        JsonObject object = element.getAsJsonObject();
        for (String key : object.keySet()) {
            String where = place.isEmpty() ? key : place + "." + key;
            FieldDescriptor field = kind.findFieldByName(key);
            if (field == null) {
                throw misfit(where, JsonReading.unknownKey(key, kind.getFields().stream().map(FieldDescriptor::getName).toList()));
            }
            fillField(builder, field, object.get(key), where);
        }
    }

    private static void fillStruct(Message.Builder builder, JsonElement element, String place) {
        String json = wellFormed(element.toString(), place);
        try {
            JsonFormat.parser().merge(json, builder);
            write(builder.build()); // which refuses a number that is more than a double can hold
        } catch (InvalidProtocolBufferException | StoredJsonException unfit) {
            throw new StoredJsonException(place + ": " + unfit.getMessage(), unfit);
        }
    }

    private static void fillField(Message.Builder builder, FieldDescriptor field, JsonElement value, String place) {
        if (field.isRepeated()) {
            if (!value.isJsonArray()) {
                throw misfit(place, "a list is wanted, not " + JsonReading.kindOf(value));
            }
            int index = 0;
            for (JsonElement item : value.getAsJsonArray()) {
                builder.addRepeatedField(field, inward(builder, field, item, place + "[" + index++ + "]"));
            }
        } else if (!(value.isJsonNull() && field.hasPresence())) {
            builder.setField(field, inward(builder, field, value, place));
        }
    }

    private static Object inward(Message.Builder parent, FieldDescriptor field, JsonElement value, String place) {
        try {
            return switch (field.getJavaType()) {
                case MESSAGE -> {
                    Message.Builder builder = parent.newBuilderForField(field);
                    fill(builder, value, place);
                    yield builder.build();
                }
                case ENUM -> enumValue(field.getEnumType(), value, place);
                case BOOLEAN -> JsonReading.isBoolean(value) ? value.getAsBoolean() : noFit(field, value, place);
                case STRING -> JsonReading.isText(value) ? wellFormed(value.getAsString(), place) : noFit(field, value, place);
                case BYTE_STRING ->
                    JsonReading.isText(value)
                            ? ByteString.copyFrom(Base64.getDecoder().decode(value.getAsString()))
                            : noFit(field, value, place);
                case INT -> JsonReading.isWhole(value) ? value.getAsBigInteger().intValueExact() : noFit(field, value, place);
                case LONG -> JsonReading.isWhole(value) ? value.getAsBigInteger().longValueExact() : noFit(field, value, place);
                case DOUBLE -> JsonReading.isNumber(value) ? finite(value, place) : noFit(field, value, place);
                case FLOAT -> JsonReading.isNumber(value) ? (float) finite(value, place) : noFit(field, value, place);
            };
        } catch (ArithmeticException | IllegalArgumentException unfit) {
            throw new StoredJsonException(place + ": " + unfit.getMessage(), unfit);
        }
    }

    private static EnumValueDescriptor enumValue(EnumDescriptor kind, JsonElement value, String place) {
        List<EnumValueDescriptor> values = kind.getValues();
        if (JsonReading.isText(value)) {
            for (EnumValueDescriptor item : values) {
                if (word(kind, item.getName()).equals(value.getAsString())) {
                    return item;
                }
            }
        }
        // Only a number without a word was written as a number, so that no value has two forms.
        if (JsonReading.isWhole(value) && kind.findValueByNumber(value.getAsBigInteger().intValueExact()) == null) {
            return kind.findValueByNumberCreatingIfUnknown(value.getAsInt());
        }
        throw misfit(place, value + " is none of "
                + String.join(", ", values.stream().map(item -> word(kind, item.getName())).toList()));
    }

    private static String wellFormed(String text, String place) {
        if (!ModelTexts.isWellFormed(text)) {
            throw misfit(place, "a lone surrogate, which no stored text has");
        }
        return text;
    }

    private static double finite(JsonElement value, String place) {
        double number = value.getAsDouble();
        if (Double.isInfinite(number)) {
            throw misfit(place, value + " is more than a double can hold");
        }
        return number;
    }

    private static Object noFit(FieldDescriptor field, JsonElement value, String place) {
        throw misfit(place, JsonReading.kindOf(value) + " does not fit the field " + field.getFullName());
    }

    private static StoredJsonException misfit(String place, String problem) {
        return new StoredJsonException(place + ": " + problem);
    }
}
