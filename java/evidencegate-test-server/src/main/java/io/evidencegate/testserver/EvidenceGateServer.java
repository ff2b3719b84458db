package io.evidencegate.testserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The real server in a process of its own, on a free loopback port, for as long as a test needs it.
 *
 * <pre>{@code
 * try (EvidenceGateServer server = EvidenceGateServer.start()) {
 *     ... EvidenceGateClient.connect(server.target()) ...
 * }
 * }</pre>
 *
 * <p>The program is the console script {@code evidencegate}: the system property {@code evidencegate.command} or the environment
 * variable {@code EVIDENCEGATE_COMMAND} names it; without either it is {@code .venv/bin/evidencegate} of the checkout that the test runs
 * in, or that the system property {@code evidencegate.repository} names.
 */
public final class EvidenceGateServer implements AutoCloseable {
    /** The system property that names the program. */
    public static final String COMMAND_PROPERTY = "evidencegate.command";

    /** The environment variable that names the program. */
    public static final String COMMAND_VARIABLE = "EVIDENCEGATE_COMMAND";

    /** The system property that names the checkout. */
    public static final String REPOSITORY_PROPERTY = "evidencegate.repository";

    // Starting takes a second; this is for a machine that is busy with something else.
    private static final long START_MILLIS = 60_000;
    private static final long LOOK_AGAIN_MILLIS = 20;
    // The server drains within its grace of ten seconds; after this it is stuck.
    private static final long STOP_SECONDS = 20;

    private final Process process;
    private final Path folder;
    private final Thread hook;
    private final int port;

    private EvidenceGateServer(int wantedPort, List<String> arguments) {
        try {
            folder = Files.createTempDirectory("evidencegate-test-");
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make a folder for the server's port file", broken);
        }
        process = launch(command(), wantedPort, arguments);
        hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        port = waitForPort();
    }

    /**
     * Starts a server on a free port and returns it once it takes calls.
     *
     * @param arguments further arguments of {@code evidencegate serve}
     * @throws IllegalStateException where it cannot be found or does not start, with what it wrote
     */
    public static EvidenceGateServer start(String... arguments) {
        return new EvidenceGateServer(0, List.of(arguments));
    }

    /** Starts a server on that port, for example the one of a server that was killed. */
    public static EvidenceGateServer startOn(int port, String... arguments) {
        return new EvidenceGateServer(port, List.of(arguments));
    }

    /** Returns HOST:PORT. */
    public String target() {
        return "127.0.0.1:" + port;
    }

    /** Returns the port. */
    public int port() {
        return port;
    }

    /** Kills the server without a word, as a machine that fails does. */
    public void kill() {
        process.destroyForcibly();
        waitForEnd();
    }

    /** Ends the server: calls in flight finish first. */
    @Override
    public void close() {
        process.destroy();
        waitForEnd();
        Runtime.getRuntime().removeShutdownHook(hook);
        delete(folder);
    }

    /** Returns the program that is started; throws where there is none, and says what to do. */
    static Path command() {
        String named = System.getProperty(COMMAND_PROPERTY, System.getenv().getOrDefault(COMMAND_VARIABLE, ""));
        Path found = named.isBlank() ? repository().resolve(".venv/bin/evidencegate") : Path.of(named);
        if (!Files.isExecutable(found)) {
            throw new IllegalStateException("there is no evidencegate at " + found.toAbsolutePath().normalize()
                    + ": run `make setup` in the checkout, or name the program by -D" + COMMAND_PROPERTY + "=... or "
                    + COMMAND_VARIABLE);
        }
        return found.toAbsolutePath().normalize();
    }

    private static Path repository() {
        String named = System.getProperty(REPOSITORY_PROPERTY, "");
        if (!named.isBlank()) {
            return Path.of(named);
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve("protos/evidencegate"))) {
                return folder;
            }
        }
        return here;
    }

    private Process launch(Path command, int wantedPort, List<String> arguments) {
        List<String> line = new ArrayList<>(List.of(
                command.toString(), "serve", "--host", "127.0.0.1", "--port", Integer.toString(wantedPort),
                "--port-file", folder.resolve("port").toString(), "--no-metrics", "--log-level", "warning",
                // Nobody else calls it, so nobody needs time to turn away, and no call to be kept apart from others.
                "--drain-pause-seconds", "0", "--no-engine-process"));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        // An installed server's ports and limits are not meant for this one.
        builder.environment().keySet().removeIf(name -> name.startsWith("EVIDENCEGATE_"));
        try {
            return builder.start();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start " + command, broken);
        }
    }

    private int waitForPort() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
        while (System.nanoTime() < end && process.isAlive()) {
            String text = read(folder.resolve("port")).strip();
            if (!text.isEmpty()) {
                return Integer.parseInt(text);
            }
            pause();
        }
        String log = read(folder.resolve("log")).strip();
        String how = process.isAlive() ? "did not start within " + START_MILLIS / 1000 + " s" : "ended with code " + process.exitValue();
        close();
        throw new IllegalStateException("the server " + how + (log.isEmpty() ? "" : "; it wrote: " + log));
    }

    private void pause() {
        try {
            Thread.sleep(LOOK_AGAIN_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted while the server started", interrupted);
        }
    }

    private void waitForEnd() {
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + file, broken);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot delete " + folder, broken);
        }
    }
}
