package io.evidencegate.client;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at the address that a client is given, since gRPC's own complaint comes late and names no cause. */
final class Targets {
    // gRPC's own ways to name a target; what follows the colon is left to gRPC.
    private static final List<String> SCHEMES = List.of("dns:", "unix:", "xds:");
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+(?:%\\w+)?\\]|[^\\s/:@\\[\\]]+):([0-9]{1,5})");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[::1\\]");
    private static final int HIGHEST_PORT = 65_535;

    private Targets() {}

    /** Returns the target as it is; throws for what is neither HOST:PORT nor a target in gRPC's own form. */
    static String checked(String target) {
        if (target != null) {
            for (String scheme : SCHEMES) {
                if (target.startsWith(scheme) && !target.substring(scheme.length()).replace("/", "").isEmpty()) {
                    return target;
                }
            }
            Matcher found = HOST_AND_PORT.matcher(target);
            if (found.matches() && inRange(Integer.parseInt(found.group(2)))) {
                return target;
            }
        }
        throw new IllegalArgumentException(
                "\"" + target + "\" is no address of a server: HOST:PORT is wanted, for example 127.0.0.1:50051");
    }

    /** Says whether what is sent there cannot leave the machine. */
    static boolean isLocal(String target) {
        Matcher found = HOST_AND_PORT.matcher(target.replaceFirst("^dns:(///)?", ""));
        return target.startsWith("unix:") || (found.matches() && LOOPBACK.matcher(found.group(1)).matches());
    }

    private static boolean inRange(int port) {
        return port >= 1 && port <= HIGHEST_PORT;
    }
}
