package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.ClaimCheck;
import io.evidencegate.v1.Evaluation;
import io.evidencegate.v1.GatekeeperResult;
import io.evidencegate.v1.Route;
import io.evidencegate.v1.Verdict;
import io.evidencegate.v1.Verification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingsTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1, 1, VERDICT_PASS, ROUTE_COMPOSE",
        "2, 3, 1, VERDICT_LOW_CONFID, ROUTE_RETRY",
        "2, 2, 1, VERDICT_LOW_CONFID, ROUTE_COMPOSE_WITH_UNCERTAINTY",
        "3, 4, 1, VERDICT_REJECT, ROUTE_DEGRADE",
        // What is not set, or unknown to this version, is never better.
        "0, 1, 1, VERDICT_REJECT, ROUTE_DEGRADE",
        "9, 1, 1, VERDICT_REJECT, ROUTE_DEGRADE",
        "-1, 1, 1, VERDICT_REJECT, ROUTE_DEGRADE",
        "1, 0, 1, VERDICT_PASS, ROUTE_DEGRADE",
        "1, 77, 1, VERDICT_PASS, ROUTE_DEGRADE",
        // A pass that no service gave.
        "1, 1, 2, VERDICT_LOW_CONFID, ROUTE_COMPOSE_WITH_UNCERTAINTY",
        "1, 1, 0, VERDICT_LOW_CONFID, ROUTE_COMPOSE_WITH_UNCERTAINTY",
        "1, 1, 9, VERDICT_LOW_CONFID, ROUTE_COMPOSE_WITH_UNCERTAINTY",
    })
    void valuesAreReadOnTheSafeSide(int verdict, int route, int source, Verdict readVerdict, Route readRoute) {
        Evaluation evaluation = Evaluation.newBuilder()
                .setVerdictValue(verdict)
                .setRouteValue(route)
                .setSourceValue(source)
                .build();
        assertEquals(readVerdict, Readings.verdict(evaluation));
        assertEquals(readRoute, Readings.route(evaluation));
    }

    @Test
    void aPassOverAFallbackOfTheGatekeeperIsNone() {
        Evaluation evaluation = Evaluation.newBuilder()
                .setVerdictValue(1)
                .setRouteValue(1)
                .setSourceValue(1)
                .setGatekeeperResult(GatekeeperResult.newBuilder().setFallback(true))
                .build();
        assertEquals(Verdict.VERDICT_LOW_CONFID, Readings.verdict(evaluation));
        assertEquals(Route.ROUTE_COMPOSE_WITH_UNCERTAINTY, Readings.route(evaluation));
    }

    @ParameterizedTest
    @CsvSource({
        "1, VERIFICATION_DIRECT_OBSERVATION", "6, VERIFICATION_CONTRADICTED", "0, VERIFICATION_UNSUPPORTED", "55, VERIFICATION_UNSUPPORTED",
    })
    void aLabelThatIsNotKnownIsUnsupported(int number, Verification expected) {
        assertEquals(expected, Readings.label(ClaimCheck.newBuilder().setVerificationValue(number).build()));
    }

    @ParameterizedTest
    @CsvSource({"1, false, true", "2, false, true", "3, false, false", "0, false, false", "8, false, false", "1, true, false"})
    void onlyAKnownResultOfTheServiceHasPassedTheRules(int status, boolean fallback, boolean expected) {
        assertEquals(
                expected,
                Readings.passedRules(GatekeeperResult.newBuilder().setStatusValue(status).setFallback(fallback).build()));
    }

    @Test
    void anEvaluationWithoutSourceIsAFallback() {
        assertTrue(Readings.isFallback(Evaluation.getDefaultInstance()));
        assertFalse(Readings.isFallback(Evaluation.newBuilder().setSourceValue(1).build()));
    }
}
