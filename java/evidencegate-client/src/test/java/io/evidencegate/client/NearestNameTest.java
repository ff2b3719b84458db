package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected names are what Python's {@code difflib.get_close_matches(written, known, n=1)} gives. */
class NearestNameTest {
    private static final List<String> KNOWN =
            List.of("id", "tool_name", "status", "round", "topic_domain", "input", "output", "error", "retrieval_details", "raw_path", "text");

    @ParameterizedTest
    @CsvSource({
        "tool, tool_name",
        "toolName, tool_name",
        "rond, round",
        "outputs, output",
        "put, input",
        "rawpath, raw_path",
        "path, raw_path",
        "evidence_details, retrieval_details",
        "tex, text",
        "I, ",
        "naem, ",
        "notes, ",
        "结果, ",
    })
    void theNearestNameIsTheOneThatPythonNames(String written, String nearest) {
        assertEquals(nearest, NearestName.of(written, KNOWN).orElse(null));
    }

    @Test
    void aKeyThatIsEmptyOrVeryLongIsNearToNothing() {
        assertEquals(null, NearestName.of("", KNOWN).orElse(null));
        assertEquals(null, NearestName.of("output".repeat(1_000_000), KNOWN).orElse(null));
    }

    @Test
    void ofEquallyNearNamesTheLastByTheAlphabetIsNamed() {
        assertEquals("bat", NearestName.of("at", List.of("bat", "aat")).orElse(null));
        assertEquals("bat", NearestName.of("at", List.of("aat", "bat")).orElse(null));
    }
}
