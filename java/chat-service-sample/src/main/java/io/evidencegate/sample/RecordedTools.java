package io.evidencegate.sample;

import io.evidencegate.v1.EvidenceRef;
import io.evidencegate.v1.InvocationStatus;
import io.evidencegate.v1.RetrievalDetails;
import io.evidencegate.v1.ToolInvocation;
import java.util.concurrent.atomic.AtomicLong;

/** Gives back what was recorded of real tools, as the rows in which a real agent's database keeps its calls. */
final class RecordedTools {
    static final String LOGS = "query_logs";
    static final String DESCRIBE = "kubectl_describe";

    private static final String LOG_LINES = """
            2026-03-11T02:14:03.118Z INFO  checkout starting, version 2.31.4
            2026-03-11T02:14:09.560Z INFO  checkout loading price table into cache
            2026-03-11T02:15:41.027Z INFO  checkout starting, version 2.31.4""";
    private static final String DESCRIPTION = """
            Name:         checkout-7c9d5b6f4-x2lqp
            Namespace:    shop
            Containers:
              checkout:
                State:          Waiting
                  Reason:       CrashLoopBackOff
                Last State:     Terminated
                  Reason:       OOMKilled
                  Exit Code:    137
                Restart Count:  6
                Limits:
                  memory:  512Mi""";

    private final AtomicLong nextId = new AtomicLong(7301);

    /** Runs one tool and returns the stored call: input, output, and each line of the output under its address. */
    ToolInvocation run(String tool) {
        boolean logs = tool.equals(LOGS);
        String output = logs ? LOG_LINES : DESCRIPTION;
        RetrievalDetails.Builder details = RetrievalDetails.newBuilder();
        String[] lines = output.split("\n");
        for (int number = 0; number < lines.length; number++) {
            details.addEvidenceRefs(EvidenceRef.newBuilder().setRawPath("lines[" + number + "]").setText(lines[number]));
        }
        return ToolInvocation.newBuilder()
                .setId(Long.toString(nextId.getAndIncrement()))
                .setToolName(tool)
                .setStatus(InvocationStatus.INVOCATION_STATUS_SUCCESS)
                .setInput(logs ? "{\"query\": \"{app=\\\"checkout\\\"}\", \"limit\": 100}" : "{\"kind\": \"pod\", \"namespace\": \"shop\"}")
                .setOutput(output)
                .setRetrievalDetails(details)
                .build();
    }
}
