package io.evidencegate.client;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;

/**
 * Writes a free JSON object, its keys in the order of their code points, so that the same object gives the same text.
 *
 * @param number how a number is written
 * @param unset what stands for a value with nothing set; it may throw
 */
record FreeObject(DoubleFunction<String> number, Supplier<String> unset) {

    void append(StringBuilder out, Struct struct) {
        String[] keys = struct.getFieldsMap().keySet().toArray(new String[0]);
        Arrays.sort(keys, FreeObject::byCodePoints);
        out.append('{');
        for (int position = 0; position < keys.length; position++) {
            out.append(position == 0 ? "" : ",");
            JsonText.appendText(out, keys[position]);
            out.append(':');
            append(out, struct.getFieldsOrThrow(keys[position]));
        }
        out.append('}');
    }

    /** Compares by code points, since Java's own order of texts puts emoji before the end of the basic plane. */
    static int byCodePoints(String left, String right) {
        return Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
    }

    private void append(StringBuilder out, Value value) {
        switch (value.getKindCase()) {
            case STRING_VALUE -> JsonText.appendText(out, value.getStringValue());
            case NUMBER_VALUE -> out.append(number.apply(value.getNumberValue()));
            case BOOL_VALUE -> out.append(value.getBoolValue());
            case NULL_VALUE -> out.append("null");
            case STRUCT_VALUE -> append(out, value.getStructValue());
            case LIST_VALUE -> {
                out.append('[');
                List<Value> items = value.getListValue().getValuesList();
                for (int position = 0; position < items.size(); position++) {
                    out.append(position == 0 ? "" : ",");
                    append(out, items.get(position));
                }
                out.append(']');
            }
            case KIND_NOT_SET -> out.append(unset.get());
        }
    }
}
