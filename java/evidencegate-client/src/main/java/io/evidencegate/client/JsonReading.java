package io.evidencegate.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.IOException;
import java.io.StringReader;
import java.util.Collection;
import java.util.function.BiFunction;

/** Reads JSON strictly, with every digit of a number kept, and says what a value is. */
final class JsonReading {
    private JsonReading() {}

    /** Returns the value of the whole text; throws what {@code failure} makes for anything that is not exactly one. */
    static JsonElement parse(String json, BiFunction<String, Throwable, ? extends RuntimeException> failure) {
        try {
            JsonReader reader = new JsonReader(new StringReader(json));
            reader.setStrictness(Strictness.STRICT);
            JsonElement value = JsonParser.parseReader(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw failure.apply("no JSON: there is more after the first value", null);
            }
            return value;
        } catch (IOException | JsonParseException | StackOverflowError broken) {
            throw failure.apply("no JSON: " + broken.getMessage(), broken);
        }
    }

    static boolean isText(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
    }

    static boolean isBoolean(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsJsonPrimitive().isBoolean();
    }

    static boolean isNumber(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber();
    }

    /** Says whether a value is written as a whole number, without point or exponent. */
    static boolean isWhole(JsonElement value) {
        return isNumber(value) && value.getAsString().matches("-?[0-9]+");
    }

    /** Returns what a JSON value is, for a message to a person. */
    static String kindOf(JsonElement value) {
        if (value == null || value.isJsonNull()) {
            return "null";
        }
        if (value.isJsonObject() || value.isJsonArray()) {
            return value.isJsonObject() ? "an object" : "a list";
        }
        return isText(value) ? "a text" : isBoolean(value) ? "a boolean" : "a number";
    }

    /** Returns what to say of a key that is not known: the one that was meant, or all that are known. */
    static String unknownKey(String key, Collection<String> known) {
        return NearestName.of(key, known)
                .map(near -> "unknown key; did you mean \"" + near + "\"?")
                .orElseGet(() -> "unknown key; known are " + String.join(", ", known));
    }
}
