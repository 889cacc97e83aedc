package io.millrace.server;

import io.millrace.instance.MillraceException;
import io.millrace.server.config.ExposureCheck;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.IpNetwork;
import io.millrace.server.config.SecurityConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check that the server will be able to listen. It runs before the engine starts: an engine
 * without its HTTP interface would already have claimed work.
 */
final class ListenCheck {

  private static final Logger LOG = LoggerFactory.getLogger(ListenCheck.class);

  private ListenCheck() {}

  /**
   * Opens what the server opens later, and closes it again.
   *
   * @throws MillraceException if another process has the port, the address is not one of this
   *     machine, or the key store cannot be read
   */
  static void check(HttpConfig http) {
    Path keyStore = http.tls().keyStore();
    if (http.tls().mode() == HttpConfig.TlsMode.KEYSTORE && keyStore != null) {
      check(keyStore, http.tls().password());
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(http.bind()), http.port()));
    } catch (IOException e) {
      throw new MillraceException(
          "Nothing can listen at http.bind = "
              + http.bind()
              + ", http.port = "
              + http.port()
              + ": "
              + e.getMessage()
              + ". Set another port or end the program that has this one; the address must be of"
              + " this machine.",
          e);
    }
  }

  /**
   * Logs the trusted proxies, and warns about settings that a server behind a proxy usually needs.
   */
  static void logTrustedProxies(HttpConfig http, SecurityConfig.@Nullable Oidc oidc) {
    if (http.tls().mode() != HttpConfig.TlsMode.PROXY) {
      return;
    }
    LOG.info("X-Forwarded-For counts from these proxies only: {}", http.trustedProxies());
    if (ExposureCheck.isLoopback(http.bind()) && http.origins().isEmpty() && oidc == null) {
      LOG.warn(
          "http.origins is empty. Requests whose Host is not of this machine are refused; set"
              + " http.origins to what browsers call this server, if the proxy passes that on.");
    }
    if (!ExposureCheck.isLoopback(http.bind())
        && http.trustedProxies().equals(IpNetwork.LOOPBACK)) {
      LOG.warn(
          "http.trustedProxies names this machine only. All clients of a proxy on another machine"
              + " share one limit of logins; set http.trustedProxies to the address of the proxy.");
    }
  }

  private static void check(Path keyStore, @Nullable String password) {
    try {
      KeyStore.getInstance(
          keyStore.toFile(), password == null ? new char[0] : password.toCharArray());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new MillraceException(
          "http.tls.keyStore = "
              + keyStore
              + " cannot be used: "
              + e.getMessage()
              + ". Expected a PKCS#12 or JKS file that this user may read and http.tls.password"
              + " opens.",
          e);
    }
  }
}
