package io.millrace.report.mail;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the mail server.
 *
 * @param user null to send without login
 * @param timeout for connecting, and for every answer
 * @param from the sender's address
 */
public record SmtpSettings(
    String host,
    int port,
    Tls tls,
    @Nullable String user,
    @Nullable String password,
    Duration timeout,
    String from) {

  /** Protection of the connection. */
  public enum Tls {
    NONE,
    /** Starts unencrypted and must become encrypted before anything is sent. */
    STARTTLS,
    TLS
  }

  public SmtpSettings {
    if (host.isBlank() || port < 1 || port > 65535 || !timeout.isPositive()) {
      throw new MailException(
          "The mail server needs a host, a port from 1 to 65535 and a timeout above zero");
    }
    if (user != null && password == null) {
      throw new MailException("The mail server's user '" + user + "' needs a password");
    }
    AddressParser.parse(from);
  }

  /** Returns settings without login and encryption, with a timeout of 20 seconds. */
  public static SmtpSettings plain(String host, int port, String from) {
    return new SmtpSettings(host, port, Tls.NONE, null, null, Duration.ofSeconds(20), from);
  }

  public SmtpSettings login(String name, String secret) {
    return new SmtpSettings(host, port, tls, name, secret, timeout, from);
  }

  public SmtpSettings tls(Tls how) {
    return new SmtpSettings(host, port, how, user, password, timeout, from);
  }

  public SmtpSettings timeout(Duration limit) {
    return new SmtpSettings(host, port, tls, user, password, limit, from);
  }

  @Override
  public String toString() {
    return "SmtpSettings["
        + host
        + ":"
        + port
        + ", "
        + tls
        + ", user="
        + user
        + ", from="
        + from
        + "]";
  }
}
