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

  private final ConfigValues configValues;
  private final List<String> problems;

  ConfigAssembler(ConfigValues configValues, List<String> problems) {
    this.configValues = configValues;
    this.problems = problems;
  }

  /** Returns the configuration; null if it is invalid, in which case the problems say why. */
  @Nullable ServerConfig build() {
    HttpConfig httpConfig = http();
    EngineSettings engine = engine();
    SecurityConfig securityConfig = security();
    SecretsConfig secretsConfig = secrets();
    ObservabilityConfig observabilityConfig = observe();
    WorkConfig workConfig = new WorkConfigAssembler(configValues, problems).build();
    RecycleSettings recycle = recycle();
    if (engine == null || workConfig == null || recycle == null) {
      return null;
    }
    DatabaseConfig databaseConfig =
        new DatabaseConfig(
            configValues.get(ConfigKeys.DATABASE_URL),
            configValues.get(ConfigKeys.DATABASE_USER),
            configValues.get(ConfigKeys.DATABASE_PASSWORD),
            configValues.get(ConfigKeys.POOL_SIZE),
            configValues.get(ConfigKeys.MIGRATE));
    NodeConfig nodeConfig =
        new NodeConfig(
            engine,
            recycle,
            configValues.get(ConfigKeys.RECYCLE_IN_PLACE),
            configValues.get(ConfigKeys.UNREADY_TIME));
    return new ServerConfig(
        httpConfig,
        databaseConfig,
        nodeConfig,
        workConfig,
        securityConfig,
        secretsConfig,
        observabilityConfig);
  }

  private HttpConfig http() {
    HttpConfig.TlsMode mode = configValues.find(ConfigKeys.TLS_MODE);
    String keyStore = configValues.find(ConfigKeys.KEY_STORE);
    if (mode == HttpConfig.TlsMode.KEYSTORE && keyStore == null) {
      missing(ConfigKeys.KEY_STORE, "because http.tls.mode is keystore");
    }
    return new HttpConfig(
        configValues.get(ConfigKeys.BIND),
        configValues.get(ConfigKeys.PORT),
        configValues.get(ConfigKeys.CONTEXT_PATH),
        new HttpConfig.Limits(
            configValues.get(ConfigKeys.BODY), configValues.get(ConfigKeys.REQUEST_TIME)),
        new HttpConfig.Tls(
            mode,
            keyStore == null ? null : Path.of(keyStore),
            configValues.find(ConfigKeys.KEY_STORE_PASSWORD)),
        configValues.get(ConfigKeys.TRUSTED_PROXIES),
        configValues.get(ConfigKeys.ORIGINS));
  }

  private @Nullable EngineSettings engine() {
    int lease = configValues.get(ConfigKeys.LEASE);
    int heartbeat = configValues.get(ConfigKeys.HEARTBEAT);
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
    String nodeName = configValues.get(ConfigKeys.NODE_NAME);
    try {
      return EngineSettings.defaults()
          .autostart(configValues.get(ConfigKeys.AUTOSTART))
          .executorGroup(configValues.get(ConfigKeys.GROUP))
          .nodeName(nodeName.isBlank() ? null : nodeName)
          .concurrency(configValues.get(ConfigKeys.THREADS))
          .queueSize(configValues.get(ConfigKeys.QUEUE))
          .maxSleep(Duration.ofMillis(configValues.get(ConfigKeys.SLEEP)))
          .channelPatience(Duration.ofSeconds(configValues.get(ConfigKeys.CHANNEL_PATIENCE)))
          .lease(Duration.ofSeconds(lease), Duration.ofSeconds(heartbeat))
          .maxRecoveries(configValues.get(ConfigKeys.RECOVERIES))
          .stuckAfter(Duration.ofSeconds(configValues.get(ConfigKeys.STUCK)))
          .drainGrace(Duration.ofSeconds(configValues.get(ConfigKeys.GRACE)))
          .retention(
              new Retention(
                  configValues.find(ConfigKeys.ARCHIVE_AFTER),
                  configValues.find(ConfigKeys.DELETE_AFTER),
                  configValues.find(ConfigKeys.DELETE_ARCHIVED_AFTER),
                  configValues.find(ConfigKeys.DELETE_AUDIT_AFTER)));
    } catch (IllegalArgumentException e) {
      problems.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable RecycleSettings recycle() {
    int memory = configValues.get(ConfigKeys.RECYCLE_MEMORY);
    ZoneId zone = configValues.get(ConfigKeys.RECYCLE_ZONE);
    try {
      RecycleSettings settings =
          RecycleSettings.daily(zone)
              .at(
                  configValues.get(ConfigKeys.RECYCLE_AT),
                  zone,
                  configValues.get(ConfigKeys.RECYCLE_WINDOW))
              .maxAge(configValues.get(ConfigKeys.RECYCLE_AGE))
              .enabled(configValues.get(ConfigKeys.RECYCLE));
      return settings.heapPercent(memory == 0 ? null : memory);
    } catch (IllegalArgumentException e) {
      problems.add("recycle: " + e.getMessage());
      return null;
    }
  }

  private SecurityConfig security() {
    String password = configValues.find(ConfigKeys.ADMIN_PASSWORD);
    return new SecurityConfig(
        configValues.get(ConfigKeys.SECURITY),
        Duration.ofHours(configValues.get(ConfigKeys.SESSION_HOURS)),
        configValues.get(ConfigKeys.LOGIN_ATTEMPTS),
        password == null
            ? null
            : new SecurityConfig.Admin(configValues.get(ConfigKeys.ADMIN_USER), password),
        oidc());
  }

  private SecurityConfig.@Nullable Oidc oidc() {
    URI issuer = configValues.find(ConfigKeys.OIDC_ISSUER);
    String client = configValues.find(ConfigKeys.OIDC_CLIENT);
    String secret = configValues.find(ConfigKeys.OIDC_SECRET);
    URI redirect = configValues.find(ConfigKeys.OIDC_REDIRECT);
    if (issuer == null) {
      for (ConfigKey<?> configKey :
          List.of(ConfigKeys.OIDC_CLIENT, ConfigKeys.OIDC_SECRET, ConfigKeys.OIDC_REDIRECT)) {
        if (configValues.mentions(configKey)) {
          missing(ConfigKeys.OIDC_ISSUER, "because " + configKey.path() + " is set");
          return null;
        }
      }
      return null;
    }
    if (client == null || secret == null || redirect == null) {
      for (ConfigKey<?> configKey :
          List.of(ConfigKeys.OIDC_CLIENT, ConfigKeys.OIDC_SECRET, ConfigKeys.OIDC_REDIRECT)) {
        missing(configKey, "because security.oidc.issuer is set");
      }
      return null;
    }
    return new SecurityConfig.Oidc(
        issuer,
        client,
        secret,
        redirect,
        configValues.get(ConfigKeys.OIDC_GROUPS),
        new SecurityConfig.Roles(
            configValues.get(ConfigKeys.OIDC_ADMIN),
            configValues.get(ConfigKeys.OIDC_OPERATOR),
            configValues.get(ConfigKeys.OIDC_VIEWER)));
  }

  private SecretsConfig secrets() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String id : configValues.names("secrets.keys.")) {
      keys.put(id, configValues.get(ConfigKeys.SECRET_KEY.named(id)));
    }
    String active = configValues.find(ConfigKeys.SECRET_ACTIVE);
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
    return new SecretsConfig(Map.copyOf(keys), active, configValues.get(ConfigKeys.SECRET_NAMES));
  }

  private ObservabilityConfig observe() {
    List<ObservabilityConfig.Alert> alerts = new ArrayList<>();
    for (int i = 0; i < configValues.size("observe.alerts"); i++) {
      ObservabilityConfig.Alert alert = alert(i);
      if (alert != null) {
        checkName(alert, i, alerts);
        alerts.add(alert);
      }
    }
    return new ObservabilityConfig(
        configValues.get(ConfigKeys.METRICS),
        new ObservabilityConfig.Logs(
            configValues.get(ConfigKeys.LOG_LINES),
            configValues.get(ConfigKeys.LOG_LINE),
            configValues.get(ConfigKeys.LOG_ATTEMPT)),
        List.copyOf(alerts),
        mail(),
        configValues.get(ConfigKeys.WEBHOOK_ALLOWED),
        status());
  }

  private ObservabilityConfig.Status status() {
    URI address = configValues.find(ConfigKeys.STATUS_ADDRESS);
    boolean folder = address != null && address.toString().endsWith("/");
    return new ObservabilityConfig.Status(
        configValues.get(ConfigKeys.STATUS_PUBLIC),
        address == null || folder ? address : URI.create(address + "/"),
        configValues.find(ConfigKeys.STATUS_SECRET));
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
    String name = configValues.find(ConfigKeys.ALERT_NAME.at(index));
    ObservabilityConfig.AlertCondition when = configValues.find(ConfigKeys.ALERT_WHEN.at(index));
    URI webhook = configValues.find(ConfigKeys.ALERT_WEBHOOK.at(index));
    List<String> mail = configValues.get(ConfigKeys.ALERT_MAIL.at(index));
    if (name == null || when == null) {
      missing(
          name == null ? ConfigKeys.ALERT_NAME.at(index) : ConfigKeys.ALERT_WHEN.at(index),
          "in an alert");
      return null;
    }
    if (webhook == null && mail.isEmpty()) {
      missing(ConfigKeys.ALERT_WEBHOOK.at(index), "or mail, because an alert must reach somebody");
    }
    if (!mail.isEmpty() && configValues.find(ConfigKeys.MAIL_HOST) == null) {
      missing(ConfigKeys.MAIL_HOST, "because alert '" + name + "' is sent by mail");
    }
    return new ObservabilityConfig.Alert(
        name,
        when,
        configValues.find(ConfigKeys.ALERT_TYPE.at(index)),
        configValues.get(ConfigKeys.ALERT_THRESHOLD.at(index)),
        configValues.get(ConfigKeys.ALERT_OVER.at(index)),
        new ObservabilityConfig.Target(
            webhook, configValues.find(ConfigKeys.ALERT_SECRET.at(index)), mail),
        new ObservabilityConfig.QuietPeriods(
            configValues.get(ConfigKeys.ALERT_MUTE.at(index)),
            configValues.get(ConfigKeys.ALERT_QUIET.at(index)),
            configValues.get(ConfigKeys.ZONE)));
  }

  private ObservabilityConfig.@Nullable Mail mail() {
    String host = configValues.find(ConfigKeys.MAIL_HOST);
    if (host == null) {
      return null;
    }
    String from = configValues.find(ConfigKeys.MAIL_FROM);
    if (from == null) {
      missing(ConfigKeys.MAIL_FROM, "because observe.mail.host is set");
      return null;
    }
    return new ObservabilityConfig.Mail(
        host,
        configValues.get(ConfigKeys.MAIL_PORT),
        configValues.find(ConfigKeys.MAIL_USER),
        configValues.find(ConfigKeys.MAIL_PASSWORD),
        from,
        configValues.get(ConfigKeys.MAIL_TLS));
  }

  /** Reports a missing value. A value that is given but not allowed has been reported already. */
  private void missing(ConfigKey<?> configKey, String why) {
    if (configValues.mentions(configKey)) {
      return;
    }
    problems.add(
        configKey.path() + ": missing, " + why + "; expected " + configKey.kind().allowed() + ".");
  }
}
