package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.TextSpan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpansTest {
    private static final String TEXT = "🚨 pod 𠮷野 OOMKilled 👩‍💻 137";

    @ParameterizedTest
    @CsvSource({
        "0, 1, 🚨", "2, 5, pod", "6, 8, 𠮷野", "9, 18, OOMKilled", "19, 22, 👩‍💻", "23, 26, 137", "26, 26, ''",
    })
    void aSpanInCodePointsQuotesTheSameWordsInJava(int start, int end, String expected) {
        assertEquals(expected, Spans.quote(TEXT, span(start, end)));
    }

    @Test
    void theRangeCountsUtf16Units() {
        assertEquals(new Spans.Utf16Range(3, 6), Spans.utf16(TEXT, span(2, 5)));
        assertEquals(new Spans.Utf16Range(TEXT.length(), TEXT.length()), Spans.utf16(TEXT, span(26, 26)));
    }

    @ParameterizedTest
    @CsvSource({"0, 27", "27, 27", "5, 4", "-1, 2"})
    void aSpanOfAnotherTextIsRefusedWithBothFigures(int start, int end) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> Spans.quote(TEXT, span(start, end))).getMessage();
        assertTrue(message.contains("[" + start + ", " + end + ")") && message.contains("26 code points"), message);
    }

    private static TextSpan span(int start, int end) {
        return TextSpan.newBuilder().setStart(start).setEnd(end).build();
    }
}
