package io.millrace.server.config;

import io.millrace.continuous.RecycleSettings;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineSettings.Retention;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the records of the values, and checks what one key says about another. */
final class Assembly {

  private final Values values;
  private final List<String> problems;

  Assembly(Values values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /** The configuration; null if that could not be made, which is among the problems then. */
  @Nullable ServerConfig build() {
    Http http = http();
    EngineSettings engine = engine();
    Security security = security();
    Secrets secrets = secrets();
    Observe observe = observe();
    Work work = new WorkAssembly(values, problems).build();
    RecycleSettings recycle = recycle();
    if (engine == null || work == null || recycle == null) {
      return null;
    }
    Database database =
        new Database(
            values.get(Keys.DATABASE_URL),
            values.get(Keys.DATABASE_USER),
            values.get(Keys.DATABASE_PASSWORD),
            values.get(Keys.POOL_SIZE),
            values.get(Keys.MIGRATE));
    Node node =
        new Node(engine, recycle, values.get(Keys.RECYCLE_IN_PLACE), values.get(Keys.UNREADY_TIME));
    return new ServerConfig(http, database, node, work, security, secrets, observe);
  }

  private Http http() {
    Http.TlsMode mode = values.find(Keys.TLS_MODE);
    String keyStore = values.find(Keys.KEY_STORE);
    if (mode == Http.TlsMode.KEYSTORE && keyStore == null) {
      missing(Keys.KEY_STORE, "because http.tls.mode is keystore");
    }
    return new Http(
        values.get(Keys.BIND),
        values.get(Keys.PORT),
        values.get(Keys.CONTEXT_PATH),
        new Http.Limits(values.get(Keys.BODY), values.get(Keys.REQUEST_TIME)),
        new Http.Tls(
            mode,
            keyStore == null ? null : Path.of(keyStore),
            values.find(Keys.KEY_STORE_PASSWORD)),
        values.get(Keys.TRUSTED_PROXIES));
  }

  private @Nullable EngineSettings engine() {
    int lease = values.get(Keys.LEASE);
    int heartbeat = values.get(Keys.HEARTBEAT);
    if (lease < 2L * heartbeat) {
      problems.add(
          Keys.LEASE.path()
              + " = "
              + lease
              + ", "
              + Keys.HEARTBEAT.path()
              + " = "
              + heartbeat
              + ": expected a lease of at least twice the time between heartbeats.");
      return null;
    }
    String nodeName = values.get(Keys.NODE_NAME);
    try {
      return EngineSettings.defaults()
          .autostart(values.get(Keys.AUTOSTART))
          .executorGroup(values.get(Keys.GROUP))
          .nodeName(nodeName.isBlank() ? null : nodeName)
          .concurrency(values.get(Keys.THREADS))
          .queueSize(values.get(Keys.QUEUE))
          .maxSleep(Duration.ofMillis(values.get(Keys.SLEEP)))
          .channelPatience(Duration.ofSeconds(values.get(Keys.CHANNEL_PATIENCE)))
          .lease(Duration.ofSeconds(lease), Duration.ofSeconds(heartbeat))
          .maxRecoveries(values.get(Keys.RECOVERIES))
          .stuckAfter(Duration.ofSeconds(values.get(Keys.STUCK)))
          .drainGrace(Duration.ofSeconds(values.get(Keys.GRACE)))
          .retention(
              new Retention(
                  values.find(Keys.ARCHIVE_AFTER),
                  values.find(Keys.DELETE_AFTER),
                  values.find(Keys.DELETE_ARCHIVED_AFTER),
                  values.find(Keys.DELETE_AUDIT_AFTER)));
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable RecycleSettings recycle() {
    int memory = values.get(Keys.RECYCLE_MEMORY);
    ZoneId zone = values.get(Keys.RECYCLE_ZONE);
    try {
      RecycleSettings settings =
          RecycleSettings.daily(zone)
              .at(values.get(Keys.RECYCLE_AT), zone, values.get(Keys.RECYCLE_WINDOW))
              .maxAge(values.get(Keys.RECYCLE_AGE))
              .enabled(values.get(Keys.RECYCLE));
      return settings.heapPercent(memory == 0 ? null : memory);
    } catch (IllegalArgumentException e) {
      problems.add("recycle: " + e.getMessage());
      return null;
    }
  }

  private Security security() {
    String password = values.find(Keys.ADMIN_PASSWORD);
    return new Security(
        values.get(Keys.SECURITY),
        Duration.ofHours(values.get(Keys.SESSION_HOURS)),
        values.get(Keys.LOGIN_ATTEMPTS),
        password == null ? null : new Security.Admin(values.get(Keys.ADMIN_USER), password),
        oidc());
  }

  private Security.@Nullable Oidc oidc() {
    URI issuer = values.find(Keys.OIDC_ISSUER);
    String client = values.find(Keys.OIDC_CLIENT);
    String secret = values.find(Keys.OIDC_SECRET);
    URI redirect = values.find(Keys.OIDC_REDIRECT);
    if (issuer == null) {
      for (Key<?> key : List.of(Keys.OIDC_CLIENT, Keys.OIDC_SECRET, Keys.OIDC_REDIRECT)) {
        if (values.mentions(key)) {
          missing(Keys.OIDC_ISSUER, "because " + key.path() + " is set");
          return null;
        }
      }
      return null;
    }
    if (client == null || secret == null || redirect == null) {
      for (Key<?> key : List.of(Keys.OIDC_CLIENT, Keys.OIDC_SECRET, Keys.OIDC_REDIRECT)) {
        missing(key, "because security.oidc.issuer is set");
      }
      return null;
    }
    return new Security.Oidc(
        issuer,
        client,
        secret,
        redirect,
        values.get(Keys.OIDC_GROUPS),
        new Security.Roles(
            values.get(Keys.OIDC_ADMIN),
            values.get(Keys.OIDC_OPERATOR),
            values.get(Keys.OIDC_VIEWER)));
  }

  private Secrets secrets() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String id : values.names("secrets.keys.")) {
      keys.put(id, values.get(Keys.SECRET_KEY.named(id)));
    }
    String active = values.find(Keys.SECRET_ACTIVE);
    if (active == null && keys.size() > 1) {
      missing(Keys.SECRET_ACTIVE, "because there are several secrets.keys: " + keys.keySet());
    }
    if (active == null && keys.size() == 1) {
      active = keys.keySet().iterator().next();
    }
    if (active != null && !keys.containsKey(active)) {
      problems.add(
          Keys.SECRET_ACTIVE.path()
              + " = "
              + active
              + ": there is no such key; expected one of secrets.keys, "
              + keys.keySet()
              + ".");
    }
    return new Secrets(Map.copyOf(keys), active, values.get(Keys.SECRET_NAMES));
  }

  private Observe observe() {
    List<Observe.Alert> alerts = new ArrayList<>();
    for (int i = 0; i < values.size("observe.alerts"); i++) {
      Observe.Alert alert = alert(i);
      if (alert != null) {
        checkName(alert, i, alerts);
        alerts.add(alert);
      }
    }
    return new Observe(
        values.get(Keys.METRICS),
        new Observe.Logs(
            values.get(Keys.LOG_LINES), values.get(Keys.LOG_LINE), values.get(Keys.LOG_ATTEMPT)),
        List.copyOf(alerts),
        mail(),
        values.get(Keys.WEBHOOK_ALLOWED),
        status());
  }

  private Observe.Status status() {
    URI address = values.find(Keys.STATUS_ADDRESS);
    boolean folder = address != null && address.toString().endsWith("/");
    return new Observe.Status(
        values.get(Keys.STATUS_PUBLIC),
        address == null || folder ? address : URI.create(address + "/"),
        values.find(Keys.STATUS_SECRET));
  }

  private void checkName(Observe.Alert alert, int index, List<Observe.Alert> before) {
    if (before.stream().anyMatch(other -> other.name().equals(alert.name()))) {
      problems.add(
          Keys.ALERT_NAME.at(index).path()
              + " = "
              + alert.name()
              + ": another alert has this name; expected a name of its own.");
    }
  }

  private Observe.@Nullable Alert alert(int index) {
    String name = values.find(Keys.ALERT_NAME.at(index));
    Observe.AlertWhen when = values.find(Keys.ALERT_WHEN.at(index));
    URI webhook = values.find(Keys.ALERT_WEBHOOK.at(index));
    List<String> mail = values.get(Keys.ALERT_MAIL.at(index));
    if (name == null || when == null) {
      missing(name == null ? Keys.ALERT_NAME.at(index) : Keys.ALERT_WHEN.at(index), "in an alert");
      return null;
    }
    if (webhook == null && mail.isEmpty()) {
      missing(Keys.ALERT_WEBHOOK.at(index), "or mail, because an alert must reach somebody");
    }
    if (!mail.isEmpty() && values.find(Keys.MAIL_HOST) == null) {
      missing(Keys.MAIL_HOST, "because alert '" + name + "' is sent by mail");
    }
    return new Observe.Alert(
        name,
        when,
        values.find(Keys.ALERT_TYPE.at(index)),
        values.get(Keys.ALERT_THRESHOLD.at(index)),
        values.get(Keys.ALERT_OVER.at(index)),
        new Observe.Target(webhook, values.find(Keys.ALERT_SECRET.at(index)), mail),
        new Observe.Silence(
            values.get(Keys.ALERT_MUTE.at(index)),
            values.get(Keys.ALERT_QUIET.at(index)),
            values.get(Keys.ZONE)));
  }

  private Observe.@Nullable Mail mail() {
    String host = values.find(Keys.MAIL_HOST);
    if (host == null) {
      return null;
    }
    String from = values.find(Keys.MAIL_FROM);
    if (from == null) {
      missing(Keys.MAIL_FROM, "because observe.mail.host is set");
      return null;
    }
    return new Observe.Mail(
        host,
        values.get(Keys.MAIL_PORT),
        values.find(Keys.MAIL_USER),
        values.find(Keys.MAIL_PASSWORD),
        from,
        values.get(Keys.MAIL_TLS));
  }

  /** A value that is written but not allowed was reported already. */
  private void missing(Key<?> key, String why) {
    if (values.mentions(key)) {
      return;
    }
    problems.add(key.path() + ": missing, " + why + "; expected " + key.kind().allowed() + ".");
  }
}
