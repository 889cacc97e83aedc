package io.millrace.server.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.server.config.ObservabilityConfig;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotificationMailerTest {

  private static final Instant AT = Instant.parse("2026-01-05T08:00:00Z");

  private final GreenMail server =
      new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  @Test
  void aMailReachesAllItNames() throws Exception {
    mailer(null, null, ObservabilityConfig.MailTls.NONE)
        .send(
            List.of("anna@example.org", "ops@example.org"),
            "[Millrace] Alert: zu spät\r\nBcc: eve@example.org",
            "Es ist zu spät.",
            AT);

    MimeMessage[] received = server.getReceivedMessages();
    assertThat(received).hasSize(2);
    assertThat(received[0].getSubject())
        .isEqualTo("[Millrace] Alert: zu spät Bcc: eve@example.org");
    assertThat(received[0].getHeader("Bcc")).isNull();
    assertThat(received[0].getFrom())
        .extracting(Object::toString)
        .containsExactly("millrace@example.org");
    assertThat(received[0].getAllRecipients()).hasSize(2);
    assertThat(received[0].getContent().toString().strip()).isEqualTo("Es ist zu spät.");
    assertThat(received[0].getSentDate().toInstant()).isEqualTo(AT);
  }

  @Test
  void theUserLogsIn() throws Exception {
    server.setUser("millrace@example.org", "millrace", "s3cret");
    mailer("millrace", "s3cret", ObservabilityConfig.MailTls.NONE)
        .send(List.of("anna@example.org"), "subject", "text", AT);
    assertThat(server.getReceivedMessages()).hasSize(1);
    assertThatThrownBy(() ->
            mailer("millrace", "wrong", ObservabilityConfig.MailTls.NONE)
                .send(List.of("anna@example.org"), "subject", "text", AT))
        .isInstanceOf(MessagingException.class)
        .hasMessageNotContaining("wrong");
  }

  /** A password must not be sent in plain text because an attacker has removed the encryption. */
  @Test
  void whereEncryptionIsMissingNothingIsSent() {
    assertThatThrownBy(() ->
            mailer("millrace", "s3cret", ObservabilityConfig.MailTls.STARTTLS)
                .send(List.of("anna@example.org"), "subject", "text", AT))
        .isInstanceOf(MessagingException.class)
        .hasMessageContaining("STARTTLS");
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  private NotificationMailer mailer(String user, String password, ObservabilityConfig.MailTls tls) {
    return new NotificationMailer(
        new ObservabilityConfig.Mail(
            "127.0.0.1", server.getSmtp().getPort(), user, password, "millrace@example.org", tls));
  }
}
