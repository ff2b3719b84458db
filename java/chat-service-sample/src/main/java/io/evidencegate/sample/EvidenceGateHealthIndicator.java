package io.evidencegate.sample;

import io.evidencegate.client.EvidenceGateClient;
import io.evidencegate.client.ServiceException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Says whether the judge can be reached. Keep it out of the liveness and readiness groups: without the judge this service still answers,
 * with the safe text.
 */
@Component
class EvidenceGateHealthIndicator implements HealthIndicator {
    private static final String VERIFIER = "evidencegate.v1.Verifier";

    private final EvidenceGateClient client;

    EvidenceGateHealthIndicator(EvidenceGateClient client) {
        this.client = client;
    }

    @Override
    public Health health() {
        try {
            return (client.isServing(VERIFIER) ? Health.up() : Health.outOfService())
                    .withDetail("target", client.target())
                    .build();
        } catch (ServiceException failure) {
            return Health.down()
                    .withDetail("target", client.target())
                    .withDetail("code", failure.code().name())
                    .build();
        }
    }
}
