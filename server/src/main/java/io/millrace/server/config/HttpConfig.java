package io.millrace.server.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server is reached.
 *
 * @param bind host name or address to listen on
 * @param port 0 for a free one
 * @param contextPath {@code /}, or a path that begins with a slash and does not end with one
 * @param trustedProxies the networks of the proxies that are believed with {@link TlsMode#PROXY}
 * @param origins of this server as browsers see it through proxies, such as {@code
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

  /** A server that trusts proxies on this machine only, and is called by the name they call it. */
  public HttpConfig(String bind, int port, String contextPath, Limits limits, Tls tls) {
    this(bind, port, contextPath, limits, tls, IpNetwork.LOOPBACK, List.of());
  }

  /**
   * What one request may take.
   *
   * @param body bytes
   */
  public record Limits(int body, Duration requestTime) {}

  /** Who encrypts. */
  public enum TlsMode {
    /** Nobody. */
    NONE,
    /** A proxy in front; browsers speak https with it. */
    PROXY,
    /** This server, with a key store. */
    KEYSTORE
  }

  /**
   * The choice about TLS.
   *
   * @param mode null while nothing was said, which is enough on a loopback address
   * @param keyStore with mode {@code KEYSTORE} only
   * @param password of the key store
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
