package io.evidencegate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.evidencegate.v1.JudgeRequest;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS, mutual TLS and bearer tokens, with certificates that are made here. */
class CredentialsTest {
    private static final Deadlines PATIENT = Deadlines.all(Duration.ofSeconds(60));
    private static final JudgeRequest REQUEST = JudgeRequest.newBuilder().setRound(1).build();

    @TempDir
    static Path folder;

    private static HeldCertificate authority;
    private static HeldCertificate own;

    @BeforeAll
    static void makeCertificates() throws IOException {
        authority = new HeldCertificate.Builder().certificateAuthority(0).commonName("test authority").build();
        own = new HeldCertificate.Builder().signedBy(authority).commonName("localhost").addSubjectAlternativeName("localhost").build();
        HeldCertificate caller = new HeldCertificate.Builder().signedBy(authority).commonName("chat-service").build();
        HeldCertificate stranger = new HeldCertificate.Builder().commonName("stranger").build();
        Files.writeString(folder.resolve("ca.pem"), authority.certificatePem());
        Files.writeString(folder.resolve("caller.pem"), caller.certificatePem());
        Files.writeString(folder.resolve("caller.key"), caller.privateKeyPkcs8Pem());
        Files.writeString(folder.resolve("stranger.pem"), stranger.certificatePem());
        Files.writeString(folder.resolve("stranger.key"), stranger.privateKeyPkcs8Pem());
    }

    private static ServerCredentials server(boolean mutual) throws IOException {
        TlsServerCredentials.Builder builder = TlsServerCredentials.newBuilder()
                .keyManager(stream(own.certificatePem()), stream(own.privateKeyPkcs8Pem()));
        if (mutual) {
            builder.trustManager(stream(authority.certificatePem())).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
        }
        return builder.build();
    }

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static ClientBuilder builder(FakeService fake) {
        return EvidenceGateClient.builder(fake.target()).retryPolicy(RetryPolicy.none()).deadlines(PATIENT);
    }

    @Test
    void aTrustedServerIsCalledOverTls() throws IOException {
        try (FakeService fake = new FakeService(server(false));
                EvidenceGateClient client = builder(fake).trustCertificates(folder.resolve("ca.pem")).build()) {
            client.judge(REQUEST);
            assertEquals(1, fake.count("Verifier/Judge"));
        }
    }

    @Test
    void aServerThatNobodyTrustsIsNotCalled() throws IOException {
        try (FakeService fake = new FakeService(server(false));
                EvidenceGateClient client = builder(fake).tls().build()) {
            String message = assertThrows(UnavailableException.class, () -> client.judge(REQUEST)).getMessage();
            assertTrue(message.contains("certification path"), message);
            assertEquals(0, fake.count("Verifier/Judge"));
        }
    }

    @Test
    void theNameOfTheCertificateMustFit() throws IOException {
        try (FakeService fake = new FakeService(server(false))) {
            String address = fake.target().replace("localhost", "127.0.0.1");
            Path ca = folder.resolve("ca.pem");
            try (EvidenceGateClient client =
                    EvidenceGateClient.builder(address).retryPolicy(RetryPolicy.none()).trustCertificates(ca).build()) {
                assertThrows(UnavailableException.class, () -> client.judge(REQUEST));
            }
            try (EvidenceGateClient client =
                    EvidenceGateClient.builder(address).deadlines(PATIENT).trustCertificates(ca).overrideAuthority("localhost").build()) {
                client.judge(REQUEST);
            }
        }
    }

    @Test
    void mutualTlsNeedsACertificateOfTheServersAuthority() throws IOException {
        try (FakeService fake = new FakeService(server(true))) {
            Path ca = folder.resolve("ca.pem");
            try (EvidenceGateClient client = builder(fake)
                    .trustCertificates(ca)
                    .clientCertificate(folder.resolve("caller.pem"), folder.resolve("caller.key"))
                    .build()) {
                client.judge(REQUEST);
            }
            try (EvidenceGateClient without = builder(fake).trustCertificates(ca).build()) {
                assertThrows(UnavailableException.class, () -> without.judge(REQUEST));
            }
            try (EvidenceGateClient stranger = builder(fake)
                    .trustCertificates(ca)
                    .clientCertificate(folder.resolve("stranger.pem"), folder.resolve("stranger.key"))
                    .build()) {
                assertThrows(UnavailableException.class, () -> stranger.judge(REQUEST));
            }
            assertEquals(1, fake.count("Verifier/Judge"));
        }
    }

    @Test
    void theTokenGoesWithEachCallAndAWrongOneIsNeverAFallback() {
        AtomicReference<String> token = new AtomicReference<>("first-token");
        try (FakeService fake = new FakeService().wantsToken("first-token");
                EvidenceGateClient client = builder(fake).bearerToken(token::get).build()) {
            client.judge(REQUEST);
            token.set("old-token");
            AccessException error = assertThrows(AccessException.class, () -> client.evaluate(REQUEST));
            assertTrue(error.getMessage().contains("this token is not known"), error.getMessage());
            assertFalse(error.getMessage().contains("old-token"), error.getMessage());
            token.set("first-token");
            client.judge(REQUEST);
        }
    }

    @Test
    void aTokenFileIsReadForEachCall() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "one\n");
        try (FakeService fake = new FakeService().wantsToken("two");
                EvidenceGateClient client = builder(fake).bearerTokenFile(file).build()) {
            assertThrows(AccessException.class, () -> client.judge(REQUEST));
            Files.writeString(file, "two\n");
            client.judge(REQUEST);
            Files.delete(file);
            AccessException gone = assertThrows(AccessException.class, () -> client.evaluate(REQUEST));
            assertTrue(gone.getMessage().contains("cannot read the token file"), gone.getMessage());
            assertEquals(2, fake.headers.size());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "line\nend", "Ümlaut", "=x"})
    void whatIsNoTokenIsRefusedAndNotRepeated(String token) {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> EvidenceGateClient.builder("localhost:1").bearerToken(token))
                .getMessage();
        assertTrue(token.isBlank() || !message.contains(token), message);
    }

    @Test
    void aTokenDoesNotLeaveTheMachineInPlainText() {
        ClientBuilder builder = EvidenceGateClient.builder("gate.example:443").bearerToken("t0ken-of-mine");
        String message = assertThrows(IllegalStateException.class, builder::build).getMessage();
        assertTrue(message.contains("gate.example:443") && message.contains("tls()"), message);
        assertFalse(message.contains("t0ken-of-mine"), message);
        builder.allowTokenInPlainText().build().close();
        EvidenceGateClient.builder("gate.example:443").bearerToken("t0ken-of-mine").tls().build().close();
        for (String local : new String[] {"localhost:1", "127.0.0.1:1", "[::1]:1", "dns:///localhost:1"}) {
            EvidenceGateClient.builder(local).bearerToken("t0ken-of-mine").build().close();
        }
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        ClientBuilder builder = EvidenceGateClient.builder("localhost:1");
        assertTrue(assertThrows(java.io.UncheckedIOException.class, () -> builder.trustCertificates(folder.resolve("none.pem")))
                .getMessage()
                .contains("none.pem"));
        assertTrue(assertThrows(
                        java.io.UncheckedIOException.class,
                        () -> builder.clientCertificate(folder.resolve("none.pem"), folder.resolve("none.key")))
                .getMessage()
                .contains("none.key"));
    }
}
