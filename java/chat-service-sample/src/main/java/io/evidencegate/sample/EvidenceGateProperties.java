package io.evidencegate.sample;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the service is called: {@code evidencegate.target} and so on.
 *
 * @param target HOST:PORT
 * @param validateDeadline how long Validate may take in all
 * @param judgeDeadline how long Judge may take in all
 * @param composeDeadline how long Compose may take in all
 * @param maxAttempts how often a call is sent at most
 * @param store whether evaluations are kept by the service, which then needs {@code serve --store}
 * @param trustCertificates PEM file of who may sign the server's certificate; makes the channel a TLS one
 * @param clientCertificate PEM file of the certificate to show, for mutual TLS
 * @param clientKey PEM file of its key
 * @param tokenFile file with the bearer token, read for each call
 */
@ConfigurationProperties("evidencegate")
public record EvidenceGateProperties(
        @DefaultValue("127.0.0.1:50051") String target,
        @DefaultValue("5s") Duration validateDeadline,
        @DefaultValue("10s") Duration judgeDeadline,
        @DefaultValue("5s") Duration composeDeadline,
        @DefaultValue("4") int maxAttempts,
        @DefaultValue("false") boolean store,
        Path trustCertificates,
        Path clientCertificate,
        Path clientKey,
        Path tokenFile) {

    public EvidenceGateProperties {
        if ((clientCertificate == null) != (clientKey == null)) {
            throw new IllegalArgumentException("evidencegate.client-certificate and evidencegate.client-key belong together: set both or neither");
        }
    }
}
