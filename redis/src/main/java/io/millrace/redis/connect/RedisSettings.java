package io.millrace.redis.connect;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the connection to a Redis server. Immutable; the methods return changed copies.
 * Redis 6.2 or newer, or Valkey. A cluster is rejected at the first use, because the keys of a job
 * are in different slots.
 *
 * @param uri {@code redis://user:password@host:port/database}, or {@code rediss} for TLS, which
 *     checks the certificate and the host's name. User, password, port and database may be left
 *     out: none, none, 6379 and 0
 * @param sentinel null for none; otherwise the host and port of the URI are not used
 * @param connectTimeout for each attempt to connect; 10 ms to 10 minutes
 * @param timeout how long a call waits for its reply, including the time to reconnect. With a
 *     server that accepts connections and then is silent it can be twice as long; 10 ms to 10
 *     minutes
 * @param clientName shown by the server's CLIENT LIST; no spaces
 * @param tls the trusted certificates, for {@code rediss} only; null for those of the JVM
 */
public record RedisSettings(
    String uri,
    @Nullable Sentinel sentinel,
    Duration connectTimeout,
    Duration timeout,
    String clientName,
    @Nullable SSLContext tls) {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
  private static final int MAX_NAME = 120;

  public RedisSettings {
    requirePresent(uri, "The URI of Redis");
    RedisUri.of(uri);
    requireTime(connectTimeout, "connectTimeout");
    requireTime(timeout, "timeout");
    if (tls != null) {
      requireTls(uri, sentinel);
    }
    requirePresent(clientName, "The clientName of Redis");
    if (clientName.isEmpty()
        || clientName.length() > MAX_NAME
        || !clientName.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new InvalidRequestException(
          "The Redis setting clientName is '"
              + clientName
              + "', expected 1 to "
              + MAX_NAME
              + " visible ASCII characters without spaces.");
    }
  }

  /** Rejects an SSLContext without TLS, since nothing would be encrypted. */
  private static void requireTls(String uri, @Nullable Sentinel sentinel) {
    if (!RedisUri.of(uri).tls()
        && (sentinel == null || sentinel.places().stream().noneMatch(RedisUri::tls))) {
      throw new InvalidRequestException(
          "The Redis setting tls is given, but the URI begins with redis://, so that nothing would"
              + " be encrypted; write rediss://.");
    }
  }

  /** Returns settings with 2 s to connect and 5 s to wait for a reply. */
  public static RedisSettings of(String uri) {
    return new RedisSettings(
        uri, null, Duration.ofSeconds(2), Duration.ofSeconds(5), "millrace", null);
  }

  /**
   * Uses the server that sentinels name. User, password, database and TLS are those of the URI.
   *
   * @param master the name of the server in the sentinels
   * @param sentinels as {@code host:port}, or a URI like that of a server if they require a
   *     password
   */
  public RedisSettings sentinel(String master, String... sentinels) {
    return new RedisSettings(
        uri,
        new Sentinel(master, Arrays.asList(sentinels)),
        connectTimeout,
        timeout,
        clientName,
        tls);
  }

  public RedisSettings connectTimeout(Duration limit) {
    return new RedisSettings(uri, sentinel, limit, timeout, clientName, tls);
  }

  public RedisSettings timeout(Duration limit) {
    return new RedisSettings(uri, sentinel, connectTimeout, limit, clientName, tls);
  }

  public RedisSettings clientName(String name) {
    return new RedisSettings(uri, sentinel, connectTimeout, timeout, name, tls);
  }

  /**
   * Sets the trusted certificates. Rejected unless the URI, or that of a sentinel, is {@code
   * rediss}.
   */
  public RedisSettings tls(SSLContext trust) {
    return new RedisSettings(uri, sentinel, connectTimeout, timeout, clientName, trust);
  }

  RedisUri place() {
    return RedisUri.of(uri);
  }

  /** Returns a text without the password. */
  @Override
  public String toString() {
    return "RedisSettings["
        + place()
        + (sentinel == null ? "" : ", " + sentinel)
        + ", connectTimeout="
        + connectTimeout
        + ", timeout="
        + timeout
        + ", clientName="
        + clientName
        + "]";
  }

  private static void requireTime(Duration value, String name) {
    requirePresent(value, "The " + name + " of Redis");
    if (value.compareTo(MIN_TIMEOUT) < 0 || value.compareTo(MAX_TIMEOUT) > 0) {
      throw new InvalidRequestException(
          "The Redis setting "
              + name
              + " is "
              + value
              + ", expected between "
              + MIN_TIMEOUT
              + " and "
              + MAX_TIMEOUT
              + ".");
    }
  }

  /**
   * Servers that know which one is the master.
   *
   * @param master the name of the master
   * @param uris the sentinels, as {@code host:port} or {@code redis://...}; at least one
   */
  public record Sentinel(String master, List<String> uris) {

    public Sentinel {
      uris = List.copyOf(requirePresent(uris, "The sentinels"));
      if (requirePresent(master, "The name of the master").isBlank() || uris.isEmpty()) {
        throw new InvalidRequestException(
            "Sentinel needs the name of the master and at least one sentinel as host:port; given: '"
                + master
                + "', "
                + uris.size()
                + " sentinels.");
      }
      uris.forEach(Sentinel::placeOf);
    }

    List<RedisUri> places() {
      return uris.stream().map(Sentinel::placeOf).toList();
    }

    private static RedisUri placeOf(String text) {
      return RedisUri.sentinel(text.contains("://") ? text : "redis://" + text);
    }

    /** Returns a text without the passwords. */
    @Override
    public String toString() {
      return "sentinels of " + master + " " + places();
    }
  }
}
