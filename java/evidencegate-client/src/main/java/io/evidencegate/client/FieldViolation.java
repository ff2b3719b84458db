package io.evidencegate.client;

/**
 * One field of a request that the service refused.
 *
 * @param field its path, for example {@code tool_invocations[3].id}; empty where the service only counts further ones
 * @param description what is wrong with it
 */
public record FieldViolation(String field, String description) {
    @Override
    public String toString() {
        return field.isEmpty() ? description : field + ": " + description;
    }
}
