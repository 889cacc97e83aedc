package io.millrace.report.mail;

import jakarta.activation.DataHandler;
import jakarta.mail.Address;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import jakarta.mail.util.ByteArrayDataSource;
import java.io.UnsupportedEncodingException;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sender of mail. A mail goes to all recipients, or sending fails and it goes to none. Thread-safe.
 */
public final class ReportMailer {

  private static final Logger LOG = LoggerFactory.getLogger(ReportMailer.class);

  private final SmtpSettings server;
  private final Session session;

  public ReportMailer(SmtpSettings server) {
    this.server = server;
    this.session = Session.getInstance(properties(server));
  }

  private static Properties properties(SmtpSettings server) {
    Properties all = new Properties();
    String prefix = "mail." + protocol(server) + ".";
    String millis = Long.toString(server.timeout().toMillis());
    all.setProperty("mail.transport.protocol", protocol(server));
    all.setProperty(prefix + "connectiontimeout", millis);
    all.setProperty(prefix + "timeout", millis);
    all.setProperty(prefix + "writetimeout", millis);
    all.setProperty(prefix + "auth", Boolean.toString(server.user() != null));
    all.setProperty(prefix + "ssl.checkserveridentity", "true");
    // One refused recipient refuses the whole mail. Otherwise a retry would send it twice to the
    // others.
    all.setProperty(prefix + "sendpartial", "false");
    // The server's reply to QUIT changes nothing.
    all.setProperty(prefix + "quitwait", "false");
    String startTls = Boolean.toString(server.tls() == SmtpSettings.Tls.STARTTLS);
    all.setProperty(prefix + "starttls.enable", startTls);
    all.setProperty(prefix + "starttls.required", startTls);
    return all;
  }

  private static String protocol(SmtpSettings server) {
    return server.tls() == SmtpSettings.Tls.TLS ? "smtps" : "smtp";
  }

  /**
   * Sends a mail.
   *
   * @throws MailException when the server cannot be reached, or does not accept the mail for every
   *     recipient
   */
  public void send(Mail mail) {
    try {
      Transport transport = session.getTransport(protocol(server));
      try {
        MimeMessage message = message(mail);
        transport.connect(server.host(), server.port(), server.user(), server.password());
        transport.sendMessage(message, message.getAllRecipients());
      } finally {
        close(transport);
      }
    } catch (SendFailedException e) {
      throw new MailException(
          "The mail server "
              + where()
              + " refused the mail"
              + refused(e)
              + "; nobody got it: "
              + oneLine(e),
          e);
    } catch (MessagingException e) {
      throw new MailException(
          "The mail server " + where() + " did not take the mail: " + oneLine(e), e);
    }
  }

  /**
   * Closes a connection without throwing. By now it is known whether the server has accepted the
   * mail.
   */
  private void close(Transport transport) {
    try {
      transport.close();
    } catch (MessagingException e) {
      LOG.debug("The connection to the mail server {} did not end well", where(), e);
    }
  }

  private String where() {
    return server.host() + ":" + server.port();
  }

  private static String refused(SendFailedException e) {
    Address[] invalid = e.getInvalidAddresses();
    return invalid == null || invalid.length == 0
        ? ""
        : Arrays.stream(invalid)
            .map(Address::toString)
            .collect(Collectors.joining(", ", " to ", ""));
  }

  /** Returns a failure as one line, including the server's reply, which is in the causes. */
  private static String oneLine(MessagingException failure) {
    Exception next = failure.getNextException();
    String text = failure.getMessage() + (next == null ? "" : ": " + next.getMessage());
    return text.strip().replaceAll("\\s+", " ");
  }

  private MimeMessage message(Mail mail) throws MessagingException {
    MimeMessage message = new IdentifiedMessage(session, mail.messageId());
    message.setFrom(AddressParser.parse(server.from()));
    message.setRecipients(RecipientType.TO, addresses(mail.recipients().to()));
    message.setRecipients(RecipientType.CC, addresses(mail.recipients().cc()));
    message.setRecipients(RecipientType.BCC, addresses(mail.recipients().bcc()));
    message.setSubject(withoutControls(mail.subject()), "UTF-8");
    message.setSentDate(date(mail));
    message.setHeader("Auto-Submitted", "auto-generated");
    MimeBodyPart text = new MimeBodyPart();
    text.setText(mail.text(), "UTF-8");
    MimeBodyPart file = new MimeBodyPart();
    Mail.Attachment attachment = mail.attachment();
    file.setDataHandler(
        new DataHandler(new ByteArrayDataSource(attachment.content(), attachment.mediaType())));
    try {
      file.setFileName(
          MimeUtility.encodeText(withoutControls(attachment.fileName()), "UTF-8", null));
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError("UTF-8 is always there", e);
    }
    message.setContent(new MimeMultipart(text, file));
    message.saveChanges();
    return message;
  }

  private static Address[] addresses(List<String> texts) {
    return texts.stream().map(AddressParser::parse).toArray(Address[]::new);
  }

  /** Returns the date in the legacy class that Jakarta Mail requires. */
  @SuppressWarnings("JavaUtilDate")
  private static Date date(Mail mail) {
    return Date.from(mail.date());
  }

  /** Replaces control characters, since a line break would start another header. */
  private static String withoutControls(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ").strip();
  }

  /** A message that keeps its Message-ID, which saving would replace. */
  private static final class IdentifiedMessage extends MimeMessage {

    private final String id;

    IdentifiedMessage(Session session, String id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", id);
    }
  }
}
