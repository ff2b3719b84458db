package io.evidencegate.client;

/** Thrown when a JSON text is no session: a key is missing, is not known or has the wrong form. */
public final class InvalidSessionException extends EvidenceGateException {
    private static final long serialVersionUID = 1L;

    private final String place;

    InvalidSessionException(String place, String problem) {
        super(place.isEmpty() ? problem : place + ": " + problem, null);
        this.place = place;
    }

    /** Returns the path to what is wrong ({@code tool_invocations[2].status}), empty for the whole. */
    public String place() {
        return place;
    }
}
