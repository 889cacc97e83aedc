package io.millrace.redis.connect;

import io.millrace.instance.InvalidRequestException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a Redis URI. No message quotes its text, since it may contain the password.
 *
 * @param user null for the server's default user
 * @param password null for none
 */
record RedisUri(
    boolean tls,
    String host,
    int port,
    @Nullable String user,
    @Nullable String password,
    int database) {

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  /**
   * Scheme, login, host, port, database and parameters. They are not left to java.net.URI, which
   * rejects hosts with an underscore; these are usual in Docker.
   */
  private static final Pattern FORM =
      Pattern.compile(
          "(\\w+)://(?:(\\S*)@)?(\\[[^\\[\\]]+]|[^:/?#\\[\\]\\s]*)(?::([^/?#]*))?(?:/([^?#]*))?(\\?.*)?");

  static RedisUri of(String text) {
    return of(text, PORT);
  }

  static RedisUri sentinel(String text) {
    return of(text, SENTINEL_PORT);
  }

  private static RedisUri of(String text, int usualPort) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw wrong(
          "is none; in a login, other characters than letters and digits are written as %40");
    }
    boolean tls = parts.group(1).equalsIgnoreCase("rediss");
    if (!tls && !parts.group(1).equalsIgnoreCase("redis")) {
      throw wrong("has the scheme '" + parts.group(1) + "'");
    }
    if (parts.group(6) != null) {
      throw wrong("has parameters, which are not known here");
    }
    String host = parts.group(3);
    if (host.isEmpty()) {
      throw wrong("has no host");
    }
    String login = parts.group(2) == null ? ":" : parts.group(2);
    int colon = login.indexOf(':');
    if (colon < 0 && !login.isEmpty()) {
      throw wrong("has a user and no password");
    }
    return new RedisUri(
        tls,
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port(parts.group(4), usualPort),
        decoded(login.substring(0, Math.max(0, colon))),
        decoded(login.substring(colon + 1)),
        database(parts.group(5)));
  }

  private static int port(@Nullable String digits, int usual) {
    if (digits == null || digits.isEmpty()) {
      return usual;
    }
    if (!digits.matches("\\d{1,5}")) {
      throw wrong("has no number as its port");
    }
    int port = Integer.parseInt(digits);
    if (port < 1 || port > 65535) {
      throw wrong("has the port " + port + ", which is none of 1 to 65535");
    }
    return port;
  }

  private static int database(@Nullable String number) {
    if (number == null || number.isEmpty()) {
      return 0;
    }
    if (!number.matches("\\d{1,6}")) {
      throw wrong("has the database '" + number + "', which is no number");
    }
    return Integer.parseInt(number);
  }

  private static @Nullable String decoded(String part) {
    try {
      return part.isEmpty()
          ? null
          : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong("has a percent sign that no two digits follow; write %25");
    }
  }

  private static InvalidRequestException wrong(String what) {
    return new InvalidRequestException(
        "The URI of Redis " + what + "; expected redis://user:password@host:port/database.");
  }

  /** Returns the same login and database on another server. */
  RedisUri at(String otherHost, int otherPort) {
    return new RedisUri(tls, otherHost, otherPort, user, password, database);
  }

  String address() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /** Returns the server's name for messages. */
  String named() {
    return "Redis at " + address();
  }

  /** Returns a text without the password. */
  @Override
  public String toString() {
    return (tls ? "rediss://" : "redis://")
        + (user == null ? "" : user + "@")
        + address()
        + (database == 0 ? "" : "/" + database);
  }
}
