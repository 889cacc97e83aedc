package io.millrace.server.config;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of metrics, logs, alerts and notifications.
 *
 * @param metrics whether {@code /metrics} answers
 * @param mail null if no mail server is configured
 * @param webhookHosts hosts with private addresses that webhooks may reach
 * @param status the public status page
 */
public record ObservabilityConfig(
    boolean metrics,
    Logs logs,
    List<Alert> alerts,
    @Nullable Mail mail,
    List<String> webhookHosts,
    Status status) {

  /** Limits of the log text that is kept for one attempt. */
  public record Logs(int linesPerAttempt, int bytesPerLine, int bytesPerAttempt) {}

  /** The condition that an alert monitors. */
  public enum AlertCondition {
    /** Instances that failed. */
    FAILED,
    /** Handlers that run too long. */
    STUCK,
    /** Due instances that no living executor may run. */
    NO_EXECUTOR,
    /** Due instances that no executor has claimed. */
    OLD_WAITING,
    /** Continuous workflows that no executor runs, or that fail repeatedly. */
    CONTINUOUS_DOWN,
    /** Periods of continuous workflows that passed without an execution. */
    PERIOD_MISSED,
    /** Ended instances that retention should have archived or deleted. */
    RETENTION_BEHIND
  }

  /**
   * An alert rule.
   *
   * @param type instances of this type only; null for all
   * @param threshold number from which on the alert is raised
   * @param over period in which things are counted, or for which they must last
   */
  public record Alert(
      String name,
      AlertCondition when,
      @Nullable String type,
      int threshold,
      Duration over,
      Target to,
      QuietPeriods silence) {

    /** Creates a rule that can raise its alert at any time. */
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
   * Times in which an alert sends nothing.
   *
   * @param mute time between two messages while the alert lasts
   * @param quiet times in {@code zone} in which the alert is neither raised nor repeated
   */
  public record QuietPeriods(Duration mute, List<QuietTime> quiet, ZoneId zone) {

    /** True if nothing is sent at this moment. */
    public boolean isQuiet(Instant moment) {
      LocalDateTime local = LocalDateTime.ofInstant(moment, zone);
      return quiet.stream().anyMatch(time -> time.holds(local));
    }
  }

  /**
   * The recipients of an alert.
   *
   * @param webhook null for none
   * @param secret signs the body of webhooks; null for no signature
   * @param mail mail addresses
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
   * The public status page of planned maintenance.
   *
   * @param publicStatusPage whether the page needs no login
   * @param address address of this server as browsers see it, for the links in mails, with a slash
   *     at the end; null to disable subscriptions by mail
   * @param secret signs the body of webhooks; null for no signature
   */
  public record Status(boolean publicStatusPage, @Nullable URI address, @Nullable String secret) {

    public static final Status DEFAULT = new Status(true, null, null);

    @Override
    public String toString() {
      return "Status[open=" + publicStatusPage + ", address=" + address + ", secret=***]";
    }
  }

  /** The protection of the connection to the mail server. */
  public enum MailTls {
    /** No protection. */
    NONE,
    /** Encrypted after the greeting; fails if the server does not support it. */
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
