package io.millrace.server.config;

import io.millrace.report.ReportSettings;
import io.millrace.schedule.CronExpression;
import io.millrace.server.config.Http.TlsMode;
import io.millrace.server.config.Observe.AlertWhen;
import java.net.URI;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every key there is, in the order of the manual. */
final class Keys {

  private static final List<Key<?>> ALL = new ArrayList<>();
  private static final int ANY = Integer.MAX_VALUE;

  static final Key<String> BIND =
      key("http.bind", Kind.host(), "127.0.0.1", "the address to listen on; 0.0.0.0 for all");
  static final Key<Integer> PORT =
      key("http.port", Kind.number(0, 65535), "7500", "the port to listen on; 0 for a free one");
  static final Key<String> CONTEXT_PATH =
      key("http.contextPath", Kind.contextPath(), "/", "the path below which everything is served");
  static final Key<Integer> BODY =
      key("http.limits.body", Kind.bytes(1024), "1 MB", "the largest body of a request");
  static final Key<Duration> REQUEST_TIME =
      key("http.limits.requestTime", Kind.duration(), "30 s", "the longest time for one request");
  static final Key<Duration> UNREADY_TIME =
      key(
          "http.unreadyTime",
          Kind.duration(),
          "10 s",
          "how long a process that a rollout replaces still answers after its executor has left, so that who"
              + " spreads requests sees that it is not ready");
  static final Key<TlsMode> TLS_MODE =
      key(
          "http.tls.mode",
          Kind.choice(List.of(TlsMode.values())),
          null,
          "none, proxy (a proxy in front ends TLS) or keystore; must be said when bind is not"
              + " this machine alone");
  static final Key<String> KEY_STORE =
      key("http.tls.keyStore", Kind.text(), null, "the PKCS#12 or JKS file for mode keystore");
  static final Key<String> KEY_STORE_PASSWORD =
      secret("http.tls.password", Kind.anyText(), null, "the password of that file");
  static final Key<List<IpNetwork>> TRUSTED_PROXIES =
      key(
          "http.trustedProxies",
          Kind.list(Kind.network()),
          "127.0.0.0/8, ::1/128",
          "the addresses of the proxies whose X-Forwarded-For counts, with http.tls.mode = proxy");

  static final Key<String> DATABASE_URL =
      key(
          "database.url",
          Kind.jdbcUrl(),
          "jdbc:h2:file:./data/millrace",
          "PostgreSQL, or H2 for a single node");
  static final Key<String> DATABASE_USER =
      key("database.user", Kind.anyText(), "millrace", "the user at the database");
  static final Key<String> DATABASE_PASSWORD =
      secret("database.password", Kind.anyText(), "", "the password of that user");
  static final Key<Integer> POOL_SIZE =
      key("database.poolSize", Kind.number(4, 1000), "16", "connections, at most");

  static final Key<Boolean> MIGRATE =
      key(
          "database.migrate",
          Kind.bool(),
          "true",
          "make and update the tables at start; false: somebody applies `millrace schema print`");

