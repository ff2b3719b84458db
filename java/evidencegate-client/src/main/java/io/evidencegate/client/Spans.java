package io.evidencegate.client;

import io.evidencegate.v1.TextSpan;

/**
 * Finds in a Java text what a {@link TextSpan} points at. Spans count code points; a Java text counts UTF-16 units, of which an emoji
 * or a rare Chinese character has two, so that {@code text.substring(span.getStart(), span.getEnd())} is wrong after the first one.
 */
public final class Spans {
    private Spans() {}

    /**
     * A half-open range of UTF-16 units, for {@link String#substring(int, int)}.
     *
     * @param start the first unit, from 0
     * @param end one past the last unit
     */
    public record Utf16Range(int start, int end) {}

    /**
     * Returns where the span lies in the text.
     *
     * @throws IllegalArgumentException where it does not lie inside: then the text is another than the one that was judged
     */
    public static Utf16Range utf16(String text, TextSpan span) {
        try {
            if (span.getStart() < 0 || span.getEnd() < span.getStart()) {
                throw new IndexOutOfBoundsException();
            }
            int start = text.offsetByCodePoints(0, span.getStart());
            return new Utf16Range(start, text.offsetByCodePoints(start, span.getEnd() - span.getStart()));
        } catch (IndexOutOfBoundsException outside) {
            throw new IllegalArgumentException(
                    "the span [" + span.getStart() + ", " + span.getEnd() + ") does not lie inside this text of "
                            + text.codePointCount(0, text.length()) + " code points: use the text that was judged",
                    outside);
        }
    }

    /** Returns the words that the span points at; throws as {@link #utf16}. */
    public static String quote(String text, TextSpan span) {
        Utf16Range range = utf16(text, span);
        return text.substring(range.start(), range.end());
    }
}
