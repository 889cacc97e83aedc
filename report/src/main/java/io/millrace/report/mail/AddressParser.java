package io.millrace.report.mail;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;

/** Strict parser of mail addresses. */
final class AddressParser {

  private AddressParser() {}

  static InternetAddress parse(String text) {
    refuseControls(text, text);
    try {
      InternetAddress[] all = InternetAddress.parse(text, true);
      if (all.length == 1 && text.contains("@")) {
        all[0].validate();
        return encoded(all[0], text);
      }
    } catch (AddressException e) {
      throw new MailException("'" + text + "' is no mail address: " + e.getMessage(), e);
    }
    throw new MailException("'" + text + "' is not one mail address; expected name@example.org");
  }

  /** Encodes an address as ASCII: the name is encoded, the address itself must be ASCII. */
  private static InternetAddress encoded(InternetAddress address, String text) {
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(address.getAddress())) {
      throw new MailException(
          "The address in '"
              + text
              + "' has other letters than mail servers take, expected ASCII."
              + " Write a domain in its xn-- form; a name before <...> may have any letters.");
    }
    String name = address.getPersonal();
    if (name == null) {
      return address;
    }
    // Encoding may have hidden control characters of the name.
    refuseControls(name, text);
    try {
      address.setPersonal(name, "UTF-8");
      return address;
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError("UTF-8 is always there", e);
    }
  }

  private static void refuseControls(String part, String text) {
    if (part.chars().anyMatch(Character::isISOControl)) {
      throw new MailException(
          "The address '" + text.replaceAll("\\p{Cntrl}", "?") + "' has control characters");
    }
  }
}
