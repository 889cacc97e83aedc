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

/** An assembler of the configuration records, which also checks keys against each other. */
final class ConfigAssembler {

  private final ConfigValues values;
  private final List<String> problems;

  ConfigAssembler(ConfigValues values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /** Returns the configuration; null if it is invalid, in which case the problems say why. */
  @Nullable ServerConfig build() {
    HttpConfig http = http();
    EngineSettings engine = engine();
    SecurityConfig securityConfig = security();
    SecretsConfig secretsConfig = secrets();
    ObservabilityConfig observabilityConfig = observe();
    WorkConfig workConfig = new WorkConfigAssembler(values, problems).build();
    RecycleSettings recycle = recycle();
    if (engine == null || workConfig == null || recycle == null) {
      return null;
    }
    DatabaseConfig database =
        new DatabaseConfig(
            values.get(ConfigKeys.DATABASE_URL),
            values.get(ConfigKeys.DATABASE_USER),
            values.get(ConfigKeys.DATABASE_PASSWORD),
            values.get(ConfigKeys.POOL_SIZE),
            values.get(ConfigKeys.SCHEMA));
    NodeConfig nodeConfig =
        new NodeConfig(
            engine,
            recycle,
            values.get(ConfigKeys.RECYCLE_IN_PLACE),
            values.get(ConfigKeys.UNREADY_TIME));
    return new ServerConfig(
        http, database, nodeConfig, workConfig, securityConfig, secretsConfig, observabilityConfig);
  }

  private HttpConfig http() {
    HttpConfig.TlsMode mode = values.find(ConfigKeys.TLS_MODE);
    String keyStore = values.find(ConfigKeys.KEY_STORE);
    if (mode == HttpConfig.TlsMode.KEYSTORE && keyStore == null) {
      missing(ConfigKeys.KEY_STORE, "because http.tls.mode is keystore");
    }
    return new HttpConfig(
        values.get(ConfigKeys.BIND),
        values.get(ConfigKeys.PORT),
        values.get(ConfigKeys.CONTEXT_PATH),
        new HttpConfig.Limits(values.get(ConfigKeys.BODY), values.get(ConfigKeys.REQUEST_TIME)),
        new HttpConfig.Tls(
            mode,
            keyStore == null ? null : Path.of(keyStore),
            values.find(ConfigKeys.KEY_STORE_PASSWORD)),
        values.get(ConfigKeys.TRUSTED_PROXIES),
        values.get(ConfigKeys.ORIGINS));
  }

  private @Nullable EngineSettings engine() {
    int lease = values.get(ConfigKeys.LEASE);
    int heartbeat = values.get(ConfigKeys.HEARTBEAT);
    if (lease < 2L * heartbeat) {
      problems.add(
          ConfigKeys.LEASE.path()
              + " = "
              + lease
              + ", "
              + ConfigKeys.HEARTBEAT.path()
              + " = "
              + heartbeat
              + ": expected a lease of at least twice the time between heartbeats.");
      return null;
    }
    String nodeName = values.get(ConfigKeys.NODE_NAME);
    try {
      return EngineSettings.defaults()
          .runsInstances(values.get(ConfigKeys.AUTOSTART))
          .executorGroup(values.get(ConfigKeys.GROUP))
          .nodeName(nodeName.isBlank() ? null : nodeName)
          .concurrency(values.get(ConfigKeys.THREADS))
          .queueSize(values.get(ConfigKeys.QUEUE))
          .maxSleep(Duration.ofMillis(values.get(ConfigKeys.SLEEP)))
          .channelPatience(Duration.ofSeconds(values.get(ConfigKeys.CHANNEL_PATIENCE)))
          .lease(Duration.ofSeconds(lease), Duration.ofSeconds(heartbeat))
          .maxRecoveries(values.get(ConfigKeys.RECOVERIES))
          .stuckAfter(Duration.ofSeconds(values.get(ConfigKeys.STUCK)))
          .drainGrace(Duration.ofSeconds(values.get(ConfigKeys.GRACE)))
          .retention(
              new Retention(
                  values.find(ConfigKeys.ARCHIVE_AFTER),
                  values.find(ConfigKeys.DELETE_AFTER),
                  values.find(ConfigKeys.DELETE_ARCHIVED_AFTER),
                  values.find(ConfigKeys.DELETE_AUDIT_AFTER)));
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable RecycleSettings recycle() {
    int memory = values.get(ConfigKeys.RECYCLE_MEMORY);
    ZoneId zone = values.get(ConfigKeys.RECYCLE_ZONE);
    try {
      RecycleSettings settings =
          RecycleSettings.daily(zone)
              .at(values.get(ConfigKeys.RECYCLE_AT), zone, values.get(ConfigKeys.RECYCLE_WINDOW))
              .maxAge(values.get(ConfigKeys.RECYCLE_AGE))
              .enabled(values.get(ConfigKeys.RECYCLE));
      return settings.heapPercent(memory == 0 ? null : memory);
    } catch (IllegalArgumentException e) {
      problems.add("recycle: " + e.getMessage());
      return null;
    }
  }

  private SecurityConfig security() {
    String password = values.find(ConfigKeys.ADMIN_PASSWORD);
    return new SecurityConfig(
        values.get(ConfigKeys.SECURITY),
        Duration.ofHours(values.get(ConfigKeys.SESSION_HOURS)),
        values.get(ConfigKeys.LOGIN_ATTEMPTS),
        password == null
            ? null
            : new SecurityConfig.Admin(values.get(ConfigKeys.ADMIN_USER), password),
        oidc());
  }

  private SecurityConfig.@Nullable Oidc oidc() {
    URI issuer = values.find(ConfigKeys.OIDC_ISSUER);
    String client = values.find(ConfigKeys.OIDC_CLIENT);
    String secret = values.find(ConfigKeys.OIDC_SECRET);
    URI redirect = values.find(ConfigKeys.OIDC_REDIRECT);
    if (issuer == null) {
      for (ConfigKey<?> key :
          List.of(ConfigKeys.OIDC_CLIENT, ConfigKeys.OIDC_SECRET, ConfigKeys.OIDC_REDIRECT)) {
        if (values.mentions(key)) {
          missing(ConfigKeys.OIDC_ISSUER, "because " + key.path() + " is set");
          return null;
        }
      }
      return null;
    }
    if (client == null || secret == null || redirect == null) {
      for (ConfigKey<?> key :
          List.of(ConfigKeys.OIDC_CLIENT, ConfigKeys.OIDC_SECRET, ConfigKeys.OIDC_REDIRECT)) {
        missing(key, "because security.oidc.issuer is set");
      }
      return null;
    }
    return new SecurityConfig.Oidc(
        issuer,
        client,
        secret,
        redirect,
        values.get(ConfigKeys.OIDC_GROUPS),
        new SecurityConfig.Roles(
            values.get(ConfigKeys.OIDC_ADMIN),
            values.get(ConfigKeys.OIDC_OPERATOR),
            values.get(ConfigKeys.OIDC_VIEWER)));
  }

  private SecretsConfig secrets() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String id : values.names("secrets.keys.")) {
      keys.put(id, values.get(ConfigKeys.SECRET_KEY.named(id)));
    }
    String active = values.find(ConfigKeys.SECRET_ACTIVE);
    if (active == null && keys.size() > 1) {
      missing(ConfigKeys.SECRET_ACTIVE, "because there are several secrets.keys: " + keys.keySet());
    }
    if (active == null && keys.size() == 1) {
      active = keys.keySet().iterator().next();
    }
    if (active != null && !keys.containsKey(active)) {
      problems.add(
          ConfigKeys.SECRET_ACTIVE.path()
              + " = "
              + active
              + ": there is no such key; expected one of secrets.keys, "
              + keys.keySet()
              + ".");
    }
    return new SecretsConfig(Map.copyOf(keys), active, values.get(ConfigKeys.SECRET_NAMES));
  }

  private ObservabilityConfig observe() {
    List<ObservabilityConfig.Alert> alerts = new ArrayList<>();
    for (int i = 0; i < values.size("observe.alerts"); i++) {
      ObservabilityConfig.Alert alert = alert(i);
      if (alert != null) {
        checkName(alert, i, alerts);
        alerts.add(alert);
      }
    }
    return new ObservabilityConfig(
        values.get(ConfigKeys.METRICS),
        new ObservabilityConfig.Logs(
            values.get(ConfigKeys.LOG_LINES),
            values.get(ConfigKeys.LOG_LINE),
            values.get(ConfigKeys.LOG_ATTEMPT)),
        List.copyOf(alerts),
        mail(),
        values.get(ConfigKeys.WEBHOOK_ALLOWED),
        status());
  }

  private ObservabilityConfig.Status status() {
    URI address = values.find(ConfigKeys.STATUS_ADDRESS);
    boolean folder = address != null && address.toString().endsWith("/");
    return new ObservabilityConfig.Status(
        values.get(ConfigKeys.STATUS_PUBLIC),
        address == null || folder ? address : URI.create(address + "/"),
        values.find(ConfigKeys.STATUS_SECRET));
  }

  private void checkName(
      ObservabilityConfig.Alert alert, int index, List<ObservabilityConfig.Alert> before) {
    if (before.stream().anyMatch(other -> other.name().equals(alert.name()))) {
      problems.add(
          ConfigKeys.ALERT_NAME.at(index).path()
              + " = "
              + alert.name()
              + ": another alert has this name; expected a name of its own.");
    }
  }

  private ObservabilityConfig.@Nullable Alert alert(int index) {
    String name = values.find(ConfigKeys.ALERT_NAME.at(index));
    ObservabilityConfig.AlertCondition when = values.find(ConfigKeys.ALERT_WHEN.at(index));
    URI webhook = values.find(ConfigKeys.ALERT_WEBHOOK.at(index));
    List<String> mail = values.get(ConfigKeys.ALERT_MAIL.at(index));
    if (name == null || when == null) {
      missing(
          name == null ? ConfigKeys.ALERT_NAME.at(index) : ConfigKeys.ALERT_WHEN.at(index),
          "in an alert");
      return null;
    }
    if (webhook == null && mail.isEmpty()) {
      missing(ConfigKeys.ALERT_WEBHOOK.at(index), "or mail, because an alert needs a recipient");
    }
    if (!mail.isEmpty() && values.find(ConfigKeys.MAIL_HOST) == null) {
      missing(ConfigKeys.MAIL_HOST, "because alert '" + name + "' is sent by mail");
    }
    return new ObservabilityConfig.Alert(
        name,
        when,
        values.find(ConfigKeys.ALERT_TYPE.at(index)),
        values.get(ConfigKeys.ALERT_THRESHOLD.at(index)),
        values.get(ConfigKeys.ALERT_OVER.at(index)),
        new ObservabilityConfig.Target(
            webhook, values.find(ConfigKeys.ALERT_SECRET.at(index)), mail),
        new ObservabilityConfig.QuietPeriods(
            values.get(ConfigKeys.ALERT_MUTE.at(index)),
            values.get(ConfigKeys.ALERT_QUIET.at(index)),
            values.get(ConfigKeys.ZONE)));
  }

  private ObservabilityConfig.@Nullable Mail mail() {
    String host = values.find(ConfigKeys.MAIL_HOST);
    if (host == null) {
      return null;
    }
    String from = values.find(ConfigKeys.MAIL_FROM);
    if (from == null) {
      missing(ConfigKeys.MAIL_FROM, "because observe.mail.host is set");
      return null;
    }
    return new ObservabilityConfig.Mail(
        host,
        values.get(ConfigKeys.MAIL_PORT),
        values.find(ConfigKeys.MAIL_USER),
        values.find(ConfigKeys.MAIL_PASSWORD),
        from,
        values.get(ConfigKeys.MAIL_TLS));
  }

  /** Reports a missing value. A value that is given but not allowed has been reported already. */
  private void missing(ConfigKey<?> key, String why) {
    if (values.mentions(key)) {
      return;
    }
    problems.add(key.path() + ": missing, " + why + "; expected " + key.kind().allowed() + ".");
  }
}
