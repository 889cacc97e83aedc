package io.millrace.report.mail;

import java.time.Instant;
import java.util.List;

/**
 * A mail with one attachment. Immutable.
 *
 * @param messageId the same for every attempt to send it, for example {@code <a1b2@example.org>}
 * @param date the time at which it was written
 */
public record Mail(
    Recipients recipients,
    String subject,
    String text,
    Attachment attachment,
    String messageId,
    Instant date) {

  /** Addresses; at least one in total. */
  public record Recipients(List<String> to, List<String> cc, List<String> bcc) {

    public Recipients {
      to = List.copyOf(to);
      cc = List.copyOf(cc);
      bcc = List.copyOf(bcc);
      if (to.isEmpty() && cc.isEmpty() && bcc.isEmpty()) {
        throw new MailException("A mail needs at least one recipient in 'to', 'cc' or 'bcc'");
      }
      to.forEach(AddressParser::parse);
      cc.forEach(AddressParser::parse);
      bcc.forEach(AddressParser::parse);
    }

    public static Recipients to(String... addresses) {
      return new Recipients(List.of(addresses), List.of(), List.of());
    }
  }

  /**
   * An attached file.
   *
   * @param mediaType for example {@code application/pdf}
   * @param content the bytes, which must not be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // attachments are never compared
  public record Attachment(String fileName, String mediaType, byte[] content) {}

  public Mail {
    if (!messageId.matches("<[A-Za-z0-9._-]+@[A-Za-z0-9._-]+>")) {
      throw new MailException("'" + messageId + "' is no Message-ID; expected <letters@host>");
    }
  }
}
