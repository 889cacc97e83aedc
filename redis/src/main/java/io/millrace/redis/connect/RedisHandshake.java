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
import redis.clients.jedis.exceptions.JedisDataException;

/** Logs in, in one round trip, and checks that the protocol works on the server. */
final class RedisHandshake {

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
  private static final int MAJOR = 6;
  private static final int MINOR = 2;

  private RedisHandshake() {}

  /** Signals a problem that a retry does not solve: the login, or the kind of the server. */
  static final class StateConflictException extends Exception {
    private static final long serialVersionUID = 1L;

    StateConflictException(String message) {
      super(message);
    }
  }

  /**
   * Performs the handshake on a new connection.
   *
   * @return the server's id of this connection; 0 if it does not tell
   * @throws IOException if the server cannot be used now, but perhaps later
   */
  static long of(RedisConnection connection, RedisSettings settings)
      throws IOException, StateConflictException {
    RedisUri redisUri = connection.place;
    Duration patience =
        settings.timeout().compareTo(settings.connectTimeout()) < 0
            ? settings.timeout()
            : settings.connectTimeout();
    connection.readTimeout(patience);
    List<List<String>> commands = new ArrayList<>(login(redisUri));
    int first = commands.size();
    commands.add(List.of("HELLO", "2"));
    commands.add(List.of("SELECT", Integer.toString(redisUri.database())));
    commands.add(List.of("CLIENT", "SETNAME", settings.clientName()));
    commands.add(List.of("PING"));
    commands.add(List.of("CLIENT", "ID"));
    List<@Nullable Object> replies = connection.exchange(commands);
    if (first > 0) {
      require(replies.getFirst(), redisUri, "refuses the login" + user(redisUri));
    }
    if (replies.get(first + 3) instanceof JedisDataException ping
        && RespCodec.message(ping).startsWith("NOAUTH")) {
      throw new StateConflictException(
          named(redisUri)
              + " wants a password: give it in the URI, redis://user:password@host (it says: "
              + RespCodec.message(ping)
              + ")");
    }
    checkServer(replies.get(first), settings, redisUri);
    require(replies.get(first + 1), redisUri, "has no database " + redisUri.database() + " for us");
    // The client name is informational, so a user without the permission to set it can do without.
    if (replies.get(first + 3) instanceof JedisDataException ping) {
      throw new IOException(RespCodec.message(ping)); // for example, it loads its data
    }
    connection.readTimeout(settings.timeout());
    return replies.get(first + 4) instanceof Long id ? id : 0;
  }

  static List<List<String>> login(RedisUri redisUri) {
    if (redisUri.password() == null) {
      return List.of();
    }
    return redisUri.user() == null
        ? List.of(List.of("AUTH", redisUri.password()))
        : List.of(List.of("AUTH", redisUri.user(), redisUri.password()));
  }

  static String user(RedisUri redisUri) {
    return redisUri.user() == null ? "" : " of user " + redisUri.user();
  }

  static void require(@Nullable Object reply, RedisUri redisUri, String otherwise)
      throws StateConflictException {
    if (reply instanceof JedisDataException error) {
      throw new StateConflictException(
          named(redisUri) + " " + otherwise + ": " + RespCodec.message(error));
    }
  }

  static String named(RedisUri redisUri) {
    return "Redis at " + redisUri.address();
  }

  private static void checkServer(@Nullable Object reply, RedisSettings settings, RedisUri redisUri)
      throws IOException, StateConflictException {
    if (reply instanceof JedisDataException error) {
      if (RespCodec.message(error).contains("unknown command")) {
        throw new StateConflictException(named(redisUri) + tooOld("older than 6.0"));
      }
      return; // the user may not ask
    }
    Map<String, String> properties = pairs(RespCodec.value(reply));
    String version = properties.getOrDefault("version", "");
    String mode = properties.getOrDefault("mode", "");
    String role = properties.getOrDefault("role", "");
    if (!isNewEnough(properties.getOrDefault("server", ""), version)) {
      throw new StateConflictException(named(redisUri) + tooOld("version " + version));
    }
    if ("cluster".equals(mode)) {
      throw new StateConflictException(
          named(redisUri)
              + " is a node of a cluster, where the keys of a job would lie in different slots:"
              + " use a server of its own, with replicas and Sentinel if it must not be away");
    }
    if ("sentinel".equals(mode)) {
      throw new StateConflictException(
          named(redisUri) + " is a sentinel: give it as such, RedisSettings.sentinel(master, ...)");
    }
    if (settings.sentinel() != null && !"master".equals(role)) {
      throw new IOException("it is a " + role + ", though the sentinels call it the master");
    }
  }

  private static Map<String, String> pairs(@Nullable Object reply) {
    Map<String, String> pairs = new HashMap<>();
    if (reply instanceof List<?> list) {
      for (int i = 0; i + 1 < list.size(); i += 2) {
        pairs.put(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
      }
    }
    return pairs;
  }

  private static String tooOld(String what) {
    return " is "
        + what
        + ", but BLMOVE needs Redis "
        + MAJOR
        + "."
        + MINOR
        + " or newer, or"
        + " Valkey: upgrade the server";
  }

  private static boolean isNewEnough(String server, String version) {
    Matcher matcher = VERSION.matcher(version);
    if ("valkey".equals(server) || !matcher.matches()) {
      return true;
    }
    int major = Integer.parseInt(matcher.group(1));
    return major > MAJOR || (major == MAJOR && Integer.parseInt(matcher.group(2)) >= MINOR);
  }
}
