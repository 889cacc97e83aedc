package io.millrace.report.mail;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;

/** Reads addresses, strictly. */
final class Addresses {

  private Addresses() {}

  static InternetAddress parse(String text) {
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new MailException(
          "The address '" + text.replaceAll("\\p{Cntrl}", "?") + "' has control characters");
    }
    try {
      InternetAddress[] all = InternetAddress.parse(text, true);
      if (all.length == 1 && text.contains("@")) {
        all[0].validate();
        return all[0];
      }
    } catch (AddressException e) {
      throw new MailException("'" + text + "' is no mail address: " + e.getMessage(), e);
    }
    throw new MailException("'" + text + "' is not one mail address; expected name@example.org");
  }
}
