package io.evidencegate.testserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EvidenceGateServerTest {
    @AfterEach
    void forgetTheProgram() {
        System.clearProperty(EvidenceGateServer.COMMAND_PROPERTY);
    }

    @Test
    void aServerListensUntilItIsClosed() throws IOException {
        int port;
        try (EvidenceGateServer server = EvidenceGateServer.start()) {
            port = server.port();
            assertEquals("127.0.0.1:" + port, server.target());
            new Socket("127.0.0.1", port).close();
        }
        assertThrows(IOException.class, () -> new Socket("127.0.0.1", port).close());
    }

    @Test
    void aProgramThatIsMissingIsNamedWithWhatToDo() {
        System.setProperty(EvidenceGateServer.COMMAND_PROPERTY, "/nowhere/evidencegate");
        String message = assertThrows(IllegalStateException.class, EvidenceGateServer::start).getMessage();
        assertEquals(
                "there is no evidencegate at /nowhere/evidencegate: run `make setup` in the checkout, or name the program by"
                        + " -Devidencegate.command=... or EVIDENCEGATE_COMMAND",
                message);
    }

    @Test
    void aServerThatDoesNotStartIsToldWithWhatItWrote() {
        String message = assertThrows(IllegalStateException.class, () -> EvidenceGateServer.start("--rules", "/nowhere"))
                .getMessage();
        assertTrue(message.contains("ended with code 1"), message);
        assertTrue(message.contains("/nowhere"), message);
    }
}
