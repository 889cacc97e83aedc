package io.millrace.redis.connect;

import io.millrace.redis.connect.RedisHandshake.StateConflictException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connects to the configured server, or to the master that the sentinels name. */
record RedisConnector(RedisSettings settings) {

  /**
   * A logged-in connection.
   *
   * @param id the server's id of the connection; 0 if it does not tell
   */
  record OpenConnection(RedisConnection link, long id) {}

  OpenConnection connect() throws IOException, StateConflictException {
    RedisUri redisUri = place();
    try {
      RedisConnection connection = RedisConnection.to(redisUri, settings);
      try {
        return new OpenConnection(connection, RedisHandshake.of(connection, settings));
      } catch (IOException | StateConflictException | RuntimeException e) {
        connection.close();
        throw e;
      }
    } catch (IOException e) {
      throw unusable(redisUri, e.getMessage(), e.getCause());
    } catch (RuntimeException e) {
      throw unusable(redisUri, e.toString(), e); // such as a context for TLS that cannot be used
    }
  }

  private static IOException unusable(
      RedisUri redisUri, @Nullable String why, @Nullable Throwable cause) {
    return new IOException(RedisHandshake.named(redisUri) + " cannot be used: " + why, cause);
  }

  /** Returns the server's name for messages before a connection exists. */
  String name() {
    return settings.sentinel() == null
        ? RedisHandshake.named(settings.place())
        : "Redis " + settings.sentinel().master() + " of the " + settings.sentinel();
  }

  private RedisUri place() throws IOException {
    RedisSettings.Sentinel sentinel = settings.sentinel();
    if (sentinel == null) {
      return settings.place();
    }
    List<String> faults = new ArrayList<>();
    for (RedisUri redisUri : sentinel.places()) {
      try (RedisConnection connection = RedisConnection.to(redisUri, settings)) {
        RedisUri master = master(connection, sentinel.master());
        if (master != null) {
          return master;
        }
        faults.add(redisUri.address() + " does not know it");
      } catch (IOException | StateConflictException | RuntimeException e) {
        faults.add(redisUri.address() + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "No sentinel tells where master '"
            + sentinel.master()
            + "' is ("
            + String.join("; ", faults)
            + ")");
  }

  private @Nullable RedisUri master(RedisConnection connection, String master)
      throws IOException, StateConflictException {
    connection.readTimeout(settings.connectTimeout());
    List<List<String>> commands = new ArrayList<>(RedisHandshake.login(connection.place));
    commands.add(List.of("SENTINEL", "get-master-addr-by-name", master));
    List<@Nullable Object> replies = connection.exchange(commands);
    for (Object reply : replies) {
      RedisHandshake.require(reply, connection.place, "does not answer as a sentinel");
    }
    return RespCodec.value(replies.getLast()) instanceof List<?> address && address.size() == 2
        ? settings
            .place()
            .at(String.valueOf(address.get(0)), Integer.parseInt(String.valueOf(address.get(1))))
        : null;
  }
}
