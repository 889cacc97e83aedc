package io.millrace.report.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.report.Patience;
import io.millrace.report.mail.Mail.Attachment;
import io.millrace.report.mail.Mail.Recipients;
import jakarta.mail.Address;
import jakarta.mail.BodyPart;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportMailerTest {

  private static final byte[] PDF = {'%', 'P', 'D', 'F', '-', 0, (byte) 200, '\r', '\n', 1};

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

  private SmtpSettings settings() {
    return settings(server.getSmtp().getPort());
  }

  private static SmtpSettings settings(int port) {
    return SmtpSettings.plain("127.0.0.1", port, "mill@example.org").timeout(Patience.LIMIT);
  }

  private static Mail mail(String subject, Recipients recipients) {
    return new Mail(
        recipients,
        subject,
        "Grüße,\ndie Mühle",
        new Attachment("wöchentlich.pdf", "application/pdf", PDF),
        "<key-1@millrace>",
        Instant.parse("2026-11-23T06:00:00Z"));
  }

  @Test
  void aMailReachesAllWithTheFileInIt() throws Exception {
    Recipients all =
        new Recipients(
            List.of("Anna <anna@example.org>"),
            List.of("ben@example.org"),
            List.of("boss@example.org"));
    new ReportMailer(settings()).send(mail("Bericht für Köln", all));

    MimeMessage[] received = server.getReceivedMessages();
    assertThat(received).hasSize(3);
    MimeMessage one = received[0];
    assertThat(one.getSubject()).isEqualTo("Bericht für Köln");
    assertThat(one.getFrom()[0]).hasToString("mill@example.org");
    assertThat(one.getAllRecipients())
        .extracting(Object::toString)
        .containsExactly("Anna <anna@example.org>", "ben@example.org");
    assertThat(one.getHeader("Bcc")).isNull();
    assertThat(one.getMessageID()).isEqualTo("<key-1@millrace>");
    assertThat(one.getSentDate().toInstant()).isEqualTo("2026-11-23T06:00:00Z");
    MimeMultipart parts = (MimeMultipart) one.getContent();
    assertThat(parts.getBodyPart(0).getContent().toString().lines())
        .containsExactly("Grüße,", "die Mühle");
    BodyPart file = parts.getBodyPart(1);
    assertThat(file.getContentType()).startsWith("application/pdf");
    assertThat(MimeUtility.decodeText(file.getFileName())).isEqualTo("wöchentlich.pdf");
    assertThat(file.getInputStream().readAllBytes()).isEqualTo(PDF);
  }

  @Test
  void noHeaderCanBeSmuggledIn() throws Exception {
    new ReportMailer(settings())
        .send(
            mail("Report\r\nBcc: eve@example.org\r\n\r\nbody", Recipients.to("anna@example.org")));
    MimeMessage one = server.getReceivedMessages()[0];
    assertThat(server.getReceivedMessages()).hasSize(1);
    assertThat(one.getSubject()).isEqualTo("Report Bcc: eve@example.org body");
    assertThat(one.getHeader("Bcc")).isNull();
    for (String address :
        List.of(
            "anna@example.org\r\nBcc: eve@example.org",
            "anna@example.org, eve@example.org",
            "anna",
            "",
            "anna@",
            "@example.org",
            "a b@example.org")) {
      assertThatThrownBy(() -> Recipients.to(address))
          .as(address)
          .isInstanceOf(MailException.class);
    }
    assertThatThrownBy(() -> new Recipients(List.of(), List.of(), List.of()))
        .hasMessageContaining("at least one recipient");
    assertThatThrownBy(() -> SmtpSettings.plain("h", 25, "x\ny@example.org"))
        .isInstanceOf(MailException.class);
  }

  @Test
  void theUserLogsIn() {
    server.setUser("mill@example.org", "mill", "s3cret");
    server.getManagers().getUserManager().setAuthRequired(true);
    new ReportMailer(settings().login("mill", "s3cret"))
        .send(mail("x", Recipients.to("anna@example.org")));
    assertThat(server.getReceivedMessages()).hasSize(1);
    ReportMailer wrong = new ReportMailer(settings().login("mill", "wr0ng"));
    assertThatThrownBy(() -> wrong.send(mail("x", Recipients.to("anna@example.org"))))
        .isInstanceOf(MailException.class)
        .hasMessageContaining("127.0.0.1:")
        .hasMessageNotContaining("wr0ng");
    assertThat(settings().login("mill", "s3cret").toString()).doesNotContain("s3cret");
    assertThat(server.getReceivedMessages()).hasSize(1);
  }

  @Test
  void withoutEncryptionNothingIsSentThatNeedsIt() {
    ReportMailer startTls = new ReportMailer(settings().tls(SmtpSettings.Tls.STARTTLS));
    assertThatThrownBy(() -> startTls.send(mail("x", Recipients.to("anna@example.org"))))
        .isInstanceOf(MailException.class)
        .hasMessageContaining("STARTTLS");
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  @Test
  void aCertificateThatNobodyVouchesForIsRefused() {
    GreenMail secure = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTPS));
    secure.start();
    try {
      ReportMailer reportMailer =
          new ReportMailer(settings(secure.getSmtps().getPort()).tls(SmtpSettings.Tls.TLS));
      assertThatThrownBy(() -> reportMailer.send(mail("x", Recipients.to("anna@example.org"))))
          .isInstanceOf(MailException.class)
          .hasMessageContaining("certificat");
      assertThat(secure.getReceivedMessages()).isEmpty();
    } finally {
      secure.stop();
    }
  }

  @Test
  void oneRefusedRecipientRefusesTheMailForAll() throws Exception {
    try (RefusingMailServer refusing =
        new RefusingMailServer("RCPT TO:<ben@example.org>", "550 no such user")) {
      ReportMailer reportMailer = new ReportMailer(settings(refusing.port()));
      assertThatThrownBy(() ->
              reportMailer.send(mail("x", Recipients.to("anna@example.org", "ben@example.org"))))
          .isInstanceOf(MailException.class)
          .hasMessageContaining("ben@example.org")
          .hasMessageContaining("no such user")
          .hasMessageContaining("nobody got it");
      assertThat(refusing.heard()).contains("RCPT TO:<anna@example.org>").doesNotContain("DATA");
    }
  }

  @Test
  void aServerThatTakesTheTextBackFailsTheMail() throws Exception {
    try (RefusingMailServer refusing = new RefusingMailServer(".", "452 disk full")) {
      ReportMailer reportMailer = new ReportMailer(settings(refusing.port()));
      assertThatThrownBy(() -> reportMailer.send(mail("x", Recipients.to("anna@example.org"))))
          .isInstanceOf(MailException.class)
          .hasMessageContaining("disk full");
    }
  }

  /** A mail that was accepted must not be sent again, whatever the server replies to QUIT. */
  @ParameterizedTest
  @ValueSource(strings = {RefusingMailServer.RESET, "421 too busy for that"})
  void aMailThatWasTakenIsSentHoweverTheServerParts(String farewell) throws Exception {
    isSentOnce(farewell, Patience.LIMIT);
  }

  /** The silence uses the whole timeout, so the commands before it have the same short timeout. */
  @Tag("races")
  @Test
  void aMailThatWasTakenIsSentAlthoughTheServerSaysNoFarewell() throws Exception {
    isSentOnce(RefusingMailServer.SILENCE, Duration.ofSeconds(2));
  }

  private static void isSentOnce(String farewell, Duration timeout) throws Exception {
    try (RefusingMailServer parting = new RefusingMailServer("QUIT", farewell)) {
      new ReportMailer(settings(parting.port()).timeout(timeout))
          .send(mail("x", Recipients.to("anna@example.org")));
      assertThat(parting.heard()).filteredOn("."::equals).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Zdeněk Kučera", "李雷", "ĊX", "Ċ", "Jörg \"Jo\" Ćosić, Dr."})
  void namesOfAllScriptsArriveAndLeaveTheHeadersWhole(String name) throws Exception {
    String quoted = '"' + name.replace("\"", "\\\"") + '"';
    Recipients all =
        new Recipients(
            List.of(quoted + " <anna@example.org>", "ben@example.org"),
            List.of(quoted + " <cora@example.org>"),
            List.of());
    SmtpSettings from =
        SmtpSettings.plain("127.0.0.1", server.getSmtp().getPort(), quoted + " <mill@example.org>")
            .timeout(Patience.LIMIT);
    new ReportMailer(from).send(mail("Bericht", all));

    MimeMessage one = server.getReceivedMessages()[0];
    assertThat(named(one.getFrom())).containsExactly(name + ": mill@example.org");
    assertThat(named(one.getRecipients(RecipientType.TO)))
        .containsExactly(name + ": anna@example.org", "null: ben@example.org");
    assertThat(named(one.getRecipients(RecipientType.CC)))
        .containsExactly(name + ": cora@example.org");
    assertThat(GreenMailUtil.getWholeMessage(one).lines().takeWhile(line -> !line.isEmpty()))
        .hasSizeGreaterThan(7)
        .allMatch(line -> line.matches("[A-Za-z-]+: .*|[ \\t].+"))
        .allMatch(line -> line.chars().allMatch(c -> c < 127));
  }

  @Test
  void aNameWithoutQuotesArrivesToo() throws Exception {
    new ReportMailer(settings())
        .send(mail("x", Recipients.to("Zdeněk Kučera <anna@example.org>", "Ben <b@example.org>")));
    assertThat(named(server.getReceivedMessages()[0].getAllRecipients()))
        .containsExactly("Zdeněk Kučera: anna@example.org", "Ben: b@example.org");
  }

  private static Stream<String> named(Address[] addresses) {
    return Arrays.stream(addresses)
        .map(InternetAddress.class::cast)
        .map(a -> a.getPersonal() + ": " + a.getAddress());
  }

  @Test
  void anAddressThatServersDoNotUnderstandIsRefusedAtOnce() {
    for (String address :
        List.of("jiří@example.org", "Jiří <jiri@přiklad.example>", "anna@ünï.example")) {
      assertThatThrownBy(() -> Recipients.to(address))
          .isInstanceOf(MailException.class)
          .hasMessageContaining("'" + address + "'")
          .hasMessageContaining("expected ASCII");
    }
    assertThatThrownBy(
            () -> Recipients.to("=?UTF-8?Q?x=0D=0ABcc=3A_eve=40example.org?= <anna@example.org>"))
        .isInstanceOf(MailException.class)
        .hasMessageContaining("control characters");
  }

  @Test
  void aServerThatSaysNothingOrIsAwayDoesNotHoldTheTask() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      ReportMailer reportMailer =
          new ReportMailer(settings(silent.getLocalPort()).timeout(Duration.ofMillis(300)));
      assertThatThrownBy(() -> reportMailer.send(mail("x", Recipients.to("anna@example.org"))))
          .isInstanceOf(MailException.class);
    }
    // The port is bound, and nothing accepts connections there.
    try (Socket mute = new Socket()) {
      mute.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      ReportMailer reportMailer = new ReportMailer(settings(mute.getLocalPort()));
      assertThatThrownBy(() -> reportMailer.send(mail("x", Recipients.to("a@example.org"))))
          .isInstanceOf(MailException.class)
          .hasMessageContaining(Integer.toString(mute.getLocalPort()));
    }
  }

  @Test
  void attachmentsAreKeptByteForByte() throws Exception {
    byte[] large = new byte[300_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i * 31);
    }
    Mail mail =
        new Mail(
            Recipients.to("anna@example.org"),
            "x",
            "y",
            new Attachment("a.pdf", "application/pdf", large),
            "<k@millrace>",
            Instant.EPOCH);
    new ReportMailer(settings()).send(mail);
    MimeMultipart parts = (MimeMultipart) server.getReceivedMessages()[0].getContent();
    assertThat(Arrays.equals(parts.getBodyPart(1).getInputStream().readAllBytes(), large)).isTrue();
  }
}
