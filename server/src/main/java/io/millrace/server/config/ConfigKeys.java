package io.millrace.server.config;

import io.millrace.report.ReportSettings;
import io.millrace.schedule.CronExpression;
import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.config.ObservabilityConfig.AlertCondition;
import io.millrace.store.sql.SchemaMode;
import java.net.URI;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of all keys, in the order of the manual. */
final class ConfigKeys {

  private static final List<ConfigKey<?>> ALL = new ArrayList<>();
  private static final int ANY = Integer.MAX_VALUE;

  static final ConfigKey<String> BIND =
      key("http.bind", ConfigType.host(), "127.0.0.1", "the address to listen on; 0.0.0.0 for all");
  static final ConfigKey<Integer> PORT =
      key(
          "http.port",
          ConfigType.number(0, 65535),
          "7500",
          "the port to listen on; 0 for a free one");
  static final ConfigKey<String> CONTEXT_PATH =
      key(
          "http.contextPath",
          ConfigType.contextPath(),
          "/",
          "the path below which everything is served");
  static final ConfigKey<Integer> BODY =
      key("http.limits.body", ConfigType.bytes(1024), "1 MB", "the largest body of a request");
  static final ConfigKey<Duration> REQUEST_TIME =
      key(
          "http.limits.requestTime",
          ConfigType.duration(),
          "30 s",
          "the longest time for one request");
  static final ConfigKey<Duration> UNREADY_TIME =
      key(
          "http.unreadyTime",
          ConfigType.duration(),
          "10 s",
          "how long a process that a rollout replaces still answers after its executor has left, so"
              + " that load balancers see that it is not ready");
  static final ConfigKey<TlsMode> TLS_MODE =
      key(
          "http.tls.mode",
          ConfigType.choice(List.of(TlsMode.values())),
          null,
          "none, proxy (a proxy in front ends TLS) or keystore; must be said when bind is not"
              + " this machine alone");
  static final ConfigKey<String> KEY_STORE =
      key(
          "http.tls.keyStore",
          ConfigType.text(),
          null,
          "the PKCS#12 or JKS file for mode keystore");
  static final ConfigKey<String> KEY_STORE_PASSWORD =
      secret("http.tls.password", ConfigType.anyText(), null, "the password of that file");
  static final ConfigKey<List<URI>> ORIGINS =
      key(
          "http.origins",
          ConfigType.list(ConfigType.origin()),
          "",
          "what browsers call this server, where a proxy is in front, such as"
              + " https://millrace.example.com");
  static final ConfigKey<List<IpNetwork>> TRUSTED_PROXIES =
      key(
          "http.trustedProxies",
          ConfigType.list(ConfigType.network()),
          "127.0.0.0/8, ::1/128",
          "the addresses of the proxies whose X-Forwarded-For counts, with http.tls.mode = proxy");

  static final ConfigKey<String> DATABASE_URL =
      key(
          "database.url",
          ConfigType.jdbcUrl(),
          "jdbc:h2:file:./data/millrace",
          "PostgreSQL, or H2 for a single node");
  static final ConfigKey<String> DATABASE_USER =
      key("database.user", ConfigType.anyText(), "millrace", "the user at the database");
  static final ConfigKey<String> DATABASE_PASSWORD =
      secret("database.password", ConfigType.anyText(), "", "the password of that user");
  static final ConfigKey<Integer> POOL_SIZE =
      key("database.poolSize", ConfigType.number(4, 1000), "16", "connections, at most");

  static final ConfigKey<SchemaMode> SCHEMA =
      key(
          "database.schema",
          ConfigType.choice(List.of(SchemaMode.values())),
          "create",
          "the tables at a start: `create` and update them, `validate` what an administrator made"
              + " from `millrace schema print`, or `none`: do not look at them");

