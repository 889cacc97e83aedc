package io.millrace.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address and the limits of the HTTP interface.
 *
 * @param bind host name or address to listen on
 * @param port 0 for a free one
 * @param contextPath {@code /}, or a path that starts with a slash and does not end with one
 * @param trustedProxies the networks of the proxies that are trusted with {@link TlsMode#PROXY}
 * @param origins the addresses of this server as browsers see it through proxies, such as {@code
 *     https://millrace.example.com}
 */
public record HttpConfig(
    String bind,
    int port,
    String contextPath,
    Limits limits,
    Tls tls,
    List<IpNetwork> trustedProxies,
    List<URI> origins) {

  public HttpConfig {
    origins = List.copyOf(origins);
    trustedProxies = List.copyOf(trustedProxies);
  }

  /**
   * Creates the configuration of a server that trusts only proxies on this machine and has no
   * origins.
   */
  public HttpConfig(String bind, int port, String contextPath, Limits limits, Tls tls) {
    this(bind, port, contextPath, limits, tls, IpNetwork.LOOPBACK, List.of());
  }

  /**
   * Limits of one request.
   *
   * @param body bytes of the body
   */
  public record Limits(int body, Duration requestTime) {}

  /** The place where TLS ends. */
  public enum TlsMode {
    /** No TLS. */
    NONE,
    /** A proxy in front of the server; browsers connect to it by https. */
    PROXY,
    /** This server, with a key store. */
    KEYSTORE
  }

  /**
   * The TLS settings.
   *
   * @param mode null if it is not set, which is enough on a loopback address
   * @param keyStore set with mode {@code KEYSTORE} only
   * @param password password of the key store
   */
  public record Tls(@Nullable TlsMode mode, @Nullable Path keyStore, @Nullable String password) {
    @Override
    public String toString() {
      return "Tls[mode=" + mode + ", keyStore=" + keyStore + ", password=***]";
    }

    /** True if browsers reach this server by https. */
    public boolean https() {
      return mode == TlsMode.PROXY || mode == TlsMode.KEYSTORE;
    }
  }
}