  static final Key<Boolean> AUTOSTART =
      key("engine.autostart", Kind.bool(), "true", "false: steers instances but runs none");
  static final Key<String> GROUP =
      key("engine.executor.group", Kind.text(), "millrace", "only instances of this group are run");
  static final Key<String> NODE_NAME =
      key(
          "engine.executor.name",
          Kind.anyText(),
          "",
          "the place in the cluster that this process takes, as the one before it did; empty: the name of the"
              + " machine");
  static final Key<Integer> THREADS =
      key("engine.executor.thread.count", Kind.number(1, ANY), "64", "handlers at the same time");
  static final Key<Integer> QUEUE =
      key(
          "engine.dispatcher.executor.queue.size",
          Kind.number(0, ANY),
          "448",
          "most instances claimed ahead");
  static final Key<Integer> SLEEP =
      key(
          "engine.dispatcher.sleep.ms",
          Kind.number(1, ANY),
          "1000",
          "an idle dispatcher looks again after a random time up to this");
  static final Key<Integer> CHANNEL_PATIENCE =
      key(
          "engine.dispatcher.channel.patience.seconds",
          Kind.number(0, ANY),
          "30",
          "how long a message over a channel may take before the work begins without it");
  static final Key<Integer> LEASE =
      key(
          "engine.executor.timeout.seconds",
          Kind.number(1, ANY),
          "10",
          "how long a lease runs without heartbeat");
  static final Key<Integer> HEARTBEAT =
      key(
          "engine.executor.keepalive.seconds",
          Kind.number(1, ANY),
          "2",
          "time between heartbeats; at most half of the lease");
  static final Key<Integer> RECOVERIES =
      key(
          "engine.executor.maxRecoveries",
          Kind.number(1, ANY),
          "5",
          "deaths of holders in a row before an instance is parked");
  static final Key<Integer> STUCK =
      key(
          "engine.executor.stuckThreadThreshold.seconds",
          Kind.number(1, ANY),
          "60",
          "a handler that runs longer is reported");
  static final Key<Integer> GRACE =
      key(
          "engine.dispatcher.await.termination.seconds",
          Kind.number(0, ANY),
          "300",
          "grace for handlers at a stop");
  static final Key<Boolean> RECYCLE =
      key(
          "recycle.enabled",
          Kind.bool(),
          "false",
          "whether nodes begin anew by themselves; a supervisor has to start their processes again. What is"
              + " said over HTTP counts instead of this section, but for inPlace");
  static final Key<LocalTime> RECYCLE_AT =
      key("recycle.at", Kind.timeOfDay(), "04:30", "from when on, once per local date");
  static final Key<ZoneId> RECYCLE_ZONE =
      key("recycle.zone", Kind.zone(), "UTC", "the time zone of that time");
  static final Key<Duration> RECYCLE_WINDOW =
      key(
          "recycle.window",
          Kind.duration(),
          "1 h",
          "over which the nodes are spread, at most 12 h");
  static final Key<Duration> RECYCLE_AGE =
      key(
          "recycle.maxAge",
          Kind.duration(),
          "25 h",
          "an older process begins anew at any time, the window later at the latest");
  static final Key<Integer> RECYCLE_MEMORY =
      key(
          "recycle.memoryPercent",
          Kind.number(0, 100),
          "85",
          "so does one whose heap stays as full; 0: never");
  static final Key<Boolean> RECYCLE_IN_PLACE =
      key(
          "recycle.inPlace",
          Kind.bool(),
          "false",
          "whether a recycle replaces the executor and leaves the process, for where no supervisor"
              + " starts it again; a rollout ends it all the same");
  static final Key<Duration> ARCHIVE_AFTER =
      key(
          "engine.retention.archiveAfter",
          Kind.duration(),
          null,
          "ended instances go to the archive after this time; never unless set");
  static final Key<Duration> DELETE_AFTER =
      key(
          "engine.retention.deleteAfter",
          Kind.duration(),
          null,
          "ended instances are deleted after this time; never unless set");
  static final Key<Duration> DELETE_ARCHIVED_AFTER =
      key(
          "engine.retention.deleteArchivedAfter",
          Kind.duration(),
          null,
          "archived instances are deleted this long after their end; never unless set");
  static final Key<Duration> DELETE_AUDIT_AFTER =
      key(
          "engine.retention.deleteAuditAfter",
          Kind.duration(),
          null,
          "entries of the audit are deleted at this age; never unless set");

  static final Key<String> HOME =
      key("home", Kind.text(), ".", "the folder in which the folders below are, unless absolute");
  static final Key<String> WORKFLOWS =
      key(
          "workflows.folder",
          Kind.text(),
          "workflowjar",
          "where the jars with workflows and with classes of tasks are");

  static final Key<String> SEQUENCES =
      key(
          "sequences.folder",
          Kind.text(),
          "sequences",
          "JSON files of workflow types, tasks and sequences, registered at each start");

  static final Key<Integer> CORE_POOL =
      key(
          "workflowDetails.corePoolSize",
          Kind.number(0, 10_000),
          "8",
          "threads for the chunks of tasks that are kept");
  static final Key<Integer> MAXIMUM_POOL =
      key(
          "workflowDetails.maximumPoolSize",
          Kind.number(1, 10_000),
          "20",
          "threads for chunks, at most");
  static final Key<Integer> KEEP_ALIVE =
      key(
          "workflowDetails.keepAliveTime",
          Kind.number(0, 1_000_000),
          "20",
          "minutes after which an idle thread above corePoolSize ends");
  static final Key<Integer> POOL_QUEUE =
      key(
          "workflowDetails.waitingQueueSize",
          Kind.number(0, 1_000_000),
          "10",
          "chunks that wait before there are more threads than corePoolSize");
  static final Key<CronExpression> EXECUTOR_CRON =
      key(
          "workflowDetails.workflowExecutorCron",
          Kind.cron(),
          null,
          "when due sequences are started, in UTC; at once unless set");
  static final Key<CronExpression> RETRY_CRON =
      key(
          "workflowDetails.workflowRetryExecutorCron",
          Kind.cron(),
          null,
          "when failed tasks are tried again, in UTC; after a wait of their own unless set");
  static final Key<CronExpression> CORRECTION_CRON =
      key(
          "workflowDetails.workflowAutoCorrectionSchedular",
          Kind.cron(),
          null,
          "when missed runs are dealt with, in UTC; at once unless set");