  static final ConfigKey<Boolean> AUTOSTART =
      key("engine.autostart", ConfigType.bool(), "true", "false: steers instances but runs none");
  static final ConfigKey<String> GROUP =
      key(
          "engine.executor.group",
          ConfigType.text(),
          "millrace",
          "only instances of this group are run");
  static final ConfigKey<String> NODE_NAME =
      key(
          "engine.executor.name",
          ConfigType.anyText(),
          "",
          "the place in the cluster that this process takes, as the one before it did; empty: the"
              + " name of the machine");
  static final ConfigKey<Integer> THREADS =
      key(
          "engine.executor.thread.count",
          ConfigType.number(1, ANY),
          "64",
          "handlers at the same time");
  static final ConfigKey<Integer> QUEUE =
      key(
          "engine.dispatcher.executor.queue.size",
          ConfigType.number(0, ANY),
          "448",
          "most instances claimed ahead");
  static final ConfigKey<Integer> SLEEP =
      key(
          "engine.dispatcher.sleep.ms",
          ConfigType.number(1, ANY),
          "1000",
          "an idle dispatcher looks again after a random time up to this");
  static final ConfigKey<Integer> CHANNEL_PATIENCE =
      key(
          "engine.dispatcher.channel.patience.seconds",
          ConfigType.number(0, ANY),
          "30",
          "how long a message over a channel may take before the work begins without it");
  static final ConfigKey<Integer> LEASE =
      key(
          "engine.executor.timeout.seconds",
          ConfigType.number(1, ANY),
          "10",
          "how long a lease runs without heartbeat");
  static final ConfigKey<Integer> HEARTBEAT =
      key(
          "engine.executor.keepalive.seconds",
          ConfigType.number(1, ANY),
          "2",
          "time between heartbeats; at most half of the lease");
  static final ConfigKey<Integer> RECOVERIES =
      key(
          "engine.executor.maxRecoveries",
          ConfigType.number(1, ANY),
          "5",
          "deaths of holders in a row before an instance is parked");
  static final ConfigKey<Integer> STUCK =
      key(
          "engine.executor.stuckThreadThreshold.seconds",
          ConfigType.number(1, ANY),
          "60",
          "a handler that runs longer is reported");
  static final ConfigKey<Integer> GRACE =
      key(
          "engine.dispatcher.await.termination.seconds",
          ConfigType.number(0, ANY),
          "300",
          "grace for handlers at a stop");
  static final ConfigKey<Boolean> RECYCLE =
      key(
          "recycle.enabled",
          ConfigType.bool(),
          "false",
          "whether nodes restart by themselves; a supervisor has to start their processes again."
              + " A policy set over HTTP replaces this section, except inPlace");
  static final ConfigKey<LocalTime> RECYCLE_AT =
      key("recycle.at", ConfigType.timeOfDay(), "04:30", "from when on, once per local date");
  static final ConfigKey<ZoneId> RECYCLE_ZONE =
      key("recycle.zone", ConfigType.zone(), "UTC", "the time zone of that time");
  static final ConfigKey<Duration> RECYCLE_WINDOW =
      key(
          "recycle.window",
          ConfigType.duration(),
          "1 h",
          "over which the nodes are spread, at most 12 h");
  static final ConfigKey<Duration> RECYCLE_AGE =
      key(
          "recycle.maxAge",
          ConfigType.duration(),
          "25 h",
          "an older process restarts at any time, the window later at the latest");
  static final ConfigKey<Integer> RECYCLE_MEMORY =
      key(
          "recycle.memoryPercent",
          ConfigType.number(0, 100),
          "85",
          "so does one whose heap stays as full; 0: never");
  static final ConfigKey<Boolean> RECYCLE_IN_PLACE =
      key(
          "recycle.inPlace",
          ConfigType.bool(),
          "false",
          "whether a recycle replaces the executor and leaves the process, for where no supervisor"
              + " starts it again; a rollout ends it all the same");
  static final ConfigKey<Duration> ARCHIVE_AFTER =
      key(
          "engine.retention.archiveAfter",
          ConfigType.duration(),
          null,
          "ended instances go to the archive after this time; never unless set");
  static final ConfigKey<Duration> DELETE_AFTER =
      key(
          "engine.retention.deleteAfter",
          ConfigType.duration(),
          null,
          "ended instances are deleted after this time; never unless set");
  static final ConfigKey<Duration> DELETE_ARCHIVED_AFTER =
      key(
          "engine.retention.deleteArchivedAfter",
          ConfigType.duration(),
          null,
          "archived instances are deleted this long after their end; never unless set");
  static final ConfigKey<Duration> DELETE_AUDIT_AFTER =
      key(
          "engine.retention.deleteAuditAfter",
          ConfigType.duration(),
          null,
          "entries of the audit are deleted at this age; never unless set");

