package io.evidencegate.sample;

/**
 * What the user gets, and why.
 *
 * @param text the answer to show
 * @param verdict PASS, LOW_CONFID or REJECT
 * @param route what was done in the end
 * @param score the share of the critical facts that the evidence carries
 * @param rounds how many rounds were run
 * @param checked whether the service judged what the answer rests on; false where the text is the client's own safe text
 * @param stored whether the evaluation and the answer were kept
 */
public record ChatAnswer(
        String text, String verdict, String route, double score, int rounds, boolean checked, boolean stored) {}
