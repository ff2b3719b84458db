package io.evidencegate.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds files of the checkout. */
final class Repository {
    private static final Path ROOT = Path.of(System.getProperty("evidencegate.repository", "../..")).toAbsolutePath().normalize();

    private Repository() {}

    static Path path(String relative) {
        return ROOT.resolve(relative);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static List<Path> json(String folder) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static String session(String start) {
        return json("examples/sessions").stream()
                .filter(file -> file.getFileName().toString().startsWith(start))
                .map(Repository::read)
                .findFirst()
                .orElseThrow();
    }
}