  static final ConfigKey<String> HOME =
      key(
          "home",
          ConfigType.text(),
          ".",
          "the folder in which the folders below are, unless absolute");
  static final ConfigKey<String> WORKFLOWS =
      key(
          "workflows.folder",
          ConfigType.text(),
          "workflowjar",
          "where the jars with workflows and with classes of tasks are");

  static final ConfigKey<String> SEQUENCES =
      key(
          "sequences.folder",
          ConfigType.text(),
          "sequences",
          "JSON files of sequence types, tasks and sequences, registered at each start");

  static final ConfigKey<Integer> CORE_POOL =
      key(
          "workflowDetails.corePoolSize",
          ConfigType.number(0, 10_000),
          "8",
          "threads for the chunks of tasks that are kept");
  static final ConfigKey<Integer> MAXIMUM_POOL =
      key(
          "workflowDetails.maximumPoolSize",
          ConfigType.number(1, 10_000),
          "20",
          "threads for chunks, at most");
  static final ConfigKey<Integer> KEEP_ALIVE =
      key(
          "workflowDetails.keepAliveTime",
          ConfigType.number(0, 1_000_000),
          "20",
          "minutes after which an idle thread above corePoolSize ends");
  static final ConfigKey<Integer> POOL_QUEUE =
      key(
          "workflowDetails.waitingQueueSize",
          ConfigType.number(0, 1_000_000),
          "10",
          "chunks that wait before there are more threads than corePoolSize");
  static final ConfigKey<CronExpression> START_CRON =
      key(
          "workflowDetails.workflowExecutorCron",
          ConfigType.cron(),
          null,
          "when due sequences are started, in UTC; as soon as they are due unless set");
  static final ConfigKey<CronExpression> RETRY_CRON =
      key(
          "workflowDetails.workflowRetryExecutorCron",
          ConfigType.cron(),
          null,
          "when failed tasks are tried again, in UTC; after a wait of their own unless set");
  static final ConfigKey<CronExpression> AUTO_CORRECTION_CRON =
      key(
          "workflowDetails.workflowAutoCorrectionSchedular",
          ConfigType.cron(),
          null,
          "when missed slots are recorded while workflowExecutorCron allows no start, in UTC; with"
              + " the next start unless set");

  static final ConfigKey<String> RABBIT_URI =
      secret(
          "rabbitmq.uri",
          ConfigType.anyText(),
          null,
          "carries the messages between tasks, as in amqp://user:password@host:5672/vhost; without"
              + " it they stay in the process and the database");
  static final ConfigKey<String> RABBIT_EXCHANGE =
      key(
          "rabbitmq.exchange",
          ConfigType.text(),
          "iSight",
          "the exchange to which messages are sent");
  static final ConfigKey<Duration> RABBIT_CONFIRM =
      key(
          "rabbitmq.confirmLimit",
          ConfigType.duration(),
          "5 s",
          "how long sending waits for the broker; 100 ms to 10 minutes");
  static final ConfigKey<Integer> RABBIT_PREFETCH =
      key(
          "rabbitmq.prefetch",
          ConfigType.number(0, 10_000),
          "0",
          "messages that a consumer holds; 0 for as many as it receives at a time");
  static final ConfigKey<Integer> RABBIT_DELIVERIES =
      key(
          "rabbitmq.deliveryLimit",
          ConfigType.number(1, ANY),
          "20",
          "deliveries until a message that ends its consumers is a dead letter; the same on all"
              + " nodes");

  static {
    ALL.addAll(RedisConfigKeys.ALL);
  }

  static final ConfigKey<String> REPORT_OUTPUT =
      key(
          "assessmentReport.outputDatasource",
          ConfigType.text(),
          ReportSettings.DATABASE,
          "where the results of KPIs go: DATABASE, or a neo4j or elasticsearch source of"
              + " sources.json");
  static final ConfigKey<Integer> RETRIES =
      key(
          "assessmentReport.maxWorkflowRetries",
          ConfigType.number(0, 1000),
          "3",
          "attempts of a task after the first, where the task says nothing else");
  static final ConfigKey<String> CHART_VENDOR =
      key(
          "assessmentReport.chartVendor",
          ConfigType.anyText(),
          null,
          "read and without effect: charts are drawn by the program");
  static final ConfigKey<String> FUSION_URL =
      key(
          "assessmentReport.fusionExportAPIUrl",
          ConfigType.anyText(),
          null,
          "read and without effect: nothing is sent there");
  static final ConfigKey<String> REPORT_FOLDER =
      key(
          "report.folder",
          ConfigType.text(),
          "reports",
          "JSON files of KPIs and reports, and sources.json");
  static final ConfigKey<ZoneId> REPORT_ZONE =
      key("report.zone", ConfigType.zone(), "UTC", "where the days of reports begin");
  static final ConfigKey<String> REPORT_REPOSITORY =
      key(
          "report.git.repository",
          ConfigType.text(),
          null,
          "a git repository, of which the report weekly-report is then ready-made");
  static final ConfigKey<String> REPORT_TITLE =
      key(
          "report.git.title",
          ConfigType.text(),
          null,
          "its title; the name of its folder unless set");

