package io.millrace.rabbitmq;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the use of a broker. Immutable; the methods return changed copies.
 *
 * @param uri {@code amqp://user:password@host:port/vhost}, or {@code amqps} for TLS, which checks
 *     the certificate and the host's name against the trust store of the JVM. User, password, port
 *     and vhost may be left out: guest, guest, 5672 (5671 with TLS) and {@code /}
 * @param exchange the topic exchange to which messages are sent; the exchange of the dead letters
 *     has the same name with {@code .dead} appended
 * @param confirmLimit how long sending waits for the broker; 100 ms to 10 minutes
 * @param prefetch how many messages a consumer holds, including those that wait for a free thread;
 *     0 for as many as it handles at a time
 * @param deliveryLimit how often a message may come back from consumers that died with it before it
 *     becomes a dead letter; it is a property of the queue, so all nodes must use the same value
 * @param connectionName the name that the broker's tools show
 */
public record RabbitSettings(
    String uri,
    String exchange,
    Duration confirmLimit,
    int prefetch,
    int deliveryLimit,
    String connectionName) {

  private static final Duration MIN_CONFIRM_LIMIT = Duration.ofMillis(100);
  private static final Duration MAX_CONFIRM_LIMIT = Duration.ofMinutes(10);
  static final int MAX_PREFETCH = 10_000;
  private static final int MAX_NAME = 120;

  public RabbitSettings {
    requirePresent(uri, "The URI of RabbitMQ");
    requirePresent(confirmLimit, "confirmLimit");
    BrokerUri.of(uri);
    requireName(exchange, "exchange");
    requireName(connectionName, "connectionName");
    require(
        confirmLimit.compareTo(MIN_CONFIRM_LIMIT) >= 0
            && confirmLimit.compareTo(MAX_CONFIRM_LIMIT) <= 0,
        "confirmLimit",
        confirmLimit,
        "between " + MIN_CONFIRM_LIMIT + " and " + MAX_CONFIRM_LIMIT);
    require(
        prefetch >= 0 && prefetch <= MAX_PREFETCH, "prefetch", prefetch, "0 to " + MAX_PREFETCH);
    require(deliveryLimit >= 1, "deliveryLimit", deliveryLimit, "1 or more");
  }

  /**
   * Returns settings with the exchange {@code iSight}, a confirm limit of 5 s and 20 deliveries.
   */
  public static RabbitSettings of(String uri) {
    return new RabbitSettings(uri, "iSight", Duration.ofSeconds(5), 0, 20, "millrace");
  }

  public RabbitSettings exchange(String name) {
    return new RabbitSettings(uri, name, confirmLimit, prefetch, deliveryLimit, connectionName);
  }

  public RabbitSettings confirmLimit(Duration limit) {
    return new RabbitSettings(uri, exchange, limit, prefetch, deliveryLimit, connectionName);
  }

  public RabbitSettings prefetch(int messages) {
    return new RabbitSettings(uri, exchange, confirmLimit, messages, deliveryLimit, connectionName);
  }

  public RabbitSettings deliveryLimit(int limit) {
    return new RabbitSettings(uri, exchange, confirmLimit, prefetch, limit, connectionName);
  }

  public RabbitSettings connectionName(String name) {
    return new RabbitSettings(uri, exchange, confirmLimit, prefetch, deliveryLimit, name);
  }

  BrokerUri place() {
    return BrokerUri.of(uri);
  }

  /** Returns a text without the password. */
  @Override
  public String toString() {
    return "RabbitSettings["
        + place()
        + ", exchange="
        + exchange
        + ", confirmLimit="
        + confirmLimit
        + ", prefetch="
        + prefetch
        + ", deliveryLimit="
        + deliveryLimit
        + ", connectionName="
        + connectionName
        + "]";
  }

  private static void requireName(String name, String what) {
    requirePresent(name, what);
    require(
        !name.isBlank() && name.length() <= MAX_NAME && !name.startsWith("amq."),
        what,
        "'" + name + "'",
        "1 to " + MAX_NAME + " characters that do not begin with 'amq.'");
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new InvalidRequestException(
          "The RabbitMQ setting " + name + " is " + value + ", expected " + expected + ".");
    }
  }

  /**
   * The parts of a broker's URI.
   *
   * @param vhost the broker's virtual host
   */
  record BrokerUri(boolean tls, String host, int port, String user, String password, String vhost) {

    private static final String EXPECTED = "expected amqp://user:password@host:port/vhost";
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;

    /** Parses a URI. No error message quotes the text, since it may contain the password. */
    static BrokerUri of(String text) {
      URI uri = parsed(text);
      boolean tls = "amqps".equalsIgnoreCase(uri.getScheme());
      if (!tls && !"amqp".equalsIgnoreCase(uri.getScheme())) {
        throw wrong("has the scheme '" + uri.getScheme() + "'");
      }
      if (uri.getHost() == null) {
        throw wrong("has no host");
      }
      if (uri.getRawQuery() != null) {
        throw wrong("has parameters, which are not known here");
      }
      String[] login = login(uri.getRawUserInfo());
      int port = uri.getPort() >= 0 ? uri.getPort() : tls ? TLS_PORT : PORT;
      return new BrokerUri(tls, uri.getHost(), port, login[0], login[1], vhost(uri.getRawPath()));
    }

    private static URI parsed(String text) {
      try {
        return new URI(text.strip());
      } catch (URISyntaxException e) {
        // The cause and its message quote the text, so neither is passed on.
        throw wrong(
            "is none ("
                + e.getReason()
                + " at character "
                + (e.getIndex() + 1)
                + "; other characters than letters and digits are written as %40)");
      }
    }

    private static String[] login(@Nullable String userInfo) {
      if (userInfo == null) {
        return new String[] {"guest", "guest"};
      }
      int colon = userInfo.indexOf(':');
      return colon < 0
          ? new String[] {decoded(userInfo), ""}
          : new String[] {
            decoded(userInfo.substring(0, colon)), decoded(userInfo.substring(colon + 1))
          };
    }

    private static String vhost(@Nullable String path) {
      if (path == null || path.length() <= 1) {
        return "/";
      }
      if (path.indexOf('/', 1) > 0) {
        throw wrong("has a vhost with a slash, which is written as %2F");
      }
      return decoded(path.substring(1));
    }

    private static String decoded(String part) {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static InvalidRequestException wrong(String what) {
      return new InvalidRequestException("The URI of RabbitMQ " + what + "; " + EXPECTED + ".");
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
      return (tls ? "amqps://" : "amqp://")
          + user
          + "@"
          + host
          + ":"
          + port
          + ("/".equals(vhost) ? "" : "/" + vhost);
    }
  }
}
