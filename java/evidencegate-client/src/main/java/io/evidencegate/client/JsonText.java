package io.evidencegate.client;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Writes JSON's texts and numbers as the service does, so that the same value gives the same characters. */
final class JsonText {
    // As many digits as any double needs.
    private static final int MOST_DIGITS = 17;
    // Where the service's writer changes to an exponent.
    private static final int LEAST_EXPONENT = -4;
    private static final int MOST_EXPONENT = 16;

    private JsonText() {}

    /** Appends a text in quotes; only what JSON demands is escaped. */
    static void appendText(StringBuilder out, String text) {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            char unit = text.charAt(index);
            switch (unit) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    if (unit < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                    } else {
                        out.append(unit);
                    }
                }
            }
        }
        out.append('"');
    }

    /**
     * Returns the shortest text that reads back as the same double: {@code 0.6}, {@code 1e-05}, {@code 100.0}; {@code NaN} and
     * {@code Infinity} as they are. Java 17's own writer sometimes has a digit too many.
     */
    static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0.0" : "0.0";
        }
        BigDecimal shortest = shortest(value);
        String digits = shortest.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        String sign = value < 0 ? "-" : "";
        if (exponent < LEAST_EXPONENT || exponent >= MOST_EXPONENT) {
            String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
            return sign + digits.charAt(0) + fraction + (exponent < 0 ? "e-" : "e+")
                    + String.format(Locale.ROOT, "%02d", Math.abs(exponent));
        }
        String plain = shortest.abs().toPlainString();
        return sign + (plain.contains(".") ? plain : plain + ".0");
    }

    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (rounded.doubleValue() == value) {
                return rounded.stripTrailingZeros();
            }
        }
        return exact.round(new MathContext(MOST_DIGITS, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }
}