  static final ConfigKey<Boolean> SECURITY =
      key(
          "security.enabled",
          ConfigType.bool(),
          "true",
          "false: each client that reaches it is admin");
  static final ConfigKey<Integer> SESSION_HOURS =
      key("security.sessionHours", ConfigType.number(1, 8760), "12", "how long a login lasts");
  static final ConfigKey<Integer> LOGIN_ATTEMPTS =
      key(
          "security.loginAttempts",
          ConfigType.number(1, 10_000),
          "10",
          "tries to log in, good or bad, from one address in a minute; five times as many with one"
              + " name");
  static final ConfigKey<String> ADMIN_USER =
      key(
          "security.admin.user",
          ConfigType.text(),
          "admin",
          "the first user, made where there is none");
  static final ConfigKey<String> ADMIN_PASSWORD =
      secret(
          "security.admin.password",
          ConfigType.password(),
          null,
          "the first password of that user; without it, on this machine alone, one is made up and"
              + " shown");
  static final ConfigKey<URI> OIDC_ISSUER =
      key(
          "security.oidc.issuer",
          ConfigType.http(),
          null,
          "the issuer that vouches for users; set: OIDC is on");
  static final ConfigKey<String> OIDC_CLIENT =
      key("security.oidc.clientId", ConfigType.text(), null, "the name of this server there");
  static final ConfigKey<String> OIDC_SECRET =
      secret("security.oidc.clientSecret", ConfigType.text(), null, "its secret there");
  static final ConfigKey<URI> OIDC_REDIRECT =
      key("security.oidc.redirectBase", ConfigType.http(), null, "this server as browsers see it");
  static final ConfigKey<String> OIDC_GROUPS =
      key(
          "security.oidc.groupsClaim",
          ConfigType.text(),
          "groups",
          "the claim that lists the groups");
  static final ConfigKey<List<String>> OIDC_ADMIN =
      key(
          "security.oidc.roles.admin",
          ConfigType.list(ConfigType.text()),
          "",
          "groups that are admin");
  static final ConfigKey<List<String>> OIDC_OPERATOR =
      key(
          "security.oidc.roles.operator",
          ConfigType.list(ConfigType.text()),
          "",
          "groups that are operator");
  static final ConfigKey<List<String>> OIDC_VIEWER =
      key(
          "security.oidc.roles.viewer",
          ConfigType.list(ConfigType.text()),
          "",
          "groups that are viewer");

  static final ConfigKey<String> SECRET_KEY =
      secret(
          "secrets.keys.<id>",
          ConfigType.key(),
          null,
          "a key for secret variables, under its name");
  static final ConfigKey<String> SECRET_ACTIVE =
      key(
          "secrets.active",
          ConfigType.text(),
          null,
          "the name of the key that encrypts; all decrypt");
  static final ConfigKey<List<String>> SECRET_NAMES =
      key(
          "secrets.names",
          ConfigType.list(ConfigType.text()),
          "",
          "further names whose values are not shown");

