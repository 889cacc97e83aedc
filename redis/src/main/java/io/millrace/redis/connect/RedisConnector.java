package io.millrace.redis.connect;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the configured server, or to the master that the sentinels name, logs in, and checks
 * that the protocol of flows works there.
 *
 * <p>Throws IOException if the server cannot be used now, but perhaps later, and {@link
 * RedisUnavailableException} for what a retry does not solve: the login, or the kind of the server.
 */
record RedisConnector(RedisSettings settings) {

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int MAJOR = 6;
  private static final int MINOR = 2;

  /** Returns a new connection, after its handshake. */
  RedisConnection connect() throws IOException {
    RedisUri place = place();
    try {
      RedisConnection connection = RedisConnection.to(place, settings);
      try {
        login(connection);
        return connection;
      } catch (IOException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (RedisUnavailableException e) {
      throw e;
    } catch (IOException | RuntimeException e) { // also a context for TLS that cannot be used
      throw new IOException(place.named() + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Returns the server's name for messages before a connection exists. */
  String name() {
    return settings.sentinel() == null
        ? settings.place().named()
        : "Redis " + settings.sentinel().master() + " of the " + settings.sentinel();
  }

  private RedisUri place() throws IOException {
    RedisSettings.Sentinel sentinel = settings.sentinel();
    if (sentinel == null) {
      return settings.place();
    }
    List<String> faults = new ArrayList<>();
    for (RedisUri place : sentinel.places()) {
      try (RedisConnection connection = RedisConnection.to(place, settings)) {
        RedisUri master = master(connection, sentinel.master());
        if (master != null) {
          return master;
        }
        faults.add(place.address() + " does not know it");
      } catch (IOException | RuntimeException e) {
        faults.add(place.address() + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "No sentinel tells where master '"
            + sentinel.master()
            + "' is ("
            + String.join("; ", faults)
            + ")");
  }

  private @Nullable RedisUri master(RedisConnection connection, String master) throws IOException {
    connection.readTimeout(settings.connectTimeout());
    List<List<String>> commands = new ArrayList<>(auth(connection.place));
    commands.add(List.of("SENTINEL", "get-master-addr-by-name", master));
    List<@Nullable Object> replies = connection.exchange(commands);
    for (Object reply : replies) {
      require(reply, connection.place, "does not answer as a sentinel");
    }
    return replies.getLast() instanceof List<?> address && address.size() == 2
        ? settings
            .place()
            .at(String.valueOf(address.get(0)), Integer.parseInt(String.valueOf(address.get(1))))
        : null;
  }

  /** Performs the handshake, in one round trip. */
  private void login(RedisConnection connection) throws IOException {
    RedisUri place = connection.place;
    Duration patience =
        settings.timeout().compareTo(settings.connectTimeout()) < 0
            ? settings.timeout()
            : settings.connectTimeout();
    connection.readTimeout(patience);
    List<List<String>> auth = auth(place);
    List<List<String>> commands = new ArrayList<>(auth);
    commands.add(List.of("HELLO", "2"));
    commands.add(List.of("SELECT", Integer.toString(place.database())));
    // The client name is informational, so a user without the permission to set it can do without.
    commands.add(List.of("CLIENT", "SETNAME", settings.clientName()));
    commands.add(List.of("PING"));
    commands.add(List.of("CLIENT", "ID"));
    List<@Nullable Object> replies = connection.exchange(commands);
    if (!auth.isEmpty()) {
      String user = place.user() == null ? "" : " of user " + place.user();
      require(replies.removeFirst(), place, "refuses the login" + user);
    }
    ErrorReply ping = replies.get(3) instanceof ErrorReply error ? error : null;
    if (ping != null && ping.message().startsWith("NOAUTH")) {
      throw refused(
          place,
          "wants a password: give it in the URI, redis://user:password@host (it says: "
              + ping.message()
              + ")");
    }
    checkServer(replies.get(0), place);
    require(replies.get(1), place, "has no database " + place.database() + " for us");
    if (ping != null) {
      throw new IOException(ping.message()); // for example, it loads its data
    }
    connection.readTimeout(settings.timeout());
    connection.id = replies.get(4) instanceof Long id ? id : 0;
  }

  private static List<List<String>> auth(RedisUri place) {
    if (place.password() == null) {
      return List.of();
    }
    return place.user() == null
        ? List.of(List.of("AUTH", place.password()))
        : List.of(List.of("AUTH", place.user(), place.password()));
  }

  private void checkServer(@Nullable Object hello, RedisUri place) throws IOException {
    if (hello instanceof ErrorReply error) {
      if (error.message().contains("unknown command")) {
        throw tooOld(place, "older than 6.0");
      }
      return; // the user may not ask
    }
    Map<String, String> properties = new HashMap<>();
    if (hello instanceof List<?> list) {
      for (int i = 0; i + 1 < list.size(); i += 2) {
        properties.put(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
      }
    }
    String version = properties.getOrDefault("version", "");
    if (!"valkey".equals(properties.get("server")) && !isNewEnough(version)) {
      throw tooOld(place, "version " + version);
    }
    switch (properties.getOrDefault("mode", "")) {
      case "cluster" ->
          throw refused(
              place,
              "is a node of a cluster, where the keys of a job would lie in different slots: use a"
                  + " server of its own, with replicas and Sentinel if it must not be away");
      case "sentinel" ->
          throw refused(
              place, "is a sentinel: give it as such, RedisSettings.sentinel(master, ...)");
      default -> {}
    }
    String role = properties.getOrDefault("role", "");
    if (settings.sentinel() != null && !role.equals("master")) {
      throw new IOException("it is a " + role + ", though the sentinels call it the master");
    }
  }

  private static boolean isNewEnough(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return true;
    }
    int major = Integer.parseInt(matcher.group(1));
    return major > MAJOR || (major == MAJOR && Integer.parseInt(matcher.group(2)) >= MINOR);
  }

  private static RedisUnavailableException tooOld(RedisUri place, String what) {
    return refused(
        place,
        "is %s, but BLMOVE needs Redis %s.%s or newer, or Valkey: upgrade the server"
            .formatted(what, MAJOR, MINOR));
  }

  private static void require(@Nullable Object reply, RedisUri place, String otherwise) {
    if (reply instanceof ErrorReply error) {
      throw refused(place, otherwise + ": " + error.message());
    }
  }

  private static RedisUnavailableException refused(RedisUri place, String why) {
    return RedisUnavailableException.unexecuted(place.named() + " " + why, null);
  }
}
