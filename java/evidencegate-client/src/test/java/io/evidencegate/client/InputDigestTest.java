package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.ToolInvocation;
import io.evidencegate.v1.ValidateRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class InputDigestTest {
    @TestFactory
    List<DynamicTest> everyVectorIsRecomputed() {
        JsonObject file = JsonParser.parseString(Repository.read(Repository.path("examples/digest_vectors.json"))).getAsJsonObject();
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonElement element : file.getAsJsonArray("vectors")) {
            JsonObject vector = element.getAsJsonObject();
            tests.add(DynamicTest.dynamicTest(vector.get("name").getAsString(), () -> assertEquals(
                    vector.get("input_digest").getAsString(), InputDigest.of(request(vector.get("request"))))));
        }
        return tests;
    }

    @Test
    void aCallWithoutStatusHasNoDigest() {
        ValidateRequest request = ValidateRequest.newBuilder().addToolInvocations(ToolInvocation.newBuilder().setId("7")).build();
        assertEquals(
                "the call 7 has no known status; set one",
                assertThrows(IllegalArgumentException.class, () -> InputDigest.of(request)).getMessage());
    }

    @Test
    void aValueWithNothingSetHasNoDigest() {
        Struct object = Struct.newBuilder().putFields("a", Value.getDefaultInstance()).build();
        ValidateRequest request = ValidateRequest.newBuilder().setExecutorOutput(ExecutorOutput.newBuilder().setObject(object)).build();
        assertThrows(IllegalArgumentException.class, () -> InputDigest.of(request));
    }

    private static ValidateRequest request(JsonElement json) throws InvalidProtocolBufferException {
        ValidateRequest.Builder builder = ValidateRequest.newBuilder();
        JsonFormat.parser().merge(json.toString(), builder);
        return builder.build();
    }
}