  static final ConfigKey<Boolean> METRICS =
      key("observe.metrics", ConfigType.bool(), "true", "whether /metrics answers");
  static final ConfigKey<Integer> LOG_LINES =
      key("observe.logs.linesPerAttempt", ConfigType.number(0, 100_000), "200", "log lines kept");
  static final ConfigKey<Integer> LOG_LINE =
      key("observe.logs.bytesPerLine", ConfigType.bytes(80), "4000", "a longer log line is cut");
  static final ConfigKey<Integer> LOG_ATTEMPT =
      key(
          "observe.logs.bytesPerAttempt",
          ConfigType.bytes(80),
          "64 kB",
          "log text kept of an attempt");
  static final ConfigKey<String> ALERT_NAME =
      key("observe.alerts[].name", ConfigType.text(), null, "what the alert is called; required");
  static final ConfigKey<AlertCondition> ALERT_WHEN =
      key(
          "observe.alerts[].when",
          ConfigType.choice(List.of(AlertCondition.values())),
          null,
          "what it looks at; required");
  static final ConfigKey<String> ALERT_TYPE =
      key(
          "observe.alerts[].type",
          ConfigType.text(),
          null,
          "only instances of this type; not oldWaiting, retentionBehind");
  static final ConfigKey<Integer> ALERT_THRESHOLD =
      key(
          "observe.alerts[].threshold",
          ConfigType.number(1, ANY),
          "1",
          "how many make it an alert");
  static final ConfigKey<Duration> ALERT_OVER =
      key(
          "observe.alerts[].over",
          ConfigType.duration(),
          "5 minutes",
          "failed, periodMissed: within this time; the others: for longer than this");
  static final ConfigKey<URI> ALERT_WEBHOOK =
      secret("observe.alerts[].webhook", ConfigType.http(), null, "where to post it");
  static final ConfigKey<String> ALERT_SECRET =
      secret("observe.alerts[].secret", ConfigType.text(), null, "signs what is posted");
  static final ConfigKey<List<String>> ALERT_MAIL =
      key(
          "observe.alerts[].mail",
          ConfigType.list(ConfigType.mailAddress()),
          "",
          "whom to mail it");
  static final ConfigKey<Duration> ALERT_MUTE =
      key(
          "observe.alerts[].mute",
          ConfigType.duration(),
          "30 minutes",
          "while it lasts, it reminds after this time");
  static final ConfigKey<List<QuietTime>> ALERT_QUIET =
      key(
          "observe.alerts[].quiet",
          ConfigType.list(ConfigType.quietTime()),
          "",
          "times of the week in which it neither begins nor reminds");
  static final ConfigKey<ZoneId> ZONE =
      key("observe.zone", ConfigType.zone(), "UTC", "the time zone of these times");
  static final ConfigKey<String> MAIL_HOST =
      key("observe.mail.host", ConfigType.host(), null, "the mail server (SMTP)");
  static final ConfigKey<Integer> MAIL_PORT =
      key("observe.mail.port", ConfigType.number(1, 65535), "587", "its port");
  static final ConfigKey<String> MAIL_USER =
      key("observe.mail.user", ConfigType.text(), null, "the user there; none: without login");
  static final ConfigKey<String> MAIL_PASSWORD =
      secret("observe.mail.password", ConfigType.anyText(), null, "the password there");
  static final ConfigKey<String> MAIL_FROM =
      key("observe.mail.from", ConfigType.mailAddress(), null, "the sender");
  static final ConfigKey<ObservabilityConfig.MailTls> MAIL_TLS =
      key(
          "observe.mail.tls",
          ConfigType.choice(List.of(ObservabilityConfig.MailTls.values())),
          "starttls",
          "how the connection is protected");
  static final ConfigKey<List<String>> WEBHOOK_ALLOWED =
      key(
          "observe.webhooks.allow",
          ConfigType.list(ConfigType.host()),
          "",
          "hosts with private addresses that webhooks may reach");
  static final ConfigKey<Boolean> STATUS_PUBLIC =
      key(
          "observe.status.public",
          ConfigType.bool(),
          "true",
          "whether the page of planned maintenance, /status-page, needs no login");
  static final ConfigKey<URI> STATUS_ADDRESS =
      key(
          "observe.status.address",
          ConfigType.http(),
          null,
          "this server as browsers see it; needed for subscriptions by mail");
  static final ConfigKey<String> STATUS_SECRET =
      secret(
          "observe.status.secret",
          ConfigType.text(),
          null,
          "signs what is posted to those who subscribe by webhook");

  private ConfigKeys() {}

  static List<ConfigKey<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static <T> ConfigKey<T> key(
      String path, ConfigType<T> configType, @Nullable String fallback, String meaning) {
    return add(new ConfigKey<>(path, configType, fallback, meaning, false));
  }

  private static <T> ConfigKey<T> secret(
      String path, ConfigType<T> configType, @Nullable String fallback, String meaning) {
    return add(new ConfigKey<>(path, configType, fallback, meaning, true));
  }

  private static <T> ConfigKey<T> add(ConfigKey<T> key) {
    ALL.add(key);
    return key;
  }
}
