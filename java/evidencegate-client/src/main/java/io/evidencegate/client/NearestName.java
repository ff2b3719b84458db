package io.evidencegate.client;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** Finds the known name that somebody meant who misspelt it, by the same measure as the Python client ({@code difflib}). */
final class NearestName {
    // The share of characters in common from which on two names are near; Python's default.
    private static final double NEAR = 0.6;

    private NearestName() {}

    /** Returns the nearest of the known names, or nothing where none is near; of equally near ones the last by the alphabet. */
    static Optional<String> of(String written, Collection<String> known) {
        int[] wrong = written.codePoints().toArray();
        String nearest = null;
        double best = 0;
        for (String name : known) {
            double share = share(name.codePoints().toArray(), wrong);
            if (share >= NEAR && (nearest == null || share > best || share == best && name.compareTo(nearest) > 0)) {
                nearest = name;
                best = share;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** Returns twice the characters in common by both lengths, from 0 to 1. */
    private static double share(int[] name, int[] wrong) {
        double all = name.length + wrong.length;
        // No key is compared that is too long to be near, so that the work is bounded.
        return 2 * Math.min(name.length, wrong.length) / all < NEAR ? 0 : 2 * common(name, wrong) / all;
    }

    /** Counts the characters of the longest run that both have, and of those on its left and on its right. */
    private static int common(int[] left, int[] right) {
        int size = 0;
        int inLeft = 0;
        int inRight = 0;
        for (int i = 0; i < left.length; i++) {
            for (int j = 0; j < right.length; j++) {
                int run = run(left, i, right, j);
                if (run > size) {
                    size = run;
                    inLeft = i;
                    inRight = j;
                }
            }
        }
        if (size == 0) {
            return 0;
        }
        return size
                + common(Arrays.copyOf(left, inLeft), Arrays.copyOf(right, inRight))
                + common(
                        Arrays.copyOfRange(left, inLeft + size, left.length),
                        Arrays.copyOfRange(right, inRight + size, right.length));
    }

    private static int run(int[] left, int i, int[] right, int j) {
        int size = 0;
        while (i + size < left.length && j + size < right.length && left[i + size] == right[j + size]) {
            size++;
        }
        return size;
    }
}