  static final Key<String> RABBIT_URI =
      secret(
          "rabbitmq.uri",
          Kind.anyText(),
          null,
          "carries the messages between tasks, as in amqp://user:password@host:5672/vhost; without"
              + " it they stay in the process and the database");
  static final Key<String> RABBIT_EXCHANGE =
      key("rabbitmq.exchange", Kind.text(), "iSight", "the exchange to which messages are sent");
  static final Key<Duration> RABBIT_CONFIRM =
      key(
          "rabbitmq.confirmLimit",
          Kind.duration(),
          "5 s",
          "how long sending waits for the broker; 100 ms to 10 minutes");
  static final Key<Integer> RABBIT_PREFETCH =
      key(
          "rabbitmq.prefetch",
          Kind.number(0, 10_000),
          "0",
          "messages that a consumer holds; 0 for as many as it receives at a time");
  static final Key<Integer> RABBIT_DELIVERIES =
      key(
          "rabbitmq.deliveryLimit",
          Kind.number(1, ANY),
          "20",
          "deliveries until a message that ends its consumers is a dead letter; the same on all"
              + " nodes");

  static {
    ALL.addAll(RedisKeys.ALL);
  }

  static final Key<String> REPORT_OUTPUT =
      key(
          "assessmentReport.outputDatasource",
          Kind.text(),
          ReportSettings.DATABASE,
          "where the results of KPIs go: DATABASE, or a neo4j or elasticsearch source of"
              + " sources.json");
  static final Key<Integer> RETRIES =
      key(
          "assessmentReport.maxWorkflowRetries",
          Kind.number(0, 1000),
          "3",
          "attempts of a task after the first, where the task says nothing else");
  static final Key<String> CHART_VENDOR =
      key(
          "assessmentReport.chartVendor",
          Kind.anyText(),
          null,
          "read and without effect: charts are drawn by the program");
  static final Key<String> FUSION_URL =
      key(
          "assessmentReport.fusionExportAPIUrl",
          Kind.anyText(),
          null,
          "read and without effect: nothing is sent there");
  static final Key<String> REPORT_FOLDER =
      key(
          "report.folder",
          Kind.text(),
          "reports",
          "JSON files of KPIs and reports, and sources.json");
  static final Key<ZoneId> REPORT_ZONE =
      key("report.zone", Kind.zone(), "UTC", "where the days of reports begin");
  static final Key<String> REPORT_REPOSITORY =
      key(
          "report.git.repository",
          Kind.text(),
          null,
          "a git repository, of which the report weekly-report is then ready-made");
  static final Key<String> REPORT_TITLE =
      key("report.git.title", Kind.text(), null, "its title; the name of its folder unless set");

  static final Key<Boolean> SECURITY =
      key("security.enabled", Kind.bool(), "true", "false: everybody who reaches it is admin");
  static final Key<Integer> SESSION_HOURS =
      key("security.sessionHours", Kind.number(1, 8760), "12", "how long a login lasts");
  static final Key<Integer> LOGIN_ATTEMPTS =
      key(
          "security.loginAttempts",
          Kind.number(1, 10_000),
          "10",
          "tries to log in, good or bad, from one address in a minute; five times as many with one"
              + " name");
  static final Key<String> ADMIN_USER =
      key("security.admin.user", Kind.text(), "admin", "the first user, made where there is none");
  static final Key<String> ADMIN_PASSWORD =
      secret(
          "security.admin.password",
          Kind.password(),
          null,
          "the first password of that user; without it, on this machine alone, one is made up and"
              + " shown");
  static final Key<URI> OIDC_ISSUER =
      key("security.oidc.issuer", Kind.http(), null, "who vouches for users; set: OIDC is on");
  static final Key<String> OIDC_CLIENT =
      key("security.oidc.clientId", Kind.text(), null, "the name of this server there");
  static final Key<String> OIDC_SECRET =
      secret("security.oidc.clientSecret", Kind.text(), null, "its secret there");
  static final Key<URI> OIDC_REDIRECT =
      key("security.oidc.redirectBase", Kind.http(), null, "this server as browsers see it");
  static final Key<String> OIDC_GROUPS =
      key("security.oidc.groupsClaim", Kind.text(), "groups", "the claim that lists the groups");
  static final Key<List<String>> OIDC_ADMIN =
      key("security.oidc.roles.admin", Kind.list(Kind.text()), "", "groups that are admin");
  static final Key<List<String>> OIDC_OPERATOR =
      key("security.oidc.roles.operator", Kind.list(Kind.text()), "", "groups that are operator");
  static final Key<List<String>> OIDC_VIEWER =
      key("security.oidc.roles.viewer", Kind.list(Kind.text()), "", "groups that are viewer");

