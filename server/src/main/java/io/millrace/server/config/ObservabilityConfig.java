package io.millrace.server.config;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server tells about itself.
 *
 * @param metrics whether {@code /metrics} answers
 * @param mail null where no mail can be sent
 * @param webhookHosts hosts with private addresses that webhooks may reach
 * @param status what strangers may know
 */
public record ObservabilityConfig(
    boolean metrics,
    Logs logs,
    List<Alert> alerts,
    @Nullable Mail mail,
    List<String> webhookHosts,
    Status status) {

  /** How much log text is kept of one attempt of a step. */
  public record Logs(int linesPerAttempt, int bytesPerLine, int bytesPerAttempt) {}

  /** What an alert looks at. */
  public enum AlertCondition {
    /** Instances that failed. */
    FAILED,
    /** Handlers that run too long. */
    STUCK,
    /** Due instances that no living executor may run. */
    NO_EXECUTOR,
    /** Due instances that nobody has taken. */
    OLD_WAITING,
    /** Continuous workflows that nobody runs, or that fail again and again. */
    CONTINUOUS_DOWN,
    /** Periods of continuous workflows that passed without an execution. */
    PERIOD_MISSED,
    /** Ended instances that retention should have archived or deleted. */
    RETENTION_BEHIND
  }

  /**
   * One rule.
   *
   * @param type instances of this type only; null for all
   * @param threshold how many make it an alert
   * @param over within this time, or for longer than this
   */
  public record Alert(
      String name,
      AlertCondition when,
      @Nullable String type,
      int threshold,
      Duration over,
      Target to,
      QuietPeriods silence) {

    /** One that may begin at any time. */
    public Alert(
        String name,
        AlertCondition when,
        @Nullable String type,
        int threshold,
        Duration over,
        Target to,
        Duration mute) {
      this(
          name,
          when,
          type,
          threshold,
          over,
          to,
          new QuietPeriods(mute, List.of(), ZoneId.of("UTC")));
    }
  }

  /**
   * When an alert says nothing.
   *
   * @param mute from one message to the next while it lasts
   * @param quiet when it neither begins nor reminds, in {@code zone}
   */
  public record QuietPeriods(Duration mute, List<QuietTime> quiet, ZoneId zone) {

    /** Whether nothing is said at this moment. */
    public boolean isQuiet(Instant moment) {
      LocalDateTime local = LocalDateTime.ofInstant(moment, zone);
      return quiet.stream().anyMatch(time -> time.holds(local));
    }
  }

  /**
   * Whom an alert reaches.
   *
   * @param webhook null for none
   * @param secret signs what is posted; null for no signature
   * @param mail addresses
   */
  public record Target(@Nullable URI webhook, @Nullable String secret, List<String> mail) {
    @Override
    public String toString() {
      return "Target[webhook="
          + (webhook == null ? null : "***")
          + ", secret=***, mail="
          + mail
          + "]";
    }
  }

  /**
   * What strangers may know of planned maintenance.
   *
   * @param publicStatusPage whether they may look at the status page
   * @param address this server as browsers see it, for the links in mails, with a slash at the end;
   *     null where nobody can subscribe by mail
   * @param secret signs what is posted to webhooks; null for no signature
   */
  public record Status(boolean publicStatusPage, @Nullable URI address, @Nullable String secret) {

    public static final Status DEFAULT = new Status(true, null, null);

    @Override
    public String toString() {
      return "Status[open=" + publicStatusPage + ", address=" + address + ", secret=***]";
    }
  }

  /** How the connection to the mail server is protected. */
  public enum MailTls {
    /** Not at all. */
    NONE,
    /** Encrypted after the greeting, and refused where the server cannot. */
    STARTTLS,
    /** Encrypted from the first byte. */
    TLS
  }

  /**
   * The mail server.
   *
   * @param user null for no login
   */
  public record Mail(
      String host,
      int port,
      @Nullable String user,
      @Nullable String password,
      String from,
      MailTls tls) {
    @Override
    public String toString() {
      return "Mail[host=" + host + ", port=" + port + ", user=" + user + ", from=" + from + "]";
    }
  }
}
