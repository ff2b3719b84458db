package io.evidencegate.sample;

import io.evidencegate.client.EvaluationResult;
import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.client.ServiceException;
import io.evidencegate.v1.Channel;
import io.evidencegate.v1.ComposerOutput;
import io.evidencegate.v1.JudgeRequest;
import io.evidencegate.v1.WriteChannelRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Keeps what was judged and what the user was told, in the service's own store; a store that fails costs no answer. */
@Component
public class EvaluationStore {
    private static final Logger LOG = LoggerFactory.getLogger(EvaluationStore.class);

    private final EvidenceGateClient client;
    private final boolean enabled;

    public EvaluationStore(EvidenceGateClient client, EvidenceGateProperties properties) {
        this.client = client;
        this.enabled = properties.store();
    }

    /** Says whether evaluation and answer are kept. A request ID names one write: sent again, it changes nothing. */
    boolean keep(String sessionId, String requestId, JudgeRequest judged, EvaluationResult result, ComposerOutput output) {
        if (!enabled) {
            return false;
        }
        WriteChannelRequest.Builder write = WriteChannelRequest.newBuilder()
                .setSessionId(sessionId)
                .setChannel(Channel.CHANNEL_VERIFIER_EVALUATION);
        try {
            client.writeChannel(write.clone()
                    .setRequestId(requestId + ":evaluation")
                    .setEvaluation(result.evaluation())
                    .setJudgeRequest(judged)
                    .build());
            client.writeChannel(write.clone().setRequestId(requestId + ":composer").setComposerOutput(output).build());
            return true;
        } catch (ServiceException failure) {
            LOG.warn("{} was not stored: {}", sessionId, failure.getMessage());
            return false;
        }
    }
}
