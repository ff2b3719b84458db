package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.ModelText;
import io.evidencegate.v1.RetrievalDetails;
import io.evidencegate.v1.ToolInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTextsTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "因内存不足", "🚨👩‍💻", "\ufffd", "\uffff"})
    void whatUtf8CanCarryTravelsAsText(String text) {
        assertEquals(ExecutorOutput.newBuilder().setText(text).build(), ModelTexts.executorOutput(text));
        assertEquals(ModelText.newBuilder().setText(text).build(), ModelTexts.modelText(text));
        assertSame(text, ModelTexts.clean(text));
    }

    @ParameterizedTest
    @CsvSource({
        // As Python's surrogatepass writes them.
        "a, D800, b, 61 ED A0 80 62", "'', DFFF, '', ED BF BF", "🚨, DC00, '', F0 9F 9A A8 ED B0 80", "'', DBFF, x, ED AF BF 78",
    })
    void aLoneSurrogateTravelsAsItsThreeBytes(String before, String surrogate, String after, String bytes) {
        String text = before + (char) Integer.parseInt(surrogate, 16) + after;
        byte[] expected = java.util.HexFormat.ofDelimiter(" ").withUpperCase().parseHex(bytes);
        assertEquals(ByteString.copyFrom(expected), ModelTexts.executorOutput(text).getRaw());
        assertEquals(ByteString.copyFrom(expected), ModelTexts.modelText(text).getRaw());
        assertEquals(before + "\ufffd" + after, ModelTexts.clean(text));
    }

    @Test
    void twoHalvesInTheWrongOrderAreTwoLoneOnes() {
        assertEquals("\ufffd\ufffd", ModelTexts.clean("\udc00\ud800"));
        assertFalse(ModelTexts.isWellFormed("\udc00\ud800"));
        assertTrue(ModelTexts.isWellFormed("\ud800\udc00"));
    }

    @Test
    void nullIsAnOutputThatNeverCame() {
        assertEquals(ExecutorOutput.getDefaultInstance(), ModelTexts.executorOutput(null));
        assertEquals(ModelText.getDefaultInstance(), ModelTexts.modelText(null));
    }

    @Test
    void theClientDoesItToEveryRequestWhereverTheTextStands() {
        try (FakeService fake = new FakeService();
                EvidenceGateClient client = EvidenceGateClient.connect(fake.target())) {
            client.judge(JudgeRequest.newBuilder()
                    .setOriginalQuery("why\ud800")
                    .setExecutorOutput(ExecutorOutput.newBuilder().setText("{\ud800"))
                    .setVerifierOutput(ModelText.newBuilder().setText("\udfff"))
                    .addToolInvocations(ToolInvocation.newBuilder().setId("1").setOutput("fine"))
                    .addToolInvocations(ToolInvocation.newBuilder()
                            .setOutput("cut \ud83d")
                            .setRetrievalDetails(RetrievalDetails.newBuilder()
                                    .addQueries("q\udc00")
                                    .addEvidenceRefs(EvidenceRef.newBuilder().setText("r\ud800").setRawPath("p"))))
                    .build());
            JudgeRequest came = (JudgeRequest) fake.last("Verifier/Judge");
            assertEquals("why\ufffd", came.getOriginalQuery());
            assertEquals(ByteString.copyFrom(new byte[] {'{', (byte) 0xED, (byte) 0xA0, (byte) 0x80}), came.getExecutorOutput().getRaw());
            assertEquals(ByteString.copyFrom(new byte[] {(byte) 0xED, (byte) 0xBF, (byte) 0xBF}), came.getVerifierOutput().getRaw());
            assertEquals("fine", came.getToolInvocations(0).getOutput());
            ToolInvocation second = came.getToolInvocations(1);
            assertEquals("cut \ufffd", second.getOutput());
            assertEquals("q\ufffd", second.getRetrievalDetails().getQueries(0));
            assertEquals("r\ufffd", second.getRetrievalDetails().getEvidenceRefs(0).getText());
            assertEquals("p", second.getRetrievalDetails().getEvidenceRefs(0).getRawPath());
        }
    }

    @Test
    void anObjectIsMadeFitToBeSentToo() {
        Struct inner = Struct.newBuilder().putFields("k\ud800", Value.newBuilder().setStringValue("v\udc00").build()).build();
        Struct object = Struct.newBuilder()
                .putFields("list", Value.newBuilder()
                        .setListValue(ListValue.newBuilder().addValues(Value.newBuilder().setStructValue(inner)))
                        .build())
                .putFields("fine", Value.newBuilder().setStringValue("🚨").build())
                .build();
        Struct carried = ModelTexts.carried(ExecutorOutput.newBuilder().setObject(object).build()).getObject();
        Struct mended = carried.getFieldsOrThrow("list").getListValue().getValues(0).getStructValue();
        assertEquals("v\ufffd", mended.getFieldsOrThrow("k\ufffd").getStringValue());
        assertEquals("🚨", carried.getFieldsOrThrow("fine").getStringValue());
    }

    @Test
    void aRequestThatIsFineIsNotCopied() {
        JudgeRequest request = JudgeRequest.newBuilder().setOriginalQuery("why? 🚨").build();
        assertSame(request, ModelTexts.carried(request));
    }
}
