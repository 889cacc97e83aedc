package io.millrace.server.config;

import io.millrace.instance.MillraceException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A check that other machines can reach the server only after the configuration says who may log in
 * and where TLS ends.
 */
public final class ExposureCheck {

  private ExposureCheck() {}

  /**
   * Rejects an address that other machines can reach if such a decision is missing.
   *
   * @param users supplies true if there are users; called if the configuration names none
   */
  public static void check(ServerConfig config, BooleanSupplier users) {
    String bind = config.http().bind();
    if (isLoopback(bind)) {
      return;
    }
    List<String> missing = new ArrayList<>();
    SecurityConfig securityConfig = config.security();
    if (!securityConfig.enabled()) {
      missing.add("security.enabled = true, so that users must log in");
    } else if (securityConfig.admin() == null
        && securityConfig.oidc() == null
        && !users.getAsBoolean()) {
      missing.add(
          "security.admin.password for a first user, or security.oidc for users of an issuer");
    }
    if (config.http().tls().mode() == null) {
      missing.add(
          "http.tls.mode = keystore (this server encrypts), proxy (a proxy in front does) or none"
              + " (nobody does)");
    }
    if (!missing.isEmpty()) {
      throw new MillraceException(
          "http.bind = "
              + bind
              + " lets other machines in, and that needs a decision first. Set "
              + String.join("; and ", missing)
              + ". Or set http.bind = 127.0.0.1.");
    }
  }

  public static boolean isLoopback(String bind) {
    try {
      return InetAddress.getByName(bind).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new MillraceException(
          "http.bind = "
              + bind
              + " is not known on this machine; expected one of its addresses, such as 127.0.0.1 or"
              + " 0.0.0.0.",
          e);
    }
  }
}
