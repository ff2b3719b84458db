package io.evidencegate.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What google.rpc.Status carried beside a failure; all empty where it was absent or could not be read. */
record FailureDetails(
        String reason,
        String domain,
        Map<String, String> metadata,
        List<FieldViolation> fieldViolations,
        Optional<Duration> retryDelay) {

    static final FailureDetails NONE = new FailureDetails("", "", Map.of(), List.of(), Optional.empty());

    private static final Metadata.Key<byte[]> DETAILS_KEY =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Reads the details; a proxy's own bytes under the same key are no reason to fail. */
    static FailureDetails of(Metadata trailers) {
        byte[] bytes = trailers == null ? null : trailers.get(DETAILS_KEY);
        if (bytes == null) {
            return NONE;
        }
        List<Any> items;
        try {
            items = com.google.rpc.Status.parseFrom(bytes).getDetailsList();
        } catch (InvalidProtocolBufferException unreadable) {
            return NONE;
        }
        ErrorInfo info = ErrorInfo.getDefaultInstance();
        List<FieldViolation> violations = new ArrayList<>();
        for (Any item : items) {
            info = read(item, ErrorInfo.class).orElse(info);
            for (BadRequest.FieldViolation one :
                    read(item, BadRequest.class).orElse(BadRequest.getDefaultInstance()).getFieldViolationsList()) {
                violations.add(new FieldViolation(one.getField(), one.getDescription()));
            }
        }
        Optional<Duration> delay = items.stream()
                .flatMap(item -> read(item, RetryInfo.class).stream())
                .map(found -> duration(found.getRetryDelay()))
                .findFirst();
        return new FailureDetails(
                info.getReason(), info.getDomain(), Map.copyOf(info.getMetadataMap()), List.copyOf(violations), delay);
    }

    private static Duration duration(com.google.protobuf.Duration delay) {
        return Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
    }

    private static <T extends Message> Optional<T> read(Any item, Class<T> kind) {
        try {
            return item.is(kind) ? Optional.of(item.unpack(kind)) : Optional.empty();
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }
}
