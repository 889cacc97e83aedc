package io.millrace.server.notice;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.Locale;
import java.util.Optional;

/** A parser of mail addresses from the public. */
public final class MailAddress {

  private MailAddress() {}

  /**
   * Returns the address with its domain in lower case; empty if the text is not exactly one
   * address.
   */
  public static Optional<String> parse(String text) {
    try {
      InternetAddress address = new InternetAddress(text.strip(), true);
      String plain = address.getAddress();
      int at = plain.lastIndexOf('@');
      boolean usual = at > 0 && plain.indexOf('.', at) > 0 && plain.equals(text.strip());
      return usual
          ? Optional.of(plain.substring(0, at) + plain.substring(at).toLowerCase(Locale.ROOT))
          : Optional.empty();
    } catch (AddressException e) {
      return Optional.empty();
    }
  }
}
