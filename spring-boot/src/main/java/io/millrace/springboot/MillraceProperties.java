package io.millrace.springboot;

import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.sql.SchemaMode;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The properties {@code millrace.*}. Those that are not set leave the engine's defaults.
 *
 * <p>They are described in {@code spring-configuration-metadata.json}, which a test compares with
 * this record.
 */
@ConfigurationProperties(MillraceProperties.PREFIX)
record MillraceProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String executorGroup,
    @Nullable String nodeName,
    @Nullable Boolean runsInstances,
    @Nullable SchemaMode schema,
    @Nullable Integer concurrency,
    @Nullable Integer queueSize,
    @Nullable Duration maxSleep,
    @DefaultValue Lease lease,
    @Nullable Integer maxRecoveries,
    @Nullable Duration stuckAfter,
    @Nullable Duration drainGrace,
    @DefaultValue Retention retention) {

  static final String PREFIX = "millrace";

  /** The properties {@code millrace.lease.*}. */
  record Lease(@Nullable Duration ttl, @Nullable Duration renewEvery) {

    /** A lease is renewed so many times before it ends, unless a property says otherwise. */
    private static final int RENEWALS = 5;

    private EngineSettings applyTo(EngineSettings settings) {
      EngineSettings.Leasing current = settings.leasing();
      Duration newTtl = ttl == null ? current.ttl() : ttl;
      Duration every = ttl == null ? current.renewEvery() : ttl.dividedBy(RENEWALS);
      return settings.lease(newTtl, renewEvery == null ? every : renewEvery);
    }
  }

  /** The properties {@code millrace.retention.*}. */
  record Retention(
      @Nullable Duration archiveAfter,
      @Nullable Duration deleteAfter,
      @Nullable Duration deleteArchivedAfter,
      @Nullable Duration deleteAuditAfter) {

    private EngineSettings applyTo(EngineSettings settings) {
      return settings.retention(
          new EngineSettings.Retention(
              archiveAfter, deleteAfter, deleteArchivedAfter, deleteAuditAfter));
    }
  }

  /**
   * Returns settings with the values of these properties.
   *
   * @throws InvalidConfigurationPropertyValueException if the engine cannot use one of them
   */
  EngineSettings applyTo(EngineSettings defaults) {
    EngineSettings settings = defaults;
    settings = with(settings, "executor-group", executorGroup, EngineSettings::executorGroup);
    settings = with(settings, "node-name", nodeName, EngineSettings::nodeName);
    settings = with(settings, "runs-instances", runsInstances, EngineSettings::runsInstances);
    settings = with(settings, "concurrency", concurrency, EngineSettings::concurrency);
    settings = with(settings, "queue-size", queueSize, EngineSettings::queueSize);
    settings = with(settings, "max-sleep", maxSleep, EngineSettings::maxSleep);
    settings = with(settings, "lease", lease, (all, value) -> value.applyTo(all));
    settings = with(settings, "max-recoveries", maxRecoveries, EngineSettings::maxRecoveries);
    settings = with(settings, "stuck-after", stuckAfter, EngineSettings::stuckAfter);
    settings = with(settings, "drain-grace", drainGrace, EngineSettings::drainGrace);
    return with(settings, "retention", retention, (all, value) -> value.applyTo(all));
  }

  private static <T> EngineSettings with(
      EngineSettings settings,
      String name,
      @Nullable T value,
      BiFunction<EngineSettings, T, EngineSettings> change) {
    if (value == null) {
      return settings;
    }
    try {
      return change.apply(settings, value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          PREFIX + "." + name, value, String.valueOf(e.getMessage()));
    }
  }
}
