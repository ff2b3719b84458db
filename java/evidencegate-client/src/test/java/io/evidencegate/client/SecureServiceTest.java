package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.testserver.EvidenceGateServer;
import io.evidencegate.v1.JudgeRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against the service as it asks who calls. */
class SecureServiceTest {
    private static final Deadlines PATIENT = Deadlines.all(Duration.ofSeconds(60));
    private static final String TOKEN = "VGhpc0lzQVRva2VuT2ZUaGVUZXN0cw";

    @TempDir
    static Path folder;

    @BeforeAll
    static void makeFiles() throws IOException, GeneralSecurityException {
        HeldCertificate authority = new HeldCertificate.Builder().certificateAuthority(0).commonName("test authority").build();
        HeldCertificate server = new HeldCertificate.Builder()
                .signedBy(authority)
                .addSubjectAlternativeName("localhost")
                .addSubjectAlternativeName("127.0.0.1")
                .build();
        HeldCertificate caller = new HeldCertificate.Builder()
                .signedBy(authority)
                .commonName("chat-service")
                .addSubjectAlternativeName("chat-service")
                .build();
        write("ca.pem", authority.certificatePem());
        write("server.pem", server.certificatePem());
        write("server.key", server.privateKeyPkcs8Pem());
        write("caller.pem", caller.certificatePem());
        write("caller.key", caller.privateKeyPkcs8Pem());
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.US_ASCII));
        write("tokens", "chat-service sha256:" + HexFormat.of().formatHex(digest) + "\n");
        write("token", TOKEN + "\n");
    }

    private static void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static ClientBuilder builder(EvidenceGateServer server) {
        return EvidenceGateClient.builder(server.target())
                .deadlines(PATIENT)
                .retryPolicy(RetryPolicy.none())
                .trustCertificates(folder.resolve("ca.pem"));
    }

    private static String path(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void aTokenOverTlsIsTakenAndAnyOtherIsNeverAFallback() {
        JudgeRequest request = SessionFile.judgeRequest(Repository.session("01"));
        try (EvidenceGateServer server = EvidenceGateServer.start(
                "--tls-cert", path("server.pem"), "--tls-key", path("server.key"), "--tokens", path("tokens"))) {
            try (EvidenceGateClient client = builder(server).bearerTokenFile(folder.resolve("token")).build()) {
                assertEquals("VERDICT_PASS", client.evaluate(request).verdict().name());
            }
            try (EvidenceGateClient wrong = builder(server).bearerToken("bm90LXRoZS10b2tlbg").build()) {
                AccessException error = assertThrows(AccessException.class, () -> wrong.evaluate(request));
                assertEquals("TOKEN_INVALID", error.reason());
                assertTrue(error.getMessage().contains("bearerToken"), error.getMessage());
            }
            try (EvidenceGateClient without = builder(server).build()) {
                AccessException error = assertThrows(AccessException.class, () -> without.evaluate(request));
                assertEquals("TOKEN_MISSING", error.reason());
                assertTrue(without.isServing(""));
            }
        }
    }

    @Test
    void mutualTlsTakesACertificateOfItsAuthorityAlone() {
        try (EvidenceGateServer server = EvidenceGateServer.start(
                "--tls-cert", path("server.pem"), "--tls-key", path("server.key"), "--tls-client-ca", path("ca.pem"))) {
            try (EvidenceGateClient client =
                    builder(server).clientCertificate(folder.resolve("caller.pem"), folder.resolve("caller.key")).build()) {
                assertFalse(client.getRuleCatalog().getRulesList().isEmpty());
            }
            try (EvidenceGateClient without = builder(server).build()) {
                assertThrows(UnavailableException.class, without::getRuleCatalog);
            }
        }
    }
}
