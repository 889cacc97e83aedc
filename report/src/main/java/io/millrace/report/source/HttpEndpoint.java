package io.millrace.report.source;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A server that is accessed over HTTP.
 *
 * @param base for example {@code http://localhost:7474}; without user and password
 */
public record HttpEndpoint(URI base, Credentials credentials) {

  public HttpEndpoint {
    String scheme = base.getScheme();
    if (base.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw noAddress(base.toString());
    }
    if (base.getUserInfo() != null) {
      throw new SourceException(
          "The address of "
              + base.getHost()
              + " holds a user; expected the credentials apart from it, or they would be logged.");
    }
  }

  /**
   * Returns an endpoint without credentials.
   *
   * @throws SourceException when it is not the address of a server
   */
  public static HttpEndpoint at(String base) {
    URI address;
    try {
      address = new URI(base);
    } catch (URISyntaxException e) {
      // The cause quotes the whole text, so it is not passed on.
      throw noAddress(base);
    }
    return new HttpEndpoint(address, new Credentials.None());
  }

  /**
   * Returns a failure that hides everything that may be a user, a password or a key, wherever it is
   * in a malformed address.
   */
  private static SourceException noAddress(String base) {
    String shown =
        base.replaceFirst("(?s)^([A-Za-z]+://)?.*@", "$1***@").replaceFirst("(?s)[?#].*", "...");
    return new SourceException(
        "'" + shown + "' is no address of a server; expected one like https://host:9200");
  }

  public HttpEndpoint user(String name, String password) {
    return new HttpEndpoint(base, new Credentials.Basic(name, password));
  }

  public HttpEndpoint apiKey(String value) {
    return new HttpEndpoint(base, new Credentials.ApiKey(value));
  }

  URI resolve(String path) {
    String text = base.toString();
    return URI.create((text.endsWith("/") ? text.substring(0, text.length() - 1) : text) + path);
  }

  /** Credentials of a request. Their texts never show a secret. */
  public sealed interface Credentials {

    record None() implements Credentials {}

    record Basic(String user, String password) implements Credentials {

      String header() {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
      }

      @Override
      public String toString() {
        return "Basic[user=" + user + ", password=***]";
      }
    }

    record ApiKey(String value) implements Credentials {

      @Override
      public String toString() {
        return "ApiKey[***]";
      }
    }
  }
}
