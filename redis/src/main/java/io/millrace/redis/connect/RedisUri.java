package io.millrace.redis.connect;

import io.millrace.instance.InvalidRequestException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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

  private static final String EXPECTED = "expected redis://user:password@host:port/database";
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  /**
   * Host and port. They are parsed here because java.net.URI rejects hosts with an underscore,
   * which are usual in Docker.
   */
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[^\\[\\]]+]|[^:\\[\\]]+)(?::(\\d{0,5}))?");

  static RedisUri of(String text) {
    return of(text, PORT);
  }

  static RedisUri sentinel(String text) {
    return of(text, SENTINEL_PORT);
  }

  private static RedisUri of(String text, int usualPort) {
    URI uri = parsed(text);
    boolean tls = "rediss".equalsIgnoreCase(uri.getScheme());
    if (!tls && !"redis".equalsIgnoreCase(uri.getScheme())) {
      throw wrong("has the scheme '" + uri.getScheme() + "'");
    }
    if (uri.getRawQuery() != null) {
      throw wrong("has parameters, which are not known here");
    }
    String authority = Objects.requireNonNullElse(uri.getRawAuthority(), "");
    int at = authority.lastIndexOf('@');
    String login = at < 0 ? null : authority.substring(0, at);
    String address = authority.substring(at + 1);
    if (address.isEmpty() || address.startsWith(":")) {
      throw wrong("has no host");
    }
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches()) {
      throw wrong("has no number as its port");
    }
    return new RedisUri(
        tls,
        bare(parts.group(1)),
        port(parts.group(2), usualPort),
        user(login),
        password(login),
        database(uri.getRawPath()));
  }

  private static int port(@Nullable String digits, int usual) {
    if (digits == null || digits.isEmpty()) {
      return usual;
    }
    int port = Integer.parseInt(digits);
    if (port < 1 || port > 65535) {
      throw wrong("has the port " + port + ", which is none of 1 to 65535");
    }
    return port;
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

  /** Returns a host without the brackets of an IPv6 address. */
  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static @Nullable String user(@Nullable String login) {
    if (login == null) {
      return null;
    }
    int colon = login.indexOf(':');
    String user = decoded(colon < 0 ? login : login.substring(0, colon));
    if (!user.isEmpty() && colon < 0) {
      throw wrong("has a user and no password");
    }
    return user.isEmpty() ? null : user;
  }

  private static @Nullable String password(@Nullable String login) {
    if (login == null || login.indexOf(':') < 0) {
      return null;
    }
    String password = decoded(login.substring(login.indexOf(':') + 1));
    return password.isEmpty() ? null : password;
  }

  private static int database(@Nullable String path) {
    if (path == null || path.length() <= 1) {
      return 0;
    }
    String number = path.substring(1);
    if (!number.matches("\\d{1,6}")) {
      throw wrong("has the database '" + number + "', which is no number");
    }
    return Integer.parseInt(number);
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw wrong("has a percent sign that no two digits follow; write %25");
    }
  }

  private static InvalidRequestException wrong(String what) {
    return new InvalidRequestException("The URI of Redis " + what + "; " + EXPECTED + ".");
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
