package io.evidencegate.sample;

import io.evidencegate.client.ClientBuilder;
import io.evidencegate.client.Deadlines;
import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.client.RetryPolicy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes the client once for the whole program; Spring closes it at the end. */
@Configuration(proxyBeanMethods = false)
class EvidenceGateConfiguration {
    @Bean
    EvidenceGateClient evidenceGateClient(EvidenceGateProperties properties) {
        RetryPolicy usual = RetryPolicy.defaults();
        ClientBuilder builder = EvidenceGateClient.builder(properties.target())
                .deadlines(Deadlines.defaults()
                        .withValidate(properties.validateDeadline())
                        .withJudge(properties.judgeDeadline())
                        .withCompose(properties.composeDeadline()))
                .retryPolicy(new RetryPolicy(
                        properties.maxAttempts(), usual.initialBackoff(), usual.maxBackoff(), usual.backoffMultiplier()));
        if (properties.trustCertificates() != null) {
            builder.trustCertificates(properties.trustCertificates());
        }
        if (properties.clientCertificate() != null) {
            builder.clientCertificate(properties.clientCertificate(), properties.clientKey());
        }
        if (properties.tokenFile() != null) {
            builder.bearerTokenFile(properties.tokenFile());
        }
        return builder.build();
    }
}
