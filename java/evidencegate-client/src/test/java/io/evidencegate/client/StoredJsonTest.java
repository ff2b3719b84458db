package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.evidencegate.v1.ClaimCheck;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.ExecutorOutput;
import io.evidencegate.v1.ParseReport;
import io.evidencegate.v1.RetryContext;
import io.evidencegate.v1.Verdict;
import io.evidencegate.v1.Verification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredJsonTest {
    @Test
    void wordsHaveNoPrefixAndDefaultsAreWrittenOut() {
        RetryContext context = RetryContext.newBuilder().setVerdict(Verdict.VERDICT_REJECT).addMissingInfo("a \"b\"\n\u0001🚨").build();
        String json = StoredJson.write(context);
        assertEquals(
                "{\"verdict\":\"REJECT\",\"groundedness_score\":0.0,\"weak_claims\":[],\"missing_info\":[\"a \\\"b\\\"\\n\\u0001🚨\"]}", json);
        assertEquals(context, StoredJson.read(json, RetryContext.getDefaultInstance()));
    }

    @Test
    void whatIsAbsentIsLeftOut() {
        assertEquals(
                "{\"status\":\"unspecified\",\"reason\":\"\",\"message\":\"\",\"line\":0,\"notes\":[],\"warnings\":[],"
                        + "\"raw_sha256\":\"\",\"raw_length\":0}",
                StoredJson.write(ParseReport.newBuilder().setLine(0).build()));
    }

    @Test
    void aNumberThatThisVersionDoesNotKnowSurvives() {
        ClaimCheck check = ClaimCheck.newBuilder().setVerificationValue(77).build();
        String json = StoredJson.write(check);
        assertTrue(json.contains("\"verification\":77"), json);
        assertEquals(check, StoredJson.read(json, ClaimCheck.getDefaultInstance()));
        assertEquals("direct_observation", StoredJson.word(Verification.VERIFICATION_DIRECT_OBSERVATION.getValueDescriptor()));
    }

    /** The Python client's test_vocabulary.py has the same text. */
    @Test
    void aFreeObjectGivesTheSameTextInEveryLanguage() {
        String text = "{\"object\":{\"a\":[1.0,null,true],\"z\":{\"b\":1e+17,\"c\":\"<\u2028\"},\"\uffee\":0.1,\"🚨\":\"\"}}";
        ExecutorOutput output = StoredJson.read(text, ExecutorOutput.getDefaultInstance());
        assertEquals("<\u2028", output.getObject().getFieldsOrThrow("z").getStructValue().getFieldsOrThrow("c").getStringValue());
        assertEquals(text, StoredJson.write(output));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "\"\\ud800\"", "{\"\\ud800\":1}", "[[-1e400]]"})
    void whatAFreeObjectCannotCarryIsRefusedWithItsPlace(String unfit) {
        String message = assertThrows(
                        StoredJsonException.class,
                        () -> StoredJson.read("{\"object\":{\"a\":" + unfit + "}}", ExecutorOutput.getDefaultInstance()))
                .getMessage();
        assertTrue(message.startsWith("object: "), message);
    }

    @Test
    void aNumberInAFreeObjectThatJsonCannotCarryIsRefused() {
        Struct object = Struct.newBuilder().putFields("a", Value.newBuilder().setNumberValue(Double.NaN).build()).build();
        ExecutorOutput output = ExecutorOutput.newBuilder().setObject(object).build();
        assertThrows(StoredJsonException.class, () -> StoredJson.write(output));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"verdikt\":1}|verdikt: unknown key; did you mean \"verdict\"?",
                "{\"verdict\":\"PASST\"}|verdict: \"PASST\" is none of UNSPECIFIED, PASS, LOW_CONFID, REJECT",
                "{\"verdict\":1}|verdict: 1 is none of",
                "{\"rationale\":1}|rationale: a number does not fit the field evidencegate.v1.Evaluation.rationale",
                "{\"claim_checks\":{}}|claim_checks: a list is wanted, not an object",
                "{\"claim_checks\":[[]]}|claim_checks[0]: an object is wanted, not a list",
                "{\"round\":1.5}|round: a number does not fit",
                "{\"round\":4294967296}|round: ",
                "{\"groundedness_score\":1e999}|groundedness_score: 1e999 is more than a double can hold",
                "{\"rationale\":\"\\ud800\"}|rationale: a lone surrogate",
                "{\"verdict\":}|no JSON",
                "{} {}|no JSON",
                "[]|Evaluation: an object is wanted, not a list",
            })
    void whatDoesNotFitIsNamedWithItsPlace(String json, String start) {
        String message = assertThrows(
                        StoredJsonException.class, () -> StoredJson.read(json, Evaluation.getDefaultInstance()))
                .getMessage();
        assertTrue(message.startsWith(start), message);
    }

    @ParameterizedTest
    @CsvSource({
        "0.6, 0.6", "1, 1.0", "0, 0.0", "-0.0, -0.0", "0.0001, 0.0001", "0.00001, 1e-05", "1e16, 1e+16", "123456789012345680, 1.2345678901234568e+17",
        "9007199254740993, 9007199254740992.0", "0.6666666666666666, 0.6666666666666666", "2e-3, 0.002", "5e-324, 5e-324", "1.7976931348623157e308, 1.7976931348623157e+308",
        "100, 100.0", "-12.5, -12.5", "2.0E-3, 0.002", "1e22, 1e+22", "2.2E-322, 2.2e-322", "1.0E23, 1e+23", "NaN, NaN", "-Infinity, -Infinity",
    })
    void numbersAreWrittenAsTheServiceWritesThem(double value, String expected) {
        assertEquals(expected, JsonText.number(value));
    }
}
