package io.evidencegate.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The table of calls that clients of every language read: for each method a good call, and every wrong one with what comes back.
 * {@code tests/contract/calls/table.py} says how it is written.
 */
final class CallTable {
    private CallTable() {}

    /** The calls of one method. */
    record Row(String method, List<Call> before, JsonObject good, List<Refused> refused) {}

    /** A request of a method, changed. */
    record Call(String method, JsonObject changes) {}

    /** A call that is refused, and with what. */
    record Refused(
            String name, List<Call> before, JsonObject changes, String code, String reason, List<FieldViolation> violations, JsonObject metadata) {}

    /** Returns the row of each method, by its full name. */
    static Map<String, Row> load() {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (Path file : Repository.json("tests/contract/calls")) {
            JsonObject methods = JsonParser.parseString(Repository.read(file)).getAsJsonObject().getAsJsonObject("methods");
            for (String method : methods.keySet()) {
                JsonObject row = methods.getAsJsonObject(method);
                List<Refused> refused = new ArrayList<>();
                row.getAsJsonArray("refused").forEach(one -> refused.add(refused(one.getAsJsonObject())));
                rows.put(method, new Row(method, calls(row), row.getAsJsonObject("good"), refused));
            }
        }
        return rows;
    }

    private static Refused refused(JsonObject row) {
        List<FieldViolation> violations = new ArrayList<>();
        if (row.has("violations")) {
            for (JsonElement item : row.getAsJsonArray("violations")) {
                JsonArray pair = item.getAsJsonArray();
                violations.add(new FieldViolation(pair.get(0).getAsString(), pair.get(1).getAsString()));
            }
        }
        return new Refused(
                row.get("name").getAsString(), calls(row), row.getAsJsonObject("set"), row.get("code").getAsString(),
                row.get("reason").getAsString(), violations, row.getAsJsonObject("metadata"));
    }

    private static List<Call> calls(JsonObject row) {
        List<Call> calls = new ArrayList<>();
        if (row.has("before")) {
            for (JsonElement item : row.getAsJsonArray("before")) {
                JsonArray pair = item.getAsJsonArray();
                calls.add(new Call(pair.get(0).getAsString(), pair.get(1).getAsJsonObject()));
            }
        }
        return calls;
    }

    /** Returns the request of a method from its file in {@code examples/grpcurl}, changed. */
    static Message request(Call call, Message prototype) {
        String name = call.method().substring(call.method().lastIndexOf('/') + 1).replaceAll("(?<=[a-z])(?=[A-Z])", "_");
        Path file = Repository.path("examples/grpcurl/" + name.toLowerCase(Locale.ROOT) + ".json");
        JsonElement tree = JsonParser.parseString(Repository.read(file));
        call.changes().entrySet().forEach(change -> set(tree, keys(change.getKey()), expanded(change.getValue())));
        Message.Builder builder = prototype.newBuilderForType();
        try {
            JsonFormat.parser().merge(tree.toString(), builder);
        } catch (InvalidProtocolBufferException broken) {
            throw new IllegalStateException(call.method(), broken);
        }
        return builder.build();
    }

    /** Returns an answer as JSON with proto field names and defaults. */
    static JsonElement told(Message answer) {
        try {
            return JsonParser.parseString(
                    JsonFormat.printer().preservingProtoFieldNames().alwaysPrintFieldsWithNoPresence().print(answer));
        } catch (InvalidProtocolBufferException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Returns what stands at a JSON pointer; null where nothing does. */
    static JsonElement at(JsonElement tree, String pointer) {
        JsonElement found = tree;
        for (String key : keys(pointer)) {
            found = found == null ? null : step(found, key);
        }
        return found;
    }

    private static JsonElement step(JsonElement tree, String key) {
        if (tree.isJsonArray()) {
            int index = Integer.parseInt(key);
            return index < tree.getAsJsonArray().size() ? tree.getAsJsonArray().get(index) : null;
        }
        return tree.getAsJsonObject().get(key);
    }

    private static List<String> keys(String pointer) {
        List<String> keys = new ArrayList<>(List.of(pointer.split("/", -1)));
        keys.remove(0);
        keys.replaceAll(key -> key.replace("~1", "/").replace("~0", "~"));
        return keys;
    }

    private static void set(JsonElement tree, List<String> path, JsonElement value) {
        JsonElement place = tree;
        for (String key : path.subList(0, path.size() - 1)) {
            if (step(place, key) == null) {
                place.getAsJsonObject().add(key, new JsonObject());
            }
            place = step(place, key);
        }
        String last = path.get(path.size() - 1);
        if (place.isJsonArray() && last.equals("-")) {
            place.getAsJsonArray().add(value);
        } else if (place.isJsonArray()) {
            place.getAsJsonArray().set(Integer.parseInt(last), value);
        } else if (value.isJsonNull()) {
            place.getAsJsonObject().remove(last);
        } else {
            place.getAsJsonObject().add(last, value);
        }
    }

    private static JsonElement expanded(JsonElement value) {
        if (value.isJsonArray()) {
            JsonArray items = new JsonArray();
            value.getAsJsonArray().forEach(item -> items.add(expanded(item)));
            return items;
        }
        if (!value.isJsonObject()) {
            return value;
        }
        JsonObject object = value.getAsJsonObject();
        if (object.size() == 2 && object.has("repeat") && object.has("times")) {
            return repeated(expanded(object.get("repeat")), object.get("times").getAsInt());
        }
        JsonObject result = new JsonObject();
        object.entrySet().forEach(entry -> result.add(entry.getKey(), expanded(entry.getValue())));
        return result;
    }

    private static JsonElement repeated(JsonElement item, int times) {
        if (item.isJsonPrimitive() && item.getAsJsonPrimitive().isString()) {
            return new JsonPrimitive(item.getAsString().repeat(times));
        }
        JsonArray items = new JsonArray();
        for (int count = 0; count < times; count++) {
            items.add(item);
        }
        return items;
    }
}