  static final Key<String> SECRET_KEY =
      secret("secrets.keys.<id>", Kind.key(), null, "a key for secret variables, under its name");
  static final Key<String> SECRET_ACTIVE =
      key("secrets.active", Kind.text(), null, "the name of the key that encrypts; all decrypt");
  static final Key<List<String>> SECRET_NAMES =
      key("secrets.names", Kind.list(Kind.text()), "", "further names whose values are not shown");

  static final Key<Boolean> METRICS =
      key("observe.metrics", Kind.bool(), "true", "whether /metrics answers");
  static final Key<Integer> LOG_LINES =
      key("observe.logs.linesPerAttempt", Kind.number(0, 100_000), "200", "log lines kept");
  static final Key<Integer> LOG_LINE =
      key("observe.logs.bytesPerLine", Kind.bytes(80), "4000", "a longer log line is cut");
  static final Key<Integer> LOG_ATTEMPT =
      key("observe.logs.bytesPerAttempt", Kind.bytes(80), "64 kB", "log text kept of an attempt");
  static final Key<String> ALERT_NAME =
      key("observe.alerts[].name", Kind.text(), null, "what the alert is called; required");
  static final Key<AlertWhen> ALERT_WHEN =
      key(
          "observe.alerts[].when",
          Kind.choice(List.of(AlertWhen.values())),
          null,
          "what it looks at; required");
  static final Key<String> ALERT_TYPE =
      key(
          "observe.alerts[].type",
          Kind.text(),
          null,
          "only instances of this type; not oldWaiting");
  static final Key<Integer> ALERT_THRESHOLD =
      key("observe.alerts[].threshold", Kind.number(1, ANY), "1", "how many make it an alert");
  static final Key<Duration> ALERT_OVER =
      key(
          "observe.alerts[].over",
          Kind.duration(),
          "5 minutes",
          "failed, periodMissed: within this time; the others: for longer than this");
  static final Key<URI> ALERT_WEBHOOK =
      secret("observe.alerts[].webhook", Kind.http(), null, "where to post it");
  static final Key<String> ALERT_SECRET =
      secret("observe.alerts[].secret", Kind.text(), null, "signs what is posted");
  static final Key<List<String>> ALERT_MAIL =
      key("observe.alerts[].mail", Kind.list(Kind.mailAddress()), "", "whom to mail it");
  static final Key<Duration> ALERT_MUTE =
      key(
          "observe.alerts[].mute",
          Kind.duration(),
          "30 minutes",
          "while it lasts, it reminds after this time");
  static final Key<List<QuietTime>> ALERT_QUIET =
      key(
          "observe.alerts[].quiet",
          Kind.list(Kind.quietTime()),
          "",
          "times of the week in which it neither begins nor reminds");
  static final Key<ZoneId> ZONE =
      key("observe.zone", Kind.zone(), "UTC", "the time zone of these times");
  static final Key<String> MAIL_HOST =
      key("observe.mail.host", Kind.host(), null, "the mail server (SMTP)");
  static final Key<Integer> MAIL_PORT =
      key("observe.mail.port", Kind.number(1, 65535), "587", "its port");
  static final Key<String> MAIL_USER =
      key("observe.mail.user", Kind.text(), null, "the user there; none: without login");
  static final Key<String> MAIL_PASSWORD =
      secret("observe.mail.password", Kind.anyText(), null, "the password there");
  static final Key<String> MAIL_FROM =
      key("observe.mail.from", Kind.mailAddress(), null, "the sender");
  static final Key<Observe.MailTls> MAIL_TLS =
      key(
          "observe.mail.tls",
          Kind.choice(List.of(Observe.MailTls.values())),
          "starttls",
          "how the connection is protected");
  static final Key<List<String>> WEBHOOK_ALLOWED =
      key(
          "observe.webhooks.allow",
          Kind.list(Kind.host()),
          "",
          "hosts with private addresses that webhooks may reach");
  static final Key<Boolean> STATUS_PUBLIC =
      key(
          "observe.status.public",
          Kind.bool(),
          "true",
          "whether the page of planned maintenance, /status-page, needs no login");
  static final Key<URI> STATUS_ADDRESS =
      key(
          "observe.status.address",
          Kind.http(),
          null,
          "this server as browsers see it; needed for subscriptions by mail");
  static final Key<String> STATUS_SECRET =
      secret(
          "observe.status.secret",
          Kind.text(),
          null,
          "signs what is posted to those who subscribe by webhook");

  private Keys() {}

  static List<Key<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static <T> Key<T> key(
      String path, Kind<T> kind, @Nullable String fallback, String meaning) {
    return add(new Key<>(path, kind, fallback, meaning, false));
  }

  private static <T> Key<T> secret(
      String path, Kind<T> kind, @Nullable String fallback, String meaning) {
    return add(new Key<>(path, kind, fallback, meaning, true));
  }

  private static <T> Key<T> add(Key<T> key) {
    ALL.add(key);
    return key;
  }
}
