package io.millrace.server.deliver;

import io.millrace.server.config.ObservabilityConfig;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Properties;

/** A sender of plain-text mails. Thread-safe. */
public final class NotificationMailer {

  private static final String LIMIT_MILLIS = "10000";

  private final ObservabilityConfig.Mail server;
  private final Session session;

  /** Creates a sender for this mail server. */
  public NotificationMailer(ObservabilityConfig.Mail server) {
    this.server = server;
    this.session = Session.getInstance(properties(server));
  }

  private static Properties properties(ObservabilityConfig.Mail server) {
    Properties all = new Properties();
    String protocol = protocol(server);
    String prefix = "mail." + protocol + ".";
    all.setProperty("mail.transport.protocol", protocol);
    all.setProperty(prefix + "connectiontimeout", LIMIT_MILLIS);
    all.setProperty(prefix + "timeout", LIMIT_MILLIS);
    all.setProperty(prefix + "writetimeout", LIMIT_MILLIS);
    all.setProperty(prefix + "auth", Boolean.toString(server.user() != null));
    all.setProperty(prefix + "ssl.checkserveridentity", "true");
    boolean startTls = server.tls() == ObservabilityConfig.MailTls.STARTTLS;
    all.setProperty(prefix + "starttls.enable", Boolean.toString(startTls));
    all.setProperty(prefix + "starttls.required", Boolean.toString(startTls));
    return all;
  }

  private static String protocol(ObservabilityConfig.Mail server) {
    return server.tls() == ObservabilityConfig.MailTls.TLS ? "smtps" : "smtp";
  }

  /**
   * Sends one mail to all addresses.
   *
   * @param at date of the mail
   * @throws MessagingException if the mail server does not accept it
   */
  public void send(List<String> to, String subject, String text, Instant at)
      throws MessagingException {
    MimeMessage mail = new MimeMessage(session);
    mail.setFrom(new InternetAddress(server.from()));
    for (String address : to) {
      mail.addRecipient(Message.RecipientType.TO, new InternetAddress(address));
    }
    mail.setSubject(oneLine(subject), "UTF-8");
    mail.setSentDate(date(at));
    mail.setHeader("Auto-Submitted", "auto-generated");
    mail.setText(text, "UTF-8");
    mail.saveChanges();
    try (Transport transport = session.getTransport(protocol(server))) {
      transport.connect(server.host(), server.port(), server.user(), server.password());
      transport.sendMessage(mail, mail.getAllRecipients());
    }
  }

  /** Returns the time as the old class that Jakarta Mail requires. */
  @SuppressWarnings("JavaUtilDate")
  private static Date date(Instant at) {
    return Date.from(at.truncatedTo(ChronoUnit.SECONDS));
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }
}
