package io.evidencegate.client;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Makes the failure of a request that is over this client's own limit, in the form in which the service tells of one. */
final class Limits {
    private Limits() {}

    static StatusRuntimeException tooLarge(int limit, int actual) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason("LIMIT_EXCEEDED")
                .setDomain("evidencegate")
                .putMetadata("what", "message_bytes")
                .putMetadata("limit", Integer.toString(limit))
                .putMetadata("actual", Integer.toString(actual))
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                .setMessage("the request has " + actual + " bytes, and this client sends at most " + limit)
                .addDetails(Any.pack(info))
                .build());
    }
}
